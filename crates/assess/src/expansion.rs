//! What it is expected to cost that load and data outgrow an array.
//!
//! Model. Growth g a year is not known but for its likely value and its bounds, the 10th and 90th percentile of two half
//! normal distributions ([`Span::off`]). An array for c times the data or the load of the first day is outgrown when
//! (1 + g)^t = c. Then as much again is bought, at the price of that day, and takes a visit; the k-th time at k c.
//! What that costs is the mean over the distribution; of a growth that is known it is what that growth costs. Left out:
//! energy of what is added, moving data, growth that differs from year to year.

use crate::requirement::grown;
use crate::span::Span;
use drivecast_block::math::{exp, ln, ln_1p};

/// Arrays bought that are followed one by one; more are taken in bundles.
const COUNTED_MAX: f64 = 100.0;
/// Deviations to either side, and between two points of the mean.
const WIDTH: f64 = 4.0;
const STEP: f64 = 0.25;

/// What is bought within the years, in dollars, where an array is for `times` the first day's data or load, and as much
/// again costs `usd` after some years.
pub fn expected_usd(times: f64, years: f64, growth: Span, usd: impl Fn(f64) -> f64) -> f64 {
    if growth.low >= growth.high {
        return bought_usd(times, years, growth.value, &usd);
    }
    let points = (2.0 * WIDTH / STEP) as i32;
    let (mut sum, mut weights) = (0.0, 0.0);
    for at in 0..=points {
        let z = f64::from(at) * STEP - WIDTH;
        let weight = exp(-z * z / 2.0);
        sum += weight * bought_usd(times, years, growth.value + growth.off(z), &usd);
        weights += weight;
    }
    sum / weights
}

/// The same of a growth that is known.
fn bought_usd(times: f64, years: f64, growth: f64, usd: &impl Fn(f64) -> f64) -> f64 {
    if growth <= 0.0 {
        return 0.0;
    }
    // What is outgrown on the last day is not bought again.
    let count = (grown(growth, years) / times * (1.0 - 1e-9)).floor();
    let shown = count.min(COUNTED_MAX);
    let each = if shown > 0.0 { count / shown } else { 1.0 };
    let end = |place: i32| ln(f64::from(place) * each * times) / ln_1p(growth);
    each * (1..=shown as i32).map(|place| usd(end(place).clamp(0.0, years))).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    const YEARS: f64 = 5.0;

    fn planned() -> f64 {
        grown(0.2, YEARS)
    }

    #[test]
    fn what_grows_as_planned_is_not_outgrown() {
        assert_eq!(expected_usd(planned(), YEARS, Span::exactly(0.2), |_| 100.0), 0.0);
        assert_eq!(expected_usd(1.0, YEARS, Span::exactly(0.0), |_| 100.0), 0.0);
    }

    #[test]
    fn twice_what_was_planned_is_bought_when_it_is_needed() {
        // 1.4^5 = 5.38 for 2.49 planned: once more after ln 2.49 / ln 1.4 years, and again after ln 4.98 / ln 1.4.
        let found = expected_usd(planned(), YEARS, Span::exactly(0.4), |after| after);
        let (once, again) = (ln(planned()) / ln(1.4), ln(2.0 * planned()) / ln(1.4));
        assert!((found - once - again).abs() < 1e-9);
    }

    #[test]
    fn it_is_expected_where_growth_has_bounds_and_less_of_a_larger_array() {
        let of = |reach: f64| expected_usd(reach * planned(), YEARS, Span::new(0.0, 0.2, 0.4), |_| 1.0);
        // Growth is above the likely in half of the cases, and twice what was planned is seldom enough.
        assert!((0.5..1.0).contains(&of(1.0)), "{}", of(1.0));
        // Above 1.2 · 2^(1/5) − 1 = 37.8 % in P(z > 1.14) = 12.7 %.
        assert!((of(2.0) - 0.127).abs() < 0.04, "{}", of(2.0));
        assert!(of(100.0) < 1e-4);
    }

    #[test]
    fn any_growth_ends() {
        let found = expected_usd(1.0, YEARS, Span::exactly(1e6), |_| 1.0);
        assert!(found > 1e29 && found.is_finite());
    }
}
