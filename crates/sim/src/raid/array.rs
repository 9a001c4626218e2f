//! An array as a device that holds devices.
//!
//! A request becomes member requests by the [`plan`]; it is done when the last of them is. Writes under parity, reads of
//! missing chunks and rebuilding are work on stripes ([`super::stripe`]). Writes that meet in a stripe go one after another;
//! reads pass by. Mirrored reads go to the copy with the fewest requests outstanding, among equals to the one whose last
//! request ended nearest, as in md's `read_balance`. Flushes go to all members.
//!
//! A missing member ([`Array::degraded`]) gets no requests; mirrored writes go to a member being rebuilt, as in md, and reads
//! once it is rebuilt that far.
//!
//! Time: the array advances to the earliest event of any member, lets every member due then advance, and only then
//! hands out follow-up requests, so that a member never gets a request before its own events of that instant. With a
//! controller ([`Array::run_by`]) commands take their time to go out, and parity takes its time between reads and writes.

use super::degraded::DegradedStripe;
use super::health::{Health, survives};
use super::layout::{Extent, Layout};
use super::log::Log;
use super::members::{Order, Owner, Priority};
use super::plan::{self, StripeRange};
use super::processor::Processor;
use super::rebuild::Pace;
use super::state::State;
use super::stripe_cache::StripeCache;
use super::stripe_work::{Purpose, StripeWork};
use crate::completion_queue::{CompletionQueue, Finishes};
use drivecast_block::{Bytes, Completion, Counters, Device, Nanos, Op, Request};

/// An array; see the module.
pub struct Array<D = Box<dyn Device>> {
    state: State<D>,
    /// Spares that wait, and whatever else belongs to the array without a part in it.
    spares: Vec<D>,
    /// Of so many members one is aged, and which.
    aged: (usize, usize),
    ready: CompletionQueue,
    arrived: Vec<Owner>,
}

impl<D: Device> Array<D> {
    /// An array laid out by `layout` over `members`; every request takes `overhead` longer than its members do.
    ///
    /// # Panics
    /// The number of members is not the layout's: the design sees to it.
    pub fn new(layout: Layout, overhead: Nanos, members: Vec<D>) -> Array<D> {
        assert_eq!(members.len(), layout.members(), "the layout is made for these members");
        let state = State::new(layout, members);
        Array {
            state,
            spares: Vec::new(),
            aged: (1, 0),
            ready: CompletionQueue::new(overhead),
            arrived: Vec::new(),
        }
    }

    /// The address map.
    pub fn layout(&self) -> &Layout {
        &self.state.layout
    }

    /// The members, then the spares that wait.
    pub fn drives(&self) -> impl Iterator<Item = &D> {
        self.state.members.devices().iter().chain(&self.spares)
    }

    /// The members, then the spares that wait.
    pub fn drives_mut(&mut self) -> impl Iterator<Item = &mut D> {
        self.state.members.devices_mut().iter_mut().chain(&mut self.spares)
    }

    /// The members without the spares.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn members_mut(&mut self) -> &mut [D] {
        self.state.members.devices_mut()
    }

    /// Of so many members, from here on, the first that works is aged alone.
    pub(crate) fn age_one_of(&mut self, alike: usize) {
        let works = |member: &usize| self.state.health.is_whole_at(*member);
        self.aged = (alike, if alike == 1 { 0 } else { (0..alike).find(works).unwrap_or(0) });
    }

    /// Of so many members those that work take over the state of the first that does.
    pub(crate) fn take_over(&mut self, alike: usize, mut take_over: impl FnMut(&mut D, &D)) {
        let health = &self.state.health;
        for (group, members) in self.state.members.devices_mut().chunks_mut(alike).enumerate() {
            let works = |member: usize| health.is_whole_at(group * alike + member);
            let Some(first) = (0..members.len()).find(|member| works(*member)) else { continue };
            let (before, others) = members.split_at_mut(first + 1);
            let others = others.iter_mut().enumerate().filter(|(at, _)| works(first + 1 + at));
            others.for_each(|(_, other)| take_over(other, &before[first]));
        }
    }

    /// Does something to each member that works.
    pub(crate) fn each_that_works(&mut self, change: &mut impl FnMut(usize, &mut D)) {
        let health = &self.state.health;
        for (at, member) in self.state.members.devices_mut().iter_mut().enumerate() {
            if health.is_whole_at(at) {
                change(at, member);
            }
        }
    }

    /// How far the log has come, where there is one.
    pub(crate) fn log(&self) -> Option<&Log> {
        self.state.log.as_ref()
    }

    /// Has the log continue from there.
    pub(crate) fn resume_log(&mut self, log: Option<Log>) {
        self.state.log = log;
    }

    /// The same array without the `failed` members, which it must be able to do without.
    #[must_use]
    pub fn degraded(mut self, failed: &[usize]) -> Array<D> {
        self.state.health = Health::without(self.state.layout.members(), failed);
        self
    }

    /// The same array rebuilding `members`, which are among the failed ones, onto blank devices in their places.
    #[must_use]
    pub fn rebuilding(mut self, members: &[usize], pace: Pace) -> Array<D> {
        self.state.rebuild_members(members, pace, Nanos::ZERO);
        self
    }

    /// A member fails while the array is at work: it finishes what it has, and gets no more. Whether the array survives it.
    ///
    /// # Errors
    /// The member is being rebuilt.
    pub fn fail(&mut self, member: usize) -> Result<bool, String> {
        if self
            .state
            .rebuild
            .as_ref()
            .is_some_and(|rebuild| !rebuild.is_over() && rebuild.members.contains(&member))
        {
            return Err(format!("member {member} is being rebuilt"));
        }
        self.state.health.fail(member);
        let layout = &self.state.layout;
        let failed: Vec<usize> =
            (0..layout.members()).filter(|member| !self.state.health.is_whole_at(*member)).collect();
        Ok(survives(layout.level(), layout.members(), layout.groups(), &failed))
    }

    /// Begins to rebuild the members that have failed, onto blank devices in their places; how many bytes that is.
    ///
    /// # Errors
    /// A rebuild is under way.
    pub fn rebuild(&mut self, now: Nanos, pace: Pace) -> Result<Bytes, String> {
        if self.state.rebuild.as_ref().is_some_and(|rebuild| !rebuild.is_over()) {
            return Err("a rebuild is under way".to_owned());
        }
        let members = self.state.health.failed();
        if members.is_empty() {
            return Ok(Bytes(0));
        }
        self.state.rebuild_members(&members, pace, now);
        let layout = &self.state.layout;
        let member_bytes = layout.stripes() / layout.groups() as u64 * layout.chunk().0;
        Ok(Bytes(members.len() as u64 * member_bytes))
    }

    /// The same array with a log that writes under parity go to first.
    #[must_use]
    pub fn logged(mut self, log: Log) -> Array<D> {
        self.state.log = Some(log);
        self
    }

    /// The same array with spares that wait.
    #[must_use]
    pub fn with_spares(mut self, spares: Vec<D>) -> Array<D> {
        self.spares = spares;
        self
    }

    /// The same array with its commands and parity run by a controller.
    #[must_use]
    pub fn run_by(mut self, processor: Processor) -> Array<D> {
        let cached = processor.stripe_cache_bytes().filter(|_| self.state.layout.level().parities() > 0);
        let groups = self.state.layout.groups() as u64;
        self.state.cache = cached.map(|bytes| Box::new(StripeCache::new(groups * bytes)));
        self.state.members.run_by(processor);
        self
    }

    /// The controller's stations, if there is one.
    pub fn processor(&mut self) -> Option<&mut Processor> {
        self.state.members.processor()
    }

    /// Takes a request at `now`; of a write, its commands go to the members with `priority`.
    pub fn submit_with(&mut self, now: Nanos, request: Request, priority: Priority) {
        let job = self.state.begin_job(&request);
        let parts = match request.op {
            Op::Read => self.submit_read(now, job, request),
            Op::Write => self.submit_write(now, job, request, priority),
            Op::Flush => self.submit_flush(now, job, request),
            Op::Discard => self.submit_discard(now, job, request),
        };
        if !self.state.await_parts(job, parts) {
            self.ready.finish(now, request.id);
        }
    }

    /// Sends part of a job to a member.
    #[inline]
    fn send(&mut self, now: Nanos, job: u32, request: &Request, extent: Extent) {
        self.state.members.send(now, Owner::Job(job), Priority::Foreground, Order::of(request), extent);
    }

    /// The copy that should serve a read, of those that are there.
    fn nearest_copy(&self, extent: Extent) -> Extent {
        let copies = extent.member..extent.member + self.state.layout.copies();
        let cost = |member: &usize| self.state.members.cost(*member, extent.offset);
        let there = |member: &usize| self.state.health.has(Extent { member: *member, ..extent });
        Extent { member: copies.filter(there).min_by_key(cost).unwrap_or(extent.member), ..extent }
    }

    fn submit_read(&mut self, now: Nanos, job: u32, request: Request) -> u32 {
        if !self.state.health.is_whole() && self.state.layout.level().parities() > 0 {
            return self.submit_degraded_read(now, job, request);
        }
        if let Some(extent) = self.state.layout.within_chunk(request.offset.0, request.size) {
            let extent = self.nearest_copy(extent);
            self.send(now, job, &request, extent);
            return 1;
        }
        let mut extents = std::mem::take(&mut self.state.extents);
        plan::data(&self.state.layout, request.offset.0, request.size, &mut extents);
        for extent in extents.as_slice() {
            let extent = self.nearest_copy(*extent);
            self.send(now, job, &request, extent);
        }
        let count = extents.as_slice().len() as u32;
        self.state.extents = extents;
        count
    }

    /// Reads stripe by stripe, those that lack something wanted by way of the others.
    fn submit_degraded_read(&mut self, now: Nanos, job: u32, request: Request) -> u32 {
        let layout = self.state.layout;
        let mut count = 0;
        for range in StripeRange::split(&layout, request.offset.0, request.size) {
            let stripe = DegradedStripe { range, layout: &layout, health: &self.state.health };
            if !stripe.lost_span().is_empty() {
                let order = Order::of(&request);
                let work = StripeWork::new(Purpose::Read(job), order, Priority::Foreground, range);
                self.state.work_on_stripe(now, work);
                count += 1;
                continue;
            }
            let mut extents = std::mem::take(&mut self.state.extents);
            stripe.reads(&mut extents);
            for extent in extents.as_slice() {
                self.send(now, job, &request, *extent);
            }
            count += extents.as_slice().len() as u32;
            self.state.extents = extents;
        }
        count
    }

    fn submit_write(&mut self, now: Nanos, job: u32, request: Request, priority: Priority) -> u32 {
        let mut count = 0;
        let layout = self.state.layout;
        if layout.level().parities() > 0 {
            for range in StripeRange::split(&layout, request.offset.0, request.size) {
                self.state.write_stripe_part(now, job, priority, Order::of(&request), range);
                count += 1;
            }
            return count;
        }
        let mut extents = std::mem::take(&mut self.state.extents);
        let State { health, members, .. } = &mut self.state;
        let mut send = |extent: Extent| {
            if health.takes_mirrored_write(extent) {
                members.send(now, Owner::Job(job), priority, Order::of(&request), extent);
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
        self.state.extents = extents;
        count
    }

    fn submit_discard(&mut self, now: Nanos, job: u32, request: Request) -> u32 {
        let mut count = 0;
        let mut extents = std::mem::take(&mut self.state.extents);
        let layout = self.state.layout;
        plan::discarded(&layout, request.offset.0, request.size, &mut extents, |extent| {
            if self.state.health.has(extent) {
                self.send(now, job, &request, extent);
                count += 1;
            }
        });
        self.state.extents = extents;
        count
    }

    fn submit_flush(&mut self, now: Nanos, job: u32, request: Request) -> u32 {
        let mut count = 0;
        for member in 0..self.state.layout.members() {
            if self.state.health.is_there(member) {
                let extent = Extent { member, offset: self.state.members.last_end(member), size: 0 };
                self.send(now, job, &request, extent);
                count += 1;
            }
        }
        count
    }

    /// A member request is done, or a delay over.
    fn arrive(&mut self, now: Nanos, owner: Owner) {
        match owner {
            Owner::Job(slot) => self.state.finish_part(slot),
            Owner::Stripe(slot) => self.state.arrive_at_stripe(now, slot),
            Owner::Parity(slot) => self.state.follow_parity(now, slot),
        }
    }

    fn rebuild_due(&self) -> Nanos {
        self.state.rebuild.as_ref().map_or(Nanos::MAX, |rebuild| rebuild.due())
    }

    fn earliest(&self) -> Nanos {
        self.state.members.earliest().min(self.rebuild_due())
    }

    /// Lets the members advance to the first event at or before `until` that concerns the array, and follows it up; the time
    /// of the last event.
    fn step(&mut self, until: Nanos) -> Nanos {
        let mut arrived = std::mem::take(&mut self.arrived);
        let now = self.state.members.run(until, &mut arrived);
        for owner in arrived.drain(..) {
            self.arrive(now, owner);
        }
        self.arrived = arrived;
        if self.state.finished.len() > 1 {
            self.state.finished.sort_unstable();
        }
        for (_, id) in self.state.finished.drain(..) {
            self.ready.finish(now, id);
        }
        now
    }
}

impl<D: Device> Finishes for Array<D> {
    fn ready(&mut self) -> &mut CompletionQueue {
        &mut self.ready
    }

    fn process(&mut self, until: Nanos, stops: bool) -> Option<Nanos> {
        let mut last = None;
        while (!stops || self.ready.is_empty()) && self.earliest() <= until {
            let rebuild = self.rebuild_due();
            if self.state.members.earliest() <= rebuild {
                last = Some(self.step(until.min(rebuild)));
            } else {
                self.state.begin_rebuild_step(rebuild);
                last = Some(rebuild);
            }
        }
        last
    }
}

impl<D: Device> Device for Array<D> {
    fn capacity(&self) -> Bytes {
        self.state.layout.capacity()
    }

    fn submit(&mut self, now: Nanos, request: Request) {
        self.submit_with(now, request, Priority::Foreground);
    }

    fn next(&self) -> Option<Nanos> {
        let ready = self.ready.next().unwrap_or(Nanos::MAX);
        Some(self.earliest().min(ready)).filter(|at| *at < Nanos::MAX)
    }

    fn age(&mut self, request: Request) {
        let layout = self.state.layout;
        let mut extents = std::mem::take(&mut self.state.extents);
        let health = &self.state.health;
        let (alike, aged) = self.aged;
        let mut each = |extent: Extent| {
            if !health.has(extent) || extent.member % alike != aged {
                return;
            }
            let offset = Bytes(extent.offset);
            self.state.members.age(extent.member, Request { offset, size: extent.size, ..request });
        };
        match request.op {
            Op::Write => {
                plan::written(&layout, request.offset.0, request.size, &mut extents, &mut each);
                if let Some(log) = &mut self.state.log {
                    plan::logged(&layout, request.offset.0, request.size, log, health, each);
                }
            }
            Op::Discard => plan::discarded(&layout, request.offset.0, request.size, &mut extents, each),
            Op::Read | Op::Flush => {}
        }
        self.state.extents = extents;
    }

    fn idle(&mut self) {
        self.state.members.idle();
    }

    fn advance(&mut self, now: Nanos, done: &mut Vec<Completion>) {
        self.advance_to(now, done);
    }

    fn run(&mut self, until: Nanos, done: &mut Vec<Completion>) -> Nanos {
        self.run_to(until, done)
    }

    #[inline]
    fn expect(&self, request: &Request) {
        if let Some(Extent { member, offset, size }) =
            self.state.layout.within_chunk(request.offset.0, request.size)
        {
            let ahead = Request { offset: Bytes(offset), size, ..*request };
            for device in &self.state.members.devices()[member..member + self.state.layout.copies()] {
                device.expect(&ahead);
            }
        }
    }

    fn counters(&self) -> Counters {
        let mut sum = self.state.members.counters();
        sum.rebuilt_bytes += self.state.rebuilt_bytes;
        if self.state.rebuild.as_ref().is_some_and(|rebuild| rebuild.is_over()) {
            sum.rebuilt_ns = sum.rebuilt_ns.max(self.state.rebuilding.0);
        }
        sum
    }

    fn reset_counters(&mut self) {
        self.state.members.reset_counters();
        self.state.rebuilt_bytes = 0;
        self.state.rebuilding = Nanos::ZERO;
    }

    fn fault(&self) -> Option<String> {
        self.state.members.fault()
    }
}
