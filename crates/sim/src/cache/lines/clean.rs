//! Carries out what the cleaner wants: dirty lines to the slow device, neighbours together.

use super::cleaner::{Kind, Order, Seen};
use super::table::{CLEANING, DIRTY, WRITTEN};
use super::{Lines, Run, Step, Work, seconds};
use crate::cache::index::NONE;
use crate::cache::io::{Io, Side};
use crate::cache::orders::Orders;
use drivecast_block::{Nanos, Op};

/// What the block layer joins at most: `max_sectors_kb` of most disks.
const RUN_BYTES_MAX: u64 = 512 << 10;

impl Lines {
    /// Cleans lines, as long as the cleaner wants to.
    pub(super) fn clean(&mut self, now: Nanos, orders: &mut Orders) {
        loop {
            let seen = Seen {
                now,
                dirty: self.table.dirty(),
                lines: self.table.most().into(),
                line_bytes: self.rules.block,
                requested: self.requested,
                pressed: !self.waiting.is_empty() || self.is_short,
            };
            if !self.cleaner.wants(&seen) {
                return;
            }
            match self.choose(&seen) {
                Some(block) => self.clean_from(block, orders),
                None => return self.cleaner.pauses(now),
            }
        }
    }

    /// The block to be cleaned next.
    fn choose(&mut self, seen: &Seen) -> Option<u64> {
        match self.cleaner.order() {
            Order::Age => {
                let line = self.table.oldest_dirty();
                let stale = self.cleaner.stale().filter(|_| !seen.pressed);
                let is_stale = |line: u32| {
                    let since = seconds(seen.now).saturating_sub(self.table.get(line).used_s);
                    stale.is_none_or(|stale| since >= seconds(stale))
                };
                (line != NONE && is_stale(line)).then(|| self.table.block(line))
            }
            Order::Address => {
                let ahead = self.by_address.range(self.cursor..).next().copied();
                if ahead.is_none() {
                    self.cursor = 0;
                }
                ahead
            }
            Order::Chunk => {
                let ahead = self.by_address.range(self.cursor..).next().copied();
                let goes_on = ahead.filter(|block| self.chunks.of(*block) == self.chunks.of(self.cursor));
                goes_on.or_else(|| {
                    self.cursor = self.chunks.dirtiest()?;
                    self.by_address.range(self.cursor..).next().copied()
                })
            }
        }
    }

    /// Notes that a line may be cleaned from now on, or may not.
    pub(super) fn is_cleanable(&mut self, line: u32, is: bool) {
        if self.cleaner.order() == Order::Age {
            return;
        }
        let block = self.table.block(line);
        let changed = if is { self.by_address.insert(block) } else { self.by_address.remove(&block) };
        if changed && self.cleaner.order() == Order::Chunk {
            self.chunks.set_dirty(block, is);
        }
    }

    /// Cleans a block and the dirty ones that follow it.
    fn clean_from(&mut self, first: u64, orders: &mut Orders) {
        let most = (RUN_BYTES_MAX / self.rules.block).clamp(1, self.cleaner.left());
        let mut blocks = 0;
        while u64::from(blocks) < most {
            let line = self.table.find(first + u64::from(blocks));
            if line == NONE || self.table.get(line).state & (DIRTY | CLEANING) != DIRTY {
                break;
            }
            self.is_cleanable(line, false);
            let state = self.table.get(line).state;
            self.table.set(line, state | CLEANING);
            blocks += 1;
        }
        self.cursor = first + u64::from(blocks);
        self.cleaner.in_flight += blocks;
        let run = self.runs.insert(Run { first, blocks, left: blocks });
        let mut gathered: Option<(u64, u64, u32)> = None;
        for block in first..first + u64::from(blocks) {
            let offset = self.offset(self.table.find(block));
            match &mut gathered {
                Some((_, at, count)) if *at + u64::from(*count) * self.rules.block == offset => *count += 1,
                _ => {
                    self.read_dirty(gathered, run, orders);
                    gathered = Some((block, offset, 1));
                }
            }
        }
        self.read_dirty(gathered, run, orders);
    }

    fn read_dirty(&mut self, gathered: Option<(u64, u64, u32)>, run: u32, orders: &mut Orders) {
        let Some((first, offset, blocks)) = gathered else { return };
        let work = Work { step: Step::CleanRead(run), job: NONE, first, blocks, next: NONE };
        let id = self.works.insert(work);
        self.pin(id, 1);
        orders.counters.ssd_reads += 1;
        let size = (u64::from(blocks) * self.rules.block) as u32;
        orders.send(Io::own(Side::Fast, Op::Read, offset, size, id));
    }

    /// Dirty lines have come from the fast device: when all of their run have, they go to the slow one.
    pub(super) fn clean_read(&mut self, id: u32, run: u32, orders: &mut Orders) {
        self.pin(id, -1);
        let read = self.works.remove(id).blocks;
        let found = self.runs.get_mut(run);
        found.left -= read;
        if found.left > 0 {
            return;
        }
        let Run { first, blocks, .. } = *found;
        let id =
            self.works.insert(Work { step: Step::CleanWrite(run), job: NONE, first, blocks, next: NONE });
        orders.counters.disk_writes += 1;
        let (offset, size) = (first * self.rules.block, (u64::from(blocks) * self.rules.block) as u32);
        orders.send(Io::own(Side::Slow, Op::Write, offset, size, id));
    }

    /// A run is on the slow device: its lines are clean, unless they were written meanwhile.
    pub(super) fn clean_written(&mut self, id: u32, run: u32, orders: &mut Orders) {
        self.works.remove(id);
        let Run { first, blocks, .. } = self.runs.remove(run);
        self.cleaner.in_flight -= blocks;
        self.is_short = false;
        orders.counters.cleanings += u64::from(blocks);
        for block in first..first + u64::from(blocks) {
            let line = self.table.find(block);
            if line == NONE || !self.table.get(line).is(CLEANING) {
                continue;
            }
            let found = *self.table.get(line);
            if found.is(WRITTEN) {
                self.table.set(line, found.state & !(CLEANING | WRITTEN));
                self.is_cleanable(line, true);
                continue;
            }
            self.table.set(line, found.state & !(CLEANING | DIRTY));
            if let Some(buckets) = &mut self.buckets {
                buckets.set_dirty(line, false);
            }
            if self.rules.drops_clean && found.pins == 0 {
                self.drop_block(line);
            }
        }
    }

    /// Orders what it does in a long idle time.
    pub(in crate::cache) fn rest(&mut self, orders: &mut Orders) {
        if !matches!(self.cleaner.kind(), Kind::Demand | Kind::Watermarks { .. }) {
            self.clean_all(orders);
        }
    }

    /// Cleans all that is dirty, whatever the cleaner wants.
    pub(super) fn clean_all(&mut self, orders: &mut Orders) {
        while self.table.oldest_dirty() != NONE {
            let block = self.table.block(self.table.oldest_dirty());
            self.clean_from(block, orders);
        }
    }
}
