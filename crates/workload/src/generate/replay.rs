//! A recording as a source of requests: a window of it, at its own pace or scaled.

use drivecast_block::{Nanos, Record};
use std::ops::Range;

/// The records of a window, their times counted from its start and multiplied by `time_scale`: 0.5 replays twice as
/// fast, 0 all at once. What was outstanding when the window opened is left out.
#[derive(Clone, Debug)]
pub struct Replay<'a> {
    records: std::slice::Iter<'a, Record>,
    start: Nanos,
    time_scale: f64,
}

impl<'a> Replay<'a> {
    /// Replays the records issued in `window` (all of them with `Nanos::ZERO..Nanos::MAX`, which keeps the time of the
    /// first). `records` come in order of time.
    pub fn new(records: &'a [Record], window: Range<Nanos>, time_scale: f64) -> Replay<'a> {
        let from = records.partition_point(|record| record.time < window.start);
        let to = records.partition_point(|record| record.time < window.end).max(from);
        Replay { records: records[from..to].iter(), start: window.start, time_scale }
    }
}

impl Iterator for Replay<'_> {
    type Item = Record;

    #[inline]
    fn next(&mut self) -> Option<Record> {
        let record = *self.records.next()?;
        let since = record.time.since(self.start);
        // A product in f64 would round times beyond 2⁵³ ns (104 days), so the pace of the recording is applied exactly.
        let time =
            if self.time_scale == 1.0 { since } else { Nanos((since.0 as f64 * self.time_scale) as u64) };
        Some(Record { time, ..record })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.records.size_hint()
    }
}

impl ExactSizeIterator for Replay<'_> {}
