//! ZFS's intent log on a device of its own (SLOG): synchronous writes are complete in the log, and go to the slow device later.
//!
//! A synchronous write (each, with `sync=always`; else one with forced unit access) is appended to the log, a ring on the fast
//! device, in blocks of 4 KiB and one more for its header, and is complete when it is there. Any other write is complete in
//! memory. What was written stays in memory until its transaction group is written to the slow device: every `txg_timeout`, or once
//! `dirty_sync_percent` of `dirty_max` is dirty; one group at a time, in order of address, what follows each other together up to 1 MiB,
//! `async_writes` at a time. Then its part of the log is free. Once `dirty_max` is dirty writes wait; so they do while the log is
//! full.
//!
//! Reads of what is in memory take no device; others go to the slow one. A flush waits for the log, where the writes before it are.
//!
//! After a crash the log is replayed: what was dirty is still to be written. Left out: ZFS's copy-on-write on the slow device (blocks
//! go to where they are addressed), indirect writes of large blocks, and the throttle that delays writes before `dirty_max`.

use super::io::{Io, Piece, Side};
use super::orders::{LATER, Orders};
use crate::request_slots::Slots;
use crate::spec::{Restart, SlogSpec};
use drivecast_block::{Bytes, Nanos, Op, Request};
use std::collections::{BTreeSet, VecDeque};

const BLOCK: u64 = 4096;
const HEADER: u64 = 4096;
/// What is written to the slow device at once.
const RUN_BYTES_MAX: u64 = 1 << 20;

/// What an I/O is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// A request.
    Request(u32),
    /// A run of the group that is being written.
    Sync,
}

/// The log; see the module.
#[derive(Clone)]
pub(super) struct Slog {
    spec: SlogSpec,
    dirty_max: u64,
    /// Blocks written since the last group was closed, and those of the group that is being written.
    open: BTreeSet<u64>,
    syncing: BTreeSet<u64>,
    /// Of these, where writing continues.
    cursor: u64,
    in_flight: u32,
    /// Bytes of the log: all, in use by either group, and where the next write goes.
    log: u64,
    log_open: u64,
    log_syncing: u64,
    at: u64,
    waiting: VecDeque<(u32, Request)>,
    works: Slots<Step>,
    next_txg: Nanos,
    /// Bytes of the slow device.
    origin: u64,
}

impl Slog {
    /// An empty log of so many bytes of the fast device before so many; memory is scaled as they are.
    pub(super) fn new(spec: &SlogSpec, [size, origin]: [Bytes; 2], scale: f64) -> Slog {
        Slog {
            origin: origin.0,
            dirty_max: ((spec.dirty_max.0 as f64 * scale) as u64).max(RUN_BYTES_MAX),
            open: BTreeSet::new(),
            syncing: BTreeSet::new(),
            cursor: 0,
            in_flight: 0,
            log: size.0 / BLOCK * BLOCK,
            log_open: 0,
            log_syncing: 0,
            at: 0,
            waiting: VecDeque::new(),
            works: Slots::new(),
            next_txg: Nanos::MAX,
            spec: spec.clone(),
        }
    }

    /// There is no memory worth fetching.
    pub(super) fn expect(&self, _request: &Request) {}

    /// Takes a request in; the number of its pieces.
    pub(super) fn submit(&mut self, now: Nanos, job: u32, request: &Request, orders: &mut Orders) -> u32 {
        let Request { op, size, stream, fua, .. } = *request;
        let piece = Piece { job, op, offset: request.offset.0, size, stream, fua };
        match op {
            Op::Discard | Op::Flush => 0,
            Op::Read | Op::Write if size == 0 => 0,
            Op::Read => {
                orders.counters.reads += 1;
                let in_memory = |block: u64| self.open.contains(&block) || self.syncing.contains(&block);
                if blocks(request).all(in_memory) {
                    orders.counters.ram_hits += 1;
                    orders.finish(job);
                    return 1;
                }
                orders.counters.disk_reads += 1;
                let work = self.works.insert(Step::Request(job));
                orders.send(piece.on(Side::Slow, piece.offset, work));
                1
            }
            Op::Write => {
                if !self.waiting.is_empty() || !self.has_space(request) {
                    orders.counters.pending_enqueues += 1;
                    self.waiting.push_back((job, *request));
                    self.sync(now, orders);
                    return LATER;
                }
                self.write(now, piece, request, orders)
            }
        }
    }

    fn log_bytes(&self, request: &Request) -> u64 {
        if self.spec.always || request.fua {
            u64::from(request.size).div_ceil(BLOCK) * BLOCK + HEADER
        } else {
            0
        }
    }

    /// Whether memory and log have space for a write; or nothing is there to make space.
    fn has_space(&self, request: &Request) -> bool {
        let in_memory = (self.open.len() + self.syncing.len()) as u64 * BLOCK;
        let in_log = self.log_open + self.log_syncing;
        in_memory == 0
            || (in_memory + u64::from(request.size) <= self.dirty_max
                && in_log + self.log_bytes(request) <= self.log)
    }

    fn write(&mut self, now: Nanos, piece: Piece, request: &Request, orders: &mut Orders) -> u32 {
        orders.counters.writes += 1;
        self.open.extend(blocks(request));
        self.next_txg = self.next_txg.min(now + self.spec.txg_timeout);
        // What is larger than the log goes through it in parts; its last part is written.
        let bytes = self.log_bytes(request).min(self.log);
        if bytes == 0 {
            orders.finish(piece.job);
        } else {
            if self.at + bytes > self.log {
                self.at = 0;
            }
            orders.counters.ssd_writes += 1;
            let work = self.works.insert(Step::Request(piece.job));
            let (offset, size) = (self.at, bytes as u32);
            orders.send(Io::own(Side::Fast, Op::Write, offset, size, work));
            self.at += bytes;
            self.log_open += bytes;
        }
        let dirty = self.open.len() as u64 * BLOCK;
        if dirty * 100 >= self.dirty_max * u64::from(self.spec.dirty_sync_percent) {
            self.sync(now, orders);
        }
        1
    }

    /// Closes the group, if none is being written, and begins to write it.
    fn sync(&mut self, now: Nanos, orders: &mut Orders) {
        if !self.syncing.is_empty() || self.open.is_empty() {
            return;
        }
        self.syncing = std::mem::take(&mut self.open);
        self.log_syncing = std::mem::take(&mut self.log_open);
        self.cursor = 0;
        self.next_txg = now + self.spec.txg_timeout;
        self.write_group(orders);
    }

    /// Writes on, as much as may be under way.
    fn write_group(&mut self, orders: &mut Orders) {
        while self.in_flight < self.spec.async_writes
            && let Some(first) = self.syncing.range(self.cursor..).next().copied()
        {
            let run = self.syncing.range(first..).take((RUN_BYTES_MAX / BLOCK) as usize);
            let count = (first..).zip(run).take_while(|(at, block)| at == *block).count() as u64;
            self.cursor = first + count;
            self.in_flight += 1;
            orders.counters.disk_writes += 1;
            orders.counters.cleanings += count;
            let work = self.works.insert(Step::Sync);
            let offset = first * BLOCK;
            let size = (count * BLOCK).min(self.origin - offset) as u32;
            orders.send(Io::own(Side::Slow, Op::Write, offset, size, work));
        }
    }

    /// An I/O is done.
    pub(super) fn arrive(&mut self, now: Nanos, id: u32, orders: &mut Orders) {
        match self.works.remove(id) {
            Step::Request(job) => orders.finish(job),
            Step::Sync => {
                self.in_flight -= 1;
                self.write_group(orders);
                if self.in_flight == 0 {
                    self.end_group(now, orders);
                }
            }
        }
    }

    /// The group is on the slow device.
    fn end_group(&mut self, now: Nanos, orders: &mut Orders) {
        self.syncing.clear();
        self.log_syncing = 0;
        if self.open.is_empty() {
            self.next_txg = Nanos::MAX;
        }
        while let Some((job, request)) = self.waiting.front().copied() {
            if !self.has_space(&request) {
                return self.sync(now, orders);
            }
            self.waiting.pop_front();
            let Request { op, size, stream, fua, .. } = request;
            let piece = Piece { job, op, offset: request.offset.0, size, stream, fua };
            let pieces = self.write(now, piece, &request, orders);
            orders.begin(job, pieces);
        }
    }

    /// When the next group is due: never, while nothing is dirty, or one is being written.
    pub(super) fn due(&self) -> Nanos {
        if self.syncing.is_empty() { self.next_txg } else { Nanos::MAX }
    }

    /// Writes a group.
    pub(super) fn wake(&mut self, now: Nanos, orders: &mut Orders) {
        self.next_txg = Nanos::MAX;
        self.sync(now, orders);
    }

    /// Takes the log away and sets it up again: what is dirty is replayed.
    pub(super) fn restart(&mut self, how: Restart, orders: &mut Orders) {
        if how == Restart::Remove {
            self.sync(Nanos::ZERO, orders);
        }
    }

    /// Bytes that hold data, all of them dirty.
    pub(super) fn held(&self) -> (u64, u64) {
        let dirty = (self.open.len() + self.syncing.len()) as u64 * BLOCK;
        (dirty, dirty)
    }

    /// Memory that it takes, but for what is small.
    pub(super) fn memory(&self) -> usize {
        (self.open.len() + self.syncing.len()) * 16
    }
}

fn blocks(request: &Request) -> std::ops::Range<u64> {
    request.offset.0 / BLOCK..request.end().div_ceil(BLOCK)
}
