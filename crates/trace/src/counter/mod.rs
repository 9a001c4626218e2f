//! Counter logs, one source a file: what a machine's counters said of a disk, interval by interval.
//!
//! All are read here, and not some in Python: a counter log is small, but it meets the same damage, compression and locale as
//! a trace, and one place for detection gives one style of message. Only the asking of a Prometheus server lies outside.
//! A source has a file with its layout, a recogniser and a reader that fills [`reports::Reports`]; [`registry`] lists them.

mod amounts;
mod clock;
mod cloudwatch;
mod cumulative;
mod diskstats;
mod iostat;
mod json;
mod perfmon;
mod perfmon_names;
mod prometheus;
pub(crate) mod registry;
mod repeat;
mod reports;
mod sequence;
mod sysstat;
mod text;

use crate::decompress::Input;
use crate::error::TraceError;
use crate::options::Options;
use crate::summary::CounterSummary;
use drivecast_block::Sample;
use registry::{CounterDescription, Reading};

/// Reads a log whole: each file by its own description, for the forms of a format may be mixed.
pub(crate) fn read(
    files: Vec<(&'static CounterDescription, Input)>,
    options: &Options,
) -> Result<CounterLog, TraceError> {
    let mut logs = Vec::with_capacity(files.len());
    let mut together = None;
    let mut inputs = Vec::new();
    for (description, mut input) in files {
        input.hold();
        match description.reading {
            Reading::Each(read) => logs.push(read(input, options)?),
            Reading::Together(read) => {
                together = Some(read);
                inputs.push(input);
            }
        }
    }
    match together {
        Some(read) => read(inputs, options),
        None => reports::join(logs, options),
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
