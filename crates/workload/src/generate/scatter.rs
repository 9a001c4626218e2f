//! Pieces of a span in another order, so that the parts of a run lie apart.

/// Rounds of the network: four make a permutation that passes for a random one (Luby and Rackoff 1988).
const ROUNDS: [u64; 4] =
    [0x9e37_79b9_7f4a_7c15, 0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb, 0xd6e8_feb8_6659_fd93];

/// A permutation of the pieces of a span: a Feistel network over the next power of four, walked until it is back in the
/// span. The same in all runs, so that data stay where they are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scatter {
    piece: u64,
    pieces: u64,
    /// Bits of either half.
    half: u32,
}

impl Scatter {
    /// The permutation of a span's whole pieces, none smaller than a request; what is left behind them stays where it is.
    pub(super) fn new(span: u64, piece: u64) -> Scatter {
        let piece = piece.max(1);
        let pieces = span / piece;
        let bits = u64::BITS - pieces.saturating_sub(1).leading_zeros();
        Scatter { piece, pieces, half: bits.div_ceil(2).max(1) }
    }

    /// Where the request at `offset` lies, within its piece and so within its zone.
    #[inline]
    pub(super) fn place(&self, offset: u64, size: u32) -> u64 {
        let (mut piece, within) = self.split(offset);
        if piece >= self.pieces {
            return offset;
        }
        loop {
            piece = self.permute(piece);
            if piece < self.pieces {
                return piece * self.piece + within.min(self.piece - u64::from(size));
            }
        }
    }

    /// The piece that holds a byte, and the byte's place in it; a division takes longer than all the rest.
    #[inline]
    fn split(&self, offset: u64) -> (u64, u64) {
        if self.piece.is_power_of_two() {
            (offset >> self.piece.trailing_zeros(), offset & (self.piece - 1))
        } else {
            (offset / self.piece, offset % self.piece)
        }
    }

    #[inline]
    fn permute(&self, piece: u64) -> u64 {
        let mask = (1u64 << self.half) - 1;
        let (mut left, mut right) = (piece >> self.half, piece & mask);
        for key in ROUNDS {
            let mixed = (right ^ key).wrapping_mul(0x2127_599b_f432_5c37);
            (left, right) = (right, left ^ (mixed ^ mixed >> 29) & mask);
        }
        left << self.half | right
    }
}

#[cfg(test)]
mod tests {
    use super::Scatter;

    #[test]
    fn every_piece_is_met_once() {
        for pieces in [1, 2, 3, 10, 97, 1000, 4096] {
            let scatter = Scatter::new(pieces * 4096 + 512, 4096);
            let mut places: Vec<u64> = (0..pieces).map(|i| scatter.place(i * 4096, 4096) / 4096).collect();
            places.sort_unstable();
            assert!(places.iter().copied().eq(0..pieces), "{pieces}");
        }
    }

    #[test]
    fn a_zone_has_its_share_of_every_stretch() {
        let (pieces, zone) = (10_000, 2_000);
        let scatter = Scatter::new(pieces * 4096, 4096);
        let mut counts = [0u64; 10];
        for i in 0..zone {
            counts[(scatter.place(i * 4096, 4096) / 4096 / (pieces / 10)) as usize] += 1;
        }
        // Drawn without replacement: a standard deviation of 12.
        assert!(counts.iter().all(|count| count.abs_diff(zone / 10) < 50), "{counts:?}");
    }
}
