//! A counter log that has been read.

use crate::summary::CounterSummary;
use drivecast_block::Sample;

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
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// What the log was.
    pub fn summary(&self) -> &CounterSummary {
        &self.summary
    }
}
