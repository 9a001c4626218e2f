//! Reuse: the miss-ratio curve of a stream of block references under LRU, every size of cache in one pass.
//!
//! MODEL. An LRU cache of c blocks hits a reference if fewer than c other blocks were referenced since the same block
//! was last (Mattson et al. 1970): one distance a reference answers for all sizes. `stack.rs` finds the distances,
//! `distances.rs` counts them and makes the curve, `sample.rs` chooses the blocks that are followed where not all are, `index.rs`
//! numbers them. A [`Reuse`] puts them together; the profile follows reads, writes and requests with the same parts.
//!
//! ```
//! use drivecast_workload::reuse::{Reuse, Sampling};
//!
//! let mut reuse = Reuse::new(Sampling::All);
//! reuse.push(&[1, 2, 1, 3, 2, 1]);
//! // One block of cache holds no reuse; two hold that of 1 after 2; three hold all but the first references.
//! assert_eq!([1, 2, 3].map(|blocks| reuse.curve().miss_ratio(blocks)), [1.0, 5.0 / 6.0, 0.5]);
//! ```

mod distances;
mod index;
mod sample;
mod stack;

pub(crate) use distances::Distances;
pub use distances::Point;
pub(crate) use drivecast_block::random::mix;
pub(crate) use index::Index;
pub(crate) use sample::Sample;
pub(crate) use stack::Stack;

/// References taken at a time: enough to wait for memory once instead of as often, few enough to stay in the first cache.
const BATCH: usize = 32;
/// All distances that 32 bits can number are distinguished.
const EXACT: u32 = 31;

/// Which blocks are followed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sampling {
    /// All: the curve is exact.
    All,
    /// Each with this probability (fixed-rate SHARDS).
    Rate(f64),
    /// All until this many are followed; then each time half of them, so that memory is bounded (fixed-size SHARDS).
    Blocks(usize),
}

/// A miss-ratio curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// The sizes at which it falls, with the share that misses from there on.
    pub points: Vec<Point>,
}

impl Curve {
    /// Share of the references that miss in a cache of so many blocks; 1 of a curve without references.
    pub fn miss_ratio(&self, blocks: u64) -> f64 {
        let larger = self.points.partition_point(|point| point.blocks <= blocks);
        larger.checked_sub(1).map_or(1.0, |at| self.points[at].miss_ratio)
    }
}

/// Makes the miss-ratio curve of references pushed in order.
pub struct Reuse {
    sample: Sample,
    blocks_max: usize,
    index: Index,
    stack: Stack,
    distances: Distances,
    references: u64,
    /// References followed that wait for their batch: block and hash.
    batch: [(u64, u64); BATCH],
    waiting: usize,
}

impl Reuse {
    /// Nothing referenced yet.
    pub fn new(sampling: Sampling) -> Reuse {
        let (sample, blocks_max) = match sampling {
            Sampling::All => (Sample::ALL, usize::MAX),
            Sampling::Rate(rate) => (Sample::of_rate(rate), usize::MAX),
            Sampling::Blocks(most) => (Sample::ALL, most.max(1)),
        };
        Reuse {
            sample,
            blocks_max,
            index: Index::new(),
            stack: Stack::new(),
            distances: Distances::new(EXACT),
            references: 0,
            batch: [(0, 0); BATCH],
            waiting: 0,
        }
    }

    /// Takes the next references.
    pub fn push(&mut self, blocks: &[u64]) {
        self.references += blocks.len() as u64;
        for block in blocks {
            let hash = mix(*block);
            // Without a branch: which blocks are followed cannot be foreseen.
            self.batch[self.waiting] = (*block, hash);
            self.waiting += usize::from(self.sample.holds(hash));
            if self.waiting == BATCH {
                self.follow();
            }
        }
    }

    /// The curve of the references so far.
    pub fn curve(&mut self) -> Curve {
        self.follow();
        Curve { points: self.distances.curve(self.references) }
    }

    /// Distinct blocks referenced: counted, or what those followed represent.
    pub fn blocks(&mut self) -> f64 {
        self.follow();
        self.index.len() as f64 * self.sample.weight()
    }

    /// The probability with which a block is followed now.
    pub fn rate(&self) -> f64 {
        self.sample.rate()
    }

    /// Follows the references that wait, in steps that each ask memory for what the next one needs.
    fn follow(&mut self) {
        let mut numbers = [0usize; BATCH];
        let batch = &self.batch[..self.waiting];
        for (_, hash) in batch {
            self.index.prefetch(*hash);
        }
        for (number, (block, hash)) in numbers.iter_mut().zip(batch) {
            *number = self.index.number(*block, *hash).0 as usize;
            self.stack.prefetch_block(*number);
        }
        self.stack.extend(self.index.len());
        let numbers = &numbers[..self.waiting];
        for number in numbers {
            self.stack.prefetch_slot(*number);
        }
        let weight = self.sample.weight();
        for number in numbers {
            self.distances.add(self.stack.access(*number), weight);
        }
        self.waiting = 0;
        while self.index.len() > self.blocks_max && self.sample.rate() > Sample::of_rate(0.0).rate() {
            self.sample = self.sample.half();
            let sample = self.sample;
            let kept = self.index.retain(|block| sample.holds(mix(block)));
            self.stack.retain(&kept, 1);
        }
    }
}
