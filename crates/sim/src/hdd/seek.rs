//! How long the heads take to move, by distance.
//!
//! **Model.** The time depends on the distance in cylinders alone, not on where or which way. A measured table is joined
//! by straight lines (its last time holds beyond its last distance). From a data sheet's three figures the curve is
//!
//! ```text
//! t(d) = a + b √d      up to the distance D   (the arm accelerates and brakes)
//! t(d) = c + e d       beyond                 (it coasts at full speed)
//! ```
//!
//! continuous at D, with `t(1)` = track, `t(N − 1)` = full, and the mean over two independent uniform cylinders = mean.
//! With x = d/N the distance has the density 2(1 − x), so that E√x = 8/15 and E x = 1/3. With m = (mean − track) /
//! (full − track), the share of the way from the shortest to the longest seek:
//!
//! - 1/3 < m ≤ 8/15: the joint is smooth (equal slopes); D goes from 0 (a straight line) to N (no coasting) as m rises, and
//!   is found by bisection;
//! - 8/15 < m ≤ 0.8: braking alone is too slow a rise; the joint lies at D = N/3 with a kink, and b and e solve two linear
//!   equations;
//! - anything else belongs to no arm with a maximum speed, and is rejected.
//!
//! **Sources.** Ruemmler and Wilkes, *An introduction to disk drive modeling*, IEEE Computer 27(3), 1994 (the two-piece
//! curve); the moments are integrals of a polynomial. **Left out:** difference between inward and outward seeks,
//! recalibration, and the settling time for writes, which is a parameter of its own.

use super::rotation::Rotation;
use crate::spec::{Seek, SpecError};
use drivecast_block::math;
use std::sync::{Arc, Mutex, PoisonError};

/// Longest move, in revolutions: move, settling and wait together are counted in 32 revolutions of ticks.
pub(super) const MOVE_REVOLUTIONS_MAX: u32 = 24;

/// Tables that are held for disks to come: a large disk has a million cylinders, and a search builds hundreds of arrays of a few
/// disks each.
const TABLES_MAX: usize = 8;

/// What a table of seek times follows from: the curve, cylinders, and the spindle's period.
type Key = (Seek, u32, u64);

static TABLES: Mutex<Vec<(Key, Arc<[u32]>)>> = Mutex::new(Vec::new());

/// Seek times in ticks by distance, from 0 to `cylinders` − 1. Disks of one kind have one table.
pub(super) fn table(seek: &Seek, cylinders: u32, rotation: &Rotation) -> Result<Arc<[u32]>, SpecError> {
    let key = (seek.clone(), cylinders, rotation.period_ns.to_bits());
    let held = || TABLES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, table)) = held().iter().find(|(known, _)| *known == key) {
        return Ok(Arc::clone(table));
    }
    let ticks = |time: f64| rotation.ticks_within("seek", time.round() as u64, MOVE_REVOLUTIONS_MAX);
    let table: Arc<[u32]> = curve(seek, cylinders)?.into_iter().map(ticks).collect::<Result<_, _>>()?;
    let mut tables = held();
    tables.insert(0, (key, Arc::clone(&table)));
    tables.truncate(TABLES_MAX);
    Ok(table)
}

/// Seek times in ns by distance, from 0 to `cylinders` − 1.
fn curve(seek: &Seek, cylinders: u32) -> Result<Vec<f64>, SpecError> {
    let times = match seek {
        Seek::Sheet { track_ns, mean_ns, full_ns } => {
            let arm = Arm::solve(*track_ns as f64, *mean_ns as f64, *full_ns as f64, f64::from(cylinders))?;
            (0..cylinders).map(|distance| arm.time(f64::from(distance))).collect()
        }
        Seek::Table { distances, times_ns } => interpolate(distances, times_ns, cylinders)?,
    };
    Ok(times)
}

/// The two-piece curve, over x = distance / cylinders.
#[derive(Clone, Copy, Debug)]
struct Arm {
    a: f64,
    b: f64,
    c: f64,
    e: f64,
    joint: f64,
    cylinders: f64,
}

impl Arm {
    fn time(&self, distance: f64) -> f64 {
        let x = distance / self.cylinders;
        if x == 0.0 {
            0.0
        } else if x <= self.joint {
            self.a + self.b * x.sqrt()
        } else {
            self.c + self.e * x
        }
    }

    fn solve(track: f64, mean: f64, full: f64, cylinders: f64) -> Result<Arm, SpecError> {
        let rise = (mean - track) / (full - track);
        if !(track > 0.0 && track < full && rise > 1.0 / 3.0 && rise <= 0.8) {
            return Err(SpecError::new(
                "seek",
                "0 < track_ns < mean_ns < full_ns with (mean - track) / (full - track) above 1/3 and at most 0.8",
                format!("track {track} ns, mean {mean} ns, full {full} ns"),
            ));
        }
        let (first, last) = (1.0 / cylinders, 1.0 - 1.0 / cylinders);
        // Smooth: unit curves that rise from t(first) = 0 to t(last) = 1, one for each joint; their mean rises with it.
        let smooth = |joint: f64| {
            let (slope, lift) = (0.5 / joint.sqrt(), 0.5 * joint.sqrt());
            let b = 1.0 / (lift + slope * last - first.sqrt());
            Arm { a: -b * first.sqrt(), b, c: b * (lift - first.sqrt()), e: b * slope, joint, cylinders }
        };
        // Kinked: the joint is given; the unit curve goes through `height` there.
        let kinked = |height: f64| {
            let joint: f64 = 1.0 / 3.0;
            let b = height / (joint.sqrt() - first.sqrt());
            let e = (1.0 - height) / (last - joint);
            Arm { a: -b * first.sqrt(), b, c: height - e * joint, e, joint, cylinders }
        };
        let unit = if rise <= smooth(1.0).mean() {
            bisect(first, 1.0, |joint| smooth(joint).mean() - rise).map(smooth)
        } else {
            bisect(0.0, 1.0, |height| kinked(height).mean() - rise).map(kinked)
        };
        let unit = unit.ok_or_else(|| {
            SpecError::new("seek", "a mean between a straight line's and 0.8 of the way to full", mean)
        })?;
        let scale = full - track;
        Ok(Arm {
            a: track + scale * unit.a,
            b: scale * unit.b,
            c: track + scale * unit.c,
            e: scale * unit.e,
            ..unit
        })
    }

    /// The mean over pairs of uniform cylinders: ∫ t(x) 2(1 − x) dx.
    fn mean(&self) -> f64 {
        let x = self.joint;
        let (rest, rest_moment) = (math::powi(1.0 - x, 2), 1.0 / 3.0 - x * x + 2.0 / 3.0 * math::powi(x, 3));
        let root_moment = 4.0 / 3.0 * math::pow(x, 1.5) - 4.0 / 5.0 * math::pow(x, 2.5);
        self.a * (1.0 - rest) + self.b * root_moment + self.c * rest + self.e * rest_moment
    }
}

/// The root of a rising function.
fn bisect(mut low: f64, mut high: f64, rising: impl Fn(f64) -> f64) -> Option<f64> {
    if rising(low) > 0.0 || rising(high) < 0.0 {
        return None;
    }
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if rising(middle) < 0.0 { low = middle } else { high = middle }
    }
    Some(high)
}

fn interpolate(distances: &[u32], times_ns: &[u64], cylinders: u32) -> Result<Vec<f64>, SpecError> {
    if distances.len() != times_ns.len() || distances.len() < 2 {
        let found = format!("{} distances and {} times", distances.len(), times_ns.len());
        return Err(SpecError::new("seek", "a table of at least 2 distances with a time each", found));
    }
    if distances[0] != 1 {
        return Err(SpecError::new("seek.distances", "rising from 1", distances[0]));
    }
    if let Some(pair) = distances.windows(2).find(|pair| pair[0] >= pair[1]) {
        return Err(SpecError::new(
            "seek.distances",
            "strictly rising",
            format!("{} after {}", pair[1], pair[0]),
        ));
    }
    if times_ns.contains(&0) {
        return Err(SpecError::new("seek.times_ns", "above 0", 0));
    }
    let reach = distances[distances.len() - 1];
    if u64::from(reach) * 2 < u64::from(cylinders) {
        let limit = "a table that reaches over half of the cylinders or more";
        return Err(SpecError::new("seek.distances", limit, format!("{reach} of {cylinders}")));
    }
    let mut times = vec![0.0];
    for (d, t) in distances.windows(2).zip(times_ns.windows(2)) {
        let slope = (t[1] as f64 - t[0] as f64) / f64::from(d[1] - d[0]);
        times.extend((d[0]..d[1]).map(|distance| t[0] as f64 + slope * f64::from(distance - d[0])));
    }
    times.resize(cylinders as usize, times_ns[times_ns.len() - 1] as f64);
    Ok(times)
}
