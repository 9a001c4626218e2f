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

use drivecast_sim::spec;

/// Parts of the library that nothing else sees, with the tests in their files.
#[path = "../src/cache"]
#[allow(dead_code, reason = "their tests alone are of interest here")]
mod cache {
    mod arc;
    mod chain;
    mod geometry;
    mod index;
    mod io;
    mod merge;
    mod sequential;
    mod stretch;

    mod cachelib {
        mod buckets;
    }
    mod dm_cache {
        mod hotspot;
        mod levels;
    }
    mod lines {
        mod admission;
        mod chunks;
        mod table;
    }
}
