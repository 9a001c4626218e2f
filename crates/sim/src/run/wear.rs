//! What a workload does to the flash of a design, without a clock.
//!
//! The design is filled with the workload's footprint; then [`crate::ssd::wear::measure`] continues to write, copies and
//! parity included, until write amplification is steady, and returns it. The interval covers chance, not what the model
//! leaves out. How much of the host's writes falls on which drive is counted apart, on the arrays' address maps.

use super::{Remap, Workload, contents, writes};
use crate::design::{Contents, Footprints, Resolved, Unit};
use crate::error::SimError;
use crate::host::Fault;
use crate::spec::DriveSpec;
use crate::ssd::wear::{self, Options};
use crate::ssd::{EraseSpread, Ssd};
use drivecast_block::{Bytes, Counters, Device, Op};
use drivecast_workload::Generator;
use serde::Serialize;

/// Requests of a synthetic workload whose writes are traced to the drives.
const REQUESTS_TRACED: usize = 100_000;

/// How to wear.
#[derive(Clone, Debug, Default)]
pub struct WearOptions {
    /// Seed of all that is random.
    pub seed: u64,
    /// At least this share of each drive holds data.
    pub fill: f64,
    /// What to do with requests beyond the end of the design.
    pub remap: Remap,
}

/// What the flash of a design does in steady state.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Wear {
    /// The version of this shape.
    pub schema_version: u32,
    /// The design as written.
    pub design: String,
    /// The seed.
    pub seed: u64,
    /// Pages programmed over pages written by the host of the flash, all drives together.
    pub write_amplification: f64,
    /// Lower end of its 95 % interval.
    pub write_amplification_low: f64,
    /// Upper end.
    pub write_amplification_high: f64,
    /// Whether it became steady.
    pub steady: bool,
    /// Pages written by the host of the flash, steady part.
    pub host_pages: u64,
    /// Pages copied by garbage collection and wear levelling, steady part.
    pub copied_pages: u64,
    /// Pages copied by static wear levelling, since the drives were new.
    pub levelled_pages: u64,
    /// Blocks erased, steady part.
    pub erases: u64,
    /// The fewest erasures of any block since it was new, of all blocks simulated.
    pub erase_count_min: u32,
    /// Erasures a block, mean over all blocks simulated.
    pub erase_count_mean: f64,
    /// The most of any block.
    pub erase_count_max: u32,
    /// Their standard deviation.
    pub erase_count_deviation: f64,
    /// The share of each drive that holds data, at least.
    pub fill: f64,
    /// Simulated over specified capacity; 1 unless scaled.
    pub scale: f64,
    /// Drives in use: all but spares that wait.
    pub members: usize,
    /// Bytes written to the drives over bytes written by the host: copies and parity.
    pub parity_factor: f64,
    /// Bytes of the mapping units that writes touch over bytes written to the drives: above 1 where writes do not cover whole
    /// units, each of which is programmed anew. Flash programs this times `write_amplification` for a byte written.
    pub rounding_factor: f64,
    /// Bytes written by the host: in one pass of the trace, or by 100,000 requests of a synthetic workload.
    pub host_bytes_written: u64,
    /// Bytes written by these to the drive that is written most.
    pub member_host_bytes_max: u64,
    /// Drive by drive.
    pub drives: Vec<DriveWear>,
}

/// One drive's share of a [`Wear`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DriveWear {
    /// Its name in the design.
    pub drive: String,
    /// Its own write amplification, since it was filled.
    pub write_amplification: f64,
    /// Bytes written to it, of `host_bytes_written`.
    pub written_bytes: u64,
    /// Pages copied by static wear levelling, since the drive was new.
    pub levelled_pages: u64,
    /// The fewest erasures of any block since it was new, of the blocks simulated.
    pub erase_count_min: u32,
    /// Erasures a block, mean over the blocks simulated.
    pub erase_count_mean: f64,
    /// The most of any block.
    pub erase_count_max: u32,
    /// Their standard deviation.
    pub erase_count_deviation: f64,
}

/// Wears the flash of a design by a workload.
///
/// # Errors
/// A design that cannot be built or has drives that are no flash, a workload that does not fit it, or writes nothing.
pub fn wear(design: &Resolved, workload: &Workload, options: &WearOptions) -> Result<Wear, SimError> {
    let is_no_flash = |(_, spec): &&(&str, &DriveSpec)| !matches!(spec, DriveSpec::Ssd(_));
    if let Some((name, _)) = design.root().drives().iter().find(is_no_flash) {
        return Err(SimError::NoFlash { design: design.line().to_owned(), drive: (*name).to_owned() });
    }
    super::options::check_fill(options.fill)?;
    let contents = contents(design, workload, options.fill, options.remap)?;
    let mut unit = design.build(&contents, options.seed)?;
    let nothing = || SimError::NoWrites { design: design.line().to_owned() };
    let mut writes = writes(workload, unit.capacity(), options.seed)?.ok_or_else(nothing)?;
    let alike = design.root().alike();
    unit.aged_alike(alike, |unit| writes.fill(unit));
    sound(design, &unit, options.seed)?;
    let filled: Vec<Counters> = unit.flash().iter().map(|ssd| ssd.counters()).collect();
    let window = Options::new(contents.written(unit.capacity()).0);
    let measured = unit.aged_alike(alike, |unit| wear::measure(unit, || writes.next(), &window));
    sound(design, &unit, options.seed)?;
    let measured = measured.ok_or_else(nothing)?.of_copies(alike as u64);
    let traced = match contents {
        Contents::Footprints { footprints, .. } => footprints,
        Contents::Span { .. } => traced(design, workload, options.seed)?,
    };
    Ok(assemble(design, options, &unit, &measured, &drive_wear(design, &unit, &filled, &traced), &traced))
}

/// Stops at a drive that failed.
fn sound(design: &Resolved, unit: &Unit, seed: u64) -> Result<(), SimError> {
    let failed = |reason| {
        super::play::failure(design.line(), seed, Fault::Device(reason)).of(super::fingerprint(design))
    };
    unit.fault().map_or(Ok(()), |reason| Err(failed(reason)))
}

/// Where the writes of a synthetic workload go, on the design at full size.
fn traced(design: &Resolved, workload: &Workload, seed: u64) -> Result<Footprints, SimError> {
    let Workload::Synthetic(spec) = workload else { return Ok(design.footprints(std::iter::empty())) };
    let mut generator = Generator::new(spec, design.capacity(), seed)?;
    let requests = std::iter::repeat_with(|| generator.next()).take(REQUESTS_TRACED);
    Ok(design.footprints(requests.filter(|io| io.op == Op::Write).map(|io| (io.offset, io.size))))
}

fn assemble(
    design: &Resolved,
    options: &WearOptions,
    unit: &Unit,
    measured: &wear::Wear,
    drives: &[DriveWear],
    traced: &Footprints,
) -> Wear {
    let flash = unit.flash();
    let spread = EraseSpread::of(flash.iter().flat_map(|ssd| ssd.ftl().erase_counts().iter().copied()));
    let written: u64 = drives.iter().map(|drive| drive.written_bytes).sum();
    let Bytes(host) = traced.host.written();
    let parity_factor = written as f64 / host.max(1) as f64;
    let touched = measured.flash_host_pages as f64 * unit_bytes(&flash);
    Wear {
        schema_version: crate::outcome::SCHEMA_VERSION,
        design: design.line().to_owned(),
        seed: options.seed,
        write_amplification: measured.write_amplification,
        write_amplification_low: measured.write_amplification_low,
        write_amplification_high: measured.write_amplification_high,
        steady: measured.steady,
        host_pages: measured.flash_host_pages,
        copied_pages: measured.flash_copied_pages,
        erases: measured.flash_erases,
        levelled_pages: drives.iter().map(|drive| drive.levelled_pages).sum(),
        erase_count_min: spread.least,
        erase_count_mean: spread.mean,
        erase_count_max: spread.most,
        erase_count_deviation: spread.deviation,
        fill: options.fill,
        scale: unit.scale(),
        members: drives.len() - design.root().waiting(),
        parity_factor,
        rounding_factor: touched / (measured.written_bytes as f64 * parity_factor).max(1.0),
        host_bytes_written: host,
        member_host_bytes_max: drives.iter().map(|drive| drive.written_bytes).max().unwrap_or(0),
        drives: drives.to_vec(),
    }
}

/// The mapping unit, of all that was written to these drives on average.
fn unit_bytes(flash: &[&Ssd]) -> f64 {
    let pages = |ssd: &Ssd| ssd.counters().flash_host_pages as f64;
    let bytes: f64 = flash.iter().map(|ssd| pages(ssd) * ssd.mapping_bytes() as f64).sum();
    bytes / flash.iter().copied().map(pages).sum::<f64>().max(1.0)
}

fn drive_wear(design: &Resolved, unit: &Unit, filled: &[Counters], traced: &Footprints) -> Vec<DriveWear> {
    let names = design.root().drives();
    let flash = unit.flash();
    let rows = names.iter().zip(&flash).zip(filled.iter().zip(&traced.drives));
    rows.map(|(((name, _), ssd), (before, footprint))| {
        let (spread, after) = (ssd.ftl().erase_spread(), ssd.counters());
        let host = after.flash_host_pages - before.flash_host_pages;
        let programmed = after.flash_programmed_pages - before.flash_programmed_pages;
        DriveWear {
            drive: (*name).to_owned(),
            write_amplification: programmed as f64 / host.max(1) as f64,
            written_bytes: footprint.written().0,
            levelled_pages: ssd.ftl().stats().levelled_pages,
            erase_count_min: spread.least,
            erase_count_mean: spread.mean,
            erase_count_max: spread.most,
            erase_count_deviation: spread.deviation,
        }
    })
    .collect()
}
