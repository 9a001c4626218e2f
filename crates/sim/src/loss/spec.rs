//! What is simulated, and what is rejected.

use super::cause::Cause;
use super::delay::Delay;
use super::sector::Sectors;
use crate::SimError;
use serde::Deserialize;

/// The most drives of a group: as many as a word has bits.
const DRIVES_MAX: usize = 64;

/// How a drive that has reached its share of cycles is replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Replacement {
    /// It is copied to the new drive while it serves: redundancy stays.
    Copied,
    /// It is pulled, and rebuilt from the others.
    Rebuilt,
}

/// One place of a group: its first drive, and how fast its drives wear.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slot {
    /// Age of the first drive at the start.
    pub age_h: f64,
    /// Wear of the first drive at the start, as a share of the rated cycles.
    pub wear: f64,
    /// From which hour on its drives wear how fast: (hour, share an hour), in order, the first at hour 0.
    pub wear_per_h: Vec<(f64, f64)>,
    /// Wear at which the first drive is replaced, if not at [`Spec::replace_at`].
    pub replace_first_at: Option<f64>,
}

/// Groups of drives over a time.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// Drives of a group.
    pub drives: usize,
    /// Drive failures that it tolerates.
    pub failures: usize,
    /// Groups of the array.
    pub groups: u32,
    /// Length of a mission.
    pub hours: f64,
    /// Capacity of a drive.
    pub drive_bytes: f64,
    /// Why drives fail.
    pub causes: Vec<Cause>,
    /// How long a rebuild takes.
    pub rebuild: Delay,
    /// How long it takes from a failure until a new drive is there.
    pub operator: Delay,
    /// Hot spares of a group.
    pub spares: u32,
    /// How sectors go bad.
    pub sectors: Sectors,
    /// The places of the group, as many as drives; none: all alike, new, and not wearing.
    pub slots: Vec<Slot>,
    /// Wear at which drives are replaced before they fail; none: they stay.
    pub replace_at: Option<f64>,
    /// How.
    pub replacement: Replacement,
}

impl Spec {
    /// # Errors
    /// The first field that cannot be used.
    pub fn check(&self) -> Result<(), SimError> {
        let drives = self.drives;
        if !(1..=DRIVES_MAX).contains(&drives) {
            return refuse("drives", "between 1 and 64 in a group", drives);
        }
        if self.failures >= drives {
            return refuse("failures", "fewer than the drives of a group", self.failures);
        }
        if self.groups == 0 {
            return refuse("groups", "1 or more", 0);
        }
        for (name, value) in [("hours", self.hours), ("drive_bytes", self.drive_bytes)] {
            if !(value.is_finite() && value > 0.0) {
                return refuse(name, "more than 0", value);
            }
        }
        for cause in &self.causes {
            let is_share = cause.share > 0.0 && cause.share <= 1.0;
            if !(positive(cause.scale) && positive(cause.shape) && is_share) {
                return refuse(
                    "causes",
                    "of positive scale and shape, and a share of drives",
                    format!("{cause:?}"),
                );
            }
        }
        for (name, delay) in [("rebuild", self.rebuild), ("operator", self.operator)] {
            if !(natural(delay.min_h) && natural(delay.scale_h) && positive(delay.shape)) {
                return refuse(
                    name,
                    "of hours that are not negative, and of positive shape",
                    format!("{delay:?}"),
                );
            }
        }
        self.check_sectors()?;
        self.check_slots()
    }

    fn check_sectors(&self) -> Result<(), SimError> {
        let Sectors { latent_per_h, uber, scrub_h, bytes } = self.sectors;
        for (name, growth) in [("latent_per_h", latent_per_h), ("uber", uber)] {
            if !(natural(growth.new) && natural(growth.worn) && positive(growth.shape)) {
                return refuse(
                    name,
                    "rates that are not negative, and a positive shape",
                    format!("{growth:?}"),
                );
            }
        }
        if uber.new.max(uber.worn) > 1.0 {
            return refuse("uber", "a chance, at most 1", uber.new.max(uber.worn));
        }
        if !(natural(bytes) && scrub_h.is_none_or(positive)) {
            return refuse("sectors", "a size and a time between scrubs", format!("{bytes}, {scrub_h:?}"));
        }
        Ok(())
    }

    fn check_slots(&self) -> Result<(), SimError> {
        if !self.slots.is_empty() && self.slots.len() != self.drives {
            return refuse("slots", "as many as drives", self.slots.len());
        }
        let at = |wear: Option<f64>| wear.is_none_or(positive);
        for slot in &self.slots {
            let rising = slot.wear_per_h.windows(2).all(|pair| pair[0].0 < pair[1].0);
            let rates = slot.wear_per_h.iter().all(|(hour, rate)| natural(*hour) && natural(*rate));
            let begins = slot.wear_per_h.first().is_some_and(|(hour, _)| *hour == 0.0);
            if !(rising && rates && begins) {
                let found = format!("{:?}", slot.wear_per_h);
                return refuse("wear_per_h", "rates that are not negative, from hour 0 on in order", found);
            }
            if !(natural(slot.age_h) && natural(slot.wear) && at(slot.replace_first_at)) {
                return refuse("slots", "ages and wear that are not negative", format!("{slot:?}"));
            }
        }
        if !at(self.replace_at) {
            return refuse("replace_at", "more than 0", format!("{:?}", self.replace_at));
        }
        Ok(())
    }
}

fn positive(value: f64) -> bool {
    value.is_finite() && value > 0.0
}

fn natural(value: f64) -> bool {
    value.is_finite() && value >= 0.0
}

fn refuse(
    option: &'static str,
    expected: &'static str,
    found: impl std::fmt::Display,
) -> Result<(), SimError> {
    Err(SimError::Option { option, expected, found: found.to_string() })
}
