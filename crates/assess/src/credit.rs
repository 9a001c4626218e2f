//! Burst credits over a whole log: a fluid model of a token bucket, second by second.
//!
//! Model. Each second adds the bucket's rate and takes the demand, up to the burst; the level stays between nothing and full. The
//! log is repeated, with what is idle of a day between: the second time it begins with what the first left. Left out: what a
//! second could not serve is not carried into the next, where it would use more.

use crate::bucket::Cap;
use serde::Serialize;

/// Shares of full credits.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Left {
    /// When the peak window begins.
    pub at_peak: f64,
    /// At any moment of the log.
    pub least: f64,
    /// At any moment of the peak window.
    pub least_in_peak: f64,
}

impl Left {
    /// Of what saves none, or uses none.
    pub const ALL: Left = Left { at_peak: 1.0, least: 1.0, least_in_peak: 1.0 };

    /// Whether they last through the peak.
    #[must_use]
    pub fn lasts(&self) -> bool {
        self.least_in_peak > 0.0
    }
}

/// A log whose seconds use credits, and its peak.
#[derive(Clone, Copy, Debug)]
pub struct Log {
    /// Of the log.
    pub duration_s: f64,
    /// Of the peak window.
    pub start_s: f64,
    /// Of the same.
    pub length_s: f64,
    /// Hours of a day that look like the log.
    pub hours_per_day: f64,
}

/// What the log leaves of the credits; `demand` is of each second that has some, in tokens.
pub fn left(log: &Log, cap: &Cap, demand: impl Iterator<Item = (u64, f64)> + Clone) -> Left {
    let (Some(full), Some(burst)) = (cap.credits, cap.burst_per_s) else { return Left::ALL };
    if full == 0.0 || demand.clone().next().is_none() {
        return Left::ALL;
    }
    let (start, end) = (log.start_s, log.start_s + log.length_s);
    let idle = log.duration_s * (24.0 / log.hours_per_day - 1.0);
    let (mut level, mut least, mut at_peak, mut in_peak) = (full, full, full, full);
    for _ in 0..2 {
        (least, in_peak) = (level, full);
        let mut last = -1.0;
        for (second, wanted) in demand.clone() {
            let second = second as f64;
            level = full.min(level + cap.per_s * (second - last - 1.0));
            if last < start && start <= second {
                at_peak = level;
            }
            level = full.min((level + cap.per_s - wanted.min(burst)).max(0.0));
            if start - 1.0 < second && second < end {
                in_peak = in_peak.min(level);
            }
            (least, last) = (least.min(level), second);
        }
        level = full.min(level + cap.per_s * idle);
    }
    Left { at_peak: at_peak / full, least: least / full, least_in_peak: in_peak / full }
}
