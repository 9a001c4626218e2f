//! Loss of data in groups of drives.

use crate::error::input;
use crate::object::Object;
use drivecast_sim::loss::{self, Options, Spec};
use pyo3::prelude::*;

/// Simulates the groups that a JSON specification describes until the chance of loss is known to `precision`.
#[pyfunction]
#[pyo3(signature = (spec, *, seed, precision, missions_max))]
pub(crate) fn lose(
    py: Python<'_>,
    spec: &str,
    seed: u64,
    precision: f64,
    missions_max: u64,
) -> PyResult<Object> {
    let spec: Spec = serde_json::from_str(spec).map_err(input)?;
    let options = Options { seed, precision, missions_max };
    let found = py.detach(|| loss::lose(&spec, &options)).map_err(input)?;
    Object::new(found)
}
