//! What a drive is, in physical terms: the parameters a simulated device is built from.
//!
//! A specification arrives as JSON or TOML (from the catalog) or as a line (`ssd(logical=16GiB, …)`), is checked once,
//! strictly, and is then valid by construction. Prices, endurance ratings and sources are not here: a device does not
//! know what it costs.

mod block_layer;
mod cache;
mod cache_layer;
mod cache_lib;
mod cache_lines;
mod cache_others;
mod controller;
pub mod default;
mod error;
mod hdd;
mod ssd;
mod volume;

pub use block_layer::{BlockLayerSpec, BlockScheduler};
pub use cache::{CacheMode, FlashCacheSpec, Reclaim, VCacheSpec};
pub use cache_layer::{CacheLayerSpec, CachePolicy, Restart};
pub use cache_lib::{Admission, CacheLibSpec};
pub use cache_lines::{BcacheSpec, Cleaning, DmWritecacheSpec, OpenCasSpec, SequentialCutoff};
pub use cache_others::{DmCacheSpec, L2ArcSpec, SlogSpec};
pub use controller::{CacheSpec, ControllerSpec};
pub use error::SpecError;
pub use hdd::{
    HddBuffer, HddMeasured, HddOverhead, HddOverheads, HddSpec, HddZone, ReadAhead, Scheduler, Seek,
    SurfaceOrder,
};
pub use ssd::{BackgroundGc, GarbageCollection, SsdSpec, StreamBy, StreamSpare, WearLevelling};
pub use volume::{VolumeCap, VolumeCaps, VolumeFront, VolumeOp, VolumeSpec, VolumeStalls};

use serde::{Deserialize, Serialize};

/// A drive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum DriveSpec {
    /// Flash behind a translation layer.
    Ssd(SsdSpec),
    /// Rotating disk.
    Hdd(HddSpec),
    /// Volume whose inside is not known.
    Volume(VolumeSpec),
}
