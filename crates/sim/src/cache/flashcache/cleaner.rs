//! Which dirty blocks are written to the slow device, and when.
//!
//! A set is tried when a piece misses in it, is written to it or finds no place in it, after each cleaning in it, and a second after
//! it should have been cleaned but nothing could begin. Then
//!
//! 1. if the last sweep is `fallow_delay` ago, dirty blocks are marked: those marked twice without use in between are fallow;
//! 2. fallow blocks are picked, 1/`fallow_clean_speed` s after the last pick of such;
//! 3. else, or besides, if `dirty_thresh_pct` of the set or more is dirty: as many blocks as are above it, from where the last search
//!    ended (FIFO), or from those used longest ago, warm ones first (LRU);
//! 4. all while fewer than `max_clean_ios_set` blocks of the set and `max_clean_ios_total` of the cache are being cleaned;
//! 5. then every dirty block of the set that follows or precedes a picked one, without a gap, is picked, too, without a limit.
//!
//! A cleaning reads the block from the fast device, writes it to the slow one, and records it as clean. Blocks picked together
//! that follow each other are written as one, up to 512 KiB: the kernel copies them one by one, and the elevator below joins them.
//!
//! So a cache at rest keeps what is dirty: a set in which nothing happens is not tried.

use super::FlashCache;
use super::slots::{BUSY, FALLOW_1, FALLOW_2};
use super::works::{Run, Step};
use crate::cache::index::NONE;
use crate::cache::io::{Io, Piece, Side};
use crate::cache::orders::Orders;
use crate::spec::{CacheMode, Reclaim};
use drivecast_block::{Nanos, Op};

/// How long until sets are tried that could not be cleaned.
const RETRY: Nanos = Nanos::from_ms(1000);

/// What the block layer joins at most: `max_sectors_kb` of the kernels of its time.
const RUN_BYTES_MAX: u64 = 512 << 10;

/// The piece of what no request is behind.
const NO_PIECE: Piece = Piece { job: NONE, op: Op::Write, offset: 0, size: 0, stream: 0, fua: false };

impl FlashCache {
    /// Cleans blocks of a set, if there is reason to.
    pub(super) fn clean_set(&mut self, now: Nanos, set: u32, orders: &mut Orders) {
        if self.spec.mode != CacheMode::Back || self.others_clean.is_some() {
            return;
        }
        self.sweep(now, set);
        let had_to_stop = self.pick_fallow(now, set, orders);
        if !had_to_stop {
            self.pick_above_threshold(set);
        }
        if self.picks.is_empty() {
            if had_to_stop || self.slots.sets[set as usize].dirty > self.dirty_max {
                self.retry_at = self.retry_at.min(now + RETRY);
            }
            return;
        }
        self.merge(set, orders);
        self.clean_picks(set, orders);
    }

    /// Tries all sets.
    pub(in crate::cache) fn wake(&mut self, now: Nanos, orders: &mut Orders) {
        self.retry_at = Nanos::MAX;
        let sets: Vec<u32> = self.slots.in_order().collect();
        sets.into_iter().for_each(|set| self.clean_set(now, set, orders));
    }

    fn sweep(&mut self, now: Nanos, set: u32) {
        let found = &mut self.slots.sets[set as usize];
        let Some(delay) = self.spec.fallow_delay.filter(|_| now > found.next_sweep) else { return };
        found.next_sweep = now + delay;
        let mut slot = found.newest;
        while slot != NONE {
            let found = self.slots.slot(slot);
            if found.is_cleanable() {
                if !found.is(FALLOW_1) {
                    found.state |= FALLOW_1;
                } else if !found.is(FALLOW_2) {
                    found.state |= FALLOW_2;
                    self.slots.sets[set as usize].fallow += 1;
                }
            }
            slot = self.slots.after(slot);
        }
    }

    /// Picks fallow blocks; whether there are more than may begin now.
    fn pick_fallow(&mut self, now: Nanos, set: u32, orders: &mut Orders) -> bool {
        let found = &self.slots.sets[set as usize];
        if found.fallow == 0 || now <= found.next_fallow_cleaning {
            return false;
        }
        let mut slot = found.newest;
        let mut had_to_stop = false;
        while slot != NONE && !had_to_stop {
            if self.slots.slot(slot).is(FALLOW_2) {
                had_to_stop = !self.may_clean(set);
                if !had_to_stop {
                    self.pick(set, slot);
                    orders.counters.fallow_cleanings += 1;
                }
            }
            slot = self.slots.after(slot);
        }
        if !self.picks.is_empty() {
            let pause = Nanos(1_000_000_000 / u64::from(self.spec.fallow_clean_speed));
            self.slots.sets[set as usize].next_fallow_cleaning = now + pause;
        }
        had_to_stop
    }

    fn pick_above_threshold(&mut self, set: u32) {
        let dirty = self.slots.sets[set as usize].dirty;
        if dirty <= self.dirty_max || !self.may_clean(set) {
            return;
        }
        let most = (dirty - self.dirty_max) as usize;
        match self.spec.reclaim_policy {
            Reclaim::Fifo => self.pick_in_turn(set, most),
            Reclaim::Lru => self.pick_least_used(set, most),
        }
    }

    fn pick_in_turn(&mut self, set: u32, most: usize) {
        let found = self.slots.sets[set as usize];
        let mut at = found.clean;
        for _ in 0..found.made {
            if self.picks.len() >= most || !self.may_clean(set) {
                break;
            }
            let slot = if at == NONE { found.newest } else { at };
            if self.slots.slot(slot).is_cleanable() {
                self.pick(set, slot);
            }
            at = self.slots.after(slot);
        }
        self.slots.sets[set as usize].clean = at;
    }

    fn pick_least_used(&mut self, set: u32, most: usize) {
        for list in self.slots.sets[set as usize].lists {
            let mut slot = list.first;
            while slot != NONE && self.picks.len() < most && self.may_clean(set) {
                if self.slots.slot(slot).is_cleanable() {
                    self.pick(set, slot);
                }
                slot = self.slots.slot(slot).next;
            }
        }
    }

    /// Whether another block of a set may be picked.
    fn may_clean(&self, set: u32) -> bool {
        let picked = self.picks.len() as u32;
        self.slots.sets[set as usize].cleaning + picked < self.spec.max_clean_ios_set
            && self.cleaning + picked < self.spec.max_clean_ios_total
    }

    fn pick(&mut self, set: u32, slot: u32) {
        self.is_in_use(set, slot);
        self.slots.slot(slot).state |= BUSY;
        self.picks.push(slot);
    }

    /// Picks the dirty neighbours of what is picked.
    fn merge(&mut self, set: u32, orders: &mut Orders) {
        for at in 0..self.picks.len() {
            let block = self.index.block(self.picks[at]);
            orders.counters.back_merge += self.pick_neighbours(set, block, |block| block.checked_sub(1));
            orders.counters.front_merge += self.pick_neighbours(set, block, |block| block.checked_add(1));
        }
    }

    fn pick_neighbours(&mut self, set: u32, from: u64, step: impl Fn(u64) -> Option<u64>) -> u64 {
        let (number, mut block, mut picked) = (self.slots.sets[set as usize].number, from, 0);
        while let Some(next) = step(block).filter(|next| self.geometry.set_of(*next) == number) {
            let slot = self.index.find(next);
            if slot == NONE || !self.slots.slot(slot).is_cleanable() {
                break;
            }
            self.pick(set, slot);
            (block, picked) = (next, picked + 1);
        }
        picked
    }

    /// Begins to clean what is picked, in runs of blocks that follow each other.
    fn clean_picks(&mut self, set: u32, orders: &mut Orders) {
        let mut picks = std::mem::take(&mut self.picks);
        picks.sort_unstable_by_key(|slot| self.index.block(*slot));
        let mut rest = picks.as_slice();
        while let Some(first) = rest.first().map(|slot| self.index.block(*slot)) {
            let follow = |(at, slot): &(usize, &u32)| self.index.block(**slot) == first + *at as u64;
            let most = (RUN_BYTES_MAX / self.geometry.block()).max(1) as usize;
            let (run, behind) = rest.split_at(rest.iter().take(most).enumerate().take_while(follow).count());
            self.clean_run(set, first, run, orders);
            rest = behind;
        }
        picks.clear();
        self.picks = picks;
    }

    /// Cleans one block, which is dirty and which something waits for.
    pub(super) fn clean_block(&mut self, set: u32, slot: u32, orders: &mut Orders) {
        self.is_in_use(set, slot);
        self.slots.slot(slot).state |= BUSY;
        self.clean_run(set, self.index.block(slot), &[slot], orders);
    }

    fn clean_run(&mut self, set: u32, first: u64, slots: &[u32], orders: &mut Orders) {
        let blocks = slots.len() as u32;
        let run = self.works.runs.insert(Run { first, blocks, left: blocks });
        self.slots.sets[set as usize].cleaning += blocks;
        self.cleaning += blocks;
        orders.counters.ssd_reads += u64::from(blocks);
        orders.counters.disk_writes += u64::from(blocks);
        for slot in slots {
            let work = self.begin(Step::CleanRead(run), NO_PIECE, *slot);
            let (offset, size) = (self.offset(*slot), self.geometry.block() as u32);
            orders.send(Io { op: Op::Read, size, ..NO_PIECE.on(Side::Fast, offset, work) });
        }
    }

    /// A block has come from the fast device: when all of its run have, they go to the slow one.
    pub(super) fn clean_read(&mut self, id: u32, run: u32, orders: &mut Orders) {
        self.works.end(id);
        let found = self.works.runs.get_mut(run);
        found.left -= 1;
        if found.left > 0 {
            return;
        }
        let Run { first, blocks, .. } = *found;
        let (block, work) = (self.geometry.block(), self.begin(Step::CleanWrite(run), NO_PIECE, NONE));
        let size = (u64::from(blocks) * block) as u32;
        orders.send(Io { size, ..NO_PIECE.on(Side::Slow, first * block, work) });
    }

    /// A run is on the slow device: its blocks are to be recorded as clean.
    pub(super) fn clean_written(&mut self, now: Nanos, id: u32, run: u32, orders: &mut Orders) {
        self.works.end(id);
        let Run { first, blocks, .. } = self.works.runs.remove(run);
        for block in first..first + u64::from(blocks) {
            let slot = self.index.find(block);
            let work = self.begin(Step::RecordClean, NO_PIECE, slot);
            self.record(now, work, orders);
        }
    }

    /// Cleans set after set what is dirty and idle, while fewer than `depth` blocks are being cleaned.
    pub(in crate::cache) fn clean_in_order(&mut self, depth: u32, orders: &mut Orders) {
        let sets = self.slots.sets.len() as u32;
        let mut at = self.others_clean.unwrap_or(0);
        for _ in 0..sets {
            if self.cleaning >= depth {
                break;
            }
            let set = at % sets;
            if self.slots.sets[set as usize].dirty > 0 {
                self.clean_idle(set, orders);
            }
            at = set + 1;
        }
        self.others_clean = Some(at);
    }

    /// Whether any block is being cleaned.
    pub(in crate::cache) fn is_cleaning(&self) -> bool {
        self.cleaning > 0
    }

    /// Cleans what is dirty and idle of a set.
    fn clean_idle(&mut self, set: u32, orders: &mut Orders) {
        let mut slot = self.slots.sets[set as usize].newest;
        while slot != NONE {
            if self.slots.slot(slot).is_cleanable() {
                self.pick(set, slot);
            }
            slot = self.slots.after(slot);
        }
        self.clean_picks(set, orders);
    }

    /// Whether cleaning can do anything at rest: what is dirty lies fallow sooner or later.
    pub(in crate::cache) fn cleans_at_rest(&self) -> bool {
        self.spec.fallow_delay.is_some() && self.dirty > 0
    }

    /// Cleans all that is dirty and idle, whatever the limits.
    pub(in crate::cache) fn clean_all(&mut self, orders: &mut Orders) {
        let sets: Vec<u32> = self.slots.in_order().collect();
        sets.into_iter().for_each(|set| self.clean_idle(set, orders));
    }
}
