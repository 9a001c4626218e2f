//! The write buffer: pages that the host has handed over and flash does not hold yet.
//!
//! A page takes its place when it is admitted and frees it when the program that holds it is done. Reads of a
//! page that is still here need no flash. Pages are not merged: a page written twice is programmed twice, as
//! in the translation layer without a clock.

/// Not a place of the main flash.
const ELSEWHERE: u32 = u32::MAX;

/// The bits of buffered pages by physical address, and the rows being programmed.
#[derive(Debug)]
pub(super) struct Buffer {
    capacity: u64,
    used: u64,
    row_pages: usize,
    /// Set for each physical page whose program is not done.
    pending: Vec<u64>,
    /// Places of the pages of each row, `row_pages` apart.
    places: Vec<u32>,
    rows: Vec<Row>,
    unused: Vec<u32>,
    /// Rows handed to the flash so far.
    issued: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Row {
    pages: u32,
    /// Order of issue, from 1; 0 before.
    sequence: u64,
    /// The row of the pSLC cache that it fills.
    cached: Option<u32>,
}

impl Buffer {
    pub(super) fn new(capacity: u64, row_pages: u32) -> Buffer {
        Buffer {
            capacity,
            used: 0,
            row_pages: row_pages as usize,
            pending: Vec::new(),
            places: Vec::new(),
            rows: Vec::new(),
            unused: Vec::new(),
            issued: 0,
        }
    }

    /// Reserves up to `pages`; returns how many there was space for.
    #[inline]
    pub(super) fn admit(&mut self, pages: u32) -> u32 {
        let admitted = u64::from(pages).min(self.capacity - self.used);
        self.used += admitted;
        admitted as u32
    }

    /// A row to be filled.
    pub(super) fn open_row(&mut self) -> u32 {
        self.unused.pop().unwrap_or_else(|| {
            self.rows.push(Row::default());
            self.places.resize(self.places.len() + self.row_pages, 0);
            (self.rows.len() - 1) as u32
        })
    }

    /// Puts a page into an open row; returns how many it has now.
    #[inline]
    pub(super) fn put(&mut self, row: u32, place: u32) -> u32 {
        let word = place as usize / 64;
        if word >= self.pending.len() {
            self.pending.resize((word + 1).next_power_of_two(), 0);
        }
        self.pending[word] |= 1 << (place % 64);
        let state = &mut self.rows[row as usize];
        self.places[row as usize * self.row_pages + state.pages as usize] = place;
        state.pages += 1;
        state.pages
    }

    /// Puts a page into an open row that goes to a row of the pSLC cache; returns how many it has now.
    pub(super) fn put_cached(&mut self, row: u32, cached: u32) -> u32 {
        let state = &mut self.rows[row as usize];
        self.places[row as usize * self.row_pages + state.pages as usize] = ELSEWHERE;
        state.cached = Some(cached);
        state.pages += 1;
        state.pages
    }

    /// Hands a row over for programming.
    #[inline]
    pub(super) fn issue(&mut self, row: u32) {
        self.issued += 1;
        self.rows[row as usize].sequence = self.issued;
    }

    /// A row is in flash: its pages leave. Returns the row's order of issue, and its row in the pSLC cache if it has one.
    #[inline]
    pub(super) fn programmed(&mut self, row: u32) -> (u64, Option<u32>) {
        let state = std::mem::take(&mut self.rows[row as usize]);
        let first = row as usize * self.row_pages;
        for &place in &self.places[first..first + state.pages as usize] {
            if let Some(word) = self.pending.get_mut(place as usize / 64) {
                *word &= !(1 << (place % 64));
            }
        }
        self.used -= u64::from(state.pages);
        self.unused.push(row);
        (state.sequence, state.cached)
    }

    /// Whether the page at a place waits here.
    #[inline]
    pub(super) fn holds(&self, place: u32) -> bool {
        self.used > 0
            && self.pending.get(place as usize / 64).is_some_and(|word| word >> (place % 64) & 1 == 1)
    }

    /// Rows issued so far.
    pub(super) fn issued(&self) -> u64 {
        self.issued
    }

    /// Rows from `first` on in order of issue that are not programmed.
    pub(super) fn in_flight_from(&self, first: u64) -> u32 {
        let waits = |row: &&Row| row.sequence > 0 && row.sequence >= first;
        self.rows.iter().filter(waits).count() as u32
    }
}
