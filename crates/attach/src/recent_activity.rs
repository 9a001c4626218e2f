//! What has been seen of a disk in the last while, for those who watch it.

use crate::lateness::{Counter, Lateness, histogram};
use drivecast_block::{Nanos, Op};
use hdrhistogram::Histogram;
use serde::Serialize;

/// What is counted apart, each from one look at it to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Span {
    /// What a watcher sees of each second.
    Second,
    /// What one run of a program on the disk did, of several.
    Run,
}

impl Span {
    /// All of them, in the order of their numbers.
    pub(crate) const ALL: [Span; 2] = [Span::Second, Span::Run];
}

/// Requests of one operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct OfOp {
    /// Answered.
    pub requests: u64,
    /// Bytes moved.
    pub bytes: u64,
    /// The mean latency, in time of the design; zero without requests, and so below.
    pub mean_ns: u64,
    /// The median.
    pub p50_ns: u64,
    /// 99 of 100 are not longer.
    pub p99_ns: u64,
    /// The longest.
    pub max_ns: u64,
}

/// See the module; the first group is since the last look, the rest since the disk was made.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Activity {
    /// How long ago that was, in time of the design.
    pub elapsed_s: f64,
    /// Reads.
    pub read: OfOp,
    /// Writes.
    pub write: OfOp,
    /// Flushes.
    pub flush: OfOp,
    /// Lateness.
    pub late: Lateness,
    /// In flight now.
    pub in_flight: u64,
    /// Flash pages programmed over those of the host; none without flash or writes.
    pub write_amplification: Option<f64>,
    /// Bytes that the program has written.
    pub written_bytes: u64,
    /// Writes that were refused because the store of the data is full.
    pub refused_full: u64,
    /// Bytes that were rebuilt, and that are to be.
    pub rebuilt_bytes: u64,
    /// See there.
    pub rebuild_bytes: u64,
    /// Drives that have failed, in this order.
    pub failed: Vec<usize>,
    /// Why the disk answers with errors, if it does.
    pub fault: Option<String>,
}

/// Counts since the last look.
pub(crate) struct Window {
    /// When that was, in time of the design.
    pub(crate) since: Nanos,
    pub(crate) histograms: [Histogram<u64>; 3],
    pub(crate) bytes: [u64; 3],
    pub(crate) late: Counter,
}

impl Window {
    pub(crate) fn new() -> Window {
        Window {
            since: Nanos::ZERO,
            histograms: std::array::from_fn(|_| histogram()),
            bytes: [0; 3],
            late: Counter::new(),
        }
    }

    #[inline]
    pub(crate) fn count(&mut self, op: Op, size: u32, latency_ns: u64, late_ns: u64) {
        self.late.count(op, late_ns);
        if let Some(histogram) = self.histograms.get_mut(op as usize) {
            histogram.saturating_record(latency_ns.max(1));
            self.bytes[op as usize] += u64::from(size);
        }
    }

    /// What was counted of each operation; counts from zero again.
    pub(crate) fn take(&mut self) -> [OfOp; 3] {
        let found = std::array::from_fn(|op| {
            let histogram = &self.histograms[op];
            let at = |quantile| histogram.value_at_quantile(quantile);
            let (requests, bytes) = (histogram.len(), self.bytes[op]);
            let (mean_ns, max_ns) = (histogram.mean() as u64, histogram.max());
            OfOp { requests, bytes, mean_ns, p50_ns: at(0.5), p99_ns: at(0.99), max_ns }
        });
        self.histograms.iter_mut().for_each(Histogram::reset);
        self.bytes = [0; 3];
        self.late.reset();
        found
    }
}
