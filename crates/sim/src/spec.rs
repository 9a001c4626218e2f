//! What a drive is, in physical terms: the parameters a simulated device is built from.
//!
//! A specification arrives as JSON or TOML (from the catalog) or as a line (`ssd(logical=16GiB, …)`), is checked once,
//! strictly, and is then valid by construction. Prices, endurance ratings and sources are not here: a device does not
//! know what it costs.

use serde::{Deserialize, Serialize};

/// A drive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum DriveSpec {
    /// Flash behind a translation layer.
    Ssd(SsdSpec),
    /// Rotating disk.
    Hdd(HddSpec),
}

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

/// A rotating disk.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HddSpec {
    /// User capacity.
    pub capacity_bytes: u64,
    /// Share of the capacity in use, outermost first (short stroking), in (0, 1].
    #[serde(default = "whole")]
    pub partition: f64,
    /// Rotations a minute.
    pub rpm: f64,
    /// Recording surfaces, that is heads.
    pub surfaces: u32,
    /// Media rate of the outermost zone.
    pub outer_bytes_per_s: f64,
    /// Media rate of the innermost zone.
    pub inner_bytes_per_s: f64,
    /// Zones of constant sectors a track.
    #[serde(default = "zones")]
    pub zones: u32,
    /// Time to move the heads.
    pub seek: Seek,
    /// Settling time that a write needs on top of a read's.
    #[serde(default)]
    pub write_settle_ns: u64,
    /// Time to change the head within a cylinder.
    pub head_switch_ns: u64,
    /// Controller time for a request, before the heads move.
    #[serde(default)]
    pub overhead_ns: u64,
    /// Bandwidth of the host link.
    pub link_bytes_per_s: f64,
    /// Commands the disk takes and reorders; 1 without command queueing.
    pub queue_depth: u32,
    /// How the next command is chosen.
    #[serde(default)]
    pub scheduler: Scheduler,
    /// Buffer for read-ahead and, with `write_cache`, for writes.
    pub cache_bytes: u64,
    /// Whether writes complete in the (volatile) cache: then a flush waits until it is on the medium.
    #[serde(default)]
    pub write_cache: bool,
    /// What measurement tells of the disk beyond its data sheet.
    #[serde(default)]
    pub measured: HddMeasured,
}

/// What has been measured of a disk: each part replaces what would follow from the data sheet, absent parts do not.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HddMeasured {
    /// Zones, outermost first; then `zones` is ignored and the media rates must agree with the outermost and innermost.
    pub layout: Vec<HddZone>,
    /// Controller times, in place of `overhead_ns`.
    pub overheads: Option<HddOverheads>,
    /// The buffer's division, in place of an assumed one; the segments together must fit into `cache_bytes`.
    pub buffer: Option<HddBuffer>,
}

/// A run of cylinders with the same number of 512-byte sectors a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HddZone {
    /// Cylinders of the zone.
    pub cylinders: u32,
    /// Sectors of a track.
    pub sectors_per_track: u32,
    /// Sectors by which a track starts behind the one before on the same cylinder.
    pub track_skew: u32,
    /// Sectors by which a cylinder starts behind the last track of the one before.
    pub cylinder_skew: u32,
}

/// Controller time before anything else, by command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HddOverheads {
    /// Reads from the buffer.
    pub read_hit: HddOverhead,
    /// Reads from the medium.
    pub read_miss: HddOverhead,
    /// Writes into the cache.
    pub write_hit: HddOverhead,
    /// Writes to the medium.
    pub write_miss: HddOverhead,
}

/// Controller time by what the command before was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HddOverhead {
    /// After a read.
    pub after_read_ns: u64,
    /// After a write.
    pub after_write_ns: u64,
}

/// A buffer of equal segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HddBuffer {
    /// Segments, those for writes included.
    pub segments: u32,
    /// Segments that written data may fill.
    pub write_segments: u32,
    /// Sectors of a segment.
    pub segment_sectors: u32,
    /// How far the disk reads ahead.
    pub read_ahead: ReadAhead,
    /// Whether sectors that pass on the way to the first one wanted are kept.
    pub keeps_passing: bool,
    /// Whether sectors stay in the buffer once the host has them; otherwise reading ahead takes their place.
    pub keeps_delivered: bool,
    /// Whether a read begins with whichever of its sectors on a track comes first (zero-latency reading).
    pub reads_on_arrival: bool,
}

/// Where a disk stops reading ahead of its own accord.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReadAhead {
    /// It does not begin.
    Off,
    /// At the end of the track.
    Track,
    /// When the segment is full.
    #[default]
    Segment,
    /// At the end of the track; of the next track if the reads came from one track to the next.
    NextTrack,
}

/// Seek time over the distance in cylinders.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Seek {
    /// From a data sheet: to the next track, the mean over random requests, and across all cylinders.
    Sheet {
        /// To the next track.
        track_ns: u64,
        /// Mean over pairs of random addresses.
        mean_ns: u64,
        /// Across the whole disk.
        full_ns: u64,
    },
    /// Measured points, joined by straight lines.
    Table {
        /// Distances in cylinders, rising, from 1.
        distances: Vec<u32>,
        /// Times, one a distance.
        times_ns: Vec<u64>,
    },
}

/// The order in which a disk serves its queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scheduler {
    /// Shortest positioning time first: seek and rotation together.
    #[default]
    Sptf,
    /// In order of arrival.
    Fifo,
}

const fn whole() -> f64 {
    1.0
}

const fn one() -> f64 {
    1.0
}

const fn mapping_bytes() -> u32 {
    4096
}

const fn zones() -> u32 {
    16
}
