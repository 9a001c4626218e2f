//! The arm and the platters: where the heads are, and when they can be somewhere else.
//!
//! **Model.** One arm carries all heads. Positioning is a move and a wait:
//!
//! ```text
//! move  =  max(seek(|Δcylinder|), head switch if the head changes or has rested) + write settling if the arm moves to write
//! wait  =  (angle of the sector − angle at the end of the move) mod 1 revolution
//! ```
//!
//! then the sectors pass under the head at the rate of their zone. After a rest of a revolution
//! the head is assumed to settle on its own track anew, as long as a switch to another one takes (measured disks suggest it:
//! docs/explanation/disk.md). **Left out:** access in any order within a track
//! (zero-latency reads), the servo's own adjustments, faults and retries.

use super::geometry::{Geometry, Place};
use super::rotation::Rotation;
use super::seek::MOVE_REVOLUTIONS_MAX;
use crate::spec::SpecError;
use drivecast_block::Nanos;
use std::sync::Arc;

/// Longest settling, in revolutions.
const SETTLE_REVOLUTIONS_MAX: u32 = 6;

/// Arm, heads and spindle.
#[derive(Clone, Debug)]
pub(super) struct Mechanism {
    pub(super) geometry: Geometry,
    pub(super) rotation: Rotation,
    /// Seek time by distance, in ticks.
    pub(super) seek: Arc<[u32]>,
    pub(super) head_switch: u32,
    pub(super) write_settle: u32,
    pub(super) cylinder: u32,
    pub(super) head: u32,
    /// Whether the head follows its track, so that the next access there needs no settling.
    pub(super) is_settled: bool,
}

impl Mechanism {
    /// From times in ns; `seek` has ticks for each distance.
    pub(super) fn new(
        geometry: Geometry,
        rotation: Rotation,
        seek: Arc<[u32]>,
        head_switch_ns: u64,
        write_settle_ns: u64,
    ) -> Result<Mechanism, SpecError> {
        let head_switch = rotation.ticks_within("head_switch_ns", head_switch_ns, MOVE_REVOLUTIONS_MAX)?;
        let write_settle =
            rotation.ticks_within("write_settle_ns", write_settle_ns, SETTLE_REVOLUTIONS_MAX)?;
        Ok(Mechanism {
            seek,
            head_switch,
            write_settle,
            geometry,
            rotation,
            cylinder: 0,
            head: 0,
            is_settled: true,
        })
    }

    /// Ticks until the heads follow a track.
    #[inline]
    pub(super) fn travel(&self, cylinder: u32, head: u32, settle: u32) -> u32 {
        let distance = self.cylinder.abs_diff(cylinder);
        let switch = if head == self.head && self.is_settled { 0 } else { self.head_switch };
        let settle = if distance == 0 { 0 } else { settle };
        self.seek[distance as usize].max(switch) + settle
    }

    /// When the heads follow the track of `place`, if the move begins at `from`.
    pub(super) fn on_track(&self, place: Place, settle: u32, from: Nanos) -> Nanos {
        from + self.rotation.span(self.travel(place.cylinder, place.head, settle))
    }

    /// When the sector at `place` comes under its head, if the move begins at `from`; not before `ready`.
    pub(super) fn arrival(&self, place: Place, settle: u32, from: Nanos, ready: Nanos) -> Nanos {
        self.rotation.meet(place.angle, self.on_track(place, settle, from).max(ready))
    }

    /// When `sectors` of one track have passed, in whatever order, if the heads come on the track in their midst: one
    /// revolution later. `first` is when the first of them comes round.
    pub(super) fn turn_within(
        &self,
        place: Place,
        sectors: u64,
        on_track: Nanos,
        first: Nanos,
    ) -> Option<Nanos> {
        let (period, sector) = (self.rotation.period_ns, self.geometry.sector_ns(place));
        let gone = period - first.since(on_track).0 as f64;
        let is_midst = self.geometry.within_track(place, sectors) && gone < sectors as f64 * sector;
        is_midst.then(|| on_track + Nanos((period + sector - gone % sector).round() as u64))
    }

    /// Moves the heads to `place`; gives [`Mechanism::arrival`].
    pub(super) fn position(&mut self, place: Place, settle: u32, from: Nanos, ready: Nanos) -> Nanos {
        let arrival = self.arrival(place, settle, from, ready);
        (self.cylinder, self.head, self.is_settled) = (place.cylinder, place.head, true);
        arrival
    }

    /// Passes over `sectors` from `lba` at `place`, where the heads are; gives the time in ns.
    pub(super) fn pass(&mut self, lba: u64, place: Place, sectors: u64) -> f64 {
        if !self.geometry.within_track(place, sectors) {
            self.settle_at(lba + sectors - 1);
        }
        self.geometry.sweep(lba, place, sectors)
    }

    /// Puts the heads on the track of `lba`, where a transfer has led them.
    pub(super) fn settle_at(&mut self, lba: u64) {
        let place = self.geometry.locate(lba);
        (self.cylinder, self.head) = (place.cylinder, place.head);
    }
}
