//! What it is expected to cost that load and data outgrow an array.
//!
//! Model. Growth g a year is not known but for its likely value and its bounds, the 10th and 90th percentile of two half
//! normal distributions ([`Span::off`]). Nor is the peak: a log saw one, of its own hours; the highest of the years is X
//! times as high, ln X normal about 0. An array is outgrown once X (1 + g)^t exceeds the load that it carries, or (1 + g)^t
//! the data that it holds. Then as much again is bought, at the price of that day, and takes a visit; the k-th time at k
//! times as much. So the cost is Σ ∫ usd(t) dP(t) over k, P the chance that the k-th is needed by t, and its mean over the
//! growth; a growth that is given is exact. Left out: energy of what is added, moving data, growth that differs from year
//! to year, peaks that come late in the years (X counts from the first day).

use crate::requirement::grown;
use crate::span::Span;
use drivecast_block::math::{exp, ln};
use libm::erfc;
use std::f64::consts::FRAC_1_SQRT_2;

/// Arrays bought that are followed one by one; more are taken in bundles.
const COUNTED_MAX: f64 = 100.0;
/// Deviations to either side, and between two points of the mean.
const WIDTH: f64 = 4.0;
const STEP: f64 = 0.25;
/// Parts of the years: an expansion is bought in the middle of one.
const PARTS: i32 = 20;

/// What an array is enough for, as multiples of the first day.
#[derive(Clone, Copy, Debug)]
pub struct Enough {
    /// Of the load.
    pub load: f64,
    /// Of the data.
    pub data: f64,
}

/// How load and data develop.
#[derive(Clone, Copy, Debug)]
pub struct Future {
    /// Of service.
    pub years: f64,
    /// A year, of both.
    pub growth: Span,
    /// The standard deviation of the logarithm of the highest peak over the measured one.
    pub peak_spread: f64,
}

impl Future {
    /// What is bought within the years, in dollars, where as much again costs `usd` after some years.
    pub fn expected_usd(&self, enough: Enough, usd: impl Fn(f64) -> f64) -> f64 {
        let Span { low, value, high } = self.growth;
        if low >= high {
            return self.bought_usd(enough, value, &usd);
        }
        let points = (2.0 * WIDTH / STEP) as i32;
        let (mut sum, mut weights) = (0.0, 0.0);
        for at in 0..=points {
            let z = f64::from(at) * STEP - WIDTH;
            let weight = exp(-z * z / 2.0);
            sum += weight * self.bought_usd(enough, value + self.growth.off(z), &usd);
            weights += weight;
        }
        sum / weights
    }

    /// The same of a growth that is known.
    fn bought_usd(&self, enough: Enough, growth: f64, usd: &impl Fn(f64) -> f64) -> f64 {
        let end = grown(growth.max(0.0), self.years);
        let most = (end * exp(WIDTH * self.peak_spread) / enough.load).max(end / enough.data);
        let count = (most.floor()).min(COUNTED_MAX);
        let each = if count > 0.0 { most.floor() / count } else { 1.0 };
        each * (1..=count as i32)
            .map(|place| self.once_usd(enough, growth, f64::from(place) * each, usd))
            .sum::<f64>()
    }

    /// What the expansion costs that is needed at so many times what is enough.
    fn once_usd(&self, enough: Enough, growth: f64, times: f64, usd: &impl Fn(f64) -> f64) -> f64 {
        let part = self.years / f64::from(PARTS);
        let needed = |after: f64| {
            let grown = grown(growth, after);
            if grown > times * enough.data * (1.0 + 1e-9) {
                1.0
            } else {
                self.exceeds(times * enough.load / grown)
            }
        };
        let mut before = needed(0.0);
        let mut sum = before * usd(0.0);
        for at in 1..=if growth > 0.0 { PARTS } else { 0 } {
            let now = needed(f64::from(at) * part);
            sum += (now - before) * usd((f64::from(at) - 0.5) * part);
            before = now;
        }
        sum
    }

    /// The chance that the highest peak is more than so many times the measured one.
    fn exceeds(&self, times: f64) -> f64 {
        if self.peak_spread > 0.0 {
            erfc(ln(times) / self.peak_spread * FRAC_1_SQRT_2) / 2.0
        } else {
            f64::from(u8::from(times < 1.0 - 1e-9))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const YEARS: f64 = 5.0;
    const PLANNED: f64 = 2.48832; // 1.2^5

    fn future(growth: Span, peak_spread: f64) -> Future {
        Future { years: YEARS, growth, peak_spread }
    }

    fn load(times: f64) -> Enough {
        Enough { load: times, data: f64::INFINITY }
    }

    #[test]
    fn what_grows_as_planned_is_not_outgrown() {
        assert_eq!(future(Span::exactly(0.2), 0.0).expected_usd(load(PLANNED), |_| 100.0), 0.0);
        assert_eq!(future(Span::exactly(0.0), 0.0).expected_usd(load(1.0), |_| 100.0), 0.0);
    }

    #[test]
    fn twice_what_was_planned_is_bought_when_it_is_needed() {
        // 1.4^5 = 5.38 for 2.49 planned: once more after ln 2.49 / ln 1.4 years, and again after ln 4.98 / ln 1.4.
        let (once, again) = (ln(PLANNED) / ln(1.4), ln(2.0 * PLANNED) / ln(1.4));
        let part = YEARS / f64::from(PARTS);
        for enough in [load(PLANNED), Enough { load: f64::INFINITY, data: PLANNED }] {
            let found = future(Span::exactly(0.4), 0.0).expected_usd(enough, |after| after);
            assert!((found - once - again).abs() < part, "{found} for {once} + {again}");
        }
    }

    #[test]
    fn it_is_expected_where_growth_has_bounds_and_less_of_a_larger_array() {
        let growth = future(Span::new(0.0, 0.2, 0.4), 0.0);
        let of = |reach: f64| growth.expected_usd(load(reach * PLANNED), |_| 1.0);
        // Growth is above the likely in half of the cases, and twice what was planned is seldom enough.
        assert!((0.5..1.0).contains(&of(1.0)), "{}", of(1.0));
        // Above 1.2 · 2^(1/5) − 1 = 37.8 % in P(z > 1.14) = 12.7 %.
        assert!((of(2.0) - 0.127).abs() < 0.04, "{}", of(2.0));
        assert!(of(100.0) < 1e-4);
    }

    #[test]
    fn a_peak_above_the_measured_one_is_expected_without_growth() {
        let still = future(Span::exactly(0.0), 0.3);
        // P(X > 1.2) = P(z > ln 1.2 / .3 = .608) = 27.2 %, and the second array is needed above 2.4, P(z > 2.92) = .2 %.
        assert!((still.expected_usd(load(1.2), |_| 1.0) - 0.2735).abs() < 1e-3);
        // On the first day: nothing becomes cheaper until then. Data do not depend on the peak.
        assert_eq!(still.expected_usd(load(1.2), |after| after), 0.0);
        assert_eq!(still.expected_usd(Enough { load: f64::INFINITY, data: 1.0 }, |_| 1.0), 0.0);
    }

    #[test]
    fn any_growth_ends() {
        let found = future(Span::exactly(1e6), 0.3).expected_usd(load(1.0), |_| 1.0);
        assert!(found > 1e29 && found.is_finite());
    }
}
