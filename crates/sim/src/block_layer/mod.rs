//! The operating system's queue in front of a device: Linux's block layer with one queue a device (until 5.0).
//!
//! **Model.** Each stream of requests is a process. A request takes one of `requests` places, else its process sleeps
//! (`submitter.rs`); the device takes `device_depth` at a time; of the rest the scheduler chooses the next
//! (`deadline.rs`, `cfq.rs`). A place is free again when the device is done. While a process sleeps it does not look for
//! what is done: its completions count from when it wakes, as fio counts them. So with n outstanding on a device that
//! serves x a second every mean is n/x (Little), and the scheduler decides how that is spread.
//!
//! **Left out.** Merging, plugging, the time of the processor, reads before writes, and that a process needs time to
//! submit again: what is done and what comes next meet at one instant.
//!
//! **Sources.** Linux 4.15, block/blk-core.c (`get_request`, `ioc_batching`), block/deadline-iosched.c,
//! block/cfq-iosched.c; from memory.

mod cfq;
mod deadline;
mod scheduler;
mod submitter;
mod waiting;

use crate::request_slots::Slots;
use crate::spec::BlockLayerSpec;
use drivecast_block::{Bytes, Completion, Counters, Device, Nanos, Request};
use scheduler::Scheduler;
use submitter::Submitters;
use waiting::Waiting;

/// The queue, with the device behind it; see the module.
pub struct BlockLayer<D> {
    device: D,
    submitters: Submitters,
    scheduler: Scheduler,
    device_depth: usize,
    /// Requests at the device, by the ids that it knows them by.
    sent: Slots<Request>,
    order: u64,
    arrived: Vec<Completion>,
}

impl<D: Device> BlockLayer<D> {
    /// An empty queue of this specification, which has been checked, in front of a device whose drives take `drives_depth`.
    pub fn new(spec: &BlockLayerSpec, drives_depth: u32, device: D) -> BlockLayer<D> {
        BlockLayer {
            device,
            submitters: Submitters::new(spec.requests),
            scheduler: Scheduler::new(spec.scheduler),
            device_depth: spec.device_depth.unwrap_or(drives_depth) as usize,
            sent: Slots::new(),
            order: 0,
            arrived: Vec::new(),
        }
    }

    /// What is behind the queue.
    pub fn device(&self) -> &D {
        &self.device
    }

    /// The same, to be changed before anything is in work.
    pub(crate) fn device_mut(&mut self) -> &mut D {
        &mut self.device
    }

    fn insert(&mut self, now: Nanos, request: Request) {
        self.order += 1;
        let submitter = Submitters::of(request.stream);
        self.scheduler.push(Waiting { request, submitter, at: now, order: self.order });
    }

    /// Hands the device what it takes.
    fn feed(&mut self, now: Nanos) {
        while self.sent.len() < self.device_depth
            && let Some(Waiting { request, .. }) = self.scheduler.pop(now)
        {
            let id = self.sent.insert(request).into();
            self.device.submit(now, Request { id, ..request });
        }
    }

    /// The device is done with a request: the next goes out, and a process that slept gets its place.
    fn finish(&mut self, now: Nanos, id: u64, done: &mut Vec<Completion>) {
        let request = self.sent.remove(id as u32);
        let submitter = Submitters::of(request.stream);
        self.scheduler.complete(submitter);
        self.feed(now);
        self.submitters.complete(now, submitter, request.id, done);
        let Some(woken) = self.submitters.wake(now) else { return };
        while let Some(request) = self.submitters.retry(now, woken) {
            self.insert(now, request);
        }
        self.submitters.reap(now, woken, done);
        self.feed(now);
    }
}

impl<D: Device> Device for BlockLayer<D> {
    fn capacity(&self) -> Bytes {
        self.device.capacity()
    }

    fn submit(&mut self, now: Nanos, request: Request) {
        if self.submitters.enter(now, request) {
            self.insert(now, request);
            self.feed(now);
        }
    }

    fn next(&self) -> Option<Nanos> {
        self.device.next()
    }

    fn age(&mut self, request: Request) {
        self.device.age(request);
    }

    fn idle(&mut self) {
        self.device.idle();
    }

    fn advance(&mut self, now: Nanos, done: &mut Vec<Completion>) {
        while let Some(at) = self.device.next().filter(|at| *at <= now) {
            let mut arrived = std::mem::take(&mut self.arrived);
            self.device.advance(at, &mut arrived);
            for completion in arrived.drain(..) {
                self.finish(at, completion.id, done);
            }
            self.arrived = arrived;
        }
    }

    fn expect(&self, request: &Request) {
        self.device.expect(request);
    }

    fn counters(&self) -> Counters {
        self.device.counters()
    }

    fn reset_counters(&mut self) {
        self.device.reset_counters();
    }

    fn fault(&self) -> Option<String> {
        self.device.fault()
    }
}
