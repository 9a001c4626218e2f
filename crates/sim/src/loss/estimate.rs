//! Means over missions with their errors, on any number of threads the same.
//!
//! Missions come in blocks, each with a random stream of its own by its number; blocks are spread over threads and added up
//! in order. Rounds of blocks continue until the relative standard error of the chance of loss is small enough. The interval is
//! the mean ± 1.96 standard errors.

use super::group::Group;
use super::mission::{Mission, Score};
use super::spec::Spec;
use crate::SimError;
use drivecast_block::math;
use drivecast_block::random::stream;
#[cfg(feature = "native")]
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

const BLOCK_MISSIONS: u64 = 2048;
const ROUND_BLOCKS: u64 = 8;
const HOURS_PER_YEAR: f64 = 8766.0;

/// How well the chance is to be known.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// Seed of all that is random.
    pub seed: u64,
    /// Relative standard error of the chance of loss at which to stop.
    pub precision: f64,
    /// Missions to stop at in any case.
    pub missions_max: u64,
}

/// A mean over missions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The mean.
    pub value: f64,
    /// Lower end of its 95 % interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// What an array loses over a mission.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Loss {
    /// Missions simulated, of one group each.
    pub missions: u64,
    /// Group-years simulated.
    pub group_years: f64,
    /// Relative standard error of `probability`, of a group.
    pub relative_error: f64,
    /// Chance of any loss of data.
    pub probability: Estimate,
    /// Chance of a loss by failed drives.
    pub failure_probability: Estimate,
    /// Chance of an unreadable sector in a rebuild without redundancy.
    pub unreadable_probability: Estimate,
    /// Such rebuilds expected.
    pub unreadable_rebuilds: Estimate,
    /// Bytes expected to be lost, until drives failed too many.
    pub lost_bytes: Estimate,
    /// Share of the time in which a group has a drive missing.
    pub degraded_fraction: Estimate,
}

/// Sums over missions, and over their squares.
#[derive(Clone, Copy, Default)]
struct Sums {
    count: u64,
    sums: [f64; 6],
    squares: [f64; 6],
}

impl Sums {
    fn add(&mut self, score: &Score) {
        let Score { any, failed, unreadable, unreadable_rebuilds, bytes, degraded_h } = *score;
        self.count += 1;
        for (index, value) in
            [any, failed, unreadable, unreadable_rebuilds, bytes, degraded_h].into_iter().enumerate()
        {
            self.sums[index] += value;
            self.squares[index] += value * value;
        }
    }

    fn merge(&mut self, other: &Sums) {
        self.count += other.count;
        for index in 0..self.sums.len() {
            self.sums[index] += other.sums[index];
            self.squares[index] += other.squares[index];
        }
    }

    fn mean(&self, index: usize) -> f64 {
        self.sums[index] / self.count as f64
    }

    fn error(&self, index: usize) -> f64 {
        let (count, mean) = (self.count as f64, self.mean(index));
        ((self.squares[index] / count - mean * mean).max(0.0) / (count - 1.0).max(1.0)).sqrt()
    }

    fn relative_error(&self) -> f64 {
        if self.mean(0) > 0.0 { self.error(0) / self.mean(0) } else { 0.0 }
    }

    /// A mean, its interval, both through a function that rises.
    fn estimate(&self, index: usize, rising: impl Fn(f64) -> f64) -> Estimate {
        let (mean, error) = (self.mean(index), self.error(index));
        let low = (mean - 1.96 * error).max(0.0);
        Estimate { value: rising(mean), low: rising(low), high: rising(mean + 1.96 * error) }
    }
}

/// Simulates missions until the chance of loss is known well enough.
///
/// # Errors
/// A specification or options that cannot be used; says which field.
pub fn lose(spec: &Spec, options: &Options) -> Result<Loss, SimError> {
    spec.check()?;
    let refuse = |option, expected, found: String| Err(SimError::Option { option, expected, found });
    if options.precision.is_nan() || options.precision <= 0.0 {
        return refuse("precision", "a relative error above 0", options.precision.to_string());
    }
    if options.missions_max == 0 {
        return refuse("missions_max", "1 or more", "0".to_owned());
    }
    let group = Group::new(spec);
    let blocks_max = options.missions_max.div_ceil(BLOCK_MISSIONS);
    let (mut total, mut next) = (Sums::default(), 0);
    while next < blocks_max {
        let until = (next + ROUND_BLOCKS.max(next)).min(blocks_max);
        #[cfg(feature = "native")]
        let numbers = (next..until).into_par_iter();
        #[cfg(not(feature = "native"))]
        let numbers = next..until;
        let blocks: Vec<Sums> = numbers.map(|number| block(&group, options, number)).collect();
        blocks.iter().for_each(|block| total.merge(block));
        next = until;
        if total.relative_error() <= options.precision {
            break;
        }
    }
    Ok(summary(spec, &total))
}

fn block(group: &Group<'_>, options: &Options, number: u64) -> Sums {
    let missions = BLOCK_MISSIONS.min(options.missions_max - number * BLOCK_MISSIONS);
    let mut random = stream(options.seed, &format!("loss {number}"));
    let (mut mission, mut sums) = (Mission::new(group), Sums::default());
    (0..missions).for_each(|_| sums.add(&mission.run(&mut random)));
    sums
}

fn summary(spec: &Spec, total: &Sums) -> Loss {
    let groups = f64::from(spec.groups);
    let any_of = |chance: f64| -math::exp_m1(groups * math::ln_1p(-chance.min(1.0)));
    Loss {
        missions: total.count,
        group_years: total.count as f64 * spec.hours / HOURS_PER_YEAR,
        relative_error: total.relative_error(),
        probability: total.estimate(0, any_of),
        failure_probability: total.estimate(1, any_of),
        unreadable_probability: total.estimate(2, any_of),
        unreadable_rebuilds: total.estimate(3, |rebuilds| rebuilds * groups),
        lost_bytes: total.estimate(4, |bytes| bytes * groups),
        degraded_fraction: total.estimate(5, |hours| (hours / spec.hours).min(1.0)),
    }
}
