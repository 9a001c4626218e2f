//! From a specification to the parts of a disk: checks, and the arithmetic of zones.

use super::HddError;
use super::geometry::{Band, Geometry, SECTOR};
use super::mechanism::Mechanism;
use super::rotation::Rotation;
use super::seek;
use crate::spec::{HddSpec, Seek};

/// Refuses values that mean nothing.
pub(super) fn check(spec: &HddSpec) -> Result<(), HddError> {
    let real = |field: &'static str, value: f64, low: f64, high: f64, unit: &str| match value {
        value if (low..=high).contains(&value) => Ok(()),
        value => Err(HddError::field(field, format!("from {low} to {high} {unit}"), value)),
    };
    let whole = |field: &'static str, value: u64, low: u64, high: u64| match value {
        value if (low..=high).contains(&value) => Ok(()),
        value => Err(HddError::field(field, format!("from {low} to {high}"), value)),
    };
    whole("capacity_bytes", spec.capacity_bytes, 1_000_000, 1 << 50)?;
    if !(spec.partition > 0.0 && spec.partition <= 1.0) {
        return Err(HddError::field("partition", "above 0 and at most 1", spec.partition));
    }
    real("rpm", spec.rpm, 1_000.0, 60_000.0, "rotations a minute")?;
    whole("surfaces", spec.surfaces.into(), 1, 64)?;
    real("outer_bytes_per_s", spec.outer_bytes_per_s, 1e5, 1e10, "bytes a second")?;
    real("inner_bytes_per_s", spec.inner_bytes_per_s, 1e5, spec.outer_bytes_per_s, "bytes a second")?;
    whole("zones", spec.zones.into(), 1, 1_000)?;
    real("link_bytes_per_s", spec.link_bytes_per_s, 1e5, 1e12, "bytes a second")?;
    whole("queue_depth", spec.queue_depth.into(), 1, 1_024)?;
    whole("overhead_ns", spec.overhead_ns, 0, 1_000_000_000)?;
    whole("cache_bytes", spec.cache_bytes, 0, 1 << 40)?;
    if spec.write_cache && spec.cache_bytes < 2 * SECTOR {
        return Err(HddError::field("cache_bytes", "at least 1024 with `write_cache`", spec.cache_bytes));
    }
    Ok(())
}

/// The mechanism of a disk known by its data sheet.
pub(super) fn mechanism(spec: &HddSpec, phase: u64) -> Result<Mechanism, HddError> {
    let rotation = Rotation::new(spec.rpm, phase);
    let sectors_per_track = sectors_per_track(spec, &rotation);
    let per_cylinder =
        u64::from(spec.surfaces) * sectors_per_track.iter().map(|sectors| u64::from(*sectors)).sum::<u64>();
    let sectors = spec.capacity_bytes.div_ceil(SECTOR);
    let cylinders = sectors.div_ceil(per_cylinder);
    let total = cylinders * sectors_per_track.len() as u64;
    if !(2..=10_000_000).contains(&total) {
        let limit = "such that, at the media rates and surfaces given, there are 2 to 10000000 cylinders";
        return Err(HddError::field(
            "capacity_bytes",
            limit,
            format!("{} ({total} cylinders)", spec.capacity_bytes),
        ));
    }
    let seek = seek::curve(&spec.seek, total as u32)?;
    let shortest = match spec.seek {
        Seek::Sheet { track_ns, .. } => track_ns as f64,
        Seek::Table { .. } => seek[1],
    };
    let switch = spec.head_switch_ns as f64;
    let arm = switch.max(shortest) + spec.write_settle_ns as f64;
    let band = |sectors: &u32| {
        let skew = |ns: f64| (ns / rotation.period_ns * f64::from(*sectors)).ceil() as u32;
        Band {
            cylinders: cylinders as u32,
            sectors_per_track: *sectors,
            track_skew: skew(switch),
            cylinder_skew: skew(arm),
        }
    };
    let bands: Vec<Band> = sectors_per_track.iter().map(band).collect();
    let geometry = Geometry::new(&bands, spec.surfaces, &rotation);
    Mechanism::new(geometry, rotation, &seek, spec.head_switch_ns, spec.write_settle_ns)
}

/// Sectors a track of each zone, outermost first; a single zone has the mean of the two rates.
fn sectors_per_track(spec: &HddSpec, rotation: &Rotation) -> Vec<u32> {
    let sectors = |rate: f64| ((rate * rotation.period_ns / 1e9 / SECTOR as f64).round() as u32).max(1);
    let (outer, inner) = (spec.outer_bytes_per_s, spec.inner_bytes_per_s);
    match spec.zones {
        1 => vec![sectors(0.5 * (outer + inner))],
        zones => {
            let step = (outer - inner) / f64::from(zones - 1);
            (0..zones).map(|zone| sectors(outer - step * f64::from(zone))).collect()
        }
    }
}
