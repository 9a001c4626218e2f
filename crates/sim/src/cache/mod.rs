//! Caches: one device before another, as a device that holds both.
//!
//! [`CacheLayer`] carries out in time, or outside it, what a policy decides: which I/Os on the fast and the slow device a request
//! becomes, in what order, and what the cache does on its own. `docs/explanation/caches.md` explains the models.

mod arc;
mod cachelib;
mod chain;
mod dm_cache;
mod flashcache;
mod geometry;
mod index;
mod io;
mod l2arc;
mod layer;
mod lines;
mod merge;
mod orders;
mod policy;
mod processes;
mod sequential;
mod slog;
mod statistics;
mod stretch;
mod untimed;
mod vcache;

pub use flashcache::{Identity, InFlight};
pub(crate) use io::Side;
pub(crate) use layer::Held;
pub use layer::{CacheLayer, Sizes};
pub use statistics::Cached;
pub(crate) use untimed::Untimed;
