//! An LRU stack: how many blocks were accessed since a block was last.
//!
//! MODEL. The stack distance of an access is the number of distinct blocks accessed since the previous access of the same
//! block, that block included (Mattson et al. 1970): LRU caches of that many blocks and more hit. The first access of a
//! block has none.
//!
//! Time is a row of slots, one an access; a slot is marked if it is the last access of its block, so the distance is the
//! number of marks from the previous access on (Bennett and Kruskal 1975). Marks are bits, 512 to a cache line, with a
//! Fenwick tree over the lines: a tree of nodes is bound by cache misses, but this takes about 4 bits and a quarter of a
//! byte a block, so that for a million blocks it stays in the second cache. When all slots are used, the marked ones are moved
//! together, which happens no sooner than after three times as many accesses as there are blocks.
//!
//! MEMORY. 4 B a block and its share of the slots, at most 10 B in all.

use drivecast_block::prefetch;

const WORDS: usize = 8;
const LINE_SLOTS: usize = WORDS * 64;
const LINES_MIN: usize = 4;
/// Slots for each block when time is compacted.
const SLOTS_PER_BLOCK: usize = 4;
/// Marks a block that was not accessed yet.
const NEVER: u32 = u32::MAX;

type Line = [u64; WORDS];

/// An LRU stack of blocks numbered from 0.
pub(crate) struct Stack {
    /// The slot of the last access, by block.
    last: Vec<u32>,
    lines: Vec<Line>,
    /// Fenwick tree over the marks of all lines before the open one; entry 0 is not used.
    sums: Vec<u32>,
    /// The slot of the next access.
    now: u32,
    /// Marks in the line of `now`, which the tree does not hold yet.
    open: u32,
    /// Marks in all: blocks accessed.
    marks: u32,
}

impl Stack {
    pub(crate) fn new() -> Stack {
        Stack {
            last: Vec::new(),
            lines: vec![[0; WORDS]; LINES_MIN],
            sums: vec![0; LINES_MIN + 1],
            now: 0,
            open: 0,
            marks: 0,
        }
    }

    /// Reserves memory for the blocks below `count`.
    #[inline]
    pub(crate) fn extend(&mut self, count: usize) {
        if count > self.last.len() {
            self.last.resize(count, NEVER);
        }
    }

    /// Asks the cache for what an access of a block needs first.
    #[inline(always)]
    pub(crate) fn prefetch_block(&self, block: usize) {
        prefetch(&self.last, block);
    }

    /// Asks for what it needs next.
    #[inline(always)]
    pub(crate) fn prefetch_slot(&self, block: usize) {
        if let Some(slot) = self.last.get(block) {
            prefetch(&self.lines, *slot as usize / LINE_SLOTS);
        }
    }

    /// Accesses a block; its stack distance, from 1, or 0 for a first access.
    #[inline]
    pub(crate) fn access(&mut self, block: usize) -> u32 {
        if self.now as usize == self.lines.len() * LINE_SLOTS {
            self.compact();
        }
        let distance = match self.last[block] {
            NEVER => {
                self.marks += 1;
                0
            }
            slot => self.clear(slot),
        };
        self.last[block] = self.now;
        let (line, bit) = (self.now as usize / LINE_SLOTS, self.now as usize % LINE_SLOTS);
        self.lines[line][bit / 64] |= 1 << (bit % 64);
        self.open += 1;
        self.now += 1;
        if (self.now as usize).is_multiple_of(LINE_SLOTS) {
            self.close(line);
        }
        distance
    }

    /// The stack distance that an access of a block would have, which was accessed before.
    pub(crate) fn depth(&self, block: usize) -> u32 {
        self.marks - self.before(self.last[block])
    }

    /// Marks before a slot.
    #[inline(always)]
    fn before(&self, slot: u32) -> u32 {
        let (line, bit) = (slot as usize / LINE_SLOTS, slot as usize % LINE_SLOTS);
        let words = &self.lines[line];
        let within: u32 = words[..bit / 64].iter().map(|word| word.count_ones()).sum();
        let mut sum = within + (words[bit / 64] & ((1 << (bit % 64)) - 1)).count_ones();
        let mut node = line;
        while node > 0 {
            sum += self.sums[node];
            node &= node - 1;
        }
        sum
    }

    /// Takes the mark from a slot; the number of marks from there on, that one included.
    #[inline(always)]
    fn clear(&mut self, slot: u32) -> u32 {
        let before = self.before(slot);
        let (line, bit) = (slot as usize / LINE_SLOTS, slot as usize % LINE_SLOTS);
        self.lines[line][bit / 64] &= !(1 << (bit % 64));
        if line == self.now as usize / LINE_SLOTS {
            self.open -= 1;
        } else {
            let mut node = line + 1;
            while node < self.sums.len() {
                self.sums[node] -= 1;
                node += node & node.wrapping_neg();
            }
        }
        self.marks - before
    }

    /// Enters the marks of a line that time has left into the tree.
    fn close(&mut self, line: usize) {
        let mut node = line + 1;
        while node < self.sums.len() {
            self.sums[node] += self.open;
            node += node & node.wrapping_neg();
        }
        self.open = 0;
    }

    /// Moves the marks together, in their order, which frees the places after them.
    #[cold]
    fn compact(&mut self) {
        let mut marks_before = Vec::with_capacity(self.lines.len());
        let mut sum = 0;
        for line in &self.lines {
            marks_before.push(sum);
            sum += line.iter().map(|word| word.count_ones()).sum::<u32>();
        }
        for slot in self.last.iter_mut().filter(|slot| **slot != NEVER) {
            let (line, bit) = (*slot as usize / LINE_SLOTS, *slot as usize % LINE_SLOTS);
            let words = &self.lines[line];
            let within: u32 = words[..bit / 64].iter().map(|word| word.count_ones()).sum();
            *slot = marks_before[line] + within + (words[bit / 64] & ((1 << (bit % 64)) - 1)).count_ones();
        }
        let lines = (self.marks as usize * SLOTS_PER_BLOCK).div_ceil(LINE_SLOTS).max(LINES_MIN);
        self.lines.clear();
        self.lines.resize(lines, [0; WORDS]);
        self.sums.clear();
        self.sums.resize(lines + 1, 0);
        (self.now, self.open) = (0, 0);
        let (full, rest) = (self.marks as usize / LINE_SLOTS, self.marks as usize % LINE_SLOTS);
        for line in 0..full {
            self.lines[line] = [u64::MAX; WORDS];
            self.open = LINE_SLOTS as u32;
            self.close(line);
        }
        for bit in 0..rest {
            self.lines[full][bit / 64] |= 1 << (bit % 64);
        }
        (self.now, self.open) = (self.marks, rest as u32);
    }

    /// Keeps some blocks, `width` in a row from each number given, under new numbers in that order.
    pub(crate) fn retain(&mut self, kept: &[u32], width: usize) {
        let rows = kept.iter().map(|old| *old as usize * width);
        let last: Vec<u32> = rows.flat_map(|from| self.last[from..from + width].iter().copied()).collect();
        self.lines.iter_mut().for_each(|line| *line = [0; WORDS]);
        self.last = last;
        self.marks = 0;
        for slot in self.last.iter().filter(|slot| **slot != NEVER) {
            let (line, bit) = (*slot as usize / LINE_SLOTS, *slot as usize % LINE_SLOTS);
            self.lines[line][bit / 64] |= 1 << (bit % 64);
            self.marks += 1;
        }
        self.compact();
    }
}
