//! Eviction: which object leaves a cache, and what comes of a trace under each policy and size of cache, without time.
//!
//! MODEL. [`Collector`] numbers the references of a trace and keeps them, all or a sample, as [`Accesses`]; [`play`] sends
//! these through a cache of one size under one policy, [`EverySize`] through LRU caches of all sizes at once. Objects are
//! numbered densely, so a policy looks nothing up: what it knows of an object lies in an array. Left out: time, and with
//! it latency, prefetching and cleaning before eviction; `drivecast_sim` has a cache that takes time.
//!
//! ```
//! use drivecast_block::{Nanos, Op, Record};
//! use drivecast_workload::eviction::{By, Collector, Eviction, Limits, play};
//!
//! let read = |block: u64| Record {
//!     time: Nanos(0),
//!     offset: block * 4096,
//!     size: 4096,
//!     stream: 0,
//!     op: Op::Read,
//!     fua: false,
//!     latency: None,
//! };
//! let mut collector = Collector::new(By::Block, Limits::default());
//! [1, 2, 1, 3, 1, 2].map(read).iter().for_each(|record| collector.push(record));
//! let accesses = collector.finish();
//! let misses = |eviction| play(&accesses, eviction, 2 * 4096, 0).read_misses;
//! // In two blocks, LRU keeps block 1, which FIFO gives up for block 3.
//! assert_eq!([Eviction::Lru, Eviction::Fifo, Eviction::Belady].map(misses), [4.0, 5.0, 4.0]);
//! ```

mod accesses;
mod arc;
mod clock;
mod every_size;
mod fifo;
mod kind;
mod lirs;
mod lists;
mod lru;
mod optimum;
mod play;
mod policy;
mod random;
mod s3_fifo;
mod sieve;
mod sketch;
mod two_q;
mod w_tiny_lfu;

pub use accesses::{Accesses, BLOCK_BYTES, By, Collector, Limits, PARTS};
pub use every_size::EverySize;
pub use kind::Eviction;
pub use play::{Counts, behind, play};
