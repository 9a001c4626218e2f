//! Which slot of a cache holds a block.
//!
//! An open table of 8-byte cells, at most half full: 32 bits of a multiplicative hash of the block, and its slot. A search begins
//! at the cell that the hash names and goes from cell to cell until it finds the block or an empty cell. Eight blocks that
//! follow each other begin at cells that do, so a search for a block's neighbours finds them in the same line of memory; and a
//! search for a block that is not cached reads nothing else. A removal moves the cells behind up, so that none is in vain.
//!
//! Nothing is allocated but when the table is half full, and doubles. So memory follows the blocks that are or were cached, 24 to
//! 40 bytes each, and not the size of the cache.

use drivecast_block::prefetch;

/// No slot.
pub(super) const NONE: u32 = u32::MAX;

const EMPTY: u64 = u64::MAX;
const CELLS_MIN: usize = 1 << 10;
/// Blocks that begin at neighbouring cells, as a power of two.
const GROUP_LOG2: u32 = 3;

/// The index; see the module.
#[derive(Clone)]
pub(super) struct Index {
    cells: Vec<u64>,
    taken: usize,
    /// By slot: its block.
    blocks: Vec<u64>,
}

#[inline]
fn hash(block: u64) -> u32 {
    let group = (block >> GROUP_LOG2).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let high = (group >> (32 + GROUP_LOG2)) as u32;
    high << GROUP_LOG2 | (block as u32 & ((1 << GROUP_LOG2) - 1))
}

impl Index {
    pub(super) fn new() -> Index {
        Index { cells: vec![EMPTY; CELLS_MIN], taken: 0, blocks: Vec::new() }
    }

    #[inline]
    fn mask(&self) -> usize {
        self.cells.len() - 1
    }

    /// The cell of a block, or the empty one at which its search ends.
    #[inline]
    fn cell(&self, block: u64) -> usize {
        let hash = hash(block);
        let mut at = hash as usize & self.mask();
        loop {
            let cell = self.cells[at];
            if cell == EMPTY {
                return at;
            }
            if (cell >> 32) as u32 == hash && self.blocks[cell as u32 as usize] == block {
                return at;
            }
            at = (at + 1) & self.mask();
        }
    }

    /// The slot of a block; [`NONE`] where it has none.
    #[inline]
    pub(super) fn find(&self, block: u64) -> u32 {
        // The low half of an empty cell is no slot.
        self.cells[self.cell(block)] as u32
    }

    /// Has the memory that a search for this block reads fetched.
    #[inline]
    pub(super) fn expect(&self, block: u64) {
        prefetch(&self.cells, hash(block) as usize & self.mask());
    }

    /// The block that a slot holds or held last.
    #[inline]
    pub(super) fn block(&self, slot: u32) -> u64 {
        self.blocks[slot as usize]
    }

    /// A slot gets a block, which no slot has.
    #[inline]
    pub(super) fn insert(&mut self, slot: u32, block: u64) {
        if slot as usize >= self.blocks.len() {
            self.blocks.resize(slot as usize + 1, 0);
        }
        if 2 * (self.taken + 1) > self.cells.len() {
            self.grow();
        }
        self.blocks[slot as usize] = block;
        let at = self.cell(block);
        self.cells[at] = u64::from(hash(block)) << 32 | u64::from(slot);
        self.taken += 1;
    }

    /// A slot loses its block.
    #[inline]
    pub(super) fn remove(&mut self, slot: u32) {
        let (mask, mut hole) = (self.mask(), self.cell(self.blocks[slot as usize]));
        let mut at = hole;
        loop {
            at = (at + 1) & mask;
            let cell = self.cells[at];
            if cell == EMPTY {
                break;
            }
            // A cell may move up to the hole unless its search begins behind it.
            let begin = (cell >> 32) as usize & mask;
            if at.wrapping_sub(begin) & mask >= at.wrapping_sub(hole) & mask {
                self.cells[hole] = cell;
                hole = at;
            }
        }
        self.cells[hole] = EMPTY;
        self.taken -= 1;
    }

    #[cold]
    fn grow(&mut self) {
        let double = vec![EMPTY; 2 * self.cells.len()];
        let old = std::mem::replace(&mut self.cells, double);
        for cell in old.into_iter().filter(|cell| *cell != EMPTY) {
            let mut at = (cell >> 32) as usize & self.mask();
            while self.cells[at] != EMPTY {
                at = (at + 1) & self.mask();
            }
            self.cells[at] = cell;
        }
    }

    /// Memory that it takes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.cells.as_slice()) + size_of_val(self.blocks.as_slice())
    }
}

#[cfg(test)]
mod tests {
    use super::{Index, NONE};
    use proptest::prelude::*;
    use std::collections::BTreeMap;
    use std::collections::btree_map::Entry;

    proptest! {
        #[test]
        fn it_is_a_map(steps in prop::collection::vec((0..3000_u32, any::<u16>(), 0..3_u32), 0..6000)) {
            let (mut index, mut plain) = (Index::new(), BTreeMap::new());
            let mut holders = BTreeMap::new();
            for (slot, block, far) in steps {
                let block = (u64::from(block) >> far) << (20 * far);
                prop_assert_eq!(index.find(block), plain.get(&block).copied().unwrap_or(NONE));
                if let Some(held) = holders.remove(&slot) {
                    plain.remove(&held);
                    index.remove(slot);
                } else if let Entry::Vacant(free) = plain.entry(block) {
                    free.insert(slot);
                    holders.insert(slot, block);
                    index.insert(slot, block);
                    prop_assert_eq!(index.block(slot), block);
                }
            }
            for (block, slot) in plain {
                prop_assert_eq!(index.find(block), slot);
            }
        }
    }
}
