//! Tests of the solid-state drive in time.

// A failed unwrap is a failed test, in its helpers too.
#![allow(clippy::unwrap_used)]

// Shared by two test programs; neither uses all of it.
#[path = "examples/ssd_drives.rs"]
#[allow(dead_code)]
mod drives;

#[path = "examples/ssd_commands.rs"]
mod commands;
#[path = "examples/ssd_precondition.rs"]
mod precondition;
#[path = "examples/ssd_refusals.rs"]
mod refusals;
#[path = "examples/ssd_states.rs"]
mod states;

#[path = "properties/ssd_conservation.rs"]
mod conservation;

#[path = "theory/ssd_cache.rs"]
mod cache;
#[path = "theory/ssd_durable.rs"]
mod durable;
#[path = "theory/ssd_idle.rs"]
mod idle;
#[path = "theory/ssd_limits.rs"]
mod limits;
#[path = "theory/ssd_program_rate.rs"]
mod program_rate;
#[path = "theory/ssd_read_ahead.rs"]
mod read_ahead;
#[path = "theory/ssd_suspend.rs"]
mod suspend;
#[path = "theory/ssd_timing.rs"]
mod timing;

/// A part of the library that nothing else sees, with the tests in its file.
#[path = "../src/ssd/sparse.rs"]
mod sparse;
