//! A workload to be played: the records of a trace in memory, a model's streams, or a synthetic line.

use crate::error::input;
use crate::read_options::{Reading, options};
use crate::trace::Source;
use arrow_array::RecordBatchIterator;
use drivecast_block::schema::TRACE;
use drivecast_block::{Nanos, Op, Record};
use drivecast_sim::host::Part;
use drivecast_sim::run::{self, Modelled, Windowed};
use drivecast_trace as trace;
use drivecast_workload::{
    Directed, Model, SequentialShare, WorkloadSpec, compact, expand, hurried, packed, spread,
};
use pyo3::prelude::*;
use std::borrow::Cow;
use std::sync::Arc;

/// Traces are held in memory while they are played, at 40 bytes a record; beyond this they would not fit.
const RECORDS_MAX: usize = 200_000_000;

/// A workload to be played on designs, as often as wanted and from several threads.
///
/// It pickles: a line as its text, a model as its document, a trace and windows with their requests.
#[pyclass(frozen, module = "drivecast._core")]
pub(crate) struct Workload {
    pub(crate) inner: run::Workload,
    /// Of a line, as it was written.
    text: Option<String>,
}

impl From<run::Workload> for Workload {
    fn from(inner: run::Workload) -> Workload {
        Workload { inner, text: None }
    }
}

#[pymethods]
impl Workload {
    /// The trace in these files.
    #[staticmethod]
    #[pyo3(signature = (logs, reading = None))]
    fn trace(py: Python<'_>, logs: Source, reading: Option<Reading>) -> PyResult<Workload> {
        let options = options(reading)?;
        let records = py.detach(|| read(&logs, &options))?;
        Ok(run::Workload::Records(records.into()).into())
    }

    /// The synthetic workload that a line describes.
    #[staticmethod]
    fn line(text: &str) -> PyResult<Workload> {
        let spec = WorkloadSpec::parse(text).map_err(input)?;
        Ok(Workload { inner: run::Workload::Synthetic(spec), text: Some(text.to_owned()) })
    }

    /// A pass of the model that a JSON document holds: of this length, or of its own.
    #[staticmethod]
    #[pyo3(signature = (json, *, seed, seconds = None))]
    fn model(py: Python<'_>, json: &str, seed: u64, seconds: Option<f64>) -> PyResult<Workload> {
        let model = Model::from_json(json).map_err(input)?;
        let length = seconds.map(Nanos::from_secs_f64);
        let modelled = py.detach(|| Modelled::new(model, length, seed, RECORDS_MAX)).map_err(input)?;
        Ok(run::Workload::Model(modelled).into())
    }

    /// Windows of a trace that represent all of it. `played` has each of them after what leads into it; `parts` are the
    /// ends of both in ns, lead-ins before their windows, and how often each counts; `whole` is a pass of the whole trace.
    #[staticmethod]
    #[pyo3(signature = (played, *, whole, parts))]
    fn windows(
        py: Python<'_>,
        played: &Workload,
        whole: &Workload,
        parts: Vec<(u64, u32)>,
    ) -> PyResult<Workload> {
        let records = |of: &Workload| of.records().cloned().ok_or_else(|| input("a line has no windows"));
        let (played, pass) = (records(played)?, records(whole)?);
        let parts: Arc<[Part]> =
            parts.into_iter().map(|(end, weight)| Part { end: Nanos(end), weight }).collect();
        let windows = py.detach(|| Windowed::of(&played, pass, parts));
        Ok(run::Workload::Windows(windows.map_err(input)?).into())
    }

    /// Length of the trace or of a pass of the model in seconds; none for a line.
    #[getter]
    fn duration_s(&self) -> Option<f64> {
        match &self.inner {
            run::Workload::Model(model) => Some(model.length.as_secs_f64()),
            other => other.records()?.last().map(|last| last.time.as_secs_f64()),
        }
    }

    /// Requests that a line issues a second; none for a closed loop, a trace or a model.
    #[getter]
    fn rate_iops(&self) -> Option<f64> {
        self.spec().and_then(|spec| spec.rate_iops)
    }

    /// The shares of the reads and of the writes of a line that begin where the one before ended; none for a trace or a model.
    #[getter]
    fn in_order(&self) -> Option<[f64; 2]> {
        self.spec().map(WorkloadSpec::in_order)
    }

    /// Requests that a line has outstanding at most, or always in a closed loop; none where it does not say, and for a trace
    /// or a model.
    #[getter]
    fn iodepth(&self) -> Option<u32> {
        self.spec().and_then(|spec| spec.iodepth)
    }

    /// Bytes that the trace or a pass of the model writes; none for a line.
    #[getter]
    fn written_bytes(&self) -> Option<u64> {
        let written = |record: &Record| if record.op == Op::Write { u64::from(record.size) } else { 0 };
        self.records().map(|records| records.iter().map(written).sum())
    }

    /// The first byte after the last request of the trace or of a pass of the model; none for a line, which fits anywhere.
    #[getter]
    fn span_bytes(&self) -> Option<u64> {
        self.records().map(|records| records.iter().map(Record::end).max().unwrap_or(0))
    }

    /// Whether anything is written or discarded.
    #[getter(writes)]
    fn has_writes(&self) -> bool {
        self.writes()
    }

    /// The trace with the regions of this size that it touches moved together, and with no idle time above this.
    #[pyo3(signature = (*, region_bytes = None, idle_s = None))]
    fn recast(&self, py: Python<'_>, region_bytes: Option<u64>, idle_s: Option<f64>) -> PyResult<Workload> {
        let run::Workload::Records(records) = &self.inner else {
            return Err(input("only a trace has addresses to move together and idle time to cut"));
        };
        let records = py.detach(|| {
            let packed = region_bytes.map(|bytes| packed(records, bytes.max(512)));
            let source = packed.as_deref().unwrap_or(records);
            idle_s
                .map_or_else(|| source.into(), |idle_s| hurried(source, Nanos::from_secs_f64(idle_s)).into())
        });
        Ok(run::Workload::Records(records).into())
    }

    /// The trace with the regions of this size that it touches put at even distances over `to_bytes`; none where they fill
    /// these already.
    #[pyo3(signature = (*, region_bytes, to_bytes))]
    fn spread(&self, py: Python<'_>, region_bytes: u64, to_bytes: u64) -> PyResult<Option<Workload>> {
        let moved = |records: &[Record]| spread(records, region_bytes.max(4096), to_bytes);
        let inner = match &self.inner {
            run::Workload::Records(records) => {
                py.detach(|| moved(records)).map(|moved| run::Workload::Records(moved.into()))
            }
            run::Workload::Windows(windows) => py.detach(|| windows.moved(moved)).map(run::Workload::Windows),
            _ => return Err(input("only a trace has addresses to spread")),
        };
        Ok(inner.map(Workload::from))
    }

    /// The requests of some streams of the trace, or of a pass of the model.
    fn of_streams(&self, py: Python<'_>, numbers: Vec<u32>) -> PyResult<Workload> {
        let records = self.records().ok_or_else(|| input("a line has no streams"))?;
        let chosen = || records.iter().filter(|record| numbers.contains(&record.stream)).copied();
        let records: Vec<Record> = py.detach(|| chosen().collect());
        Ok(run::Workload::Records(records.into()).into())
    }

    /// The model fitted to the trace, as JSON.
    fn fit(&self, py: Python<'_>, name: &str) -> PyResult<String> {
        let records = self.records().ok_or_else(|| input("a model is fitted to a trace, not to a line"))?;
        let model = py.detach(|| Model::fit(records, name)).map_err(input)?;
        Ok(model.to_json())
    }

    /// The requests of the trace in few bytes, without how long each took when it was recorded.
    fn compact(&self, py: Python<'_>) -> PyResult<Cow<'static, [u8]>> {
        let run::Workload::Records(records) = &self.inner else {
            return Err(input("only a trace has a compact form"));
        };
        Ok(py.detach(|| compact(records)).into())
    }

    /// The trace that was made compact.
    #[staticmethod]
    fn expand(py: Python<'_>, packed: &[u8]) -> PyResult<Workload> {
        let records = py.detach(|| expand(packed)).map_err(input)?;
        Ok(run::Workload::Records(records.into()).into())
    }

    /// What the workload is made again from: see [`Workload::again`].
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Packed,))> {
        let py = slf.py();
        let again = slf.get_type().getattr("again")?;
        let of = slf.get();
        let packed = py.detach(|| match (&of.inner, &of.text) {
            (run::Workload::Synthetic(_), text) => Packed::Line(text.clone().unwrap_or_default()),
            (run::Workload::Model(model), _) => {
                Packed::Model(model.model.to_json(), model.seed, model.length.as_secs_f64())
            }
            (run::Workload::Records(records), _) => Packed::Records(trace::pack(records)),
            (run::Workload::Windows(windows), _) => {
                let (played, parts) = windows.played();
                let parts = parts.iter().map(|part| (part.end.0, part.weight)).collect();
                Packed::Windows(trace::pack(&windows.pass), trace::pack(played), parts)
            }
        });
        Ok((again, (packed,)))
    }

    /// The workload that was pickled.
    #[staticmethod]
    fn again(py: Python<'_>, packed: Packed) -> PyResult<Workload> {
        let records = |bytes| py.detach(|| trace::unpack(bytes)).map_err(input);
        match packed {
            Packed::Line(text) => Workload::line(&text),
            Packed::Model(json, seed, seconds) => Workload::model(py, &json, seed, Some(seconds)),
            Packed::Records(bytes) => Ok(run::Workload::Records(records(bytes)?.into()).into()),
            Packed::Windows(pass, played, parts) => {
                let (pass, played) = (records(pass)?.into(), records(played)?);
                let parts = parts.into_iter().map(|(end, weight)| Part { end: Nanos(end), weight }).collect();
                Ok(run::Workload::Windows(Windowed::of(&played, pass, parts).map_err(input)?).into())
            }
        }
    }

    /// The requests of the trace, or of a pass of the model, as an Arrow stream.
    fn rows(&self) -> PyResult<pyo3_arrow::PyRecordBatchReader> {
        let records = self.records().ok_or_else(|| input("a line has no requests of its own"))?.clone();
        let schema = trace::schema(TRACE);
        let (of, count) = (schema.clone(), records.len());
        let batches = (0..count).step_by(trace::BATCH_RECORDS).map(move |from| {
            Ok(trace::records_to_batch(&of, &records[from..(from + trace::BATCH_RECORDS).min(count)]))
        });
        Ok(pyo3_arrow::PyRecordBatchReader::new(Box::new(RecordBatchIterator::new(batches, schema))))
    }
}

/// A workload as Python pickles it.
#[derive(FromPyObject, IntoPyObject)]
enum Packed {
    Line(String),
    Model(String, u64, f64),
    Windows(Vec<u8>, Vec<u8>, Vec<(u64, u32)>),
    Records(Vec<u8>),
}

impl Workload {
    /// Whether anything is written or discarded.
    pub(crate) fn writes(&self) -> bool {
        match &self.inner {
            run::Workload::Synthetic(spec) => spec.writes(),
            _ => self.requests().any(|record| matches!(record.op, Op::Write | Op::Discard)),
        }
    }

    /// Bytes of the largest read or write.
    #[cfg(target_os = "linux")]
    pub(crate) fn largest(&self) -> u32 {
        match &self.inner {
            run::Workload::Synthetic(spec) => {
                spec.sizes.iter().map(|size| size.size_bytes).max().unwrap_or(0)
            }
            _ => self
                .requests()
                .filter(|record| record.has_data())
                .map(|record| record.size)
                .max()
                .unwrap_or(0),
        }
    }

    fn requests(&self) -> impl Iterator<Item = &Record> {
        self.records().into_iter().flat_map(|records| records.iter())
    }

    fn spec(&self) -> Option<&WorkloadSpec> {
        match &self.inner {
            run::Workload::Synthetic(spec) => Some(spec),
            _ => None,
        }
    }

    fn records(&self) -> Option<&Arc<[Record]>> {
        self.inner.records()
    }
}

fn read(paths: &[std::path::PathBuf], options: &trace::Options) -> PyResult<Vec<Record>> {
    let mut log = trace::open(paths, options).map_err(input)?;
    let (mut records, mut batch) = (Vec::new(), Vec::new());
    while log.fill(&mut batch).map_err(input)? {
        records.append(&mut batch);
        if records.len() > RECORDS_MAX {
            return Err(input(format!(
                "the trace has more than {RECORDS_MAX} records, too many to hold in memory\nhint: cut it into parts"
            )));
        }
    }
    Ok(records)
}

/// The sequential share of a load, inferred from the requests, merges and bytes of its reads and of its writes.
#[pyfunction]
pub(crate) fn sequential_share(reads: (f64, f64, f64), writes: (f64, f64, f64)) -> f64 {
    let of = |(requests, merged, bytes)| Directed { requests, merged, bytes };
    SequentialShare::of(of(reads), of(writes)).map_or(0.0, |found| found.all.value)
}
