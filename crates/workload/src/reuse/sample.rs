//! Which blocks are followed.
//!
//! MODEL. A block, or a group of neighbours, is followed if its hash lies below a limit: the same blocks whenever they are met, each
//! with the same probability, the rate (SHARDS, Waldspurger et al. 2015). Halving the limit leaves a part of
//! those followed before, so that a sample can be thinned on the way and stay one that was chosen from the start.

/// Bits of the hash that decide; they are the upper ones, so that the lower ones stay free to find a place.
const BITS: u32 = 24;

/// A sample by hash.
#[derive(Clone, Copy)]
pub(crate) struct Sample {
    limit: u64,
}

impl Sample {
    /// Every block.
    pub(crate) const ALL: Sample = Sample { limit: 1 << BITS };

    /// About a share `rate` of the blocks, no less than one in 2²⁴.
    pub(crate) fn of_rate(rate: f64) -> Sample {
        Sample { limit: ((rate.clamp(0.0, 1.0) * (1u64 << BITS) as f64).round() as u64).max(1) }
    }

    /// Whether what has this hash is followed.
    #[inline(always)]
    pub(crate) fn holds(self, hash: u64) -> bool {
        hash >> (u64::BITS - BITS) < self.limit
    }

    /// The probability to be followed.
    pub(crate) fn rate(self) -> f64 {
        self.limit as f64 / (1u64 << BITS) as f64
    }

    /// What a block followed represents: 1 / rate.
    #[inline]
    pub(crate) fn weight(self) -> f64 {
        (1u64 << BITS) as f64 / self.limit as f64
    }

    /// The sample thinned to half, or as it is when there is nothing left to halve.
    pub(crate) fn half(self) -> Sample {
        Sample { limit: (self.limit / 2).max(1) }
    }
}
