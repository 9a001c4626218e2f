//! Caches without time: the references of a trace, played through eviction policies.

use crate::error::input;
use crate::object::Object;
use crate::read_options::{Reading, options};
use crate::trace::{Source, Watch};
use drivecast_block::Record;
use drivecast_trace as trace;
use drivecast_workload::eviction::{self, By, Collector, Counts, EverySize, Eviction, Limits};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::{Value, json};

/// What comes of references at each size that was asked, and the misses at every size.
type AtSizes<'py> = (Vec<Bound<'py, PyDict>>, Vec<(u64, f64)>);

/// The references of a trace, to be played through caches as often as wanted and from several threads.
#[pyclass(frozen, module = "drivecast._core")]
pub(crate) struct Accesses {
    inner: eviction::Accesses,
    summary: Value,
}

#[pymethods]
impl Accesses {
    /// Those of the trace in these files, by `block` or by `object`.
    #[staticmethod]
    #[pyo3(signature = (logs, by, reading=None, progress=None, *, references_max=None, objects_max=None))]
    fn trace(
        py: Python<'_>,
        logs: Source,
        by: &str,
        reading: Option<Reading>,
        progress: Option<Py<PyAny>>,
        references_max: Option<usize>,
        objects_max: Option<usize>,
    ) -> PyResult<Accesses> {
        let by = match by {
            "block" => By::Block,
            "object" => By::Object,
            other => return Err(input(format!("by: expected block or object, found `{other}`"))),
        };
        let usual = Limits::default();
        let limits = Limits {
            references_max: references_max.unwrap_or(usual.references_max),
            objects_max: objects_max.unwrap_or(usual.objects_max),
        };
        let options = options(reading)?;
        let mut watch = Watch::new(progress);
        let done = py.detach(|| {
            let log = trace::open(&logs, &options)?;
            collect(log, Collector::new(by, limits), &mut watch)
        });
        let (inner, summary) = done.map_err(|error| watch.error(error))?;
        Ok(Accesses { inner, summary })
    }

    /// What the reader says of the trace.
    #[getter]
    fn summary(&self) -> PyResult<Object> {
        Object::new(&self.summary)
    }

    /// References that read: counted, or what those past memory represent.
    #[getter]
    fn reads(&self) -> f64 {
        self.inner.reads
    }

    /// References that write.
    #[getter]
    fn writes(&self) -> f64 {
        self.inner.writes
    }

    /// Probability with which an object is in the sample; 1: all are, and counts are exact.
    #[getter]
    fn rate(&self) -> f64 {
        self.inner.rate
    }

    /// Distinct objects referenced.
    #[getter]
    fn objects(&self) -> f64 {
        self.inner.objects()
    }

    /// Bytes of these.
    #[getter]
    fn footprint_bytes(&self) -> f64 {
        self.inner.footprint_bytes()
    }

    /// From the first request to the last.
    #[getter]
    fn duration_s(&self) -> f64 {
        self.inner.duration.as_secs_f64()
    }

    /// A part of the sample, from 0 to below 8: a sample itself, of an eighth of the rate.
    fn part(&self, py: Python<'_>, number: u32) -> Accesses {
        let inner = py.detach(|| self.inner.part(number));
        Accesses { inner, summary: self.summary.clone() }
    }

    /// Those that go past so much memory before the cache.
    fn behind(&self, py: Python<'_>, size_bytes: u64) -> Accesses {
        let inner = py.detach(|| eviction::behind(&self.inner, size_bytes));
        Accesses { inner, summary: self.summary.clone() }
    }

    /// What comes of the references in a cache of a size under a policy.
    #[pyo3(signature = (policy, size_bytes, *, seed))]
    fn play<'py>(
        &self,
        py: Python<'py>,
        policy: &str,
        size_bytes: u64,
        seed: u64,
    ) -> PyResult<Bound<'py, PyDict>> {
        let named = Eviction::ALL.into_iter().find(|eviction| eviction.name() == policy);
        let eviction = named.ok_or_else(|| input(format!("there is no policy `{policy}`")))?;
        counts(py, &py.detach(|| eviction::play(&self.inner, eviction, size_bytes, seed)))
    }

    /// What comes of references by block in LRU caches of each size, in one pass; and every size, with the references that
    /// miss there, from which on more hit.
    fn lru<'py>(&self, py: Python<'py>, sizes: Vec<u64>) -> PyResult<AtSizes<'py>> {
        let (at_sizes, misses) = py.detach(|| {
            let every = EverySize::of(&self.inner);
            (sizes.iter().map(|bytes| every.at(*bytes)).collect::<Vec<Counts>>(), every.misses())
        });
        Ok((at_sizes.iter().map(|at| counts(py, at)).collect::<PyResult<_>>()?, misses))
    }
}

/// The names of the eviction policies.
#[pyfunction]
pub(crate) fn eviction_policies() -> Vec<&'static str> {
    Eviction::ALL.iter().map(|eviction| eviction.name()).collect()
}

fn collect(
    mut log: trace::Trace,
    mut collector: Collector,
    watch: &mut Watch,
) -> Result<(eviction::Accesses, Value), trace::TraceError> {
    let mut batch: Vec<Record> = Vec::new();
    while log.fill(&mut batch)? {
        batch.iter().for_each(|record| collector.push(record));
        if watch.step(log.progress()).is_break() {
            return Err(trace::TraceError::Interrupted);
        }
    }
    Ok((collector.finish(), json!(log.summary())))
}

fn counts<'py>(py: Python<'py>, counts: &Counts) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (key, value) in [
        ("reads", counts.reads),
        ("writes", counts.writes),
        ("read_misses", counts.read_misses),
        ("write_misses", counts.write_misses),
        ("fill_bytes", counts.fill_bytes),
        ("write_bytes", counts.write_bytes),
        ("write_back_bytes", counts.write_back_bytes),
        ("bypass_bytes", counts.bypass_bytes),
        ("dirty_bytes", counts.dirty_bytes),
    ] {
        dict.set_item(key, value)?;
    }
    Ok(dict)
}
