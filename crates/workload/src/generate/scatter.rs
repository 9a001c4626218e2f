//! Pieces of a span in another order, so that the parts of a run lie far apart.

/// The inverse of the golden ratio.
const INVERSE_PHI: f64 = 0.618_033_988_749_894_9;

/// A permutation of the pieces of a span: i ↦ step·i mod pieces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scatter {
    piece: u64,
    pieces: u64,
    step: u64,
    span: u64,
}

impl Scatter {
    /// The permutation of a span's whole pieces; what is left behind them stays where it is.
    pub(super) fn new(span: u64, piece: u64) -> Scatter {
        let pieces = span / piece.max(1);
        let near = (pieces as f64 * INVERSE_PHI) as u64;
        let step = (near..).find(|&step| coprime(step.max(1), pieces)).unwrap_or(1).max(1);
        Scatter { piece: piece.max(1), pieces, step, span }
    }

    /// Where the request at `offset` lies, within the span.
    #[inline]
    pub(super) fn place(&self, offset: u64, size: u32) -> u64 {
        let (piece, within) = (offset / self.piece, offset % self.piece);
        if piece >= self.pieces {
            return offset;
        }
        let moved = (u128::from(piece) * u128::from(self.step) % u128::from(self.pieces)) as u64;
        (moved * self.piece + within).min(self.span - u64::from(size))
    }
}

fn coprime(a: u64, b: u64) -> bool {
    let (mut a, mut b) = (a, b);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a == 1
}

#[cfg(test)]
mod tests {
    use super::Scatter;

    #[test]
    fn every_piece_is_met_once_and_neighbours_part() {
        for pieces in [1, 2, 3, 10, 97, 1000, 4096] {
            let scatter = Scatter::new(pieces * 4096 + 512, 4096);
            let mut places: Vec<u64> = (0..pieces).map(|i| scatter.place(i * 4096, 4096) / 4096).collect();
            if pieces > 100 {
                assert!(places.windows(2).all(|pair| pair[0].abs_diff(pair[1]) > pieces / 4), "{pieces}");
            }
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
        assert!(counts.iter().all(|count| count.abs_diff(zone / 10) <= 2), "{counts:?}");
    }
}
