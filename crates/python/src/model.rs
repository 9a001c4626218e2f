//! Workload models: read, checked and written.

use crate::error::input;
use drivecast_workload::Model;
use pyo3::prelude::*;

/// The model in a TOML text as canonical JSON; `name` is what errors call the text.
#[pyfunction]
pub(crate) fn model_read(text: &str, name: &str) -> PyResult<String> {
    Ok(Model::read(text, name).map_err(input)?.to_json())
}

/// A model as the TOML that a person reads.
#[pyfunction]
pub(crate) fn model_write(json: &str) -> PyResult<String> {
    Ok(Model::from_json(json).map_err(input)?.to_toml())
}
