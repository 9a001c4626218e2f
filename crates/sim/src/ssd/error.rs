//! Why a drive cannot be built.

/// A field of a specification that no drive can have, with the limit it breaks and the value found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{field}` must be {limit}, found {value}")]
pub struct SpecError {
    /// The field, by its name in the specification.
    pub field: &'static str,
    /// What would have been accepted.
    pub limit: String,
    /// What was found.
    pub value: String,
}

impl SpecError {
    pub(super) fn new(field: &'static str, limit: impl Into<String>, value: impl ToString) -> SpecError {
        SpecError { field, limit: limit.into(), value: value.to_string() }
    }

    /// Refuses unless `holds`.
    pub(super) fn unless(
        holds: bool,
        field: &'static str,
        limit: impl Into<String>,
        value: impl ToString,
    ) -> Result<(), SpecError> {
        if holds { Ok(()) } else { Err(SpecError::new(field, limit, value)) }
    }
}

/// Why a drive takes no more writes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FtlFault {
    /// Cleaning gains nothing any more.
    #[error("die {die} ran out of free blocks: {live_pages} pages of data on {pages} pages of flash")]
    NoFreeBlock {
        /// The die.
        die: usize,
        /// Pages with current data on it.
        live_pages: u64,
        /// Pages of its blocks that are in use.
        pages: u64,
    },
    /// Too many erasures have failed.
    #[error("die {die} is out of reserve: {retired_blocks} blocks of the drive could not be erased any more")]
    NoReserve {
        /// The die.
        die: usize,
        /// Blocks out of use on all dies.
        retired_blocks: u64,
    },
}
