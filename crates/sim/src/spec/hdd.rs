//! Parameters of a rotating disk.

use super::default::{whole, zones};
use serde::{Deserialize, Serialize};

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
    /// What has been measured of the disk beyond its data sheet.
    #[serde(default)]
    pub measured: HddMeasured,
}

/// What has been measured of a disk: each part replaces what would follow from the data sheet, absent parts do not.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HddMeasured {
    /// Zones, outermost first; then `zones` is ignored and the media rates must agree with the outermost and innermost.
    pub layout: Vec<HddZone>,
    /// The order in which addresses go over the surfaces of a cylinder.
    pub surface_order: SurfaceOrder,
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
    /// Sectors by which a cylinder starts after the last track of the one before.
    pub cylinder_skew: u32,
    /// Cylinders of a range, which has spare sectors of its own; 0 where the whole zone is one.
    #[serde(default)]
    pub range_cylinders: u32,
    /// Sectors without data at the end of each whole range.
    #[serde(default)]
    pub spare_sectors: u32,
    /// Cylinders without data behind the zone.
    #[serde(default)]
    pub empty_cylinders: u32,
}

impl HddZone {
    /// Cylinders of a range.
    pub fn range(&self) -> u32 {
        if self.range_cylinders == 0 { self.cylinders } else { self.range_cylinders }
    }

    /// Sectors with data on so many surfaces.
    pub fn sectors(&self, surfaces: u32) -> u64 {
        let ranges = self.cylinders / self.range().max(1);
        let all = u64::from(self.cylinders) * u64::from(surfaces) * u64::from(self.sectors_per_track);
        all.saturating_sub(u64::from(ranges) * u64::from(self.spare_sectors))
    }
}

/// How addresses go from surface to surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SurfaceOrder {
    /// Each cylinder from the first surface to the last.
    #[default]
    Forward,
    /// Every other cylinder of a zone from the last surface to the first.
    Serpentine,
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
    /// Whether sectors that pass on the way to the first one wanted stay in the buffer.
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
    /// At the end of the track; of the next track if what the segment holds begins on an earlier one.
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
    /// Elevator (SCAN) that turns round at the last command, not at the rim: the next cylinder with a command ahead.
    #[serde(alias = "scan")]
    Look,
    /// In order of arrival.
    Fifo,
}
