//! Sectors that cannot be read: those that went bad unseen, and those that fail on reading.

use super::curve::Curve;
use drivecast_block::math;
use serde::Deserialize;

/// A rate that grows with wear w: new + (worn − new) × w^shape, `worn` at the rated cycles.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Growth {
    /// On an unworn drive.
    pub new: f64,
    /// At the rated cycles.
    pub worn: f64,
    /// 1 for linear growth.
    pub shape: f64,
}

impl Growth {
    /// The same whatever the wear.
    pub fn constant(rate: f64) -> Growth {
        Growth { new: rate, worn: rate, shape: 1.0 }
    }

    fn at(&self, wear: f64) -> f64 {
        self.new + (self.worn - self.new) * math::pow(wear, self.shape)
    }
}

/// How sectors go bad, and how they are found.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sectors {
    /// Latent errors that arise on a drive, an hour.
    pub latent_per_h: Growth,
    /// Chance that a bit read cannot be recovered.
    pub uber: Growth,
    /// A scrub passes each sector once in this time; none: there is no scrub.
    pub scrub_h: Option<f64>,
    /// What is lost with one error.
    pub bytes: f64,
}

/// [`Sectors`] ready for lookup.
pub(super) struct Unreadable {
    latent_per_h: Curve,
    on_reading: Curve,
    scrub_h: Option<f64>,
}

impl Unreadable {
    /// Tables up to `wear_max` for drives of so many bytes.
    pub(super) fn new(sectors: &Sectors, drive_bytes: f64, wear_max: f64) -> Unreadable {
        let bits = 8.0 * drive_bytes;
        Unreadable {
            latent_per_h: Curve::new(wear_max, |wear| sectors.latent_per_h.at(wear)),
            on_reading: Curve::new(wear_max, |wear| bits * sectors.uber.at(wear)),
            scrub_h: sectors.scrub_h,
        }
    }

    /// Errors expected on reading the whole of a drive of this age; `wear_before` says how worn it was so many hours ago.
    ///
    /// An error that arose u hours ago is still there with chance 1 − u / T, for the scrub comes by at a random time of its
    /// period T. The rate is taken at the mean u of those still there, which is exact where it grows linearly.
    #[inline]
    pub(super) fn expected(&self, age_h: f64, wear_before: impl Fn(f64) -> f64) -> f64 {
        let (exposure, centre) = match self.scrub_h {
            None => (age_h, 0.5 * age_h),
            Some(period) if age_h >= period => (0.5 * period, period / 3.0),
            Some(period) => {
                let exposure = age_h - 0.5 * age_h * age_h / period;
                let moment = age_h * age_h * (0.5 - age_h / (3.0 * period));
                (exposure, if exposure > 0.0 { moment / exposure } else { 0.0 })
            }
        };
        exposure * self.latent_per_h.at(wear_before(centre)) + self.on_reading.at(wear_before(0.0))
    }
}
