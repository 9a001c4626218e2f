//! Designs: what they name, what they are, what they do.

use crate::error::{InvariantError, input};
use crate::object::{Object, outcome};
use crate::workload::Workload;
use arrow_array::{ArrayRef, UInt64Array};
use drivecast_block::Nanos;
use drivecast_sim::design::{Design, Resolved};
use drivecast_sim::error::SimError;
use drivecast_sim::host;
use drivecast_sim::raid::Level;
use drivecast_sim::run::{self, Depth, Remap, RunOptions, State, WearOptions, Window};
use drivecast_sim::spec::{ControllerSpec, DriveSpec};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3_arrow::PyArray;
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Names of drives or controllers, and their specifications as JSON.
pub(crate) type Specs = BTreeMap<String, String>;

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

/// What a design is: usable bytes, level (null if it is not one drive or one array of equal drives) with groups and spares,
/// drives with their counts, and the partition they share.
#[pyfunction]
#[pyo3(signature = (line, drives, controllers = Specs::new()))]
pub(crate) fn design_shape(line: &str, drives: Specs, controllers: Specs) -> PyResult<Object> {
    let design = resolve(line, &drives, &controllers)?;
    let shape = design.root().shape();
    let level = shape.map(|shape| shape.level.map_or("single", Level::name));
    let (groups, spares) = shape.map_or((1, 0), |shape| (shape.groups, shape.spares));
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
    Object::new(json!({
        "usable_bytes": design.capacity().0,
        "level": level,
        "groups": groups,
        "spares": spares,
        "drives": counts,
        "partition": partition,
    }))
}

/// Python's `Options` of a run.
#[derive(FromPyObject)]
pub(crate) struct Options {
    seed: u64,
    start_s: f64,
    length_s: Option<f64>,
    duration_s: Option<f64>,
    requests: Option<u64>,
    warmup_s: f64,
    speedup: f64,
    iodepth: Option<u32>,
    own_depth: bool,
    wrap: bool,
    fill: f64,
    state: String,
    streams: u32,
}

/// Drives in steady state, held for the runs after; runs in several threads may share it.
#[pyclass(frozen, module = "drivecast._core")]
pub(crate) struct Kept {
    inner: run::SteadyStates,
}

#[pymethods]
impl Kept {
    /// Keeps what takes up to so much memory.
    #[new]
    fn new(bytes_max: usize) -> Kept {
        Kept { inner: run::SteadyStates::new(bytes_max) }
    }

    /// How often a design was brought to steady state.
    #[getter]
    fn preconditioned(&self) -> u64 {
        self.inner.preconditioned()
    }
}

/// Python's `Within`: what a run must keep, or be given up.
#[derive(FromPyObject)]
pub(crate) struct Within {
    quantile: f64,
    read_ns: Option<u64>,
    write_ns: Option<u64>,
}

impl Options {
    pub(crate) fn to_run(&self) -> PyResult<RunOptions> {
        Ok(RunOptions {
            seed: self.seed,
            window: Window::of_seconds(self.start_s, self.length_s),
            speedup: self.speedup,
            depth: self.iodepth.map(Depth::Of).or(self.own_depth.then_some(Depth::Recorded)),
            duration: self.duration_s.map(Nanos::from_secs_f64),
            requests: self.requests,
            warmup: Nanos::from_secs_f64(self.warmup_s),
            fill: self.fill,
            state: State::named(&self.state).map_err(input)?,
            remap: if self.wrap { Remap::Wrap } else { Remap::Refuse },
            within: None,
            streams: self.streams,
        })
    }
}

/// Plays a workload on a design; the outcome, its tables as Arrow. A run that is given up has `given_up`.
#[pyfunction]
#[pyo3(signature = (line, drives, workload, options, controllers = Specs::new(), *, kept = None, within = None))]
#[expect(clippy::too_many_arguments, reason = "the arguments of the function in Python")]
pub(crate) fn simulate<'py>(
    py: Python<'py>,
    line: &str,
    drives: Specs,
    workload: &Workload,
    options: Options,
    controllers: Specs,
    kept: Option<&Kept>,
    within: Option<Within>,
) -> PyResult<Bound<'py, PyDict>> {
    let design = resolve(line, &drives, &controllers)?;
    let within = within.map(|Within { quantile, read_ns, write_ns }| host::Within {
        quantile,
        read: read_ns.map(Nanos),
        write: write_ns.map(Nanos),
    });
    let options = RunOptions { within, ..options.to_run()? };
    let nothing = run::SteadyStates::new(0);
    let kept = kept.map_or(&nothing, |kept| &kept.inner);
    let found = py.detach(|| run::simulate_kept(&design, &workload.inner, &options, kept)).map_err(refuse)?;
    outcome(py, found)
}

/// Plays a trace on a design; the outcome as [`simulate`] has it, and the latency of each request in ns, null where it did not
/// complete.
#[pyfunction]
#[pyo3(signature = (line, drives, workload, options, controllers = Specs::new()))]
pub(crate) fn simulate_each<'py>(
    py: Python<'py>,
    line: &str,
    drives: Specs,
    workload: &Workload,
    options: Options,
    controllers: Specs,
) -> PyResult<(Bound<'py, PyDict>, PyArray)> {
    let design = resolve(line, &drives, &controllers)?;
    let options = options.to_run()?;
    let played = || run::simulate_each(&design, &workload.inner, &options);
    let (found, latencies) = py.detach(played).map_err(refuse)?;
    let finished = latencies.into_iter().map(|latency| (latency != run::UNFINISHED).then_some(latency));
    let column: ArrayRef = Arc::new(finished.collect::<UInt64Array>());
    Ok((outcome(py, found)?, PyArray::from_array_ref(column)))
}

/// Applies a workload's writes to a design, outside time, until write amplification is steady; from drives held in steady state.
#[expect(clippy::too_many_arguments, reason = "the arguments of the function in Python")]
#[pyfunction]
#[pyo3(signature = (line, drives, workload, *, seed, fill, controllers = Specs::new(), kept = None))]
pub(crate) fn wear(
    py: Python<'_>,
    line: &str,
    drives: Specs,
    workload: &Workload,
    seed: u64,
    fill: f64,
    controllers: Specs,
    kept: Option<&Kept>,
) -> PyResult<Object> {
    let design = resolve(line, &drives, &controllers)?;
    let options = WearOptions { seed, fill, ..WearOptions::default() };
    let nothing = run::SteadyStates::new(0);
    let kept = kept.map_or(&nothing, |kept| &kept.inner);
    let found = py.detach(|| run::wear_kept(&design, &workload.inner, &options, kept)).map_err(refuse)?;
    Object::new(found)
}

pub(crate) fn resolve(line: &str, drives: &Specs, controllers: &Specs) -> PyResult<Resolved> {
    let drives: BTreeMap<String, DriveSpec> = read(drives, "drive")?;
    let controllers: BTreeMap<String, ControllerSpec> = read(controllers, "controller")?;
    Design::parse(line).and_then(|design| design.resolve_with(&drives, &controllers)).map_err(input)
}

fn read<T: serde::de::DeserializeOwned>(specs: &Specs, kind: &str) -> PyResult<BTreeMap<String, T>> {
    let spec = |(name, json): (&String, &String)| {
        let refuse = |error| input(format!("{kind} `{name}` is not a device specification: {error}"));
        Ok((name.clone(), serde_json::from_str(json).map_err(refuse)?))
    };
    specs.iter().map(spec).collect()
}

pub(crate) fn refuse(error: SimError) -> PyErr {
    match error {
        broken @ SimError::Broken { .. } => InvariantError::new_err(broken.to_string()),
        other => input(other),
    }
}
