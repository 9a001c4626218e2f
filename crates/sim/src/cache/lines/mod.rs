//! Caches that put any block into any line: bcache, OpenCAS and dm-writecache, each as a set of [`Rules`].
//!
//! **Reads.** What is cached is read from the fast device, the rest from the slow one, neighbours together; the request is complete
//! with the last of both. What came from the slow device is written to lines behind that, where it is let in (`admission.rs`) and
//! covers a line; so a miss is no slower than without the cache. A request counts as a hit if all of it is.
//!
//! **Writes.** `writeback`: to lines, and complete there, or when that is recorded (`record`); what finds no line goes to the slow
//! device, or waits (`waits`). `writethrough`: to both. `writearound`: to the slow device, and what is cached of it is dropped.
//! What covers part of a block goes to its line if there is one, else to the slow device.
//!
//! **What makes way**: the line used longest ago that is clean and idle, or a bucket (`places.rs`). **Cleaning**: `cleaner.rs`; up
//! to 512 KiB of neighbours in one write.
//!
//! **Flushes** are recorded first, where there is a journal; then they go to the fast device, and unless it is dirty data's only
//! place to the slow one as well.
//!
//! Left out: the index that bcache keeps on the fast device, but for its journal; locks on lines: an I/O on a line that is being
//! filled or cleaned goes ahead.

mod admission;
mod chunks;
mod clean;
mod cleaner;
mod journal;
mod places;
mod programs;
mod restart;
mod table;
mod write;

use self::admission::Admission;
use self::chunks::Chunks;
use self::cleaner::Cleaner;
use self::journal::Journal;
use self::places::Buckets;
use self::table::{FILLING, Table, VALID};
use super::index::NONE;
use super::io::{Io, Piece, Side};
use super::orders::Orders;
use crate::request_slots::Slots;
use crate::spec::CacheMode;
use drivecast_block::{Nanos, Op, Request};
use std::collections::{BTreeSet, VecDeque};

/// What makes a program of the common mechanisms.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    /// Bytes of a line.
    pub(super) block: u64,
    pub(super) mode: CacheMode,
    /// Whether what is read is let in.
    pub(super) reads: bool,
    /// Whether a line is given up once it is clean.
    pub(super) drops_clean: bool,
    /// Whether writes wait for a line rather than go past the cache.
    pub(super) waits: bool,
    /// Whether a write is complete only when it is recorded.
    pub(super) records: bool,
    /// Dirty share of the cache from which on writes are not let in.
    pub(super) dirty_max: f64,
    /// Whether flushes go to the slow device as well.
    pub(super) flushes_slow: bool,
    /// Writes after which they are recorded, and the time: none, where only a flush has them recorded.
    pub(super) commit: Option<(u32, Nanos)>,
    /// Whether lines are cleaned because a block finds none.
    pub(super) cleans_for_space: bool,
    /// Whether after a crash everything is there.
    pub(super) survives: bool,
}

/// Where an I/O has got to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// A piece of a request on lines of the fast device.
    Hit,
    /// A piece of a request on the slow device, of which nothing is let in.
    Past,
    /// The same, whose blocks are let in behind it.
    Miss,
    /// What such a piece found, on its way to its lines.
    Fill,
    /// A piece of a write to lines, to be recorded if that is the rule.
    Write,
    /// A dirty line on its way from the fast device, of the run in this slot.
    CleanRead(u32),
    /// The run in this slot, on its way to the slow device.
    CleanWrite(u32),
    /// The journal is being written.
    Journal,
    /// A piece that waits for the journal.
    Recorded,
    /// A flush that waits for the journal.
    Flush,
    /// A commit that no request waits for.
    Commit,
}

/// An I/O, or what waits for one: of the blocks from `first` on.
#[derive(Clone, Copy)]
struct Work {
    step: Step,
    job: u32,
    first: u64,
    blocks: u32,
    next: u32,
}

/// Dirty blocks that follow each other, being cleaned together.
#[derive(Clone, Copy)]
struct Run {
    first: u64,
    blocks: u32,
    left: u32,
}

/// A cache; see the module.
#[derive(Clone)]
pub(super) struct Lines {
    rules: Rules,
    table: Table,
    buckets: Option<Buckets>,
    admission: Admission,
    cleaner: Cleaner,
    journal: Option<Journal>,
    /// Where data begin on the fast device.
    data_at: u64,
    works: Slots<Work>,
    runs: Slots<Run>,
    /// Dirty blocks that are not being cleaned, where they are cleaned by address.
    by_address: BTreeSet<u64>,
    /// Where cleaning by address continues.
    cursor: u64,
    /// Of these, how many lie in each chunk, where chunks are cleaned.
    chunks: Chunks,
    /// Whether a block found no line since a run was cleaned.
    is_short: bool,
    /// Writes that wait for lines.
    waiting: VecDeque<(u32, Request)>,
    /// When a request came last.
    requested: Nanos,
    /// Writes since the last commit, and when it is due.
    uncommitted: u32,
    commit_at: Nanos,
}

/// Pieces that follow each other on one device, to be sent as one.
#[derive(Clone, Copy)]
struct Gathered {
    step: Step,
    side: Side,
    /// On the device.
    offset: u64,
    /// On the slow device, which is where the request is addressed.
    address: u64,
    size: u32,
}

impl Lines {
    /// Has the memory fetched that a request needs.
    #[inline]
    pub(super) fn expect(&self, request: &Request) {
        self.table.expect(request.offset.0 / self.rules.block);
    }

    /// Takes a request in; the number of its pieces.
    pub(super) fn submit(&mut self, now: Nanos, job: u32, request: &Request, orders: &mut Orders) -> u32 {
        let pieces = match request.op {
            Op::Read | Op::Write if request.size == 0 => return 0,
            Op::Read => self.read(now, job, request, orders),
            Op::Write => self.write(now, job, request, orders),
            Op::Flush => self.flush(job, orders),
            Op::Discard => 0,
        };
        if matches!(request.op, Op::Read | Op::Write) {
            self.requested = now;
            self.clean(now, orders);
        }
        pieces
    }

    /// The blocks that a range lies in.
    fn blocks(&self, request: &Request) -> std::ops::Range<u64> {
        request.offset.0 / self.rules.block..request.end().div_ceil(self.rules.block)
    }

    /// The part of a request in one block: where it begins, and its size.
    fn part(&self, request: &Request, block: u64) -> (u64, u32) {
        let start = request.offset.0.max(block * self.rules.block);
        let end = request.end().min((block + 1) * self.rules.block);
        (start, (end - start) as u32)
    }

    fn read(&mut self, now: Nanos, job: u32, request: &Request, orders: &mut Orders) -> u32 {
        orders.counters.reads += 1;
        let blocks = self.blocks(request);
        let key = (request.offset.0, request.size);
        let admits = self.admission.admits(now, request.stream, key, blocks.clone(), self.table.valid());
        let missing = if admits && self.rules.reads { Step::Miss } else { Step::Past };
        let mut pieces = 0;
        let mut gathered: Option<Gathered> = None;
        let mut is_hit = true;
        for block in blocks {
            let (start, size) = self.part(request, block);
            let line = self.table.find(block);
            let is_there = line != NONE && self.table.get(line).is(VALID);
            let piece = if is_there {
                self.used(line, now);
                let offset = self.offset(line) + start % self.rules.block;
                Gathered { step: Step::Hit, side: Side::Fast, offset, address: start, size }
            } else {
                is_hit = false;
                Gathered { step: missing, side: Side::Slow, offset: start, address: start, size }
            };
            pieces += self.gather(&mut gathered, piece, job, request, orders);
        }
        orders.counters.read_hits += u64::from(is_hit);
        pieces + self.send(gathered, job, request, orders)
    }

    /// Adds a piece to those before it, which are sent if it does not continue them; how many were.
    fn gather(
        &mut self,
        gathered: &mut Option<Gathered>,
        piece: Gathered,
        job: u32,
        request: &Request,
        orders: &mut Orders,
    ) -> u32 {
        if let Some(before) = gathered
            && (before.side, before.step) == (piece.side, piece.step)
            && before.offset + u64::from(before.size) == piece.offset
        {
            before.size += piece.size;
            return 0;
        }
        let before = gathered.replace(piece);
        self.send(before, job, request, orders)
    }

    /// Sends pieces; how many.
    fn send(&mut self, gathered: Option<Gathered>, job: u32, request: &Request, orders: &mut Orders) -> u32 {
        let Some(Gathered { step, side, offset, address, size }) = gathered else { return 0 };
        let counters = &mut orders.counters;
        let counter = match (side, request.op) {
            (Side::Fast, Op::Read) => &mut counters.ssd_reads,
            (Side::Fast, _) => &mut counters.ssd_writes,
            (Side::Slow, Op::Read) => &mut counters.disk_reads,
            (Side::Slow, _) => &mut counters.disk_writes,
        };
        *counter += 1;
        if step == Step::Past && request.op == Op::Read {
            counters.uncached_reads += 1;
        }
        let Request { op, stream, fua, .. } = *request;
        let piece = Piece { job, op, offset: address, size, stream, fua };
        let work = self.begin(step, job, address, size);
        if side == Side::Fast {
            self.pin(work, 1);
        }
        orders.send(piece.on(side, offset, work));
        1
    }

    fn begin(&mut self, step: Step, job: u32, address: u64, size: u32) -> u32 {
        let (block, end) = (self.rules.block, address + u64::from(size));
        let (first, behind) = match step {
            // What is let in covers whole blocks.
            Step::Miss => (address.div_ceil(block), end / block),
            _ => (address / block, end.div_ceil(block)),
        };
        let behind = behind.max(first);
        self.works.insert(Work { step, job, first, blocks: (behind - first) as u32, next: NONE })
    }

    /// Marks the lines of a work as in use, or gives them back.
    fn pin(&mut self, work: u32, by: i16) {
        let Work { first, blocks, .. } = *self.works.get_mut(work);
        for block in first..first + u64::from(blocks) {
            let line = self.table.find(block);
            if line != NONE {
                let pins = &mut self.table.line(line).pins;
                *pins = pins.saturating_add_signed(by);
            }
        }
    }

    /// A line is used.
    fn used(&mut self, line: u32, now: Nanos) {
        self.table.used(line, seconds(now));
        if let Some(buckets) = &mut self.buckets {
            buckets.used(line);
        }
    }

    /// Where a line lies on the fast device.
    #[inline]
    fn offset(&self, line: u32) -> u64 {
        let place = self.buckets.as_ref().map_or(line, |buckets| buckets.place(line));
        self.data_at + u64::from(place) * self.rules.block
    }

    fn flush(&mut self, job: u32, orders: &mut Orders) -> u32 {
        if self.journal.is_some() && self.rules.mode == CacheMode::Back {
            let work = self.works.insert(Work { step: Step::Flush, job, first: 0, blocks: 0, next: NONE });
            self.record(work, orders);
            return if self.rules.flushes_slow { 2 } else { 1 };
        }
        self.send_flush(job, orders)
    }

    /// Sends a flush to the devices that have something to flush; how many.
    fn send_flush(&mut self, job: u32, orders: &mut Orders) -> u32 {
        let piece = Piece { job, op: Op::Flush, offset: 0, size: 0, stream: 0, fua: false };
        let mut sides = vec![Side::Fast];
        if self.rules.flushes_slow || self.rules.mode != CacheMode::Back {
            sides.push(Side::Slow);
        }
        for side in &sides {
            let work = self.works.insert(Work { step: Step::Past, job, first: 0, blocks: 0, next: NONE });
            orders.send(piece.on(*side, 0, work));
        }
        sides.len() as u32
    }

    /// Has a work wait for the journal.
    fn record(&mut self, work: u32, orders: &mut Orders) {
        let Some(journal) = &mut self.journal else { return };
        let last = journal.queue(work);
        if last != NONE {
            self.works.get_mut(last).next = work;
        }
        self.write_journal(orders);
    }

    fn write_journal(&mut self, orders: &mut Orders) {
        let Some(journal) = &mut self.journal else { return };
        let Some(offset) = journal.begin() else { return };
        let mut work = journal.writing();
        let mut records = 0;
        while work != NONE {
            records += u64::from(self.works.get_mut(work).blocks);
            work = self.works.get_mut(work).next;
        }
        orders.counters.md_ssd_writes += 1;
        orders.counters.ssd_writes += 1;
        orders.counters.md_batch += records.saturating_sub(1);
        let size = self.journal.as_ref().map_or(0, |journal| journal.size(records));
        let step = Work { step: Step::Journal, job: NONE, first: 0, blocks: 0, next: NONE };
        let id = self.works.insert(step);
        orders.send(Io::own(Side::Fast, Op::Write, offset, size, id));
    }

    /// An I/O is done.
    pub(super) fn arrive(&mut self, now: Nanos, id: u32, orders: &mut Orders) {
        let Work { step, job, first, blocks, .. } = *self.works.get_mut(id);
        match step {
            Step::Hit => {
                self.pin(id, -1);
                self.works.remove(id);
                orders.finish(job);
            }
            Step::Past => {
                self.works.remove(id);
                orders.finish(job);
            }
            Step::Miss => {
                self.works.remove(id);
                orders.finish(job);
                self.fill(now, first, blocks, orders);
            }
            Step::Fill => {
                self.pin(id, -1);
                self.works.remove(id);
                self.filled(first, blocks);
            }
            Step::Write => self.written(id, orders),
            Step::CleanRead(run) => self.clean_read(id, run, orders),
            Step::CleanWrite(run) => self.clean_written(id, run, orders),
            Step::Journal => self.recorded(id, orders),
            Step::Recorded | Step::Flush | Step::Commit => unreachable!("{step:?} has no I/O"),
        }
        self.admit_waiting(now, orders);
        self.clean(now, orders);
    }

    /// What was read of the slow device goes to lines.
    fn fill(&mut self, now: Nanos, first: u64, blocks: u32, orders: &mut Orders) {
        let mut gathered: Option<(u64, u64, u32)> = None;
        for block in first..first + u64::from(blocks) {
            if self.table.find(block) != NONE || !self.claim(block, now, orders) {
                continue;
            }
            let line = self.table.find(block);
            self.table.set(line, FILLING);
            let offset = self.offset(line);
            match &mut gathered {
                Some((_, at, count)) if *at + u64::from(*count) * self.rules.block == offset => *count += 1,
                _ => {
                    self.send_fill(gathered, orders);
                    gathered = Some((block, offset, 1));
                }
            }
        }
        self.send_fill(gathered, orders);
    }

    fn send_fill(&mut self, gathered: Option<(u64, u64, u32)>, orders: &mut Orders) {
        let Some((first, offset, blocks)) = gathered else { return };
        let work = self.works.insert(Work { step: Step::Fill, job: NONE, first, blocks, next: NONE });
        self.pin(work, 1);
        orders.counters.ssd_writes += 1;
        let size = (u64::from(blocks) * self.rules.block) as u32;
        orders.send(Io::own(Side::Fast, Op::Write, offset, size, work));
    }

    fn filled(&mut self, first: u64, blocks: u32) {
        for block in first..first + u64::from(blocks) {
            let line = self.table.find(block);
            if line != NONE && self.table.get(line).is(FILLING) {
                self.table.set(line, VALID);
            }
        }
    }

    /// Gives a block a line; whether there was one.
    fn claim(&mut self, block: u64, now: Nanos, orders: &mut Orders) -> bool {
        if self.buckets.as_ref().is_some_and(|buckets| !buckets.has_place()) {
            self.free_buckets(orders);
        }
        let has_place = self.buckets.as_ref().is_none_or(Buckets::has_place);
        let (line, given_up) = if has_place { self.table.claim(block, seconds(now)) } else { (NONE, None) };
        if line == NONE {
            orders.counters.no_room += 1;
            self.is_short = self.rules.cleans_for_space && self.table.dirty() > 0;
            return false;
        }
        orders.counters.replacement += u64::from(given_up.is_some());
        if let Some(buckets) = &mut self.buckets {
            buckets.append(line, false);
        }
        true
    }

    fn free_buckets(&mut self, orders: &mut Orders) {
        let (Some(buckets), table) = (&mut self.buckets, &mut self.table) else { return };
        let mut lines = Vec::new();
        buckets.free_some(|line| table.get(line).may_go(), |line| lines.push(line));
        orders.counters.replacement += lines.len() as u64;
        lines.into_iter().for_each(|line| table.drop_block(line));
    }

    /// A line loses its block, which is clean.
    fn drop_block(&mut self, line: u32) {
        if let Some(buckets) = &mut self.buckets {
            buckets.release(line, false);
        }
        self.table.drop_block(line);
    }

    /// When it next does something on its own.
    pub(super) fn due(&self) -> Nanos {
        self.cleaner.due().min(self.commit_at)
    }

    /// Does what is due.
    pub(super) fn wake(&mut self, now: Nanos, orders: &mut Orders) {
        if now >= self.commit_at {
            self.commit(orders);
        }
        self.clean(now, orders);
    }

    /// Bytes that hold data, and of these dirty ones.
    pub(super) fn held(&self) -> (u64, u64) {
        (self.table.valid() * self.rules.block, self.table.dirty() * self.rules.block)
    }

    /// Memory that it takes, but for what is small.
    pub(super) fn memory(&self) -> usize {
        self.table.bytes() + self.buckets.as_ref().map_or(0, Buckets::bytes)
    }
}

/// Whole seconds, as lines are stamped with.
fn seconds(now: Nanos) -> u32 {
    u32::try_from(now.0 / 1_000_000_000).unwrap_or(u32::MAX)
}
