//! Counter logs, one source a file: what a machine's counters said of a disk, interval by interval.
//!
//! All are read here, and not some in Python: a counter log is small, but it meets the same damage, compression and locale as
//! a trace, and one place for detection gives one style of message. Only the asking of a Prometheus server lies outside.
//! A source has a file with its layout, a recogniser and a reader that fills [`reports::Reports`]; [`KINDS`] lists them.

mod clock;
mod cloudwatch;
mod cumulative;
mod diskstats;
mod iostat;
mod json;
mod perfmon;
mod perfmon_names;
mod prometheus;
mod reports;
mod sysstat;
mod text;

use crate::decompress::Input;
use crate::error::TraceError;
use crate::options::Options;
use crate::summary::CounterSummary;
use drivecast_block::Sample;

/// A source of counters, as its content shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Sysstat,
    Iostat,
    Perfmon,
    Diskstats,
    Prometheus,
    Cloudwatch,
}

type Detect = fn(&[u8]) -> bool;

/// The sources, in the order in which they are looked for, and what each shows.
const KINDS: &[(Kind, Detect, &str)] = &[
    (Kind::Sysstat, sysstat::detect, "iostat or sadf JSON ({\"sysstat\": ...)"),
    (Kind::Prometheus, prometheus::detect, "Prometheus range query JSON ({\"status\": ... \"matrix\")"),
    (Kind::Cloudwatch, cloudwatch::detect, "CloudWatch JSON (\"MetricDataResults\" or \"Datapoints\")"),
    (Kind::Perfmon, perfmon::detect, "Perfmon, typeperf or esxtop CSV ((PDH-CSV 4.0))"),
    (Kind::Iostat, iostat::detect, "iostat text (a line that starts with Device)"),
    (
        Kind::Diskstats,
        diskstats::detect,
        "samples of /proc/diskstats or io.stat (major, minor, name, counts)",
    ),
];

/// The source of a counter log that starts so, if it is one.
pub(crate) fn detect(head: &[u8]) -> Option<Kind> {
    KINDS.iter().find(|(_, detect, _)| detect(head)).map(|(kind, _, _)| *kind)
}

/// What detection looks for, for messages.
pub(crate) fn looked_for() -> impl Iterator<Item = &'static str> {
    KINDS.iter().map(|(_, _, shows)| *shows)
}

impl Kind {
    /// The format by which messages call it.
    pub(crate) fn format(self) -> crate::summary::Format {
        use crate::summary::Format;
        match self {
            Kind::Sysstat | Kind::Iostat => Format::Iostat,
            Kind::Perfmon => Format::Perfmon,
            Kind::Diskstats => Format::Diskstats,
            Kind::Prometheus => Format::Prometheus,
            Kind::Cloudwatch => Format::Cloudwatch,
        }
    }

    /// Whether one log may lie in several files: CloudWatch gives a metric a file.
    pub(crate) fn takes_many(self) -> bool {
        matches!(self, Kind::Cloudwatch | Kind::Prometheus)
    }

    /// Reads a log whole; of a source that takes one file, the first.
    pub(crate) fn read(self, mut inputs: Vec<Input>, options: &Options) -> Result<CounterLog, TraceError> {
        if matches!(self, Kind::Prometheus) {
            return prometheus::read(inputs, options);
        }
        if matches!(self, Kind::Cloudwatch) {
            return cloudwatch::read(inputs, options);
        }
        let Some(input) = inputs.pop() else {
            return Err(TraceError::Empty { file: "every file of the set".to_owned() });
        };
        match self {
            Kind::Sysstat => sysstat::read(input, options),
            Kind::Iostat => iostat::read(input, options),
            Kind::Perfmon => perfmon::read(input, options),
            _ => diskstats::read(input, options),
        }
    }
}

/// The samples of one disk, in order of time.
#[derive(Clone, Debug, PartialEq)]
pub struct CounterLog {
    samples: Vec<Sample>,
    summary: CounterSummary,
}

impl CounterLog {
    pub(crate) fn new(samples: Vec<Sample>, summary: CounterSummary) -> CounterLog {
        CounterLog { samples, summary }
    }

    /// The samples.
    #[must_use]
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// What the log was.
    #[must_use]
    pub fn summary(&self) -> &CounterSummary {
        &self.summary
    }
}
