//! A disk as a device: commands in, completions out.
//!
//! **Model.** The disk holds up to `queue_depth` commands; further ones wait in the host, in order. A read that lies in the
//! buffer and a write that fits in the write cache need the controller (its overhead) and the link alone; the others
//! wait for the mechanism. Transfers from and to the buffer follow each other on the link; transfers at media rate are
//! not held up by them. A flush waits for all cached data written before it; without write cache there are none.
//! **Left out:** half-duplex contention on the link.

use super::disk::{Finished, Hdd, Work};
use super::geometry::SECTOR;
use super::queue::Command;
use drivecast_block::{Bytes, Completion, Counters, Device, Nanos, Op, Request};

impl Hdd {
    fn admit(&mut self, now: Nanos, request: Request, order: u64) {
        let rest = Nanos(self.mechanism.rotation.period_ns as u64);
        self.is_in_succession = self.held > 0 || now < self.last_end + rest;
        self.held += 1;
        let Request { id, op, offset, fua, .. } = request;
        let (lba, end) = (offset.0 / SECTOR, request.end().div_ceil(SECTOR));
        let mut ready = now + self.overhead(op, |overheads| overheads.read_hit);
        if op == Op::Flush {
            // Data written before have to cross the link first.
            ready = ready.max(self.link_free);
        }
        let command = Command { id, op, lba, end, ready, crossed: Nanos::ZERO, order, passes: self.passes };
        match op {
            Op::Read if lba < end => self.read(now, command),
            Op::Write if lba < end => self.write(now, command, fua),
            Op::Flush if !self.written.queue.is_empty() || matches!(self.work, Work::Destage { .. }) => {
                self.written.flushes.push_back(command);
            }
            _ => self.finish(ready, &command),
        }
        if matches!(self.work, Work::Idle) {
            self.proceed(now);
        }
        self.before = op;
    }

    /// Takes a write into the cache if it may wait there: with forced unit access it goes to the medium.
    fn write(&mut self, now: Nanos, mut command: Command, fua: bool) {
        let Command { lba, end, .. } = command;
        self.overwrite(lba, end);
        if !fua && self.written.takes(end - lba) {
            command.ready = now + self.overhead(Op::Write, |overheads| overheads.write_hit);
            self.written.blocked.push_back(command);
            return self.fill_cache(now);
        }
        let ready = now + self.overhead(Op::Write, |overheads| overheads.write_miss);
        command.ready = self.transfer(ready, (end - lba) * SECTOR);
        self.commands.push(command, &self.mechanism);
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
