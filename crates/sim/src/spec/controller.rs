//! Parameters of a RAID controller, or of the host that does its work in software.

use super::{BlockLayerSpec, SpecError};
use serde::{Deserialize, Serialize};

/// What runs an array; see [`crate::controller`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ControllerSpec {
    /// Processors that share the work on commands.
    pub cores: u32,
    /// Processor time for a host command, from its arrival to its completion.
    pub host_command_ns: u64,
    /// Processor time for a command to a member, from building it to its completion.
    pub member_command_ns: u64,
    /// Processor time for a stripe whose parity changes.
    #[serde(default)]
    pub stripe_ns: u64,
    /// Bytes of a chunk that are handled as one stripe; none: however much of the chunk changes.
    #[serde(default)]
    pub stripe_bytes: Option<u64>,
    /// Bytes of each member in a stripe cache, in which writes in order join; none: each is carried out alone.
    #[serde(default)]
    pub stripe_cache_bytes: Option<u64>,
    /// Threads of their own for the work on stripes and parity; none: the processors do it among their commands.
    #[serde(default)]
    pub stripe_threads: Option<u32>,
    /// Bytes that an exclusive or takes in, all sources together.
    pub xor_bytes_per_s: f64,
    /// Bytes that the second parity of RAID 6 takes in, all sources together.
    pub q_bytes_per_s: f64,
    /// Whether the processors compute parity themselves, rather than a separate engine.
    #[serde(default)]
    pub parity_on_cores: bool,
    /// Link to the host, each way; none: no limit.
    #[serde(default)]
    pub host_bytes_per_s: Option<f64>,
    /// Memory that all data cross, each byte once in and once out; none: no limit.
    #[serde(default)]
    pub memory_bytes_per_s: Option<f64>,
    /// Link to each member, to which a faster drive falls back; none: the drive's own.
    #[serde(default)]
    pub port_bytes_per_s: Option<f64>,
    /// Host commands in work at a time; the rest wait.
    pub queue_depth: u32,
    /// Commands outstanding at each member; the rest wait.
    pub member_queue_depth: u32,
    /// Time that a read takes of the link to its member besides its data; a member that takes longer does.
    #[serde(default)]
    pub port_read_ns: u64,
    /// The same for a write.
    #[serde(default)]
    pub port_write_ns: u64,
    /// How long the host learns later of a command that is done, while `coalesce_from` or more are in work.
    #[serde(default)]
    pub coalesce_ns: u64,
    /// See `coalesce_ns`.
    #[serde(default)]
    pub coalesce_from: u32,
    /// Cache for writes; none: a write is complete when the members have it.
    #[serde(default)]
    pub cache: Option<CacheSpec>,
    /// The operating system's queue in front; none: everything outstanding is at the controller.
    #[serde(default)]
    pub block_layer: Option<BlockLayerSpec>,
}

/// A cache that completes writes before the members have them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CacheSpec {
    /// Bytes that may be dirty at a time.
    pub bytes: u64,
    /// Whether a battery (or flash with a capacitor) keeps the data without power: then a flush has nothing to do.
    pub battery: bool,
    /// Share of `bytes` beyond which dirty stripes are written out although nothing waits for space.
    pub destage_above: f64,
    /// Stripes being written out at a time.
    pub destage_stripes: u32,
    /// Commands at each member at a time for stripes that are written out in part.
    pub destage_depth: u32,
}

impl ControllerSpec {
    /// Refuses what cannot be.
    ///
    /// # Errors
    /// The first field out of its range.
    pub fn check(&self) -> Result<(), SpecError> {
        let cache = self.cache.unwrap_or(CacheSpec {
            bytes: 1,
            battery: true,
            destage_above: 0.5,
            destage_stripes: 1,
            destage_depth: 1,
        });
        for (field, count) in [
            ("cores", u64::from(self.cores)),
            ("stripe_bytes", self.stripe_bytes.unwrap_or(1)),
            ("stripe_cache_bytes", self.stripe_cache_bytes.unwrap_or(1)),
            ("stripe_threads", u64::from(self.stripe_threads.unwrap_or(1))),
            ("queue_depth", u64::from(self.queue_depth)),
            ("member_queue_depth", u64::from(self.member_queue_depth)),
            ("cache.bytes", cache.bytes),
            ("cache.destage_stripes", u64::from(cache.destage_stripes)),
            ("cache.destage_depth", u64::from(cache.destage_depth)),
        ] {
            if count == 0 {
                return Err(SpecError::new(field, "at least 1", 0));
            }
        }
        for (field, rate) in [
            ("xor_bytes_per_s", Some(self.xor_bytes_per_s)),
            ("q_bytes_per_s", Some(self.q_bytes_per_s)),
            ("host_bytes_per_s", self.host_bytes_per_s),
            ("memory_bytes_per_s", self.memory_bytes_per_s),
            ("port_bytes_per_s", self.port_bytes_per_s),
        ] {
            if let Some(rate) = rate.filter(|rate| !(rate.is_finite() && *rate > 0.0)) {
                return Err(SpecError::new(field, "a rate above 0", rate));
            }
        }
        if let Some(block_layer) = &self.block_layer {
            block_layer.check()?;
        }
        let share = cache.destage_above;
        SpecError::unless((0.0..=1.0).contains(&share), "cache.destage_above", "a share from 0 to 1", share)
    }
}
