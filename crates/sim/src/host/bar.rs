//! When a run need not be played to its end: its quantile can no longer be met.
//!
//! Of n requests of an operation at most ⌊(1 − q) n⌋ + 1 may be slower than a limit if their quantile q is to lie within it. Once more
//! of them have been, so many that none still to come can help, the verdict is certain and the rest is left out. n is an
//! upper bound, known before the run: fewer requests allow fewer slow ones.

use drivecast_block::{Nanos, Op};

/// The quantile of reads and of writes that a run must keep within limits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Within {
    /// Such as 0.99.
    pub quantile: f64,
    /// Of reads; none: no limit.
    pub read: Option<Nanos>,
    /// Of writes.
    pub write: Option<Nanos>,
}

/// The slow requests that a run may still have.
#[derive(Clone, Copy, Debug)]
pub struct Bar {
    limits: [u64; 2],
    left: [u64; 2],
    missed: Option<Op>,
}

impl Bar {
    /// For at most so many reads and writes.
    pub fn new(within: &Within, requests_max: [u64; 2]) -> Bar {
        // One more than the quantile leaves, for the rounding of the product and of ranks.
        let allowed = |requests: u64| ((1.0 - within.quantile) * requests as f64).ceil() as u64 + 1;
        let limit = |limit: Option<Nanos>| limit.map_or(u64::MAX, |limit| limit.0);
        Bar {
            limits: [limit(within.read), limit(within.write)],
            left: requests_max.map(allowed),
            missed: None,
        }
    }

    /// Counts a request that took so long.
    #[inline]
    pub(super) fn count(&mut self, op: Op, latency_ns: u64) {
        if !matches!(op, Op::Read | Op::Write) || latency_ns <= self.limits[op as usize] {
            return;
        }
        match self.left[op as usize].checked_sub(1) {
            Some(left) => self.left[op as usize] = left,
            None => self.missed = Some(op),
        }
    }

    /// The operation whose quantile can no longer be met.
    #[inline]
    pub(super) fn missed(&self) -> Option<Op> {
        self.missed
    }
}
