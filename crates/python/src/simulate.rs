//! Designs: what they name, what they are, what they do.

use crate::error::{InvariantError, input};
use crate::workload::Workload;
use drivecast_block::Nanos;
use drivecast_sim::design::{Design, Element, Resolved};
use drivecast_sim::error::SimError;
use drivecast_sim::run::{self, Depth, RunOptions, State, WearOptions, Window};
use drivecast_sim::spec::{ControllerSpec, DriveSpec};
use pyo3::prelude::*;
use serde_json::json;
use std::collections::BTreeMap;

/// Names of drives or controllers, and their specifications as JSON.
type Specs = BTreeMap<String, String>;

/// The names of the catalog's drives in a design.
#[pyfunction]
pub(crate) fn design_drives(line: &str) -> PyResult<Vec<String>> {
    let design = Design::parse(line).map_err(input)?;
    Ok(design.drive_names().into_iter().map(str::to_owned).collect())
}

/// The names of the catalog's controllers in a design.
#[pyfunction]
pub(crate) fn design_controllers(line: &str) -> PyResult<Vec<String>> {
    let design = Design::parse(line).map_err(input)?;
    Ok(design.controller_names().into_iter().map(str::to_owned).collect())
}

/// What a design is, as JSON: usable bytes, level (null if it is not one drive or one array of drives in one group), drives
/// with their counts, and the partition they share.
#[pyfunction]
#[pyo3(signature = (line, drives, controllers = Specs::new()))]
pub(crate) fn design_shape(line: &str, drives: Specs, controllers: Specs) -> PyResult<String> {
    let design = resolve(line, &drives, &controllers)?;
    let level = match design.root() {
        Element::Drive { .. } => Some("single"),
        Element::Array { array, members } => {
            let is_plain = members.iter().all(|member| matches!(member, Element::Drive { .. }));
            (is_plain && array.groups == 1).then(|| array.level.name())
        }
    };
    let mut counts = BTreeMap::<&str, u32>::new();
    let mut partition = 1.0_f64;
    for (name, spec) in design.root().drives() {
        *counts.entry(name).or_default() += 1;
        partition = partition.min(match spec {
            DriveSpec::Ssd(ssd) => ssd.partition,
            DriveSpec::Hdd(hdd) => hdd.partition,
            DriveSpec::Volume(volume) => volume.partition,
        });
    }
    let shape = json!({ "usable_bytes": design.capacity().0, "level": level, "drives": counts, "partition": partition });
    Ok(shape.to_string())
}

/// Plays a workload on a design; the outcome as JSON.
#[pyfunction]
#[pyo3(signature = (line, drives, workload, *, seed, start_s, length_s, duration_s, requests, speedup, iodepth, fill, state, controllers = Specs::new(), own_depth = false))]
#[expect(clippy::too_many_arguments, reason = "keywords of one call, each a field of the options")]
pub(crate) fn simulate(
    py: Python<'_>,
    line: &str,
    drives: Specs,
    workload: &Workload,
    seed: u64,
    start_s: f64,
    length_s: Option<f64>,
    duration_s: Option<f64>,
    requests: Option<u64>,
    speedup: f64,
    iodepth: Option<u32>,
    fill: f64,
    state: &str,
    controllers: Specs,
    own_depth: bool,
) -> PyResult<String> {
    let design = resolve(line, &drives, &controllers)?;
    let named = State::NAMED.iter().find(|(name, _)| *name == state);
    let &(_, state) = named.ok_or_else(|| {
        let names = State::NAMED.map(|(name, _)| name).join(", ");
        input(format!("state: expected one of {names}, found `{state}`"))
    })?;
    let options = RunOptions {
        seed,
        window: window(start_s, length_s),
        speedup,
        depth: iodepth.map(Depth::Of).or(own_depth.then_some(Depth::Recorded)),
        duration: duration_s.map(Nanos::from_secs_f64),
        requests,
        fill,
        state,
        ..RunOptions::default()
    };
    let outcome = py.detach(|| run::simulate(&design, &workload.inner, &options)).map_err(refuse)?;
    to_json(&outcome)
}

/// Applies a workload's writes to a design, outside time, until write amplification is steady; the result as JSON.
#[pyfunction]
#[pyo3(signature = (line, drives, workload, *, seed, fill, controllers = Specs::new()))]
pub(crate) fn wear(
    py: Python<'_>,
    line: &str,
    drives: Specs,
    workload: &Workload,
    seed: u64,
    fill: f64,
    controllers: Specs,
) -> PyResult<String> {
    let design = resolve(line, &drives, &controllers)?;
    let options = WearOptions { seed, fill, ..WearOptions::default() };
    let found = py.detach(|| run::wear(&design, &workload.inner, &options)).map_err(refuse)?;
    to_json(&found)
}

/// The part of the trace from `start_s` on; none where it is all of it.
pub(crate) fn window(start_s: f64, length_s: Option<f64>) -> Option<Window> {
    let start = Nanos::from_secs_f64(start_s);
    let rest = Nanos(u64::MAX - start.0);
    let length = length_s.map_or(rest, Nanos::from_secs_f64);
    Some(Window { start, length }).filter(|_| start_s > 0.0 || length_s.is_some())
}

fn resolve(line: &str, drives: &Specs, controllers: &Specs) -> PyResult<Resolved> {
    let drives: BTreeMap<String, DriveSpec> = read(drives, "drive")?;
    let controllers: BTreeMap<String, ControllerSpec> = read(controllers, "controller")?;
    Design::parse(line).and_then(|design| design.resolve_with(&drives, &controllers)).map_err(input)
}

fn read<T: serde::de::DeserializeOwned>(specs: &Specs, kind: &str) -> PyResult<BTreeMap<String, T>> {
    let one = |(name, json): (&String, &String)| {
        let refuse = |error| input(format!("{kind} `{name}` is not a device specification: {error}"));
        Ok((name.clone(), serde_json::from_str(json).map_err(refuse)?))
    };
    specs.iter().map(one).collect()
}

pub(crate) fn refuse(error: SimError) -> PyErr {
    match error {
        broken @ SimError::Broken { .. } => InvariantError::new_err(broken.to_string()),
        other => input(other),
    }
}

fn to_json(value: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(input)
}
