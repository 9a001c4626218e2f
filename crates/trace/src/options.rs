//! What the caller may choose.

use drivecast_block::Nanos;
use serde::{Deserialize, Serialize};

/// Which event of a block trace makes a row. They are different workloads: between the queue and the drive requests are
/// merged, split and reordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Event {
    /// Q: what was asked of the block layer; latency is Q→C, waiting in the scheduler included.
    Queue,
    /// D: what was sent to the drive; latency is D→C, the drive's own.
    Issue,
}

impl Event {
    /// The name used in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Event::Queue => "queue",
            Event::Issue => "issue",
        }
    }
}

/// A block device by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeviceNumber {
    /// The driver's number.
    pub major: u32,
    /// The device's number.
    pub minor: u32,
}

impl DeviceNumber {
    /// From the form in which the kernel writes it into traces.
    #[must_use]
    pub const fn from_raw(raw: u32) -> DeviceNumber {
        DeviceNumber { major: raw >> 20, minor: raw & 0xf_ffff }
    }

    /// The form in which the kernel writes it into traces.
    #[must_use]
    pub const fn raw(self) -> u32 {
        self.major << 20 | self.minor
    }
}

impl std::fmt::Display for DeviceNumber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.major, self.minor)
    }
}

/// Options of reading a log. What a format does not have is ignored.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Which event makes a row; absent: [`Event::Issue`], or what a Parquet file holds.
    pub event: Option<Event>,
    /// The only device to read of a block trace; absent: all.
    pub device: Option<DeviceNumber>,
    /// The disk to read of a counter log; absent: the busiest.
    pub disk: Option<String>,
    /// The interval of a counter log without time stamps; absent: one second, assumed.
    pub interval: Option<Nanos>,
    /// Whether to leave out the first report of a counter log, which without `iostat -y` is the average since boot.
    pub skip_first: bool,
}
