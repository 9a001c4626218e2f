//! Sequential requests, the runs they form, and how runs interleave.
//!
//! DEFINITION. A request is sequential if its offset is the end of the previous request: of all requests (`overall`), of
//! the same stream (`by stream`), or of any of the 16 runs last continued (`interleaved`), which finds what several
//! readers make when the trace does not distinguish them. Direction does not matter; flushes and discards do not interrupt.
//! The first request of a trace, stream or run is not sequential. A run ends when 16 others have been continued since, or
//! with the recording; a request that continues none and is continued by none is a run of one. Left out: strided and
//! backward runs, small gaps.

use super::distribution::{Distribution, Spread};
use super::ratio::ratio;
use drivecast_block::Record;
use serde::Serialize;

/// As many runs as a disk's or kernel's read-ahead follows, within a factor of two (`assumed`).
const RUNS: usize = 16;

/// Sequential runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Runs {
    /// Runs, those of one request included.
    pub runs: u64,
    /// Requests of a run.
    pub requests: Distribution,
    /// Bytes of a run.
    pub bytes: Distribution,
    /// Share of the requests that continue the run last continued, the one before it, and so on: where several
    /// streams interleave evenly, the share lies at their number.
    pub interleave: Vec<f64>,
}

/// A run that may be continued.
#[derive(Clone, Copy)]
struct Run {
    end: u64,
    requests: u64,
    bytes: u64,
}

pub(super) struct Sequential {
    requests: u64,
    overall: u64,
    by_stream: u64,
    /// Requests that continue a run, by how many others were continued since.
    interleaved: [u64; RUNS],
    /// End of the previous request.
    end: Option<u64>,
    /// Ends of the last requests, by number of the stream; no request ends at 0.
    stream_ends: Vec<u64>,
    /// The recent runs, the latest first.
    runs: Vec<Run>,
    run_requests: Spread,
    run_bytes: Spread,
}

impl Sequential {
    pub(super) fn new() -> Sequential {
        Sequential {
            requests: 0,
            overall: 0,
            by_stream: 0,
            interleaved: [0; RUNS],
            end: None,
            stream_ends: Vec::new(),
            runs: Vec::with_capacity(RUNS),
            run_requests: Spread::new(),
            run_bytes: Spread::new(),
        }
    }

    /// Takes a request of the stream with this number.
    #[inline]
    pub(super) fn add(&mut self, record: &Record, stream: usize) {
        let (offset, end) = (record.offset, record.end());
        self.requests += 1;
        self.overall += u64::from(self.end == Some(offset));
        self.end = Some(end);

        if stream >= self.stream_ends.len() {
            self.stream_ends.resize(stream + 1, 0);
        }
        let stream_end = std::mem::replace(&mut self.stream_ends[stream], end);
        self.by_stream += u64::from(stream_end == offset && stream_end > 0);

        self.follow(offset, record.size);
    }

    /// Continues the run that ended at `offset`, or begins one in place of the run longest at rest.
    #[inline]
    fn follow(&mut self, offset: u64, size: u32) {
        let mut run = Run { end: offset, requests: 0, bytes: 0 };
        let rank = match self.runs.iter().position(|run| run.end == offset) {
            Some(rank) => {
                self.interleaved[rank] += 1;
                run = self.runs[rank];
                rank
            }
            None if self.runs.len() < RUNS => {
                self.runs.push(run);
                self.runs.len() - 1
            }
            None => {
                let ended = self.runs[RUNS - 1];
                self.run_requests.add(ended.requests, 1);
                self.run_bytes.add(ended.bytes, 1);
                RUNS - 1
            }
        };
        run.end = offset + u64::from(size);
        run.requests += 1;
        run.bytes = run.bytes.saturating_add(u64::from(size));
        self.runs.copy_within(..rank, 1);
        self.runs[0] = run;
    }

    pub(super) fn overall(&self) -> u64 {
        self.overall
    }

    pub(super) fn by_stream(&self) -> u64 {
        self.by_stream
    }

    pub(super) fn interleaved(&self) -> u64 {
        self.interleaved.iter().sum()
    }

    /// The runs, those still open included.
    pub(super) fn runs(mut self) -> Option<Runs> {
        for run in &self.runs {
            self.run_requests.add(run.requests, 1);
            self.run_bytes.add(run.bytes, 1);
        }
        let share = |count: &u64| ratio(*count as f64, self.requests as f64).unwrap_or(0.0);
        Some(Runs {
            runs: self.run_requests.count(),
            requests: self.run_requests.distribution(1)?,
            bytes: self.run_bytes.distribution(1)?,
            interleave: self.interleaved.iter().map(share).collect(),
        })
    }
}
