//! Dirty lines by chunk of the slow device, and which chunk has the most: what OpenCAS's ACP goes by.
//!
//! A chunk is 100 MiB. Chunks have one of eleven degrees of dirtiness, and of one degree the first comes first; finding it
//! takes no longer for a large device than for a small one.

use std::collections::BTreeSet;

/// What OpenCAS's ACP takes for a chunk.
const CHUNK_BYTES: u64 = 100 << 20;
/// Degrees of dirtiness that it distinguishes; the least is that of a clean chunk.
const DEGREES: usize = 11;

/// Counts of dirty lines by chunk.
#[derive(Clone)]
pub(super) struct Chunks {
    /// Blocks of a chunk.
    blocks: u64,
    dirty: Vec<u32>,
    by_degree: [BTreeSet<u32>; DEGREES],
}

impl Chunks {
    pub(super) fn new(block_bytes: u64) -> Chunks {
        Chunks {
            blocks: (CHUNK_BYTES / block_bytes).max(1),
            dirty: Vec::new(),
            by_degree: Default::default(),
        }
    }

    /// The chunk of a block.
    pub(super) fn of(&self, block: u64) -> u64 {
        block / self.blocks
    }

    /// Notes that a block may be cleaned from now on, or may not.
    pub(super) fn set_dirty(&mut self, block: u64, is: bool) {
        let chunk = self.of(block) as usize;
        if chunk >= self.dirty.len() {
            self.dirty.resize(chunk + 1, 0);
        }
        let before = self.dirty[chunk];
        let after = if is { before + 1 } else { before - 1 };
        self.dirty[chunk] = after;
        let [from, to] = [before, after].map(|dirty| self.degree(dirty));
        if from != to {
            self.by_degree[from].remove(&(chunk as u32));
            if to > 0 {
                self.by_degree[to].insert(chunk as u32);
            }
        }
    }

    /// The first block of the chunk with the most dirty lines, by degrees; of the first of several.
    pub(super) fn dirtiest(&self) -> Option<u64> {
        let chunk = self.by_degree.iter().rev().find_map(BTreeSet::first)?;
        Some(u64::from(*chunk) * self.blocks)
    }

    fn degree(&self, dirty: u32) -> usize {
        (u64::from(dirty) * (DEGREES as u64 - 1)).div_ceil(self.blocks) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dirtiest_comes_first_and_of_equals_the_first() {
        let mut chunks = Chunks::new(10 << 20);
        assert_eq!(chunks.dirtiest(), None);
        for block in [25, 12, 26, 13, 27] {
            chunks.set_dirty(block, true);
        }
        assert_eq!((chunks.of(25), chunks.dirtiest()), (2, Some(20)));
        chunks.set_dirty(26, false);
        assert_eq!(chunks.dirtiest(), Some(10), "two in each");
        [12, 13, 25, 27].into_iter().for_each(|block| chunks.set_dirty(block, false));
        assert_eq!(chunks.dirtiest(), None);
    }
}
