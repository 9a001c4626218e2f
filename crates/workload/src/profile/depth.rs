//! Queue depth: requests outstanding.
//!
//! DEFINITION. A request is outstanding from its issue to its issue plus its latency; one that ends as another begins
//! does not overlap it. The mean is weighted by time, from the first issue to the last, and counts flushes and discards,
//! as the kernel's `aqu-sz` does. Requests without a latency do not count.
//!
//! MEMORY. 8 B a request outstanding. Where 2²³ are (64 MiB), latencies are not what they say, or their unit is another: further
//! requests are counted apart and enter no depth.

use super::rate::Rate;
use drivecast_block::{Nanos, Record};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

const OUTSTANDING_MAX: usize = 1 << 23;

#[derive(Default)]
pub(super) struct Depth {
    /// Ends of the requests outstanding, the earliest on top.
    ends: BinaryHeap<Reverse<u64>>,
    now: Nanos,
    /// Requests with a latency.
    completions: u64,
    most: u64,
    /// Requests that found no place.
    beyond: u64,
    /// The integral of the depth over time.
    depth_ns: u128,
}

impl Depth {
    /// Takes a request issued at or after all earlier ones.
    #[inline]
    pub(super) fn add(&mut self, record: &Record, rate: &mut Rate) {
        while let Some(Reverse(end)) = self.ends.peek().copied().filter(|Reverse(end)| *end <= record.time.0)
        {
            self.pass(Nanos(end), rate);
            self.ends.pop();
        }
        self.pass(record.time, rate);
        if let Some(latency) = record.latency {
            self.completions += 1;
            if self.ends.len() == OUTSTANDING_MAX {
                self.beyond += 1;
                return;
            }
            self.ends.push(Reverse(record.time.0.saturating_add(latency.0)));
            self.most = self.most.max(self.ends.len() as u64);
        }
    }

    /// Lets time pass with the depth unchanged.
    #[inline]
    fn pass(&mut self, to: Nanos, rate: &mut Rate) {
        let depth = self.ends.len() as u64;
        if depth > 0 {
            self.depth_ns += u128::from(depth) * u128::from(to.since(self.now).0);
            rate.add_depth(self.now, to, depth);
        }
        self.now = to;
    }

    /// Requests outstanding after the last one was issued, that one included.
    #[inline]
    pub(super) fn now(&self) -> u64 {
        self.ends.len() as u64
    }

    /// Whether the trace has completions at all.
    pub(super) fn is_known(&self) -> bool {
        self.completions > 0
    }

    /// Most requests outstanding at once.
    pub(super) fn most(&self) -> u64 {
        self.most
    }

    /// Requests that found more outstanding than are followed.
    pub(super) fn beyond(&self) -> u64 {
        self.beyond
    }

    /// The integral of the depth over time, in seconds.
    pub(super) fn depth_s(&self) -> f64 {
        self.depth_ns as f64 / 1e9
    }
}
