//! The solid-state drive in time.
//!
//! **A command's way.** It waits for one of `queue_depth` places, in order of arrival. The controller takes commands one after
//! another, each for `read_command_ns` or `write_command_ns`. A read then goes to the dies that hold its pages, one array read
//! for pages that lie in one row; each part crosses channel and link as it comes; with the last the read is done, and
//! `read_overhead_ns` later the host knows. A write waits, first come first served, for space in the buffer, crosses the
//! link, and is done, plus `write_overhead_ns`. Behind that its pages are gathered into rows (a flash page on each plane);
//! a full row goes to the die with the fewest programs and erases waiting, in turn among equals, so long as the die holds
//! no more than its share of the data.
//!
//! Garbage collection is in the foreground: the translation layer cleans when a die is about to run out of blocks, and
//! the copies are done between the host programs that the cleaning made room for ([`super::backend`]). A write that
//! covers a page in part costs a read of the old content on its die. A flush is done at once if the buffer is protected;
//! else it waits until what was written before is in flash, a partial row padded. A discard changes the map. A read of
//! a page that was never written, or was taken out of the simulation as cold, takes as long as any other: its die follows
//! from its address.
//!
//! **Left out.** The map's own cache and traffic, background cleaning in idle time, wear levelling, read disturb and
//! refresh, thermal throttling, merging of writes in the buffer, pSLC caching.

use super::backend::{Backend, Outcome};
use super::buffer::Buffer;
use super::calendar::NEVER;
use super::die::ReadJob;
use super::ftl::{Ftl, Sink, Stats};
use super::link::Link;
use super::{Layout, Preload, SpecError};
use crate::spec::SsdSpec;
use drivecast_block::{Bytes, Completion, Counters, Device, Nanos, Op, Request};
use std::collections::VecDeque;

/// A command in the drive.
#[derive(Clone, Copy, Debug)]
struct Command {
    request: Request,
    /// Order of submission.
    sequence: u64,
    /// Reads: parts not yet at the host. Writes: pages not yet admitted. Flushes: rows not yet programmed.
    left: u32,
    /// Writes: the next page to place.
    next_page: u64,
    /// Writes: bytes not yet sent.
    bytes_left: u32,
}

/// A solid-state drive: see the module's documentation for the model.
#[derive(Debug)]
pub struct Ssd {
    layout: Layout,
    page_bytes: u64,
    ftl: Ftl,
    backend: Backend,
    buffer: Buffer,
    inbound: Link,
    outbound: Link,
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
    taken: VecDeque<(u64, u32)>,
    controller_free: u64,
    /// Writes that wait for buffer space.
    unadmitted: VecDeque<u32>,
    /// Pages on the inbound link: end of transfer, command, pages.
    arriving: VecDeque<(u64, u32, u32)>,
    /// Reads done, by the time the host knows.
    reads_done: VecDeque<(u64, u32)>,
    /// Writes, flushes and discards done.
    writes_done: VecDeque<(u64, u32)>,
    /// Flushes that wait for rows issued up to a number.
    flushing: VecDeque<(u64, u32)>,
    /// The row being filled: its die, itself, its pages.
    open_row: Option<(usize, u32, u32)>,
    cursor: usize,
    sequence: u64,
    /// Completions of one time, to be put in order of submission.
    tied: Vec<(u64, Completion)>,
    counters: Counters,
    /// What the translation layer had done when counting began.
    counted_from: Stats,
    busy_since: u64,
    /// The last time the drive heard of.
    now: u64,
}

/// Charges the work of a cleaning to the flash.
struct Charge<'a> {
    backend: &'a mut Backend,
    pages_per_block: u32,
    row_pages: u32,
}

impl Sink for Charge<'_> {
    fn collected(&mut self, die: usize, copies: u32, valid: &[u64]) {
        let reads = rows_with_data(valid, self.row_pages);
        let span = self.pages_per_block - copies;
        self.backend.cleaned(die, self.pages_per_block, copies, reads, span);
    }
}

/// Rows of `row_pages` in which at least one bit is set.
fn rows_with_data(valid: &[u64], row_pages: u32) -> u32 {
    let mut rows = 0;
    let mut next = 0;
    for (i, &word) in valid.iter().enumerate() {
        let first = i as u32 * 64;
        let mut left = word;
        loop {
            let skip = next.max(first) - first;
            left = if skip < 64 { left & u64::MAX << skip } else { 0 };
            if left == 0 {
                break;
            }
            rows += 1;
            next = ((first + left.trailing_zeros()) / row_pages + 1) * row_pages;
        }
    }
    rows
}

impl Ssd {
    /// A drive for a workload that rewrites and keeps as much as `preload` says. It starts with all flash erased: fill it
    /// and bring it to steady state with [`Device::age`].
    ///
    /// # Errors
    /// A specification that no drive can have, with the field.
    pub fn new(spec: &SsdSpec, preload: &Preload, seed: u64) -> Result<Ssd, SpecError> {
        Ssd::build(spec, Layout::new(spec, preload)?, seed)
    }

    /// A drive like the specified one with at most `pages_max` pages of flash, for workloads that span it all.
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
            spec.gc,
        )?;
        let backend = Backend::new(spec, layout.row_pages, layout.block_pages_specified);
        let write_ns = spec.write_command_ns;
        Ok(Ssd {
            page_bytes: spec.mapping_bytes.into(),
            cursor: (seed % backend.dies() as u64) as usize,
            ftl,
            backend,
            buffer: Buffer::new(spec.buffer_bytes / u64::from(spec.mapping_bytes), layout.row_pages),
            inbound: Link::new(spec.link_bytes_per_s, spec.write_bytes_per_s),
            outbound: Link::new(spec.link_bytes_per_s, spec.read_bytes_per_s),
            command_ns: [spec.read_command_ns, write_ns, write_ns, write_ns],
            read_overhead_ns: spec.read_overhead_ns,
            write_overhead_ns: spec.write_overhead_ns,
            queue_depth: spec.queue_depth as usize,
            buffer_volatile: spec.buffer_volatile,
            commands: Vec::new(),
            unused: Vec::new(),
            waiting: VecDeque::new(),
            taken: VecDeque::new(),
            controller_free: 0,
            unadmitted: VecDeque::new(),
            arriving: VecDeque::new(),
            reads_done: VecDeque::new(),
            writes_done: VecDeque::new(),
            flushing: VecDeque::new(),
            open_row: None,
            sequence: 0,
            tied: Vec::new(),
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

    /// Commands in the drive.
    fn in_drive(&self) -> usize {
        self.commands.len() - self.unused.len()
    }

    /// Gives a request a place in the drive and the controller's attention.
    fn take(&mut self, now: u64, sequence: u64, request: Request) {
        if self.in_drive() == 0 {
            self.busy_since = now;
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
        self.ftl.prefetch(request.offset.0 / self.page_bytes);
        self.controller_free = now.max(self.controller_free) + self.command_ns[request.op as usize];
        self.taken.push_back((self.controller_free, index));
    }

    /// The controller is done with a command.
    fn begin(&mut self, now: u64, index: u32) {
        match self.commands[index as usize].request.op {
            Op::Read => self.read(now, index),
            Op::Write => {
                let command = &mut self.commands[index as usize];
                let pages = pages_of(&command.request, self.page_bytes);
                command.next_page = pages.start;
                command.left = (pages.end - pages.start) as u32;
                command.bytes_left = command.request.size;
                if command.left == 0 {
                    self.writes_done.push_back((now + self.write_overhead_ns, index));
                } else {
                    self.unadmitted.push_back(index);
                    self.admit(now);
                }
            }
            Op::Flush => self.flush(now, index),
            Op::Discard => {
                self.discard(self.commands[index as usize].request);
                self.writes_done.push_back((now + self.write_overhead_ns, index));
            }
        }
    }

    /// Sends a read to the dies that hold its pages.
    fn read(&mut self, now: u64, index: u32) {
        let request = self.commands[index as usize].request;
        let mut buffered = 0;
        let mut parts = 0;
        // Pages that follow each other in one row of a die are read as one.
        let mut run = (u64::MAX, 0, 0);
        for page in pages_of(&request, self.page_bytes) {
            let bytes = overlap(&request, page, self.page_bytes);
            let (die, row) = match self.ftl.lookup(page) {
                Some(place) if self.buffer.holds(place) => {
                    buffered += bytes;
                    continue;
                }
                Some(place) => (
                    self.ftl.die_of(place),
                    u64::from(place - self.ftl.page_of(place) % self.layout.row_pages),
                ),
                None => {
                    let row = page / u64::from(self.layout.row_pages);
                    ((row % self.backend.dies() as u64) as usize, 1 << 32 | row)
                }
            };
            if run.0 == row {
                run.2 += bytes;
                continue;
            }
            if run.0 != u64::MAX {
                parts += 1;
                self.backend.read(now, run.1, ReadJob { slot: index, bytes: run.2 });
            }
            run = (row, die, bytes);
        }
        if run.0 != u64::MAX {
            parts += 1;
            self.backend.read(now, run.1, ReadJob { slot: index, bytes: run.2 });
        }
        let direct = buffered > 0 || parts == 0;
        self.commands[index as usize].left = parts + u32::from(direct);
        if direct {
            self.send(now, ReadJob { slot: index, bytes: buffered });
        }
    }

    /// Sends a part of a read over the link.
    #[inline]
    fn send(&mut self, now: u64, part: ReadJob) {
        let end = self.outbound.transfer(now, part.bytes);
        let command = &mut self.commands[part.slot as usize];
        command.left -= 1;
        if command.left == 0 {
            self.reads_done.push_back((end + self.read_overhead_ns, part.slot));
        }
    }

    /// Gives buffer space to the writes that wait for it, in their order, and sends what has space over the link.
    fn admit(&mut self, now: u64) {
        while let Some(&index) = self.unadmitted.front() {
            let command = &mut self.commands[index as usize];
            let pages = self.buffer.admit(command.left);
            if pages == 0 {
                return;
            }
            command.left -= pages;
            let bytes = match command.left {
                0 => command.bytes_left,
                _ => (u64::from(pages) * self.page_bytes).min(command.bytes_left.into()) as u32,
            };
            command.bytes_left -= bytes;
            let done = command.left == 0;
            self.arriving.push_back((self.inbound.transfer(now, bytes), index, pages));
            if !done {
                return;
            }
            self.unadmitted.pop_front();
        }
    }

    /// Pages of a write are in the buffer: they are placed, and with the last the write is done.
    fn arrive(&mut self, now: u64, index: u32, pages: u32) {
        let request = self.commands[index as usize].request;
        let first = self.commands[index as usize].next_page;
        for page in first..first + u64::from(pages) {
            if u64::from(overlap(&request, page, self.page_bytes)) < self.page_bytes {
                self.read_old(now, page);
            }
            self.place(now, page);
        }
        let command = &mut self.commands[index as usize];
        command.next_page += u64::from(pages);
        if command.left == 0 && command.next_page == pages_of(&request, self.page_bytes).end {
            self.writes_done.push_back((now + self.write_overhead_ns, index));
        }
    }

    /// Reads the rest of a page that a write covers in part, unless the buffer has it.
    fn read_old(&mut self, now: u64, page: u64) {
        match self.ftl.lookup(page) {
            Some(place) if self.buffer.holds(place) => {}
            Some(place) => self.backend.read_old(now, self.ftl.die_of(place)),
            None => {
                let row = page / u64::from(self.layout.row_pages);
                self.backend.read_old(now, (row % self.backend.dies() as u64) as usize);
            }
        }
    }

    /// Puts a page into the open row, and sends the row to its die once it is full.
    fn place(&mut self, now: u64, page: u64) {
        let (die, row, _) = match self.open_row {
            Some(open) => open,
            None => (self.choose_die(), self.buffer.open_row(), 0),
        };
        let mut charge = Charge {
            backend: &mut self.backend,
            pages_per_block: self.layout.geometry.pages_per_block,
            row_pages: self.layout.row_pages,
        };
        let place = self.ftl.write_to(die, page, &mut charge);
        let pages = self.buffer.put(row, place);
        self.open_row = Some((die, row, pages));
        if pages == self.layout.row_pages {
            self.issue(now);
        }
    }

    /// Sends the open row to its die.
    fn issue(&mut self, now: u64) {
        if let Some((die, row, pages)) = self.open_row.take() {
            self.buffer.issue(row);
            self.backend.program(now, die, row, pages);
        }
    }

    /// The die with the least waiting, from the cursor on, among those that may take more data.
    fn choose_die(&mut self) -> usize {
        let dies = self.backend.dies();
        let mut best = (u32::MAX, self.cursor);
        for step in 0..dies {
            let die = if self.cursor + step < dies { self.cursor + step } else { self.cursor + step - dies };
            let load = self.backend.load(die);
            if load < best.0 && self.ftl.may_take(die) {
                best = (load, die);
                if load == 0 {
                    break;
                }
            }
        }
        self.cursor = if best.1 + 1 == dies { 0 } else { best.1 + 1 };
        best.1
    }

    fn flush(&mut self, now: u64, index: u32) {
        if self.buffer_volatile {
            if let Some((die, _, pages)) = self.open_row {
                self.ftl.pad(die, self.layout.row_pages - pages);
                self.issue(now);
            }
            if self.buffer.in_flight() > 0 {
                self.commands[index as usize].left = self.buffer.in_flight() as u32;
                self.flushing.push_back((self.buffer.issued(), index));
                return;
            }
        }
        self.writes_done.push_back((now + self.write_overhead_ns, index));
    }

    /// A row is in flash.
    fn programmed(&mut self, now: u64, row: u32) {
        let sequence = self.buffer.programmed(row);
        for &(upto, index) in &self.flushing {
            if sequence <= upto {
                self.commands[index as usize].left -= 1;
            }
        }
        while let Some(&(_, index)) = self.flushing.front() {
            if self.commands[index as usize].left > 0 {
                break;
            }
            self.flushing.pop_front();
            self.writes_done.push_back((now + self.write_overhead_ns, index));
        }
        self.admit(now);
    }

    /// Unmaps the pages that lie wholly in the range.
    fn discard(&mut self, request: Request) {
        let first = request.offset.0.div_ceil(self.page_bytes);
        for page in first..request.end() / self.page_bytes {
            self.ftl.discard(page);
        }
    }

    /// Hands out the completions of one time, in order of submission, and fills the places they leave.
    fn complete(&mut self, now: u64, done: &mut Vec<Completion>) {
        for ring in [&mut self.reads_done, &mut self.writes_done] {
            while let Some(&(_, index)) = ring.front().filter(|(time, _)| *time == now) {
                ring.pop_front();
                let Command { request, sequence, .. } = self.commands[index as usize];
                self.unused.push(index);
                self.counters.completed[request.op as usize] += 1;
                match request.op {
                    Op::Read => self.counters.read_bytes += u64::from(request.size),
                    Op::Write => self.counters.written_bytes += u64::from(request.size),
                    Op::Flush | Op::Discard => {}
                }
                self.tied.push((sequence, Completion { id: request.id, at: Nanos(now) }));
            }
        }
        self.tied.sort_unstable_by_key(|(sequence, _)| *sequence);
        done.extend(self.tied.drain(..).map(|(_, completion)| completion));
        while self.in_drive() < self.queue_depth
            && let Some((sequence, request)) = self.waiting.pop_front()
        {
            self.take(now, sequence, request);
        }
        if self.in_drive() == 0 {
            self.counters.busy_ns += now - self.busy_since;
        }
    }

    /// The earliest time at which something is done.
    #[inline]
    fn due(&self) -> u64 {
        let front = |ring: &VecDeque<(u64, u32)>| ring.front().map_or(NEVER, |(time, _)| *time);
        let arriving = self.arriving.front().map_or(NEVER, |(time, _, _)| *time);
        let rings = front(&self.taken).min(front(&self.reads_done)).min(front(&self.writes_done));
        self.backend.next().min(arriving).min(rings)
    }
}

/// The logical pages that a request touches.
#[inline]
fn pages_of(request: &Request, page_bytes: u64) -> std::ops::Range<u64> {
    match request.size {
        0 => 0..0,
        _ => request.offset.0 / page_bytes..request.end().div_ceil(page_bytes),
    }
}

/// Bytes that a request covers of a page.
#[inline]
fn overlap(request: &Request, page: u64, page_bytes: u64) -> u32 {
    let start = request.offset.0.max(page * page_bytes);
    (request.end().min((page + 1) * page_bytes) - start) as u32
}

impl Device for Ssd {
    fn capacity(&self) -> Bytes {
        Bytes(self.layout.capacity_pages * self.page_bytes)
    }

    fn submit(&mut self, now: Nanos, request: Request) {
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
        Some(self.due()).filter(|&time| time != NEVER).map(Nanos)
    }

    fn age(&mut self, request: Request) {
        match request.op {
            Op::Write => {
                for page in pages_of(&request, self.page_bytes) {
                    self.ftl.write(page, &mut ());
                }
            }
            Op::Discard => self.discard(request),
            Op::Read | Op::Flush => {}
        }
    }

    fn advance(&mut self, now: Nanos, done: &mut Vec<Completion>) {
        self.now = now.0;
        loop {
            let time = self.due();
            if time > now.0 || time == NEVER {
                return;
            }
            if let Some(&(_, index)) = self.taken.front().filter(|(at, _)| *at == time) {
                self.taken.pop_front();
                self.begin(time, index);
            } else if let Some(&(_, index, pages)) = self.arriving.front().filter(|(at, _, _)| *at == time) {
                self.arriving.pop_front();
                self.arrive(time, index, pages);
            } else if self.backend.next() == time {
                match self.backend.step() {
                    Outcome::Nothing => {}
                    Outcome::Read(part) => self.send(time, part),
                    Outcome::Programmed(row) => self.programmed(time, row),
                }
            } else {
                self.complete(time, done);
            }
        }
    }

    fn counters(&self) -> Counters {
        let stats = self.ftl.stats().since(&self.counted_from);
        let cleaned = stats.erases * u64::from(self.ftl.pages_per_block());
        Counters {
            flash_host_pages: stats.host_pages,
            flash_copied_pages: stats.copied_pages + stats.padded_pages,
            flash_erases: cleaned / self.layout.block_pages_specified,
            busy_ns: self.counters.busy_ns + if self.in_drive() > 0 { self.now - self.busy_since } else { 0 },
            ..self.counters
        }
    }

    fn reset_counters(&mut self) {
        self.counted_from = self.ftl.stats();
        self.counters = Counters::default();
        self.busy_since = self.now;
    }
}
