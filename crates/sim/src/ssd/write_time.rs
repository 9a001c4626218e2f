//! When the host knows of a write that is in the buffer.
//!
//! `write_overhead_ns` later, plus an exponential time of mean `write_jitter_ns`: firmware, interrupt and driver do not take
//! equally long each time. Left out: what causes it, and that neighbouring writes may share it.

use crate::spec::SsdSpec;
use drivecast_block::Nanos;
use drivecast_block::random::{Stream, stream};
use rand::RngExt;
use rand_distr::Exp1;

/// Times from the last page in the buffer to the host.
#[derive(Debug)]
pub(super) struct WriteTimes {
    /// Without jitter.
    pub(super) fixed: Nanos,
    jitter: f64,
    jitters: Stream,
}

impl WriteTimes {
    pub(super) fn new(spec: &SsdSpec, seed: u64) -> WriteTimes {
        WriteTimes {
            fixed: Nanos(spec.write_overhead_ns),
            jitter: spec.write_jitter_ns as f64,
            jitters: stream(seed, "ssd.write"),
        }
    }

    /// That of one write.
    #[inline]
    pub(super) fn draw(&mut self) -> Nanos {
        if self.jitter == 0.0 {
            return self.fixed;
        }
        let unit: f64 = self.jitters.sample(Exp1);
        self.fixed + Nanos((unit * self.jitter) as u64)
    }
}
