//! What is under way: pieces of requests on their way through the cache, blocks being cleaned, and what waits.

use crate::cache::index::NONE;
use crate::cache::io::Piece;
use crate::request_slots::Slots;

/// Where a piece, or the cleaning of a block, has got to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Over: the slot in the slab is empty.
    Over,
    /// A read that hit, on the fast device.
    Hit,
    /// A read that missed, on the slow device.
    Miss,
    /// What such a read found, on its way to the fast device.
    Fill,
    /// A write to the fast device, of a block that is dirty afterwards.
    Write,
    /// A write to both devices; the number of them that it is still at.
    Through(u8),
    /// A piece that bypasses the cache.
    Uncached,
    /// A piece that waits for a busy block.
    Waiting,
    /// A dirty block, on its way from the fast device, of the run in this slot.
    CleanRead(u32),
    /// The run in this slot, on its way to the slow device.
    CleanWrite(u32),
    /// A block that became dirty, to be recorded.
    RecordDirty,
    /// A block that became clean, to be recorded.
    RecordClean,
    /// The block of metadata in this slot is being written.
    Metadata(u32),
}

/// A piece on its way, or an I/O of the cache's own.
#[derive(Clone, Copy)]
pub(super) struct Work {
    pub(super) step: Step,
    pub(super) piece: Piece,
    /// The slot of its block.
    pub(super) slot: u32,
    /// The next on the same list.
    pub(super) next: u32,
    /// Whether it was counted as uncached before.
    pub(super) again: bool,
}

/// Dirty blocks that follow each other, being cleaned together.
#[derive(Clone, Copy)]
pub(super) struct Run {
    pub(super) first: u64,
    pub(super) blocks: u32,
    /// Blocks that are still on their way from the fast device.
    pub(super) left: u32,
}

/// A block of metadata that is being written.
#[derive(Clone, Copy)]
pub(super) struct MdBlock {
    pub(super) md: u32,
    /// The next of the same set.
    pub(super) next: u32,
    /// The first of the records that are being written.
    pub(super) writing: u32,
    /// The first and the last of those that wait for that.
    pub(super) queued: (u32, u32),
}

/// All that is under way.
#[derive(Clone)]
pub(super) struct Works {
    pub(super) works: Slots<Work>,
    pub(super) runs: Slots<Run>,
    pub(super) md_blocks: Slots<MdBlock>,
}

impl Works {
    pub(super) const fn new() -> Works {
        Works { works: Slots::new(), runs: Slots::new(), md_blocks: Slots::new() }
    }

    #[inline]
    pub(super) fn get(&mut self, work: u32) -> &mut Work {
        self.works.get_mut(work)
    }

    /// Ends a work.
    #[inline]
    pub(super) fn end(&mut self, work: u32) -> Work {
        let found = *self.works.get_mut(work);
        self.works.get_mut(work).step = Step::Over;
        self.works.remove(work);
        found
    }

    /// How many records a block of metadata is being written for.
    pub(super) fn recorded_by(&self, md: u32) -> u64 {
        let mut record = self.md_blocks.slots()[md as usize].writing;
        let mut count = 0;
        while record != NONE {
            count += 1;
            record = self.works.slots()[record as usize].next;
        }
        count
    }

    /// All that is not over.
    pub(super) fn each(&self) -> impl Iterator<Item = &Work> {
        self.works.slots().iter().filter(|work| work.step != Step::Over)
    }
}
