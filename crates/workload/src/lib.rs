//! Workloads: what a recording shows ([`profile`]), how one is written down ([`spec`]), and how its requests are made
//! again ([`generate`]).
//!
//! A [`Profiler`] takes the records of a trace one by one and ends in a [`Profile`]; a [`CounterProfiler`] makes as much
//! of the same from a counter log. A [`WorkloadSpec`] is read from one line; a [`Generator`] turns it into requests on a
//! device of some capacity, [`Arrivals`] into times, and [`Replay`] does both from a recording. [`compact()`] packs a
//! recording into a few bytes a request, for a report to carry.
//!
//! ```
//! use drivecast_block::Bytes;
//! use drivecast_workload::{Generator, WorkloadSpec};
//!
//! let spec = WorkloadSpec::parse("random(4KiB, read=0.7, iodepth=32)")?;
//! let mut generator = Generator::new(&spec, Bytes::gib(16), 1)?;
//! let io = generator.next();
//! assert_eq!((io.size, io.offset % 4096), (4096, 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod compact;
pub mod eviction;
pub mod generate;
pub mod model;
pub mod profile;
pub mod reuse;
pub mod spec;

pub use compact::{CompactError, compact, expand};
pub use generate::{ArrivalProcess, Arrivals, Generator, Io, Replay, hurried, packed, spread};
pub use model::{Model, ModelError};
pub use profile::{
    CounterOptions, CounterProfiler, Directed, Profile, ProfileOptions, Profiler, SequentialShare,
    ShareInterval,
};
pub use spec::{Pattern, SizeShare, SpecError, WorkloadSpec};
