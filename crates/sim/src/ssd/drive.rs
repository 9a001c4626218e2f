//! The solid-state drive in time.
//!
//! **A command's way.** It waits for one of `queue_depth` places, in order of arrival. The controller takes
//! commands one after another, each for `read_command_ns` or `write_command_ns`. A read then goes to the dies
//! that hold its pages, one array read for pages that lie in one row; each part crosses channel and link as
//! it comes; with the last the read is done, and `read_overhead_ns` later the host knows. A write waits,
//! first come first served, for space in the buffer, crosses the link, and is done, plus `write_overhead_ns`.
//! Behind that its pages are gathered into rows (a flash page on each plane); a full row goes to the die with
//! the fewest programs and erases waiting, in turn among equals, so long as the die holds no more than its
//! share of the data.
//!
//! Garbage collection is in the foreground: the translation layer cleans when a die is about to run out of
//! blocks, and the copies are done between the host programs that the cleaning made room for
//! (`backend.rs`). A write that covers a page in part costs a read of the old content on its die. A
//! flush is done at once if the buffer is protected; else it waits until what was written before is in flash,
//! a partial row padded. A discard changes the map. A read of a page that was never written, or was taken out
//! of the simulation as cold, takes as long as any other: its die follows from its address.
//!
//! A drive may read ahead of a sequential stream (`drive/ahead.rs`).
//!
//! A drive with a pSLC cache writes to that first (`slc.rs`, `drive/cached.rs`).
//!
//! In idle time the drive folds the cache and cleans ahead, if it is told to (`drive/idle.rs`).
//!
//! **Left out.** The map's own cache and traffic, read disturb and refresh, thermal throttling, merging of writes in
//! the buffer.

mod ahead;
mod cached;
mod charge;
mod command;
mod idle;
mod read;
mod write;

use self::ahead::{AHEAD, Ahead};
use self::command::{Command, PageSize};
use self::idle::Idle;
use super::backend::{Backend, Outcome};
use super::buffer::Buffer;
use super::calendar::NEVER;
use super::ftl::{Ftl, Stats};
use super::line::Line;
use super::link::Link;
use super::slc::Slc;
use super::{Layout, Policy, Preload, SpecError};
use crate::spec::SsdSpec;
use drivecast_block::{Bytes, Completion, Counters, Device, Nanos, Op, Request};
use std::collections::VecDeque;

/// A solid-state drive: see the module's documentation for the model.
#[derive(Debug)]
pub struct Ssd {
    layout: Layout,
    /// Bytes in flash for a byte of the host.
    compression: f64,
    page: PageSize,
    ftl: Ftl,
    backend: Backend,
    buffer: Buffer,
    link: Link,
    /// What a copied page takes of the write rate.
    copy_bytes: f64,
    command_ns: [u64; 4],
    read_overhead_ns: u64,
    write_overhead_ns: u64,
    queue_depth: usize,
    buffer_volatile: bool,
    commands: Vec<Command>,
    unused: Vec<u32>,
    /// Requests beyond the queue depth.
    waiting: VecDeque<(u64, Request)>,
    /// Commands on the controller, by the time it is done with each.
    taken: Line<u32>,
    controller_free: u64,
    /// Writes that wait for buffer space.
    unadmitted: VecDeque<u32>,
    /// Pages on the inbound link: end of transfer, command, pages.
    arriving: Line<(u32, u32)>,
    /// Reads done, by the time the host knows.
    reads_done: Line<u32>,
    /// Writes, flushes and discards done.
    writes_done: Line<u32>,
    /// Flushes that wait for rows issued up to a number.
    flushing: VecDeque<(u64, u32)>,
    /// The row being filled.
    open_row: Option<OpenRow>,
    /// The row of folded pages being filled: its die, its pages.
    folded_row: Option<(usize, u32)>,
    slc: Option<Box<Slc>>,
    ahead: Option<Box<Ahead>>,
    cursor: usize,
    sequence: u64,
    /// Completions of one time, to be put in order of submission.
    tied: Vec<(u64, Completion)>,
    idle: Idle,
    counters: Counters,
    /// What the translation layer had done when counting began.
    counted_from: Stats,
    busy_since: u64,
    /// The last time the drive heard of.
    now: u64,
}

/// A row being filled with host data.
#[derive(Clone, Copy, Debug)]
struct OpenRow {
    die: usize,
    /// Its number in the buffer.
    row: u32,
    pages: u32,
    /// The row of the pSLC cache that it is to become, if it is to.
    cached: Option<u32>,
}

impl Ssd {
    /// A drive for a workload that rewrites and keeps as much as `preload` says. It starts with all flash
    /// erased: fill it and bring it to steady state with [`Device::age`].
    ///
    /// # Errors
    /// A specification that no drive can have, with the field.
    pub fn new(spec: &SsdSpec, preload: &Preload, seed: u64) -> Result<Ssd, SpecError> {
        Ssd::build(spec, Layout::new(spec, preload)?, seed)
    }

    /// A drive like the specified one with at most `pages_max` pages of flash, for workloads that span it
    /// all.
    ///
    /// # Errors
    /// A specification that no drive can have, with the field.
    pub fn scaled(spec: &SsdSpec, pages_max: u64, seed: u64) -> Result<Ssd, SpecError> {
        Ssd::build(spec, Layout::scaled(spec, pages_max)?, seed)
    }

    /// Nothing in the model is random yet; the seed decides where the turn of the dies begins.
    fn build(spec: &SsdSpec, layout: Layout, seed: u64) -> Result<Ssd, SpecError> {
        let ftl = Ftl::new(
            layout.geometry,
            layout.capacity_pages,
            layout.written_pages,
            layout.row_pages,
            Policy::of(spec, seed),
        )?;
        let spec = &spec.in_host_bytes();
        let backend = Backend::new(spec, layout.row_pages, layout.block_pages_specified);
        let write_ns = spec.write_command_ns;
        Ok(Ssd {
            compression: spec.compression,
            page: PageSize::new(spec.mapping_bytes),
            cursor: (seed % backend.dies() as u64) as usize,
            ftl,
            backend,
            buffer: Buffer::new(spec.buffer_bytes / u64::from(spec.mapping_bytes), layout.row_pages),
            link: Link::new(spec),
            copy_bytes: f64::from(spec.mapping_bytes) * spec.copy_cost,
            command_ns: [spec.read_command_ns, write_ns, write_ns, write_ns],
            read_overhead_ns: spec.read_overhead_ns,
            write_overhead_ns: spec.write_overhead_ns,
            queue_depth: spec.queue_depth as usize,
            buffer_volatile: spec.buffer_volatile,
            commands: Vec::new(),
            unused: Vec::new(),
            waiting: VecDeque::new(),
            taken: Line::new(),
            controller_free: 0,
            unadmitted: VecDeque::new(),
            arriving: Line::new(),
            reads_done: Line::new(),
            writes_done: Line::new(),
            flushing: VecDeque::new(),
            open_row: None,
            folded_row: None,
            slc: Slc::new(spec, &layout)?.map(Box::new),
            ahead: Ahead::new(spec.read_ahead_bytes / u64::from(spec.mapping_bytes)),
            sequence: 0,
            tied: Vec::new(),
            idle: Idle::new(spec, &layout),
            counters: Counters::default(),
            counted_from: Stats::default(),
            busy_since: 0,
            now: 0,
            layout,
        })
    }

    /// The drive as simulated.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Its translation layer.
    #[must_use]
    pub fn ftl(&self) -> &Ftl {
        &self.ftl
    }

    /// What was done to the flash, cache and main flash together: pages from the host are counted where they arrive.
    fn stats(&self) -> Stats {
        let main = self.ftl.stats();
        let (written, folded, padded) = self.slc.as_ref().map_or((0, 0, 0), |slc| slc.counts());
        Stats {
            host_pages: main.host_pages + written - folded,
            copied_pages: main.copied_pages + folded,
            padded_pages: main.padded_pages + padded,
            ..main
        }
    }

    /// The unit of its mapping table.
    #[must_use]
    pub fn mapping_bytes(&self) -> u64 {
        self.page.bytes
    }

    /// Commands in the drive.
    fn in_drive(&self) -> usize {
        self.commands.len() - self.unused.len()
    }

    /// Gives a request a place in the drive and the controller's attention.
    fn take(&mut self, now: u64, sequence: u64, request: Request) {
        if self.in_drive() == 0 {
            self.busy_since = now;
            self.idle.end();
        }
        let command = Command { request, sequence, left: 0, next_page: 0, bytes_left: 0 };
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
        self.controller_free = now.max(self.controller_free) + self.command_ns[request.op as usize];
        self.taken.push(self.controller_free, 0, index);
    }

    /// The controller is done with a command.
    fn begin(&mut self, now: u64, index: u32) {
        match self.commands[index as usize].request.op {
            Op::Read => self.read(now, index),
            Op::Write => {
                let command = &mut self.commands[index as usize];
                let pages = self.page.touched(&command.request);
                command.next_page = pages.start;
                command.left = (pages.end - pages.start) as u32;
                command.bytes_left = command.request.size;
                if command.left == 0 {
                    self.writes_done.push(now + self.write_overhead_ns, 0, index);
                } else {
                    self.unadmitted.push_back(index);
                    self.admit(now);
                }
            }
            Op::Flush => self.flush(now, index),
            Op::Discard => {
                self.discard(self.commands[index as usize].request);
                self.writes_done.push(now + self.write_overhead_ns, 0, index);
            }
        }
    }

    /// Hands out the completions of one time, in order of submission, and fills the places they leave.
    fn complete(&mut self, now: u64, done: &mut Vec<Completion>) {
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
            self.counters.busy_ns += now - self.busy_since;
            self.idle.begin(now);
        }
    }

    /// Hands out what completes together with `first`.
    #[cold]
    fn complete_tied(&mut self, now: u64, first: (u64, Completion), done: &mut Vec<Completion>) {
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
    fn leave(&mut self, now: u64, index: u32) -> (u64, Completion) {
        let Command { request, sequence, .. } = self.commands[index as usize];
        self.unused.push(index);
        self.counters.completed[request.op as usize] += 1;
        match request.op {
            Op::Read => self.counters.read_bytes += u64::from(request.size),
            Op::Write => self.counters.written_bytes += u64::from(request.size),
            Op::Flush | Op::Discard => {}
        }
        (sequence, Completion { id: request.id, at: Nanos(now) })
    }

    /// The earliest time at which something is done that concerns a command.
    #[inline]
    fn due(&self) -> u64 {
        let rings = self.taken.first().min(self.reads_done.first()).min(self.writes_done.first());
        self.backend.next().min(self.arriving.first()).min(rings)
    }

    /// Processes events up to and including `until`, and none after the first completions if `one` is set.
    fn process(&mut self, mut until: u64, one: bool, done: &mut Vec<Completion>) {
        loop {
            let time = self.due().min(self.idle.at);
            if time > until || time == NEVER {
                return;
            }
            self.now = time;
            if self.taken.first() == time {
                let index = self.taken.pop();
                self.begin(time, index);
            } else if self.arriving.first() == time {
                let (index, pages) = self.arriving.pop();
                self.arrive(time, index, pages);
            } else if self.backend.next() == time {
                self.step(time);
            } else if self.idle.at == time {
                self.rest(time);
            } else {
                self.complete(time, done);
                if one {
                    until = time;
                }
            }
        }
    }

    /// Processes the next event of the flash.
    #[inline]
    fn step(&mut self, now: u64) {
        let idle = match self.backend.step() {
            Outcome::Nothing => return,
            Outcome::Read(part) if part.slot & AHEAD == 0 => return self.send(now, part),
            Outcome::Read(part) => return self.arrive_ahead(now, part.slot),
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
            self.process(now.0, false, &mut Vec::new());
        }
        self.now = now.0;
        self.counters.submitted[request.op as usize] += 1;
        let sequence = self.sequence;
        self.sequence += 1;
        if self.in_drive() < self.queue_depth {
            self.take(now.0, sequence, request);
        } else {
            self.waiting.push_back((sequence, request));
        }
    }

    fn next(&self) -> Option<Nanos> {
        Some(self.due()).filter(|&time| time != NEVER && !self.idle.resting).map(Nanos)
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
        self.process(now.0, false, done);
        self.now = now.0;
    }

    fn run(&mut self, until: Nanos, done: &mut Vec<Completion>) -> Nanos {
        self.process(until.0, true, done);
        Nanos(self.now)
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
            busy_ns: self.counters.busy_ns + if self.in_drive() > 0 { self.now - self.busy_since } else { 0 },
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
