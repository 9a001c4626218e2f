//! Simulated storage: devices that obey [`drivecast_block::Device`], the hosts that drive them, and what comes out.

pub mod block_layer;
pub mod cache;
pub mod controller;
pub mod design;
pub mod error;
pub mod fixed;
pub mod hdd;
pub mod host;
pub mod loss;
pub mod outcome;
pub mod raid;
mod ready;
pub mod run;
pub mod slab;
#[cfg(not(target_arch = "wasm32"))]
pub mod slowed;
pub mod spec;
pub mod ssd;
pub mod volume;

pub use error::SimError;
