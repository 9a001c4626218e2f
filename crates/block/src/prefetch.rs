//! A hint to the processor's cache. A map of blocks or pages is far larger than that cache and is read at random; fetching early
//! what the next references need hides most of the wait.

/// Fetches the cache line that holds `slice[index]`; out of range, or on a machine without the hint, does nothing.
#[inline(always)]
pub fn prefetch<T>(slice: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(item) = slice.get(index) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch has no effect that a program can observe, and the address is that of a live reference.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(item).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (slice, index);
}
