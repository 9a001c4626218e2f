//! What the caller may choose.

use crate::error::TraceError;
use drivecast_block::Nanos;
use serde::{Deserialize, Serialize};

/// Which event of a block trace makes a row. They are different workloads: between the queue and the drive requests are
/// merged, split and reordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Event {
    /// Q: a request to the block layer; latency is Q→C, waiting in the scheduler included.
    Queue,
    /// D: a request sent to the drive; latency is D→C, the drive's own.
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
    /// The disk to read, as the log names it; absent: the busiest of a counter log, all of a trace.
    pub disk: Option<String>,
    /// The time between the samples of a counter log, or the requests of a trace, that have no times; absent: one second, or
    /// one millisecond, assumed.
    pub interval: Option<Nanos>,
    /// The name of the format, where the content is ambiguous.
    pub format: Option<String>,
    /// What the columns of a table are: `time=ts:us,op=type:R/W,offset=lba:512,size=len:1`.
    pub csv: Option<String>,
    /// Whether a log that lacks something, or has lines that cannot be read, is refused.
    pub strict: bool,
    /// Whether to leave out the first report of a counter log, which without `iostat -y` is the average since boot.
    pub skip_first: bool,
    /// Whether the per-CPU files given are all that was recorded: a CPU without a file, or with an empty one, was idle.
    pub whole_set: bool,
}

impl Options {
    /// The device of block events to read.
    pub(crate) fn device(&self) -> Result<Option<DeviceNumber>, TraceError> {
        let number = |text: &str| {
            let (major, minor) = text.split_once([':', ','])?;
            let (major, minor) = (major.trim().parse().ok()?, minor.trim().parse().ok()?);
            (major < 1 << 12 && minor < 1 << 20).then_some(DeviceNumber { major, minor })
        };
        match (&self.device, &self.disk) {
            (Some(device), _) => Ok(Some(*device)),
            (None, None) => Ok(None),
            (None, Some(text)) => number(text).map(Some).ok_or_else(|| {
                refuse(text, "a device as `major:minor`, such as `8:16`", "`lsblk` lists them under MAJ:MIN")
            }),
        }
    }
}

fn refuse(found: &str, expected: &str, hint: &str) -> TraceError {
    TraceError::Choice {
        option: "--disk",
        expected: expected.to_owned(),
        found: format!("`{found}`"),
        hint: hint.to_owned(),
    }
}
