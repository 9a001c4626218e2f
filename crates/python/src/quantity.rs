//! Quantities in the grammar of designs and workloads.

use crate::error::input;
use drivecast_block::units;
use pyo3::prelude::*;

/// A size such as `64KiB` in bytes.
#[pyfunction]
pub(crate) fn parse_bytes(text: &str) -> PyResult<u64> {
    units::parse_bytes(text).map(|bytes| bytes.0).map_err(input)
}

/// A time such as `5ms` in nanoseconds.
#[pyfunction]
pub(crate) fn parse_nanos(text: &str) -> PyResult<u64> {
    units::parse_nanos(text).map(|nanos| nanos.0).map_err(input)
}
