//! The exceptions, and the one map from each crate's errors to them.

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

pyo3::create_exception!(
    drivecast._core,
    InputError,
    PyValueError,
    "What was given cannot be used; says why and what to do."
);
pyo3::create_exception!(
    drivecast._core,
    InvariantError,
    PyRuntimeError,
    "A run broke a law it must obey; says how to reproduce it."
);

/// An [`InputError`] that says what `error` says.
pub(crate) fn input(error: impl std::fmt::Display) -> PyErr {
    InputError::new_err(error.to_string())
}
