//! What a log format is: its texts for people, how it is recognised, and how it is read.
//!
//! MODEL. A format file describes itself in one [`Description`], and the registry lists them all. Detection, error messages,
//! `--format`, the documentation and the fuzz targets read nothing else. Recognition goes by [`Evidence`]: formats with a
//! signature of their own first, then those with records of a shape of their own, then text, of which several formats may fit.

use crate::decompress::Input;
use crate::error::TraceError;
use crate::lines::probe;
use crate::options::Options;
use crate::report::log::CounterLog;
use crate::report::reports::Reports;
use crate::rows::Rows;
use crate::source::Source;
use crate::summary::Merged;
use serde::{Serialize, Serializer};
use std::borrow::Cow;

/// A log format.
pub struct Description {
    /// The name used by `--format`, in messages and in JSON. Forms of one format share it, as iostat's text and JSON do.
    pub name: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// How it is recognised.
    pub detected_by: &'static str,
    /// What its logs report.
    pub content: Content,
    /// The first lines of a log; of a binary format its first bytes in words.
    pub sample: &'static str,
    pub(crate) evidence: Evidence,
    pub(crate) fits: fn(&Head<'_>) -> Verdict,
    pub(crate) reading: Reading,
}

/// What the logs of a format report.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(tag = "kind")]
pub enum Content {
    /// A trace: a row for each request.
    #[serde(rename = "trace")]
    Requests {
        /// What makes a row.
        row: &'static str,
        /// What the column `stream` is.
        stream: &'static str,
        /// Where the latency comes from.
        latency: &'static str,
    },
    /// Counters: a row for each disk and interval.
    #[serde(rename = "counters")]
    Counters {
        /// How to record such a log.
        record: &'static str,
        /// Where the length of an interval comes from.
        interval: &'static str,
        /// The measures that a usual log has, as the sample does.
        measures: &'static [Measure],
        /// What it has only together for reads and writes.
        merged: &'static [Merged],
        /// What is assumed or left out.
        assumed: &'static str,
    },
}

/// What a log reports of a disk in an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Reads and writes.
    Requests,
    /// Bytes read and written.
    Bytes,
    /// Flushes apart from writes.
    Flushes,
    /// The mean queue depth.
    QueueDepth,
    /// The mean latency.
    Latency,
    /// The share of time in which the disk was busy.
    Utilization,
}

impl Measure {
    /// All measures of Linux, where the kernel counts flushes.
    pub(crate) const LINUX: &[Measure] = &[
        Measure::Requests,
        Measure::Bytes,
        Measure::Flushes,
        Measure::QueueDepth,
        Measure::Latency,
        Measure::Utilization,
    ];
    /// All but flushes.
    pub(crate) const WITHOUT_FLUSHES: &[Measure] =
        &[Measure::Requests, Measure::Bytes, Measure::QueueDepth, Measure::Latency, Measure::Utilization];

    /// The name used in the documentation.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Measure::Requests => "requests",
            Measure::Bytes => "bytes",
            Measure::Flushes => "flushes",
            Measure::QueueDepth => "queue depth",
            Measure::Latency => "latency",
            Measure::Utilization => "utilisation",
        }
    }
}

impl Description {
    /// Whether it is detected by its first bytes, so that `--format` does not take it.
    pub const fn is_binary(&self) -> bool {
        matches!(self.reading, Reading::Binary(_) | Reading::PerCpu(_) | Reading::Parquet(_))
    }

    /// Whether its logs are traces, of single requests.
    pub const fn is_trace(&self) -> bool {
        matches!(self.content, Content::Requests { .. })
    }

    /// The mapping that reads it, where it is a plain table: what `--csv` would take.
    pub const fn mapping(&self) -> Option<&'static str> {
        match &self.reading {
            Reading::Table(table) => Some(table.mapping),
            _ => None,
        }
    }
}

impl Serialize for Measure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// As `drivecast formats` prints it.
impl Serialize for Description {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Shown<'a> {
            name: &'a str,
            title: &'a str,
            detected_by: &'a str,
            binary: bool,
            mapping: Option<&'a str>,
            sample: &'a str,
            #[serde(flatten)]
            content: Content,
        }
        let Description { name, title, detected_by, sample, content, .. } = *self;
        let (binary, mapping) = (self.is_binary(), self.mapping());
        Shown { name, title, detected_by, binary, mapping, sample, content }.serialize(serializer)
    }
}

impl PartialEq for Description {
    fn eq(&self, other: &Description) -> bool {
        self.name == other.name
    }
}

/// What recognises a format, in the order in which it is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Evidence {
    /// Bytes or words at the start that no other format has.
    Signature,
    /// Records or lines of a shape that no other format has.
    Shape,
    /// Lines that other formats may fit too: all of these formats are tried.
    Lines,
}

/// How a format is read.
pub(crate) enum Reading {
    /// Requests, binary.
    Binary(Open),
    /// Block events, binary, a file for each CPU or queue.
    PerCpu(Open),
    /// Requests, in a table whose columns are known.
    Table(Table),
    /// Requests, in text of another shape.
    Text(Open),
    /// Counters: each file is a log, and several are joined. The input is given back to be described.
    Each(OpenReports),
    /// Counters: all files together are one log.
    Together(fn(Vec<Input>, &Options) -> Result<CounterLog, TraceError>),
    /// Parquet, which holds requests or counters and is read from its end.
    Parquet(fn(&Source, &Options) -> Result<Stored, TraceError>),
}

/// A reader of the reports in one file, and what it read them from.
pub(crate) type OpenReports = fn(Input, &Options) -> Result<(Reports, Input), TraceError>;

/// A reader of the rows in files of one format.
pub(crate) type Open = fn(Vec<Input>, &Options) -> Result<Box<dyn Rows>, TraceError>;

/// What a Parquet file holds.
pub(crate) enum Stored {
    Trace(Box<dyn Rows>),
    Counters(Box<CounterLog>),
}

/// A table whose columns are known.
pub(crate) struct Table {
    pub(crate) mapping: &'static str,
    /// How many columns a line has; absent: at least those of the mapping.
    pub(crate) columns: Option<usize>,
    /// Whether what discards are called is assumed: to be noted where there are any.
    pub(crate) assumes_discards: bool,
    /// What is assumed, for the notes.
    pub(crate) assumed: Option<&'static str>,
}

impl Table {
    /// One of which nothing is assumed.
    pub(crate) const fn plain(mapping: &'static str, columns: Option<usize>) -> Table {
        Table { mapping, columns, assumes_discards: false, assumed: None }
    }
}

/// The start of a file.
pub(crate) struct Head<'a> {
    /// The file's name without directories.
    pub(crate) name: &'a str,
    pub(crate) bytes: &'a [u8],
    /// Its first lines; of a table without the header.
    pub(crate) lines: Vec<&'a [u8]>,
}

impl<'a> Head<'a> {
    pub(crate) fn new(name: &'a str, bytes: &'a [u8]) -> Head<'a> {
        Head { name, bytes, lines: probe(bytes).collect() }
    }
}

/// Whether a format fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    No,
    Yes,
    /// It fits, but how to read it is ambiguous: why, and which flag settles it.
    Ambiguous {
        doubt: Cow<'static, str>,
        hint: &'static str,
    },
    /// It is this format, but cannot be read.
    Unreadable {
        expected: String,
        found: String,
        hint: &'static str,
    },
}

impl From<bool> for Verdict {
    fn from(fits: bool) -> Verdict {
        if fits { Verdict::Yes } else { Verdict::No }
    }
}
