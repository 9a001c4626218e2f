//! Arrays, hosts, outcomes, designs: all kinds of tests in one binary.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "examples/alike.rs"]
mod alike;
#[path = "properties/alone.rs"]
mod alone;
#[path = "theory/alone_in_array.rs"]
mod alone_in_array;
#[path = "theory/block_layer.rs"]
mod block_layer;
#[path = "theory/controller.rs"]
mod controller;
#[path = "theory/degraded.rs"]
mod degraded;
#[path = "examples/design.rs"]
mod design;
#[path = "properties/design_line.rs"]
mod design_line;
#[path = "theory/effective_iops.rs"]
mod effective_iops;
#[path = "examples/errors.rs"]
mod errors;
#[path = "examples/host.rs"]
mod host;
#[path = "examples/kept.rs"]
mod kept;
#[path = "properties/layout.rs"]
mod layout;
#[path = "snapshots/outcome.rs"]
mod outcome;
#[path = "properties/plan.rs"]
mod plan;
#[path = "theory/queues.rs"]
mod queues;
#[path = "theory/slowest_member.rs"]
mod slowest_member;
#[path = "theory/small_writes.rs"]
mod small_writes;
mod station;
mod strict;
#[path = "theory/stripe_cache.rs"]
mod stripe_cache;
#[path = "properties/stripe_cache.rs"]
mod stripe_cache_reads;
#[path = "properties/traffic.rs"]
mod traffic;
#[path = "examples/whole.rs"]
mod whole;
#[path = "examples/windowed.rs"]
mod windowed;
#[path = "theory/write_cache.rs"]
mod write_cache;
