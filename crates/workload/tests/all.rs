//! All integration tests in one binary, a folder for each of the five kinds.

#[path = "examples/compact.rs"]
mod examples_compact;
#[path = "examples/counters.rs"]
mod examples_counters;
#[path = "examples/detail.rs"]
mod examples_detail;
#[path = "examples/edges.rs"]
mod examples_edges;
#[path = "examples/generate.rs"]
mod examples_generate;
#[path = "examples/model.rs"]
mod examples_model;
#[path = "examples/profile.rs"]
mod examples_profile;
#[path = "examples/recast.rs"]
mod examples_recast;
#[path = "examples/spec.rs"]
mod examples_spec;
#[path = "golden/eviction.rs"]
mod golden_eviction;
#[path = "golden/generate.rs"]
mod golden_generate;
#[path = "golden/reuse.rs"]
mod golden_reuse;
#[path = "properties/compact.rs"]
mod properties_compact;
#[path = "properties/counters.rs"]
mod properties_counters;
#[path = "properties/eviction.rs"]
mod properties_eviction;
#[path = "properties/follow.rs"]
mod properties_follow;
#[path = "properties/generate.rs"]
mod properties_generate;
#[path = "properties/model.rs"]
mod properties_model;
#[path = "properties/profile.rs"]
mod properties_profile;
#[path = "properties/recast.rs"]
mod properties_recast;
#[path = "properties/reuse.rs"]
mod properties_reuse;
#[path = "properties/spec.rs"]
mod properties_spec;
#[path = "properties/trace.rs"]
mod properties_trace;
#[path = "snapshots/profile.rs"]
mod snapshots_profile;
#[path = "snapshots/spec.rs"]
mod snapshots_spec;
#[path = "theory/burst.rs"]
mod theory_burst;
#[path = "theory/eviction.rs"]
mod theory_eviction;
#[path = "theory/generate.rs"]
mod theory_generate;
#[path = "theory/model.rs"]
mod theory_model;
#[path = "theory/profile.rs"]
mod theory_profile;
#[path = "theory/reuse.rs"]
mod theory_reuse;
#[path = "theory/sequential_share.rs"]
mod theory_sequential_share;

/// What fuzz targets do with an input, and what they start from.
#[path = "../../../fuzz/trials/seeds.rs"]
mod seeds;
#[path = "../../../fuzz/trials/workload.rs"]
mod trials;

/// A part of the library that nothing else sees, with the tests in its file.
#[path = "../src/generate/scatter.rs"]
mod scatter;
