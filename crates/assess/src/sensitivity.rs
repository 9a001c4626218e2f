//! What a result is sensitive to: each input moved over its own interval, all others as they are.
//!
//! Model. A result y = f(x₁ … xₙ) is worked out with one input at its low end, then at its high end; the span of y is
//! how much that input matters (a tornado chart sorts them by it). Inputs are taken as independent, so the interval of y
//! adds the squares of what each moves it down, and of what each moves it up: an interval of the same kind as those of
//! the inputs, to first order. Left out: inputs that move together, such as two prices of one market.

use crate::span::Span;
use serde::Serialize;

/// A result with one input at each end of its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Move<Name> {
    /// The input.
    pub name: Name,
    /// With the input at its low end.
    pub low: f64,
    /// With the input at its high end.
    pub high: f64,
}

impl<Name> Move<Name> {
    /// How much the input matters; infinite where only one end is endless.
    #[must_use]
    pub fn swing(&self) -> f64 {
        if self.low.is_infinite() && self.high.is_infinite() { 0.0 } else { (self.high - self.low).abs() }
    }
}

/// The interval of a result whose inputs move it independently.
#[must_use]
pub fn combined<Name>(value: f64, moves: &[Move<Name>]) -> Span {
    if !value.is_finite() {
        return Span::exactly(value);
    }
    let (mut below, mut above) = (0.0_f64, 0.0_f64);
    for each in moves {
        let (low, high) = (each.low - value, each.high - value);
        below = libm::hypot(below, low.min(high).min(0.0));
        above = libm::hypot(above, low.max(high).max(0.0));
    }
    Span::new(value - below, value, value + above)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::Draw;
    use crate::latency::quantile;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bounds_hold_the_value_and_every_single_move(
            value in -1e3_f64..1e3, ends in prop::collection::vec((-1e3_f64..1e3, -1e3_f64..1e3), 1..6),
        ) {
            let moves: Vec<_> = ends.into_iter().map(|(low, high)| Move { name: (), low, high }).collect();
            let whole = combined(value, &moves);
            prop_assert!(whole.low <= value && value <= whole.high);
            for each in moves {
                prop_assert!(whole.low - 1e-6 <= each.low.min(each.high));
                prop_assert!(each.low.max(each.high) <= whole.high + 1e-6);
            }
        }
    }

    /// Eight draws of ten lie within 80 % bounds of each input: so must those of the sum within its own.
    #[test]
    fn bounds_of_a_sum_hold_as_much_as_those_of_each_input() {
        const P90: f64 = 1.2816;
        let sigmas = [("a", 1.0), ("b", 2.0), ("c", 0.5), ("d", 3.0)];
        let moves = sigmas.map(|(name, sigma)| Move { name, low: -P90 * sigma, high: P90 * sigma });
        let whole = combined(0.0, &moves);
        let mut draw = Draw::new(0);
        let drawn = sigmas.map(|(name, sigma)| (draw.normal(name), sigma));
        let sums: Vec<f64> = (0..crate::draw::DRAWS)
            .map(|at| drawn.iter().map(|(normal, sigma)| normal[at] * sigma).sum())
            .collect();
        assert!((quantile(sums.clone(), 0.1) / whole.low - 1.0).abs() < 0.08);
        assert!((quantile(sums, 0.9) / whole.high - 1.0).abs() < 0.08);
    }

    #[test]
    fn moves_add_as_squares() {
        let moves = [Move { name: "a", low: 7.0, high: 13.0 }, Move { name: "b", low: 14.0, high: 6.0 }];
        assert_eq!(combined(10.0, &moves), Span::new(5.0, 10.0, 15.0));
        assert_eq!(moves[1].swing(), 8.0);
        assert_eq!(Move { name: "c", low: f64::INFINITY, high: f64::INFINITY }.swing(), 0.0);
    }
}
