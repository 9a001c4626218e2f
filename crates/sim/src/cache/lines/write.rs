//! Writes: into lines, past them, or waiting for one.

use super::journal::Journal;
use super::{Gathered, Lines, Step, Work, seconds};
use crate::cache::index::NONE;
use crate::cache::io::Side;
use crate::cache::lines::table::{CLEANING, DIRTY, FILLING, VALID, WRITTEN};
use crate::cache::orders::{LATER, Orders};
use crate::spec::CacheMode;
use drivecast_block::{Nanos, Request};

impl Lines {
    /// Takes a write in; the number of its pieces.
    pub(super) fn write(&mut self, now: Nanos, job: u32, request: &Request, orders: &mut Orders) -> u32 {
        orders.counters.writes += 1;
        if self.rules.waits && !(self.waiting.is_empty() && self.has_lines(request)) {
            orders.counters.pending_enqueues += 1;
            self.waiting.push_back((job, *request));
            return LATER;
        }
        self.write_now(now, job, request, orders)
    }

    /// Whether there are lines for all of a write that has none yet; or never could be.
    fn has_lines(&self, request: &Request) -> bool {
        let missing = self.blocks(request).filter(|block| self.table.find(*block) == NONE).count() as u64;
        missing <= self.table.free() || missing > u64::from(self.table.most())
    }

    /// Lets writes in that waited, as far as there are lines.
    pub(super) fn admit_waiting(&mut self, now: Nanos, orders: &mut Orders) {
        while let Some((job, request)) = self.waiting.front().copied() {
            if !self.has_lines(&request) {
                return;
            }
            self.waiting.pop_front();
            let pieces = self.write_now(now, job, &request, orders);
            orders.begin(job, pieces);
        }
    }

    fn write_now(&mut self, now: Nanos, job: u32, request: &Request, orders: &mut Orders) -> u32 {
        let blocks = self.blocks(request);
        let key = (request.offset.0, request.size);
        let admits = self.admission.admits(now, request.stream, key, blocks.clone(), self.table.valid());
        let dirty = self.table.dirty() as f64 / f64::from(self.table.most());
        let admits = admits && self.rules.mode != CacheMode::Around && dirty < self.rules.dirty_max;
        let (mut is_hit, mut was_dirty, mut is_past) = (true, true, false);
        let (mut pieces, mut gathered) = (0, None);
        let mut written = 0;
        for block in blocks {
            let (start, size) = self.part(request, block);
            let line = self.table.find(block);
            let state = if line == NONE { 0 } else { self.table.get(line).state };
            is_hit &= state & VALID != 0;
            was_dirty &= state & DIRTY != 0;
            let piece = if self.takes(now, block, size, admits, orders) {
                written += 1;
                let line = self.table.find(block);
                let step = self.wrote(now, line);
                let offset = self.offset(line) + start % self.rules.block;
                Gathered { step, side: Side::Fast, offset, address: start, size }
            } else {
                is_past = true;
                self.forget(block, orders);
                Gathered { step: Step::Past, side: Side::Slow, offset: start, address: start, size }
            };
            if piece.side == Side::Slow && self.rules.mode == CacheMode::Through {
                continue;
            }
            pieces += self.gather(&mut gathered, piece, job, request, orders);
        }
        pieces += self.send(gathered, job, request, orders);
        if self.rules.mode == CacheMode::Through {
            let (side, offset) = (Side::Slow, request.offset.0);
            let all = Gathered { step: Step::Past, side, offset, address: offset, size: request.size };
            pieces += self.send(Some(all), job, request, orders);
        }
        let counters = &mut orders.counters;
        counters.write_hits += u64::from(is_hit);
        counters.dirty_write_hits += u64::from(was_dirty);
        counters.uncached_writes += u64::from(is_past);
        self.count_uncommitted(now, written, orders);
        pieces
    }

    /// Whether part of a block goes to a line, which then is its own.
    fn takes(&mut self, now: Nanos, block: u64, size: u32, admits: bool, orders: &mut Orders) -> bool {
        let is_whole = u64::from(size) == self.rules.block;
        let line = self.table.find(block);
        if line == NONE {
            return is_whole && admits && self.claim(block, now, orders);
        }
        let state = self.table.get(line).state;
        if state & DIRTY == 0 && !(admits && (is_whole || state & VALID != 0)) {
            return false;
        }
        // In buckets it gets another place.
        match &mut self.buckets {
            None => true,
            Some(buckets) if buckets.has_place() => {
                buckets.append(line, state & DIRTY != 0);
                if state & DIRTY != 0 {
                    buckets.set_dirty(line, true);
                }
                true
            }
            // What is dirty must not go past its line: it is written where it is.
            Some(_) => state & DIRTY != 0,
        }
    }

    /// A line has been written; how its piece continues.
    fn wrote(&mut self, now: Nanos, line: u32) -> Step {
        let state = self.table.get(line).state;
        self.table.used(line, seconds(now));
        if self.rules.mode != CacheMode::Back {
            self.table.set(line, VALID);
            return Step::Hit;
        }
        let written = if state & CLEANING != 0 { CLEANING | WRITTEN } else { 0 };
        self.table.set(line, VALID | DIRTY | written);
        if state & DIRTY != 0 {
            return Step::Hit;
        }
        if let Some(buckets) = &mut self.buckets {
            buckets.set_dirty(line, true);
        }
        self.is_cleanable(line, true);
        if self.rules.records { Step::Write } else { Step::Hit }
    }

    /// What is cached of a block is older than the slow device from now on.
    fn forget(&mut self, block: u64, orders: &mut Orders) {
        let line = self.table.find(block);
        if line == NONE {
            return;
        }
        orders.counters.write_invalidates += 1;
        let found = *self.table.get(line);
        if found.pins == 0 && found.state & (DIRTY | CLEANING | FILLING) == 0 {
            self.drop_block(line);
        } else if found.state & DIRTY == 0 {
            self.table.set(line, found.state & !(VALID | FILLING));
        }
    }

    /// A piece has been written to its lines: it is to be recorded.
    pub(super) fn written(&mut self, id: u32, orders: &mut Orders) {
        self.pin(id, -1);
        self.works.get_mut(id).step = Step::Recorded;
        self.record(id, orders);
    }

    /// Counts writes that the next commit records, which may be due.
    fn count_uncommitted(&mut self, now: Nanos, blocks: u32, orders: &mut Orders) {
        let Some((most, after)) = self.rules.commit.filter(|_| blocks > 0) else { return };
        self.uncommitted += blocks;
        self.commit_at = self.commit_at.min(now + after);
        if self.uncommitted >= most {
            self.commit(orders);
        }
    }

    /// Records what was written, with no request waiting for it.
    pub(super) fn commit(&mut self, orders: &mut Orders) {
        let blocks = std::mem::take(&mut self.uncommitted);
        self.commit_at = Nanos::MAX;
        let commit = Work { step: Step::Commit, job: NONE, first: 0, blocks, next: NONE };
        let work = self.works.insert(commit);
        self.record(work, orders);
    }

    /// The journal is written: what it was for is done.
    pub(super) fn recorded(&mut self, id: u32, orders: &mut Orders) {
        self.works.remove(id);
        let mut work = self.journal.as_mut().map_or(NONE, Journal::end);
        while work != NONE {
            let Work { step, job, blocks, next, .. } = self.works.remove(work);
            orders.counters.md_dirties += u64::from(blocks);
            match step {
                Step::Flush => _ = self.send_flush(job, orders),
                Step::Commit => {}
                _ => orders.finish(job),
            }
            work = next;
        }
        self.write_journal(orders);
    }
}
