//! What a log was: format, files, tallies of events, notes. Written into Parquet as it is, and read back from there.

use crate::options::Event;
use drivecast_block::Op;
use serde::{Deserialize, Serialize};

/// Version of the JSON of the summaries.
pub const SUMMARY_SCHEMA_VERSION: u32 = 1;

/// One file of a log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileSummary {
    /// Its name without directories.
    pub name: String,
    /// Decompressed size.
    pub bytes: u64,
    /// BLAKE3 of the decompressed content, in hexadecimal.
    pub hash: String,
}

/// How many events of one kind, and how much they moved.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// The kind: `queue`, `issue` or `complete` of blktrace, `request` of other formats.
    pub event: String,
    /// All events of this kind.
    pub events: u64,
    /// Reads of at least one byte.
    pub reads: u64,
    /// Bytes of these reads.
    pub read_bytes: u64,
    /// Writes of at least one byte.
    pub writes: u64,
    /// Bytes of these writes.
    pub write_bytes: u64,
    /// Events without data: flushes, and in blktrace the ends of writes that wait for a flush.
    pub zero_length: u64,
    /// Discards of at least one byte.
    pub discards: u64,
    /// Bytes of these discards.
    pub discard_bytes: u64,
}

impl Tally {
    pub(crate) fn new(event: &str) -> Tally {
        Tally { event: event.to_owned(), ..Tally::default() }
    }

    #[inline(always)]
    pub(crate) fn add(&mut self, op: Op, bytes: u32) {
        self.events += 1;
        let (count, sum) = match op {
            _ if bytes == 0 => {
                self.zero_length += 1;
                return;
            }
            Op::Read => (&mut self.reads, &mut self.read_bytes),
            Op::Write | Op::Flush => (&mut self.writes, &mut self.write_bytes),
            Op::Discard => (&mut self.discards, &mut self.discard_bytes),
        };
        *count += 1;
        *sum += u64::from(bytes);
    }
}

/// A device in a trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceSummary {
    /// `major:minor`.
    pub device: String,
    /// Its Q, D and C events.
    pub events: u64,
}

/// A process in a trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessSummary {
    /// The stream of its requests: its number.
    pub stream: u32,
    /// What it is called.
    pub name: String,
}

/// What a trace was. Complete once the trace has been read to its end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Version of this structure.
    pub schema_version: u32,
    /// The name of the files' format.
    pub format: String,
    /// Units and codes as they were understood, where the format leaves them open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coding: Option<String>,
    /// The files, in the order in which equal times are merged.
    pub files: Vec<FileSummary>,
    /// Identity of the content: of one file its hash, of several BLAKE3 over their 32-byte hashes in order.
    pub hash: String,
    /// Which event makes a row, where the format has several.
    pub event: Option<Event>,
    /// Rows read so far.
    pub rows: u64,
    /// Rows with a latency.
    pub rows_with_latency: u64,
    /// Time of the last row; the first event of the trace is time zero.
    pub duration_ns: u64,
    /// Tallies by kind of event.
    pub tallies: Vec<Tally>,
    /// The devices, where the format names them.
    pub devices: Vec<DeviceSummary>,
    /// The processes, where the format names them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub processes: Vec<ProcessSummary>,
    /// The disks and their totals, where several share the trace and none was chosen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disks: Vec<DiskSummary>,
    /// Whether the log has no times, so that all rates are assumed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub assumed_times: bool,
    /// What the reader should know: what is missing, left out or assumed.
    pub notes: Vec<String>,
    /// Whether the trace has been read to its end.
    pub complete: bool,
}

impl Summary {
    /// The tally of one kind of event (`queue`, `issue`, `complete`, `request`).
    pub fn tally(&self, event: &str) -> Option<&Tally> {
        self.tallies.iter().find(|tally| tally.event == event)
    }

    /// Reads the JSON that Parquet files carry.
    ///
    /// # Errors
    /// Not such JSON, or of another version.
    pub fn from_json(json: &str) -> Result<Summary, String> {
        let summary: Summary = serde_json::from_str(json).map_err(|error| error.to_string())?;
        check_version(summary.schema_version)?;
        Ok(summary)
    }
}

/// A disk in a log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DiskSummary {
    /// Its name.
    pub disk: String,
    /// Requests over the whole log, flushes included.
    pub requests: f64,
    /// Bytes read and written over the whole log.
    #[serde(default)]
    pub bytes: f64,
}

/// Where the length of an interval comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum IntervalOrigin {
    /// From the time stamps of the log.
    Measured,
    /// From the caller.
    Given,
    /// The log has no time stamps: one second.
    Assumed,
}

/// What a counter log has only together for reads and writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Merged {
    /// Requests: split in proportion to the bytes.
    Requests,
    /// Mean latency: that of both is used for each.
    Latency,
}

impl Merged {
    /// What is taken instead, as a sentence without a full stop.
    #[must_use]
    pub const fn explanation(self) -> &'static str {
        match self {
            Merged::Requests => {
                "the log counts reads and writes together; they are split in proportion to the bytes, as if equally large"
            }
            Merged::Latency => "the log has one mean latency for reads and writes; it stands for each",
        }
    }
}

/// What a counter log was.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CounterSummary {
    /// Version of this structure.
    pub schema_version: u32,
    /// The name of the files' format.
    pub format: String,
    /// The file.
    pub files: Vec<FileSummary>,
    /// BLAKE3 of the decompressed content.
    pub hash: String,
    /// The disk whose samples are given.
    pub disk: String,
    /// All disks of the log, busiest first.
    pub disks: Vec<DiskSummary>,
    /// Samples of the disk.
    pub rows: u64,
    /// Length of the interval, averaged over the samples.
    pub interval_ns: u64,
    /// Where that length comes from.
    pub interval_origin: IntervalOrigin,
    /// When it began, on the clock of its place; a time of day alone where the log has no dates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// Time covered.
    pub duration_ns: u64,
    /// What it has only together for reads and writes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub merged: Vec<Merged>,
    /// What the reader should know.
    pub notes: Vec<String>,
}

impl CounterSummary {
    /// Reads the JSON that Parquet files carry.
    ///
    /// # Errors
    /// Not such JSON, or of another version.
    pub fn from_json(json: &str) -> Result<CounterSummary, String> {
        let summary: CounterSummary = serde_json::from_str(json).map_err(|error| error.to_string())?;
        check_version(summary.schema_version)?;
        Ok(summary)
    }
}

fn check_version(found: u32) -> Result<(), String> {
    match found {
        SUMMARY_SCHEMA_VERSION => Ok(()),
        _ => Err(format!("expected summary version {SUMMARY_SCHEMA_VERSION}, found {found}")),
    }
}

/// The summary of either kind of log.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum LogSummary {
    /// Of a trace.
    Trace(Summary),
    /// Of a counter log.
    Counters(CounterSummary),
}
