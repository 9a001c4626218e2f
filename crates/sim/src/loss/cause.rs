//! Why drives fail: causes that compete, each a Weibull of age or of wear.

use super::curve::Curve;
use drivecast_block::math;
use serde::Deserialize;

/// What a cause goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Clock {
    /// Hours since the drive was put in.
    Age,
    /// Program/erase cycles used, as a share of those rated.
    Wear,
}

/// One cause: of the share of drives that are prone to it, those left at age or wear x are e^−(x / scale)^shape.
///
/// Where all are prone, the cumulative hazard is (x / scale)^shape; where a share s is, −ln(1 − s (1 − e^−(x / scale)^shape)).
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cause {
    /// What it goes by.
    pub clock: Clock,
    /// Hours, or shares of the rated cycles, by which 63 % have failed of it.
    pub scale: f64,
    /// Below 1 the hazard falls, at 1 it is constant, above it rises.
    pub shape: f64,
    /// Drives prone to it, of all: below 1 for the weak ones of a population.
    pub share: f64,
}

impl Cause {
    fn hazard(&self, x: f64) -> f64 {
        let own = math::pow(x / self.scale, self.shape);
        if self.share == 1.0 { own } else { -math::ln_1p(self.share * math::exp_m1(-own)) }
    }
}

/// The cumulative hazard of all causes that go by `clock`, up to `end`.
pub(super) fn cumulative(causes: &[Cause], clock: Clock, end: f64) -> Curve {
    Curve::new(end, |x| {
        let own = causes.iter().filter(|cause| cause.clock == clock);
        own.map(|cause| cause.hazard(x)).sum()
    })
}
