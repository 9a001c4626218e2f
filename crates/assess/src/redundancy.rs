//! An array as groups that fail on their own.

use serde::{Deserialize, Serialize};

/// A RAID level, by the name it has in designs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Drives one by one.
    #[default]
    Single,
    /// Stripes.
    Raid0,
    /// Copies.
    Raid1,
    /// One parity.
    Raid5,
    /// Two parities.
    Raid6,
    /// Stripes over mirrors.
    Raid10,
    /// Stripes over RAID 5.
    Raid50,
    /// Stripes over RAID 6.
    Raid60,
}

impl Level {
    /// Drives of a group, at least.
    const fn least(self) -> u32 {
        match self {
            Level::Single | Level::Raid0 => 1,
            Level::Raid1 | Level::Raid10 => 2,
            Level::Raid5 | Level::Raid50 => 3,
            Level::Raid6 | Level::Raid60 => 4,
        }
    }

    /// As designs have it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Level::Single => "single",
            Level::Raid0 => "raid0",
            Level::Raid1 => "raid1",
            Level::Raid5 => "raid5",
            Level::Raid6 => "raid6",
            Level::Raid10 => "raid10",
            Level::Raid50 => "raid50",
            Level::Raid60 => "raid60",
        }
    }

    /// How much there is to administrate, from least: copies are simpler than parity, groups least simple.
    #[must_use]
    pub const fn complexity(self) -> u32 {
        match self {
            Level::Single => 0,
            Level::Raid0 | Level::Raid1 => 1,
            Level::Raid10 => 2,
            Level::Raid5 => 3,
            Level::Raid6 => 4,
            Level::Raid50 => 5,
            Level::Raid60 => 6,
        }
    }

    /// Whether a design may say how many groups there are.
    #[must_use]
    pub const fn has_groups(self) -> bool {
        matches!(self, Level::Raid10 | Level::Raid50 | Level::Raid60)
    }
}

/// `groups` of `drives` each, of which `failures` may fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Redundancy {
    /// How many there are.
    pub groups: u32,
    /// Drives of each.
    pub drives: u32,
    /// Drives of each that may fail without loss of data.
    pub failures: u32,
}

impl Redundancy {
    /// The groups of an array: RAID 1, 5 and 6 are one, RAID 10 pairs and RAID 50 and 60 two unless `groups` says.
    ///
    /// None where the drives do not make equal groups that are large enough.
    #[must_use]
    pub fn of(level: Level, drives: u32, groups: Option<u32>) -> Option<Redundancy> {
        let usual = match level {
            Level::Single | Level::Raid0 => drives,
            Level::Raid10 => drives / 2,
            Level::Raid50 | Level::Raid60 => 2,
            Level::Raid1 | Level::Raid5 | Level::Raid6 => 1,
        };
        let groups = groups.filter(|_| level.has_groups()).unwrap_or(usual);
        let each = drives.checked_div(groups)?;
        if each < level.least() || each * groups != drives {
            return None;
        }
        let failures = match level {
            Level::Single | Level::Raid0 => 0,
            Level::Raid5 | Level::Raid50 => 1,
            Level::Raid6 | Level::Raid60 => 2,
            Level::Raid1 | Level::Raid10 => each - 1,
        };
        Some(Redundancy { groups, drives: each, failures })
    }

    /// Drives' worth of data, mirrors and parity taken off.
    #[must_use]
    pub const fn data_drives(self) -> u32 {
        self.groups * (self.drives - self.failures)
    }
}

#[cfg(test)]
mod tests {
    use super::{Level, Redundancy};

    #[test]
    fn groups_are_equal_and_large_enough() {
        let of = Redundancy::of;
        assert_eq!(of(Level::Raid10, 8, None), Some(Redundancy { groups: 4, drives: 2, failures: 1 }));
        assert_eq!(of(Level::Raid10, 6, Some(2)), Some(Redundancy { groups: 2, drives: 3, failures: 2 }));
        assert_eq!(of(Level::Raid50, 8, None), Some(Redundancy { groups: 2, drives: 4, failures: 1 }));
        assert_eq!(of(Level::Raid5, 8, Some(2)), Some(Redundancy { groups: 1, drives: 8, failures: 1 }));
        assert_eq!(of(Level::Raid5, 2, None), None);
        assert_eq!(of(Level::Raid50, 7, None), None);
        assert_eq!(of(Level::Raid10, 8, Some(0)), None);
        assert_eq!(of(Level::Single, 1, None).map(Redundancy::data_drives), Some(1));
    }
}
