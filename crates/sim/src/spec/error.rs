//! Why a device cannot be built.

use std::borrow::Cow;

/// A field of a specification that no device can have, with the limit that it breaks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{field}` must be {expected}, found {found}")]
pub struct SpecError {
    /// The field, by its name in the specification.
    pub field: Cow<'static, str>,
    /// What would have been accepted.
    pub expected: Cow<'static, str>,
    /// What was found.
    pub found: String,
}

impl SpecError {
    pub(crate) fn new(
        field: impl Into<Cow<'static, str>>,
        expected: impl Into<Cow<'static, str>>,
        found: impl ToString,
    ) -> SpecError {
        SpecError { field: field.into(), expected: expected.into(), found: found.to_string() }
    }

    /// The error, unless `holds`.
    pub(crate) fn unless(
        holds: bool,
        field: impl Into<Cow<'static, str>>,
        expected: impl Into<Cow<'static, str>>,
        found: impl ToString,
    ) -> Result<(), SpecError> {
        if holds { Ok(()) } else { Err(SpecError::new(field, expected, found)) }
    }
}
