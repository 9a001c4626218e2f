//! Tests of the flash translation layer and of wear without a clock.

// A failed unwrap is a failed test, in its helpers too.
#![allow(clippy::unwrap_used)]

// Shared by two test programs; neither uses all of it.
#[path = "examples/ssd_drives.rs"]
#[allow(dead_code)]
mod drives;

#[path = "examples/ssd_wear.rs"]
mod wear;

#[path = "examples/ssd_policies.rs"]
mod policies;

#[path = "properties/ssd_ftl.rs"]
mod ftl;

#[path = "theory/ssd_amplification.rs"]
mod amplification;
#[path = "theory/ssd_closed_forms.rs"]
mod closed_forms;
#[path = "theory/ssd_levelling.rs"]
mod levelling;
#[path = "theory/ssd_scale.rs"]
mod scale;
#[path = "theory/ssd_streams.rs"]
mod streams;
#[path = "theory/ssd_tables.rs"]
mod tables;
