//! Real files and block devices: what is played on them.

use crate::error::{InvariantError, input};
use crate::simulate::{refuse, window};
use crate::workload::Workload;
use drivecast_block::Nanos;
use drivecast_block::random::stream;
use drivecast_sim::outcome::{OfOp, Outcome};
use drivecast_sim::run::{self, Depth, Remap, RunOptions};
use drivecast_target::{Access, Lag, Opened, Target};
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Breaks off a run on a real target, from another thread than the run's.
#[pyclass(frozen, module = "drivecast._core")]
pub(crate) struct Stop {
    asked: Arc<AtomicBool>,
}

#[pymethods]
impl Stop {
    #[new]
    fn new() -> Stop {
        Stop { asked: Arc::default() }
    }

    /// The run ends within a tenth of a second, with what it measured.
    fn ask(&self) {
        self.asked.store(true, Ordering::Relaxed);
    }
}

/// Size in bytes of a target, and of its sectors.
#[pyfunction]
pub(crate) fn target_size(path: PathBuf) -> PyResult<(u64, u32)> {
    let opened = Opened::new(&path, Access::Read).map_err(input)?;
    Ok((opened.bytes, opened.sector))
}

/// Plays a workload on a real target, which it may write to only if `may_write`; the outcome as JSON, with the lag of issue.
#[pyfunction]
#[pyo3(signature = (path, workload, *, name, seed, start_s, length_s, duration_s, requests, warmup_s, speedup, iodepth, own_depth, may_write, wrap, stop))]
#[expect(clippy::too_many_arguments, reason = "keywords of one call, each a field of the options")]
pub(crate) fn replay(
    py: Python<'_>,
    path: PathBuf,
    workload: &Workload,
    name: &str,
    seed: u64,
    start_s: f64,
    length_s: Option<f64>,
    duration_s: Option<f64>,
    requests: Option<u64>,
    warmup_s: f64,
    speedup: f64,
    iodepth: Option<u32>,
    own_depth: bool,
    may_write: bool,
    wrap: bool,
    stop: &Stop,
) -> PyResult<String> {
    let (writes, largest) = (workload.writes(), workload.largest());
    if writes && !may_write {
        return Err(input(format!("the workload writes, and `{name}` is not to be written to")));
    }
    let options = RunOptions {
        seed,
        window: window(start_s, length_s),
        speedup,
        depth: iodepth.map(Depth::Of).or(own_depth.then_some(Depth::Recorded)),
        duration: duration_s.map(Nanos::from_secs_f64),
        requests,
        warmup: Nanos::from_secs_f64(warmup_s),
        remap: if wrap { Remap::Wrap } else { Remap::Refuse },
        ..RunOptions::default()
    };
    let stop = Arc::clone(&stop.asked);
    py.detach(|| {
        let access = if writes { Access::Write } else { Access::Read };
        let opened = Opened::new(&path, access).map_err(input)?;
        let mut payload = stream(seed, "target.payload");
        let mut target = Target::new(opened, largest, &mut payload, stop).map_err(input)?;
        let outcome = run::drive(&mut target, name, 1.0, &workload.inner, &options).map_err(refuse)?;
        told(&outcome, target.lag())
    })
}

/// The outcome without what a real target cannot tell, and with the lag.
fn told(outcome: &Outcome, lag: &Lag) -> PyResult<String> {
    let mut told = serde_json::to_value(outcome).map_err(input)?;
    let Value::Object(members) = &mut told else {
        return Err(InvariantError::new_err("an outcome is an object"));
    };
    for unknown in ["device_read_bytes", "device_written_bytes", "scale"] {
        members.insert(unknown.to_owned(), Value::Null);
    }
    let at = |quantile: f64| lag.histogram.value_at_quantile(quantile).min(lag.histogram.max());
    let quantiles = json!({
        "mean": lag.histogram.mean(), "q0.5": at(0.5), "q0.9": at(0.9), "q0.99": at(0.99), "q0.999": at(0.999),
        "q0.9999": at(0.9999), "max": lag.histogram.max(),
    });
    members.insert("lag_ns".to_owned(), quantiles);
    members.insert("playback".to_owned(), playback(outcome));
    members.insert("widened".to_owned(), lag.widened.into());
    members.insert("widened_bytes".to_owned(), lag.widened_bytes.into());
    members.insert("discards_left_out".to_owned(), lag.discards.into());
    Ok(told.to_string())
}

/// The figures by which drives are compared where one trace is played on each: over the time in which anything was in flight.
fn playback(outcome: &Outcome) -> Value {
    let busy_s = outcome.utilization * outcome.duration_s;
    let per = |amount: f64, of: f64| (of > 0.0).then(|| amount / of);
    let sum_ns = |of: &OfOp| of.latency_ns.as_ref().map_or(0.0, |found| found.mean * of.requests as f64);
    let requests = outcome.requests as f64;
    let all = requests + outcome.flush.requests as f64;
    json!({
        "busy_s": busy_s,
        "busy_bytes_per_s": per((outcome.host_read_bytes + outcome.host_written_bytes) as f64, busy_s),
        "service_time_ns_mean": per(busy_s * 1e9, all),
        "response_time_ns_mean": per(sum_ns(&outcome.read) + sum_ns(&outcome.write), requests),
    })
}
