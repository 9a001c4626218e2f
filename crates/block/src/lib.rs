//! The vocabulary of Drivecast: units, requests, the [`Device`] trait, what a trace holds, and the one-line grammar in
//! which people write designs and workloads; functions of real numbers that are the same on every machine; and a hint to
//! the processor that all large maps give. Everything else is written in these words; nothing here depends on anything
//! else of the project.

pub mod cached;
pub mod io;
pub mod line;
pub mod math;
pub mod prefetch;
pub mod random;
pub mod record;
pub mod schema;
pub mod units;

pub use cached::CacheCounters;
pub use io::{Completion, Counters, Device, Op, Request};
pub use prefetch::prefetch;
pub use record::{Record, Sample};
pub use units::{Bytes, Nanos};
