//! What is required of the storage, and how capacity and headroom follow from growth.
//!
//! Model. The data grow by a factor (1 + g) a year and are never to fill more than 80 % of the usable capacity, so
//! capacity = extent · (1 + g)^years / 0.8. Load grows as data do, so a design must sustain (1 + g)^years times the
//! measured peak, and a margin on top: the busiest minute of a log is not the busiest that there will be.

use crate::facts::Load;
use drivecast_block::math::{log10, pow};
use serde::{Deserialize, Serialize};

/// Share of the usable capacity that data may fill: file systems and databases slow down beyond it (assumed).
pub const FILL_MAX: f64 = 0.8;

/// The requirements of a plan; where a limit is none, nothing is required.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Requirements {
    /// That the array must hold.
    pub capacity_bytes: u64,
    /// Whether that follows from the growth of the data, rather than being given.
    #[serde(default)]
    pub capacity_grows: bool,
    /// Of reads, at the required load.
    #[serde(default)]
    pub p99_read_ns: Option<u64>,
    /// Of writes.
    #[serde(default)]
    pub p99_write_ns: Option<u64>,
    /// Of service.
    pub years: f64,
    /// Of data and load, as a share.
    pub growth_per_year: f64,
    /// Drives that may fail without loss of data.
    pub drive_losses: u32,
    /// A multiple of the measured peak, with its margin.
    pub headroom: f64,
    /// By how much that is above the load after all years; none where the multiple was given.
    #[serde(default)]
    pub headroom_margin: Option<f64>,
    /// Share of the years by which a life may fall short.
    pub endurance_tolerance: f64,
    /// Hours of a day that look like the log.
    pub hours_per_day: f64,
    /// Over the years.
    #[serde(default)]
    pub budget_usd: Option<f64>,
    /// Of the array.
    #[serde(default)]
    pub power_w_max: Option<f64>,
    /// The chance of losing data over the years, at most.
    pub data_loss: f64,
    /// A scrub reads all of every drive once in this time.
    pub scrub_days: f64,
    /// The least growth, what is taken, and the most; of one that was given all the same.
    pub growth_bounds: [f64; 2],
    /// The fewest hours a day that look like the log, where it was not said.
    pub hours_low: f64,
}

impl Requirements {
    /// How long drives must last: the years, less the tolerance.
    #[must_use]
    pub fn endures_years(&self) -> f64 {
        self.years * (1.0 - self.endurance_tolerance)
    }

    /// Whether a life falls short of the years by no more than the tolerance.
    #[must_use]
    pub fn tolerates(&self, life_years: f64) -> bool {
        self.endures_years() <= life_years && life_years < self.years
    }

    /// Host writes of a day in the first year: the log's rate for as many hours as look like it.
    #[must_use]
    pub fn write_bytes_per_day(&self, load: &Load) -> f64 {
        load.write_bytes_per_day * self.hours_per_day / 24.0
    }
}

/// How many times the data and the load of today there are after `years`.
#[must_use]
pub fn grown(growth_per_year: f64, years: f64) -> f64 {
    pow(1.0 + growth_per_year, years)
}

/// The capacity that data of this extent need, after they have grown: rounded up to two digits, as people write it.
#[must_use]
pub fn capacity_bytes(extent_bytes: u64, growth: f64) -> u64 {
    let needed = extent_bytes as f64 * growth / FILL_MAX;
    if needed <= 0.0 {
        return 0;
    }
    let unit = pow(10.0, log10(needed).floor() - 1.0);
    ((needed / unit).ceil() * unit) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capacity_is_what_a_person_would_write() {
        assert_eq!(capacity_bytes(100_000_000_000, 1.0), 130_000_000_000);
        assert_eq!(capacity_bytes(80_000_000_000, 1.0), 100_000_000_000);
        assert!((grown(0.2, 5.0) - 2.48832).abs() < 1e-12);
    }
}
