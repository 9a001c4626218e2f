//! What the assessment starts from: drives, prices, the load, and what was seen of each design.

use crate::endurance::Rating;
use crate::latency::DriveErrors;
use crate::loss::Reliability;
use crate::redundancy::{Level, Redundancy};
use crate::span::Span;
use serde::{Deserialize, Deserializer, Serialize};

/// A figure with its bounds, how it is known, and from where.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// The figure.
    #[serde(flatten)]
    pub span: Span,
    /// Measured, published, fitted, assumed, given or derived.
    pub provenance: String,
    /// The document, or the reason.
    pub source: String,
}

/// What a drive is put into.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bay {
    /// Of a server, with lanes of PCIe.
    Nvme,
    /// Of a server, of 2.5 inch, for SATA and SAS.
    #[default]
    Sata,
    /// Of 3.5 inch, in a server or a shelf.
    Large,
}

/// A drive of the catalog.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Drive {
    /// In the catalog.
    pub name: String,
    /// For people.
    pub title: String,
    /// What it keeps data in: the kind of its flash, or `HDD`.
    pub flash: String,
    /// The class that buyers compare within, whose prices move together.
    pub class: String,
    /// Capacity sold.
    pub user_bytes: u64,
    /// Whether writes wear it.
    pub is_flash: bool,
    /// What it is put into.
    #[serde(default)]
    pub bay: Bay,
    /// Whether its latency was measured under load.
    #[serde(default)]
    pub measured: bool,
    /// Power when idle.
    pub idle_w: f64,
    /// Power while it reads.
    pub read_w: f64,
    /// Power while it writes.
    pub write_w: f64,
    /// Term of the warranty.
    pub warranty_years: f64,
    /// How often it fails, and how its data are lost.
    pub reliability: Reliability,
    /// How the failure rate is known.
    #[serde(default)]
    pub rating: Option<Rating>,
    /// Of one drive, in dollars.
    pub price: Figure,
    /// How the cycles of its flash are known, and from where.
    #[serde(default)]
    pub cycles: Option<[String; 2]>,
    /// How fast it reads in sequence, or its link is.
    pub read_bytes_per_s: f64,
    /// How fast it writes in sequence, or its link is.
    pub write_bytes_per_s: f64,
    /// Place of its errors of latency among those that a plan carries; none for a disk.
    #[serde(default)]
    pub latency: Option<usize>,
}

/// Prices of all but drives, in dollars.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prices {
    /// Of flash, a year.
    pub flash_decline: Figure,
    /// Of disks, a year.
    pub disk_decline: Figure,
    /// A kilowatt-hour.
    pub usd_per_kwh: Figure,
    /// Power usage effectiveness.
    pub pue: Figure,
    /// What an unworn drive brings at the end, as a share of its price then.
    pub residual: Figure,
    /// A share of backplane and cables, of a 2.5 inch drive of SATA or SAS.
    pub slot: Figure,
    /// Of an NVMe drive, with its lanes.
    pub nvme_slot: Figure,
    /// Of a 3.5 inch drive.
    pub large_slot: Figure,
    /// Of SATA and SAS, beyond the ports of the board.
    pub adapter: Figure,
    /// Drives that an adapter serves.
    pub adapter_ports: u32,
    /// Drives that the board serves.
    pub board_ports: u32,
    /// A technician who replaces a drive.
    pub visit: Figure,
    /// An hour without the data.
    pub outage: Figure,
    /// How fast a backup is restored.
    pub restore_bytes_per_s: f64,
    /// What a restore does not bring back.
    pub data_value: Figure,
    /// A shelf.
    pub enclosure: Figure,
    /// Controller of an array.
    pub controller: Figure,
    /// Power of a slot.
    pub slot_w: f64,
    /// Power of a shelf.
    pub enclosure_w: f64,
    /// Drives of a shelf.
    pub enclosure_slots: u32,
    /// Power of a controller.
    pub controller_w: f64,
    /// Standard deviation of the logarithm of the years' highest peak over the measured one.
    #[serde(default)]
    pub peak_spread: f64,
}

impl Prices {
    /// The bay of a drive.
    #[must_use]
    pub const fn slot(&self, drive: &Drive) -> &Figure {
        match drive.bay {
            Bay::Nvme => &self.nvme_slot,
            Bay::Sata => &self.slot,
            Bay::Large => &self.large_slot,
        }
    }

    /// Adapters that so many drives need; NVMe drives have the lanes of their bays.
    #[must_use]
    pub const fn adapters(&self, drive: &Drive, count: u32) -> u32 {
        match (drive.bay, self.adapter_ports) {
            (Bay::Nvme, _) | (_, 0) => 0,
            (_, ports) => count.saturating_sub(self.board_ports).div_ceil(ports),
        }
    }

    /// How prices of that kind of drive fall.
    #[must_use]
    pub const fn decline(&self, drive: &Drive) -> &Figure {
        if drive.is_flash { &self.flash_decline } else { &self.disk_decline }
    }
}

/// The workload, as far as it matters without a simulation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Load {
    /// Of the log.
    pub duration_s: f64,
    /// Of the host, at the log's rate.
    pub write_bytes_per_day: f64,
    /// Of the host, over the log.
    pub bytes_read: f64,
    /// Mean requests a second over the log.
    pub iops_mean: f64,
    /// Mean requests a second of the busiest window.
    pub peak_iops_mean: f64,
    /// The highest address used.
    pub extent_bytes: u64,
}

/// Drives of one kind at one level, and those that wait for a failure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Design {
    /// As it is written on the command line.
    #[serde(default)]
    pub line: String,
    /// How data are spread; none is one drive.
    #[serde(default, deserialize_with = "level")]
    pub level: Level,
    /// Drives that are bought, spares among them.
    pub count: u32,
    /// Drives that wait for a failure.
    #[serde(default)]
    pub spares: u32,
    /// As [`Redundancy::of`] takes them.
    #[serde(default)]
    pub groups: Option<u32>,
    /// Share of each drive that is used.
    #[serde(default = "whole")]
    pub partition: f64,
    /// Of a stripe, on each drive; none: 64.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chunk_kib: Option<u32>,
}

const fn whole() -> f64 {
    1.0
}

fn level<'de, D: Deserializer<'de>>(from: D) -> Result<Level, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or_default())
}

impl Design {
    /// Drives in use.
    #[must_use]
    pub const fn in_use(&self) -> u32 {
        self.count.saturating_sub(self.spares)
    }

    /// The groups that fail on their own; none where the drives do not make equal groups.
    #[must_use]
    pub fn redundancy(&self) -> Option<Redundancy> {
        Redundancy::of(self.level, self.in_use(), self.groups)
    }

    /// Capacity that holds data.
    #[must_use]
    pub fn usable_bytes(&self, drive: &Drive) -> u64 {
        let data_drives = self.redundancy().map_or(0, Redundancy::data_drives);
        (f64::from(data_drives) * drive.user_bytes as f64 * self.partition) as u64
    }
}

/// What a run of the peak said of a design's drives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Worked {
    /// Share of time in which a drive works.
    pub utilization: f64,
    /// By the host.
    pub host_read_bytes: f64,
    /// By the drives.
    pub device_read_bytes: f64,
    /// By the drives.
    pub device_written_bytes: f64,
}

/// How an array wears.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Wear {
    /// Bytes that flash programs for a byte that a drive is sent.
    pub amplification: Span,
    /// Bytes that the drives are sent for a byte of the host.
    pub member_writes: f64,
    /// Drives that share them.
    pub members: u32,
}

/// What was seen of a design that was tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Seen {
    /// At the measured peak.
    pub worked: Worked,
    /// None where writing wears nothing out, or the design was given up before.
    #[serde(default)]
    pub wear: Option<Wear>,
    /// The most load that is known to hold, as a multiple of the peak; none where it misses, or none is known: then it
    /// is not outgrown.
    #[serde(default, skip_serializing)]
    pub held: Option<f64>,
    /// Hours a failed drive in which the limits are missed, while it is waited for or rebuilt.
    #[serde(default, skip_serializing)]
    pub missed_h: f64,
}

/// How far latencies of a drive may be off, by operation: p99 alone is compared with limits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LatencyErrors {
    /// Of reads.
    pub read: Vec<DriveErrors>,
    /// Of writes.
    pub write: Vec<DriveErrors>,
}
