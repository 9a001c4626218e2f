//! Seek distance: how far apart in the address space requests follow each other.
//!
//! DEFINITION. The distance from the end of a request to the offset of the next, of those that do not follow on; how many
//! of them go to higher addresses. What a disk makes of it depends on its queue, what the address space is to the
//! disk on its layout.

use super::distribution::{Distribution, Spread};
use super::ratio::ratio;
use drivecast_block::Record;
use serde::Serialize;

/// How far requests jump.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeekDistance {
    /// Share of the jumps that go to higher addresses.
    pub forward_fraction: Option<f64>,
    /// How far, of the jumps.
    pub distance_bytes: Distribution,
}

pub(super) struct Seeks {
    end: Option<u64>,
    forward: u64,
    distances: Spread,
}

impl Seeks {
    pub(super) fn new() -> Seeks {
        Seeks { end: None, forward: 0, distances: Spread::new() }
    }

    #[inline]
    pub(super) fn add(&mut self, record: &Record) {
        let Some(end) = self.end.replace(record.end()) else { return };
        let distance = end.abs_diff(record.offset);
        if distance > 0 {
            self.forward += u64::from(record.offset > end);
            self.distances.add(distance, 1);
        }
    }

    pub(super) fn summary(&self) -> Option<SeekDistance> {
        Some(SeekDistance {
            forward_fraction: ratio(self.forward as f64, self.distances.count() as f64),
            distance_bytes: self.distances.distribution(1)?,
        })
    }
}
