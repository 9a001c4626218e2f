//! The sources of counters, each described once: for detection, `--format`, messages and the documentation.

use super::CounterLog;
use super::reports::Reports;
use super::{cloudwatch, diskstats, iostat, perfmon, prometheus, sysstat};
use crate::decompress::Input;
use crate::error::TraceError;
use crate::options::Options;
use crate::summary::{Format, Merged};

/// A source of counters, as the documentation shows it and the reader knows it.
pub struct CounterDescription {
    /// Its format; two descriptions may share one, as iostat's text and JSON do.
    pub format: Format,
    /// What people call it.
    pub title: &'static str,
    /// How to record such a log.
    pub record: &'static str,
    /// How it is recognised.
    pub detected_by: &'static str,
    /// Where the length of an interval comes from.
    pub interval: &'static str,
    /// The measures that a usual log has, as the sample does.
    pub tells: &'static [Measure],
    /// What it has only together for reads and writes.
    pub merged: &'static [Merged],
    /// What is assumed or left out.
    pub assumed: &'static str,
    /// The first lines of a log.
    pub sample: &'static str,
    pub(super) detect: fn(&[u8]) -> bool,
    pub(super) reading: Reading,
}

/// What a log tells of a disk in an interval.
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

/// Reads one file, and gives it back to be described.
type Each = fn(Input, &Options) -> Result<(Reports, Input), TraceError>;

/// How the files of a log come together.
pub(super) enum Reading {
    /// Each is a log; several are put one behind the other.
    Each(Each),
    /// Together they are one log.
    Together(fn(Vec<Input>, &Options) -> Result<CounterLog, TraceError>),
}

/// All measures of Linux, where the kernel counts flushes.
pub(super) const LINUX: &[Measure] = &[
    Measure::Requests,
    Measure::Bytes,
    Measure::Flushes,
    Measure::QueueDepth,
    Measure::Latency,
    Measure::Utilization,
];
/// All but flushes.
pub(super) const WITHOUT_FLUSHES: &[Measure] =
    &[Measure::Requests, Measure::Bytes, Measure::QueueDepth, Measure::Latency, Measure::Utilization];

/// All sources of counters, in the order in which the documentation lists them.
pub const COUNTERS: &[&CounterDescription] = &[
    &iostat::DESCRIPTION,
    &sysstat::IOSTAT,
    &sysstat::SADF,
    &perfmon::PERFMON,
    &perfmon::ESXTOP,
    &diskstats::DISKSTATS,
    &diskstats::IO_STAT,
    &prometheus::DESCRIPTION,
    &cloudwatch::DESCRIPTION,
];

/// The source of a log that starts so, if it is one.
pub(crate) fn detect(head: &[u8]) -> Option<&'static CounterDescription> {
    // A line of JSON may look like text, and text never like JSON: so what has marks of its own is asked first.
    const ORDER: &[&CounterDescription] = &[
        &sysstat::SADF,
        &sysstat::IOSTAT,
        &prometheus::DESCRIPTION,
        &cloudwatch::DESCRIPTION,
        &perfmon::PERFMON,
        &iostat::DESCRIPTION,
        &diskstats::DISKSTATS,
    ];
    ORDER.iter().copied().find(|description| (description.detect)(head))
}

/// The source that the caller names: of those that share a format the one that fits the content, else the first.
pub(crate) fn named(format: Format, head: &[u8]) -> Option<&'static CounterDescription> {
    let mut named = COUNTERS.iter().copied().filter(|description| description.format == format);
    named.clone().find(|description| (description.detect)(head)).or_else(|| named.next())
}
