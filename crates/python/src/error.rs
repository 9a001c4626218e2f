//! The exceptions, and the one map from each crate's errors to them: the text of the error, and by attribute its place and
//! its hint, as far as the crate's error holds them.

use drivecast_block::line::LineError;
use drivecast_block::units::QuantityError;
use drivecast_sim::error::SimError;
#[cfg(target_os = "linux")]
use drivecast_target::TargetError;
use drivecast_trace::{Place, TraceError};
use drivecast_workload::spec::TOO_SMALL_HINT;
use drivecast_workload::{CompactError, ModelError, SpecError};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

pyo3::create_exception!(
    drivecast._core,
    InputError,
    PyValueError,
    "What was given cannot be used; says why, where and what to do."
);
pyo3::create_exception!(
    drivecast._core,
    InvariantError,
    PyRuntimeError,
    "A run broke a law it must obey; says how to reproduce it."
);

/// The attributes of an [`InputError`] next to its text; none where one does not apply.
#[derive(Default)]
pub(crate) struct Attributes {
    path: Option<String>,
    line: Option<u64>,
    column: Option<u64>,
    byte: Option<u64>,
    hint: Option<String>,
}

impl Attributes {
    fn set(self, on: &Bound<'_, PyAny>) -> PyResult<()> {
        on.setattr("path", self.path)?;
        on.setattr("line", self.line)?;
        on.setattr("column", self.column)?;
        on.setattr("byte", self.byte)?;
        on.setattr("hint", self.hint)
    }
}

/// Gives every [`InputError`] its attributes, also one that Python raises.
pub(crate) fn declare(py: Python<'_>) -> PyResult<()> {
    Attributes::default().set(&py.get_type::<InputError>())
}

/// An error that the user can mend.
pub(crate) trait Refusal: std::fmt::Display {
    /// Where it lies and what helps, as far as it holds them.
    fn attributes(&self) -> Attributes {
        Attributes::default()
    }
}

/// An [`InputError`] that says what `error` says.
pub(crate) fn input(error: impl Refusal) -> PyErr {
    Python::attach(|py| {
        let raised = InputError::new_err(error.to_string());
        match error.attributes().set(raised.value(py)) {
            Ok(()) => raised,
            Err(failed) => failed,
        }
    })
}

impl Refusal for &str {}
impl Refusal for String {}
impl Refusal for QuantityError {}
impl Refusal for serde_json::Error {}
impl Refusal for drivecast_sim::spec::SpecError {}

impl Refusal for LineError {
    fn attributes(&self) -> Attributes {
        let before = self.line[..self.at.min(self.line.len())].chars().count() as u64;
        Attributes { column: Some(before + 1), hint: self.hint.clone(), ..Attributes::default() }
    }
}

impl Refusal for TraceError {
    fn attributes(&self) -> Attributes {
        let detail = self.detail();
        let (line, byte) = match detail.at {
            Some(Place::Line(line)) => (Some(line), None),
            Some(Place::Byte(byte)) => (None, Some(byte)),
            None => (None, None),
        };
        let owned = |text: Option<&str>| text.map(str::to_owned);
        Attributes { path: owned(detail.path), line, byte, hint: owned(detail.hint), column: None }
    }
}

impl Refusal for CompactError {
    fn attributes(&self) -> Attributes {
        Attributes { byte: Some(self.at as u64), ..Attributes::default() }
    }
}

impl Refusal for ModelError {
    fn attributes(&self) -> Attributes {
        let (path, line) = match self {
            ModelError::File { name, line, .. } => (Some(name.clone()), line.map(|line| line as u64)),
            _ => (None, None),
        };
        Attributes { path, line, hint: self.hint().map(str::to_owned), ..Attributes::default() }
    }
}

impl Refusal for SpecError {
    fn attributes(&self) -> Attributes {
        match self {
            SpecError::Line(error) => error.attributes(),
            SpecError::TooSmall { .. } => {
                Attributes { hint: Some(TOO_SMALL_HINT.to_owned()), ..Attributes::default() }
            }
        }
    }
}

impl Refusal for SimError {
    fn attributes(&self) -> Attributes {
        match self {
            SimError::Design(error) => error.attributes(),
            SimError::Workload(error) => error.attributes(),
            SimError::Model(error) => error.attributes(),
            _ => Attributes { hint: self.hint().map(str::to_owned), ..Attributes::default() },
        }
    }
}

#[cfg(target_os = "linux")]
impl Refusal for TargetError {
    fn attributes(&self) -> Attributes {
        let path = self.path().map(|path| path.display().to_string());
        Attributes { path, hint: self.hint().map(str::to_owned), ..Attributes::default() }
    }
}
