//! An array as a device that holds devices.
//!
//! A request becomes member requests by the [`plan`]; it is done when the last of them is. Writes under parity, reads of
//! missing chunks and rebuilding are work on [`super::rows`]. Writes that meet in a stripe go one after another; reads
//! pass by. Mirrored reads go to the copy with the fewest requests outstanding, among equals to the one whose last
//! request ended nearest, as md's `read_balance` does. Flushes go to all members.
//!
//! A missing member ([`Array::degraded`]) is not spoken to; mirrored writes go to a member being rebuilt, as in md, and reads
//! when it is rebuilt that far.
//!
//! Time: the array advances to the earliest event of any member, lets every member due then advance, and only then
//! hands out follow-up requests, so that a member never gets a request before its own events of that instant. With a
//! controller ([`Array::run_by`]) commands take their time to go out, and parity takes its time between reads and writes.

use super::degraded::DegradedRow;
use super::health::Health;
use super::layout::{Extent, Layout, Level};
use super::lock::StripeLocks;
use super::log::Log;
use super::members::{BEHIND, Members};
use super::plan::{self, Extents, RowWrite};
use super::rebuild::{Pace, Rebuild};
use super::rows::{OF_PARITY, OF_ROW, Purpose, RowWork};
use crate::controller::Processor;
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

/// What a mirror rebuilds at a time: md's unit.
const REBUILD_STEP: u64 = 64 << 10;

/// An array; see the module.
pub struct Array<D = Box<dyn Device>> {
    pub(super) layout: Layout,
    pub(super) health: Health,
    pub(super) rebuild: Option<Box<Rebuild>>,
    pub(super) log: Option<Log>,
    overhead: Nanos,
    pub(super) members: Members<D>,
    /// Spares that wait, and whatever else belongs to the array without a part in it.
    aside: Vec<D>,
    jobs: Slab<Job>,
    pub(super) rows: Slab<RowWork>,
    pub(super) locks: StripeLocks,
    pub(super) rebuilt_bytes: u64,
    /// Finished requests, not yet handed out: in order of time.
    ready: VecDeque<Completion>,
    sequence: u64,
    /// Marks the request being submitted as behind others, or not.
    pub(super) behind: u64,
    pub(super) extents: Extents,
    arrived: Vec<Completion>,
    finished: Vec<(u64, u64)>,
    pub(super) granted: Vec<u32>,
}

impl<D: Device> Array<D> {
    /// An array laid out by `layout` over `members`; every request takes `overhead` longer than its members do.
    ///
    /// # Panics
    /// The number of members is not the layout's: the design sees to it.
    #[must_use]
    pub fn new(layout: Layout, overhead: Nanos, members: Vec<D>) -> Array<D> {
        assert_eq!(members.len(), layout.members(), "the layout is made for these members");
        Array {
            layout,
            health: Health::without(layout.members(), &[]),
            rebuild: None,
            log: None,
            overhead,
            members: Members::new(members),
            aside: Vec::new(),
            rebuilt_bytes: 0,
            jobs: Slab::new(),
            rows: Slab::new(),
            locks: StripeLocks::new(),
            ready: VecDeque::new(),
            sequence: 0,
            behind: 0,
            extents: Extents::default(),
            arrived: Vec::new(),
            finished: Vec::new(),
            granted: Vec::new(),
        }
    }

    /// The address map.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The members, then the spares that wait.
    pub fn drives(&self) -> impl Iterator<Item = &D> {
        self.members.devices().iter().chain(&self.aside)
    }

    /// The same array without the `failed` members, which it must be able to do without.
    #[must_use]
    pub fn degraded(mut self, failed: &[usize]) -> Array<D> {
        self.health = Health::without(self.layout.members(), failed);
        self
    }

    /// The same array rebuilding `members`, which are among the failed ones, onto blank devices in their places.
    #[must_use]
    pub fn rebuilding(mut self, members: &[usize], pace: Pace) -> Array<D> {
        let chunk = self.layout.chunk().0;
        let step_bytes = if self.layout.level() == Level::Raid1 { REBUILD_STEP.min(chunk) } else { chunk };
        let steps = self.layout.rows() / self.layout.groups() as u64 * chunk / step_bytes;
        self.health.rebuild(members);
        self.rebuild = Some(Box::new(Rebuild::new(members.to_vec(), step_bytes, steps, pace)));
        self
    }

    /// The same array with a log that writes under parity go to first.
    #[must_use]
    pub fn logged(mut self, log: Log) -> Array<D> {
        self.log = Some(log);
        self
    }

    /// The same array with spares that wait.
    #[must_use]
    pub fn with_spares(mut self, spares: Vec<D>) -> Array<D> {
        self.aside = spares;
        self
    }

    /// The same array with its commands and parity run by a controller.
    #[must_use]
    pub fn run_by(mut self, processor: Processor) -> Array<D> {
        self.members.run_by(processor);
        self
    }

    /// Takes a write whose commands go behind others: the controller gives a member only so many of them at a time.
    pub fn submit_behind(&mut self, now: Nanos, request: Request) {
        self.behind = BEHIND;
        self.submit(now, request);
        self.behind = 0;
    }

    /// The controller's stations, if there is one.
    pub fn processor(&mut self) -> Option<&mut Processor> {
        self.members.processor()
    }

    /// The copy that should serve a read, of those that are there.
    fn nearest_copy(&self, extent: Extent) -> Extent {
        let copies = extent.member..extent.member + self.layout.copies();
        let cost = |member: &usize| self.members.cost(*member, extent.offset);
        let there = |member: &usize| self.health.has(Extent { member: *member, ..extent });
        Extent { member: copies.filter(there).min_by_key(cost).unwrap_or(extent.member), ..extent }
    }

    fn submit_read(&mut self, now: Nanos, job: u32, request: Request) -> u32 {
        if !self.health.is_whole() && self.layout.level().parities() > 0 {
            return self.submit_degraded_read(now, job, request);
        }
        if let Some(extent) = self.layout.within_chunk(request.offset.0, request.size) {
            let extent = self.nearest_copy(extent);
            self.members.send(now, u64::from(job), Op::Read, request.stream, extent);
            return 1;
        }
        let mut extents = std::mem::take(&mut self.extents);
        plan::data(&self.layout, request.offset.0, request.size, &mut extents);
        for extent in extents.as_slice() {
            let extent = self.nearest_copy(*extent);
            self.members.send(now, u64::from(job), Op::Read, request.stream, extent);
        }
        let count = extents.as_slice().len() as u32;
        self.extents = extents;
        count
    }

    /// Reads row by row, those that lack something wanted by way of the others.
    fn submit_degraded_read(&mut self, now: Nanos, job: u32, request: Request) -> u32 {
        let layout = self.layout;
        let mut count = 0;
        for touched in RowWrite::split(&layout, request.offset.0, request.size) {
            let row = DegradedRow { touched, layout: &layout, health: &self.health };
            if !row.lost_span().is_empty() {
                self.work_on_row(now, Purpose::Read(job), request.stream, touched);
                count += 1;
                continue;
            }
            let mut extents = std::mem::take(&mut self.extents);
            row.reads(&mut extents);
            for extent in extents.as_slice() {
                self.members.send(now, u64::from(job), Op::Read, request.stream, *extent);
            }
            count += extents.as_slice().len() as u32;
            self.extents = extents;
        }
        count
    }

    fn submit_write(&mut self, now: Nanos, job: u32, request: Request) -> u32 {
        let mut count = 0;
        let layout = self.layout;
        if layout.level().parities() > 0 {
            for touched in RowWrite::split(&layout, request.offset.0, request.size) {
                self.work_on_row(now, Purpose::Write(job), request.stream, touched);
                count += 1;
            }
            return count;
        }
        let mut extents = std::mem::take(&mut self.extents);
        let owner = u64::from(job) | self.behind;
        let mut send = |extent: Extent| {
            if self.health.takes_mirrored_write(extent) {
                self.members.send(now, owner, Op::Write, request.stream, extent);
                count += 1;
            }
        };
        match layout.within_chunk(request.offset.0, request.size) {
            Some(first) => {
                let copies = first.member..first.member + layout.copies();
                copies.for_each(|member| send(Extent { member, ..first }));
            }
            None => plan::written(&layout, request.offset.0, request.size, &mut extents, send),
        }
        self.extents = extents;
        count
    }

    fn submit_discard(&mut self, now: Nanos, job: u32, request: Request) -> u32 {
        let mut count = 0;
        let mut extents = std::mem::take(&mut self.extents);
        let layout = self.layout;
        plan::discarded(&layout, request.offset.0, request.size, &mut extents, |extent| {
            if self.health.has(extent) {
                self.members.send(now, u64::from(job), Op::Discard, request.stream, extent);
                count += 1;
            }
        });
        self.extents = extents;
        count
    }

    fn submit_flush(&mut self, now: Nanos, job: u32, request: Request) -> u32 {
        let mut count = 0;
        for member in 0..self.layout.members() {
            if self.health.is_there(member) {
                let extent = Extent { member, offset: self.members.last_end(member), size: 0 };
                self.members.send(now, u64::from(job), Op::Flush, request.stream, extent);
                count += 1;
            }
        }
        count
    }

    /// One member request of `owner` is done.
    fn arrive(&mut self, now: Nanos, id: u64) {
        let slot = id as u32;
        if id & OF_PARITY != 0 {
            self.follow_parity(now, slot);
        } else if id & OF_ROW != 0 {
            self.arrive_at_row(now, slot);
        } else {
            self.finish_part(slot);
        }
    }

    pub(super) fn finish_part(&mut self, slot: u32) {
        let job = self.jobs.get_mut(slot);
        job.remaining -= 1;
        if job.remaining == 0 {
            let Job { id, sequence, .. } = self.jobs.remove(slot);
            self.finished.push((sequence, id));
        }
    }

    fn rebuild_due(&self) -> Nanos {
        self.rebuild.as_ref().map_or(Nanos::MAX, |rebuild| rebuild.due())
    }

    fn earliest(&self) -> Nanos {
        self.members.earliest().min(self.rebuild_due())
    }

    /// Lets the members go on to the first event at or before `until` that concerns the array, and follows it up; the time of
    /// the last event.
    fn step(&mut self, until: Nanos) -> Nanos {
        let mut arrived = std::mem::take(&mut self.arrived);
        let now = self.members.run(until, &mut arrived);
        for completion in arrived.drain(..) {
            self.arrive(now, completion.id);
        }
        self.arrived = arrived;
        if self.finished.len() > 1 {
            self.finished.sort_unstable();
        }
        for (_, id) in self.finished.drain(..) {
            self.ready.push_back(Completion { id, at: now + self.overhead });
        }
        now
    }

    /// Processes the array's own events up to `until`, and none after the first time at which a request is finished if
    /// `one` is set; the time of the last event, if there was one.
    fn process(&mut self, until: Nanos, one: bool) -> Option<Nanos> {
        let mut last = None;
        while (!one || self.ready.is_empty()) && self.earliest() <= until {
            let rebuild = self.rebuild_due();
            if self.members.earliest() <= rebuild {
                last = Some(self.step(until.min(rebuild)));
            } else {
                self.begin_rebuild_step(rebuild);
                last = Some(rebuild);
            }
        }
        last
    }

    /// Hands out what is finished by `now`.
    fn hand_out(&mut self, now: Nanos, done: &mut Vec<Completion>) {
        while let Some(completion) = self.ready.front().filter(|completion| completion.at <= now) {
            done.push(*completion);
            self.ready.pop_front();
        }
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
        Some(self.earliest().min(ready)).filter(|at| *at < Nanos::MAX)
    }

    fn age(&mut self, request: Request) {
        let layout = self.layout;
        let mut extents = std::mem::take(&mut self.extents);
        let health = &self.health;
        let mut each = |extent: Extent| {
            if !health.has(extent) {
                return;
            }
            let offset = Bytes(extent.offset);
            self.members.age(extent.member, Request { offset, size: extent.size, ..request });
        };
        match request.op {
            Op::Write => {
                plan::written(&layout, request.offset.0, request.size, &mut extents, &mut each);
                if let Some(log) = &mut self.log {
                    plan::logged(&layout, request.offset.0, request.size, log, health, each);
                }
            }
            Op::Discard => plan::discarded(&layout, request.offset.0, request.size, &mut extents, each),
            Op::Read | Op::Flush => {}
        }
        self.extents = extents;
    }

    fn idle(&mut self) {
        self.members.idle();
    }

    fn advance(&mut self, now: Nanos, done: &mut Vec<Completion>) {
        self.process(now, false);
        self.hand_out(now, done);
    }

    fn run(&mut self, until: Nanos, done: &mut Vec<Completion>) -> Nanos {
        if let Some(completion) = self.ready.front() {
            // Finished, but for the overhead: events up to then come first.
            let at = completion.at.min(until);
            self.advance(at, done);
            return at;
        }
        let last = self.process(until, true);
        let at = self.ready.front().map_or(until, |completion| completion.at);
        let Some(last) = last.filter(|last| at > *last) else {
            self.hand_out(at, done);
            return at;
        };
        last
    }

    fn counters(&self) -> Counters {
        let mut sum = self.members.counters();
        sum.rebuilt_bytes += self.rebuilt_bytes;
        sum
    }

    fn reset_counters(&mut self) {
        self.members.reset_counters();
        self.rebuilt_bytes = 0;
    }

    fn fault(&self) -> Option<String> {
        self.members.fault()
    }
}
