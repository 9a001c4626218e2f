//! The limits of a specification, field by field.

use super::SpecError;
use super::policy::Policy;
use crate::spec::SsdSpec;

/// Dies are numbered in 16 bits.
const DIES_MAX: u64 = 65_535;

/// Bits of a cell, at most: as many types of flash page.
const READ_TYPES_MAX: u32 = 5;
/// Share of repeated reads beyond which one read would take unboundedly long to simulate. Assumed.
const RETRY_MAX: f64 = 0.9;
/// Valid share of what a batch is stated for below which one of full blocks would take unboundedly long. Assumed.
const BATCH_VALID_MIN: f64 = 0.01;

/// Refuses the fields that are wrong by themselves; what they make together is checked where it is computed.
pub(super) fn check(spec: &SsdSpec) -> Result<(), SpecError> {
    let whole = [
        ("logical_bytes", spec.logical_bytes),
        ("physical_bytes", spec.physical_bytes),
        ("page_bytes", spec.page_bytes.into()),
        ("pages_per_block", spec.pages_per_block.into()),
        ("channels", spec.channels.into()),
        ("dies_per_channel", spec.dies_per_channel.into()),
        ("planes", spec.planes.into()),
        ("read_ns", spec.read_ns),
        ("program_ns", spec.program_ns),
        ("read_types", spec.read_types.into()),
        ("pages_per_program", spec.pages_per_program.into()),
        ("erase_ns", spec.erase_ns),
        ("queue_depth", spec.queue_depth.into()),
    ];
    for (field, value) in whole {
        SpecError::unless(value > 0, field, "greater than 0", value)?;
    }
    let dies = u64::from(spec.channels) * u64::from(spec.dies_per_channel);
    SpecError::unless(dies <= DIES_MAX, "channels", format!("at most {DIES_MAX} dies in all"), dies)?;
    let rates = [
        ("channel_bytes_per_s", Some(spec.channel_bytes_per_s)),
        ("link_bytes_per_s", Some(spec.link_bytes_per_s)),
        ("read_bytes_per_s", spec.read_bytes_per_s),
        ("write_bytes_per_s", spec.write_bytes_per_s),
        ("copy_cost", Some(spec.copy_cost)),
    ];
    for (field, rate) in rates {
        let rate = rate.unwrap_or(1.0);
        SpecError::unless(rate.is_finite() && rate > 0.0, field, "finite and greater than 0", rate)?;
    }
    SpecError::unless(
        spec.pages_per_block.is_multiple_of(spec.pages_per_program),
        "pages_per_program",
        format!("a divisor of `pages_per_block` ({})", spec.pages_per_block),
        spec.pages_per_program,
    )?;
    timing(spec)?;
    parts(spec)?;
    sizes(spec)
}

/// What spreads the times of reads.
fn timing(spec: &SsdSpec) -> Result<(), SpecError> {
    let spread = spec.read_type_spread;
    SpecError::unless((0.0..1.0).contains(&spread), "read_type_spread", "in [0, 1)", spread)?;
    for (field, rate) in
        [("read_retry_rate", spec.read_retry_rate), ("worn_retry_rate", spec.worn_retry_rate)]
    {
        let limits = format!("from 0 to {RETRY_MAX}");
        SpecError::unless((0.0..=RETRY_MAX).contains(&rate), field, limits, rate)?;
    }
    for (field, share) in [("wear", spec.wear), ("data_age", spec.data_age)] {
        SpecError::unless((0.0..=1.0).contains(&share), field, "in [0, 1]", share)?;
    }
    let (types, most) = (spec.read_types, format!("at most {READ_TYPES_MAX}"));
    SpecError::unless(types <= READ_TYPES_MAX, "read_types", most, types)
}

/// Cache, background work, wear and compression: each alone.
fn parts(spec: &SsdSpec) -> Result<(), SpecError> {
    for (field, share) in
        [("slc_dynamic_share", spec.slc_dynamic_share), ("slc_fold_share", spec.slc_fold_share)]
    {
        SpecError::unless((0.0..=1.0).contains(&share), field, "in [0, 1]", share)?;
    }
    let valid = spec.gc_batch_valid;
    let is_share = valid == 0.0 || (BATCH_VALID_MIN..=1.0).contains(&valid);
    SpecError::unless(is_share, "gc_batch_valid", format!("0, or from {BATCH_VALID_MIN} to 1"), valid)?;
    let cached = spec.slc_cache_bytes > 0 || spec.slc_dynamic_share > 0.0;
    for (field, time) in [("slc_program_ns", spec.slc_program_ns), ("slc_read_ns", spec.slc_read_ns)] {
        SpecError::unless(!cached || time > 0, field, "greater than 0 in a drive with a pSLC cache", time)?;
    }
    let reserve = spec.background_gc.map_or(0.0, |background| background.reserve);
    SpecError::unless((0.0..1.0).contains(&reserve), "background_gc", "a reserve in [0, 1)", reserve)?;
    Policy::of(spec, 0).check()?;
    let compression = spec.compression;
    SpecError::unless(compression > 0.0 && compression <= 1.0, "compression", "in (0, 1]", compression)?;
    SpecError::unless((0.0..1.0).contains(&spec.bad_blocks), "bad_blocks", "in [0, 1)", spec.bad_blocks)?;
    let partition = spec.partition;
    SpecError::unless(partition > 0.0 && partition <= 1.0, "partition", "in (0, 1]", partition)
}

/// Unit, page, capacity and buffer must fit into each other.
fn sizes(spec: &SsdSpec) -> Result<(), SpecError> {
    let unit = spec.mapping_bytes;
    SpecError::unless(unit >= 512 && unit.is_multiple_of(512), "mapping_bytes", "a multiple of 512", unit)?;
    let compression = spec.compression;
    let row = u64::from(spec.page_bytes) * u64::from(spec.planes);
    let program = row * u64::from(spec.pages_per_program);
    SpecError::unless(
        row.is_multiple_of(u64::from(unit)),
        "mapping_bytes",
        format!("a divisor of the {row} bytes of a flash page on each plane (page_bytes × planes)"),
        unit,
    )?;
    SpecError::unless(
        spec.logical_bytes.is_multiple_of(u64::from(unit)),
        "logical_bytes",
        format!("a multiple of `mapping_bytes` ({unit})"),
        spec.logical_bytes,
    )?;
    SpecError::unless(
        spec.logical_bytes < spec.physical_bytes,
        "logical_bytes",
        format!("less than `physical_bytes` ({})", spec.physical_bytes),
        spec.logical_bytes,
    )?;
    // The buffer holds what the host sent; a program takes it compressed.
    let covered = (program as f64 / compression) as u64;
    SpecError::unless(
        spec.buffer_bytes >= covered,
        "buffer_bytes",
        format!(
            "at least the {covered} bytes that one program covers (page_bytes × planes × pages_per_program, before compression)"
        ),
        spec.buffer_bytes,
    )
}
