//! Substitute devices of known behaviour: a station of parallel servers with constant or exponential service.
//!
//! Model: requests wait in one line in order of arrival and are served by `servers` equal servers (infinitely many: the
//! request never waits). Service takes a constant time or an exponential one, whatever the operation, offset and size.
//! With one server and Poisson arrivals this is M/D/1 or M/M/1, whose answers are known in closed form, which is what it
//! is for: the hosts and arrays are tested against it. A service time of zero makes it the null device.

use drivecast_block::random::{self, Stream};
use drivecast_block::{Bytes, Completion, Counters, Device, Nanos, Request};
use rand_distr::{Distribution, Exp1};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// How long one request occupies a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    /// Always the same.
    Constant(Nanos),
    /// Exponentially distributed with this mean.
    Exponential(Nanos),
}

/// A station of parallel servers; see the module.
pub struct FixedService {
    capacity: Bytes,
    servers: usize,
    service: Service,
    stream: Stream,
    waiting: VecDeque<(u64, Request)>,
    /// Requests in service: when they finish, their place in the order of submission, what they are.
    serving: BinaryHeap<Reverse<(Nanos, u64, u64, u8)>>,
    sequence: u64,
    busy_since: Nanos,
    counters: Counters,
}

impl FixedService {
    /// A station of `servers` (`usize::MAX`: infinitely many) that draws service times from `seed`.
    pub fn new(capacity: Bytes, servers: usize, service: Service, seed: u64) -> FixedService {
        FixedService {
            capacity,
            servers: servers.max(1),
            service,
            stream: random::stream(seed, "fixed"),
            waiting: VecDeque::new(),
            serving: BinaryHeap::new(),
            sequence: 0,
            busy_since: Nanos::ZERO,
            counters: Counters::default(),
        }
    }

    fn serve(&mut self, now: Nanos, sequence: u64, request: Request) {
        let time = match self.service {
            Service::Constant(time) => time,
            Service::Exponential(mean) => {
                let draw: f64 = Exp1.sample(&mut self.stream);
                Nanos((draw * mean.0 as f64).round() as u64)
            }
        };
        self.serving.push(Reverse((now + time, sequence, request.id, request.op as u8)));
    }
}

impl Device for FixedService {
    fn capacity(&self) -> Bytes {
        self.capacity
    }

    fn submit(&mut self, now: Nanos, request: Request) {
        self.counters.submit(&request);
        self.sequence += 1;
        if self.serving.is_empty() {
            self.busy_since = now;
        }
        if self.serving.len() < self.servers {
            self.serve(now, self.sequence, request);
        } else {
            self.waiting.push_back((self.sequence, request));
        }
    }

    fn next(&self) -> Option<Nanos> {
        self.serving.peek().map(|Reverse((at, ..))| *at)
    }

    fn age(&mut self, _request: Request) {}

    fn advance(&mut self, now: Nanos, done: &mut Vec<Completion>) {
        while let Some(&Reverse((at, _, id, op))) = self.serving.peek() {
            if at > now {
                break;
            }
            self.serving.pop();
            self.counters.completed[op as usize] += 1;
            done.push(Completion { id, at });
            if let Some((sequence, request)) = self.waiting.pop_front() {
                self.serve(at, sequence, request);
            }
            self.counters.busy_ns += at.since(self.busy_since).0;
            self.busy_since = at;
        }
    }

    fn counters(&self) -> Counters {
        self.counters
    }

    fn reset_counters(&mut self) {
        self.counters = Counters::default();
    }
}
