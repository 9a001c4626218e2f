//! One simulation, from a design and a workload to an outcome.
//!
//! [`simulate`] builds the design for the workload's footprint, brings its flash to steady state, lets the host of the
//! workload drive it, and gives the [`Outcome`]. [`wear()`] does the first two steps only, and tells what the flash did.
//! Nothing here is random but what draws from the seed's streams: the same arguments give the same outcome, byte by byte.

mod fingerprint;
mod modelled;
mod serial;
mod steady;
mod wear;

pub use fingerprint::fingerprint;
pub use modelled::Modelled;
pub use serial::serial;
pub use wear::{Wear, WearOptions, wear};

use crate::design::{Contents, Resolved};
use crate::error::SimError;
use crate::host::{self, AtDepth, Closed, Limits, Measured, Poisson, Recorded, Requests, Timed};
use crate::outcome::{Label, Outcome};
use drivecast_block::{Bytes, Device, Nanos, Op, Record};
use drivecast_workload::{Arrivals, Generator, Replay, WorkloadSpec};
use std::sync::Arc;

/// What is asked of the design.
#[derive(Clone, Debug)]
pub enum Workload {
    /// The records of a trace, in order of time.
    Records(Arc<[Record]>),
    /// Requests made to a specification.
    Synthetic(WorkloadSpec),
    /// The streams of a model.
    Model(Modelled),
}

/// What to do with requests behind the end of the design.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Remap {
    /// Refuse the trace.
    #[default]
    Refuse,
    /// Take the offset modulo the capacity.
    Wrap,
}

/// How many requests of a trace are kept outstanding where its times are left aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// So many.
    Of(u32),
    /// As many as were outstanding when each request was recorded.
    Recorded,
}

/// A part of a trace, in the trace's own time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Where it begins.
    pub start: Nanos,
    /// How long it lasts.
    pub length: Nanos,
}

/// Where flash drives start from. All but the first are reached outside time, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// Erased.
    Fresh,
    /// Written once, in order, where the workload writes, as when a test file is laid out.
    LaidOut,
    /// Where the workload's own writes, over and over, keep it.
    #[default]
    Steady,
    /// There, and then left alone until the drive has done all that it does in idle time.
    Idle,
}

impl State {
    /// All states, by the names that options have for them.
    pub const NAMED: [(&str, State); 4] = [
        ("fresh", State::Fresh),
        ("laid-out", State::LaidOut),
        ("steady", State::Steady),
        ("idle", State::Idle),
    ];
}

/// How to run.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Seed of all that is random.
    pub seed: u64,
    /// The part of the trace to replay; the footprint on the drives is always that of the whole trace. None: all of it.
    pub window: Option<Window>,
    /// How many times as fast as recorded.
    pub speedup: f64,
    /// Trace only: as fast as possible with this many requests outstanding, instead of at the trace's times.
    pub depth: Option<Depth>,
    /// Length of the measured part; none: as long as the trace, or as `requests` need.
    pub duration: Option<Nanos>,
    /// Requests to be completed in the measured part; none: the trace, or as many as fit into `duration`, or 200,000.
    pub requests: Option<u64>,
    /// Time before measuring begins.
    pub warmup: Nanos,
    /// At least this share of each drive holds data.
    pub fill: f64,
    /// Where flash drives start from.
    pub state: State,
    /// What to do with requests behind the end of the design.
    pub remap: Remap,
}

/// Requests of a synthetic workload where nothing else limits the run. Assumed.
const REQUESTS: u64 = 200_000;

impl Default for RunOptions {
    fn default() -> RunOptions {
        RunOptions {
            seed: 1,
            window: None,
            speedup: 1.0,
            depth: None,
            duration: None,
            requests: None,
            warmup: Nanos::ZERO,
            fill: 0.0,
            state: State::Steady,
            remap: Remap::Refuse,
        }
    }
}

impl RunOptions {
    fn check(&self) -> Result<(), SimError> {
        let refuse = |option, expected, found: String| Err(SimError::Option { option, expected, found });
        if !(self.speedup.is_finite() && self.speedup > 0.0) {
            return refuse("speedup", "a number above 0", self.speedup.to_string());
        }
        if self.depth == Some(Depth::Of(0)) {
            return refuse("depth", "at least 1", "0".to_owned());
        }
        if self.requests == Some(0) {
            return refuse("requests", "at least 1", "0".to_owned());
        }
        if self.duration == Some(Nanos::ZERO) {
            return refuse("duration", "above 0", "0".to_owned());
        }
        check_fill(self.fill)
    }
}

fn check_fill(fill: f64) -> Result<(), SimError> {
    if (0.0..=1.0).contains(&fill) {
        return Ok(());
    }
    Err(SimError::Option { option: "fill", expected: "a fraction from 0 to 1", found: fill.to_string() })
}

/// Runs a workload on a design.
///
/// # Errors
/// A design that cannot be built, a workload that does not fit it, an option out of range, or a run that broke its own
/// books.
pub fn simulate(design: &Resolved, workload: &Workload, options: &RunOptions) -> Result<Outcome, SimError> {
    options.check()?;
    let contents = contents(design, workload, options.fill, options.remap)?;
    let mut unit = design.build(&contents, options.seed)?;
    if options.state != State::Fresh
        && design.root().has_flash()
        && let Some(mut writes) = writes(workload, unit.capacity(), options.seed)?
    {
        writes.fill(&mut unit);
        if options.state != State::LaidOut {
            let written = contents.written(unit.capacity());
            steady::settle(&mut unit, &mut writes, written);
        }
    }
    if options.state == State::Idle {
        unit.idle();
    }
    let label = Label {
        design: design.line().to_owned(),
        seed: options.seed,
        warmup: options.warmup,
        scale: unit.scale(),
        rebuild: design.root().rebuilding(),
    };
    let known = |error: SimError| error.of(fingerprint(design));
    let measured = play(&mut unit, &label, workload, options).map_err(known)?;
    match measured.fault {
        Some(reason) => Err(known(failure(&label.design, label.seed, host::Fault::Device(reason)))),
        None => Ok(Outcome { credits: unit.credits(), ..Outcome::new(label, &measured) }),
    }
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
    let RunOptions { seed, warmup, .. } = *options;
    let label = Label { design: design.to_owned(), seed, warmup, scale, rebuild: Bytes(0) };
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
    };
    measured.map_err(|fault| failure(&label.design, label.seed, fault))
}

/// The error of a run that broke off.
fn failure(design: &str, seed: u64, fault: host::Fault) -> SimError {
    let (design, specification) = (design.to_owned(), "unknown".to_owned());
    match fault {
        host::Fault::Device(reason) => SimError::Failed { design, seed, specification, reason },
        fault => SimError::Broken { design, seed, specification, fault },
    }
}

type Run = Result<Result<Measured, host::Fault>, SimError>;

fn replay(device: &mut dyn Device, records: &[Record], options: &RunOptions) -> Run {
    let last = records.last().map_or(Nanos::ZERO, |record| record.time);
    let window = options.window.unwrap_or(Window { start: Nanos::ZERO, length: Nanos(last.0 + 1) });
    let end = Nanos(window.start.0.saturating_add(window.length.0));
    // A depth is that of the trace's own times.
    let time_scale = if options.depth.is_none() { 1.0 / options.speedup } else { 1.0 };
    let source = Recorded::new(Replay::new(records, window.start..end, time_scale), device.capacity());
    if source.is_empty() {
        let Window { start, length } = window;
        return Err(SimError::Empty { expected: "requests", start, length });
    }
    let limits = limits(options, options.requests);
    Ok(match options.depth {
        Some(Depth::Of(depth)) => host::run(device, Closed::new(source, depth), limits),
        Some(Depth::Recorded) if records.iter().all(|record| record.latency.is_none()) => {
            let (option, expected) = ("depth", "a number, since the trace has no completions");
            return Err(SimError::Option { option, expected, found: "that of the trace".to_owned() });
        }
        Some(Depth::Recorded) => host::run(device, AtDepth::new(source), limits),
        None => {
            let span = Nanos((window.length.0 as f64 * time_scale) as u64);
            let span = limits.stop.map_or(span, |stop| span.min(stop));
            host::run(device, Timed::new(source, span), limits)
        }
    })
}

fn generate(device: &mut dyn Device, spec: &WorkloadSpec, options: &RunOptions) -> Run {
    let generator = Generator::new(spec, device.capacity(), options.seed)?;
    let requests = match options.duration {
        None => Some(options.requests.unwrap_or(REQUESTS)),
        Some(_) => options.requests,
    };
    let Some(rate) = spec.rate_iops else {
        return Ok(host::run(device, Closed::new(generator, spec.iodepth), limits(options, requests)));
    };
    let length = options.duration.unwrap_or(Nanos::MAX).0;
    let length = requests.map_or(length, |requests| length.min((requests as f64 / rate * 1e9) as u64));
    let until = Nanos(options.warmup.0.saturating_add(length));
    let source = Poisson::new(generator, Arrivals::new(rate, options.seed), until);
    Ok(host::run(device, source, Limits { warmup: options.warmup, stop: None, completions: None }))
}

fn limits(options: &RunOptions, completions: Option<u64>) -> Limits {
    let stop = options.duration.map(|duration| Nanos(options.warmup.0.saturating_add(duration.0)));
    Limits { warmup: options.warmup, stop, completions }
}

/// Refuses records that a device of this capacity cannot take, and times that run backwards.
fn check_records(records: &[Record], design: &str, capacity: Bytes, remap: Remap) -> Result<(), SimError> {
    let mut before = Nanos::ZERO;
    for (record, at) in records.iter().enumerate() {
        if at.time < before {
            return Err(SimError::Order { record, time: at.time, before });
        }
        before = at.time;
        let end = if remap == Remap::Wrap { u64::from(at.size) } else { at.end() };
        if at.op != Op::Flush && end > capacity.0 {
            return Err(SimError::Beyond { record, end, design: design.to_owned(), capacity });
        }
    }
    Ok(())
}

/// What the workload leaves on the drives.
fn contents(design: &Resolved, workload: &Workload, fill: f64, remap: Remap) -> Result<Contents, SimError> {
    match workload {
        Workload::Records(records) | Workload::Model(Modelled { pass: records, .. }) => {
            let capacity = design.capacity();
            check_records(records, design.line(), capacity, remap)?;
            let mut requests = Recorded::all(records, capacity);
            let next = || requests.next();
            let writes = std::iter::from_fn(next).filter(|request| request.op == Op::Write);
            let footprints = design.footprints(writes.map(|write| (write.offset.0, write.size)));
            Ok(Contents::Footprints { footprints, fill })
        }
        Workload::Synthetic(spec) => Ok(Contents::Span { span: spec.span_fraction, fill }),
    }
}

/// The workload's writes and discards, over and over; none if there are none.
fn writes(workload: &Workload, capacity: Bytes, seed: u64) -> Result<Option<steady::Writes<'_>>, SimError> {
    match workload {
        Workload::Records(records) | Workload::Model(Modelled { pass: records, .. }) => {
            Ok(steady::Writes::recorded(Recorded::all(records, capacity)))
        }
        Workload::Synthetic(spec) => {
            let generator = Generator::new(spec, capacity, seed)?;
            Ok(steady::Writes::generated(generator, spec))
        }
    }
}
