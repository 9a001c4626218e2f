//! One simulation, from a design and a workload to an outcome.
//!
//! [`simulate`] builds the design for the workload's footprint, brings its flash to steady state, lets the host of the
//! workload drive it, and gives the [`Outcome`]. [`wear()`] does the first two steps only, and returns what the flash did.
//! Nothing here is random but what draws from the seed's streams: the same arguments give the same outcome, byte by byte.

mod disk;
mod fingerprint;
mod modelled;
mod options;
mod play;
mod request_log;
mod serial;
mod steady;
mod steady_state_cache;
mod wear;
mod windowed;
mod workload;

pub use disk::{Disk, DiskOptions};
pub use fingerprint::fingerprint;
pub use modelled::Modelled;
pub use options::{Depth, Remap, RunOptions, State, Window};
pub use request_log::UNFINISHED;
pub use serial::serial;
pub use steady_state_cache::SteadyStates;
pub use wear::{Wear, WearOptions, wear, wear_kept};
pub use windowed::Windowed;
pub use workload::Workload;

use crate::cache::Cached;
use crate::design::{Contents, Resolved, Unit};
use crate::error::SimError;
use crate::host::{self, Measured, Recorded, Requests};
use crate::outcome::{Label, Outcome};
use crate::ssd::Ssd;
use drivecast_block::{Bytes, Counters, Device, Nanos};
use drivecast_workload::{Generator, Pattern, WorkloadSpec};
use play::{check_records, failure, generate, replay};
use request_log::RequestLog;
use std::sync::Arc;
use steady_state_cache::{Found, Key, Start};

/// Runs a workload on a design.
///
/// # Errors
/// A design that cannot be built, a workload that does not fit it, an option out of range, or a run that failed its
/// own checks.
pub fn simulate(design: &Resolved, workload: &Workload, options: &RunOptions) -> Result<Outcome, SimError> {
    simulate_kept(design, workload, options, &SteadyStates::new(0))
}

/// The same, from a steady state held before, and holds it for the next.
///
/// # Errors
/// As [`simulate`].
pub fn simulate_kept(
    design: &Resolved,
    workload: &Workload,
    options: &RunOptions,
    kept: &SteadyStates,
) -> Result<Outcome, SimError> {
    options.check()?;
    let mut unit = ready(design, workload, options, kept)?;
    let label = label(design, &unit, options);
    let measured = play(&mut unit, &label, workload, options);
    outcome(design, &unit, label, measured)
}

/// The same for an open source, with the latency of each of its requests in ns, in their order; [`UNFINISHED`] where the
/// run ended before.
///
/// # Errors
/// As [`simulate`].
pub fn simulate_each(
    design: &Resolved,
    workload: &Workload,
    options: &RunOptions,
) -> Result<(Outcome, Vec<u64>), SimError> {
    options.check()?;
    let mut unit = ready(design, workload, options, &SteadyStates::new(0))?;
    let label = label(design, &unit, options);
    let requests = workload.records().map_or(0, |records| records.len());
    let mut log = RequestLog::new(&mut unit, requests);
    let measured = play(&mut log, &label, workload, options);
    let latencies = log.into_latencies();
    Ok((outcome(design, &unit, label, measured)?, latencies))
}

/// The design where a run starts from.
fn ready(
    design: &Resolved,
    workload: &Workload,
    options: &RunOptions,
    kept: &SteadyStates,
) -> Result<Unit, SimError> {
    let (mut unit, _) = prepared(design, workload, options, kept)?;
    if options.state == State::Idle {
        unit.idle();
    }
    unit.restart();
    Ok(unit)
}

fn label(design: &Resolved, unit: &Unit, options: &RunOptions) -> Label {
    let rebuild = design.root().rebuilding();
    Label { design: design.line().to_owned(), seed: options.seed, scale: unit.scale(), rebuild }
}

fn outcome(
    design: &Resolved,
    unit: &Unit,
    label: Label,
    measured: Result<Measured, SimError>,
) -> Result<Outcome, SimError> {
    let known = |error: SimError| error.of(fingerprint(design));
    let measured = measured.map_err(known)?;
    match measured.fault {
        Some(reason) => Err(known(failure(&label.design, label.seed, host::Fault::Device(reason)))),
        None => {
            let outcome = Outcome::new(label, &measured);
            let write_cache = design.root().write_cache().filter(|_| outcome.write.requests > 0);
            let cache = Cached::of(&unit.caches(), &measured.counters, outcome.duration_s);
            Ok(Outcome { credits: unit.credits(), write_cache, cache, ..outcome })
        }
    }
}

/// The design, its flash where a run starts from, and how it got there.
fn prepared(
    design: &Resolved,
    workload: &Workload,
    options: &RunOptions,
    kept: &SteadyStates,
) -> Result<(Unit, Arc<Start>), SimError> {
    let is_flash_aged = options.state != State::Fresh && design.root().has_flash();
    if let (Workload::Synthetic(spec), true) = (workload, is_flash_aged)
        && let Some((alone, spec)) = design.drive_alone(spec)
    {
        return prepared_by_one(design, &alone, spec, options, kept);
    }
    prepared_within(design, workload, options, kept, None)
}

/// An array whose drives take over the steady state of one of them.
fn prepared_by_one(
    design: &Resolved,
    alone: &Resolved,
    spec: WorkloadSpec,
    options: &RunOptions,
    kept: &SteadyStates,
) -> Result<(Unit, Arc<Start>), SimError> {
    let contents = spanned(&spec, options.fill);
    let pages_max = design.drive_pages_max(&contents);
    let is_less = pages_max < alone.drive_pages_max(&contents);
    let workload = Workload::Synthetic(spec);
    let (drive, start) = prepared_within(alone, &workload, options, kept, is_less.then_some(pages_max))?;
    let mut unit = design.build_within(&contents, options.seed, pages_max)?;
    let mut filled: Vec<Counters> = unit.flash().iter().map(|ssd| ssd.counters()).collect();
    if let (Some(ssd), Some(counters)) = (drive.flash().first(), start.filled.first()) {
        let block = start.wear.as_ref().map_or(0.0, |wear| block_bytes(ssd) / wear.write_amplification);
        let members = unit.take_over_alone(ssd, &mut |member, number, part| {
            write_on(member, &workload, options.seed ^ (number + 1), (block * part) as u64);
        });
        members.into_iter().for_each(|member| filled[member] = *counters);
    }
    let wear = start.wear.clone();
    Ok((unit, Arc::new(Start { filled, wear, alone: Some(start), ..Start::of(contents) })))
}

/// Bytes of a block on each die.
fn block_bytes(ssd: &Ssd) -> f64 {
    let geometry = ssd.layout().geometry;
    f64::from(geometry.dies) * f64::from(geometry.pages_per_block) * ssd.mapping_bytes() as f64
}

/// Writes so much more. A drive that is written already is large enough for the workload.
fn write_on(ssd: &mut Ssd, workload: &Workload, seed: u64, bytes: u64) {
    let Ok(Some(writes)) = writes(workload, ssd.capacity(), seed, false) else { return };
    let mut writes = writes.beyond_fill();
    let mut written = 0;
    while written < bytes {
        let request = writes.next();
        written += u64::from(request.size);
        ssd.age(request);
    }
}

/// The same for any design, of whose drives each has at most so many pages where it is scaled.
fn prepared_within(
    design: &Resolved,
    workload: &Workload,
    options: &RunOptions,
    kept: &SteadyStates,
    pages_max: Option<u64>,
) -> Result<(Unit, Arc<Start>), SimError> {
    let has_cache = design.root().has_cache();
    let is_aged = options.state != State::Fresh && (design.root().has_flash() || has_cache);
    let build = |contents: &Contents| match pages_max {
        Some(pages) => design.build_within(contents, options.seed, pages),
        None => design.build(contents, options.seed),
    };
    if !is_aged {
        let contents = contents(design, workload, options.fill, options.remap)?;
        return Ok((build(&contents)?, Arc::new(Start::of(contents))));
    }
    let claim = match kept.find(Key::of(design, workload, options, pages_max)) {
        Found::Steady(steady) => {
            let mut unit = build(&steady.start.contents)?;
            unit.resume(&steady.aged);
            return Ok((unit, steady.start.clone()));
        }
        Found::Nothing(claim) => claim,
    };
    let mut start = Start::of(contents(design, workload, options.fill, options.remap)?);
    let mut unit = build(&start.contents)?;
    unit.each_cache(&mut |cache| cache.set_pace(pace(workload)));
    let Some(mut writes) = writes(workload, unit.capacity(), options.seed, has_cache)? else {
        return Ok((unit, Arc::new(start)));
    };
    let alike = design.root().alike(&start.contents);
    let written = start.contents.written(unit.capacity());
    (start.filled, start.wear) = steady::precondition(&mut unit, alike, &mut writes, written, options.state);
    let start = Arc::new(start);
    claim.put(&start, &unit);
    Ok((unit, start))
}

/// Drives a device that is ready, whatever it is, with a workload that fits it. Where it fails on the way, the outcome is
/// that of the time before, and says so ([`Outcome::partial`]).
///
/// # Errors
/// As [`simulate`], but for a device that fails.
pub fn drive(
    device: &mut dyn Device,
    design: &str,
    scale: f64,
    workload: &Workload,
    options: &RunOptions,
) -> Result<Outcome, SimError> {
    let seed = options.seed;
    let label = Label { design: design.to_owned(), seed, scale, rebuild: Bytes(0) };
    let measured = play(device, &label, workload, options)?;
    Ok(Outcome::new(label, &measured))
}

fn play(
    device: &mut dyn Device,
    label: &Label,
    workload: &Workload,
    options: &RunOptions,
) -> Result<Measured, SimError> {
    options.check()?;
    let measured = match workload {
        Workload::Records(records) => {
            check_records(records, &label.design, device.capacity(), options.remap)?;
            replay(device, records, options)?
        }
        Workload::Synthetic(spec) => generate(device, spec, options)?,
        Workload::Model(model) => model.play(device, &label.design, options)?,
        Workload::Windows(windows) => windows.play(device, &label.design, options)?,
    };
    measured.map_err(|fault| failure(&label.design, label.seed, fault))
}

/// What the workload leaves on the drives.
fn contents(design: &Resolved, workload: &Workload, fill: f64, remap: Remap) -> Result<Contents, SimError> {
    match workload {
        Workload::Records(records)
        | Workload::Model(Modelled { pass: records, .. })
        | Workload::Windows(Windowed { pass: records, .. }) => {
            let capacity = design.capacity();
            check_records(records, design.line(), capacity, remap)?;
            let mut requests = Recorded::all(records, capacity);
            let footprints = design.footprints(std::iter::from_fn(|| requests.next()));
            Ok(Contents::Footprints { footprints, fill })
        }
        Workload::Synthetic(spec) => Ok(spanned(spec, fill)),
    }
}

/// What requests that are made leave on the drives. It depends on writes alone, to the bit, as steady states that are held do.
fn spanned(spec: &WorkloadSpec, fill: f64) -> Contents {
    // Pages that are written in order become invalid in order, many blocks of them at once.
    let in_order = spec.pattern == Pattern::Sequential;
    let write_bytes = if in_order { 0 } else { spec.without_reads().write_mean_bytes() as u64 };
    Contents::Span { span: spec.span_fraction, fill, write_bytes }
}

/// The time between two requests of a trace, on average; of requests that are made, 1 ms: what they leave does not depend on
/// their rate.
fn pace(workload: &Workload) -> Nanos {
    let records = workload.records().filter(|records| !records.is_empty());
    let span = records.and_then(|records| Some((records.first()?, records.last()?, records.len())));
    span.map_or(Nanos::from_ms(1), |(first, last, count)| Nanos(last.time.since(first.time).0 / count as u64))
}

/// The workload's writes and discards, and its reads if they matter, over and over; none if there are none.
fn writes(
    workload: &Workload,
    capacity: Bytes,
    seed: u64,
    with_reads: bool,
) -> Result<Option<steady::Writes<'_>>, SimError> {
    match workload {
        Workload::Records(records)
        | Workload::Model(Modelled { pass: records, .. })
        | Workload::Windows(Windowed { pass: records, .. }) => {
            Ok(steady::Writes::recorded(Recorded::all(records, capacity), with_reads))
        }
        Workload::Synthetic(spec) => {
            let spec = if with_reads { spec } else { &spec.without_reads() };
            let generator = Generator::new(spec, capacity, seed)?;
            Ok(steady::Writes::generated(generator, spec, with_reads))
        }
    }
}
