//! The record of dirty blocks on the fast device, with write-back.
//!
//! A block of metadata (4 KiB) holds the records of 256 places. It is written when a block of data has become dirty, before the
//! write is complete, and when one has been cleaned. One write of it at a time: what is to be recorded meanwhile waits, and goes
//! with the next write all together.

use super::FlashCache;
use super::slots::{DIRTY, VALID};
use super::works::{MdBlock, Step, Work};
use crate::cache::index::NONE;
use crate::cache::io::{Piece, Side};
use crate::cache::orders::Orders;
use drivecast_block::{Nanos, Op};

impl FlashCache {
    /// Records what a work has made of its block; where that takes no write, it is done.
    pub(super) fn record(&mut self, now: Nanos, work: u32, orders: &mut Orders) {
        if !self.records {
            self.hold(now, work, orders);
            return;
        }
        let slot = self.works.get(work).slot;
        let (set, md) = (self.set_of(slot), self.geometry.md_of(self.slots.slot(slot).place));
        let first = self.slots.sets[set as usize].metadata;
        let mut at = first;
        while at != NONE && self.works.md_blocks.get_mut(at).md != md {
            at = self.works.md_blocks.get_mut(at).next;
        }
        if at == NONE {
            let fresh = MdBlock { md, next: first, writing: NONE, queued: (NONE, NONE) };
            at = self.works.md_blocks.insert(fresh);
            self.slots.sets[set as usize].metadata = at;
            return self.write_md(at, work, orders);
        }
        let queued = &mut self.works.md_blocks.get_mut(at).queued;
        let last = std::mem::replace(&mut queued.1, work);
        if last == NONE {
            queued.0 = work;
        } else {
            self.works.get(last).next = work;
        }
    }

    /// Writes a block of metadata, with a record and all that wait.
    fn write_md(&mut self, at: u32, first: u32, orders: &mut Orders) {
        let found = self.works.md_blocks.get_mut(at);
        let (md, queued) = (found.md, std::mem::replace(&mut found.queued, (NONE, NONE)));
        found.writing = first;
        self.works.get(first).next = queued.0;
        let mut work = queued.0;
        while work != NONE {
            orders.counters.md_batch += 1;
            work = self.works.get(work).next;
        }
        orders.counters.md_ssd_writes += 1;
        orders.counters.ssd_writes += 1;
        let (offset, size) = self.geometry.md_at(md);
        let piece = Piece { job: NONE, op: Op::Write, offset, size, stream: 0, fua: false };
        let id = self.begin(Step::Metadata(at), piece, NONE);
        orders.send(piece.on(Side::Fast, offset, id));
    }

    /// A block of metadata is written: what was recorded holds.
    pub(super) fn md_written(&mut self, now: Nanos, id: u32, at: u32, orders: &mut Orders) {
        self.works.end(id);
        let mut work = self.works.md_blocks.get_mut(at).writing;
        let mut set = NONE;
        while work != NONE {
            let next = self.works.get(work).next;
            set = self.hold(now, work, orders);
            work = next;
        }
        let (first, _) = self.works.md_blocks.get_mut(at).queued;
        if first == NONE {
            return self.forget_md(set, at);
        }
        // The first of those that wait is written, and takes the others along.
        self.works.md_blocks.get_mut(at).queued.0 = self.works.get(first).next;
        self.write_md(at, first, orders);
    }

    /// What a work has made of its block holds from now on; the block's set.
    fn hold(&mut self, now: Nanos, work: u32, orders: &mut Orders) -> u32 {
        let Work { step, piece, slot, .. } = self.works.end(work);
        let set = self.set_of(slot);
        if step == Step::RecordDirty {
            self.is_dirty(set, slot, orders);
            orders.finish(piece.job);
            self.settle(slot, orders);
        } else {
            self.is_clean(set, slot, orders);
            self.settle(slot, orders);
            self.clean_set(now, set, orders);
        }
        set
    }

    fn is_dirty(&mut self, set: u32, slot: u32, orders: &mut Orders) {
        orders.counters.md_dirties += u64::from(self.records);
        self.slots.slot(slot).state |= DIRTY | VALID;
        self.slots.sets[set as usize].dirty += 1;
        self.dirty += 1;
    }

    fn is_clean(&mut self, set: u32, slot: u32, orders: &mut Orders) {
        orders.counters.md_cleans += u64::from(self.records);
        orders.counters.cleanings += 1;
        self.slots.slot(slot).state &= !DIRTY;
        let found = &mut self.slots.sets[set as usize];
        found.dirty -= 1;
        found.cleaning -= 1;
        self.dirty -= 1;
        self.cleaning -= 1;
    }

    /// A block of metadata is not being written any more.
    fn forget_md(&mut self, set: u32, at: u32) {
        let next = self.works.md_blocks.remove(at).next;
        let first = &mut self.slots.sets[set as usize].metadata;
        if *first == at {
            *first = next;
            return;
        }
        let mut before = *first;
        while self.works.md_blocks.get_mut(before).next != at {
            before = self.works.md_blocks.get_mut(before).next;
        }
        self.works.md_blocks.get_mut(before).next = next;
    }
}
