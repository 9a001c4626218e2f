//! The cache of flash that is programmed with one bit a cell (pSLC, "TurboWrite"), without a clock.
//!
//! **Represented.** Host writes go to the cache, row by row, while there is space; what is written again while it is there
//! is absorbed: the old copy is stale and never folded. The oldest row makes way: what is still current in it is
//! *folded*, that is written to the main flash as if by the host. A row is folded when a new one finds the cache full,
//! and, at `slc_fold_share` rows for each row written, before that; the drive folds the rest in idle time. The cache has
//! a fixed size, and besides a share of the user capacity that holds no data (a cell of three bits lends a third).
//!
//! With S pages written to the cache, F of them folded and C copied by garbage collection in the main flash, write
//! amplification is (S + F + C)/S: 2 for data that is written once, less than that for what is overwritten in the cache.
//! Data that comes in at r pages a second and is folded at f leaves after size/(r − f) a cache that was empty.
//!
//! **Left out.** Writes that pass the cache by (large ones, in some drives), data read so often that it stays, and the
//! wear of the cache's own blocks, which endure tens of times as much.

use super::map::LogicalMap;
use super::{Layout, SpecError};
use crate::spec::SsdSpec;

/// No current data in a slot.
const STALE: u64 = u64::MAX;

/// The cache: rows in order of writing, in a ring.
#[derive(Clone, Debug)]
pub(super) struct Slc {
    /// Where in the cache each logical page lies.
    map: LogicalMap,
    /// The logical page in each slot; rows lie one after another.
    pages: Vec<u64>,
    /// The die of each row, and whether it is programmed.
    rows: Vec<(u16, bool)>,
    row_pages: usize,
    /// Rows that are always there.
    fixed_rows: u64,
    /// Rows lent for each page of user capacity without data.
    rows_per_free_page: f64,
    capacity_pages: u64,
    /// The oldest row, and how many are in use from it on.
    first: u32,
    used: u32,
    /// The row that is being written on the clock; it is not folded.
    pub(super) open: Option<u32>,
    /// The row that is being written outside time, and its pages.
    aged: Option<(u32, u32)>,
    fold_share: f64,
    /// Rows that are to be folded on account of those written.
    owed: f64,
    /// What the last fold took out.
    folding: Vec<u64>,
    live: u64,
    written: u64,
    folded: u64,
    padded: u64,
}

impl Slc {
    /// The cache of a drive; none if it has none.
    ///
    /// # Errors
    /// A cache too small to give each die two rows.
    pub(super) fn new(spec: &SsdSpec, layout: &Layout) -> Result<Option<Slc>, SpecError> {
        if spec.slc_cache_bytes == 0 && spec.slc_dynamic_share == 0.0 {
            return Ok(None);
        }
        let row_bytes = u64::from(spec.mapping_bytes) * u64::from(layout.row_pages);
        let fixed_rows = (spec.slc_cache_bytes as f64 * layout.scale) as u64 / row_bytes;
        let rows_per_free_page = spec.slc_dynamic_share / f64::from(layout.row_pages);
        let rows = fixed_rows + (rows_per_free_page * layout.capacity_pages as f64) as u64;
        let least = 2 * u64::from(layout.geometry.dies);
        SpecError::unless(
            rows >= least && rows * u64::from(layout.row_pages) < u64::from(u32::MAX),
            "slc_cache_bytes",
            format!("at least {} bytes (two programs a die) and less than 2³² pages", least * row_bytes),
            spec.slc_cache_bytes,
        )?;
        let places = rows * u64::from(layout.row_pages);
        Ok(Some(Slc {
            map: LogicalMap::new(layout.capacity_pages, 0, places),
            pages: Vec::new(),
            rows: Vec::new(),
            row_pages: layout.row_pages as usize,
            fixed_rows,
            rows_per_free_page,
            capacity_pages: layout.capacity_pages,
            first: 0,
            used: 0,
            open: None,
            aged: None,
            fold_share: spec.slc_fold_share,
            owed: 0.0,
            folding: Vec::new(),
            live: 0,
            written: 0,
            folded: 0,
            padded: 0,
        }))
    }

    /// Memory that the pages take.
    pub(super) fn bytes(&self) -> usize {
        self.map.bytes() + size_of_val(self.pages.as_slice())
    }

    /// Rows in the ring.
    fn ring(&self) -> u32 {
        (self.fixed_rows + (self.rows_per_free_page * self.capacity_pages as f64) as u64) as u32
    }

    /// Whether another row fits, with so many pages in the main flash.
    pub(super) fn has_space(&self, main_pages: u64) -> bool {
        let free = self.capacity_pages.saturating_sub(main_pages + self.live);
        let rows = self.fixed_rows + (self.rows_per_free_page * free as f64) as u64;
        u64::from(self.used) < rows && self.used < self.ring()
    }

    /// Begins a row on a die; there must be space.
    pub(super) fn begin(&mut self, die: usize) -> u32 {
        let row = (self.first + self.used) % self.ring();
        self.used += 1;
        let end = (row as usize + 1) * self.row_pages;
        if end > self.pages.len() {
            self.pages.resize(end, STALE);
            self.rows.resize(row as usize + 1, (0, false));
        }
        self.rows[row as usize] = (die as u16, false);
        row
    }

    /// Writes a logical page as the `at`th of a row.
    pub(super) fn put(&mut self, row: u32, at: u32, lpn: u64) {
        self.discard(lpn);
        let place = row * self.row_pages as u32 + at;
        self.pages[place as usize] = lpn;
        let slot = self.map.slot(lpn);
        self.map.set(slot, place);
        self.live += 1;
        self.written += 1;
    }

    /// Leaves pages of a row empty.
    pub(super) fn pad(&mut self, pages: u32) {
        self.padded += u64::from(pages);
    }

    /// A row is in flash.
    pub(super) fn programmed(&mut self, row: u32) {
        self.rows[row as usize].1 = true;
    }

    /// Takes note of a row written; how many rows should now be folded on its account.
    pub(super) fn due(&mut self) -> u32 {
        self.owed += self.fold_share;
        let rows = self.owed as u32;
        self.owed -= f64::from(rows);
        rows
    }

    /// Takes the oldest row out, for its current pages to be written to the main flash; its die. None if there is none,
    /// or it is being written.
    pub(super) fn fold(&mut self) -> Option<usize> {
        if self.used == 0 || self.open == Some(self.first) {
            return None;
        }
        let row = self.first;
        if self.aged.is_some_and(|(aged, _)| aged == row) {
            self.aged = None;
        }
        self.folding.clear();
        for slot in row as usize * self.row_pages..(row as usize + 1) * self.row_pages {
            let lpn = std::mem::replace(&mut self.pages[slot], STALE);
            if lpn != STALE {
                let slot = self.map.slot(lpn);
                self.map.clear(slot);
                self.folding.push(lpn);
            }
        }
        self.live -= self.folding.len() as u64;
        self.folded += self.folding.len() as u64;
        self.first = (row + 1) % self.ring();
        self.used -= 1;
        Some(usize::from(self.rows[row as usize].0))
    }

    /// What the last fold took out.
    pub(super) fn folding(&self) -> &[u64] {
        &self.folding
    }

    /// Writes a page outside time, row after row on one die after another of `dies`. False if there is no space for a row.
    pub(super) fn age(&mut self, lpn: u64, main_pages: u64, dies: usize) -> bool {
        let (row, at) = match self.aged {
            Some(aged) => aged,
            None if self.has_space(main_pages) => {
                let die = (self.first as usize + self.used as usize) % dies;
                (self.begin(die), 0)
            }
            None => return false,
        };
        self.put(row, at, lpn);
        let full = at as usize + 1 == self.row_pages;
        self.aged = Some((row, at + 1)).filter(|_| !full);
        self.rows[row as usize].1 = true;
        true
    }

    /// Whether the next page aged begins a row.
    pub(super) fn is_aligned(&self) -> bool {
        self.aged.is_none()
    }

    /// The place of a logical page in the cache.
    #[inline]
    pub(super) fn find(&self, lpn: u64) -> Option<u32> {
        self.map.get(lpn)
    }

    /// The row of a place, its die, and whether it is programmed.
    pub(super) fn row(&self, place: u32) -> (u32, usize, bool) {
        let row = place / self.row_pages as u32;
        let (die, programmed) = self.rows[row as usize];
        (row, usize::from(die), programmed)
    }

    /// Forgets a logical page; whether it was here.
    pub(super) fn discard(&mut self, lpn: u64) -> bool {
        let Some(place) = self.map.get(lpn) else { return false };
        self.pages[place as usize] = STALE;
        let slot = self.map.slot(lpn);
        self.map.clear(slot);
        self.live -= 1;
        true
    }

    /// Pages written to the cache, of these folded, and pages left empty.
    pub(super) fn counts(&self) -> (u64, u64, u64) {
        (self.written, self.folded, self.padded)
    }
}
