//! Logs: converted, profiled, read.

use crate::error::input;
use crate::object::{self, Object};
use crate::read_options::{Reading, options};
use arrow_array::RecordBatchIterator;
use drivecast_block::{Nanos, Record};
use drivecast_trace::{self as trace, Log, Progress};
use drivecast_workload::profile::{CounterOptions, CounterProfiler, Profile, ProfileOptions, Profiler};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Paths as Python gives them.
pub(crate) type Source = Vec<PathBuf>;

/// Calls Python's `progress(share, what)` and lets signals through: an exception in either breaks off.
pub(crate) struct Watch {
    progress: Option<Py<PyAny>>,
    raised: Option<PyErr>,
}

impl Watch {
    pub(crate) fn new(progress: Option<Py<PyAny>>) -> Watch {
        Watch { progress, raised: None }
    }

    pub(crate) fn step(&mut self, at: Progress) -> ControlFlow<()> {
        let outcome = Python::attach(|py| {
            py.check_signals()?;
            let Some(progress) = &self.progress else { return Ok(()) };
            let share = (at.bytes as f64 / at.total_bytes.max(1) as f64).min(1.0);
            progress.call1(py, (share, format!("{} requests", at.rows))).map(drop)
        });
        match outcome {
            Ok(()) => ControlFlow::Continue(()),
            Err(raised) => {
                self.raised = Some(raised);
                ControlFlow::Break(())
            }
        }
    }

    pub(crate) fn error(self, error: trace::TraceError) -> PyErr {
        self.raised.unwrap_or_else(|| input(error))
    }
}

/// The formats of logs: traces, then counters.
#[pyfunction]
pub(crate) fn formats() -> PyResult<Object> {
    Object::new(trace::FORMATS)
}

/// Any log to Parquet at `out`; the summary.
#[pyfunction]
#[pyo3(signature = (logs, out, reading=None, progress=None))]
pub(crate) fn convert(
    py: Python<'_>,
    logs: Source,
    out: PathBuf,
    reading: Option<Reading>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Object> {
    let options = options(reading)?;
    let mut watch = Watch::new(progress);
    let done = py.detach(|| trace::convert(&logs, &out, &options, &mut |at| watch.step(at)));
    let summary = done.map_err(|error| watch.error(error))?;
    Object::new(summary)
}

/// The profile of a log, its tables as Arrow, with the summary of the log under `log`.
#[pyfunction]
#[pyo3(signature = (logs, peak_window_s, reading=None, progress=None))]
pub(crate) fn profile(
    py: Python<'_>,
    logs: Source,
    peak_window_s: f64,
    reading: Option<Reading>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'_, PyDict>> {
    let options = options(reading)?;
    let peak_window = Nanos::from_secs_f64(peak_window_s);
    let mut watch = Watch::new(progress);
    let done = py.detach(|| match trace::open_any(&logs, &options)? {
        Log::Trace(trace) => profile_trace(trace, &options, peak_window, &mut watch),
        Log::Counters(log) => Ok((profile_counters(&log, peak_window), json!(log.summary()))),
    });
    let (profile, log) = done.map_err(|error| watch.error(error))?;
    let dict = object::profile(py, profile)?;
    dict.set_item("log", Object::new(log)?)?;
    Ok(dict)
}

fn profile_trace(
    mut log: trace::Trace,
    options: &trace::Options,
    peak_window: Nanos,
    watch: &mut Watch,
) -> Result<(Profile, Value), trace::TraceError> {
    let mut profiler = Profiler::new(ProfileOptions { peak_window });
    let mut batch: Vec<Record> = Vec::new();
    while log.fill(&mut batch)? {
        batch.iter().for_each(|record| profiler.push(record));
        if watch.step(log.progress()).is_break() {
            return Err(trace::TraceError::Interrupted);
        }
    }
    let (mut profile, summary) = (profiler.finish(), log.summary());
    if summary.assumed_times {
        profile.assume_times();
    }
    if options.disk.is_none() && summary.disks.len().max(summary.devices.len()) > 1 {
        profile.assume_addresses();
    }
    Ok((profile, json!(summary)))
}

fn profile_counters(log: &trace::CounterLog, peak_window: Nanos) -> Profile {
    let mut profiler = CounterProfiler::new(CounterOptions {
        profile: ProfileOptions { peak_window },
        merged_requests: log.summary().merged.contains(&trace::Merged::Requests),
        merged_latency: log.summary().merged.contains(&trace::Merged::Latency),
        ..CounterOptions::default()
    });
    log.samples().iter().for_each(|sample| profiler.push(sample));
    profiler.finish()
}

/// The rows of a trace as an Arrow stream.
#[pyfunction]
#[pyo3(signature = (logs, reading=None))]
pub(crate) fn read(logs: Source, reading: Option<Reading>) -> PyResult<pyo3_arrow::PyRecordBatchReader> {
    let log = trace::open(&logs, &options(reading)?).map_err(input)?;
    Ok(pyo3_arrow::PyRecordBatchReader::new(Box::new(log.batches())))
}

/// The samples of a counter log as an Arrow stream; none of a trace, which is not read then.
#[pyfunction]
#[pyo3(signature = (logs, reading=None))]
pub(crate) fn samples(
    logs: Source,
    reading: Option<Reading>,
) -> PyResult<Option<pyo3_arrow::PyRecordBatchReader>> {
    let Log::Counters(log) = trace::open_any(&logs, &options(reading)?).map_err(input)? else {
        return Ok(None);
    };
    let batch = trace::samples_to_batch(log.samples());
    let schema = batch.schema();
    let reader = RecordBatchIterator::new([Ok(batch)], schema);
    Ok(Some(pyo3_arrow::PyRecordBatchReader::new(Box::new(reader))))
}
