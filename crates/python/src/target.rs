//! Real files and block devices: what is played on them.

use crate::error::{InvariantError, input};
use crate::simulate::{refuse, window};
use crate::workload::Workload;
use drivecast_block::Nanos;
use drivecast_block::random::stream;
use drivecast_sim::outcome::Outcome;
use drivecast_sim::run::{self, Remap, RunOptions};
use drivecast_target::{Access, Lag, Opened, Target};
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::path::PathBuf;

/// Size in bytes of a target, and of its sectors.
#[pyfunction]
pub(crate) fn target_size(path: PathBuf) -> PyResult<(u64, u32)> {
    let opened = Opened::new(&path, Access::Read).map_err(input)?;
    Ok((opened.bytes, opened.sector))
}

/// Plays a workload on a real target, which it may write to only if `may_write`; the outcome as JSON, with the lag of issue.
#[pyfunction]
#[pyo3(signature = (path, workload, *, name, seed, start_s, length_s, duration_s, requests, speedup, iodepth, may_write, wrap))]
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
    speedup: f64,
    iodepth: Option<u32>,
    may_write: bool,
    wrap: bool,
) -> PyResult<String> {
    let (writes, largest) = (workload.writes(), workload.largest());
    if writes && !may_write {
        return Err(input(format!("the workload writes, and `{name}` is not to be written to")));
    }
    let options = RunOptions {
        seed,
        window: window(start_s, length_s),
        speedup,
        depth: iodepth,
        duration: duration_s.map(Nanos::from_secs_f64),
        requests,
        remap: if wrap { Remap::Wrap } else { Remap::Refuse },
        ..RunOptions::default()
    };
    py.detach(|| {
        let access = if writes { Access::Write } else { Access::Read };
        let opened = Opened::new(&path, access).map_err(input)?;
        let mut target = Target::new(opened, largest, &mut stream(seed, "target.payload")).map_err(input)?;
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
    for unknown in ["utilization", "device_read_bytes", "device_written_bytes", "scale"] {
        members.insert(unknown.to_owned(), Value::Null);
    }
    let at = |quantile: f64| lag.histogram.value_at_quantile(quantile);
    let quantiles = json!({
        "mean": lag.histogram.mean(), "q0.5": at(0.5), "q0.9": at(0.9), "q0.99": at(0.99), "q0.999": at(0.999),
        "max": lag.histogram.max(),
    });
    members.insert("lag_ns".to_owned(), quantiles);
    members.insert("widened".to_owned(), lag.widened.into());
    members.insert("discards_left_out".to_owned(), lag.discards.into());
    Ok(told.to_string())
}
