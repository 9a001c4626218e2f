//! A value with the bounds between which it lies.

use serde::{Deserialize, Serialize};

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
}
