//! Parallel servers of two kinds of requests.
//!
//! **Model.** One line in order of arrival before all servers (G/G/c). Where an operation has a limit of its own, a request
//! that meets it is passed by those of the other operation. A request holds its server for a lognormal time around its
//! median, and with a small probability for a second one besides, the tail.

use super::spread::{TIME_NS_MAX, around};
use crate::spec::VolumeOp;
use drivecast_block::Op;
use drivecast_block::random::{self, Stream};
use rand::RngExt;
use std::collections::VecDeque;

/// One operation.
#[derive(Clone, Debug)]
struct Kind {
    spec: VolumeOp,
    /// Its part of the line: place in the whole, whose it is, bytes.
    waiting: VecDeque<(u64, u32, u32)>,
    free: u32,
}

impl Kind {
    fn new(spec: VolumeOp) -> Kind {
        Kind { spec, waiting: VecDeque::new(), free: spec.parallelism.unwrap_or(u32::MAX) }
    }
}

/// A request that a server has taken.
pub(super) struct Started {
    pub(super) slot: u32,
    pub(super) time_ns: f64,
}

#[derive(Clone, Debug)]
pub(super) struct Servers {
    kinds: [Kind; 2],
    free: u32,
    arrivals: u64,
    service: Stream,
    tail: Stream,
}

const fn kind(op: Op) -> usize {
    matches!(op, Op::Write) as usize
}

impl Servers {
    pub(super) fn new(read: VolumeOp, write: VolumeOp, parallelism: Option<u32>, seed: u64) -> Servers {
        Servers {
            kinds: [Kind::new(read), Kind::new(write)],
            free: parallelism.unwrap_or(u32::MAX),
            arrivals: 0,
            service: random::stream(seed, "volume-service"),
            tail: random::stream(seed, "volume-tail"),
        }
    }

    pub(super) fn arrive(&mut self, slot: u32, op: Op, bytes: u32) {
        self.arrivals += 1;
        self.kinds[kind(op)].waiting.push_back((self.arrivals, slot, bytes));
    }

    pub(super) fn release(&mut self, op: Op) {
        self.kinds[kind(op)].free += 1;
        self.free += 1;
    }

    /// Lets the next request begin, if there is one and a server for it.
    pub(super) fn start(&mut self) -> Option<Started> {
        if self.free == 0 {
            return None;
        }
        let place = |kind: &Kind| match kind.waiting.front() {
            Some(&(place, ..)) if kind.free > 0 => place,
            _ => u64::MAX,
        };
        let [read, write] = [place(&self.kinds[0]), place(&self.kinds[1])];
        let kind = &mut self.kinds[usize::from(write < read)];
        if kind.free == 0 {
            return None;
        }
        let (_, slot, bytes) = kind.waiting.pop_front()?;
        kind.free -= 1;
        self.free -= 1;
        let spec = kind.spec;
        let median_ns = spec.service_ns + f64::from(bytes) * spec.ns_per_byte;
        let mut time_ns = around(median_ns, spec.sigma, &mut self.service);
        if spec.tail_probability > 0.0 && self.tail.random_bool(spec.tail_probability) {
            time_ns += around(spec.tail_ns, spec.tail_sigma, &mut self.tail);
        }
        Some(Started { slot, time_ns: time_ns.min(TIME_NS_MAX) })
    }

    /// What a request of this kind spends behind the servers.
    pub(super) fn delay_ns(&self, op: Op) -> f64 {
        self.kinds[kind(op)].spec.delay_ns
    }
}
