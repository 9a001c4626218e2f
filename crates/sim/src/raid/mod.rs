//! Arrays of drives: RAID 0, 1, 5, 6 and 10, as Linux md does it, with or without a [`crate::controller`].
//!
//! [`layout`] says where each byte lies and where its parity does; [`plan`] says which member reads and writes one
//! request needs; [`array`] carries them out in time. `docs/explanation/raid.md` explains the model and what it leaves out.

pub mod array;
pub mod layout;
mod lock;
mod members;
pub mod plan;

pub use array::Array;
pub use layout::{Layout, Level};
