//! What a policy wants of the two devices, and what it is given to decide on.

use super::io::{Io, Side};
use super::merge::Merge;
use drivecast_block::{CacheCounters, Op};
use std::collections::VecDeque;

/// The number of pieces of a request that are not known yet: [`Orders::begin`] says it later.
pub(super) const LATER: u32 = u32::MAX;

/// What a policy has decided and the devices have not been given yet; and what it counts.
#[derive(Default)]
pub(super) struct Orders {
    ios: VecDeque<Io>,
    merge: Merge,
    finished: Vec<u32>,
    begun: Vec<(u32, u32)>,
    more: Vec<(u32, u32)>,
    pub(super) counters: CacheCounters,
}

impl Orders {
    /// Sends an I/O out, after those before it.
    #[inline]
    pub(super) fn send(&mut self, io: Io) {
        let bytes = u64::from(io.size);
        let counters = &mut self.counters;
        match (io.side, io.op) {
            (Side::Fast, Op::Read) => counters.ssd_read_bytes += bytes,
            (Side::Fast, Op::Write) => counters.ssd_written_bytes += bytes,
            (Side::Slow, Op::Read) => counters.disk_read_bytes += bytes,
            (Side::Slow, Op::Write) => counters.disk_written_bytes += bytes,
            (_, Op::Flush | Op::Discard) => {}
        }
        self.ios.push_back(io);
    }

    /// Notes that a piece of this request is done.
    #[inline]
    pub(super) fn finish(&mut self, job: u32) {
        self.finished.push(job);
    }

    /// Says how many pieces a request has that was taken in for later; none of them is finished yet.
    pub(super) fn begin(&mut self, job: u32, pieces: u32) {
        self.begun.push((job, pieces));
    }

    /// Says that a request has more pieces than were announced.
    pub(super) fn more(&mut self, job: u32, pieces: u32) {
        if pieces > 0 {
            self.more.push((job, pieces));
        }
    }

    /// The requests of which that was said, with what they have more.
    pub(super) fn grown(&mut self) -> std::vec::Drain<'_, (u32, u32)> {
        self.more.drain(..)
    }

    /// The requests of which this was said, with their pieces.
    pub(super) fn begun(&mut self) -> std::vec::Drain<'_, (u32, u32)> {
        self.begun.drain(..)
    }

    /// The I/O to be sent next: a piece, or several merged. Its handle is that of the first.
    #[inline]
    pub(super) fn next(&mut self) -> Option<Io> {
        while let Some(piece) = self.ios.pop_front() {
            if let Some(complete) = self.merge.take(piece, &mut self.counters) {
                return Some(complete);
            }
        }
        self.merge.rest(Side::Fast).or_else(|| self.merge.rest(Side::Slow))
    }

    /// The handle of the piece that was merged with this one, behind it; [`super::index::NONE`] where none was.
    #[inline]
    pub(super) fn merged(&self, side: Side, id: u32) -> u32 {
        self.merge.next(side, id)
    }

    /// Forgets what was said of requests: outside time none waits for it.
    pub(super) fn forget(&mut self) {
        self.begun.clear();
        self.more.clear();
        self.finished.clear();
    }

    /// The requests of which a piece is done, once for each piece.
    pub(super) fn finished(&mut self) -> std::vec::Drain<'_, u32> {
        self.finished.drain(..)
    }
}
