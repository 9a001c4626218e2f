//! Where a sector lies: zones, cylinders, heads and angles.
//!
//! **Model.** A disk is a row of zones from the outermost cylinder inwards. Within a zone every track holds the same
//! number of 512-byte sectors. Addresses fill a track, then the next surface of the cylinder, then the next cylinder.
//! Each track starts a *skew* behind the one before, so that a sequential transfer finds the next sector just when the
//! head has changed: it loses the switch and no revolution. From a data sheet the zones have equal numbers of cylinders and
//!
//! ```text
//! sectors a track  =  media rate × 60 s / rpm / 512 B           linear in the zone's index: constant bits per inch
//! cylinders        =  capacity / (surfaces × Σ sectors a track)
//! track skew       =  head switch,   cylinder skew = max(head switch, shortest seek) + write settling   (whole sectors, up)
//! ```
//!
//! **Left out:** spare and slipped sectors, defects, serpentine orders of tracks, sector sizes other than 512 bytes.

use super::rotation::{ANGLE, REVOLUTION, Rotation};
use crate::spec::HddZone;
use std::ops::Range;

/// Bytes of a sector.
pub(super) const SECTOR: u64 = 512;

/// A sector's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) cylinder: u32,
    pub(super) head: u32,
    /// Angle of the sector's start.
    pub(super) angle: u32,
    zone: u32,
    sector: u32,
}

#[derive(Clone, Debug)]
struct Zone {
    first: u64,
    end: u64,
    first_cylinder: u32,
    sectors_per_track: u32,
    per_track: f64,
    sector_ns: f64,
    track_skew_ns: f64,
    cylinder_skew_ns: f64,
    /// Ticks of a sector, in 2⁻³².
    sector_ticks: u64,
    track_skew: u32,
    /// Skew from one cylinder's first track to the next one's.
    cylinder_step: u32,
    /// Angle of the zone's first sector.
    origin: u32,
}

/// The layout of a disk.
#[derive(Clone, Debug)]
pub(super) struct Geometry {
    zones: Vec<Zone>,
    /// For each 2^shift sectors the zone of the first: where to begin looking.
    guide: Vec<u32>,
    shift: u32,
    surfaces: u32,
    per_cylinder: f64,
    pub(super) cylinders: u32,
}

impl Geometry {
    pub(super) fn new(layout: &[HddZone], surfaces: u32, rotation: &Rotation) -> Geometry {
        let mut zones = Vec::with_capacity(layout.len());
        let (mut first, mut first_cylinder, mut origin) = (0, 0, 0);
        for band in layout {
            let per_track = f64::from(band.sectors_per_track);
            let skew = |sectors: u32| (f64::from(sectors) / per_track * f64::from(REVOLUTION)).round() as u32;
            let sector_ns = rotation.period_ns / per_track;
            let cylinder_step =
                skew(band.track_skew).wrapping_mul(surfaces - 1).wrapping_add(skew(band.cylinder_skew));
            let sectors = u64::from(band.cylinders) * u64::from(surfaces) * u64::from(band.sectors_per_track);
            zones.push(Zone {
                first,
                end: first + sectors,
                first_cylinder,
                sectors_per_track: band.sectors_per_track,
                per_track: 1.0 / per_track,
                sector_ns,
                track_skew_ns: f64::from(band.track_skew) * sector_ns,
                cylinder_skew_ns: f64::from(band.cylinder_skew) * sector_ns,
                sector_ticks: (u64::from(REVOLUTION) << 32) / u64::from(band.sectors_per_track),
                track_skew: skew(band.track_skew),
                cylinder_step,
                origin,
            });
            first += sectors;
            first_cylinder += band.cylinders;
            origin = cylinder_step.wrapping_mul(band.cylinders).wrapping_add(origin) & ANGLE;
        }
        let shift = first.ilog2().saturating_sub(10);
        let zone_at = |lba: u64| zones.partition_point(|zone: &Zone| zone.end <= lba) as u32;
        let guide = (0..=(first - 1) >> shift).map(|block| zone_at(block << shift)).collect();
        let per_cylinder = 1.0 / f64::from(surfaces);
        Geometry { zones, guide, shift, surfaces, per_cylinder, cylinders: first_cylinder }
    }

    /// Sectors on the disk.
    pub(super) fn sectors(&self) -> u64 {
        self.zones[self.zones.len() - 1].end
    }

    /// The place of a sector.
    #[inline]
    pub(super) fn locate(&self, lba: u64) -> Place {
        let mut zone = self.guide[(lba >> self.shift) as usize] as usize;
        while self.zones[zone].end <= lba {
            zone += 1;
        }
        let z = &self.zones[zone];
        let (track, sector) = divide(lba - z.first, u64::from(z.sectors_per_track), z.per_track);
        let (cylinder, head) = divide(track, u64::from(self.surfaces), self.per_cylinder);
        let (cylinder, head) = (cylinder as u32, head as u32);
        let skew = z.cylinder_step.wrapping_mul(cylinder).wrapping_add(z.track_skew.wrapping_mul(head));
        let angle = ((sector * z.sector_ticks) >> 32) as u32;
        Place {
            cylinder: z.first_cylinder + cylinder,
            head,
            angle: z.origin.wrapping_add(skew).wrapping_add(angle) & ANGLE,
            zone: zone as u32,
            sector: sector as u32,
        }
    }

    /// Time in ns for `sectors` to pass under the heads from the start of `lba` at `place`, switches included.
    #[inline]
    pub(super) fn sweep(&self, lba: u64, place: Place, sectors: u64) -> f64 {
        if self.within_track(place, sectors) {
            return sectors as f64 * self.zones[place.zone as usize].sector_ns;
        }
        self.sweep_tracks(lba, place.zone as usize, sectors)
    }

    /// Whether `sectors` from `place` end on the same track.
    #[inline]
    pub(super) fn within_track(&self, place: Place, sectors: u64) -> bool {
        let zone = &self.zones[place.zone as usize];
        u64::from(place.sector) + sectors <= u64::from(zone.sectors_per_track)
    }

    /// Time in ns for a sector of the zone of `place` to pass.
    pub(super) fn sector_ns(&self, place: Place) -> f64 {
        self.zones[place.zone as usize].sector_ns
    }

    /// The sectors of the track that holds `lba`.
    pub(super) fn track(&self, lba: u64) -> Range<u64> {
        let place = self.locate(lba);
        let start = lba - u64::from(place.sector);
        start..start + u64::from(self.zones[place.zone as usize].sectors_per_track)
    }

    /// Whole sectors of the track that pass in the `wait_ns` before `place`.
    pub(super) fn passed(&self, place: Place, wait_ns: f64) -> u64 {
        u64::from(place.sector).min((wait_ns / self.sector_ns(place)) as u64)
    }

    fn sweep_tracks(&self, lba: u64, first_zone: usize, sectors: u64) -> f64 {
        let (mut lba, end) = (lba, lba + sectors);
        let mut ns = 0.0;
        for zone in &self.zones[first_zone..] {
            if lba == zone.first && ns > 0.0 {
                ns += zone.cylinder_skew_ns;
            }
            let (from, to) = (lba - zone.first, end.min(zone.end) - zone.first);
            let crossed = |unit: u64| ((to - 1) / unit - from / unit) as f64;
            let tracks = crossed(u64::from(zone.sectors_per_track));
            let cylinders = crossed(u64::from(zone.sectors_per_track) * u64::from(self.surfaces));
            ns += (to - from) as f64 * zone.sector_ns
                + (tracks - cylinders) * zone.track_skew_ns
                + cylinders * zone.cylinder_skew_ns;
            lba = zone.end;
            if lba >= end {
                break;
            }
        }
        ns
    }

    /// How far a sweep from the start of `lba` has come after `elapsed_ns`, in whole sectors, at most to `limit`.
    pub(super) fn reach(&self, lba: u64, elapsed_ns: f64, limit: u64) -> u64 {
        let (mut lba, mut left) = (lba, elapsed_ns);
        while lba < limit {
            let place = self.locate(lba);
            let zone = &self.zones[place.zone as usize];
            let rest = u64::from(zone.sectors_per_track - place.sector);
            let rest_ns = rest as f64 * zone.sector_ns;
            if left < rest_ns {
                return limit.min(lba + (left / zone.sector_ns) as u64);
            }
            lba += rest;
            let last_head = place.head + 1 == self.surfaces;
            left -= rest_ns + if last_head { zone.cylinder_skew_ns } else { zone.track_skew_ns };
            if left <= 0.0 {
                break;
            }
        }
        lba.min(limit)
    }
}

/// Quotient and remainder by a divisor whose reciprocal is known: addresses are below 2⁵², so the float quotient is off by
/// one at most.
#[inline]
fn divide(n: u64, by: u64, reciprocal: f64) -> (u64, u64) {
    let quotient = (n as f64 * reciprocal) as u64;
    let remainder = n.wrapping_sub(quotient.wrapping_mul(by)) as i64;
    if remainder < 0 {
        (quotient - 1, (remainder + by as i64) as u64)
    } else if remainder >= by as i64 {
        (quotient + 1, (remainder - by as i64) as u64)
    } else {
        (quotient, remainder as u64)
    }
}
