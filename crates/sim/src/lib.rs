//! Simulated storage: devices that obey [`drivecast_block::Device`], the hosts that drive them, and what comes out.

pub mod block_layer;
pub mod cache;
mod completion_queue;
pub mod controller;
pub mod design;
pub mod error;
pub mod fixed_service;
pub mod hdd;
pub mod host;
pub mod loss;
pub mod outcome;
pub mod raid;
pub mod request_slots;
pub mod run;
#[cfg(not(target_arch = "wasm32"))]
pub mod slow_device;
pub mod spec;
pub mod ssd;
pub mod volume;

pub use error::SimError;
