//! Arrays that are mostly zero, in memory that the system has not backed yet: a copy leaves the zeros as they are.
//!
//! A drive has far more flash than most workloads write to. Copied whole, its maps take the memory of all of it, and the time
//! to fill that.

use std::ops::BitOr;

/// What is skipped or copied together: a page of memory.
const CHUNK_BYTES: usize = 4096;

/// What such an array holds.
pub(super) trait Entry: Copy + Default + PartialEq + BitOr<Output = Self> {}

impl<T: Copy + Default + PartialEq + BitOr<Output = T>> Entry for T {}

#[inline]
fn is_zero<T: Entry>(chunk: &[T]) -> bool {
    chunk.iter().fold(T::default(), |all, entry| all | *entry) == T::default()
}

/// A copy of an array whose zero is `zeros`, which must be as long and all zero.
pub(super) fn copy<T: Entry>(array: &[T], mut zeros: Vec<T>) -> Vec<T> {
    let mut rest = zeros.as_mut_slice();
    for chunk in array.chunks(CHUNK_BYTES / size_of::<T>()) {
        let (copy, after) = rest.split_at_mut(chunk.len());
        if !is_zero(chunk) {
            copy.copy_from_slice(chunk);
        }
        rest = after;
    }
    zeros
}

#[cfg(test)]
mod tests {
    use super::copy;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_copy_is_equal(len in 0..20_000usize, set in prop::collection::vec((0..20_000usize, 1..=u32::MAX), 0..8)) {
            let mut array = vec![0; len];
            for (at, value) in set {
                if let Some(entry) = array.get_mut(at) {
                    *entry = value;
                }
            }
            prop_assert_eq!(&copy(&array, vec![0; len]), &array);
        }
    }
}
