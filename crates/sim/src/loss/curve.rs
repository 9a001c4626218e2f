//! A function of one variable, tabulated at even steps from 0 and linear between them.

/// Steps of a table: hazards are taken as constant within a thousandth of the span.
pub(super) const STEPS: usize = 1024;

/// A tabulated function.
#[derive(Clone, Debug)]
pub(super) struct Curve {
    per_step: f64,
    step: f64,
    values: Vec<f64>,
}

impl Curve {
    /// The values of `function` from 0 to `end`; beyond, the last slope continues.
    pub(super) fn new(end: f64, function: impl Fn(f64) -> f64) -> Curve {
        let step = end.max(f64::MIN_POSITIVE) / STEPS as f64;
        let values = (0..=STEPS).map(|index| function(index as f64 * step)).collect();
        Curve { per_step: 1.0 / step, step, values }
    }

    /// The value at `x`; below 0 that at 0.
    #[inline]
    pub(super) fn at(&self, x: f64) -> f64 {
        let place = (x * self.per_step).max(0.0);
        let index = (place as usize).min(STEPS - 1);
        let (low, high) = (self.values[index], self.values[index + 1]);
        low + (place - index as f64) * (high - low)
    }

    /// Where a curve that rises reaches `value`; infinite where it does not within its table.
    pub(super) fn reaches(&self, value: f64) -> f64 {
        let above = self.values.partition_point(|known| *known < value);
        if above == 0 {
            return 0.0;
        }
        if above == self.values.len() {
            return f64::INFINITY;
        }
        let (low, high) = (self.values[above - 1], self.values[above]);
        ((above - 1) as f64 + (value - low) / (high - low)) * self.step
    }

    /// The value at the end of the table.
    pub(super) fn last(&self) -> f64 {
        self.values[STEPS]
    }
}
