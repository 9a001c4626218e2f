//! Records on the fast device of what has changed in the cache, one write at a time: what comes meanwhile goes with the next.
//!
//! In a log (bcache) the records of a write follow each other, 24 bytes each. Else each lies in the block of its line's metadata, so
//! a write has as many blocks as records, up to 512 KiB: lines that are written together seldom lie together. Where they do it is
//! fewer.

use crate::cache::index::NONE;

/// A record in a log.
const RECORD_BYTES: u64 = 24;
const WRITE_BYTES_MAX: u64 = 512 << 10;

/// A journal: a ring of blocks.
#[derive(Clone)]
pub(super) struct Journal {
    /// Bytes of a block.
    block: u32,
    is_log: bool,
    blocks: u64,
    at: u64,
    is_writing: bool,
    /// The first and the last of the works that wait for the next write, chained.
    queued: (u32, u32),
    /// The first of those that are being written.
    writing: u32,
}

impl Journal {
    /// A journal of so many bytes at the beginning of the fast device.
    pub(super) fn new(block: u32, bytes: u64, is_log: bool) -> Journal {
        let blocks = (bytes / u64::from(block)).max(1);
        Journal { block, is_log, blocks, at: 0, is_writing: false, queued: (NONE, NONE), writing: NONE }
    }

    /// Queues a work; returns the one queued before it, which is to be chained to it, or [`NONE`].
    pub(super) fn queue(&mut self, work: u32) -> u32 {
        let last = std::mem::replace(&mut self.queued.1, work);
        if last == NONE {
            self.queued.0 = work;
        }
        last
    }

    /// Where the next write goes, if there is anything to write and no write is under way.
    pub(super) fn begin(&mut self) -> Option<u64> {
        if self.is_writing || self.queued.0 == NONE {
            return None;
        }
        self.writing = self.queued.0;
        self.queued = (NONE, NONE);
        self.is_writing = true;
        // So that the largest write ends within the ring.
        let most = self.blocks.min((WRITE_BYTES_MAX / u64::from(self.block)).max(1));
        self.at = (self.at + 1) % (self.blocks - most + 1);
        Some(self.at * u64::from(self.block))
    }

    /// Bytes that a write of so many records takes.
    pub(super) fn size(&self, records: u64) -> u32 {
        let block = u64::from(self.block);
        let blocks = if self.is_log { (records * RECORD_BYTES).div_ceil(block) } else { records };
        (blocks.clamp(1, self.blocks.min((WRITE_BYTES_MAX / block).max(1))) * block) as u32
    }

    /// The write is done; the first of the works it was for.
    pub(super) fn end(&mut self) -> u32 {
        self.is_writing = false;
        std::mem::replace(&mut self.writing, NONE)
    }

    /// The first of the works that are being written.
    pub(super) fn writing(&self) -> u32 {
        self.writing
    }
}
