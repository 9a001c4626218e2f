//! The solid-state drive in time.
//!
//! **The path of a command.** It waits for one of `queue_depth` places, in order of arrival. The controller takes
//! commands one after another, each for `read_command_ns` or `write_command_ns`. A read then goes to the dies
//! that hold its pages, one array read for pages that lie in one row; each part crosses channel and link as
//! it comes; with the last the read is done, and `read_overhead_ns` later the host knows. A write waits,
//! first come first served, for space in the buffer, crosses the link, and is done, plus `write_overhead_ns` and what varies
//! (`write_time.rs`).
//! Behind that its pages are gathered into rows (what one program covers) of the die with the fewest programs and erases
//! waiting, in turn among equals, so long as the die holds no more than its share of the data; a full row goes there at the
//! rate that the drive can program (`drive/buffer_drain.rs`).
//!
//! Beyond its steady rate the buffer is full, and drives differ: reads still go first; or nothing is suspended for them
//! (`full_holds_reads`); or they wait behind the writes in front (`full_queues_reads`). Some hold writes up below that rate,
//! too, while they clean in batches (`drive/batch.rs`).
//!
//! Garbage collection is in the foreground: the translation layer cleans when a die is about to run out of
//! blocks, and the copies are done between the host programs that the cleaning made space for
//! (`backend.rs`). A write that covers a page in part costs a read of the old content on its die. Flushes and writes with
//! forced unit access wait for flash where the buffer is volatile (`drive/durable.rs`). A discard changes the map. A read of a page that was never written, or was taken out
//! of the simulation as cold, takes as long as any other: its die follows from its address.
//!
//! A drive may read ahead of a sequential stream (`drive/read_ahead.rs`).
//!
//! A drive with a pSLC cache writes to that first (`slc.rs`, `drive/cached.rs`).
//!
//! In idle time the drive folds the cache and cleans ahead, if it is set to (`drive/idle.rs`).
//!
//! **Left out.** The map's own cache and traffic, read disturb and refresh, thermal throttling, merging of writes in
//! the buffer.

mod batch;
mod buffer_drain;
mod cached;
mod cleaning_time;
mod command;
mod durable;
mod durable_write;
mod idle;
mod idle_time;
mod issue;
mod read;
mod read_ahead;
mod segments;
mod state;
mod write;

pub use self::state::Ssd;

use self::command::Command;
use super::backend::Outcome;
use super::die::Reader;
use drivecast_block::{Bytes, Completion, Counters, Device, Nanos, Op, Request};

impl Ssd {
    /// Gives a request a place in the drive and the controller's attention.
    fn take(&mut self, now: Nanos, sequence: u64, request: Request) {
        if self.in_drive() == 0 {
            self.busy_since = now;
            self.idle.end();
        }
        let command =
            Command { request, sequence, left: 0, next_page: 0, bytes_left: 0, first_row: u64::MAX };
        let index = match self.unused.pop() {
            Some(index) => {
                self.commands[index as usize] = command;
                index
            }
            None => {
                self.commands.push(command);
                (self.commands.len() - 1) as u32
            }
        };
        self.ftl.prefetch(self.page.page(request.offset.0));
        self.controller_free = now.max(self.controller_free) + self.command_time[request.op as usize];
        self.taken.push(self.controller_free, 0, index);
    }

    /// The controller is done with a command.
    fn begin(&mut self, now: Nanos, index: u32) {
        match self.commands[index as usize].request.op {
            Op::Read if self.full_queues_reads && !self.unadmitted.is_empty() => {
                self.unadmitted.push_back(index);
            }
            Op::Read => self.read(now, index),
            Op::Write => {
                let command = &mut self.commands[index as usize];
                let pages = self.page.touched(&command.request);
                command.next_page = pages.start;
                command.left = (pages.end - pages.start) as u32;
                command.bytes_left = command.request.size;
                if command.left == 0 {
                    self.writes_done.push(now + self.write_times.fixed, 0, index);
                } else {
                    self.unadmitted.push_back(index);
                    self.admit(now);
                }
            }
            Op::Flush => self.flush(now, index),
            Op::Discard => {
                self.discard(self.commands[index as usize].request);
                self.writes_done.push(now + self.write_times.fixed, 0, index);
            }
        }
    }

    /// Hands out the completions of one time, in order of submission, and fills the places they leave.
    fn complete(&mut self, now: Nanos, done: &mut Vec<Completion>) {
        let read = self.reads_done.first() == now;
        let index = if read { self.reads_done.pop() } else { self.writes_done.pop() };
        let first = self.leave(now, index);
        if self.reads_done.first() == now || self.writes_done.first() == now {
            self.complete_tied(now, first, done);
        } else {
            done.push(first.1);
        }
        while self.in_drive() < self.queue_depth
            && let Some((sequence, request)) = self.waiting.pop_front()
        {
            self.take(now, sequence, request);
        }
        if self.in_drive() == 0 {
            self.counters.busy_ns += (now - self.busy_since).0;
            self.idle.begin(now);
        }
    }

    /// Hands out what completes together with `first`.
    #[cold]
    fn complete_tied(&mut self, now: Nanos, first: (u64, Completion), done: &mut Vec<Completion>) {
        let mut tied = std::mem::take(&mut self.tied);
        tied.push(first);
        while self.reads_done.first() == now {
            let index = self.reads_done.pop();
            tied.push(self.leave(now, index));
        }
        while self.writes_done.first() == now {
            let index = self.writes_done.pop();
            tied.push(self.leave(now, index));
        }
        tied.sort_unstable_by_key(|(sequence, _)| *sequence);
        done.extend(tied.drain(..).map(|(_, completion)| completion));
        self.tied = tied;
    }

    /// A command is done and leaves the drive. Its order of submission and its completion.
    #[inline]
    fn leave(&mut self, now: Nanos, index: u32) -> (u64, Completion) {
        let Command { request, sequence, .. } = self.commands[index as usize];
        self.unused.push(index);
        self.counters.completed[request.op as usize] += 1;
        match request.op {
            Op::Read => self.counters.read_bytes += u64::from(request.size),
            Op::Write => self.counters.written_bytes += u64::from(request.size),
            Op::Flush | Op::Discard => {}
        }
        (sequence, Completion { id: request.id, at: now })
    }

    /// The earliest time at which something is done that concerns a command.
    #[inline]
    fn due(&self) -> Nanos {
        let rings = self.taken.first().min(self.reads_done.first()).min(self.writes_done.first());
        self.backend.next().min(self.arriving.first()).min(self.drain.due()).min(self.batch_end()).min(rings)
    }

    /// The end of the batch of cleaning that writes wait for; [`Nanos::MAX`] if none does.
    #[inline]
    fn batch_end(&self) -> Nanos {
        if self.unadmitted.is_empty() || self.batch.until == Nanos::ZERO {
            Nanos::MAX
        } else {
            self.batch.until
        }
    }

    /// Processes events up to and including `until`, and none after the first completions if `stops` is set.
    fn process(&mut self, mut until: Nanos, stops: bool, done: &mut Vec<Completion>) {
        loop {
            let time = self.due().min(self.idle.at);
            if time > until || time == Nanos::MAX {
                return;
            }
            self.now = time;
            if self.taken.first() == time {
                let index = self.taken.pop();
                self.begin(time, index);
            } else if self.arriving.first() == time {
                let (index, pages) = self.arriving.pop();
                self.arrive(time, index, pages);
            } else if self.batch_end() == time {
                self.admit(time);
            } else if self.drain.due() == time {
                self.drain_rows(time);
            } else if self.backend.next() == time {
                self.step(time);
            } else if self.idle.at == time {
                self.rest(time);
            } else {
                self.complete(time, done);
                if stops {
                    until = time;
                }
            }
        }
    }

    /// Processes the next event of the flash.
    #[inline]
    fn step(&mut self, now: Nanos) {
        let idle = match self.backend.step() {
            Outcome::Nothing => return,
            Outcome::Read(job) => {
                return match job.reader {
                    Reader::Command(index) => self.send(now, index, job.bytes),
                    Reader::Ahead(segment) => self.arrive_ahead(now, segment),
                };
            }
            Outcome::Programmed(row, die) => {
                self.programmed(now, row);
                die
            }
            Outcome::Idle(die) => die,
        };
        if self.idle.resting {
            self.clean_ahead(now, idle as usize);
        }
    }
}

impl Device for Ssd {
    fn capacity(&self) -> Bytes {
        Bytes(self.layout.capacity_pages * self.page.bytes)
    }

    fn submit(&mut self, now: Nanos, request: Request) {
        if self.in_drive() == 0 {
            // Idle work is due to no one; the drive catches up with it.
            self.process(now, false, &mut Vec::new());
        }
        self.now = now;
        self.counters.submitted[request.op as usize] += 1;
        let sequence = self.sequence;
        self.sequence += 1;
        if self.in_drive() < self.queue_depth {
            self.take(now, sequence, request);
        } else {
            self.waiting.push_back((sequence, request));
        }
    }

    fn next(&self) -> Option<Nanos> {
        Some(self.due()).filter(|&time| time != Nanos::MAX && !self.idle.resting)
    }

    fn age(&mut self, request: Request) {
        match request.op {
            Op::Write => {
                self.ftl.tag(request.stream);
                for page in self.page.touched(&request) {
                    self.age_page(page);
                }
            }
            Op::Discard => self.discard(request),
            Op::Read | Op::Flush => {}
        }
    }

    fn idle(&mut self) {
        self.rest_outside_time();
    }

    fn advance(&mut self, now: Nanos, done: &mut Vec<Completion>) {
        self.process(now, false, done);
        self.now = now;
    }

    fn run(&mut self, until: Nanos, done: &mut Vec<Completion>) -> Nanos {
        self.process(until, true, done);
        self.now
    }

    #[inline]
    fn expect(&self, request: &Request) {
        self.ftl.prefetch(self.page.page(request.offset.0));
    }

    fn counters(&self) -> Counters {
        let stats = self.stats().since(&self.counted_from);
        let cleaned = stats.erases * u64::from(self.ftl.pages_per_block());
        Counters {
            flash_host_pages: stats.host_pages,
            flash_copied_pages: stats.copied_pages + stats.padded_pages,
            flash_programmed_pages: (stats.programmed_pages() as f64 * self.compression).round() as u64,
            flash_erases: cleaned / self.layout.block_pages_specified,
            busy_ns: self.counters.busy_ns
                + if self.in_drive() > 0 { (self.now - self.busy_since).0 } else { 0 },
            ..self.counters
        }
    }

    fn reset_counters(&mut self) {
        self.counted_from = self.stats();
        self.counters = Counters::default();
        self.busy_since = self.now;
    }

    fn fault(&self) -> Option<String> {
        self.ftl.fault().map(ToString::to_string)
    }
}
