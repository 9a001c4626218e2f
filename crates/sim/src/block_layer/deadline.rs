//! The deadline scheduler: sweeps by address, each from the oldest request on.
//!
//! **Model.** The next request is the one with the lowest address above the last. Where there is none, or after
//! [`BATCH`] requests while the oldest has waited [`LATE`], it is the oldest, and the sweep continues from there. So of n waiting
//! some are passed by sweep after sweep, until they are the oldest: with as many waiting as the device holds, p99 is
//! 2.5 times the mean, where in order of arrival it would be the mean.
//!
//! **Left out.** Reads before writes.

use super::waiting::{Sweep, Waiting};
use drivecast_block::Nanos;

/// Requests of a sweep before the oldest counts (`fifo_batch`).
const BATCH: u32 = 16;
/// When a request is late (`read_expire`; writes have ten times as long, which only matters next to reads).
const LATE: Nanos = Nanos(500_000_000);

#[derive(Default)]
pub(super) struct Deadline {
    sweep: Sweep,
    /// Requests taken in the batch.
    batch: u32,
}

impl Deadline {
    pub(super) fn push(&mut self, waiting: Waiting) {
        self.sweep.push(waiting);
    }

    pub(super) fn pop(&mut self, now: Nanos) -> Option<Waiting> {
        let oldest = self.sweep.oldest()?;
        let ahead = self.sweep.ahead();
        let next = match ahead {
            Some(ahead) if self.batch < BATCH || !self.sweep.is_late(now, oldest, LATE) => ahead,
            _ => oldest,
        };
        self.batch = if self.batch < BATCH && ahead.is_some() { self.batch + 1 } else { 1 };
        Some(self.sweep.take(next))
    }
}
