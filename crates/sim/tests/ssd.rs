//! Tests of the flash models: theory, properties, examples.

// A failed unwrap is a failed test, in its helpers too.
#![allow(clippy::unwrap_used)]

#[path = "theory/ssd_closed_forms.rs"]
mod closed_forms;
#[path = "examples/ssd_drives.rs"]
mod drives;

#[path = "examples/ssd_commands.rs"]
mod commands;
#[path = "examples/ssd_precondition.rs"]
mod precondition;
#[path = "examples/ssd_refusals.rs"]
mod refusals;
#[path = "examples/ssd_wear.rs"]
mod wear;

#[path = "properties/ssd_conservation.rs"]
mod conservation;
#[path = "properties/ssd_ftl.rs"]
mod ftl;

#[path = "theory/ssd_amplification.rs"]
mod amplification;
#[path = "theory/ssd_scale.rs"]
mod scale;
#[path = "theory/ssd_timing.rs"]
mod timing;
