//! The state of a disk, and what all parts of the model do with it.

use super::cache::Segments;
use super::geometry::SECTOR;
use super::mechanism::Mechanism;
use super::queue::{Command, Queue};
use super::sheet;
use super::write_cache::WriteCache;
use crate::spec::{HddOverhead, HddOverheads, HddSpec, ReadAhead, Scheduler, SpecError};
use drivecast_block::random;
use drivecast_block::{Bytes, Counters, Nanos, Op, Request};
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

/// Where the medium is read from when nothing else is to be done.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stream {
    /// The next sector.
    pub(super) lba: u64,
    /// When the one before it ended.
    pub(super) at: Nanos,
    /// Reading ahead stops before this sector.
    pub(super) limit: u64,
    pub(super) segment: usize,
    /// Where the window can begin from some time on, because all of the track has come by.
    pub(super) front: u64,
    pub(super) front_at: Nanos,
}

/// A request that will complete.
#[derive(Clone, Copy, Debug)]
pub(super) struct Finished {
    pub(super) at: Nanos,
    pub(super) order: u64,
    pub(super) id: u64,
    pub(super) op: Op,
}

/// A simulated disk.
#[derive(Clone, Debug)]
pub struct Hdd {
    pub(super) mechanism: Mechanism,
    pub(super) scheduler: Scheduler,
    overheads: HddOverheads,
    link_ns_per_byte: f64,
    pub(super) queue_depth: usize,
    pub(super) capacity: Bytes,
    /// Sectors that can be read ahead, those behind the partition included.
    pub(super) sectors: u64,
    pub(super) read_ahead: ReadAhead,
    pub(super) keeps_passing: bool,
    pub(super) reads_on_arrival: bool,

    /// Commands that wait for the mechanism.
    pub(super) commands: Queue,
    pub(super) written: WriteCache,
    pub(super) segments: Segments,
    /// Requests beyond the queue depth.
    pub(super) outside: VecDeque<(Request, u64)>,
    pub(super) held: usize,
    /// Completions to come, the last one first.
    pub(super) finished: Vec<Finished>,

    pub(super) work: Work,
    /// When `work` ends.
    pub(super) until: Nanos,
    pub(super) started: Nanos,
    pub(super) stream: Option<Stream>,
    /// What would continue the last transfer without a gap, and when that ends.
    pub(super) next_in_line: Option<(Op, u64, Nanos)>,
    /// Which way the arm went last.
    pub(super) is_inward: bool,
    /// While commands and cached data take turns.
    pub(super) is_turn_of_commands: bool,
    /// What the command before was, and whether this one followed it at once.
    pub(super) before: Op,
    pub(super) is_in_succession: bool,
    /// When the last completion was.
    pub(super) last_end: Nanos,
    pub(super) link_free: Nanos,
    pub(super) orders: u64,
    /// Choices made among commands.
    pub(super) passes: u64,
    pub(super) counters: Counters,
}

impl Hdd {
    /// A disk at rest, its heads outside, its platters at an angle drawn from `seed`.
    ///
    /// # Errors
    /// A field lies outside what the model means: the error names it, the limit and the value.
    pub fn new(spec: &HddSpec, seed: u64) -> Result<Hdd, SpecError> {
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
            written: WriteCache::new(buffer.write_sectors, buffer.write_segments),
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
    pub fn cylinders(&self) -> u32 {
        self.mechanism.geometry.cylinders
    }

    /// Time to move the arm by some cylinders; at most [`Hdd::cylinders`] − 1.
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

    /// Takes waiting writes into the cache while there is space.
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
