//! Loss of data in groups: all kinds of tests in one binary.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "theory/loss_chain.rs"]
mod chain;
#[path = "theory/loss_elerath.rs"]
mod elerath;
mod plain;
#[path = "theory/loss_plain.rs"]
mod plainly;
#[path = "properties/loss_bounds.rs"]
mod properties;
#[path = "examples/loss_refusals.rs"]
mod refusals;
