//! Latency: from issue to completion, as the trace defines both.
//!
//! DEFINITION. Mean and maximum are exact; quantile q is the smallest latency that at least a share q of the requests do
//! not exceed, from a histogram of three digits (HdrHistogram: within 0.1 %, latencies beyond an hour count as an hour).
//! Requests without a completion do not count.

use super::ratio::ratio;
use drivecast_block::Nanos;
use hdrhistogram::Histogram;
use serde::Serialize;

const HOUR_NS: u64 = 3_600_000_000_000;

/// Latencies of an operation. A counter log has the mean only.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LatencySummary {
    /// The mean.
    pub mean: f64,
    /// The median.
    #[serde(rename = "q0.5")]
    pub q50: Option<u64>,
    /// One in 10 takes longer.
    #[serde(rename = "q0.9")]
    pub q90: Option<u64>,
    /// One in 20 takes longer.
    #[serde(rename = "q0.95")]
    pub q95: Option<u64>,
    /// One in 100 takes longer.
    #[serde(rename = "q0.99")]
    pub q99: Option<u64>,
    /// One in 1,000 takes longer.
    #[serde(rename = "q0.999")]
    pub q999: Option<u64>,
    /// One in 10,000 takes longer.
    #[serde(rename = "q0.9999")]
    pub q9999: Option<u64>,
    /// The longest.
    pub max: Option<u64>,
}

impl LatencySummary {
    /// What a counter log has.
    pub(super) fn of_mean(mean: f64) -> LatencySummary {
        let (q50, q90, q95, q99, q999, q9999) = (None, None, None, None, None, None);
        LatencySummary { mean, q50, q90, q95, q99, q999, q9999, max: None }
    }
}

/// Latencies of one operation.
pub(super) struct Latency {
    histogram: Histogram<u64>,
    sum_ns: u128,
    longest: u64,
}

impl Latency {
    pub(super) fn new() -> Latency {
        let histogram = Histogram::new_with_bounds(1, HOUR_NS, 3).expect("the bounds are in order");
        Latency { histogram, sum_ns: 0, longest: 0 }
    }

    #[inline]
    pub(super) fn add(&mut self, latency: Nanos) {
        self.histogram.saturating_record(latency.0);
        self.sum_ns += u128::from(latency.0);
        self.longest = self.longest.max(latency.0);
    }

    pub(super) fn count(&self) -> u64 {
        self.histogram.len()
    }

    pub(super) fn sum_ns(&self) -> f64 {
        self.sum_ns as f64
    }

    pub(super) fn summary(&self) -> Option<LatencySummary> {
        let quantile = |q| Some(self.histogram.value_at_quantile(q).min(self.longest));
        Some(LatencySummary {
            mean: ratio(self.sum_ns as f64, self.count() as f64)?,
            q50: quantile(0.5),
            q90: quantile(0.9),
            q95: quantile(0.95),
            q99: quantile(0.99),
            q999: quantile(0.999),
            q9999: quantile(0.9999),
            max: Some(self.longest),
        })
    }
}
