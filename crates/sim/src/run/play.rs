//! A workload on a device: records and synthetic requests.

use super::options::{Depth, Remap, RunOptions, Window};
use crate::error::SimError;
use crate::host::{self, Arriving, AtDepth, Bar, Closed, Limits, Measured, Recorded, Timed};
use drivecast_block::{Bytes, Device, Nanos, Op, Record};
use drivecast_workload::{Arrivals, Generator, Replay, WorkloadSpec};

/// Requests of a synthetic workload where nothing else limits the run. Assumed.
const REQUESTS: u64 = 200_000;

/// Bytes of such a run: requests of 10 MiB and more are fewer. Assumed.
const BYTES: f64 = (1_u64 << 41) as f64;

/// The error of a run that failed.
pub(super) fn failure(design: &str, seed: u64, fault: host::Fault) -> SimError {
    let (design, specification) = (design.to_owned(), "unknown".to_owned());
    match fault {
        host::Fault::Device(reason) => SimError::Failed { design, seed, specification, reason },
        fault => SimError::Broken { design, seed, specification, fault },
    }
}

/// The result of a run: rejected, failed, or measured.
pub(super) type Run = Result<Result<Measured, host::Fault>, SimError>;

/// Plays records.
pub(super) fn replay(device: &mut dyn Device, records: &[Record], options: &RunOptions) -> Run {
    let last = records.last().map_or(Nanos::ZERO, |record| record.time);
    let window = options.window.unwrap_or(Window { start: Nanos::ZERO, length: Nanos(last.0 + 1) });
    // Seconds are counted to the end of the window, so it ends with the trace, however long it was given.
    let length = window.length.min(Nanos((last.0 + 1).saturating_sub(window.start.0)));
    let end = Nanos(window.start.0 + length.0);
    // A depth is that of the trace's own times.
    let time_scale = if options.depth.is_none() { 1.0 / options.speedup } else { 1.0 };
    let source = Recorded::new(Replay::new(records, window.start..end, time_scale), device.capacity());
    if source.is_empty() {
        let Window { start, length } = window;
        return Err(SimError::Empty { expected: "requests", start, length });
    }
    let ops = || Replay::new(records, window.start..end, time_scale).map(|record| record.op);
    let limits = Limits { bar: bar(options, ops), ..limits(options, options.requests) };
    Ok(match options.depth {
        Some(Depth::Of(depth)) => host::run(device, Closed::new(source, depth), limits),
        Some(Depth::Recorded) if records.iter().all(|record| record.latency.is_none()) => {
            let (option, expected) = ("depth", "a number, since the trace has no completions");
            return Err(SimError::Option { option, expected, found: "that of the trace".to_owned() });
        }
        Some(Depth::Recorded) => host::run(device, AtDepth::new(source), limits),
        None => {
            let span = Nanos((length.0 as f64 * time_scale) as u64);
            let span = limits.stop.map_or(span, |stop| span.min(stop));
            host::run(device, Timed::new(source, span), limits)
        }
    })
}

/// Plays a synthetic workload.
pub(super) fn generate(device: &mut dyn Device, spec: &WorkloadSpec, options: &RunOptions) -> Run {
    let generator = Generator::new(spec, device.capacity(), options.seed)?;
    let requests = match options.duration {
        None => Some(options.requests.unwrap_or_else(|| default_requests(spec))),
        Some(_) => options.requests,
    };
    let depth = match options.depth {
        Some(Depth::Of(depth)) => Some(depth),
        _ => spec.iodepth,
    };
    let Some(rate) = spec.rate_iops.map(|rate| rate * options.speedup) else {
        if options.speedup != 1.0 {
            let (option, expected) = ("speedup", "1 for a closed loop, which has no rate of its own");
            return Err(SimError::Option { option, expected, found: options.speedup.to_string() });
        }
        let source = Closed::new(generator, depth.unwrap_or(1)).of_jobs(spec.jobs);
        return Ok(host::run(device, source, limits(options, requests)));
    };
    let length = options.duration.unwrap_or(Nanos::MAX).0;
    let length = requests.map_or(length, |requests| length.min((requests as f64 / rate * 1e9) as u64));
    let until = Nanos(options.warmup.0.saturating_add(length));
    let arrivals = Arrivals::of(spec.arrivals, rate, options.seed);
    let ops = || {
        let mut generator = generator.clone();
        arrivals.clone().take_while(move |at| *at <= until).map(move |_| generator.next().op)
    };
    let limits = Limits { bar: bar(options, ops), stop: None, ..limits(options, None) };
    // So many requests are issued however late they are; a run that lasts so long ends with what was issued by then.
    let stop = if options.duration.is_some() { until } else { Nanos::MAX };
    let source = Arriving::new(generator, depth, arrivals, until, stop);
    Ok(host::run(device, source, limits))
}

/// Requests of a run that nothing limits.
fn default_requests(spec: &WorkloadSpec) -> u64 {
    let weight: f64 = spec.sizes.iter().map(|share| f64::from(share.weight)).sum();
    let bytes: f64 =
        spec.sizes.iter().map(|share| f64::from(share.weight) * f64::from(share.size_bytes)).sum();
    REQUESTS.min((BYTES * weight / bytes.max(1.0)) as u64)
}

/// The slow requests that a run may have; these are the operations of all that it can issue.
fn bar<I: Iterator<Item = Op>>(options: &RunOptions, ops: impl FnOnce() -> I) -> Option<Bar> {
    let within = options.within.as_ref()?;
    let mut most = [0; 2];
    ops().filter(|op| matches!(op, Op::Read | Op::Write)).for_each(|op| most[op as usize] += 1);
    Some(Bar::new(within, most))
}

/// When to stop.
pub(super) fn limits(options: &RunOptions, completions: Option<u64>) -> Limits {
    let stop = options.duration.map(|duration| Nanos(options.warmup.0.saturating_add(duration.0)));
    Limits { warmup: options.warmup, stop, completions, bar: None, streams: options.streams }
}

/// Refuses records that a device of this capacity cannot take, and times that run backwards.
pub(super) fn check_records(
    records: &[Record],
    design: &str,
    capacity: Bytes,
    remap: Remap,
) -> Result<(), SimError> {
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
