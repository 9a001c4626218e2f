//! LRU caches of all sizes in one pass.
//!
//! MODEL. A reference misses in LRU caches smaller than its stack distance (`crate::reuse`). A dirty block is evicted, and
//! written back, from caches smaller than the longest distance of its references from one write to the next, that one included,
//! once however often it comes and goes: it comes back clean until it is written. After the last reference to a block counts the
//! distance that one at the end would have. By block only: where objects differ in size, a larger cache need not hold all
//! that a smaller one does.

use super::accesses::{Accesses, BLOCK_BYTES, object, writes};
use super::play::{Counts, scaled};
use crate::reuse::{Distances, Stack};

/// All distances that 32 bits can number are distinguished.
const EXACT: u32 = 31;
const AHEAD: usize = 16;

/// LRU caches of every size.
pub struct EverySize<'a> {
    accesses: &'a Accesses,
    /// Of reads, then of writes.
    references: [u64; 2],
    distances: [Distances; 2],
    /// Longest distances from one write of a block to the next, or to the end.
    dirty: Distances,
    /// Those to the end.
    at_end: Distances,
}

impl EverySize<'_> {
    /// The distances of references by block.
    pub fn of(accesses: &Accesses) -> EverySize<'_> {
        let mut stack = Stack::new();
        stack.extend(accesses.objects);
        let mut every = EverySize {
            accesses,
            references: [0; 2],
            distances: [Distances::new(EXACT), Distances::new(EXACT)],
            dirty: Distances::new(EXACT),
            at_end: Distances::new(EXACT),
        };
        // The longest distance since the last write of a block; 0 where there was none.
        let mut longest = vec![0u32; accesses.objects];
        for (at, reference) in accesses.references.iter().enumerate() {
            if let Some(soon) = accesses.references.get(at + AHEAD) {
                stack.prefetch_block(object(*soon) as usize);
            }
            every.refer(&mut stack, &mut longest, *reference);
        }
        for (block, longest) in longest.iter().enumerate().filter(|(_, longest)| **longest > 0) {
            every.at_end.add(stack.depth(block).max(*longest), 1.0);
        }
        every.dirty = every.dirty.merged(&every.at_end);
        every
    }

    #[inline]
    fn refer(&mut self, stack: &mut Stack, longest: &mut [u32], reference: u32) {
        let (block, writes) = (object(reference) as usize, writes(reference));
        let distance = stack.access(block);
        self.references[usize::from(writes)] += 1;
        self.distances[usize::from(writes)].add(distance, 1.0);
        let since = &mut longest[block];
        if *since > 0 {
            *since = distance.max(*since);
        }
        if writes {
            if *since > 0 {
                self.dirty.add(*since, 1.0);
            }
            // Of a write alone: in a cache of one block it is dirty.
            *since = 1;
        }
    }

    /// What comes of the references in a cache of `bytes`.
    pub fn at(&self, bytes: u64) -> Counts {
        let blocks = scaled(bytes, self.accesses);
        let [reads, writes] = self.references.map(|count| count as f64);
        let hits = |distances: &Distances| distances.within(blocks);
        let [read_hits, write_hits] = [hits(&self.distances[0]), hits(&self.distances[1])];
        let of_blocks = |count: f64| count * BLOCK_BYTES as f64;
        let counts = Counts {
            reads,
            writes,
            read_misses: reads - read_hits,
            write_misses: writes - write_hits,
            fill_bytes: of_blocks(reads - read_hits),
            write_bytes: of_blocks(writes),
            write_back_bytes: of_blocks(self.dirty.total() - self.dirty.within(blocks)),
            bypass_bytes: 0.0,
            dirty_bytes: of_blocks(self.at_end.within(blocks)),
        };
        counts.represented(self.accesses)
    }

    /// The sizes from which on more references hit, in bytes, with the references that miss there.
    pub fn misses(&self) -> Vec<(u64, f64)> {
        let made = self.accesses.requests() * self.accesses.rate;
        let both = self.distances[0].clone().merged(&self.distances[1]);
        let bytes = |blocks: u64| ((blocks * BLOCK_BYTES) as f64 / self.accesses.rate).ceil() as u64;
        let mut misses = made;
        let points = both.counted().map(|(blocks, count)| {
            misses -= count;
            (bytes(blocks), (misses / self.accesses.rate).clamp(0.0, self.accesses.requests()))
        });
        points.collect()
    }
}
