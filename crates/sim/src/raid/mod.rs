//! Arrays of drives: RAID 0, 1, 5, 6, 10, 50 and 60, as Linux md does it, with or without a controller.
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
mod processor;
pub mod rebuild;
mod state;
mod stripe;
mod stripe_cache;
mod stripe_work;

pub use array::Array;
pub use health::Health;
pub use layout::{Layout, Level};
pub use log::Log;
pub use members::Priority;
pub(crate) use processor::Pipe;
pub use processor::{ParityWork, Processor};
pub use rebuild::Pace;
