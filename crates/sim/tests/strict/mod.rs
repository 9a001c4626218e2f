//! Whether devices are called as they may be.

use drivecast_block::{Bytes, Completion, Counters, Device, Nanos, Request};
use std::collections::BTreeSet;

/// A device that panics when its caller breaks the contract of [`Device`].
pub(crate) struct Strict<D> {
    inner: D,
    now: Nanos,
    in_flight: BTreeSet<u64>,
}

impl<D: Device> Strict<D> {
    pub(crate) fn new(inner: D) -> Strict<D> {
        Strict { inner, now: Nanos::ZERO, in_flight: BTreeSet::new() }
    }

    fn pass(&mut self, now: Nanos) {
        assert!(now >= self.now, "time runs backwards");
        self.now = now;
    }
}

impl<D: Device> Device for Strict<D> {
    fn capacity(&self) -> Bytes {
        self.inner.capacity()
    }

    fn submit(&mut self, now: Nanos, request: Request) {
        self.pass(now);
        assert!(self.inner.next().is_none_or(|next| next > now), "events at {now} are still due");
        assert!(request.end() <= self.capacity().0, "{request:?} lies behind the end");
        assert!(self.in_flight.insert(request.id), "id {} is in flight already", request.id);
        self.inner.submit(now, request);
    }

    fn next(&self) -> Option<Nanos> {
        self.inner.next()
    }

    fn age(&mut self, request: Request) {
        assert!(request.end() <= self.capacity().0, "{request:?} lies behind the end");
        self.inner.age(request);
    }

    fn advance(&mut self, now: Nanos, done: &mut Vec<Completion>) {
        self.pass(now);
        let before = done.len();
        self.inner.advance(now, done);
        for completion in &done[before..] {
            assert!(self.in_flight.remove(&completion.id), "id {} was not in flight", completion.id);
        }
    }

    fn counters(&self) -> Counters {
        self.inner.counters()
    }

    fn reset_counters(&mut self) {
        self.inner.reset_counters();
    }
}
