//! A disk as a device: commands in, completions out, and one mechanism between.
//!
//! **Model.** The disk holds up to `queue_depth` commands; further ones wait in the host in order. A read that lies in the
//! buffer, and a write that has room in the write cache, need the controller (`overhead`) and the link alone. Others
//! wait for the mechanism, which is at each moment idle, *choosing*, or at work:
//!
//! - when a command ends or comes to an idle disk, the controller takes `overhead` to choose the next one, and whatever
//!   arrives meanwhile takes part in the choice;
//! - a command that continues the last transfer (same direction, next sector) goes on at once, without that overhead;
//! - after a read the disk reads ahead until the segment is full or the heads are needed elsewhere. A read that begins
//!   where reading ahead has come joins the stream and has its data when the medium has passed;
//! - written data wait in the cache. They go to the medium by the same choice as commands do while a flush waits or the
//!   cache is over half full, and otherwise when the disk has been idle for a revolution (assumed).
//!
//! A read completes when its last sector has crossed the link: data cross while they are read, so that this is the later
//! of "first sector read, then everything over the link" and "last sector read, then that sector over the link". Transfers
//! from the buffer follow each other on the link; transfers at media rate are not held up by them. A flush waits for all
//! written data that came before it. **Left out:** half-duplex contention on the link, coalescing of written data other
//! than in direct succession, host-side merging.

use super::HddError;
use super::cache::Segments;
use super::geometry::{Place, SECTOR};
use super::mechanism::Mechanism;
use super::queue::{Command, PASSES_PER_COMMAND, Queue};
use super::sheet;
use crate::spec::{HddSpec, Scheduler};
use drivecast_block::random;
use drivecast_block::{Bytes, Completion, Counters, Device, Nanos, Op, Request};
use rand::Rng;
use std::collections::VecDeque;

/// Segments of the read buffer (assumed; sheets of the 2000s give 8 to 32).
const SEGMENTS: usize = 16;

/// Longest window that reading ahead fills, in sectors: 2 MiB (assumed).
const SEGMENT_SECTORS_MAX: u64 = 4096;

/// Commands' worth of written data that the cache keeps track of (assumed).
const WRITES_MAX: usize = 256;

/// What the mechanism is doing.
#[derive(Clone, Copy, Debug)]
enum Work {
    Idle,
    /// The controller chooses the next command.
    Choosing,
    /// Into a segment, up to a sector.
    Read {
        segment: usize,
        end: u64,
    },
    /// A command's data to the medium.
    Write,
    /// Cached data to the medium.
    Destage {
        sectors: u64,
    },
}

/// Where the medium is read from when nothing else is to be done.
#[derive(Clone, Copy, Debug)]
struct Stream {
    /// The next sector.
    lba: u64,
    /// When the one before it ended.
    at: Nanos,
    /// Reading ahead stops before this sector.
    limit: u64,
    segment: usize,
}

/// A simulated disk.
#[derive(Clone, Debug)]
pub struct Hdd {
    mechanism: Mechanism,
    scheduler: Scheduler,
    overhead: Nanos,
    link_ns_per_byte: f64,
    queue_depth: usize,
    capacity: Bytes,
    sectors: u64,
    segments: Segments,
    /// Written data that can be read from the buffer, on the medium already or not.
    written_segments: Segments,
    /// Sectors of written data that the cache takes; zero without write cache.
    write_room: u64,
    /// How long the disk is idle before it writes cached data of its own accord.
    idle: Nanos,

    commands: Queue,
    written: Queue,
    written_sectors: u64,
    /// Writes that wait for room in the cache.
    blocked: VecDeque<Command>,
    flushes: VecDeque<Command>,
    /// Requests beyond the queue depth.
    outside: VecDeque<(Request, u64)>,
    held: usize,
    /// Completions to come, the last one first.
    finished: Vec<(Nanos, u64, u64, Op)>,

    work: Work,
    /// When `work` ends; for an idle mechanism since when it is.
    until: Nanos,
    started: Nanos,
    stream: Option<Stream>,
    /// What would go on without a gap from the last transfer, and when that ends.
    next_in_line: Option<(Op, u64, Nanos)>,
    link_free: Nanos,
    orders: u64,
    passes: u64,
    counters: Counters,
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
        let cache = spec.cache_bytes / SECTOR;
        let (write_room, read_room) =
            if spec.write_cache { (cache / 2, cache - cache / 2) } else { (0, cache) };
        let segment = (read_room / SEGMENTS as u64).min(SEGMENT_SECTORS_MAX);
        Ok(Hdd {
            scheduler: spec.scheduler,
            overhead: Nanos(spec.overhead_ns),
            link_ns_per_byte: 1e9 / spec.link_bytes_per_s,
            queue_depth: spec.queue_depth as usize,
            capacity: Bytes(sectors * SECTOR),
            sectors: mechanism.geometry.sectors(),
            segments: Segments::new(SEGMENTS, segment),
            written_segments: Segments::new(SEGMENTS, write_room / SEGMENTS as u64),
            write_room,
            idle: Nanos(mechanism.rotation.period_ns as u64),
            commands: Queue::default(),
            written: Queue::default(),
            written_sectors: 0,
            blocked: VecDeque::new(),
            flushes: VecDeque::new(),
            outside: VecDeque::new(),
            held: 0,
            finished: Vec::new(),
            work: Work::Idle,
            until: Nanos::ZERO,
            started: Nanos::ZERO,
            stream: None,
            next_in_line: None,
            link_free: Nanos::ZERO,
            orders: 0,
            passes: 0,
            counters: Counters::default(),
            mechanism,
        })
    }

    /// Cylinders, spare ones of a short-stroked disk included.
    #[must_use]
    pub fn cylinders(&self) -> u32 {
        self.mechanism.geometry.cylinders
    }

    /// Time to move the arm by some cylinders; at most [`Hdd::cylinders`] − 1.
    #[must_use]
    pub fn seek_time(&self, distance: u32) -> Nanos {
        self.mechanism.rotation.span(self.mechanism.seek[distance as usize])
    }

    fn link(&self, bytes: u64) -> Nanos {
        Nanos((bytes as f64 * self.link_ns_per_byte).ceil() as u64)
    }

    /// Books `bytes` on the link, not before `from`.
    fn transfer(&mut self, from: Nanos, bytes: u64) -> Nanos {
        self.link_free = from.max(self.link_free) + self.link(bytes);
        self.link_free
    }

    fn finish(&mut self, at: Nanos, order: u64, id: u64, op: Op) {
        let place = self.finished.partition_point(|(t, o, ..)| (*t, *o) > (at, order));
        self.finished.insert(place, (at, order, id, op));
    }

    fn admit(&mut self, now: Nanos, request: Request, order: u64) {
        self.held += 1;
        let lba = request.offset.0 / SECTOR;
        let end = request.end().div_ceil(SECTOR);
        let ready = now + self.overhead;
        let command = Command { id: request.id, op: request.op, lba, end, ready, order, passes: self.passes };
        match request.op {
            Op::Discard => self.finish(ready, order, request.id, Op::Discard),
            Op::Flush if self.written.is_empty() && !matches!(self.work, Work::Destage { .. }) => {
                self.finish(ready, order, request.id, Op::Flush);
            }
            Op::Flush => self.flushes.push_back(command),
            _ if request.size == 0 => self.finish(ready, order, request.id, request.op),
            Op::Read => self.read(now, command),
            Op::Write => self.write(command),
        }
        if matches!(self.work, Work::Idle) {
            self.go_on(now, now);
        }
    }

    fn read(&mut self, now: Nanos, mut command: Command) {
        let Command { lba, end, .. } = command;
        if self.is_written(lba, end) || self.segments.holds(lba, end) || self.written_segments.holds(lba, end)
        {
            let at = self.transfer(command.ready, (end - lba) * SECTOR);
            return self.finish(at, command.order, command.id, Op::Read);
        }
        let is_free = matches!(self.work, Work::Idle | Work::Choosing);
        if is_free && !self.is_overdue(&self.commands) && self.join(now, &command) {
            return;
        }
        if let Some(segment) = self.segments.at(lba) {
            command.lba = self.segments.end(segment);
        }
        self.commands.push(command, &self.mechanism);
    }

    /// Serves a read from what is being read ahead, if it begins where that has come or will have come when the controller
    /// is ready.
    fn join(&mut self, now: Nanos, command: &Command) -> bool {
        let Some(stream) = self.stream else { return false };
        let Command { lba, end, ready, .. } = *command;
        let come = self.come(stream, ready);
        let is_whole = self.segments.end(stream.segment) == stream.lba;
        let is_within = lba <= come && self.segments.touches(stream.segment, lba.min(stream.lba));
        if !is_whole || !is_within || (come == stream.limit && end > come) {
            return false;
        }
        if end <= come {
            let at = self.transfer(ready, (end - lba) * SECTOR);
            self.finish(at, command.order, command.id, Op::Read);
            return true;
        }
        let place = self.mechanism.geometry.locate(stream.lba);
        let first = self.mechanism.position(place, 0, stream.at, stream.at);
        let read = first + self.pass(stream.lba, place, end);
        self.read_until(now, read, end, stream.segment);
        let at = (ready + self.link((end - lba) * SECTOR)).max(read + self.link(SECTOR));
        self.finish(at, command.order, command.id, Op::Read);
        true
    }

    /// Begins a read that ends before sector `end` at `read`, and goes on from there.
    fn read_until(&mut self, now: Nanos, read: Nanos, end: u64, segment: usize) {
        self.begin(now, read, Work::Read { segment, end });
        let limit = self.sectors.min(end + self.segments.sectors);
        self.stream = Some(Stream { lba: end, at: read, limit, segment });
        self.next_in_line = Some((Op::Read, end, read));
    }

    /// The sector that reading ahead has come to.
    fn come(&self, stream: Stream, at: Nanos) -> u64 {
        if stream.lba == stream.limit || at == stream.at {
            return stream.lba;
        }
        let place = self.mechanism.geometry.locate(stream.lba);
        let first = self.mechanism.arrival(place, 0, stream.at, stream.at);
        self.mechanism.geometry.reach(stream.lba, at.since(first).0 as f64, stream.limit)
    }

    /// Whether `[lba, end)` waits in the cache as part of one write.
    fn is_written(&self, lba: u64, end: u64) -> bool {
        self.written.iter().any(|written| written.lba <= lba && end <= written.end)
    }

    fn write(&mut self, command: Command) {
        let Command { lba, end, .. } = command;
        self.segments.remove(lba, end);
        if end - lba <= self.write_room {
            self.blocked.push_back(command);
            return self.unblock(command.ready);
        }
        let ready = self.transfer(command.ready, (end - lba) * SECTOR);
        self.commands.push(Command { ready, ..command }, &self.mechanism);
    }

    /// Takes waiting writes into the cache while there is room.
    fn unblock(&mut self, from: Nanos) {
        while let Some(command) = self.blocked.front().copied() {
            let Command { lba, end, .. } = command;
            let again = self.is_written(lba, end);
            let room =
                self.written_sectors + (end - lba) <= self.write_room && self.written.len() < WRITES_MAX;
            if !(again || room) {
                return;
            }
            self.blocked.pop_front();
            if !again {
                self.written_sectors += end - lba;
                self.written.push(Command { passes: self.passes, ..command }, &self.mechanism);
            }
            self.written_segments.add(lba, end);
            let at = self.transfer(from.max(command.ready), (end - lba) * SECTOR);
            self.finish(at, command.order, command.id, Op::Write);
        }
    }

    /// Whether cached data compete with the host's commands.
    fn is_pressed(&self) -> bool {
        let is_full = 2 * self.written_sectors > self.write_room || 2 * self.written.len() > WRITES_MAX;
        !self.written.is_empty() && (is_full || !self.flushes.is_empty() || !self.blocked.is_empty())
    }

    /// Whether the oldest of a queue was passed over too often.
    fn is_overdue(&self, queue: &Queue) -> bool {
        queue.oldest().is_some_and(|oldest| self.is_late(queue.get(oldest)))
    }

    fn is_late(&self, command: &Command) -> bool {
        let places = self.queue_depth.max(self.written.len()) as u64;
        self.passes - command.passes > PASSES_PER_COMMAND * places
    }

    fn begin(&mut self, now: Nanos, until: Nanos, work: Work) {
        (self.started, self.until, self.work) = (now, until.max(now), work);
    }

    /// Lets the mechanism go on: at once with what continues at `now`, else after the controller's choice.
    fn go_on(&mut self, now: Nanos, idle_since: Nanos) {
        if let Some(index) = self.continuing(now) {
            let command = self.commands.take(index);
            self.serve(now, command);
        } else if !self.commands.is_empty() {
            self.begin(now, now + self.overhead, Work::Choosing);
        } else if self.is_pressed() || (!self.written.is_empty() && now >= idle_since + self.idle) {
            self.destage(now);
        } else {
            (self.work, self.until) = (Work::Idle, idle_since);
        }
    }

    /// A command that goes on where the medium is at this moment.
    fn continuing(&self, now: Nanos) -> Option<usize> {
        let (op, lba, _) = self.next_in_line.filter(|(.., at)| *at == now)?;
        let index = self.commands.iter().position(|c| c.lba == lba && c.op == op && c.ready <= now)?;
        let is_next = match self.scheduler {
            Scheduler::Sptf => !self.is_overdue(&self.commands),
            Scheduler::Fifo => self.commands.oldest() == Some(index),
        };
        is_next.then_some(index)
    }

    /// Chooses among commands, and cached data when they press.
    fn choose(&mut self, now: Nanos) {
        self.leave_stream(now);
        self.passes += 1;
        let in_order = match self.scheduler {
            Scheduler::Fifo => self.commands.oldest(),
            Scheduler::Sptf => {
                self.commands.oldest().filter(|oldest| self.is_late(self.commands.get(*oldest)))
            }
        };
        let angle = self.mechanism.rotation.angle(now);
        let nearest =
            in_order.map(|index| (index, 0)).or_else(|| self.commands.nearest(&self.mechanism, angle));
        let written = match self.is_pressed() {
            true => self.written.nearest(&self.mechanism, angle),
            false => None,
        };
        let mut waiting = self.flushes.front().into_iter().chain(self.blocked.front());
        let is_cache_late = waiting.any(|command| self.is_late(command));
        match (nearest, written) {
            (Some((_, time)), Some((_, sooner))) if sooner < time || is_cache_late => self.destage(now),
            (Some((index, _)), _) => {
                let command = self.commands.take(index);
                self.serve(now, command);
            }
            (None, _) => self.destage(now),
        }
    }

    /// Brings cached data to the medium: the nearest, or the oldest if they were passed over too often.
    fn destage(&mut self, now: Nanos) {
        self.leave_stream(now);
        self.passes += 1;
        let angle = self.mechanism.rotation.angle(now);
        let late = self.written.oldest().filter(|oldest| self.is_late(self.written.get(*oldest)));
        let nearest = || self.written.nearest(&self.mechanism, angle).map(|(index, _)| index);
        let Some(index) = late.or_else(nearest) else { return };
        let command = self.written.take(index);
        let end = self.put(now, now, &command);
        self.begin(now, end, Work::Destage { sectors: command.end - command.lba });
    }

    /// Carries out a command of the host, from where the heads are or, if it continues the last transfer, from there.
    fn serve(&mut self, now: Nanos, command: Command) {
        let Command { lba, end, .. } = command;
        if command.op == Op::Write {
            let written = self.put(now, command.ready, &command);
            self.begin(now, written, Work::Write);
            return self.finish(written, command.order, command.id, Op::Write);
        }
        let place = self.mechanism.geometry.locate(lba);
        let first = self.mechanism.position(place, 0, now, now);
        let read = first + self.pass(lba, place, end);
        let segment = self.segments.window(lba);
        self.read_until(now, read, end, segment);
        let sector = Nanos(read.since(first).0 / (end - lba));
        let at = (first + sector + self.link((end - lba) * SECTOR)).max(read + self.link(SECTOR));
        self.finish(at, command.order, command.id, Op::Read);
    }

    /// Positions for a write and passes over its sectors; gives its end.
    fn put(&mut self, now: Nanos, ready: Nanos, command: &Command) -> Nanos {
        let place = self.mechanism.geometry.locate(command.lba);
        let first = self.mechanism.position(place, self.mechanism.write_settle, now, ready);
        let end = first + self.pass(command.lba, place, command.end);
        self.next_in_line = Some((Op::Write, command.end, end));
        end
    }

    fn pass(&mut self, lba: u64, place: Place, end: u64) -> Nanos {
        Nanos(self.mechanism.pass(lba, place, end - lba).round() as u64)
    }

    /// Stops reading ahead: the segment keeps what has come, and the heads are where that led them.
    fn leave_stream(&mut self, now: Nanos) {
        let Some(stream) = self.stream.take() else { return };
        let come = self.come(stream, now);
        if come > stream.lba {
            self.segments.extend(stream.segment, come);
            self.mechanism.settle_at(come - 1);
        }
    }

    /// The mechanism ends what it was doing.
    fn end_work(&mut self, now: Nanos) {
        match self.work {
            Work::Idle => return self.go_on(now, self.until),
            Work::Choosing => return self.choose(now),
            Work::Read { segment, end } => self.segments.extend(segment, end),
            Work::Write => {}
            Work::Destage { sectors } => {
                self.written_sectors -= sectors;
                self.unblock(now);
                self.end_flushes(now);
            }
        }
        self.counters.busy_ns += now.since(self.started).0;
        self.go_on(now, now);
    }

    fn end_flushes(&mut self, now: Nanos) {
        while let Some(flush) = self.flushes.front().copied() {
            if self.written.iter().any(|written| written.order < flush.order) {
                return;
            }
            self.flushes.pop_front();
            self.finish(now.max(flush.ready), flush.order, flush.id, Op::Flush);
        }
    }

    /// When the mechanism next has something to do.
    fn turn(&self) -> Option<Nanos> {
        match self.work {
            Work::Idle if self.written.is_empty() => None,
            Work::Idle => Some(self.until + self.idle),
            _ => Some(self.until),
        }
    }
}

impl Device for Hdd {
    fn capacity(&self) -> Bytes {
        self.capacity
    }

    fn submit(&mut self, now: Nanos, request: Request) {
        self.counters.submitted[request.op as usize] += 1;
        match request.op {
            Op::Read => self.counters.read_bytes += u64::from(request.size),
            Op::Write => self.counters.written_bytes += u64::from(request.size),
            Op::Flush | Op::Discard => {}
        }
        let order = self.orders;
        self.orders += 1;
        if self.held < self.queue_depth {
            self.admit(now, request, order);
        } else {
            self.outside.push_back((request, order));
        }
    }

    fn next(&self) -> Option<Nanos> {
        let completion = self.finished.last().map(|(at, ..)| *at);
        match (completion, self.turn()) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    fn age(&mut self, _request: Request) {}

    fn advance(&mut self, now: Nanos, done: &mut Vec<Completion>) {
        loop {
            // The mechanism goes first: what it completes at this moment may have been submitted before what is ready.
            let completion = self.finished.last().map_or(Nanos::MAX, |(at, ..)| *at);
            if let Some(turn) = self.turn().filter(|turn| *turn <= now && *turn <= completion) {
                self.end_work(turn);
                continue;
            }
            let Some((at, _, id, op)) = self.finished.last().copied().filter(|(at, ..)| *at <= now) else {
                return;
            };
            self.finished.pop();
            self.held -= 1;
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
