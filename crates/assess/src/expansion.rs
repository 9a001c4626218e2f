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
use drivecast_block::math::{exp, ln, ln_1p};
use libm::erfc;
use std::f64::consts::FRAC_1_SQRT_2;

/// Arrays bought that are followed one by one; more are taken in bundles.
const COUNTED_MAX: f64 = 100.0;
/// Deviations to either side, and between two points of the mean.
const WIDTH: f64 = 4.0;
const STEP: f64 = 0.25;
/// Parts of the years: an expansion is bought in the middle of one.
const PARTS: usize = 20;
/// A chance that is none.
const NO_CHANCE: f64 = 1e-12;

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

/// How many expansions are expected on the first day, and in each part of the years.
#[derive(Clone, Debug)]
pub struct Expansions {
    years: f64,
    expected: [f64; PARTS + 1],
}

impl Expansions {
    /// What they cost, where one costs `usd` after some years.
    pub fn cost_usd(&self, usd: impl Fn(f64) -> f64) -> f64 {
        let part = self.years / PARTS as f64;
        let later = self.expected[1..].iter().zip(0_u8..);
        let later = later.map(|(count, at)| count * usd((f64::from(at) + 0.5) * part)).sum::<f64>();
        self.expected[0] * usd(0.0) + later
    }
}

impl Future {
    /// What is expected to be bought within the years.
    #[must_use]
    pub fn expansions(&self, enough: Enough) -> Expansions {
        let Span { low, value, high } = self.growth;
        let mut found = Expansions { years: self.years, expected: [0.0; PARTS + 1] };
        if low >= high {
            self.add(&mut found, enough, value, 1.0);
            return found;
        }
        let points = (2.0 * WIDTH / STEP) as i32;
        let of = |at: i32| f64::from(at) * STEP - WIDTH;
        let weight = |z: f64| exp(-z * z / 2.0);
        let weights: f64 = (0..=points).map(|at| weight(of(at))).sum();
        for z in (0..=points).map(of) {
            self.add(&mut found, enough, value + self.growth.off(z), weight(z) / weights);
        }
        found
    }

    /// Adds what is bought at a growth that has this chance.
    fn add(&self, found: &mut Expansions, enough: Enough, growth: f64, chance: f64) {
        let end = grown(growth.max(0.0), self.years);
        let most = (end * exp(WIDTH * self.peak_spread) / enough.load).max(end / enough.data).floor();
        let bundles = most.min(COUNTED_MAX);
        let parts = if growth > 0.0 { PARTS } else { 0 };
        let step = ln_1p(growth.max(0.0)) * self.years / PARTS as f64;
        for times in (1..=bundles as i32).map(|place| f64::from(place) * most / bundles) {
            let (ln_load, ln_data) = (ln(times * enough.load), ln(times * enough.data));
            let needed = |at: usize| self.exceeds(ln_load, ln_data, step * at as f64);
            if needed(parts) < NO_CHANCE {
                return;
            }
            let mut before = 0.0;
            for (at, expected) in found.expected[..=parts].iter_mut().enumerate() {
                let now = needed(at);
                *expected += chance * most / bundles * (now - before);
                before = now;
            }
        }
    }

    /// The chance that load or data have grown beyond what is enough, all in logarithms.
    fn exceeds(&self, ln_load: f64, ln_data: f64, ln_grown: f64) -> f64 {
        if ln_grown > ln_data + 1e-9 {
            1.0
        } else if self.peak_spread > 0.0 {
            erfc((ln_load - ln_grown) / self.peak_spread * FRAC_1_SQRT_2) / 2.0
        } else {
            f64::from(u8::from(ln_grown > ln_load + 1e-9))
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

    impl Future {
        fn expected_usd(&self, enough: Enough, usd: impl Fn(f64) -> f64) -> f64 {
            self.expansions(enough).cost_usd(usd)
        }
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
        let part = YEARS / PARTS as f64;
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
