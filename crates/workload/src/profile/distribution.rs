//! Distributions of whole numbers: lengths, times, distances.
//!
//! DEFINITION. Mean and largest are exact; quantile q is the smallest value that at least a share q does not exceed, within
//! 0.1 % (HdrHistogram of three digits). Shares below powers of two are exact. Values taken from a sample of the blocks
//! count as often as their weight says.
//!
//! MEMORY. 450 KB each.

use super::ratio::ratio;
use hdrhistogram::Histogram;
use serde::Serialize;

/// Larger values count as this one: 292 years in ns, 4 EiB.
const LARGEST: u64 = 1 << 62;

/// A distribution, in the unit of its key.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Distribution {
    /// The mean.
    pub mean: f64,
    /// One in 100 is no larger.
    #[serde(rename = "q0.01")]
    pub q1: u64,
    /// A tenth is no larger.
    #[serde(rename = "q0.1")]
    pub q10: u64,
    /// A quarter is no larger.
    #[serde(rename = "q0.25")]
    pub q25: u64,
    /// The median.
    #[serde(rename = "q0.5")]
    pub q50: u64,
    /// A quarter is larger.
    #[serde(rename = "q0.75")]
    pub q75: u64,
    /// A tenth is larger.
    #[serde(rename = "q0.9")]
    pub q90: u64,
    /// One in 100 is larger.
    #[serde(rename = "q0.99")]
    pub q99: u64,
    /// The largest.
    pub max: u64,
    /// Shares below powers of two, from the first that any is below to the first that all are below.
    pub cumulative: Vec<Below>,
}

/// How much of a distribution lies below a value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Below {
    /// The value, a power of two.
    pub below: u64,
    /// The share.
    pub share: f64,
}

/// Values on the way to a [`Distribution`].
pub(super) struct Spread {
    histogram: Histogram<u64>,
    sum: u128,
    max: u64,
}

impl Spread {
    pub(super) fn new() -> Spread {
        let histogram = Histogram::new_with_bounds(1, LARGEST, 3).expect("the bounds are in order");
        Spread { histogram, sum: 0, max: 0 }
    }

    /// Enters a value that represents `weight` of its kind.
    #[inline]
    pub(super) fn add(&mut self, value: u64, weight: u64) {
        self.histogram.saturating_record_n(value, weight);
        self.sum += u128::from(value) * u128::from(weight);
        self.max = self.max.max(value);
    }

    /// What the values represent.
    pub(super) fn count(&self) -> u64 {
        self.histogram.len()
    }

    /// The distribution in a unit of `scale`; none without values.
    pub(super) fn distribution(&self, scale: u64) -> Option<Distribution> {
        let quantile = |q| self.histogram.value_at_quantile(q).min(self.max) * scale;
        Some(Distribution {
            mean: ratio(self.sum as f64, self.count() as f64)? * scale as f64,
            q1: quantile(0.01),
            q10: quantile(0.1),
            q25: quantile(0.25),
            q50: quantile(0.5),
            q75: quantile(0.75),
            q90: quantile(0.9),
            q99: quantile(0.99),
            max: self.max * scale,
            cumulative: self.cumulative(scale),
        })
    }

    fn cumulative(&self, scale: u64) -> Vec<Below> {
        let (mut rows, mut below, mut sum): (Vec<Below>, u64, u64) = (Vec::new(), 1, 0);
        for step in self.histogram.iter_recorded() {
            // The buckets of the histogram end before powers of two.
            while step.value_iterated_to() >= below {
                if sum > 0 {
                    rows.push(Below { below, share: sum as f64 / self.count() as f64 });
                }
                below *= 2;
            }
            sum += step.count_since_last_iteration();
        }
        rows.push(Below { below, share: 1.0 });
        rows.iter().map(|row| Below { below: row.below.saturating_mul(scale), ..*row }).collect()
    }
}
