//! An array as a device that holds devices.
//!
//! A request becomes member requests by the [`plan`]; it is done when the last of them is. A parity write has two phases: the reads of all its rows' old
//! contents, then, row by row as the reads end, the writes. Writes that meet in a stripe go one after another; reads
//! pass by. Mirrored reads go to the copy with the fewest requests outstanding, among equals to the one whose last
//! request ended nearest, as md's `read_balance` does. Flushes go to all members.
//!
//! Time: the array advances to the earliest event of any member, lets every member due then advance, and only then
//! hands out follow-up requests, so that a member never gets a request before its own events of that instant. The
//! members' next times are kept in a flat list and searched linearly: with up to 24 members that is a few cache lines.

use super::layout::{Extent, Layout};
use super::lock::StripeLocks;
use super::plan::{self, Extents, RowWrite};
use crate::slab::Slab;
use drivecast_block::{Bytes, Completion, Counters, Device, Nanos, Op, Request};
use std::collections::VecDeque;

/// A request of the host in flight.
#[derive(Clone, Copy)]
struct Job {
    id: u64,
    sequence: u64,
    /// Member requests and row writes still to finish.
    remaining: u32,
}

/// One row of a parity write in flight.
#[derive(Clone, Copy)]
struct Pending {
    job: u32,
    stream: u32,
    write: RowWrite,
    remaining: u32,
    reading: bool,
}

/// Marks member requests that belong to a [`Pending`] row rather than straight to a [`Job`].
const OF_ROW: u64 = 1 << 63;

/// An array; see the module.
pub struct Array<D = Box<dyn Device>> {
    layout: Layout,
    overhead: Nanos,
    members: Vec<D>,
    /// When each member next has something to do; `Nanos::MAX` when idle.
    due: Vec<Nanos>,
    earliest: Nanos,
    outstanding: Vec<u32>,
    last_end: Vec<u64>,
    jobs: Slab<Job>,
    rows: Slab<Pending>,
    locks: StripeLocks,
    /// Finished requests, not yet handed out: in order of time.
    ready: VecDeque<Completion>,
    sequence: u64,
    serial: u64,
    extents: Extents,
    arrived: Vec<Completion>,
    finished: Vec<(u64, u64)>,
    granted: Vec<u32>,
}

impl<D: Device> Array<D> {
    /// An array laid out by `layout` over `members`; every request takes `overhead` longer than its members do.
    ///
    /// # Panics
    /// The number of members is not the layout's: the design sees to it.
    #[must_use]
    pub fn new(layout: Layout, overhead: Nanos, members: Vec<D>) -> Array<D> {
        let count = members.len();
        assert_eq!(count, layout.members(), "the layout is made for these members");
        Array {
            layout,
            overhead,
            members,
            due: vec![Nanos::MAX; count],
            earliest: Nanos::MAX,
            outstanding: vec![0; count],
            last_end: vec![0; count],
            jobs: Slab::new(),
            rows: Slab::new(),
            locks: StripeLocks::new(),
            ready: VecDeque::new(),
            sequence: 0,
            serial: 0,
            extents: Extents::default(),
            arrived: Vec::new(),
            finished: Vec::new(),
            granted: Vec::new(),
        }
    }

    /// The members, for their own counters.
    #[must_use]
    pub fn members(&self) -> &[D] {
        &self.members
    }

    /// Sends one request to a member. Its id holds the owner's slot, and a serial number that makes it unique.
    fn send(&mut self, now: Nanos, owner: u64, op: Op, stream: u32, extent: Extent) {
        let Extent { member, offset, size } = extent;
        self.serial = (self.serial + 1) & 0x7fff_ffff;
        let id = owner | self.serial << 32;
        self.members[member].submit(now, Request { id, offset: Bytes(offset), size, stream, op });
        self.outstanding[member] += 1;
        self.last_end[member] = offset + u64::from(size);
        self.due[member] = self.members[member].next().unwrap_or(Nanos::MAX);
        self.earliest = self.earliest.min(self.due[member]);
    }

    /// Sends one request for each planned extent; how many.
    fn send_all(&mut self, now: Nanos, owner: u64, op: Op, stream: u32, extents: &Extents) -> u32 {
        for extent in extents.as_slice() {
            self.send(now, owner, op, stream, *extent);
        }
        extents.as_slice().len() as u32
    }

    /// The copy that should serve a read.
    fn nearest_copy(&self, extent: Extent) -> Extent {
        let copies = extent.member..extent.member + self.layout.copies();
        let cost =
            |member: &usize| (self.outstanding[*member], self.last_end[*member].abs_diff(extent.offset));
        Extent { member: copies.min_by_key(cost).unwrap_or(extent.member), ..extent }
    }

    fn submit_read(&mut self, now: Nanos, job: u32, request: Request) -> u32 {
        let mut extents = std::mem::take(&mut self.extents);
        plan::data(&self.layout, request.offset.0, request.size, &mut extents);
        for extent in extents.as_slice() {
            let extent = self.nearest_copy(*extent);
            self.send(now, u64::from(job), Op::Read, request.stream, extent);
        }
        let count = extents.as_slice().len() as u32;
        self.extents = extents;
        count
    }

    fn submit_write(&mut self, now: Nanos, job: u32, request: Request) -> u32 {
        let mut count = 0;
        let mut extents = std::mem::take(&mut self.extents);
        let layout = self.layout;
        if layout.level().parities() == 0 {
            plan::written(&layout, request.offset.0, request.size, &mut extents, |extent| {
                self.send(now, u64::from(job), Op::Write, request.stream, extent);
                count += 1;
            });
            self.extents = extents;
            return count;
        }
        self.extents = extents;
        for write in RowWrite::split(&layout, request.offset.0, request.size) {
            let stream = request.stream;
            let slot = self.rows.insert(Pending { job, stream, write, remaining: 0, reading: true });
            if self.locks.claim(slot, write.row, write.span(&layout)) {
                self.start_row(now, slot);
            }
            count += 1;
        }
        count
    }

    fn submit_discard(&mut self, now: Nanos, job: u32, request: Request) -> u32 {
        let mut count = 0;
        let mut extents = std::mem::take(&mut self.extents);
        let layout = self.layout;
        plan::discarded(&layout, request.offset.0, request.size, &mut extents, |extent| {
            self.send(now, u64::from(job), Op::Discard, request.stream, extent);
            count += 1;
        });
        self.extents = extents;
        count
    }

    fn submit_flush(&mut self, now: Nanos, job: u32, request: Request) -> u32 {
        for member in 0..self.members.len() {
            let extent = Extent { member, offset: self.last_end[member], size: 0 };
            self.send(now, u64::from(job), Op::Flush, request.stream, extent);
        }
        self.members.len() as u32
    }

    /// Sends the reads that a row write needs, or, if it needs none, the writes.
    fn start_row(&mut self, now: Nanos, slot: u32) {
        let Pending { stream, write, .. } = *self.rows.get_mut(slot);
        let mut extents = std::mem::take(&mut self.extents);
        write.reads(&self.layout, &mut extents);
        let count = self.send_all(now, u64::from(slot) | OF_ROW, Op::Read, stream, &extents);
        self.extents = extents;
        self.rows.get_mut(slot).remaining = count;
        if count == 0 {
            self.write_row(now, slot);
        }
    }

    fn write_row(&mut self, now: Nanos, slot: u32) {
        let Pending { stream, write, .. } = *self.rows.get_mut(slot);
        let mut extents = std::mem::take(&mut self.extents);
        write.writes(&self.layout, &mut extents);
        let remaining = self.send_all(now, u64::from(slot) | OF_ROW, Op::Write, stream, &extents);
        self.extents = extents;
        let row = self.rows.get_mut(slot);
        row.reading = false;
        row.remaining = remaining;
    }

    /// One member request of `owner` is done.
    fn arrive(&mut self, now: Nanos, id: u64) {
        let slot = id as u32;
        if id & OF_ROW == 0 {
            self.finish_part(slot);
            return;
        }
        let row = self.rows.get_mut(slot);
        row.remaining -= 1;
        if row.remaining > 0 {
            return;
        }
        if row.reading {
            self.write_row(now, slot);
            return;
        }
        let job = row.job;
        let mut granted = std::mem::take(&mut self.granted);
        self.locks.release(slot, &mut granted);
        self.rows.remove(slot);
        for waiting in granted.drain(..) {
            self.start_row(now, waiting);
        }
        self.granted = granted;
        self.finish_part(job);
    }

    fn finish_part(&mut self, slot: u32) {
        let job = self.jobs.get_mut(slot);
        job.remaining -= 1;
        if job.remaining == 0 {
            let Job { id, sequence, .. } = self.jobs.remove(slot);
            self.finished.push((sequence, id));
        }
    }

    /// Lets every member due at `now` advance, then follows up what they completed.
    fn step(&mut self, now: Nanos) {
        let mut arrived = std::mem::take(&mut self.arrived);
        for (member, device) in self.members.iter_mut().enumerate() {
            if self.due[member] <= now {
                let before = arrived.len();
                device.advance(now, &mut arrived);
                self.outstanding[member] -= (arrived.len() - before) as u32;
                self.due[member] = device.next().unwrap_or(Nanos::MAX);
            }
        }
        for completion in arrived.drain(..) {
            self.arrive(now, completion.id);
        }
        self.arrived = arrived;
        self.finished.sort_unstable();
        for (_, id) in self.finished.drain(..) {
            self.ready.push_back(Completion { id, at: now + self.overhead });
        }
        self.earliest = self.due.iter().copied().min().unwrap_or(Nanos::MAX);
    }
}

impl<D: Device> Device for Array<D> {
    fn capacity(&self) -> Bytes {
        self.layout.capacity()
    }

    fn submit(&mut self, now: Nanos, request: Request) {
        self.sequence += 1;
        let slot = self.jobs.insert(Job { id: request.id, sequence: self.sequence, remaining: 0 });
        let parts = match request.op {
            Op::Read => self.submit_read(now, slot, request),
            Op::Write => self.submit_write(now, slot, request),
            Op::Flush => self.submit_flush(now, slot, request),
            Op::Discard => self.submit_discard(now, slot, request),
        };
        if parts == 0 {
            self.jobs.remove(slot);
            self.ready.push_back(Completion { id: request.id, at: now + self.overhead });
        } else {
            self.jobs.get_mut(slot).remaining = parts;
        }
    }

    fn next(&self) -> Option<Nanos> {
        let ready = self.ready.front().map_or(Nanos::MAX, |completion| completion.at);
        Some(self.earliest.min(ready)).filter(|at| *at < Nanos::MAX)
    }

    fn age(&mut self, request: Request) {
        let layout = self.layout;
        let mut extents = std::mem::take(&mut self.extents);
        let each = |extent: Extent| {
            let offset = Bytes(extent.offset);
            self.members[extent.member].age(Request { offset, size: extent.size, ..request });
        };
        match request.op {
            Op::Write => plan::written(&layout, request.offset.0, request.size, &mut extents, each),
            Op::Discard => plan::discarded(&layout, request.offset.0, request.size, &mut extents, each),
            Op::Read | Op::Flush => {}
        }
        self.extents = extents;
    }

    fn advance(&mut self, now: Nanos, done: &mut Vec<Completion>) {
        while self.earliest <= now {
            self.step(self.earliest);
        }
        while let Some(completion) = self.ready.front().filter(|completion| completion.at <= now) {
            done.push(*completion);
            self.ready.pop_front();
        }
    }

    fn counters(&self) -> Counters {
        let mut sum = Counters::default();
        for counters in self.members.iter().map(|member| member.counters()) {
            for op in Op::ALL {
                sum.submitted[op as usize] += counters.submitted[op as usize];
                sum.completed[op as usize] += counters.completed[op as usize];
            }
            sum.read_bytes += counters.read_bytes;
            sum.written_bytes += counters.written_bytes;
            sum.flash_host_pages += counters.flash_host_pages;
            sum.flash_copied_pages += counters.flash_copied_pages;
            sum.flash_programmed_pages += counters.flash_programmed_pages;
            sum.flash_erases += counters.flash_erases;
            sum.busy_ns += counters.busy_ns;
        }
        sum.busy_ns /= self.members.len() as u64;
        sum
    }

    fn reset_counters(&mut self) {
        self.members.iter_mut().for_each(|member| member.reset_counters());
    }

    fn fault(&self) -> Option<String> {
        let faults = self.members.iter().enumerate();
        faults.filter_map(|(index, member)| Some(format!("member {index}: {}", member.fault()?))).next()
    }
}
