//! A workload to be played: the records of a trace in memory, or a synthetic one.

use crate::error::input;
use crate::trace::{Source, options};
use drivecast_block::{Op, Record};
use drivecast_sim::run;
use drivecast_trace as trace;
use drivecast_workload::WorkloadSpec;
use pyo3::prelude::*;

/// Traces are held in memory while they are played, at 40 bytes a record; beyond this there would be no room.
const RECORDS_MAX: usize = 200_000_000;

/// A workload to be played on designs, as often as wanted and from several threads.
#[pyclass(frozen, module = "drivecast._core")]
pub(crate) struct Workload {
    pub(crate) inner: run::Workload,
}

#[pymethods]
impl Workload {
    /// The trace in these files.
    #[staticmethod]
    fn trace(py: Python<'_>, logs: Source, event: Option<&str>) -> PyResult<Workload> {
        let options = options(event, None, None)?;
        let records = py.detach(|| read(&logs, &options))?;
        Ok(Workload { inner: run::Workload::Records(records.into()) })
    }

    /// The synthetic workload that a line describes.
    #[staticmethod]
    fn line(text: &str) -> PyResult<Workload> {
        let spec = WorkloadSpec::parse(text).map_err(input)?;
        Ok(Workload { inner: run::Workload::Synthetic(spec) })
    }

    /// Length of the trace in seconds; none for a synthetic workload.
    #[getter]
    fn duration_s(&self) -> Option<f64> {
        match &self.inner {
            run::Workload::Records(records) => records.last().map(|last| last.time.as_secs_f64()),
            run::Workload::Synthetic(_) => None,
        }
    }

    /// Bytes that the trace writes; none for a synthetic workload.
    #[getter]
    fn written_bytes(&self) -> Option<u64> {
        let written = |record: &Record| if record.op == Op::Write { u64::from(record.size) } else { 0 };
        match &self.inner {
            run::Workload::Records(records) => Some(records.iter().map(written).sum()),
            run::Workload::Synthetic(_) => None,
        }
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
