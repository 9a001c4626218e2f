//! A group ready to be simulated: the hazards and wear of its places as tables.

use super::cause::{self, Clock};
use super::curve::{Curve, STEPS};
use super::sector::Unreadable;
use super::spec::{Replacement, Slot, Spec};
use drivecast_block::math;

/// Chance given to a further failure in a long repair where the true one is smaller, in groups that see few failures.
const BIAS: f64 = 0.75;

/// A drive's beginnings: when it was put in, and what its place had worn by then.
#[derive(Clone, Copy, Debug)]
pub(super) struct Drive {
    pub(super) born_h: f64,
    pub(super) wear_at_birth: f64,
    /// When it is replaced as planned.
    pub(super) replaced_h: f64,
    /// Whether it is the first in its place.
    pub(super) is_first: bool,
}

/// Tables of a [`Spec`].
pub(super) struct Group<'a> {
    pub(super) spec: &'a Spec,
    /// The first drives.
    pub(super) first: Vec<Drive>,
    by_age: Curve,
    by_wear: Curve,
    /// What each place has worn since hour 0; empty if nothing wears.
    wear: Vec<Curve>,
    /// Whether drives that were put in together are the same in all places.
    pub(super) is_even: bool,
    unreadable: Unreadable,
    /// Hazard of the first drive of each place since hour 0, or of any where all are the same.
    of_first: Vec<Curve>,
    /// Hazard of all first drives together since hour 0.
    together: Curve,
    /// Whether the first failure is forced: nothing else can begin a loss.
    pub(super) forces_first: bool,
    /// Whether drives are replaced before they fail.
    pub(super) has_plans: bool,
    /// The chance that any first drive fails.
    pub(super) fails_at_all: f64,
    bias: f64,
    /// Repairs in the mean time between failures of those left.
    repairs_per_hazard: f64,
    /// Bytes of data lost where nothing of the missing drives has been rebuilt.
    pub(super) bytes_at_stake: f64,
}

impl<'a> Group<'a> {
    pub(super) fn new(spec: &'a Spec) -> Group<'a> {
        let wears =
            spec.slots.iter().any(|slot| slot.wear > 0.0 || slot.wear_per_h.iter().any(|rate| rate.1 > 0.0));
        let wear: Vec<Curve> =
            if wears { spec.slots.iter().map(|slot| worn(slot, spec.hours)).collect() } else { vec![] };
        let oldest_h = spec.slots.iter().map(|slot| slot.age_h).fold(0.0, f64::max);
        let starts = spec.slots.iter().map(|slot| slot.wear).fold(0.0, f64::max);
        let wear_max = wear.iter().map(Curve::last).fold(1.0, f64::max) + starts;
        let first = (0..spec.drives).map(|slot| first_drive(spec, &wear, slot)).collect();
        let mut group = Group {
            spec,
            first,
            by_age: cause::cumulative(&spec.causes, Clock::Age, spec.hours + oldest_h),
            by_wear: cause::cumulative(&spec.causes, Clock::Wear, wear_max),
            wear,
            is_even: spec.slots.windows(2).all(|pair| pair[0] == pair[1]),
            unreadable: Unreadable::new(&spec.sectors, spec.drive_bytes, wear_max),
            of_first: Vec::new(),
            together: Curve::new(spec.hours, |_| 0.0),
            forces_first: false,
            has_plans: spec.replace_at.is_some()
                || spec.slots.iter().any(|slot| slot.replace_first_at.is_some()),
            fails_at_all: 0.0,
            bias: BIAS,
            repairs_per_hazard: 0.0,
            bytes_at_stake: 0.0,
        };
        let own =
            |slot: usize| Curve::new(spec.hours, |until| group.since(slot, &group.first[slot], 0.0, until));
        group.of_first = (0..if group.is_even { 1 } else { spec.drives }).map(own).collect();
        let times = spec.drives as f64 / group.of_first.len() as f64;
        let sum = |until| times * group.of_first.iter().map(|curve| curve.at(until)).sum::<f64>();
        group.together = Curve::new(spec.hours, sum);
        let plans = group.first.iter().filter(|drive| drive.replaced_h < spec.hours).count() as f64;
        group.forces_first = spec.failures > 0 && plans == 0.0;
        // Over many windows the weights of those left without a failure would multiply: the more windows, the less bias.
        let failures = group.together.last();
        group.fails_at_all = -math::exp_m1(-failures);
        group.bias = BIAS / (1.0 + failures + if group.pulls() { plans } else { 0.0 });
        let wait_h = if spec.spares == 0 { spec.operator.typical_h() } else { 0.0 };
        let repair = failures * (spec.rebuild.typical_h() + wait_h) / spec.hours;
        group.repairs_per_hazard = if repair > 0.0 { 1.0 / repair } else { 0.0 };
        let (all, lost) = (spec.drives as f64, spec.failures as f64);
        group.bytes_at_stake = (lost + 1.0) * spec.drive_bytes * (all - lost) / all;
        group
    }

    /// A new drive put into `slot`.
    pub(super) fn renew(&self, slot: usize, now: f64) -> Drive {
        let wear_at_birth = self.wear.get(slot).map_or(0.0, |wear| wear.at(now));
        let replaced_h = replaced(self.spec.replace_at, &self.wear, slot, wear_at_birth);
        Drive { born_h: now, wear_at_birth, replaced_h, is_first: false }
    }

    /// Cumulative hazard of a drive between two times.
    #[inline]
    pub(super) fn hazard(&self, slot: usize, drive: &Drive, from: f64, until: f64) -> f64 {
        if drive.is_first {
            let own = &self.of_first[if self.is_even { 0 } else { slot }];
            return own.at(until) - own.at(from);
        }
        self.since(slot, drive, from, until)
    }

    /// The same, from age and wear.
    fn since(&self, slot: usize, drive: &Drive, from: f64, until: f64) -> f64 {
        let by_age = self.by_age.at(until - drive.born_h) - self.by_age.at(from - drive.born_h);
        let Some(wear) = self.wear.get(slot) else { return by_age };
        let worn = |time| self.by_wear.at(wear.at(time) - drive.wear_at_birth);
        by_age + worn(until) - worn(from)
    }

    /// Errors expected on reading a whole drive.
    #[inline]
    pub(super) fn unreadable(&self, slot: usize, drive: &Drive, now: f64) -> f64 {
        self.unreadable.expected(now - drive.born_h, |ago| {
            self.wear.get(slot).map_or(0.0, |wear| wear.at(now - ago) - drive.wear_at_birth)
        })
    }

    /// The chance to give a further failure in a time of this hazard.
    #[inline]
    pub(super) fn given(&self, hazard: f64) -> f64 {
        -self.bias * math::exp_m1(-hazard * self.repairs_per_hazard)
    }

    /// When the first drives' hazard together reaches `hazard`.
    #[inline]
    pub(super) fn together_reaches(&self, hazard: f64) -> f64 {
        self.together.reaches(hazard).min(self.spec.hours)
    }

    /// The time within which hazards do not change.
    pub(super) fn step_h(&self) -> f64 {
        self.spec.hours / STEPS as f64
    }

    /// Whether drives that have reached their share are rebuilt, not copied.
    pub(super) fn pulls(&self) -> bool {
        self.spec.replacement == Replacement::Rebuilt && self.spec.failures > 0
    }
}

/// What a place wears from hour 0 on.
fn worn(slot: &Slot, hours: f64) -> Curve {
    let ends = slot.wear_per_h.iter().skip(1).map(|(from, _)| *from).chain([f64::INFINITY]);
    let spans: Vec<(f64, f64, f64)> =
        slot.wear_per_h.iter().zip(ends).map(|((from, rate), end)| (*from, end, *rate)).collect();
    Curve::new(hours, |time| {
        spans.iter().map(|(from, end, rate)| (time.min(*end) - from).max(0.0) * rate).sum()
    })
}

fn first_drive(spec: &Spec, wear: &[Curve], slot: usize) -> Drive {
    let Some(first) = spec.slots.get(slot) else {
        return Drive { born_h: 0.0, wear_at_birth: 0.0, replaced_h: f64::INFINITY, is_first: true };
    };
    let limit = first.replace_first_at.or(spec.replace_at);
    Drive {
        born_h: -first.age_h,
        wear_at_birth: -first.wear,
        replaced_h: replaced(limit, wear, slot, -first.wear),
        is_first: true,
    }
}

/// When a drive of `slot` has worn to `limit`.
fn replaced(limit: Option<f64>, wear: &[Curve], slot: usize, wear_at_birth: f64) -> f64 {
    match (limit, wear.get(slot)) {
        (Some(limit), Some(wear)) => wear.reaches(wear_at_birth + limit),
        _ => f64::INFINITY,
    }
}
