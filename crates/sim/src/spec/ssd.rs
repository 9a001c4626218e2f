//! Parameters of a solid-state drive.

use super::whole;
use serde::{Deserialize, Serialize};

/// A solid-state drive. Times are of one operation; a program covers one flash page on every plane of a die at once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SsdSpec {
    /// User capacity.
    pub logical_bytes: u64,
    /// Flash built in, spare included.
    pub physical_bytes: u64,
    /// Share of the user capacity that is partitioned and ever written, in (0, 1]; the rest serves as spare.
    #[serde(default = "whole")]
    pub partition: f64,
    /// Unit of the mapping table; smaller writes are read-modify-write.
    #[serde(default = "mapping_bytes")]
    pub mapping_bytes: u32,
    /// Flash page of one plane.
    pub page_bytes: u32,
    /// Flash pages in an erase block.
    pub pages_per_block: u32,
    /// Buses between controller and flash.
    pub channels: u32,
    /// Dies on each channel.
    pub dies_per_channel: u32,
    /// Planes of a die that work together.
    pub planes: u32,
    /// Time from flash to the die's register.
    pub read_ns: u64,
    /// Time to program one flash page on all planes; for one-shot programming the time divided by the pages it covers.
    pub program_ns: u64,
    /// Time to erase one block on all planes.
    pub erase_ns: u64,
    /// Time to suspend a program or erase for a read; absent: reads wait.
    #[serde(default)]
    pub suspend_ns: Option<u64>,
    /// Bandwidth of a channel.
    pub channel_bytes_per_s: f64,
    /// Bandwidth of the host link, each way.
    pub link_bytes_per_s: f64,
    /// Bandwidth of the controller for reads; absent: no limit of its own.
    #[serde(default)]
    pub read_bytes_per_s: Option<f64>,
    /// Rate at which the drive can program at most, host writes and copies of garbage collection together (its power
    /// budget, mostly); absent: no limit of its own.
    #[serde(default)]
    pub write_bytes_per_s: Option<f64>,
    /// What a copied page takes of `write_bytes_per_s`, in host pages: 1 if programming is all there is to it, more where
    /// reading, checking and bookkeeping count too.
    #[serde(default = "one")]
    pub copy_cost: f64,
    /// Fixed part of a read's latency that occupies nothing: driver, firmware, decoding.
    #[serde(default)]
    pub read_overhead_ns: u64,
    /// Fixed part of a write's latency that occupies nothing.
    #[serde(default)]
    pub write_overhead_ns: u64,
    /// Controller time for each read command, one after another: its inverse bounds read IOPS.
    #[serde(default)]
    pub read_command_ns: u64,
    /// Controller time for each write command.
    #[serde(default)]
    pub write_command_ns: u64,
    /// Commands the drive takes at once; further ones wait in the host.
    pub queue_depth: u32,
    /// Write buffer.
    pub buffer_bytes: u64,
    /// Whether the buffer is lost without power: then a flush waits until it is empty.
    #[serde(default)]
    pub buffer_volatile: bool,
    /// How blocks to clean are chosen.
    #[serde(default)]
    pub gc: GarbageCollection,
}

/// How the translation layer chooses the block to clean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GarbageCollection {
    /// The block with the fewest valid pages.
    #[default]
    Greedy,
    /// The block written longest ago.
    Fifo,
}

const fn one() -> f64 {
    1.0
}

const fn mapping_bytes() -> u32 {
    4096
}
