//! What the block layer did with a request: the events of blktrace, of its text forms and of OCTF.

use crate::stream::Timed;
use drivecast_block::Op;

/// Bytes of a 512-byte sector: the unit of addresses in block traces.
pub(crate) const SECTOR_BYTES: u64 = 512;
/// No request may end beyond 2⁶⁴ bytes.
pub(crate) const SECTORS_MAX: u64 = (u64::MAX - u32::MAX as u64) / SECTOR_BYTES;

/// What happened to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Queue,
    Issue,
    Complete,
}

/// A Q, D or C event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockEvent {
    pub(crate) time: u64,
    pub(crate) sector: u64,
    pub(crate) bytes: u32,
    pub(crate) pid: u32,
    pub(crate) device: u32,
    pub(crate) kind: Kind,
    /// What is done; of a completion [`Op::Flush`] where the log does not record it.
    pub(crate) op: Op,
    /// Whether the request is marked as a flush, with data or without.
    pub(crate) flush: bool,
    /// Whether it is marked as a write with forced unit access.
    pub(crate) fua: bool,
    /// Whether it completed with an error.
    pub(crate) failed: bool,
}

impl Timed for BlockEvent {
    #[inline(always)]
    fn time(&self) -> u64 {
        self.time
    }

    fn set_time(&mut self, time: u64) {
        self.time = time;
    }

    #[inline(always)]
    fn is_empty(&self) -> bool {
        // Flushes have no bytes; the matching separates them from requests to be left out.
        false
    }

    #[inline(always)]
    fn fault(&self) -> Option<&'static str> {
        (self.sector >= SECTORS_MAX).then_some("a sector below 2^55")
    }
}
