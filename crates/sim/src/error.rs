//! Why a simulation was rejected or failed.

use crate::host::Fault;
use crate::spec::SpecError;
use drivecast_block::line::LineError;
use drivecast_block::{Bytes, Nanos};

const BEYOND_HINT: &str = "take a larger design, or wrap offsets into it";
const NO_FLASH_HINT: &str = "wear applies to solid-state drives; disks have no write limit here, and that of a volume is \
                             its provider's concern";
const BROKEN_HINT: &str = "please report it with the design, the seed and the specification";
const FAILED_HINT: &str =
    "the same design, workload and seed fail again; give the drive more spare or less data";

/// Why a simulation was rejected or failed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SimError {
    /// The design line is wrong.
    #[error(transparent)]
    Design(#[from] LineError),
    /// A drive of the design cannot be built from its specification.
    #[error("drive `{drive}`: {error}")]
    Drive {
        /// The drive, as the design names it.
        drive: String,
        /// The field, what was expected, what was found.
        error: SpecError,
    },
    /// The synthetic workload does not fit the design.
    #[error(transparent)]
    Workload(#[from] drivecast_workload::SpecError),
    /// The model does not fit the design.
    #[error(transparent)]
    Model(#[from] drivecast_workload::ModelError),
    /// A request lies beyond the end of the design.
    #[error("record {record} ends at byte {end}, but `{design}` holds {capacity}\nhint: {BEYOND_HINT}")]
    Beyond {
        /// Its number in the trace, from 0.
        record: usize,
        /// The first byte behind the request.
        end: u64,
        /// The design.
        design: String,
        /// What it holds.
        capacity: Bytes,
    },
    /// Times of the trace run backwards.
    #[error(
        "record {record} was issued at {time}, before its predecessor at {before}; a trace is in order of time"
    )]
    Order {
        /// Its number in the trace, from 0.
        record: usize,
        /// Its time.
        time: Nanos,
        /// The time of the record before.
        before: Nanos,
    },
    /// There is nothing to simulate.
    #[error("no {expected} in the window from {start} for {length}")]
    Empty {
        /// What was looked for.
        expected: &'static str,
        /// Beginning of the window.
        start: Nanos,
        /// Its length.
        length: Nanos,
    },
    /// An option is out of its range, or lacks another.
    #[error("`{option}` must be {expected}, found {found}")]
    Option {
        /// Its name.
        option: &'static str,
        /// What would have been accepted.
        expected: &'static str,
        /// What was found.
        found: String,
    },
    /// Wear was requested of a design with disks or volumes.
    #[error("`{design}`: `{drive}` is not flash\nhint: {NO_FLASH_HINT}")]
    NoFlash {
        /// The design.
        design: String,
        /// The first drive in it that is not flash.
        drive: String,
    },
    /// Wear was requested of a workload that writes nothing.
    #[error("the workload writes nothing on `{design}`, so nothing wears")]
    NoWrites {
        /// The design.
        design: String,
    },
    /// A run failed its own checks: a mistake of the simulator.
    #[error(
        "the run of `{design}` with seed {seed} (specification {specification}) failed its own checks and was discarded: \
         {fault}\nhint: {BROKEN_HINT}"
    )]
    Broken {
        /// The design.
        design: String,
        /// The seed.
        seed: u64,
        /// The hash of the design and its drives: see [`crate::run::fingerprint`].
        specification: String,
        /// What was broken.
        fault: Fault,
    },
    /// A drive failed in the run: out of free blocks, or out of reserve.
    #[error(
        "`{design}` failed in the run with seed {seed} (specification {specification}): {reason}\nhint: \
         {FAILED_HINT}"
    )]
    Failed {
        /// The design.
        design: String,
        /// The seed.
        seed: u64,
        /// The hash of the design and its drives: see [`crate::run::fingerprint`].
        specification: String,
        /// What the device says.
        reason: String,
    },
}

impl SimError {
    /// What to do about it, where the message ends with that; an error of a line or a model has its own.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            SimError::Beyond { .. } => Some(BEYOND_HINT),
            SimError::NoFlash { .. } => Some(NO_FLASH_HINT),
            SimError::Broken { .. } => Some(BROKEN_HINT),
            SimError::Failed { .. } => Some(FAILED_HINT),
            _ => None,
        }
    }

    /// The same with the specification filled in.
    pub(crate) fn of(mut self, known: String) -> SimError {
        if let SimError::Broken { specification, .. } | SimError::Failed { specification, .. } = &mut self {
            *specification = known;
        }
        self
    }
}
