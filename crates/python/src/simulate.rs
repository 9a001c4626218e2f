//! Designs: what they name, what they are, what they do.

use crate::error::{InvariantError, input};
use crate::workload::Workload;
use drivecast_block::Nanos;
use drivecast_sim::design::{Design, Element, Resolved};
use drivecast_sim::error::SimError;
use drivecast_sim::run::{self, RunOptions, WearOptions, Window};
use drivecast_sim::spec::DriveSpec;
use pyo3::prelude::*;
use serde_json::json;
use std::collections::BTreeMap;

/// Drive names and their specifications as JSON.
type Drives = BTreeMap<String, String>;

/// The names of the catalog's drives in a design.
#[pyfunction]
pub(crate) fn design_drives(line: &str) -> PyResult<Vec<String>> {
    let design = Design::parse(line).map_err(input)?;
    Ok(design.drive_names().into_iter().map(str::to_owned).collect())
}

/// What a design is, as JSON: usable bytes, level (null if it is not one array of drives or one drive), drives with their
/// counts, and the partition they share.
#[pyfunction]
pub(crate) fn design_shape(line: &str, drives: Drives) -> PyResult<String> {
    let design = resolve(line, &drives)?;
    let level = match design.root() {
        Element::Drive { .. } => Some("single"),
        Element::Array { level, members, .. } => {
            members.iter().all(|member| matches!(member, Element::Drive { .. })).then(|| level.name())
        }
    };
    let mut counts = BTreeMap::<&str, u32>::new();
    let mut partition = 1.0_f64;
    for (name, spec) in design.root().drives() {
        *counts.entry(name).or_default() += 1;
        partition = partition.min(match spec {
            DriveSpec::Ssd(ssd) => ssd.partition,
            DriveSpec::Hdd(hdd) => hdd.partition,
        });
    }
    let shape = json!({ "usable_bytes": design.capacity().0, "level": level, "drives": counts, "partition": partition });
    Ok(shape.to_string())
}

/// Plays a workload on a design; the outcome as JSON.
#[pyfunction]
#[pyo3(signature = (line, drives, workload, *, seed, start_s, length_s, duration_s, requests, speedup, iodepth, fill, precondition))]
#[expect(clippy::too_many_arguments, reason = "keywords of one call, each a field of the options")]
pub(crate) fn simulate(
    py: Python<'_>,
    line: &str,
    drives: Drives,
    workload: &Workload,
    seed: u64,
    start_s: f64,
    length_s: Option<f64>,
    duration_s: Option<f64>,
    requests: Option<u64>,
    speedup: f64,
    iodepth: Option<u32>,
    fill: f64,
    precondition: bool,
) -> PyResult<String> {
    let design = resolve(line, &drives)?;
    let start = Nanos::from_secs_f64(start_s);
    let rest = Nanos(u64::MAX - start.0);
    let length = length_s.map_or(rest, Nanos::from_secs_f64);
    let options = RunOptions {
        seed,
        window: Some(Window { start, length }).filter(|_| start_s > 0.0 || length_s.is_some()),
        speedup,
        depth: iodepth,
        duration: duration_s.map(Nanos::from_secs_f64),
        requests,
        fill,
        precondition,
        ..RunOptions::default()
    };
    let outcome = py.detach(|| run::simulate(&design, &workload.inner, &options)).map_err(refuse)?;
    to_json(&outcome)
}

/// Applies a workload's writes to a design, outside time, until write amplification is steady; the result as JSON.
#[pyfunction]
#[pyo3(signature = (line, drives, workload, *, seed, fill))]
pub(crate) fn wear(
    py: Python<'_>,
    line: &str,
    drives: Drives,
    workload: &Workload,
    seed: u64,
    fill: f64,
) -> PyResult<String> {
    let design = resolve(line, &drives)?;
    let options = WearOptions { seed, fill, ..WearOptions::default() };
    let found = py.detach(|| run::wear(&design, &workload.inner, &options)).map_err(refuse)?;
    to_json(&found)
}

fn resolve(line: &str, drives: &Drives) -> PyResult<Resolved> {
    let mut specs = BTreeMap::new();
    for (name, json) in drives {
        let spec: DriveSpec = serde_json::from_str(json)
            .map_err(|error| input(format!("drive `{name}` is not a device specification: {error}")))?;
        specs.insert(name.clone(), spec);
    }
    Design::parse(line).and_then(|design| design.resolve(&specs)).map_err(input)
}

fn refuse(error: SimError) -> PyErr {
    match error {
        broken @ SimError::Broken { .. } => InvariantError::new_err(broken.to_string()),
        other => input(other),
    }
}

fn to_json(value: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(input)
}
