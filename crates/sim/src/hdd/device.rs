//! A disk as a device: commands in, completions out.
//!
//! **Model.** The disk holds up to `queue_depth` commands; further ones wait in the host, in order. A read that lies in the
//! buffer and a write that has room in the write cache need the controller (its overhead) and the link alone; the others
//! wait for the mechanism. Transfers from and to the buffer follow each other on the link; transfers at media rate are
//! not held up by them. A flush waits for all cached data written before it; without write cache there are none.
//! **Left out:** half-duplex contention on the link.

use super::HddError;
use super::cache::Segments;
use super::geometry::SECTOR;
use super::mechanism::Mechanism;
use super::queue::{Command, Queue};
use super::reading::Stream;
use super::sheet;
use super::written::Written;
use crate::spec::{HddOverhead, HddOverheads, HddSpec, ReadAhead, Scheduler};
use drivecast_block::random;
use drivecast_block::{Bytes, Completion, Counters, Device, Nanos, Op, Request};
use rand::Rng;
use std::collections::VecDeque;

/// What the mechanism is doing.
#[derive(Clone, Copy, Debug)]
pub(super) enum Work {
    Idle,
    /// The controller chooses the next command.
    Choosing,
    /// Sectors into a segment.
    Read {
        segment: usize,
        from: u64,
        end: u64,
    },
    /// A command's data to the medium.
    Write,
    /// Cached data to the medium.
    Destage {
        sectors: u64,
    },
}

/// A request that will complete.
#[derive(Clone, Copy, Debug)]
struct Finished {
    at: Nanos,
    order: u64,
    id: u64,
    op: Op,
}

/// A simulated disk.
#[derive(Clone, Debug)]
pub struct Hdd {
    pub(super) mechanism: Mechanism,
    pub(super) scheduler: Scheduler,
    overheads: HddOverheads,
    link_ns_per_byte: f64,
    pub(super) queue_depth: usize,
    capacity: Bytes,
    /// Sectors that can be read ahead, those behind the partition included.
    pub(super) sectors: u64,
    pub(super) read_ahead: ReadAhead,
    pub(super) keeps_passing: bool,
    pub(super) reads_on_arrival: bool,

    /// Commands that wait for the mechanism.
    pub(super) commands: Queue,
    pub(super) written: Written,
    pub(super) segments: Segments,
    /// Requests beyond the queue depth.
    outside: VecDeque<(Request, u64)>,
    held: usize,
    /// Completions to come, the last one first.
    finished: Vec<Finished>,

    pub(super) work: Work,
    /// When `work` ends.
    pub(super) until: Nanos,
    pub(super) started: Nanos,
    pub(super) stream: Option<Stream>,
    /// What would go on without a gap from the last transfer, and when that ends.
    pub(super) next_in_line: Option<(Op, u64, Nanos)>,
    /// Which way the arm went last.
    pub(super) is_inward: bool,
    /// While commands and cached data take turns.
    pub(super) is_turn_of_commands: bool,
    /// What the command before was, and whether this one followed it at once.
    before: Op,
    pub(super) is_in_succession: bool,
    /// When the last completion was.
    last_end: Nanos,
    link_free: Nanos,
    orders: u64,
    /// Choices made among commands.
    pub(super) passes: u64,
    pub(super) counters: Counters,
}

impl Hdd {
    /// A disk at rest, its heads outside, its platters at an angle drawn from `seed`.
    ///
    /// # Errors
    /// A field lies outside what the model means: the error names it, the limit and the value.
    pub fn new(spec: &HddSpec, seed: u64) -> Result<Hdd, HddError> {
        sheet::check(spec)?;
        let mechanism = sheet::mechanism(spec, random::stream(seed, "hdd-phase").next_u64())?;
        let sectors = (spec.capacity_bytes as f64 * spec.partition) as u64 / SECTOR;
        let buffer = sheet::buffer(spec)?;
        Ok(Hdd {
            scheduler: spec.scheduler,
            overheads: sheet::overheads(spec),
            link_ns_per_byte: 1e9 / spec.link_bytes_per_s,
            queue_depth: spec.queue_depth as usize,
            capacity: Bytes(sectors * SECTOR),
            sectors: mechanism.geometry.sectors(),
            read_ahead: buffer.read_ahead,
            keeps_passing: buffer.keeps_passing,
            reads_on_arrival: buffer.reads_on_arrival,
            commands: Queue::default(),
            written: Written::new(buffer.write_sectors, buffer.write_segments),
            segments: Segments::new(buffer.segments, buffer.segment_sectors, buffer.keeps_delivered),
            outside: VecDeque::new(),
            held: 0,
            finished: Vec::new(),
            work: Work::Idle,
            until: Nanos::ZERO,
            started: Nanos::ZERO,
            stream: None,
            next_in_line: None,
            is_inward: true,
            is_turn_of_commands: true,
            before: Op::Read,
            is_in_succession: false,
            last_end: Nanos::ZERO,
            link_free: Nanos::ZERO,
            orders: 0,
            passes: 0,
            counters: Counters::default(),
            mechanism,
        })
    }

    /// Cylinders, those behind the partition included.
    #[must_use]
    pub fn cylinders(&self) -> u32 {
        self.mechanism.geometry.cylinders
    }

    /// Time to move the arm by some cylinders; at most [`Hdd::cylinders`] − 1.
    #[must_use]
    pub fn seek_time(&self, distance: u32) -> Nanos {
        self.mechanism.rotation.span(self.mechanism.seek[distance as usize])
    }

    /// Controller time of a command; the same after reads as after writes once the disk has come to rest.
    pub(super) fn overhead(&self, op: Op, of: impl Fn(&HddOverheads) -> HddOverhead) -> Nanos {
        let HddOverhead { after_read_ns, after_write_ns } = of(&self.overheads);
        let is_after_write = if self.is_in_succession { self.before == Op::Write } else { op != Op::Write };
        Nanos(if is_after_write { after_write_ns } else { after_read_ns })
    }

    pub(super) fn link(&self, bytes: u64) -> Nanos {
        Nanos((bytes as f64 * self.link_ns_per_byte).ceil() as u64)
    }

    /// Books `bytes` on the link, not before `from`.
    pub(super) fn transfer(&mut self, from: Nanos, bytes: u64) -> Nanos {
        self.link_free = from.max(self.link_free) + self.link(bytes);
        self.link_free
    }

    pub(super) fn finish(&mut self, at: Nanos, command: &Command) {
        let Command { order, id, op, .. } = *command;
        let place = self.finished.partition_point(|other| (other.at, other.order) > (at, order));
        self.finished.insert(place, Finished { at, order, id, op });
    }

    fn admit(&mut self, now: Nanos, request: Request, order: u64) {
        let rest = Nanos(self.mechanism.rotation.period_ns as u64);
        self.is_in_succession = self.held > 0 || now < self.last_end + rest;
        self.held += 1;
        let Request { id, op, offset, .. } = request;
        let (lba, end) = (offset.0 / SECTOR, request.end().div_ceil(SECTOR));
        let mut ready = now + self.overhead(op, |overheads| overheads.read_hit);
        if op == Op::Flush {
            // Data written before have to cross the link first.
            ready = ready.max(self.link_free);
        }
        let command = Command { id, op, lba, end, ready, order, passes: self.passes };
        match op {
            Op::Read if lba < end => self.read(now, command),
            Op::Write if lba < end => self.write(now, command),
            Op::Flush if !self.written.queue.is_empty() || matches!(self.work, Work::Destage { .. }) => {
                self.written.flushes.push_back(command);
            }
            _ => self.finish(ready, &command),
        }
        if matches!(self.work, Work::Idle) {
            self.go_on(now);
        }
        self.before = op;
    }

    fn write(&mut self, now: Nanos, mut command: Command) {
        let Command { lba, end, .. } = command;
        self.overwrite(lba, end);
        if self.written.takes(end - lba) {
            command.ready = now + self.overhead(Op::Write, |overheads| overheads.write_hit);
            self.written.blocked.push_back(command);
            return self.fill_cache(now);
        }
        let ready = now + self.overhead(Op::Write, |overheads| overheads.write_miss);
        command.ready = self.transfer(ready, (end - lba) * SECTOR);
        self.commands.push(command, &self.mechanism);
    }

    /// Takes waiting writes into the cache while there is room.
    pub(super) fn fill_cache(&mut self, now: Nanos) {
        while let Some((command, is_new)) = self.written.admit() {
            let ready = self.transfer(now.max(command.ready), (command.end - command.lba) * SECTOR);
            if is_new {
                self.written.queue.push(Command { ready, ..command }, &self.mechanism);
            }
            self.finish(ready, &command);
        }
    }
}

impl Device for Hdd {
    fn capacity(&self) -> Bytes {
        self.capacity
    }

    fn submit(&mut self, now: Nanos, request: Request) {
        self.counters.submit(&request);
        let order = self.orders;
        self.orders += 1;
        if self.held < self.queue_depth {
            self.admit(now, request, order);
        } else {
            self.outside.push_back((request, order));
        }
    }

    fn next(&self) -> Option<Nanos> {
        let completion = self.finished.last().map(|finished| finished.at);
        match (completion, self.turn()) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    fn age(&mut self, _request: Request) {}

    fn advance(&mut self, now: Nanos, done: &mut Vec<Completion>) {
        loop {
            // The mechanism goes first: what it completes at this moment may have been submitted before what is ready.
            let completion = self.finished.last().map_or(Nanos::MAX, |finished| finished.at);
            if let Some(turn) = self.turn().filter(|turn| *turn <= now && *turn <= completion) {
                self.end_work(turn);
                continue;
            }
            let Some(Finished { at, id, op, .. }) = self.finished.pop_if(|finished| finished.at <= now)
            else {
                return;
            };
            self.held -= 1;
            self.last_end = at;
            self.counters.completed[op as usize] += 1;
            done.push(Completion { id, at });
            if let Some((request, order)) = self.outside.pop_front() {
                self.admit(at, request, order);
            }
        }
    }

    fn counters(&self) -> Counters {
        self.counters
    }

    fn reset_counters(&mut self) {
        self.counters = Counters::default();
    }
}
