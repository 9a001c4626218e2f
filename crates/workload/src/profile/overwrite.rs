//! Overwriting: how much of what is written replaces something written before, and how soon.
//!
//! DEFINITION. Writes are counted in 4 KiB blocks touched. The overwrite fraction is the share of block writes to a block
//! written earlier in the recording: 1 − distinct blocks written / block writes. The update distance of such a write is
//! what was written since the previous write of the same block, that write included: 4 KiB for a block written twice in a
//! row, U blocks on average for uniform writes to U blocks. Left out: what a block held before the recording; discards.
//!
//! MEMORY. The last write of each block, as the low 32 bits of its number among all block writes: 4 KiB for each 4 MiB of
//! addresses in which anything is written, made when first written, 1 GiB a TiB written everywhere. No more than 2¹⁹ such
//! chunks (2 GiB, 2 TiB of addresses) are kept; blocks beyond give no distances, and the profile says so. A distance of
//! 16 TiB or more is taken modulo 16 TiB. Distances go to a histogram of three digits.

use super::working_set::{BLOCK_BYTES, CHUNK_BLOCKS, Touch};
use hdrhistogram::Histogram;
use serde::Serialize;

const CHUNKS_MAX: usize = 1 << 19;

/// Quantiles of the update distance, in bytes, within 0.1 %.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct UpdateDistance {
    /// A tenth of the overwrites come sooner.
    #[serde(rename = "q0.1")]
    pub q10: u64,
    /// The median.
    #[serde(rename = "q0.5")]
    pub q50: u64,
    /// A tenth come later.
    #[serde(rename = "q0.9")]
    pub q90: u64,
}

/// The number of the last write of each block of a chunk; 0: not written.
type Stamps = Box<[u32; CHUNK_BLOCKS]>;

pub(super) struct Overwrite {
    /// By chunk, as the working set numbers them.
    stamps: Vec<Option<Stamps>>,
    made: usize,
    block_writes: u64,
    /// Block writes without a place for their stamp.
    untracked: u64,
    /// Distances, in blocks.
    distances: Histogram<u64>,
}

impl Overwrite {
    pub(super) fn new() -> Overwrite {
        let distances =
            Histogram::new_with_bounds(1, u64::from(u32::MAX), 3).expect("the bounds are in order");
        Overwrite { stamps: Vec::new(), made: 0, block_writes: 0, untracked: 0, distances }
    }

    /// Notes the write of some blocks of a chunk.
    #[inline]
    pub(super) fn write(&mut self, touch: &Touch) {
        let first = self.block_writes + 1;
        self.block_writes += touch.blocks.len() as u64;
        if self.stamps.len() <= touch.chunk || self.stamps[touch.chunk].is_none() {
            self.make(touch.chunk);
        }
        let Some(stamps) = &mut self.stamps[touch.chunk] else {
            self.untracked += touch.blocks.len() as u64;
            return;
        };
        // Blocks written together before lie at one distance: they enter the histogram at once.
        let (mut distance, mut run) = (0, 0);
        for (stamp, now) in stamps[touch.blocks.clone()].iter_mut().zip(first..) {
            let now = now as u32;
            let found = if *stamp == 0 { 0 } else { now.wrapping_sub(*stamp) };
            *stamp = now;
            if found != distance {
                record(&mut self.distances, distance, run);
                (distance, run) = (found, 0);
            }
            run += 1;
        }
        record(&mut self.distances, distance, run);
    }

    #[cold]
    fn make(&mut self, chunk: usize) {
        if self.stamps.len() <= chunk {
            self.stamps.resize_with(chunk + 1, || None);
        }
        if self.made < CHUNKS_MAX {
            self.made += 1;
            self.stamps[chunk] = Some(Box::new([0; CHUNK_BLOCKS]));
        }
    }

    /// Blocks written, repeats included.
    pub(super) fn block_writes(&self) -> u64 {
        self.block_writes
    }

    /// Block writes that entered no distance for want of memory.
    pub(super) fn untracked(&self) -> u64 {
        self.untracked
    }

    pub(super) fn distance(&self) -> Option<UpdateDistance> {
        let quantile = |q| self.distances.value_at_quantile(q) * BLOCK_BYTES;
        (!self.distances.is_empty()).then(|| UpdateDistance {
            q10: quantile(0.1),
            q50: quantile(0.5),
            q90: quantile(0.9),
        })
    }
}

/// Enters `run` blocks at a distance; 0 stands for blocks not written before.
#[inline]
fn record(distances: &mut Histogram<u64>, distance: u32, run: u64) {
    if distance > 0 {
        distances.saturating_record_n(u64::from(distance), run);
    }
}
