//! The flash translation layer, without a clock.
//!
//! **Represented.** A page-mapped log on each die. Host writes and the copies of garbage collection share one
//! open block (one frontier) on each die. When the open block is full the next one comes from the free list,
//! in order of erasure; if that was the last free block, a victim is chosen at once, its valid pages are
//! copied to the head of the new block, and it is erased. So exactly one block of a die is open and at most
//! one stays free in steady state: the least that cleaning needs, and the setting of the mean-field analyses
//! (Desnoyers 2012; Van Houdt 2013). Discards unmap.
//!
//! With T blocks of b pages, of which U·b hold data, and uniform random writes, write amplification A under
//! greedy follows from m_i = 1/(λ i), i = b, b−1, …, until Σ m_i = 1, with Σ i·m_i = b·U/T and A = T/(U λ);
//! under FIFO from 1 − 1/A = exp(−T/(U A)). The free block is no place for data: T counts all but one.
//!
//! **Left out.** Separate frontiers for hot and cold data or for copies, wear levelling beyond the rotation
//! of the free list, bad blocks, the map's own traffic to flash, read disturb and retention refresh.
//!
//! **Cost.** 4 bytes a logical page that was ever written (and its neighbours within 2 MiB), 4⅛ bytes a
//! physical page.

mod audit;

use super::map::{ABSENT, LogicalMap};
use super::prefetch::prefetch;
use super::victim::Victims;
use super::{Geometry, SpecError};
use crate::spec::GarbageCollection;
use std::collections::VecDeque;

/// Writes looked ahead by [`Ftl::write_batch`]: enough to hide the memory, few enough to stay in the cache.
const LOOKAHEAD: usize = 16;

/// A block was cleaned: its valid pages were copied to the open block of the same die, and it was erased.
#[derive(Clone, Copy, Debug)]
pub struct Cleaned<'a> {
    /// The die.
    pub die: usize,
    /// The block, counted over all dies.
    pub block: u32,
    /// Pages copied.
    pub copies: u32,
    /// Which of the block's pages these were, one bit a page.
    pub valid: &'a [u64],
}

/// Hears of the work that a write causes beside itself, to charge it to the dies. `()` hears nothing, at no
/// cost.
pub trait Sink {
    /// Takes note of a cleaning.
    fn cleaned(&mut self, work: Cleaned<'_>);
}

impl Sink for () {
    #[inline]
    fn cleaned(&mut self, _: Cleaned<'_>) {}
}

/// What a translation layer has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Pages written by the host.
    pub host_pages: u64,
    /// Pages copied by garbage collection.
    pub copied_pages: u64,
    /// Pages left empty because a flush forced a partial program.
    pub padded_pages: u64,
    /// Blocks erased.
    pub erases: u64,
}

impl Stats {
    /// Page programs for each page the host wrote; NaN before the first.
    #[must_use]
    pub fn write_amplification(&self) -> f64 {
        (self.host_pages + self.copied_pages + self.padded_pages) as f64 / self.host_pages as f64
    }

    /// What was done since `earlier`.
    #[must_use]
    pub const fn since(&self, earlier: &Stats) -> Stats {
        Stats {
            host_pages: self.host_pages - earlier.host_pages,
            copied_pages: self.copied_pages - earlier.copied_pages,
            padded_pages: self.padded_pages - earlier.padded_pages,
            erases: self.erases - earlier.erases,
        }
    }
}

/// A die's frontier and free blocks.
#[derive(Debug)]
struct Die {
    /// Address of the next page to write.
    frontier: u32,
    /// Its index in the reverse map.
    behind: usize,
    /// Pages left in the open block.
    room: u32,
    /// The open block; none before the first write.
    open: Option<u32>,
    /// Erased blocks, in order of erasure.
    free: VecDeque<u32>,
    /// Pages with current data.
    live: u64,
}

/// A flash translation layer. See the module's documentation for the model.
#[derive(Debug)]
pub struct Ftl {
    map: LogicalMap,
    /// The slot of the logical page in each physical page.
    reverse: Vec<u32>,
    /// One bit a physical page, set while it holds current data or is still to be written.
    current: Vec<u64>,
    /// Set bits of each block.
    valid: Vec<u16>,
    die_of: Vec<u16>,
    erase_counts: Vec<u32>,
    dies: Vec<Die>,
    victims: Victims,
    stats: Stats,
    live: u64,
    /// Distinct logical pages there is flash for.
    planned: u64,
    /// A die with more pages than this takes no stripe.
    live_max: u64,
    /// Pages written to one die before the next takes its turn.
    stripe: u32,
    turn: usize,
    turn_left: u32,
    pages_per_block: u32,
    page_bits: u32,
    words_per_block: usize,
    /// Slots of the pages of the block being cleaned.
    moving: Vec<u32>,
}

impl Ftl {
    /// An empty drive of this geometry with `logical_pages` addresses, of which at most `data_pages` are
    /// expected to hold data at once. [`Ftl::write`] gives each die `stripe` pages in turn.
    ///
    /// # Errors
    /// A geometry that cannot clean: too few blocks, or no spare beyond the data.
    pub fn new(
        geometry: Geometry,
        logical_pages: u64,
        data_pages: u64,
        stripe: u32,
        policy: GarbageCollection,
    ) -> Result<Ftl, SpecError> {
        let stripe = stripe.max(1);
        geometry.check(data_pages, stripe)?;
        let Geometry { dies, blocks_per_die, pages_per_block } = geometry;
        let blocks = (dies * blocks_per_die) as usize;
        let words_per_block = (pages_per_block as usize).div_ceil(64);
        let die = |index: u32| Die {
            frontier: 0,
            behind: 0,
            room: 0,
            open: None,
            free: (index * blocks_per_die..(index + 1) * blocks_per_die).collect(),
            live: 0,
        };
        let mut ftl = Ftl {
            map: LogicalMap::new(logical_pages, data_pages),
            reverse: vec![0; blocks * pages_per_block as usize],
            current: vec![0; blocks * words_per_block],
            valid: vec![0; blocks],
            die_of: (0..blocks).map(|block| (block as u32 / blocks_per_die) as u16).collect(),
            erase_counts: vec![0; blocks],
            dies: (0..dies).map(die).collect(),
            victims: Victims::new(policy, dies as usize, blocks, pages_per_block as usize),
            stats: Stats::default(),
            live: 0,
            planned: data_pages,
            live_max: 0,
            stripe,
            turn: 0,
            turn_left: stripe.max(1),
            pages_per_block,
            page_bits: geometry.page_bits(),
            words_per_block,
            moving: Vec::with_capacity(pages_per_block as usize),
        };
        ftl.balance(geometry.in_use_max());
        Ok(ftl)
    }

    /// Lets a die exceed its share of the data by an eighth of its spare: chance never does, a pattern that
    /// would pile up cold data on one die is spread. `in_use_max` is what a die can hold and still clean.
    fn balance(&mut self, in_use_max: u64) {
        let share = self.planned.div_ceil(self.dies.len() as u64);
        self.live_max = share + in_use_max.saturating_sub(share + u64::from(self.stripe)) / 8;
    }

    /// Writes a logical page to the die whose turn it is.
    #[inline]
    pub fn write(&mut self, lpn: u64, sink: &mut impl Sink) {
        if self.turn_left == 0 {
            self.turn = self.die_after(self.turn);
            self.turn_left = self.stripe;
        }
        self.turn_left -= 1;
        self.write_to(self.turn, lpn, sink);
    }

    /// The next die, in turn, that may take more data.
    #[inline]
    fn die_after(&self, die: usize) -> usize {
        let dies = self.dies.len();
        let mut next = die;
        for _ in 0..dies {
            next = if next + 1 == dies { 0 } else { next + 1 };
            if self.may_take(next) {
                break;
            }
        }
        next
    }

    /// Whether `die` holds no more than its share of the data.
    #[inline]
    #[must_use]
    pub fn may_take(&self, die: usize) -> bool {
        self.dies[die].live <= self.live_max
    }

    /// Writes many logical pages, each to the die whose turn it is, and fetches ahead what the next ones
    /// need.
    #[inline]
    pub fn write_batch(&mut self, lpns: &[u64], sink: &mut impl Sink) {
        for (i, &lpn) in lpns.iter().enumerate() {
            if let Some(&ahead) = lpns.get(i + LOOKAHEAD) {
                self.map.prefetch(ahead);
            }
            self.write(lpn, sink);
        }
    }

    /// Asks for the map entry of a logical page that is about to be used.
    #[inline]
    pub fn prefetch(&self, lpn: u64) {
        self.map.prefetch(lpn);
    }

    /// Writes a logical page to a die of the caller's choice and returns its place. The caller minds
    /// [`Ftl::may_take`].
    #[inline]
    pub fn write_to(&mut self, die: usize, lpn: u64, sink: &mut impl Sink) -> u32 {
        let slot = self.map.slot(lpn);
        let old = self.map.at(slot);
        if old == ABSENT {
            self.live += 1;
            if self.live > self.planned {
                self.grow();
            }
        } else {
            self.invalidate(old);
        }
        if self.dies[die].room == 0 {
            self.open(die, sink);
        }
        let die = &mut self.dies[die];
        die.live += 1;
        let place = die.frontier;
        self.reverse[die.behind] = slot;
        die.frontier += 1;
        die.behind += 1;
        die.room -= 1;
        self.map.set(slot, place);
        self.stats.host_pages += 1;
        place
    }

    /// Unmaps a logical page. Returns whether it held data.
    pub fn discard(&mut self, lpn: u64) -> bool {
        let old = self.map.get(lpn);
        if old == ABSENT {
            return false;
        }
        self.invalidate(old);
        let slot = self.map.slot(lpn);
        self.map.set(slot, ABSENT);
        self.live -= 1;
        true
    }

    /// Leaves the next `pages` pages of a die's open block empty, as a forced partial program does; at most
    /// to the end of the block.
    pub fn pad(&mut self, die: usize, pages: u32) {
        let pages = pages.min(self.dies[die].room);
        for _ in 0..pages {
            let place = self.dies[die].frontier;
            self.dies[die].live += 1;
            self.invalidate(place);
            let die = &mut self.dies[die];
            die.frontier += 1;
            die.behind += 1;
            die.room -= 1;
        }
        self.stats.padded_pages += u64::from(pages);
    }

    #[inline]
    fn invalidate(&mut self, place: u32) {
        let block = place >> self.page_bits;
        let page = (place & ((1 << self.page_bits) - 1)) as usize;
        self.current[block as usize * self.words_per_block + page / 64] &= !(1 << (page % 64));
        let valid = &mut self.valid[block as usize];
        *valid -= 1;
        let valid = *valid;
        let die = usize::from(self.die_of[block as usize]);
        self.dies[die].live -= 1;
        if self.victims.is_near(valid) {
            self.victims.fell(die, block, valid);
        }
    }

    /// Opens the next block of a die, and cleans one if that was the last free.
    #[inline(never)]
    fn open(&mut self, die: usize, sink: &mut impl Sink) {
        let mut tries = self.valid.len();
        while self.dies[die].room == 0 {
            if let Some(full) = self.dies[die].open {
                self.victims.close(die, full, self.valid[full as usize]);
            }
            let block = self.dies[die].free.pop_front().expect("cleaning leaves a block free");
            self.start(die, block);
            if self.dies[die].free.is_empty() {
                self.collect(die, sink);
            }
            tries -= 1;
            assert!(tries > 0, "die {die} holds more data than its share and cannot clean");
        }
    }

    fn start(&mut self, die: usize, block: u32) {
        let b = self.pages_per_block as usize;
        let words = &mut self.current[block as usize * self.words_per_block..][..self.words_per_block];
        words.fill(u64::MAX);
        if !b.is_multiple_of(64) {
            words[b / 64] = (1 << (b % 64)) - 1;
        }
        self.valid[block as usize] = b as u16;
        let die = &mut self.dies[die];
        die.open = Some(block);
        die.frontier = block << self.page_bits;
        die.behind = block as usize * b;
        die.room = b as u32;
    }

    /// Cleans a block of a die whose open block is empty.
    fn collect(&mut self, die: usize, sink: &mut impl Sink) {
        let victim =
            self.victims.take(die, &self.valid, &self.die_of).expect("a die has closed blocks") as usize;
        let words = victim * self.words_per_block..(victim + 1) * self.words_per_block;
        let first = victim * self.pages_per_block as usize;
        prefetch(&self.reverse, first);
        self.moving.clear();
        for (i, &word) in self.current[words.clone()].iter().enumerate() {
            let mut left = word;
            while left != 0 {
                let slot = self.reverse[first + 64 * i + left.trailing_zeros() as usize];
                self.map.prefetch_slot(slot);
                self.moving.push(slot);
                left &= left - 1;
            }
        }
        let to = &mut self.dies[die];
        self.reverse[to.behind..][..self.moving.len()].copy_from_slice(&self.moving);
        for (place, &slot) in (to.frontier..).zip(&self.moving) {
            self.map.set(slot, place);
        }
        let copies = self.moving.len() as u32;
        to.frontier += copies;
        to.behind += copies as usize;
        to.room -= copies;
        to.free.push_back(victim as u32);
        self.erase_counts[victim] += 1;
        self.stats.copied_pages += u64::from(copies);
        self.stats.erases += 1;
        sink.cleaned(Cleaned { die, block: victim as u32, copies, valid: &self.current[words] });
    }

    /// Adds a block, because more distinct pages hold data than planned. The plan took the pages that are
    /// never rewritten out of both the data and the flash; each that is written after all returns with its
    /// flash.
    #[cold]
    fn grow(&mut self) {
        let block = self.valid.len() as u32;
        let die = self.die_of.len() % self.dies.len();
        self.planned += u64::from(self.pages_per_block);
        self.reverse.resize(self.reverse.len() + self.pages_per_block as usize, 0);
        self.current.resize(self.current.len() + self.words_per_block, 0);
        self.valid.push(0);
        self.die_of.push(die as u16);
        self.erase_counts.push(0);
        self.victims.grow();
        self.dies[die].free.push_back(block);
        let blocks = (self.valid.len() / self.dies.len()) as u64;
        self.balance((blocks - 1) * u64::from(self.pages_per_block));
    }

    /// Where a logical page lies; none if it was never written or was discarded.
    #[inline]
    #[must_use]
    pub fn lookup(&self, lpn: u64) -> Option<u32> {
        Some(self.map.get(lpn)).filter(|&place| place != ABSENT)
    }

    /// The die of a place.
    #[inline]
    #[must_use]
    pub fn die_of(&self, place: u32) -> usize {
        usize::from(self.die_of[(place >> self.page_bits) as usize])
    }

    /// The page of a place within its block.
    #[inline]
    #[must_use]
    pub fn page_of(&self, place: u32) -> u32 {
        place & ((1 << self.page_bits) - 1)
    }

    /// Pages still to be written on `die` until it must clean again.
    #[must_use]
    pub fn room(&self, die: usize) -> u32 {
        self.dies[die].room
    }

    /// Pages of an erase block.
    #[must_use]
    pub fn pages_per_block(&self) -> u32 {
        self.pages_per_block
    }

    /// Logical pages with data.
    #[must_use]
    pub fn live_pages(&self) -> u64 {
        self.live
    }

    /// Physical pages.
    #[must_use]
    pub fn physical_pages(&self) -> u64 {
        self.reverse.len() as u64
    }

    /// What was done since the drive was made.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// How often each block was erased.
    #[must_use]
    pub fn erase_counts(&self) -> &[u32] {
        &self.erase_counts
    }

    /// Erases of the block erased most and of all blocks on average.
    #[must_use]
    pub fn erase_spread(&self) -> (u32, f64) {
        let most = self.erase_counts.iter().copied().max().unwrap_or(0);
        (most, self.stats.erases as f64 / self.erase_counts.len() as f64)
    }

    /// Bytes of memory held.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let per_block = 2 + 2 + 4 + 1 + 8;
        self.map.memory_bytes()
            + 4 * self.reverse.len()
            + 8 * self.current.len()
            + per_block * self.valid.len()
    }
}
