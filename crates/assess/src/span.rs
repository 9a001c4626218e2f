//! A value with the bounds between which it lies.

use serde::{Deserialize, Serialize};

/// Where the upper bound of an interval lies on a standard normal distribution.
const P90: f64 = 1.2816;

/// low ≤ value ≤ high, all in one unit. A bound without end is infinite, and null in JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Span {
    /// The lower bound.
    pub low: f64,
    /// The value.
    pub value: f64,
    /// The upper bound.
    pub high: f64,
}

impl Span {
    /// Of three numbers that rise.
    #[must_use]
    pub const fn new(low: f64, value: f64, high: f64) -> Span {
        Span { low, value, high }
    }

    /// One point.
    #[must_use]
    pub const fn exactly(value: f64) -> Span {
        Span { low: value, value, high: value }
    }

    /// A function that rises, applied bound by bound.
    #[must_use]
    pub fn rising(self, function: impl Fn(f64) -> f64) -> Span {
        Span { low: function(self.low), value: function(self.value), high: function(self.high) }
    }

    /// How far a normal draw is off the value: the bounds are the 10th and 90th percentile, and need not rise.
    #[must_use]
    pub fn off(self, normal: f64) -> f64 {
        let z = normal / P90;
        if z < 0.0 { z * (self.value - self.low) } else { z * (self.high - self.value) }
    }
}
