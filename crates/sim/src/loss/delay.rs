//! How long something takes: a Weibull behind a least time.

use drivecast_block::math;
use drivecast_block::random::Stream;
use rand::Rng;
use serde::Deserialize;

/// A time of `min_h` and more: t = min + scale × E^(1 / shape), E exponential with mean 1.
///
/// A scale of 0 is a fixed time, a shape of 1 an exponential one.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Delay {
    /// The least time.
    pub min_h: f64,
    /// Scale of what comes on top.
    pub scale_h: f64,
    /// Its shape.
    pub shape: f64,
}

impl Delay {
    /// Always the same.
    pub fn fixed(hours: f64) -> Delay {
        Delay { min_h: hours, scale_h: 0.0, shape: 1.0 }
    }

    /// Exponential with this mean.
    pub fn exponential(mean_h: f64) -> Delay {
        Delay { min_h: 0.0, scale_h: mean_h, shape: 1.0 }
    }

    /// About the mean: it steers the sampling and changes no result.
    pub(super) fn typical_h(&self) -> f64 {
        self.min_h + self.scale_h
    }

    #[inline]
    pub(super) fn draw(&self, random: &mut Stream) -> f64 {
        if self.scale_h == 0.0 {
            return self.min_h;
        }
        let unit = -math::ln(uniform(random));
        let scaled = if self.shape == 1.0 { unit } else { math::pow(unit, 1.0 / self.shape) };
        self.min_h + self.scale_h * scaled
    }
}

/// Uniform in (0, 1).
#[inline]
pub(super) fn uniform(random: &mut Stream) -> f64 {
    ((random.next_u64() >> 11) as f64 + 0.5) * (1.0 / (1_u64 << 53) as f64)
}
