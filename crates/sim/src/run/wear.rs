//! What a workload does to the flash of a design, without a clock.
//!
//! The design is filled with the workload's footprint; then [`crate::ssd::wear::measure`] continues to write, copies and
//! parity included, until write amplification is steady, and returns it. The interval covers chance, not what the model
//! leaves out. How much of the host's writes falls on which drive is counted apart, on the arrays' address maps; where there is a
//! cache, on the drives themselves once they are steady: what a cache writes is decided by what it holds. The drives that are no
//! flash are then left out.

#[cfg(not(target_arch = "wasm32"))]
use super::steady_state_cache::Start;
use super::{Remap, RunOptions, SteadyStates, Workload, prepared, steady, writes};
use crate::design::{Contents, Footprints, Resolved, Unit};
use crate::error::SimError;
use crate::host::{Fault, Requests};
use crate::spec::DriveSpec;
use crate::ssd::wear;
use crate::ssd::{EraseSpread, Ssd};
use drivecast_block::{Counters, Device, Op};
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
    /// Where there is a cache: bytes read by the host along with them, of which the cache writes some to its flash.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host_bytes_read: Option<u64>,
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
    wear_kept(design, workload, options, &SteadyStates::new(0))
}

/// The same, from a steady state held before, and holds it for the next.
///
/// # Errors
/// As [`wear`].
pub fn wear_kept(
    design: &Resolved,
    workload: &Workload,
    options: &WearOptions,
    kept: &SteadyStates,
) -> Result<Wear, SimError> {
    let has_cache = design.root().has_cache();
    let is_no_flash = |(_, spec): &&(&str, &DriveSpec)| !matches!(spec, DriveSpec::Ssd(_));
    if let Some((name, _)) = design.root().drives().iter().find(is_no_flash)
        && !(has_cache && design.root().has_flash())
    {
        return Err(SimError::NoFlash { design: design.line().to_owned(), drive: (*name).to_owned() });
    }
    super::options::check_fill(options.fill)?;
    let WearOptions { seed, fill, remap } = *options;
    let (mut unit, start) =
        prepared(design, workload, &RunOptions { seed, fill, remap, ..RunOptions::default() }, kept)?;
    sound(design, &unit, seed)?;
    let nothing = || SimError::NoWrites { design: design.line().to_owned() };
    let alike = design.root().alike(&start.contents);
    let mut writes = writes(workload, unit.capacity(), seed, has_cache)?.ok_or_else(nothing)?.beyond_fill();
    let measured = match (&start.wear, &start.alone) {
        (Some(wear), _) => Some(wear.clone()),
        #[cfg(not(target_arch = "wasm32"))]
        (None, Some(alone)) => ample(design, alone, workload, options, kept)?,
        (None, _) => unit.aged_alike(alike, |unit| {
            let written = start.contents.written(unit.capacity());
            steady::measure(unit, &mut writes, written)
        }),
    };
    sound(design, &unit, seed)?;
    let measured = measured.ok_or_else(nothing)?.of_copies(alike as u64);
    let traced = match &start.contents {
        _ if has_cache => Traced::on_drives(&mut unit, &mut writes, workload),
        Contents::Footprints { footprints, .. } => Traced::of(footprints),
        Contents::Span { .. } => Traced::made_up(design, workload, seed)?,
    };
    let drives = drive_wear(design, &unit, &start.filled, &traced);
    let parity_factor = parity_factor(&drives, &traced);
    // In a browser, where each function is downloaded, ample flash is measured in its array.
    let is_of_one = start.alone.is_some() && (start.wear.is_some() || cfg!(not(target_arch = "wasm32")));
    let sent_for_each = if is_of_one { alike as f64 } else { parity_factor };
    let sent = measured.written_bytes as f64 * sent_for_each;
    let measured = Measured { wear: measured, sent, parity_factor };
    Ok(assemble(design, options, &unit, &measured, &drives, &traced))
}

/// How the drives of an array wear whose flash is ample: as one of them does alone, which is found once.
#[cfg(not(target_arch = "wasm32"))]
fn ample(
    design: &Resolved,
    alone: &Start,
    workload: &Workload,
    options: &WearOptions,
    kept: &SteadyStates,
) -> Result<Option<wear::Wear>, SimError> {
    if let Some(found) = alone.ample.get() {
        return Ok(Some(found.clone()));
    }
    let Workload::Synthetic(spec) = workload else { return Ok(None) };
    let Some((drive, spec)) = design.drive_alone(spec) else { return Ok(None) };
    let workload = Workload::Synthetic(spec);
    let WearOptions { seed, fill, remap } = *options;
    let (mut unit, _) =
        prepared(&drive, &workload, &RunOptions { seed, fill, remap, ..RunOptions::default() }, kept)?;
    let written = alone.contents.written(unit.capacity());
    let Some(writes) = writes(&workload, unit.capacity(), seed, false)? else { return Ok(None) };
    let found = steady::measure(&mut unit, &mut writes.beyond_fill(), written);
    sound(design, &unit, seed)?;
    Ok(found.map(|found| alone.ample.get_or_init(|| found).clone()))
}

/// How flash wears, what the drives were sent meanwhile, and how many bytes they are sent for each that the host writes.
struct Measured {
    wear: wear::Wear,
    sent: f64,
    parity_factor: f64,
}

fn parity_factor(drives: &[DriveWear], traced: &Traced) -> f64 {
    let written: u64 = drives.iter().map(|drive| drive.written_bytes).sum();
    written as f64 / traced.host.max(1) as f64
}

/// Bytes written by the host, and of these on each drive.
#[derive(Default)]
struct Traced {
    host: u64,
    /// Bytes read by the host, where a cache may write them.
    read: Option<u64>,
    drives: Vec<u64>,
}

impl Traced {
    fn of(footprints: &Footprints) -> Traced {
        let drives = footprints.drives.iter().map(|drive| drive.written().0).collect();
        Traced { host: footprints.host.written().0, read: None, drives }
    }

    /// Where the writes of a synthetic workload go, on the design at full size.
    fn made_up(design: &Resolved, workload: &Workload, seed: u64) -> Result<Traced, SimError> {
        let Workload::Synthetic(spec) = workload else { return Ok(Traced::default()) };
        let mut generator = Generator::new(spec, design.capacity(), seed)?;
        let requests = std::iter::from_fn(|| Requests::next(&mut generator)).take(REQUESTS_TRACED);
        let (host, drives) = design.written_bytes(requests);
        Ok(Traced { host, read: None, drives })
    }

    /// Has the drives take in as many requests as a trace has, or as are traced of a synthetic workload. Counts the flash in whole
    /// mapping units.
    fn on_drives(unit: &mut Unit, writes: &mut steady::Writes, workload: &Workload) -> Traced {
        let requests = workload.records().map_or(REQUESTS_TRACED, |records| records.len());
        let written = |unit: &Unit| -> Vec<u64> {
            let bytes = |ssd: &Ssd| ssd.counters().flash_host_pages * ssd.mapping_bytes();
            unit.flash().into_iter().map(bytes).collect()
        };
        let before = written(unit);
        let (mut host, mut read) = (0, 0);
        for _ in 0..requests {
            let request = writes.next();
            match request.op {
                Op::Write => host += u64::from(request.size),
                Op::Read => read += u64::from(request.size),
                Op::Flush | Op::Discard => {}
            }
            unit.age(request);
        }
        let drives = written(unit).into_iter().zip(before).map(|(after, before)| after - before);
        Traced { host, read: Some(read), drives: drives.collect() }
    }
}

/// Stops at a drive that failed.
fn sound(design: &Resolved, unit: &Unit, seed: u64) -> Result<(), SimError> {
    let failed = |reason| {
        super::play::failure(design.line(), seed, Fault::Device(reason)).of(super::fingerprint(design))
    };
    unit.fault().map_or(Ok(()), |reason| Err(failed(reason)))
}

fn assemble(
    design: &Resolved,
    options: &WearOptions,
    unit: &Unit,
    measured: &Measured,
    drives: &[DriveWear],
    traced: &Traced,
) -> Wear {
    let flash = unit.flash();
    let spread = EraseSpread::of(flash.iter().flat_map(|ssd| ssd.ftl().erase_counts().iter().copied()));
    let Measured { wear: measured, sent, parity_factor } = measured;
    let touched = measured.flash_host_pages as f64 * unit_bytes(&flash);
    let is_cached = traced.read.is_some();
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
        members: if is_cached { drives.len() } else { drives.len() - design.root().waiting() },
        parity_factor: *parity_factor,
        // What a cache writes is counted in whole units.
        rounding_factor: if is_cached { 1.0 } else { touched / sent.max(1.0) },
        host_bytes_written: traced.host,
        host_bytes_read: traced.read,
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

fn drive_wear(design: &Resolved, unit: &Unit, filled: &[Counters], traced: &Traced) -> Vec<DriveWear> {
    let names = design.root().drives();
    let names = names.iter().filter(|(_, spec)| matches!(spec, DriveSpec::Ssd(_)));
    let flash = unit.flash();
    let rows = names.zip(&flash).zip(filled.iter().zip(&traced.drives));
    rows.map(|(((name, _), ssd), (before, written_bytes))| {
        let (spread, after) = (ssd.ftl().erase_spread(), ssd.counters());
        let host = after.flash_host_pages - before.flash_host_pages;
        let programmed = after.flash_programmed_pages - before.flash_programmed_pages;
        DriveWear {
            drive: (*name).to_owned(),
            write_amplification: programmed as f64 / host.max(1) as f64,
            written_bytes: *written_bytes,
            levelled_pages: ssd.ftl().stats().levelled_pages,
            erase_count_min: spread.least,
            erase_count_mean: spread.mean,
            erase_count_max: spread.most,
            erase_count_deviation: spread.deviation,
        }
    })
    .collect()
}
