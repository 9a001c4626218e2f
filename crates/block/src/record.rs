//! What was observed: block I/O records from a trace, samples from a counter log.

use crate::io::Op;
use crate::units::Nanos;

/// One I/O of a trace. Records of a trace come in order of `time`, which starts near zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// When it was issued, from the start of the trace.
    pub time: Nanos,
    /// First byte addressed.
    pub offset: u64,
    /// Bytes addressed; zero for a flush.
    pub size: u32,
    /// Who issued it: process, CPU, disk or volume, as the format defines.
    pub stream: u32,
    /// The operation.
    pub op: Op,
    /// Whether it was a write with forced unit access; false where the trace does not say.
    pub fua: bool,
    /// How long it took, where the trace has completions.
    pub latency: Option<Nanos>,
}

impl Record {
    /// The first byte behind the request.
    #[inline]
    pub const fn end(&self) -> u64 {
        self.offset + self.size as u64
    }

    /// Whether data moves: a read or a write of at least one byte.
    #[inline]
    pub const fn has_data(&self) -> bool {
        matches!(self.op, Op::Read | Op::Write) && self.size > 0
    }
}

/// What the counters of one disk said of one interval. A value the log does not have is `None`, never zero.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    /// End of the interval, from the start of the log.
    pub time: Nanos,
    /// Length of the interval.
    pub interval: Nanos,
    /// The disk's name.
    pub disk: String,
    /// Reads completed in the interval (a rate times the interval: not always whole).
    pub reads: f64,
    /// Writes completed in the interval, without flushes where the log distinguishes them.
    pub writes: f64,
    /// Flushes completed in the interval.
    pub flushes: Option<f64>,
    /// Bytes read in the interval.
    pub read_bytes: f64,
    /// Bytes written in the interval.
    pub written_bytes: f64,
    /// Reads that were joined to a neighbour before the disk saw them, and are not among its reads.
    pub reads_merged: Option<f64>,
    /// Writes that were joined to a neighbour before the disk saw them, and are not among its writes.
    pub writes_merged: Option<f64>,
    /// Mean number of requests outstanding.
    pub queue_depth: Option<f64>,
    /// Mean time of a read from issue to completion.
    pub read_latency: Option<Nanos>,
    /// Mean time of a write from issue to completion.
    pub write_latency: Option<Nanos>,
    /// Share of the interval with at least one request outstanding, in [0, 1].
    pub utilization: Option<f64>,
}
