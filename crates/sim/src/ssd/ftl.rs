//! The flash translation layer, without a clock.
//!
//! **Represented.** A page-mapped log on each die, with a append point (an open block) for each stream of data. When the open
//! block is full the next one comes from the free ones; if too few are then left, a victim is chosen at once, its
//! valid pages are copied to a append point of the same die, and it is erased. With one stream, host writes and copies share one
//! append point, and exactly one block of a die stays free in steady state: the least that cleaning needs, and the setting
//! of the mean-field analyses (Desnoyers 2012; Van Houdt 2013). Which block is cleaned: `victim.rs`. Discards unmap.
//!
//! With T blocks of b pages, of which U·b hold data, and uniform random writes, write amplification A under
//! greedy follows from m_i = 1/(λ i), i = b, b−1, …, until Σ m_i = 1, with Σ i·m_i = b·U/T and A = T/(U λ);
//! under FIFO from 1 − 1/A = exp(−T/(U A)). The free block is no place for data: T counts all but one.
//!
//! **Streams** (`ftl/stream.rs`) share no block. **Wear levelling**: dynamic, the least worn free block is used first;
//! static, besides, the data of the least worn block moves to the most worn free one when they are too far apart
//! (`ftl/clean.rs`). **Erasures fail** at a rate, each at random, and retire their block.
//!
//! **Left out.** The map's own traffic to flash, read disturb and retention refresh.
//!
//! **Cost.** 3 bytes a logical page that was ever written (and its neighbours within 2 MiB), 3⅛ bytes a physical page,
//! about 20 bytes a block, allocated on first use; 4 and 4⅛ where more than 2²⁴ pages are simulated.

mod append;
mod audit;
mod clean;
mod counts;
mod spare;
mod stats;
mod stream;

use drivecast_block::prefetch;

pub use self::stats::{Cleaned, EraseSpread, Sink, Stats};

use self::append::AppendPoint;
use self::spare::Split;
use super::block::Blocks;
use super::error::FtlFault;
use super::map::LogicalMap;
use super::packed::Packed;
use super::policy::Policy;
use super::victim::Victims;
use super::{Geometry, SpecError};
use crate::spec::{StreamBy, StreamSpare, WearLevelling};
use drivecast_block::random::{Stream, stream};
use rand::Rng;
use std::collections::BTreeSet;

/// Writes looked ahead by [`Ftl::write_batch`]: enough to hide the memory, few enough to stay in the cache.
const LOOKAHEAD: usize = 16;

/// A die's blocks without data.
#[derive(Clone, Debug)]
struct Die {
    /// Erased blocks: their wear (0 where it does not matter), order of erasure, number.
    free: BTreeSet<(u32, u32, u32)>,
    /// Erasures so far.
    sequence: u32,
    /// Blocks out of use.
    retired: Vec<u32>,
    /// All blocks.
    blocks: u32,
    /// No block with data was erased less often.
    least: u32,
}

/// Erasures that fail.
#[derive(Clone, Debug)]
struct Failures {
    rate: f64,
    random: Stream,
}

impl Failures {
    fn next(&mut self) -> bool {
        (self.random.next_u64() >> 11) as f64 / ((1u64 << 53) as f64) < self.rate
    }
}

/// A flash translation layer. See the module's documentation for the model.
#[derive(Clone, Debug)]
pub struct Ftl {
    map: LogicalMap,
    /// The slot of the logical page in each physical page.
    reverse: Packed,
    /// One bit a physical page, set while it holds current data or is still to be written.
    current: Vec<u64>,
    blocks: Blocks,
    dies: Vec<Die>,
    /// Those of die 0, then of die 1, and so on.
    append_points: Vec<AppendPoint>,
    /// Append points of a die.
    points_per_die: usize,
    /// Streams of a die that the host's writes go to.
    streams: usize,
    stream_by: StreamBy,
    /// The stream that the host names.
    tag: usize,
    /// The point last written to.
    last: usize,
    victims: Victims,
    split: Option<Box<Split>>,
    free_min: usize,
    reserved_blocks: u32,
    by_wear: bool,
    levels: bool,
    wear_spread: u32,
    failures: Option<Box<Failures>>,
    fault: Option<FtlFault>,
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
    /// A geometry that cannot clean: too few blocks, or no spare beyond the data; a policy out of its limits.
    pub fn new(
        geometry: Geometry,
        logical_pages: u64,
        data_pages: u64,
        stripe: u32,
        policy: impl Into<Policy>,
    ) -> Result<Ftl, SpecError> {
        let (policy, stripe) = (policy.into(), stripe.max(1));
        policy.check()?;
        geometry.check(data_pages, stripe, policy.reserved_blocks(), policy.append_points())?;
        let Geometry { dies, blocks_per_die, pages_per_block } = geometry;
        let blocks = (dies * blocks_per_die) as usize;
        let points_per_die = policy.append_points() as usize;
        let die = |die: u32| Die {
            free: (0..blocks_per_die).map(|block| (0, block, die * blocks_per_die + block)).collect(),
            sequence: blocks_per_die,
            retired: Vec::new(),
            blocks: blocks_per_die,
            least: 0,
        };
        let apart = policy.append_points() > 1 && policy.stream_spare != StreamSpare::Shared;
        let group = |point: usize| (if apart { point } else { point / points_per_die }) as u16;
        let point = |block: usize| (block / blocks_per_die as usize * points_per_die) as u16;
        let groups = if apart { dies as usize * points_per_die } else { dies as usize };
        let optimal = policy.stream_spare == StreamSpare::Optimal;
        let random =
            || Failures { rate: policy.erase_failure_rate, random: stream(policy.seed, "ssd.erasures") };
        let mut ftl = Ftl {
            map: LogicalMap::new(logical_pages, data_pages, geometry.places()),
            reverse: Packed::zeros(blocks * pages_per_block as usize, data_pages + 1024),
            current: vec![0; blocks * (pages_per_block as usize).div_ceil(64)],
            blocks: Blocks::new(
                (0..blocks).map(point).collect(),
                (0..dies as usize * points_per_die).map(group).collect(),
                &policy,
            ),
            dies: (0..dies).map(die).collect(),
            append_points: vec![AppendPoint::default(); dies as usize * points_per_die],
            points_per_die,
            streams: policy.streams as usize,
            stream_by: policy.stream_by,
            tag: 0,
            last: 0,
            victims: Victims::new(&policy, groups, blocks, pages_per_block),
            split: apart.then(|| Box::new(Split::new(optimal, dies as usize, points_per_die))),
            free_min: policy.free_min(),
            reserved_blocks: policy.reserved_blocks(),
            by_wear: policy.wear_levelling != WearLevelling::None,
            levels: policy.levels(),
            wear_spread: policy.wear_spread,
            failures: (policy.erase_failure_rate > 0.0).then(|| Box::new(random())),
            fault: None,
            stats: Stats::default(),
            live: 0,
            planned: data_pages,
            live_max: 0,
            stripe,
            turn: 0,
            turn_left: stripe,
            pages_per_block,
            page_bits: geometry.page_bits(),
            words_per_block: (pages_per_block as usize).div_ceil(64),
            moving: Vec::with_capacity(pages_per_block as usize),
        };
        ftl.balance(geometry.in_use_max(policy.reserved_blocks()));
        Ok(ftl)
    }

    /// The most pages that can hold data at once under a policy, with every die still able to clean.
    pub fn data_pages_max(geometry: Geometry, stripe: u32, policy: &Policy) -> u64 {
        geometry.data_pages_beside(stripe, policy.reserved_blocks())
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
    pub fn may_take(&self, die: usize) -> bool {
        self.live_on(die) <= self.live_max
    }

    /// Pages with current data on a die.
    #[inline]
    fn live_on(&self, die: usize) -> u64 {
        self.append_points[die * self.points_per_die..][..self.points_per_die]
            .iter()
            .map(|append| append.live)
            .sum()
    }

    /// Writes many logical pages, each to the die whose turn it is, and fetches ahead what the next ones
    /// need.
    #[inline]
    pub fn write_batch(&mut self, lpns: &[u64], sink: &mut impl Sink) {
        for (i, &lpn) in lpns.iter().enumerate() {
            if let Some(&ahead) = lpns.get(i + LOOKAHEAD) {
                self.map.prefetch(ahead);
            }
            if let Some(&ahead) = lpns.get(i + LOOKAHEAD / 2) {
                self.prefetch_block(ahead);
            }
            self.write(lpn, sink);
        }
    }

    /// Asks for the map entry of a logical page that is about to be used.
    #[inline]
    pub fn prefetch(&self, lpn: u64) {
        self.map.prefetch(lpn);
    }

    /// Asks for what is known of the page that a write will replace, whose map entry has come by now.
    #[inline]
    fn prefetch_block(&self, lpn: u64) {
        if let Some(place) = self.map.get(lpn) {
            let (block, page) = (place >> self.page_bits, place & ((1 << self.page_bits) - 1));
            prefetch(&self.current, block as usize * self.words_per_block + page as usize / 64);
        }
    }

    /// Writes a logical page to a die of the caller's choice and returns its place. The caller minds
    /// [`Ftl::may_take`]. Of a drive that is at its end ([`Ftl::fault`]) the place means nothing.
    #[inline]
    pub fn write_to(&mut self, die: usize, lpn: u64, sink: &mut impl Sink) -> u32 {
        let slot = self.map.slot(lpn);
        let old = self.map.at(slot);
        let point = die * self.points_per_die + if self.streams == 1 { 0 } else { self.stream_of(old) };
        match old {
            None => self.admit(),
            Some(old) => self.invalidate(old),
        }
        if self.append_points[point].pages_left == 0 && !self.open(point, sink) {
            return self.lose(slot);
        }
        let append = &mut self.append_points[point];
        append.live += 1;
        let place = append.next;
        self.reverse.set(append.behind, slot);
        append.next += 1;
        append.behind += 1;
        append.pages_left -= 1;
        self.map.set(slot, place);
        self.stats.host_pages += 1;
        self.last = point;
        place
    }

    /// A page more holds data.
    #[cold]
    fn admit(&mut self) {
        self.live += 1;
        self.reverse.widen(self.map.slots().into());
        if self.live > self.planned {
            self.grow();
        }
    }

    /// There is no place for a page.
    #[cold]
    fn lose(&mut self, slot: u32) -> u32 {
        self.map.clear(slot);
        self.live -= 1;
        0
    }

    /// Unmaps a logical page. Returns whether it held data.
    pub fn discard(&mut self, lpn: u64) -> bool {
        let Some(old) = self.map.get(lpn) else { return false };
        self.invalidate(old);
        let slot = self.map.slot(lpn);
        self.map.clear(slot);
        self.live -= 1;
        true
    }

    /// Leaves the next `pages` pages of a die's open block empty, as a forced partial program does; at most
    /// to the end of the block. Of several open blocks it is the one last written to.
    pub fn pad(&mut self, die: usize, pages: u32) {
        let point =
            if self.last / self.points_per_die == die { self.last } else { die * self.points_per_die };
        let pages = pages.min(self.append_points[point].pages_left);
        for _ in 0..pages {
            let place = self.append_points[point].next;
            self.append_points[point].live += 1;
            self.invalidate(place);
            let append = &mut self.append_points[point];
            append.next += 1;
            append.behind += 1;
            append.pages_left -= 1;
        }
        self.stats.padded_pages += u64::from(pages);
    }

    #[inline]
    fn invalidate(&mut self, place: u32) {
        let block = place >> self.page_bits;
        let page = (place & ((1 << self.page_bits) - 1)) as usize;
        self.current[block as usize * self.words_per_block + page / 64] &= !(1 << (page % 64));
        let valid = &mut self.blocks.valid[block as usize];
        *valid -= 1;
        let valid = *valid;
        self.append_points[usize::from(self.blocks.point[block as usize])].live -= 1;
        if self.victims.is_near(valid) {
            self.victims.fell(&self.blocks, block);
        }
    }

    /// Adds a block, because more distinct pages hold data than planned. The plan took the pages that are
    /// never rewritten out of both the data and the flash; each that is written after all returns with its
    /// flash.
    #[cold]
    fn grow(&mut self) {
        let block = self.blocks.len();
        let die = block % self.dies.len();
        let b = self.pages_per_block as usize;
        self.planned += b as u64;
        self.map.widen(((block + 1) as u64) << self.page_bits);
        self.reverse.extend(b);
        self.current.resize(self.current.len() + self.words_per_block, 0);
        self.blocks.push((die * self.points_per_die) as u16);
        self.victims.grow();
        let state = &mut self.dies[die];
        state.free.insert((0, state.sequence, block as u32));
        state.sequence += 1;
        state.blocks += 1;
        let blocks = (self.blocks.len() / self.dies.len()) as u64;
        self.balance((blocks - u64::from(self.reserved_blocks)) * b as u64);
    }

    /// Memory that the pages take; that of the blocks is small next to it.
    pub fn bytes(&self) -> usize {
        self.map.bytes() + self.reverse.bytes() + size_of_val(self.current.as_slice())
    }

    /// Where a logical page lies; none if it was never written or was discarded.
    #[inline]
    pub fn lookup(&self, lpn: u64) -> Option<u32> {
        self.map.get(lpn)
    }

    /// The die of a place.
    #[inline]
    pub fn die_of(&self, place: u32) -> usize {
        usize::from(self.blocks.point[(place >> self.page_bits) as usize]) / self.points_per_die
    }

    /// The page of a place within its block.
    #[inline]
    pub fn page_of(&self, place: u32) -> u32 {
        place & ((1 << self.page_bits) - 1)
    }
}
