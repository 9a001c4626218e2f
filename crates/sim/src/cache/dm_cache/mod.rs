//! dm-cache with the policy `smq`, as the kernel's sources and its guide have it.
//!
//! **Pieces.** Requests are split at the blocks of the cache (256 KiB). A block is cached as a whole or not at all; a piece of one
//! that is goes to the fast device, any other to the slow one.
//!
//! **What is let in**: `hotspot.rs`. It is copied whole, behind the piece that was the occasion: read from the slow device, written to the
//! fast one, and recorded (a block of 4 KiB, assumed). A write that covers a block goes in without a copy. At most
//! `migration_threshold` sectors are being copied at a time; what finds no space there is not let in this time. While a block is
//! being copied its reads go to the slow device, and its writes wait.
//!
//! **What makes way**: the coldest clean block of a queue of levels, in which a block rises at most once in 10 s. Dirty blocks do
//! not make way: `writeback`: when nothing was requested for a second all that is dirty is copied back, coldest first;
//! before that only what was not used for 10 s, while less than 5 % of the cache is clean. `writethrough`: writes of cached
//! blocks go to both. `passthrough` is left out.
//!
//! **Flushes** go to both devices. After a crash all that is cached counts as dirty.
//!
//! Left out: the metadata's tree and its commits, discards, invalidation by the user.

mod hotspot;
mod levels;
mod migration;
mod works;

use self::hotspot::{Hotspots, Uses};
use self::levels::Levels;
use self::works::{Migration, Step, Way, Work};
use super::index::{Index, NONE};
use super::io::{Piece, Side};
use super::orders::Orders;
use crate::request_slots::Slots;
use crate::spec::{CacheMode, DmCacheSpec, Restart};
use drivecast_block::{Bytes, Nanos, Op, Request};

/// Time without a request after which the cache is idle.
const IDLE: Nanos = Nanos::from_ms(1000);
/// Periods of the queues and of what may be written back.
const CACHE_PERIOD: Nanos = Nanos::from_ms(10_000);
/// Share of the cache that is to be clean.
const CLEAN_MIN: f64 = 0.05;
/// Records of blocks on the fast device.
const RECORD_BYTES: u64 = 16;
const MD_BLOCK: u64 = 4096;

/// A block of the cache.
#[derive(Clone, Copy, Default)]
struct Block {
    is_dirty: bool,
    is_hit: bool,
    used_s: u32,
    /// Its own migration, if it is being written back.
    is_moving: bool,
}

/// The cache; see the module.
#[derive(Clone)]
pub(super) struct DmCache {
    mode: CacheMode,
    block: u64,
    /// Blocks of the cache; bytes of the slow device.
    most: u32,
    origin: u64,
    data_at: u64,
    migrations_max: usize,
    index: Index,
    blocks: Vec<Block>,
    empty: Vec<u32>,
    clean: Levels,
    dirty: Levels,
    hotspots: Hotspots,
    uses: Uses,
    period_ends: Nanos,
    works: Slots<Work>,
    migrations: Vec<Migration>,
    requested: Nanos,
    /// Pieces of requests that are under way.
    in_flight: u32,
}

impl DmCache {
    /// An empty cache on so many bytes of the fast device before so many.
    pub(super) fn new(spec: &DmCacheSpec, size: Bytes, origin: Bytes) -> DmCache {
        let block = u64::from(spec.block);
        let area = (size.0 / block * RECORD_BYTES).div_ceil(MD_BLOCK) * MD_BLOCK;
        let most = (size.0.saturating_sub(area) / block).max(1);
        DmCache {
            mode: spec.mode,
            block,
            most: u32::try_from(most).unwrap_or(u32::MAX - 1),
            origin: origin.0,
            data_at: area,
            migrations_max: (u64::from(spec.migration_threshold) * 512 / block).max(1) as usize,
            index: Index::new(),
            blocks: Vec::new(),
            empty: Vec::new(),
            clean: Levels::new(),
            dirty: Levels::new(),
            hotspots: Hotspots::new(most, origin.0.div_ceil(block)),
            uses: Uses::default(),
            period_ends: CACHE_PERIOD,
            works: Slots::new(),
            migrations: Vec::new(),
            requested: Nanos::ZERO,
            in_flight: 0,
        }
    }

    #[inline]
    pub(super) fn expect(&self, request: &Request) {
        self.index.expect(request.offset.0 / self.block);
    }

    /// Takes a request in; the number of its pieces.
    pub(super) fn submit(&mut self, now: Nanos, job: u32, request: &Request, orders: &mut Orders) -> u32 {
        let Request { op, stream, fua, .. } = *request;
        if op == Op::Flush {
            let piece = Piece { job, op, offset: 0, size: 0, stream, fua };
            [Side::Fast, Side::Slow].into_iter().for_each(|side| self.send(piece, side, 0, orders));
            return 2;
        }
        if op == Op::Discard {
            return 0;
        }
        if now >= self.period_ends {
            self.end_period(now);
        }
        self.requested = now;
        let (mut offset, end, mut pieces) = (request.offset.0, request.end(), 0);
        while offset < end {
            let next = ((offset / self.block + 1) * self.block).min(end);
            let piece = Piece { job, op, offset, size: (next - offset) as u32, stream, fua };
            pieces += self.map(now, piece, orders);
            offset = next;
        }
        self.write_back(now, orders);
        pieces
    }

    fn end_period(&mut self, now: Nanos) {
        self.period_ends = now + CACHE_PERIOD;
        self.blocks.iter_mut().for_each(|block| block.is_hit = false);
        self.clean.level_out();
        self.dirty.level_out();
        self.uses = Uses::default();
    }

    /// Sends a piece where it belongs; in how many parts.
    fn map(&mut self, now: Nanos, piece: Piece, orders: &mut Orders) -> u32 {
        let counters = &mut orders.counters;
        *(if piece.op == Op::Read { &mut counters.reads } else { &mut counters.writes }) += 1;
        let block = piece.offset / self.block;
        let level = self.hotspots.used(now, block);
        let slot = self.index.find(block);
        if slot == NONE {
            return self.miss(now, piece, level, orders);
        }
        let queued_at = self.queue(slot).level(slot);
        self.uses.count(Some(queued_at));
        let rises = usize::from(!std::mem::replace(&mut self.blocks[slot as usize].is_hit, true));
        if !self.blocks[slot as usize].is_moving {
            self.queue(slot).hit(slot, rises);
        }
        let found = &mut self.blocks[slot as usize];
        found.used_s = (now.0 / 1_000_000_000) as u32;
        match piece.op {
            Op::Read => orders.counters.read_hits += 1,
            _ => orders.counters.write_hits += 1,
        }
        if piece.op == Op::Write && found.is_moving {
            self.wait(piece, block, orders);
            return 1;
        }
        self.hit(piece, slot, orders)
    }

    /// A piece of a cached block; in how many parts.
    fn hit(&mut self, piece: Piece, slot: u32, orders: &mut Orders) -> u32 {
        let offset = self.offset(slot) + piece.offset % self.block;
        if piece.op == Op::Read {
            orders.counters.ssd_reads += 1;
            self.send(piece, Side::Fast, offset, orders);
            return 1;
        }
        orders.counters.ssd_writes += 1;
        self.send(piece, Side::Fast, offset, orders);
        if self.mode == CacheMode::Through {
            orders.counters.disk_writes += 1;
            self.send(piece, Side::Slow, piece.offset, orders);
            return 2;
        }
        orders.counters.dirty_write_hits += u64::from(self.blocks[slot as usize].is_dirty);
        self.set_dirty(slot, true);
        1
    }

    fn miss(&mut self, now: Nanos, piece: Piece, level: usize, orders: &mut Orders) -> u32 {
        self.uses.count(None);
        let block = piece.offset / self.block;
        let is_moving = self.migrations.iter().any(|migration| migration.block == block);
        let has_free = !self.empty.is_empty() || (self.blocks.len() as u32) < self.most;
        if !is_moving && self.hotspots.lets_in(piece.op, level, self.uses, has_free) {
            let is_whole = u64::from(piece.size) == self.block && piece.op == Op::Write;
            if is_whole && self.mode == CacheMode::Back {
                if let Some(slot) = self.claim(block, orders) {
                    self.insert(now, slot, block);
                    self.record(slot, orders);
                    return self.hit(piece, slot, orders);
                }
            } else if self.migrations.len() < self.migrations_max
                && let Some(slot) = self.claim(block, orders)
            {
                // The piece that is the occasion goes its way first.
                self.past(piece, orders);
                self.migrate(Way::In, block, slot, orders);
                return 1;
            }
        } else if is_moving && piece.op == Op::Write {
            self.wait(piece, block, orders);
            return 1;
        }
        self.past(piece, orders);
        1
    }

    /// Sends a piece to the slow device.
    fn past(&mut self, piece: Piece, orders: &mut Orders) {
        let counters = &mut orders.counters;
        if piece.op == Op::Read {
            counters.uncached_reads += 1;
            counters.disk_reads += 1;
        } else {
            counters.uncached_writes += 1;
            counters.disk_writes += 1;
        }
        self.send(piece, Side::Slow, piece.offset, orders);
    }

    /// A place for a block: a free one, or that of the coldest clean block.
    fn claim(&mut self, block: u64, orders: &mut Orders) -> Option<u32> {
        debug_assert!(self.index.find(block) == NONE);
        if let Some(slot) = self.empty.pop() {
            return Some(slot);
        }
        if (self.blocks.len() as u32) < self.most {
            self.blocks.push(Block::default());
            return Some(self.blocks.len() as u32 - 1);
        }
        let coldest = self.clean.coldest();
        if coldest == NONE {
            orders.counters.no_room += 1;
            return None;
        }
        orders.counters.replacement += 1;
        self.clean.remove(coldest);
        self.index.remove(coldest);
        Some(coldest)
    }

    /// A block is cached from now on, and clean.
    fn insert(&mut self, now: Nanos, slot: u32, block: u64) {
        self.index.insert(slot, block);
        let used_s = (now.0 / 1_000_000_000) as u32;
        self.blocks[slot as usize] = Block { used_s, ..Block::default() };
        self.clean.push(slot, 0);
    }

    /// The queue that a block is on.
    fn queue(&mut self, slot: u32) -> &mut Levels {
        if self.blocks[slot as usize].is_dirty { &mut self.dirty } else { &mut self.clean }
    }

    fn set_dirty(&mut self, slot: u32, is_dirty: bool) {
        if self.blocks[slot as usize].is_dirty == is_dirty {
            return;
        }
        let level = self.queue(slot).level(slot);
        self.queue(slot).remove(slot);
        self.blocks[slot as usize].is_dirty = is_dirty;
        self.queue(slot).push(slot, level);
    }

    fn send(&mut self, piece: Piece, side: Side, offset: u64, orders: &mut Orders) {
        self.in_flight += 1;
        let work = self.works.insert(Work { step: Step::Piece, piece, next: NONE });
        orders.send(piece.on(side, offset, work));
    }

    #[inline]
    fn offset(&self, slot: u32) -> u64 {
        self.data_at + u64::from(slot) * self.block
    }

    /// An I/O is done.
    pub(super) fn arrive(&mut self, now: Nanos, id: u32, orders: &mut Orders) {
        let Work { step, piece, .. } = self.works.remove(id);
        match step {
            Step::Piece => {
                self.in_flight -= 1;
                orders.finish(piece.job);
            }
            Step::Migrate(migration) => self.migrated(now, migration, orders),
            Step::Record => {}
            Step::Waiting => unreachable!("what waits has no I/O"),
        }
        self.write_back(now, orders);
    }

    /// When it next does something on its own: once it is idle, if anything is dirty.
    pub(super) fn due(&self) -> Nanos {
        let can = self.dirty.len() > 0 && self.in_flight == 0 && self.migrations.is_empty();
        if can { self.requested + IDLE } else { Nanos::MAX }
    }

    /// Does what is due.
    pub(super) fn wake(&mut self, now: Nanos, orders: &mut Orders) {
        self.write_back(now, orders);
    }

    /// Copies dirty blocks back, if it is time to.
    fn write_back(&mut self, now: Nanos, orders: &mut Orders) {
        while self.dirty.len() > 0 && self.migrations.len() < self.migrations_max {
            let is_idle = self.in_flight == 0 && now.since(self.requested) >= IDLE;
            let clean = f64::from(self.most - self.dirty.len()) / f64::from(self.most);
            let slot = self.dirty.coldest();
            let found = &self.blocks[slot as usize];
            let since_s = ((now.0 / 1_000_000_000) as u32).saturating_sub(found.used_s);
            let is_old = u64::from(since_s) * 1_000_000_000 >= CACHE_PERIOD.0;
            if !(is_idle || (clean < CLEAN_MIN && is_old)) {
                return;
            }
            self.begin_write_back(slot, orders);
        }
    }

    fn begin_write_back(&mut self, slot: u32, orders: &mut Orders) {
        // Off its queue while it moves; it is dirty until it has moved.
        self.dirty.remove(slot);
        self.blocks[slot as usize].is_moving = true;
        self.migrate(Way::Back, self.index.block(slot), slot, orders);
    }

    /// Orders what it does in a long idle time.
    pub(super) fn rest(&mut self, orders: &mut Orders) {
        while self.dirty.len() > 0 {
            self.begin_write_back(self.dirty.coldest(), orders);
        }
    }

    /// Takes the cache away and sets it up again.
    pub(super) fn restart(&mut self, how: Restart, orders: &mut Orders) {
        match how {
            Restart::Remove => self.rest(orders),
            Restart::FastRemove => {}
            Restart::Crash => {
                while self.clean.len() > 0 {
                    self.set_dirty(self.clean.coldest(), true);
                }
            }
        }
    }

    /// Bytes that hold data, and of these dirty ones.
    pub(super) fn held(&self) -> (u64, u64) {
        let dirty = u64::from(self.dirty.len()) + self.moving_back();
        ((u64::from(self.clean.len()) + dirty) * self.block, dirty * self.block)
    }

    /// Memory that it takes, but for what is small.
    pub(super) fn memory(&self) -> usize {
        let of_queues = self.clean.bytes() + self.dirty.bytes() + self.hotspots.bytes();
        self.index.bytes() + size_of_val(self.blocks.as_slice()) + of_queues
    }

    /// A record of a block goes to the fast device; nothing waits for it.
    fn record(&mut self, slot: u32, orders: &mut Orders) {
        let offset = u64::from(slot) * RECORD_BYTES / MD_BLOCK * MD_BLOCK;
        let piece = Piece { job: NONE, op: Op::Write, offset, size: MD_BLOCK as u32, stream: 0, fua: false };
        let work = self.works.insert(Work { step: Step::Record, piece, next: NONE });
        orders.counters.md_ssd_writes += 1;
        orders.counters.ssd_writes += 1;
        orders.send(piece.on(Side::Fast, offset, work));
    }
}
