//! An LRU stack from which a block is taken by its depth.
//!
//! MODEL. Time is a row of slots, one an access; a slot that is the last access of its block is marked. The block at depth d
//! is that of the d-th mark from the end: [`super::Stack`] the other way round. Marks are bits, with a Fenwick tree over the
//! words, which is descended. When all slots are used, the marked ones are moved together.
//!
//! MEMORY. 4 B a block, and 4 to 17 B for each of its slots.

const WORD_SLOTS: usize = 64;
const SLOTS_MIN: usize = 4096;
/// Slots for each block when time is compacted.
const SLOTS_PER_BLOCK: usize = 4;
const NEVER: u32 = u32::MAX;

/// An LRU stack of blocks numbered from 0.
pub(crate) struct Recency {
    /// The block of each slot.
    blocks: Vec<u32>,
    marks: Vec<u64>,
    /// Fenwick tree over the marks of all words; entry 0 is not used.
    sums: Vec<u32>,
    /// The slot of the last access, by block.
    last: Vec<u32>,
    marked: u32,
}

impl Recency {
    pub(crate) fn new() -> Recency {
        let words = SLOTS_MIN / WORD_SLOTS;
        Recency {
            blocks: Vec::with_capacity(SLOTS_MIN),
            marks: vec![0; words],
            sums: vec![0; words + 1],
            last: Vec::new(),
            marked: 0,
        }
    }

    /// Accesses a block.
    pub(crate) fn access(&mut self, block: usize) {
        if block >= self.last.len() {
            self.last.resize(block + 1, NEVER);
        }
        if self.blocks.len() == self.marks.len() * WORD_SLOTS {
            self.compact();
        }
        if self.last[block] == NEVER {
            self.marked += 1;
        } else {
            self.flip(self.last[block] as usize, false);
        }
        let slot = self.blocks.len();
        self.blocks.push(block as u32);
        self.last[block] = slot as u32;
        self.flip(slot, true);
    }

    /// The block at this depth, from 1, the last that was accessed; none deeper than the stack.
    pub(crate) fn at(&self, depth: u32) -> Option<usize> {
        if depth == 0 || depth > self.marked {
            return None;
        }
        // As many marks lie before it, in order of time.
        let mut before = self.marked - depth;
        let mut word = 0;
        let mut step = (self.sums.len() - 1).next_power_of_two();
        while step > 0 {
            if word + step < self.sums.len() && self.sums[word + step] <= before {
                word += step;
                before -= self.sums[word];
            }
            step /= 2;
        }
        let mut marks = self.marks[word];
        for _ in 0..before {
            marks &= marks - 1;
        }
        Some(self.blocks[word * WORD_SLOTS + marks.trailing_zeros() as usize] as usize)
    }

    fn flip(&mut self, slot: usize, mark: bool) {
        self.marks[slot / WORD_SLOTS] ^= 1 << (slot % WORD_SLOTS);
        let mut node = slot / WORD_SLOTS + 1;
        while node < self.sums.len() {
            self.sums[node] = if mark { self.sums[node] + 1 } else { self.sums[node] - 1 };
            node += node & node.wrapping_neg();
        }
    }

    #[cold]
    fn compact(&mut self) {
        let last = &self.last;
        let kept = |(slot, block): (usize, &u32)| (last[*block as usize] as usize == slot).then_some(*block);
        let blocks: Vec<u32> = self.blocks.iter().enumerate().filter_map(kept).collect();
        let slots = (blocks.len() * SLOTS_PER_BLOCK).max(SLOTS_MIN).next_multiple_of(WORD_SLOTS);
        self.marks = vec![0; slots / WORD_SLOTS];
        self.sums = vec![0; slots / WORD_SLOTS + 1];
        self.blocks = blocks;
        for slot in 0..self.blocks.len() {
            self.last[self.blocks[slot] as usize] = slot as u32;
            self.flip(slot, true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Recency;

    /// A list from the last accessed on is the truth.
    #[test]
    fn depths_are_those_of_a_list() {
        let (mut recency, mut list, mut draw) = (Recency::new(), Vec::new(), 1_u64);
        for _ in 0..20_000 {
            draw = draw.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let block = (draw >> 33) as usize % 700;
            recency.access(block);
            list.retain(|other| *other != block);
            list.insert(0, block);
            let depth = (draw >> 20) as usize % 800;
            let truth = depth.checked_sub(1).and_then(|at| list.get(at)).copied();
            assert_eq!(recency.at(depth as u32), truth);
        }
    }
}
