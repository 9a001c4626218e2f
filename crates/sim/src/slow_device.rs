//! A device that takes a multiple of its time: a drive that is failing slowly, or throttles.
//!
//! Model: a request that the device would finish after t is known to be finished after `factor` · t. Inside, the device turns to
//! the next request as before, so its throughput is that of the sound drive until its host waits for it. Left out: a drive
//! that is slow for some addresses only, or now and then.

use drivecast_block::{Bytes, Completion, Counters, Device, Nanos, Request};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// See the module.
pub struct SlowDevice<D> {
    /// None only for the moment in which it takes the place of its device.
    device: Option<D>,
    factor: f64,
    /// When the requests at the device came. Few, and only in a drive that is made slow: a map will do.
    came: BTreeMap<u64, Nanos>,
    /// Finished by the device, and not yet by us: when, in which order, which.
    held: BinaryHeap<Reverse<(Nanos, u64, u64)>>,
    sequence: u64,
    done: Vec<Completion>,
}

impl<D: Device> SlowDevice<D> {
    /// Requests to what is put in it take `factor` times as long, at least 1.
    pub fn by(factor: f64) -> SlowDevice<D> {
        let factor = factor.max(1.0);
        SlowDevice {
            device: None,
            factor,
            came: BTreeMap::new(),
            held: BinaryHeap::new(),
            sequence: 0,
            done: Vec::new(),
        }
    }

    /// Puts the device in.
    pub fn put(&mut self, device: D) {
        self.device = Some(device);
    }

    /// The device itself.
    pub fn device(&self) -> &D {
        self.device.as_ref().expect("a device is put in at once")
    }

    /// The same, to be changed.
    pub fn device_mut(&mut self) -> &mut D {
        self.device.as_mut().expect("a device is put in at once")
    }

    /// From now on requests take so many times as long.
    pub fn set_factor(&mut self, factor: f64) {
        self.factor = factor.max(1.0);
    }

    /// Holds what the device has finished for as much longer as it is slow.
    fn hold(&mut self) {
        for Completion { id, at } in self.done.drain(..) {
            // What was under way before the device became slow is handed on as it is.
            let longer =
                self.came.remove(&id).map_or(0.0, |came| at.since(came).0 as f64 * (self.factor - 1.0));
            self.sequence += 1;
            self.held.push(Reverse((at + Nanos(longer as u64), self.sequence, id)));
        }
    }
}

impl<D: Device> Device for SlowDevice<D> {
    fn capacity(&self) -> Bytes {
        self.device().capacity()
    }

    fn submit(&mut self, now: Nanos, request: Request) {
        self.came.insert(request.id, now);
        self.device_mut().submit(now, request);
    }

    fn next(&self) -> Option<Nanos> {
        let held = self.held.peek().map(|Reverse((at, ..))| *at);
        [held, self.device().next()].into_iter().flatten().min()
    }

    fn age(&mut self, request: Request) {
        self.device_mut().age(request);
    }

    fn idle(&mut self) {
        self.device_mut().idle();
    }

    fn advance(&mut self, now: Nanos, done: &mut Vec<Completion>) {
        let mut finished = std::mem::take(&mut self.done);
        self.device_mut().advance(now, &mut finished);
        self.done = finished;
        self.hold();
        while let Some(Reverse((at, _, id))) =
            self.held.peek().copied().filter(|Reverse((at, ..))| *at <= now)
        {
            self.held.pop();
            done.push(Completion { id, at });
        }
    }

    fn expect(&self, request: &Request) {
        self.device().expect(request);
    }

    fn counters(&self) -> Counters {
        self.device().counters()
    }

    fn reset_counters(&mut self) {
        self.device_mut().reset_counters();
    }

    fn fault(&self) -> Option<String> {
        self.device().fault()
    }
}
