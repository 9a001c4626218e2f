//! Lognormal factors with a median of one.
//!
//! **Model.** Times of a service that passes many hands multiply up, so their logarithm is close to normal: a median, a
//! long tail to the right, nothing below zero. The quantile at q is the median times exp(σ Φ⁻¹(q)), the mean
//! exp(σ² / 2) medians.

use drivecast_block::math;
use drivecast_block::random::Stream;
use rand_distr::{Distribution, StandardNormal};

/// No single time is longer than this many nanoseconds (eleven days), however long the tail.
pub(super) const TIME_NS_MAX: f64 = 1e15;

/// Draws a time with this median.
#[inline]
pub(super) fn around(median_ns: f64, sigma: f64, stream: &mut Stream) -> f64 {
    if sigma == 0.0 {
        return median_ns;
    }
    let normal: f64 = StandardNormal.sample(stream);
    (median_ns * math::exp(sigma * normal)).min(TIME_NS_MAX)
}
