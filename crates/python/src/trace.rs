//! Logs: converted, profiled, read.

use crate::error::input;
use drivecast_block::{Nanos, Record};
use drivecast_trace::{self as trace, Event, Log, Options, Progress};
use drivecast_workload::profile::{CounterOptions, CounterProfiler, ProfileOptions, Profiler};
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::path::PathBuf;

/// What the caller says where the content of a log leaves a doubt.
#[derive(Default, FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Reading {
    /// The format by name.
    format: Option<String>,
    /// The mapping of a table.
    csv: Option<String>,
    strict: bool,
}

impl Reading {
    fn apply(self, options: Options) -> PyResult<Options> {
        let format = match self.format.as_deref() {
            None => None,
            Some(name) => Some(format_named(name)?),
        };
        Ok(Options { format, csv: self.csv, strict: self.strict, ..options })
    }
}

fn format_named(name: &str) -> PyResult<trace::Format> {
    let text = || trace::DESCRIPTIONS.iter().filter(|description| !description.is_binary());
    text()
        .find(|description| description.format.name() == name)
        .map(|description| description.format)
        .ok_or_else(|| {
            let names: Vec<_> = text().map(|description| description.format.name()).collect();
            input(format!("--format: expected one of {}, found `{name}`", names.join(", ")))
        })
}

/// Paths as Python gives them.
pub(crate) type Source = Vec<PathBuf>;

pub(crate) fn options(
    event: Option<&str>,
    disk: Option<String>,
    interval_s: Option<f64>,
) -> PyResult<Options> {
    let event = match event {
        None => None,
        Some("Q") => Some(Event::Queue),
        Some("D") => Some(Event::Issue),
        Some(other) => return Err(input(format!("event: expected Q or D, found `{other}`"))),
    };
    Ok(Options { event, disk, interval: interval_s.map(Nanos::from_secs_f64), ..Options::default() })
}

/// Calls Python's `progress(share, what)` and lets signals through: an exception in either breaks off.
struct Watch {
    progress: Option<Py<PyAny>>,
    raised: Option<PyErr>,
}

impl Watch {
    fn step(&mut self, at: Progress) -> ControlFlow<()> {
        let told = Python::attach(|py| {
            py.check_signals()?;
            let Some(progress) = &self.progress else { return Ok(()) };
            let share = (at.bytes as f64 / at.total_bytes.max(1) as f64).min(1.0);
            progress.call1(py, (share, format!("{} requests", at.rows))).map(drop)
        });
        match told {
            Ok(()) => ControlFlow::Continue(()),
            Err(raised) => {
                self.raised = Some(raised);
                ControlFlow::Break(())
            }
        }
    }

    fn error(self, error: trace::TraceError) -> PyErr {
        self.raised.unwrap_or_else(|| input(error))
    }
}

/// The formats of traces, as JSON: name, title, how each is recognised, and the mapping of those that are tables.
#[pyfunction]
pub(crate) fn trace_formats() -> String {
    let described = trace::DESCRIPTIONS.iter().map(|one| {
        json!({
            "name": one.format.name(),
            "title": one.title,
            "detected_by": one.detected_by,
            "binary": one.is_binary(),
            "mapping": one.mapping(),
            "sample": one.sample,
        })
    });
    Value::Array(described.collect()).to_string()
}

/// Any log to Parquet at `out`; the summary as JSON.
#[pyfunction]
#[pyo3(signature = (logs, out, event, disk, interval_s, progress, reading=None))]
#[expect(clippy::too_many_arguments, reason = "the names are Python's keywords")]
pub(crate) fn convert(
    py: Python<'_>,
    logs: Source,
    out: PathBuf,
    event: Option<&str>,
    disk: Option<String>,
    interval_s: Option<f64>,
    progress: Option<Py<PyAny>>,
    reading: Option<Reading>,
) -> PyResult<String> {
    let options = reading.unwrap_or_default().apply(options(event, disk, interval_s)?)?;
    let mut watch = Watch { progress, raised: None };
    let done = py.detach(|| trace::convert(&logs, &out, &options, &mut |at| watch.step(at)));
    let summary = done.map_err(|error| watch.error(error))?;
    serde_json::to_string(&summary).map_err(input)
}

/// The profile of a log as JSON, with the summary of the log under `log`.
#[pyfunction]
#[pyo3(signature = (logs, event, disk, interval_s, peak_window_s, progress, reading=None))]
#[expect(clippy::too_many_arguments, reason = "the names are Python's keywords")]
pub(crate) fn profile(
    py: Python<'_>,
    logs: Source,
    event: Option<&str>,
    disk: Option<String>,
    interval_s: Option<f64>,
    peak_window_s: f64,
    progress: Option<Py<PyAny>>,
    reading: Option<Reading>,
) -> PyResult<String> {
    let options = reading.unwrap_or_default().apply(options(event, disk, interval_s)?)?;
    let peak_window = Nanos::from_secs_f64(peak_window_s);
    let mut watch = Watch { progress, raised: None };
    let done = py.detach(|| match trace::open_any(&logs, &options)? {
        Log::Trace(trace) => profile_trace(trace, peak_window, &mut watch),
        Log::Counters(log) => Ok(profile_counters(&log, peak_window)),
    });
    let profile = done.map_err(|error| watch.error(error))?;
    Ok(profile.to_string())
}

fn profile_trace(
    mut log: trace::Trace,
    peak_window: Nanos,
    watch: &mut Watch,
) -> Result<Value, trace::TraceError> {
    let mut profiler = Profiler::new(ProfileOptions { peak_window });
    let mut batch: Vec<Record> = Vec::new();
    while log.fill(&mut batch)? {
        batch.iter().for_each(|record| profiler.push(record));
        if watch.step(log.progress()).is_break() {
            return Err(trace::TraceError::Interrupted);
        }
    }
    Ok(with_log(json!(profiler.finish()), json!(log.summary())))
}

fn profile_counters(log: &trace::CounterLog, peak_window: Nanos) -> Value {
    let mut profiler = CounterProfiler::new(CounterOptions {
        profile: ProfileOptions { peak_window },
        ..CounterOptions::default()
    });
    log.samples().iter().for_each(|sample| profiler.push(sample));
    with_log(json!(profiler.finish()), json!(log.summary()))
}

fn with_log(mut profile: Value, log: Value) -> Value {
    profile["log"] = log;
    profile
}

/// The rows of a trace as an Arrow stream.
#[pyfunction]
#[pyo3(signature = (logs, event, reading=None))]
pub(crate) fn read(
    logs: Source,
    event: Option<&str>,
    reading: Option<Reading>,
) -> PyResult<pyo3_arrow::PyRecordBatchReader> {
    let options = reading.unwrap_or_default().apply(options(event, None, None)?)?;
    let log = trace::open(&logs, &options).map_err(input)?;
    Ok(pyo3_arrow::PyRecordBatchReader::new(Box::new(log.batches())))
}
