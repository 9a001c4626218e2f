//! Designs as disks that programs use.

use crate::error::input;
use crate::object::{Object, outcome};
use crate::simulate::{Specs, resolve};
use drivecast_attach::{Disk, Kept, Server, Settings, Span, fuse, nbd, vhost_user};
use drivecast_block::schema::TRACE;
use drivecast_block::{Bytes, Nanos};
use drivecast_sim::run::{DiskOptions, State};
use drivecast_sim::spec::DriveSpec;
use drivecast_trace::{records_to_batch, schema};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3_arrow::PyRecordBatch;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
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
    transport_ns: AtomicU64,
}

/// Nanoseconds that a read of 4 KiB of a file or device takes past the page cache, where nothing comes between.
#[pyfunction]
pub(crate) fn read_ns(py: Python<'_>, path: PathBuf) -> PyResult<u64> {
    Ok(py.detach(|| fuse::ping(&path))?.0)
}

/// Where a disk appears.
enum Place {
    Socket(PathBuf),
    Guest(PathBuf),
    Directory(PathBuf),
}

#[pymethods]
impl Attached {
    /// Makes the disk and serves it.
    #[new]
    #[pyo3(signature = (line, drives, controllers = Specs::new(), *, size, state, fill, seed, speed, data, memory_max, path, cut, error, record, sync=false, nbd=None, fuse=None, vhost_user=None))]
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
        sync: bool,
        nbd: Option<PathBuf>,
        fuse: Option<PathBuf>,
        vhost_user: Option<PathBuf>,
    ) -> PyResult<Attached> {
        let design = resolve(line, &drives, &controllers)?;
        let kept = match (data, path) {
            ("memory", _) => Kept::Memory(memory_max),
            ("file", Some(path)) => Kept::File { path, sync },
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
        let disk =
            DiskOptions { size: size.map(Bytes), state: State::named(state).map_err(input)?, fill, seed };
        let settings = Settings { disk, kept, speed, error_rate: error, may_cut: cut, record };
        let is_rotational = design.root().drives().iter().all(|(_, spec)| matches!(spec, DriveSpec::Hdd(_)));
        let place = match (nbd, fuse, vhost_user) {
            (Some(socket), None, None) => Place::Socket(socket),
            (None, Some(directory), None) => Place::Directory(directory),
            (None, None, Some(socket)) => Place::Guest(socket),
            _ => return Err(input("expected one of nbd, fuse and vhost_user")),
        };
        py.detach(|| {
            let disk = Disk::new(design, settings).map_err(|error| input(error.to_string()))?;
            let (size, members) = (disk.size(), disk.drives());
            let (server, transport) =
                place.serve(disk, is_rotational).map_err(|error| input(place.refusal(&error)))?;
            if !matches!(place, Place::Directory(_)) {
                server.start(transport);
            }
            let transport_ns = AtomicU64::new(transport.0);
            Ok(Attached { server: Mutex::new(Some(server)), size, members, transport_ns })
        })
    }

    /// What the front costs there and back, which is taken off each answer.
    #[getter]
    fn transport_ns(&self) -> u64 {
        self.transport_ns.load(Ordering::Relaxed)
    }

    /// From now on the device takes its time; until then a file by FUSE is answered without it. What the way to it costs is as
    /// given, for one that leads through a loop device, or as measured over the file.
    #[pyo3(signature = (transport_ns=None))]
    fn start(&self, py: Python<'_>, transport_ns: Option<u64>) -> PyResult<()> {
        if let Some(transport_ns) = transport_ns {
            self.transport_ns.store(transport_ns, Ordering::Relaxed);
        }
        py.detach(|| self.with(|server| server.start(Nanos(self.transport_ns()))))
    }

    /// What has been seen since the last call; those of `run` are counted apart from the others.
    #[pyo3(signature = (*, run=false))]
    fn snapshot(&self, py: Python<'_>, run: bool) -> PyResult<Object> {
        let span = if run { Span::Run } else { Span::Second };
        let seen = py.detach(|| self.with(|server| server.look(span)))?;
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

    /// Ends it: the outcome, with `lateness`, of all and by kind.
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

impl Place {
    /// The disk behind it, and what the way there costs.
    fn serve(&self, disk: Disk, is_rotational: bool) -> std::io::Result<(Server, Nanos)> {
        match self {
            Place::Socket(socket) => {
                let front = nbd::Nbd::new(socket, is_rotational)?;
                Ok((Server::new(disk, front)?, nbd::ping(socket)?))
            }
            Place::Guest(socket) => {
                let front = vhost_user::VhostUser::new(socket)?;
                // It can only be measured in a guest.
                Ok((Server::new(disk, front)?, Nanos::ZERO))
            }
            Place::Directory(directory) => {
                let front = fuse::Fuse::new(directory, disk.size())?;
                Ok((Server::new(disk, front)?, fuse::ping(&directory.join(fuse::NAME))?))
            }
        }
    }

    fn refusal(&self, error: &std::io::Error) -> String {
        let (Place::Socket(path) | Place::Guest(path) | Place::Directory(path)) = self;
        format!("cannot serve the disk at `{}`: {error}", path.display())
    }
}
