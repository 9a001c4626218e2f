//! Sequential requests.
//!
//! DEFINITION. A request is sequential if its offset is the end of the previous request: of all requests (`overall`), of
//! the same stream (`by stream`), or of any of the 16 runs last continued (`interleaved`), which finds what several
//! readers make when the trace does not tell them apart. Direction does not matter; flushes and discards do not interrupt.
//! The first request of a trace, stream or run is not sequential. Left out: strided and backward runs, small gaps.

use drivecast_block::Record;
use std::collections::HashMap;

/// As many runs as a disk's or kernel's read-ahead follows, within a factor of two (`assumed`).
const RUNS: usize = 16;

#[derive(Default)]
pub(super) struct Sequential {
    overall: u64,
    by_stream: u64,
    interleaved: u64,
    /// End of the previous request.
    end: Option<u64>,
    /// The stream of the previous request and the end of its last one: most requests follow one of the same stream, and
    /// then the table is not asked.
    stream: u32,
    stream_end: Option<u64>,
    /// The ends of all other streams. Only looked up, never walked.
    ends: HashMap<u32, u64>,
    /// Ends of the recent runs, the latest first.
    runs: Vec<u64>,
}

impl Sequential {
    #[inline]
    pub(super) fn add(&mut self, record: &Record) {
        let (offset, end) = (record.offset, record.end());
        self.overall += u64::from(self.end == Some(offset));
        self.end = Some(end);

        if self.stream != record.stream {
            if let Some(end) = self.stream_end {
                self.ends.insert(self.stream, end);
            }
            self.stream = record.stream;
            self.stream_end = self.ends.get(&record.stream).copied();
        }
        self.by_stream += u64::from(self.stream_end == Some(offset));
        self.stream_end = Some(end);

        self.follow(offset, end);
    }

    /// Continues the run that ended at `offset`, or begins one in place of the run longest at rest.
    #[inline]
    fn follow(&mut self, offset: u64, end: u64) {
        let rank = match self.runs.iter().position(|run| *run == offset) {
            Some(rank) => {
                self.interleaved += 1;
                rank
            }
            None if self.runs.len() < RUNS => {
                self.runs.push(end);
                self.runs.len() - 1
            }
            None => RUNS - 1,
        };
        self.runs.copy_within(..rank, 1);
        self.runs[0] = end;
    }

    pub(super) fn overall(&self) -> u64 {
        self.overall
    }

    pub(super) fn by_stream(&self) -> u64 {
        self.by_stream
    }

    pub(super) fn interleaved(&self) -> u64 {
        self.interleaved
    }
}
