//! Logs: converted, profiled, read.

use crate::error::input;
use drivecast_block::{Nanos, Record};
use drivecast_trace::{self as trace, Event, Log, Options, Progress};
use drivecast_workload::profile::{CounterOptions, CounterProfiler, ProfileOptions, Profiler};
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::path::PathBuf;

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
            let share = at.bytes as f64 / at.total_bytes.max(1) as f64;
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

/// Any log to Parquet at `out`; the summary as JSON.
#[pyfunction]
#[pyo3(signature = (logs, out, event, disk, interval_s, progress, skip_first=false))]
#[expect(clippy::too_many_arguments, reason = "an argument is an option of the program")]
pub(crate) fn convert(
    py: Python<'_>,
    logs: Source,
    out: PathBuf,
    event: Option<&str>,
    disk: Option<String>,
    interval_s: Option<f64>,
    progress: Option<Py<PyAny>>,
    skip_first: bool,
) -> PyResult<String> {
    let options = Options { skip_first, ..options(event, disk, interval_s)? };
    let mut watch = Watch { progress, raised: None };
    let done = py.detach(|| trace::convert(&logs, &out, &options, &mut |at| watch.step(at)));
    let summary = done.map_err(|error| watch.error(error))?;
    serde_json::to_string(&summary).map_err(input)
}

/// The profile of a log as JSON, with the summary of the log under `log`.
#[pyfunction]
#[pyo3(signature = (logs, event, disk, interval_s, peak_window_s, progress, skip_first=false))]
#[expect(clippy::too_many_arguments, reason = "an argument is an option of the program")]
pub(crate) fn profile(
    py: Python<'_>,
    logs: Source,
    event: Option<&str>,
    disk: Option<String>,
    interval_s: Option<f64>,
    peak_window_s: f64,
    progress: Option<Py<PyAny>>,
    skip_first: bool,
) -> PyResult<String> {
    let options = Options { skip_first, ..options(event, disk, interval_s)? };
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
        merged_requests: log.summary().merged.contains(&trace::Merged::Requests),
        merged_latency: log.summary().merged.contains(&trace::Merged::Latency),
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
pub(crate) fn read(logs: Source, event: Option<&str>) -> PyResult<pyo3_arrow::PyRecordBatchReader> {
    let log = trace::open(&logs, &options(event, None, None)?).map_err(input)?;
    Ok(pyo3_arrow::PyRecordBatchReader::new(Box::new(log.batches())))
}
