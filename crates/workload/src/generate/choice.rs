//! A draw among a few values with weights.

use drivecast_block::math;
use drivecast_block::random::Stream;
use rand::Rng;

/// Values and the bounds between them on a scale of 2⁶³; a draw below the k-th bound and not below the one before
/// picks value k.
#[derive(Clone, Debug)]
pub(crate) struct Choice<T> {
    values: Box<[T]>,
    /// One fewer than values: the last value takes what is left.
    bounds: Box<[i64]>,
}

impl<T: Copy> Choice<T> {
    /// Values of weight zero are never drawn; at least one must have a weight.
    pub(crate) fn new(weighted: impl IntoIterator<Item = (T, f64)>) -> Choice<T> {
        let weighted: Vec<(T, f64)> = weighted.into_iter().filter(|(_, weight)| *weight > 0.0).collect();
        let total: f64 = weighted.iter().map(|(_, weight)| weight).sum();
        let mut below = 0.0;
        let bounds = weighted[..weighted.len().saturating_sub(1)].iter().map(|(_, weight)| {
            below += weight;
            (below / total * math::powi(2.0, 63)) as i64
        });
        Choice { bounds: bounds.collect(), values: weighted.iter().map(|(value, _)| *value).collect() }
    }

    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    #[inline]
    pub(crate) fn value(&self, index: usize) -> T {
        self.values[index]
    }

    /// The index of a value, drawn by weight; draws nothing where there is one value only.
    #[inline]
    pub(crate) fn pick(&self, random: &mut Stream) -> usize {
        if self.bounds.is_empty() {
            return 0;
        }
        let draw = (random.next_u64() >> 1) as i64;
        // Counting the bounds passed takes no branch that the processor would have to guess.
        self.bounds.iter().map(|bound| usize::from(draw >= *bound)).sum()
    }
}
