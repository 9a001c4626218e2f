//! FlashCache (Facebook, 2010), as the module's sources have it (facebookarchive/flashcache, 437afbf).
//!
//! **Pieces.** A request is split at the blocks (4 KiB). A piece that is a whole block may be cached; any other bypasses the cache,
//! and drops the block it overlaps, after cleaning it if it is dirty. Reads are looked up whoever issues them. Not cached: reads
//! with `write_only`, writes with mode `writearound`, processes on the black list, sequential flows beyond
//! `skip_seq_thresh_kb`; without `cache_all`, all but the processes on the white list.
//!
//! **Reads.** A hit reads the fast device. A miss reads the slow device, then writes the fast one, and then is complete.
//!
//! **Writes.** `writeback`: to the fast device, and complete when the block is recorded as dirty (`metadata.rs`), unless it was
//! so before. `writethrough`: to both. `writearound`: to the slow device.
//!
//! **Busy blocks.** One I/O at a time on a block. What else comes for it waits until that is over; then a dirty block is cleaned; a
//! clean one is dropped, and all that waited bypasses the cache, in order of arrival. So two reads of one block at a time cost the
//! cache that block. When a piece that bypassed is done and its block has been cached meanwhile, that block is dropped, too, and
//! if it is dirty or busy the piece is issued again after it (`uncached_IO_requeue`; the kernel counts such a piece a second
//! time as uncached, here it is counted once, which is what makes the identities of the counters exact).
//!
//! **Cleaning**: `cleaner.rs`. **What makes way**: `reclaim.rs`. **Memory**: `slots.rs`.
//!
//! **Flushes and discards.** The module takes neither: the file system goes without barriers, and a flush is over at once.
//!
//! Left out: the processor's time and the locks (`overhead` adds a constant), errors, `-w` with other modes than write-back,
//! cleaning upon misses under LRU (`clean_on_read_miss`, off), checksums, switches at run time (`do_sync`, `stop_sync`).

mod cleaner;
mod identities;
mod metadata;
mod reclaim;
mod restart;
mod slots;
mod works;

pub use identities::{Identity, InFlight};

use self::slots::{BUSY, DIRTY, FALLOW_1, FALLOW_2, Slots, VALID};
use self::works::{Step, Work, Works};
use super::geometry::Geometry;
use super::index::{Index, NONE};
use super::io::{Io, Piece, Side};
use super::orders::Orders;
use super::processes::Processes;
use super::sequential::Flows;
use crate::spec::{CacheMode, FlashCacheSpec, Reclaim};
use drivecast_block::{Bytes, Nanos, Op, Request};

/// The cache; see the module.
#[derive(Clone)]
pub(super) struct FlashCache {
    spec: FlashCacheSpec,
    geometry: Geometry,
    index: Index,
    slots: Slots,
    works: Works,
    processes: Processes,
    flows: Flows,
    /// Blocks that are cached, dirty, being cleaned.
    cached: u64,
    dirty: u64,
    cleaning: u32,
    /// Dirty blocks of a set from which on it is cleaned.
    dirty_max: u32,
    /// When all sets are to be tried, since one could not be cleaned when it should have been.
    retry_at: Nanos,
    /// Blocks about to be cleaned.
    picks: Vec<u32>,
    /// Whether another policy decides what is cleaned, from which set on.
    others_clean: Option<u32>,
    /// Whether blocks that become dirty or clean are recorded.
    records: bool,
}

/// What a search for a place has found.
enum Found {
    /// The block is cached there.
    Hit(u32),
    /// An empty place.
    Empty(u32),
    /// A place whose block makes way.
    Replaced(u32),
    /// None.
    Nothing,
}

impl FlashCache {
    /// An empty cache on so many bytes of the fast device, to a specification that has been checked.
    pub(super) fn new(spec: &FlashCacheSpec, size: Bytes, orders: &mut Orders) -> FlashCache {
        let geometry = Geometry::new(spec, size);
        let assoc = geometry.assoc();
        let hot = assoc * spec.lru_hot_pct / 100;
        let most = spec.max_pids as usize;
        let (black, white) = (&spec.blacklist, &spec.whitelist);
        let blocks = |kib: u32| (u64::from(kib) << 10) / geometry.block();
        FlashCache {
            index: Index::new(),
            slots: Slots::new(geometry.sets(), assoc, hot),
            works: Works::new(),
            processes: Processes::new(black, white, most, spec.pid_expiry, &mut orders.counters),
            flows: Flows::new(spec.skip_seq_thresh_kb.map(blocks)),
            cached: 0,
            dirty: 0,
            cleaning: 0,
            dirty_max: assoc * spec.dirty_thresh_pct / 100,
            retry_at: Nanos::MAX,
            picks: Vec::new(),
            others_clean: None,
            records: true,
            geometry,
            spec: spec.clone(),
        }
    }

    /// The same cache, but for what it cleans: another policy says so; and whether that is recorded.
    pub(super) fn flushed_by_others(self, records: bool) -> FlashCache {
        FlashCache { others_clean: Some(0), records, ..self }
    }

    /// Has the memory fetched that the first piece of a request needs.
    #[inline]
    pub(super) fn expect(&self, request: &Request) {
        self.index.expect(request.offset.0 / self.geometry.block());
    }

    /// Takes a request in; the number of its pieces.
    pub(super) fn submit(&mut self, now: Nanos, job: u32, request: &Request, orders: &mut Orders) -> u32 {
        let Request { op, stream, fua, .. } = *request;
        if !matches!(op, Op::Read | Op::Write) {
            return 0;
        }
        self.processes.expire(now, &mut orders.counters);
        let (block, end) = (self.geometry.block(), request.end());
        let (mut offset, mut pieces) = (request.offset.0, 0);
        while offset < end {
            let next = ((offset / block + 1) * block).min(end);
            let piece = Piece { job, op, offset, size: (next - offset) as u32, stream, fua };
            self.map(now, piece, orders);
            offset = next;
            pieces += 1;
        }
        pieces
    }

    fn map(&mut self, now: Nanos, piece: Piece, orders: &mut Orders) {
        let is_whole = u64::from(piece.size) == self.geometry.block();
        if piece.op == Op::Read {
            orders.counters.reads += 1;
            if is_whole {
                return self.read(now, piece, orders);
            }
        } else {
            orders.counters.writes += 1;
            if is_whole && self.spec.mode != CacheMode::Around && !self.refuses(piece, orders) {
                return self.write(now, piece, orders);
            }
        }
        self.bypass(piece, false, orders);
    }

    /// Whether a piece is not to be cached.
    fn refuses(&mut self, piece: Piece, orders: &mut Orders) -> bool {
        let stream = piece.stream;
        if !self.spec.cache_all {
            return !self.processes.is_white(stream);
        }
        if self.processes.is_black(stream) {
            return true;
        }
        let skips = self.flows.skips(piece.offset / self.geometry.block());
        let counters = &mut orders.counters;
        match piece.op {
            Op::Read => counters.uncached_sequential_reads += u64::from(skips),
            _ => counters.uncached_sequential_writes += u64::from(skips),
        }
        skips
    }

    /// Looks for a block, or for a place that it could have.
    fn look_up(&mut self, block: u64, orders: &mut Orders) -> (u32, Found) {
        let set = self.slots.set(self.geometry.set_of(block));
        let is_lru = self.spec.reclaim_policy == Reclaim::Lru;
        let slot = self.index.find(block);
        if slot != NONE {
            if is_lru && !self.slots.slot(slot).is(BUSY) {
                self.accessed(set, slot, &mut orders.counters);
            }
            self.is_in_use(set, slot);
            return (set, Found::Hit(slot));
        }
        if let Some((slot, is_new)) = self.slots.take_empty(set) {
            if is_lru {
                self.filled(set, slot, is_new);
            }
            return (set, Found::Empty(slot));
        }
        match self.reclaim(set, &mut orders.counters) {
            NONE => {
                orders.counters.no_room += 1;
                (set, Found::Nothing)
            }
            slot => (set, Found::Replaced(slot)),
        }
    }

    /// A block is not fallow.
    #[inline]
    fn is_in_use(&mut self, set: u32, slot: u32) {
        let state = &mut self.slots.slot(slot).state;
        if *state & (FALLOW_1 | FALLOW_2) != 0 {
            let was_fallow = *state & FALLOW_2 != 0;
            *state &= !(FALLOW_1 | FALLOW_2);
            self.slots.sets[set as usize].fallow -= u32::from(was_fallow);
        }
    }

    fn read(&mut self, now: Nanos, piece: Piece, orders: &mut Orders) {
        let block = piece.offset / self.geometry.block();
        let (set, found) = self.look_up(block, orders);
        let (slot, replaces) = match found {
            Found::Hit(slot) => return self.read_hit(piece, slot, orders),
            Found::Nothing => {
                self.clean_set(now, set, orders);
                return self.start_uncached(piece, false, orders);
            }
            Found::Empty(slot) => (slot, false),
            Found::Replaced(slot) => (slot, true),
        };
        if self.spec.write_only || self.refuses(piece, orders) {
            if !replaces {
                self.slots.put_empty(set, slot);
            }
            return self.start_uncached(piece, false, orders);
        }
        orders.counters.replacement += u64::from(replaces);
        self.claim(slot, block, replaces);
        orders.counters.disk_reads += 1;
        let work = self.begin(Step::Miss, piece, slot);
        orders.send(piece.on(Side::Slow, piece.offset, work));
        self.clean_set(now, set, orders);
    }

    fn read_hit(&mut self, piece: Piece, slot: u32, orders: &mut Orders) {
        if self.slots.slot(slot).is(BUSY) {
            return self.wait(piece, slot, false, orders);
        }
        self.slots.slot(slot).state |= BUSY;
        orders.counters.read_hits += 1;
        orders.counters.ssd_reads += 1;
        let work = self.begin(Step::Hit, piece, slot);
        orders.send(piece.on(Side::Fast, self.offset(slot), work));
    }

    fn write(&mut self, now: Nanos, piece: Piece, orders: &mut Orders) {
        let block = piece.offset / self.geometry.block();
        let (set, found) = self.look_up(block, orders);
        match found {
            Found::Nothing => {
                self.start_uncached(piece, false, orders);
                return self.clean_set(now, set, orders);
            }
            Found::Hit(slot) => {
                let found = self.slots.slot(slot);
                if found.is(BUSY) {
                    return self.wait(piece, slot, false, orders);
                }
                orders.counters.dirty_write_hits += u64::from(found.is(DIRTY));
                orders.counters.write_hits += 1;
                found.state |= BUSY;
                self.start_write(piece, slot, orders);
            }
            Found::Empty(slot) | Found::Replaced(slot) => {
                let replaces = matches!(found, Found::Replaced(_));
                orders.counters.write_replacement += u64::from(replaces);
                self.claim(slot, block, replaces);
                self.start_write(piece, slot, orders);
            }
        }
        self.clean_set(now, set, orders);
    }

    /// A slot gets another block, which is on its way.
    fn claim(&mut self, slot: u32, block: u64, replaces: bool) {
        if replaces {
            self.index.remove(slot);
        } else {
            self.cached += 1;
        }
        self.slots.slot(slot).state = VALID | BUSY;
        self.index.insert(slot, block);
    }

    fn start_write(&mut self, piece: Piece, slot: u32, orders: &mut Orders) {
        let offset = self.offset(slot);
        orders.counters.ssd_writes += 1;
        if self.spec.mode == CacheMode::Back {
            let work = self.begin(Step::Write, piece, slot);
            return orders.send(piece.on(Side::Fast, offset, work));
        }
        orders.counters.disk_writes += 1;
        let work = self.begin(Step::Through(2), piece, slot);
        orders.send(piece.on(Side::Fast, offset, work));
        orders.send(piece.on(Side::Slow, piece.offset, work));
    }

    /// Sends a piece past the cache, once what it overlaps there is dropped.
    fn bypass(&mut self, piece: Piece, again: bool, orders: &mut Orders) {
        if !self.invalidate(piece, again, orders) {
            self.start_uncached(piece, again, orders);
        }
    }

    /// Drops the block that a piece overlaps; whether the piece has to wait for that.
    fn invalidate(&mut self, piece: Piece, again: bool, orders: &mut Orders) -> bool {
        let slot = self.index.find(piece.offset / self.geometry.block());
        if slot == NONE {
            return false;
        }
        match piece.op {
            Op::Read => orders.counters.read_invalidates += 1,
            _ => orders.counters.write_invalidates += 1,
        }
        let found = *self.slots.slot(slot);
        let set = self.set_of(slot);
        if found.state & (BUSY | DIRTY) == 0 {
            self.drop_block(slot);
            self.slots.put_empty(set, slot);
            return false;
        }
        self.wait(piece, slot, again, orders);
        if found.is_cleanable() {
            self.clean_block(set, slot, orders);
        }
        true
    }

    /// A slot loses its clean block.
    fn drop_block(&mut self, slot: u32) {
        self.index.remove(slot);
        self.cached -= 1;
    }

    fn start_uncached(&mut self, piece: Piece, again: bool, orders: &mut Orders) {
        let counters = &mut orders.counters;
        if again {
            counters.uncached_io_requeue += 1;
        } else if piece.op == Op::Read {
            counters.uncached_reads += 1;
            counters.disk_reads += 1;
        } else {
            counters.uncached_writes += 1;
            counters.disk_writes += 1;
        }
        let work = self.begin(Step::Uncached, piece, NONE);
        orders.send(piece.on(Side::Slow, piece.offset, work));
    }

    /// A piece waits for a busy block, behind those that do already.
    fn wait(&mut self, piece: Piece, slot: u32, again: bool, orders: &mut Orders) {
        orders.counters.pending_enqueues += 1;
        let work = self.begin(Step::Waiting, piece, slot);
        self.works.get(work).again = again;
        let last = std::mem::replace(&mut self.slots.slot(slot).waiting, work);
        let first = if last == NONE { work } else { std::mem::replace(&mut self.works.get(last).next, work) };
        self.works.get(work).next = first;
    }

    fn begin(&mut self, step: Step, piece: Piece, slot: u32) -> u32 {
        self.works.works.insert(Work { step, piece, slot, next: NONE, again: false })
    }

    #[inline]
    fn offset(&mut self, slot: u32) -> u64 {
        self.geometry.offset(self.slots.slot(slot).place)
    }

    #[inline]
    fn set_of(&mut self, slot: u32) -> u32 {
        let number = self.geometry.set_of_place(self.slots.slot(slot).place);
        self.slots.set(number)
    }

    /// An I/O is done.
    pub(super) fn arrive(&mut self, now: Nanos, id: u32, orders: &mut Orders) {
        let Work { step, piece, slot, .. } = *self.works.get(id);
        match step {
            Step::Miss => {
                self.works.get(id).step = Step::Fill;
                orders.counters.ssd_writes += 1;
                let fill = Io { op: Op::Write, ..piece.on(Side::Fast, self.offset(slot), id) };
                orders.send(fill);
            }
            Step::Hit | Step::Fill | Step::Through(1) => {
                self.works.end(id);
                orders.finish(piece.job);
                self.settle(slot, orders);
            }
            Step::Write if self.slots.slot(slot).is(DIRTY) => {
                self.works.end(id);
                orders.finish(piece.job);
                self.settle(slot, orders);
            }
            Step::Write => {
                self.works.get(id).step = Step::RecordDirty;
                self.record(now, id, orders);
            }
            Step::Through(left) => self.works.get(id).step = Step::Through(left - 1),
            Step::Uncached => self.uncached(id, orders),
            Step::CleanRead(run) => self.clean_read(id, run, orders),
            Step::CleanWrite(run) => self.clean_written(now, id, run, orders),
            Step::Metadata(md) => self.md_written(now, id, md, orders),
            Step::Over | Step::Waiting | Step::RecordDirty | Step::RecordClean => {
                unreachable!("{step:?} has no I/O")
            }
        }
    }

    /// A piece that bypassed the cache is done; what was cached of it meanwhile is dropped.
    fn uncached(&mut self, id: u32, orders: &mut Orders) {
        let piece = self.works.end(id).piece;
        if !self.invalidate(piece, true, orders) {
            orders.finish(piece.job);
        }
    }

    /// The I/O on a block is over: those that waited for it have their turn.
    fn settle(&mut self, slot: u32, orders: &mut Orders) {
        let found = *self.slots.slot(slot);
        if found.waiting == NONE {
            self.slots.slot(slot).state &= !BUSY;
            return;
        }
        let set = self.set_of(slot);
        if found.is(DIRTY) {
            return self.clean_block(set, slot, orders);
        }
        orders.counters.pending_inval += 1;
        self.drop_block(slot);
        let mut work = self.works.get(found.waiting).next;
        self.slots.slot(slot).waiting = NONE;
        loop {
            let Work { piece, next, again, .. } = self.works.end(work);
            self.start_uncached(piece, again, orders);
            if work == found.waiting {
                break;
            }
            work = next;
        }
        self.slots.put_empty(set, slot);
    }

    /// When all sets are to be tried for cleaning; never, where there is no reason to.
    pub(super) fn due(&self) -> Nanos {
        self.retry_at
    }

    /// Bytes that hold data, and of these dirty ones.
    pub(super) fn held(&self) -> (u64, u64) {
        (self.cached * self.geometry.block(), self.dirty * self.geometry.block())
    }

    /// Memory that it takes, but for what is small.
    pub(super) fn memory(&self) -> usize {
        self.index.bytes() + self.slots.bytes()
    }
}
