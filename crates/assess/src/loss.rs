//! How often an array loses data, in closed form.
//!
//! Model. Drives fail independently at a constant rate λ = 1 / MTBF and are rebuilt one at a time at rate μ = 1 /
//! rebuild time: a birth-death chain over the number of failed drives. A group of n drives that tolerates k failures
//! loses data at the (k + 1)th:
//!
//! ```text
//! h_0 = 1 / b_0,   h_i = 1 / b_i + (μ / b_i) h_(i−1),   b_i = (n − i) λ,   MTTDL = h_0 + … + h_k
//! ```
//!
//! exactly, where h_i is the mean time from i to i + 1 failures. An array of g groups loses data g times as often. A
//! rebuild without redundancy left reads n − k drives whole; each bit is unreadable with probability UBER, and so are
//! the latent errors that a scrub has not met yet. Groups enter that state every h_0 + … + h_(k−1) hours, and with
//! rebuilds much shorter than that both kinds of loss come at constant rates. With a spare the rebuild alone counts,
//! whose time is fixed, so that k failures meet in T^k / k! instead of the chain's T^k.
//!
//! Left out: failures that are correlated (one batch, one shelf, one worn-out generation of mirrors), the cost of a
//! loss, and that a spare of many groups may be in use by another of them. Sources: Patterson, Gibson, Katz 1988 for the
//! chain; Elerath and Pecht 2007 and Greenan et al. 2010 for its limits.

use crate::redundancy::Redundancy;
use crate::span::Span;
use drivecast_block::math::{exp_m1, ln_1p, pow};
use serde::{Deserialize, Serialize};

const BITS_PER_BYTE: f64 = 8.0;
/// Of a service.
pub const HOURS_PER_YEAR: f64 = 8766.0;
/// Of a data sheet's mean time between failures.
const MTBF_HOURS_PER_YEAR: f64 = 8760.0;

/// Drives of one kind in groups.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Array {
    /// The groups that fail on their own.
    pub redundancy: Redundancy,
    /// Mean time between failures of a drive.
    pub mtbf_h: f64,
    /// From a failure until redundancy is back.
    pub rebuild_h: f64,
    /// Capacity of a drive.
    pub drive_bytes: f64,
    /// Unrecoverable errors per bit read.
    pub uber: f64,
    /// On a drive, on average: half of what arises between two scrubs.
    pub latent_errors: f64,
}

/// The chance that an array loses data within the years of service.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct DataLoss {
    /// By drive failures alone.
    pub mttdl_h: f64,
    /// By drive failures.
    pub failure_probability: f64,
    /// By an unreadable sector in a rebuild that has no redundancy left.
    pub unreadable_probability: f64,
    /// By either.
    pub probability: f64,
}

impl Array {
    /// The mean times from none to k and to k + 1 failed drives, in hours.
    fn until(&self) -> (f64, f64) {
        let (mut step, mut before, mut all) = (0.0, 0.0, 0.0);
        for failed in 0..=self.redundancy.failures {
            let mean = self.mtbf_h / f64::from(self.redundancy.drives - failed);
            step = if failed == 0 { mean } else { mean + (mean / self.rebuild_h) * step };
            (before, all) = (all, all + step);
        }
        (before, all)
    }

    /// Over `years`; a drive without redundancy has no rebuild that could fail.
    #[must_use]
    pub fn data_loss(&self, years: f64) -> DataLoss {
        let group = self.redundancy;
        let (critical_h, lost_h) = self.until();
        let hours = years * HOURS_PER_YEAR * f64::from(group.groups);
        let by_failure = hours / lost_h;
        let mut by_sector = 0.0;
        if group.failures > 0 {
            let read = f64::from(group.drives - group.failures);
            let latent = -exp_m1(-read * self.latent_errors);
            by_sector =
                hours / critical_h * (latent + unreadable_probability(read * self.drive_bytes, self.uber));
        }
        DataLoss {
            mttdl_h: lost_h / f64::from(group.groups),
            failure_probability: -exp_m1(-by_failure),
            unreadable_probability: -exp_m1(-by_sector),
            probability: -exp_m1(-by_failure - by_sector),
        }
    }
}

/// The chance of at least one unrecoverable error, 1 − (1 − UBER)^bits, without losing digits.
#[must_use]
pub fn unreadable_probability(bytes_read: f64, uber: f64) -> f64 {
    -exp_m1(bytes_read * BITS_PER_BYTE * ln_1p(-uber))
}

/// The mean time between failures that means this annual failure rate; infinite where none fails.
#[must_use]
pub fn mean_time_between_failures_h(failure_rate: f64) -> f64 {
    if failure_rate > 0.0 { -MTBF_HOURS_PER_YEAR / ln_1p(-failure_rate) } else { f64::INFINITY }
}

/// The chance that any of several loses data, independent of each other: 1 − Π (1 − p).
#[must_use]
pub fn of_any(chances: impl IntoIterator<Item = f64>) -> f64 {
    -exp_m1(chances.into_iter().map(|chance| ln_1p(-chance.min(1.0 - 1e-16))).sum::<f64>())
}

/// What the closed form of a design is worked out from.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reliability {
    /// Of a drive, a year.
    pub failure_rate: Span,
    /// Latent errors that arise on a new drive, an hour.
    pub latent_per_h: Span,
    /// Unrecoverable errors per bit read.
    pub uber: f64,
    /// Hours to write a drive whole, at the rate that a rebuild may take.
    pub rebuild_h: f64,
    /// Hours from a failure until somebody has put in a new drive, where no spare waits.
    pub operator_h: f64,
}

/// The chance that a design loses data, with its bounds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Risk {
    /// Over the years.
    pub probability: Span,
    /// Of an unreadable sector in a rebuild, a part of it.
    pub unreadable_probability: f64,
}

/// The closed form: constant rates, latent errors that arise between two scrubs, half of them met.
///
/// The interval spans the failure rates and the latent errors, low with low and high with high.
#[must_use]
pub fn closed(
    group: Redundancy,
    drive_bytes: f64,
    spares: u32,
    of: &Reliability,
    years: f64,
    scrub_days: f64,
) -> Risk {
    let latent = of.latent_per_h.rising(|rate| rate * scrub_days * 24.0 / 2.0);
    let lost = |rate: f64, latent_errors: f64| {
        array(group, drive_bytes, spares, of, rate, latent_errors).data_loss(years)
    };
    let chance = |rate: f64, latent: f64| if rate > 0.0 { lost(rate, latent).probability } else { 0.0 };
    let rate = of.failure_rate;
    Risk {
        probability: Span::new(
            chance(rate.low, latent.low),
            chance(rate.value, latent.value),
            chance(rate.high, latent.high),
        ),
        unreadable_probability: lost(rate.value, latent.value).unreadable_probability,
    }
}

/// The array of such drives, at this failure rate a year.
fn array(
    group: Redundancy,
    drive_bytes: f64,
    spares: u32,
    of: &Reliability,
    rate: f64,
    latent_errors: f64,
) -> Array {
    let mut rebuild_h = of.rebuild_h + of.operator_h;
    if spares > 0 && group.failures > 0 {
        let overlapping: f64 = (1..=group.failures).map(f64::from).product();
        rebuild_h = of.rebuild_h / pow(overlapping, 1.0 / f64::from(group.failures));
    }
    let mtbf_h = mean_time_between_failures_h(rate);
    Array { redundancy: group, mtbf_h, rebuild_h, drive_bytes, uber: of.uber, latent_errors }
}

/// How often data are expected to be lost within the years: above 1 where a design is restored again and again.
#[must_use]
pub fn expected(
    group: Redundancy,
    drive_bytes: f64,
    spares: u32,
    of: &Reliability,
    rate: f64,
    years: f64,
    scrub_days: f64,
) -> f64 {
    if rate <= 0.0 {
        return 0.0;
    }
    let latent = of.latent_per_h.value * scrub_days * 24.0 / 2.0;
    -ln_1p(-array(group, drive_bytes, spares, of, rate, latent).data_loss(years).probability.min(1.0 - 1e-16))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redundancy::Level;

    fn array(level: Level, drives: u32) -> Array {
        let redundancy = Redundancy::of(level, drives, None).expect("equal groups");
        Array { redundancy, mtbf_h: 1e6, rebuild_h: 10.0, drive_bytes: 0.0, uber: 0.0, latent_errors: 0.0 }
    }

    /// Patterson, Gibson and Katz: MTTDL of one parity is about MTBF² / (n (n − 1) MTTR).
    #[test]
    fn one_parity_is_the_textbook_s() {
        let found = array(Level::Raid5, 8).data_loss(5.0).mttdl_h;
        assert!((found / (1e12 / (8.0 * 7.0 * 10.0)) - 1.0).abs() < 2e-4);
    }

    #[test]
    fn without_redundancy_the_first_failure_loses_data() {
        let found = array(Level::Raid0, 4).data_loss(1.0);
        assert!((found.probability + exp_m1(-4.0 * HOURS_PER_YEAR / 1e6)).abs() < 1e-12);
        assert_eq!(found.unreadable_probability, 0.0);
    }

    #[test]
    fn pairs_lose_as_often_as_there_are_pairs() {
        let (one, four) = (array(Level::Raid1, 2).data_loss(1.0), array(Level::Raid10, 8).data_loss(1.0));
        assert!((four.mttdl_h * 4.0 / one.mttdl_h - 1.0).abs() < 1e-12);
    }
}
