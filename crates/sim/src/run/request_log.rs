//! What each request of a run met, not only all of them together.
//!
//! MODEL. The host is as in any run; a device that changes nothing lies between it and the design, and notes when each
//! request was submitted and completed. A source that is open issues the requests of a trace in their order, so the
//! latencies are in that order, too.

use drivecast_block::{Bytes, Completion, Counters, Device, Nanos, Request};

/// Latency of a request that had not completed when the run ended.
pub const UNFINISHED: u64 = u64::MAX;

/// A device that notes the latency of each request, in order of submission.
pub(super) struct RequestLog<'a> {
    device: &'a mut dyn Device,
    /// Of each request in flight, by its id: its number, and when it was submitted.
    flights: Vec<(u32, Nanos)>,
    latencies: Vec<u64>,
}

impl<'a> RequestLog<'a> {
    pub(super) fn new(device: &'a mut dyn Device, requests: usize) -> RequestLog<'a> {
        RequestLog { device, flights: Vec::new(), latencies: Vec::with_capacity(requests) }
    }

    /// Latencies in ns, in order of submission.
    pub(super) fn into_latencies(self) -> Vec<u64> {
        self.latencies
    }

    fn note(&mut self, done: &[Completion]) {
        for completion in done {
            let (number, submitted) = self.flights[completion.id as usize];
            self.latencies[number as usize] = completion.at.since(submitted).0;
        }
    }
}

impl Device for RequestLog<'_> {
    fn capacity(&self) -> Bytes {
        self.device.capacity()
    }

    fn submit(&mut self, now: Nanos, request: Request) {
        let slot = request.id as usize;
        if slot >= self.flights.len() {
            self.flights.resize(slot + 1, (0, Nanos::ZERO));
        }
        self.flights[slot] = (self.latencies.len() as u32, now);
        self.latencies.push(UNFINISHED);
        self.device.submit(now, request);
    }

    fn next(&self) -> Option<Nanos> {
        self.device.next()
    }

    fn age(&mut self, request: Request) {
        self.device.age(request);
    }

    fn advance(&mut self, now: Nanos, done: &mut Vec<Completion>) {
        let before = done.len();
        self.device.advance(now, done);
        self.note(&done[before..]);
    }

    fn run(&mut self, until: Nanos, done: &mut Vec<Completion>) -> Nanos {
        let before = done.len();
        let at = self.device.run(until, done);
        self.note(&done[before..]);
        at
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
