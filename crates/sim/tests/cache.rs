//! Caches: all kinds of tests in one binary.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "examples/cache_design.rs"]
mod cache_design;
#[path = "examples/cache_flashcache.rs"]
mod cache_flashcache;
#[path = "examples/cache_lib.rs"]
mod cache_lib;
#[path = "theory/cache_lib_hits.rs"]
mod cache_lib_hits;
#[path = "examples/cache_others.rs"]
mod cache_others;
#[path = "theory/cache_times.rs"]
mod cache_times;
#[path = "properties/cache_traffic.rs"]
mod cache_traffic;
mod strict;
