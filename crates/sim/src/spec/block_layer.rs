//! Parameters of the operating system's queue in front of a drive.

use super::SpecError;
use serde::{Deserialize, Serialize};

/// The queue of a block device; see [`crate::block_layer`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlockLayerSpec {
    /// How the next request for the device is chosen.
    pub scheduler: BlockScheduler,
    /// Requests that the queue holds, those at the device among them; beyond, submitters sleep (`nr_requests`).
    pub requests: u32,
    /// Requests that the device takes at a time, while the scheduler orders the rest; none: as many as its drives take.
    #[serde(default)]
    pub device_depth: Option<u32>,
}

/// Linux's schedulers, as far as they decide the order of requests of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BlockScheduler {
    /// In order of arrival (noop, none).
    Fifo,
    /// One sweep after the other by address, each from the oldest request on (deadline, mq-deadline).
    Deadline,
    /// Slices of time for each submitter (cfq).
    Cfq,
}

impl BlockLayerSpec {
    /// Refuses what cannot be.
    ///
    /// # Errors
    /// The first field out of its range.
    pub fn check(&self) -> Result<(), SpecError> {
        let depth = self.device_depth.unwrap_or(1);
        for (field, count) in [("block_layer.requests", self.requests), ("block_layer.device_depth", depth)] {
            SpecError::unless(count > 0, field, "at least 1", count)?;
        }
        Ok(())
    }
}
