//! Real files and block devices: what is played on them.

use crate::error::input;
use crate::object::{Object, outcome};
use crate::simulate::{Options, refuse};
use crate::workload::Workload;
use drivecast_block::random::stream;
use drivecast_sim::outcome::{Outcome, Quantiles};
use drivecast_sim::run;
use drivecast_target::{Access, Opened, Target};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Breaks off a run on a real target, from another thread than the run's.
#[pyclass(frozen, module = "drivecast._core")]
pub(crate) struct Stop {
    asked: Arc<AtomicBool>,
}

#[pymethods]
impl Stop {
    #[new]
    fn new() -> Stop {
        Stop { asked: Arc::default() }
    }

    /// The run ends within a tenth of a second, with what it measured.
    fn ask(&self) {
        self.asked.store(true, Ordering::Relaxed);
    }
}

/// Size in bytes of a target, and of its sectors.
#[pyfunction]
pub(crate) fn target_size(path: PathBuf) -> PyResult<(u64, u32)> {
    let opened = Opened::new(&path, Access::Read).map_err(input)?;
    Ok((opened.bytes, opened.sector))
}

/// Plays a workload on a real target, which it may write to only if `may_write`; the outcome with the lag of issue.
#[pyfunction]
#[pyo3(signature = (path, workload, options, *, name, may_write, stop))]
pub(crate) fn replay<'py>(
    py: Python<'py>,
    path: PathBuf,
    workload: &Workload,
    options: Options,
    name: &str,
    may_write: bool,
    stop: &Stop,
) -> PyResult<Bound<'py, PyDict>> {
    let (writes, largest) = (workload.writes(), workload.largest());
    if writes && !may_write {
        return Err(input(format!("the workload writes, and `{name}` is not to be written to")));
    }
    let options = options.to_run()?;
    let stop = Arc::clone(&stop.asked);
    let (found, lag) = py.detach(|| {
        let access = if writes { Access::Write } else { Access::Read };
        let opened = Opened::new(&path, access).map_err(input)?;
        let mut payload = stream(options.seed, "target.payload");
        let mut target = Target::new(opened, largest, &mut payload, stop).map_err(input)?;
        let outcome = run::drive(&mut target, name, 1.0, &workload.inner, &options).map_err(refuse)?;
        PyResult::Ok((outcome, target.lag().clone()))
    })?;
    let quantiles = Quantiles::of(&lag.histogram, lag.histogram.mean(), lag.histogram.max());
    let playback = found.playback();
    let known = Outcome { device_read_bytes: None, device_written_bytes: None, scale: None, ..found };
    let dict = outcome(py, known)?;
    dict.set_item("lag_ns", Object::new(quantiles)?)?;
    dict.set_item("playback", Object::new(playback)?)?;
    dict.set_item("widened", lag.widened)?;
    dict.set_item("widened_bytes", lag.widened_bytes)?;
    dict.set_item("discards_left_out", lag.discards)?;
    Ok(dict)
}
