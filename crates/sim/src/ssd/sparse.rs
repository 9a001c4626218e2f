//! Arrays that are mostly zero, in memory that the system has not backed yet: a copy leaves the zeros as they are.
//!
//! A drive has far more flash than most workloads write to. Copied whole, its maps take the memory of all of it, and the time
//! to fill that.

use std::ops::BitOr;

/// What is skipped or copied together: a page of memory.
const CHUNK_BYTES: usize = 4096;

/// A copy of an array of whole numbers.
pub(super) fn copy<T: Copy + Default + PartialEq + BitOr<Output = T>>(array: &[T]) -> Vec<T> {
    let zero = T::default();
    let mut copied = vec![zero; array.len()];
    let length = CHUNK_BYTES / size_of::<T>();
    for (from, to) in array.chunks(length).zip(copied.chunks_mut(length)) {
        // All of a chunk, without an early end: that is what the compiler makes wide.
        if from.iter().fold(zero, |all, entry| all | *entry) != zero {
            to.copy_from_slice(from);
        }
    }
    copied
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
            prop_assert_eq!(&copy(&array), &array);
        }
    }
}
