//! What a predicted latency may be in truth, by how far predictions of real drives were off.
//!
//! Model. n drives were measured (`latency.toml` of the catalog). The 80 % interval is that of one more drive: with m
//! and s the mean and deviation of the logarithms of the errors, cut off at a factor of two, it is the prediction times
//! exp(m ± t s √(1 + 1/n)), t the 90 % point of Student's distribution with n − 1 degrees of freedom. Where half of the
//! drives stall or more, the upper end is at least the 90 % point of the prediction with each error applied. The share of
//! these within a limit is the chance that the limit holds: there every stall counts.
//!
//! Left out: that errors of one drive resemble each other, but for n in place of the number of errors.

use crate::span::Span;
use drivecast_block::math::{exp, ln};
use libm::{atan, cos, sin};
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// Times a prediction from which on an error is a stall.
const STALL: f64 = 2.0;
const COVERED: f64 = 0.8;

/// Errors of one drive, measured over predicted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DriveErrors {
    /// Below twice the prediction.
    pub ratios: Vec<f64>,
    /// Of stalls, which last as long whatever was predicted.
    pub excess_us: Vec<f64>,
}

/// The 80 % interval of a prediction, which it holds, in ns.
#[must_use]
pub fn bounds(drives: &[DriveErrors], predicted_ns: f64) -> Span {
    let logarithms: Vec<f64> = drives.iter().flat_map(logarithms).collect();
    let (low, mut high) = one_more(&logarithms, drives.len());
    high *= predicted_ns;
    if 2 * drives.iter().filter(|each| !each.excess_us.is_empty()).count() >= drives.len() {
        high = high.max(quantile(possible(drives, predicted_ns), (1.0 + COVERED) / 2.0));
    }
    Span::new((predicted_ns * low).min(predicted_ns), predicted_ns, high.max(predicted_ns))
}

/// The 80 % interval of the factor of one more device, by the logarithms of those of `count` devices.
#[must_use]
pub fn one_more(logarithms: &[f64], count: usize) -> (f64, f64) {
    let n = logarithms.len() as f64;
    let mean = logarithms.iter().sum::<f64>() / n;
    let squares: f64 = logarithms.iter().map(|each| (each - mean) * (each - mean)).sum();
    let deviation = (squares / (n - 1.0)).sqrt();
    let t = student(count.saturating_sub(1) as u32, (1.0 + COVERED) / 2.0);
    let half = t * deviation * (1.0 + 1.0 / count as f64).sqrt();
    (exp(mean - half), exp(mean + half))
}

/// The chance that the true value is at most `limit_ns`; never certain, for want of more errors.
#[must_use]
pub fn chance(drives: &[DriveErrors], predicted_ns: f64, limit_ns: f64) -> f64 {
    let possible = possible(drives, predicted_ns);
    let (within, all) =
        (possible.iter().filter(|value| **value <= limit_ns).count() as f64, possible.len() as f64);
    within.max(0.5).min(all - 0.5) / all
}

/// The errors of a drive, cut off at a factor of two.
fn logarithms(errors: &DriveErrors) -> impl Iterator<Item = f64> {
    let ratios = errors.ratios.iter().map(|ratio| ln(ratio.clamp(1.0 / STALL, STALL)));
    ratios.chain(errors.excess_us.iter().map(|_| ln(STALL)))
}

/// The prediction with each error applied.
fn possible(drives: &[DriveErrors], predicted_ns: f64) -> Vec<f64> {
    let ratios = drives.iter().flat_map(|each| &each.ratios).map(|ratio| predicted_ns * ratio);
    let stalls = drives.iter().flat_map(|each| &each.excess_us).map(|excess| predicted_ns + excess * 1e3);
    ratios.chain(stalls).collect()
}

/// The quantile of a sample, between neighbours in proportion.
#[must_use]
pub fn quantile(mut sample: Vec<f64>, share: f64) -> f64 {
    sample.sort_unstable_by(f64::total_cmp);
    let Some(last) = sample.len().checked_sub(1) else { return f64::NAN };
    let place = share * last as f64;
    let below = (place as usize).min(last);
    let (low, high) = (sample[below], sample[(below + 1).min(last)]);
    low + (high - low) * (place - below as f64)
}

/// The value that Student's T does not exceed with `probability`, which is at least 1/2 and below 1.
///
/// With θ = atan(t/√ν), P(|T| ≤ t) is a finite sum of powers of cos θ (Abramowitz and Stegun 26.7.3 and 26.7.4). The
/// quantile is where it is reached, by bisection.
#[must_use]
pub fn student(degrees: u32, probability: f64) -> f64 {
    let wanted = 2.0 * probability - 1.0;
    let (mut low, mut high) = (0.0, 1.0);
    while within(high, degrees) < wanted {
        (low, high) = (high, 2.0 * high);
    }
    loop {
        let middle = (low + high) / 2.0;
        if middle <= low || middle >= high {
            return high;
        }
        if within(middle, degrees) < wanted { low = middle } else { high = middle }
    }
}

/// P(|T| ≤ value).
fn within(value: f64, degrees: u32) -> f64 {
    let angle = atan(value / f64::from(degrees).sqrt());
    let (sine, cosine) = (sin(angle), cos(angle));
    let is_odd = degrees % 2 == 1;
    let (mut term, mut total) = if is_odd { (cosine, 0.0) } else { (1.0, 0.0) };
    let mut power = degrees % 2;
    while power + 1 < degrees {
        total += term;
        term *= cosine * cosine * f64::from(power + 1) / f64::from(power + 2);
        power += 2;
    }
    if is_odd { 2.0 / PI * (angle + sine * total) } else { sine * total }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tables of Student's distribution: 1.886 and 1.372 are the 90 % points of 2 and 10 degrees of freedom.
    #[test]
    fn student_is_that_of_the_tables() {
        for (degrees, expected) in [(1, 3.078), (2, 1.886), (5, 1.476), (10, 1.372), (30, 1.310)] {
            assert!((student(degrees, 0.9) - expected).abs() < 5e-4, "{degrees}");
        }
    }

    #[test]
    fn quantiles_lie_between_neighbours() {
        assert_eq!(quantile(vec![3.0, 1.0, 2.0], 0.5), 2.0);
        assert_eq!(quantile(vec![0.0, 10.0], 0.25), 2.5);
        assert_eq!(quantile(vec![4.0], 0.9), 4.0);
    }

    #[test]
    fn a_limit_is_never_certain() {
        let drives = [DriveErrors { ratios: vec![0.9, 1.1], excess_us: vec![] }];
        assert_eq!(chance(&drives, 100.0, 1000.0), 0.75);
        assert_eq!(chance(&drives, 100.0, 1.0), 0.25);
    }
}
