//! From a specification to the parts of a disk: checks, and what follows from a data sheet where nothing was measured.

use super::geometry::{Geometry, SECTOR};
use super::mechanism::Mechanism;
use super::rotation::Rotation;
use super::seek;
use crate::spec::{HddOverhead, HddOverheads, HddSpec, HddZone, ReadAhead, Seek, SpecError};

/// Segments of the read buffer (assumed; sheets of the 2000s give 8 to 32).
const SEGMENTS: usize = 16;

/// Longest window that reading ahead fills, in sectors: 2 MiB (assumed).
const SEGMENT_SECTORS_MAX: u64 = 4096;

/// Cylinders that a table of seek times is made for at most.
const CYLINDERS_MAX: u64 = 10_000_000;

/// Refuses values that mean nothing.
pub(super) fn check(spec: &HddSpec) -> Result<(), SpecError> {
    let real = |field: &'static str, value: f64, low: f64, high: f64, unit: &str| match value {
        value if (low..=high).contains(&value) => Ok(()),
        value => Err(SpecError::new(field, format!("from {low} to {high} {unit}"), value)),
    };
    let whole = |field: &'static str, value: u64, low: u64, high: u64| match value {
        value if (low..=high).contains(&value) => Ok(()),
        value => Err(SpecError::new(field, format!("from {low} to {high}"), value)),
    };
    whole("capacity_bytes", spec.capacity_bytes, 1_000_000, 1 << 50)?;
    if !(spec.partition > 0.0 && spec.partition <= 1.0) {
        return Err(SpecError::new("partition", "above 0 and at most 1", spec.partition));
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
        return Err(SpecError::new("cache_bytes", "at least 1024 with `write_cache`", spec.cache_bytes));
    }
    Ok(())
}

/// The mechanism: zones as measured or from the media rates, the arm's curve, the spindle.
pub(super) fn mechanism(spec: &HddSpec, phase: u64) -> Result<Mechanism, SpecError> {
    let rotation = Rotation::new(spec.rpm, phase);
    let sectors_per_track = match spec.measured.layout.as_slice() {
        [] => sectors_per_track(spec, &rotation),
        layout => layout.iter().map(|zone| zone.sectors_per_track).collect(),
    };
    let cylinders = match spec.measured.layout.as_slice() {
        [] => cylinders(spec, &sectors_per_track)?,
        layout => measured_cylinders(spec, layout, &rotation)?,
    };
    let empty: u32 = spec.measured.layout.iter().map(|zone| zone.empty_cylinders).sum();
    let total = cylinders.iter().sum::<u32>() + empty;
    let seek = seek::table(&spec.seek, total, &rotation)?;
    let shortest = match &spec.seek {
        Seek::Sheet { track_ns, .. } => *track_ns as f64,
        Seek::Table { times_ns, .. } => times_ns[0] as f64,
    };
    let switch = spec.head_switch_ns as f64;
    let arm = switch.max(shortest) + spec.write_settle_ns as f64;
    let zones = sectors_per_track.iter().zip(&cylinders).enumerate();
    let band = |(zone, (&sectors_per_track, &cylinders)): (usize, (&u32, &u32))| {
        let skew = |ns: f64| (ns / rotation.period_ns * f64::from(sectors_per_track)).ceil() as u32;
        spec.measured.layout.get(zone).copied().unwrap_or_else(|| HddZone {
            cylinders,
            sectors_per_track,
            track_skew: skew(switch),
            cylinder_skew: skew(arm),
            range_cylinders: 0,
            spare_sectors: 0,
            empty_cylinders: 0,
        })
    };
    let zones: Vec<HddZone> = zones.map(band).collect();
    let geometry = Geometry::new(&zones, spec.surfaces, spec.measured.surface_order, &rotation);
    Mechanism::new(geometry, rotation, seek, spec.head_switch_ns, spec.write_settle_ns)
}

/// Cylinders of each zone: as many, in equal shares, as the capacity takes.
fn cylinders(spec: &HddSpec, sectors_per_track: &[u32]) -> Result<Vec<u32>, SpecError> {
    let tracks: u64 = sectors_per_track.iter().map(|sectors| u64::from(*sectors)).sum();
    let cylinders = spec.capacity_bytes.div_ceil(SECTOR).div_ceil(u64::from(spec.surfaces) * tracks);
    let total = cylinders * sectors_per_track.len() as u64;
    if !(2..=CYLINDERS_MAX).contains(&total) {
        let limit = format!("2 to {CYLINDERS_MAX} cylinders at the media rates and surfaces given");
        let found = format!("{} ({total} cylinders)", spec.capacity_bytes);
        return Err(SpecError::new("capacity_bytes", limit, found));
    }
    Ok(vec![cylinders as u32; sectors_per_track.len()])
}

/// Cylinders of each zone as measured; rejects a layout that is not of this disk.
fn measured_cylinders(
    spec: &HddSpec,
    layout: &[HddZone],
    rotation: &Rotation,
) -> Result<Vec<u32>, SpecError> {
    if layout.iter().any(|zone| zone.cylinders == 0 || zone.sectors_per_track == 0) {
        return Err(SpecError::new(
            "measured.layout",
            "zones of at least one cylinder and sector",
            "a zone of none",
        ));
    }
    let is_spared = |zone: &HddZone| {
        let range = u64::from(zone.range()) * u64::from(spec.surfaces) * u64::from(zone.sectors_per_track);
        zone.range() <= zone.cylinders && u64::from(zone.spare_sectors) < range
    };
    if !layout.iter().all(is_spared) {
        let limit = "zones of one range or more, each with fewer spare sectors than sectors";
        return Err(SpecError::new("measured.layout", limit, "a zone with more"));
    }
    let total: u64 =
        layout.iter().map(|zone| u64::from(zone.cylinders) + u64::from(zone.empty_cylinders)).sum();
    if !(2..=CYLINDERS_MAX).contains(&total) {
        return Err(SpecError::new("measured.layout", format!("2 to {CYLINDERS_MAX} cylinders"), total));
    }
    let bytes = layout.iter().map(|zone| zone.sectors(spec.surfaces)).sum::<u64>() * SECTOR;
    if bytes < spec.capacity_bytes {
        let limit = format!("zones that hold `capacity_bytes` ({})", spec.capacity_bytes);
        return Err(SpecError::new("measured.layout", limit, format!("{bytes} bytes")));
    }
    let ends = [
        ("outer_bytes_per_s", spec.outer_bytes_per_s, 0),
        ("inner_bytes_per_s", spec.inner_bytes_per_s, layout.len() - 1),
    ];
    for (field, rate, zone) in ends {
        let measured = f64::from(layout[zone].sectors_per_track) * SECTOR as f64 * 1e9 / rotation.period_ns;
        if (rate / measured - 1.0).abs() > 0.02 {
            return Err(SpecError::new(
                field,
                format!("within 2 % of the measured layout's {measured:.0}"),
                rate,
            ));
        }
    }
    Ok(layout.iter().map(|zone| zone.cylinders).collect())
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

/// How a buffer is divided.
pub(super) struct Buffer {
    /// Segments for reads.
    pub(super) segments: usize,
    pub(super) segment_sectors: u64,
    /// Windows on written data that can be read.
    pub(super) write_segments: usize,
    /// Sectors of written data that wait for the medium at most.
    pub(super) write_sectors: u64,
    pub(super) read_ahead: ReadAhead,
    pub(super) keeps_passing: bool,
    pub(super) keeps_delivered: bool,
    pub(super) reads_on_arrival: bool,
}

/// The buffer as measured, or, from its size alone, 16 segments of up to 2 MiB and a write cache of half its size.
pub(super) fn buffer(spec: &HddSpec) -> Result<Buffer, SpecError> {
    let cache = spec.cache_bytes / SECTOR;
    let write_cache = u64::from(spec.write_cache);
    let Some(measured) = &spec.measured.buffer else {
        let write_sectors = cache / 2 * write_cache;
        return Ok(Buffer {
            segments: SEGMENTS,
            segment_sectors: ((cache - write_sectors) / SEGMENTS as u64).min(SEGMENT_SECTORS_MAX),
            write_segments: SEGMENTS * spec.write_cache as usize,
            write_sectors,
            read_ahead: ReadAhead::Segment,
            keeps_passing: false,
            keeps_delivered: true,
            reads_on_arrival: false,
        });
    };
    let segment_sectors = u64::from(measured.segment_sectors);
    if u64::from(measured.segments) * segment_sectors > cache {
        let limit = format!("segments that fit into `cache_bytes` ({})", spec.cache_bytes);
        let found = format!("{} of {segment_sectors} sectors", measured.segments);
        return Err(SpecError::new("measured.buffer.segments", limit, found));
    }
    if measured.write_segments >= measured.segments {
        let limit = format!("below `segments` ({})", measured.segments);
        return Err(SpecError::new("measured.buffer.write_segments", limit, measured.write_segments));
    }
    Ok(Buffer {
        segments: (measured.segments - measured.write_segments) as usize,
        segment_sectors,
        write_segments: measured.write_segments as usize,
        write_sectors: u64::from(measured.write_segments) * segment_sectors * write_cache,
        read_ahead: measured.read_ahead,
        keeps_passing: measured.keeps_passing,
        keeps_delivered: measured.keeps_delivered,
        reads_on_arrival: measured.reads_on_arrival,
    })
}

/// Controller times as measured, or the same for all commands.
pub(super) fn overheads(spec: &HddSpec) -> HddOverheads {
    let all = HddOverhead { after_read_ns: spec.overhead_ns, after_write_ns: spec.overhead_ns };
    let sheet = HddOverheads { read_hit: all, read_miss: all, write_hit: all, write_miss: all };
    spec.measured.overheads.unwrap_or(sheet)
}
