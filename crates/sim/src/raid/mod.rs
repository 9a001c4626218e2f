//! Arrays of drives: RAID 0, 1, 5, 6 and 10, as Linux md does it, with or without a [`crate::controller`].
//!
//! [`layout`] says where each byte lies and where its parity does; [`plan`] says which member reads and writes one
//! request needs; [`array`] carries them out in time. `docs/explanation/raid.md` explains the model and what it leaves out.

pub mod array;
mod degraded;
pub mod health;
pub mod layout;
mod lock;
pub mod log;
mod members;
pub mod plan;
pub mod rebuild;
mod rows;

pub use array::Array;
pub use health::Health;
pub use layout::{Layout, Level};
pub use log::Log;
pub use rebuild::Pace;
