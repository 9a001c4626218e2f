//! Solid-state drives: flash behind a translation layer.
//!
//! Two layers, each usable alone. [`Ftl`] is the flash translation layer without a clock: mapping, garbage
//! collection, erase counts. [`Ssd`] puts the same layer behind channels, dies, a write buffer and a host
//! link, and is a [`drivecast_block::Device`]. [`wear`] drives either until write amplification is steady.
//! How a drive of any capacity becomes one that fits in memory is in [`layout`].
//!
//! The equations, what is left out and how it was checked: `docs/explanation/ssd.md`, of time `ssd-timing.md`.

mod aged;
mod backend;
mod block;
mod buffer;
mod calendar;
mod check;
mod die;
pub mod drive;
pub mod error;
mod events;
pub mod ftl;
pub mod geometry;
pub mod layout;
mod link;
mod map;
mod packed;
pub mod policy;
mod read_time;
mod slc;
mod sparse;
mod victim;
pub mod wear;
mod write_time;

pub use crate::spec::SpecError;
pub use aged::AgedFlash;
pub use drive::Ssd;
pub use error::FtlFault;
pub use ftl::{Cleaned, EraseSpread, Ftl, Sink, Stats};
pub use geometry::Geometry;
pub use layout::{Layout, Preload};
pub use policy::Policy;
