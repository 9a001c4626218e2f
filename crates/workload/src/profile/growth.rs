//! How the working set grows over the recording.
//!
//! DEFINITION. What had been accessed, read and written by the end of each bin of time, in distinct 4 KiB blocks, next to
//! the bytes moved by then. At most 256 bins: a bin begins as 2²⁰ ns, and whenever they do not suffice pairs are merged.

use super::working_set::Footprint;
use drivecast_block::Nanos;
use serde::Serialize;

const BINS_MAX: usize = 256;
const SHIFT: u32 = 20;

/// The working set at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct GrowthRow {
    /// From the start of the recording.
    pub time_s: f64,
    /// Bytes read and written until then.
    pub moved_bytes: u64,
    /// Distinct blocks accessed until then, in bytes.
    pub touched_bytes: u64,
    /// Distinct blocks read.
    pub read_bytes: u64,
    /// Distinct blocks written.
    pub written_bytes: u64,
}

#[derive(Clone, Copy, Default)]
struct Moment {
    moved_bytes: u64,
    footprint: Footprint,
}

pub(super) struct Growth {
    /// By bin, at its end.
    moments: Vec<Moment>,
    shift: u32,
    now: Moment,
}

impl Growth {
    pub(super) fn new() -> Growth {
        Growth { moments: Vec::new(), shift: SHIFT, now: Moment::default() }
    }

    /// Takes what was accessed until a request of `bytes` at `time`, that request included.
    #[inline]
    pub(super) fn add(&mut self, time: Nanos, bytes: u32, footprint: Footprint) {
        while time.0 >> self.shift >= BINS_MAX as u64 {
            self.merge();
        }
        let bin = (time.0 >> self.shift) as usize;
        if bin >= self.moments.len() {
            self.moments.resize(bin + 1, self.now);
        }
        self.now = Moment { moved_bytes: self.now.moved_bytes.saturating_add(u64::from(bytes)), footprint };
        self.moments[bin] = self.now;
    }

    #[cold]
    fn merge(&mut self) {
        let last_of = |pair: &[Moment]| pair[pair.len() - 1];
        self.moments = self.moments.chunks(2).map(last_of).collect();
        self.shift += 1;
    }

    /// The rows; the last ends with the recording.
    pub(super) fn rows(&self, end: Nanos) -> Vec<GrowthRow> {
        let row = |(bin, moment): (usize, &Moment)| GrowthRow {
            time_s: Nanos(((bin as u64 + 1) << self.shift).min(end.0)).as_secs_f64(),
            moved_bytes: moment.moved_bytes,
            touched_bytes: moment.footprint.bytes(),
            read_bytes: moment.footprint.bytes_read(),
            written_bytes: moment.footprint.bytes_written(),
        };
        self.moments.iter().enumerate().map(row).collect()
    }
}
