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
//! As measured, a zone may be divided into *ranges* of cylinders, each with spare sectors at its end that hold no data and are
//! passed over; a zone may be followed by cylinders without data; and every other cylinder may go back over the surfaces
//! (serpentine), so that the head stays where the cylinder changes.
//!
//! **Left out:** single slipped and remapped sectors (they shift what lies behind them by a sector, up to the next spares),
//! sector sizes other than 512 bytes.

use super::rotation::{ANGLE, REVOLUTION, Rotation};
use crate::spec::{HddZone, SurfaceOrder};
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
    /// Sectors with data from here to the end of the track.
    left: u32,
}

#[derive(Clone, Debug)]
struct Zone {
    first: u64,
    end: u64,
    first_cylinder: u32,
    sectors_per_track: u32,
    per_track: f64,
    /// Sectors with data of a range, and behind them those without.
    range_sectors: u64,
    per_range: f64,
    spare_sectors: u64,
    range_tracks: u64,
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

impl Zone {
    fn new(
        band: &HddZone,
        surfaces: u32,
        first: u64,
        first_cylinder: u32,
        origin: u32,
        rotation: &Rotation,
    ) -> Zone {
        let per_track = f64::from(band.sectors_per_track);
        let skew = |sectors: u32| (f64::from(sectors) / per_track * f64::from(REVOLUTION)).round() as u32;
        let sector_ns = rotation.period_ns / per_track;
        let track_steps = skew(band.track_skew).wrapping_mul(surfaces - 1);
        let range_tracks = u64::from(band.range()) * u64::from(surfaces);
        let spare_sectors = u64::from(band.spare_sectors);
        let range_sectors = range_tracks * u64::from(band.sectors_per_track) - spare_sectors;
        Zone {
            first,
            end: first + band.sectors(surfaces),
            first_cylinder,
            sectors_per_track: band.sectors_per_track,
            per_track: 1.0 / per_track,
            range_sectors,
            per_range: 1.0 / range_sectors as f64,
            spare_sectors,
            range_tracks,
            sector_ns,
            track_skew_ns: f64::from(band.track_skew) * sector_ns,
            cylinder_skew_ns: f64::from(band.cylinder_skew) * sector_ns,
            sector_ticks: (u64::from(REVOLUTION) << 32) / u64::from(band.sectors_per_track),
            track_skew: skew(band.track_skew),
            cylinder_step: track_steps.wrapping_add(skew(band.cylinder_skew)),
            origin,
        }
    }

    /// Time in ns from the start of the zone's sector `from` to the end of `last`: spares pass like data, and each track
    /// crossed costs its skew.
    fn sweep(&self, from: u64, last: u64, surfaces: u32) -> f64 {
        let place = |sector: u64| sector + sector / self.range_sectors * self.spare_sectors;
        let (from, last) = (place(from), place(last));
        let crossed = |unit: u64| (last / unit - from / unit) as f64;
        let tracks = crossed(u64::from(self.sectors_per_track));
        let cylinders = crossed(u64::from(self.sectors_per_track) * u64::from(surfaces));
        (last + 1 - from) as f64 * self.sector_ns
            + (tracks - cylinders) * self.track_skew_ns
            + cylinders * self.cylinder_skew_ns
    }
}

/// The layout of a disk.
#[derive(Clone, Debug)]
pub(super) struct Geometry {
    zones: Vec<Zone>,
    /// For each 2^shift sectors the zone of the first: where to begin looking.
    guide: Vec<u32>,
    shift: u32,
    surfaces: u32,
    /// All ones if every other cylinder goes back over the surfaces.
    serpentine: u32,
    per_cylinder: f64,
    pub(super) cylinders: u32,
}

impl Geometry {
    pub(super) fn new(
        layout: &[HddZone],
        surfaces: u32,
        order: SurfaceOrder,
        rotation: &Rotation,
    ) -> Geometry {
        let mut zones: Vec<Zone> = Vec::with_capacity(layout.len());
        let (mut first, mut first_cylinder, mut origin) = (0, 0, 0);
        for band in layout {
            let zone = Zone::new(band, surfaces, first, first_cylinder, origin, rotation);
            first = zone.end;
            first_cylinder += band.cylinders + band.empty_cylinders;
            origin = zone.cylinder_step.wrapping_mul(band.cylinders).wrapping_add(origin) & ANGLE;
            zones.push(zone);
        }
        let shift = first.ilog2().saturating_sub(10);
        let zone_at = |lba: u64| zones.partition_point(|zone: &Zone| zone.end <= lba) as u32;
        let guide = (0..=(first - 1) >> shift).map(|block| zone_at(block << shift)).collect();
        let per_cylinder = 1.0 / f64::from(surfaces);
        let serpentine = if order == SurfaceOrder::Serpentine { u32::MAX } else { 0 };
        Geometry { zones, guide, shift, surfaces, serpentine, per_cylinder, cylinders: first_cylinder }
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
        let (range, rest) = divide(lba - z.first, z.range_sectors, z.per_range);
        let (track, sector) = divide(rest, u64::from(z.sectors_per_track), z.per_track);
        let (cylinder, step) =
            divide(track + range * z.range_tracks, u64::from(self.surfaces), self.per_cylinder);
        let (cylinder, step) = (cylinder as u32, step as u32);
        let skew = z.cylinder_step.wrapping_mul(cylinder).wrapping_add(z.track_skew.wrapping_mul(step));
        let angle = ((sector * z.sector_ticks) >> 32) as u32;
        let goes_back = (cylinder & 1).wrapping_neg() & self.serpentine;
        Place {
            cylinder: z.first_cylinder + cylinder,
            head: if goes_back == 0 { step } else { self.surfaces - 1 - step },
            angle: z.origin.wrapping_add(skew).wrapping_add(angle) & ANGLE,
            zone: zone as u32,
            sector: sector as u32,
            left: (u64::from(z.sectors_per_track) - sector).min(z.range_sectors - rest) as u32,
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
        sectors <= u64::from(place.left)
    }

    /// Time in ns for a sector of the zone of `place` to pass.
    pub(super) fn sector_ns(&self, place: Place) -> f64 {
        self.zones[place.zone as usize].sector_ns
    }

    /// The sectors of the track that holds `lba`.
    pub(super) fn track(&self, lba: u64) -> Range<u64> {
        let place = self.locate(lba);
        let start = lba - u64::from(place.sector);
        start..lba + u64::from(place.left)
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
            ns += zone.sweep(lba - zone.first, end.min(zone.end) - 1 - zone.first, self.surfaces);
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
            let rest = u64::from(place.left);
            let rest_ns = rest as f64 * zone.sector_ns;
            if left < rest_ns {
                return limit.min(lba + (left / zone.sector_ns) as u64);
            }
            lba += rest;
            left -= if lba < zone.end {
                zone.sweep(lba - 1 - zone.first, lba - zone.first, self.surfaces) - 2.0 * zone.sector_ns
            } else {
                zone.cylinder_skew_ns
            };
            left -= rest_ns;
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
