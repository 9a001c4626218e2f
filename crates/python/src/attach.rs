//! Designs as disks that programs use.

use crate::error::input;
use crate::object::{Object, outcome};
use crate::simulate::{self, Specs, resolve};
use drivecast_attach::{Disk, Kept, Server, Settings, nbd};
use drivecast_block::schema::TRACE;
use drivecast_block::{Bytes, Nanos};
use drivecast_sim::run::DiskOptions;
use drivecast_sim::spec::DriveSpec;
use drivecast_trace::{records_to_batch, schema};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3_arrow::PyRecordBatch;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A design that is served as a disk by a thread of its own, until it is stopped or forgotten.
#[pyclass(frozen, module = "drivecast._core")]
pub(crate) struct Attached {
    server: Mutex<Option<Server>>,
    /// Bytes of the disk.
    #[pyo3(get)]
    size: u64,
    /// Drives that can fail.
    #[pyo3(get)]
    members: usize,
    /// What the front costs there and back, which is taken off each answer.
    #[pyo3(get)]
    transport_ns: u64,
}

#[pymethods]
impl Attached {
    /// Makes the disk and serves it.
    #[new]
    #[pyo3(signature = (line, drives, controllers = Specs::new(), *, size, state, fill, seed, speed, data, memory_max, path, cut, error, record, nbd))]
    #[expect(clippy::too_many_arguments, reason = "the arguments of the constructor in Python")]
    fn new(
        py: Python<'_>,
        line: &str,
        drives: Specs,
        controllers: Specs,
        size: Option<u64>,
        state: &str,
        fill: f64,
        seed: u64,
        speed: f64,
        data: &str,
        memory_max: u64,
        path: Option<PathBuf>,
        cut: bool,
        error: f64,
        record: bool,
        nbd: PathBuf,
    ) -> PyResult<Attached> {
        let design = resolve(line, &drives, &controllers)?;
        let kept = match (data, path) {
            ("memory", _) => Kept::Memory(memory_max),
            ("file", Some(path)) => Kept::File(path),
            ("discard", _) => Kept::Discard,
            (other, _) => {
                return Err(input(format!(
                    "data: expected memory, file with a path, or discard, found `{other}`"
                )));
            }
        };
        if !(speed.is_finite() && speed > 0.0 && (0.0..=1.0).contains(&error)) {
            return Err(input(format!(
                "expected a speed above 0 and an error rate from 0 to 1, found {speed} and {error}"
            )));
        }
        let disk = DiskOptions { size: size.map(Bytes), state: simulate::state(state)?, fill, seed };
        let settings = Settings { disk, kept, speed, error_rate: error, may_cut: cut, record };
        let is_rotational = design.root().drives().iter().all(|(_, spec)| matches!(spec, DriveSpec::Hdd(_)));
        py.detach(|| {
            let disk = Disk::new(design, settings).map_err(|error| input(error.to_string()))?;
            let (size, members) = (disk.size(), disk.drives());
            let (server, transport) = served(disk, &nbd, is_rotational)
                .map_err(|error| input(format!("cannot serve the disk at `{}`: {error}", nbd.display())))?;
            server.start(transport);
            Ok(Attached { server: Mutex::new(Some(server)), size, members, transport_ns: transport.0 })
        })
    }

    /// What has been seen since the last call.
    fn snapshot(&self, py: Python<'_>) -> PyResult<Object> {
        let seen = py.detach(|| self.with(|server| server.look()))?;
        Object::new(seen.ok_or_else(|| input(GONE))?)
    }

    /// A drive fails, counted from 0 in the order of the line.
    fn fail(&self, py: Python<'_>, member: usize) -> PyResult<()> {
        py.detach(|| self.with(|server| server.fail(member)))?.map_err(input)
    }

    /// What has failed is rebuilt onto blank drives, at so many bytes a second each.
    fn rebuild(&self, py: Python<'_>, bytes_per_s: f64) -> PyResult<()> {
        py.detach(|| self.with(|server| server.rebuild(bytes_per_s)))?.map_err(input)
    }

    /// A drive takes so many times as long from now on.
    fn slow(&self, py: Python<'_>, member: usize, factor: f64) -> PyResult<()> {
        py.detach(|| self.with(|server| server.slow(member, factor)))?.map_err(input)
    }

    /// Power is cut: how many bytes of writes that were not flushed are lost.
    fn cut(&self, py: Python<'_>) -> PyResult<u64> {
        py.detach(|| self.with(|server| server.cut()))?
            .map_err(|error| input(format!("the data of the disk: {error}")))
    }

    /// What came since the last call, as rows of a trace.
    fn records(&self, py: Python<'_>) -> PyResult<PyRecordBatch> {
        let batch = py.detach(|| self.with(|server| records_to_batch(&schema(TRACE), &server.records())))?;
        Ok(PyRecordBatch::new(batch))
    }

    /// Ends it: the outcome, with `lateness`.
    fn stop<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let server = self.server().take().ok_or_else(|| input(GONE))?;
        let ended = py.detach(|| server.stop()).ok_or_else(|| input(GONE))?;
        let dict = outcome(py, ended.outcome)?;
        dict.set_item("lateness", Object::new(ended.lateness)?)?;
        Ok(dict)
    }
}

const GONE: &str = "the disk is no longer served";

impl Attached {
    fn server(&self) -> MutexGuard<'_, Option<Server>> {
        self.server.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with<T>(&self, ask: impl FnOnce(&Server) -> T) -> PyResult<T> {
        self.server().as_ref().map(ask).ok_or_else(|| input(GONE))
    }
}

/// The disk behind a socket, and what the socket costs.
fn served(disk: Disk, socket: &Path, is_rotational: bool) -> std::io::Result<(Server, Nanos)> {
    let front = nbd::Nbd::new(socket, is_rotational)?;
    let server = Server::new(disk, front)?;
    let transport = nbd::ping(socket)?;
    Ok((server, transport))
}
