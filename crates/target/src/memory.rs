//! The data of requests: where reads go and writes come from.

use crate::error::TargetError;
use rand::Rng;
use std::alloc::{Layout, alloc_zeroed, dealloc};

/// Enough for every disk: pages of memory, and sectors of 4 KiB.
const ALIGN: usize = 4096;

/// Writes begin at one of so many places, so that no two that follow carry the same data.
const PLACES: usize = 256;

/// Memory that a disk can reach, in one piece.
pub(crate) struct Memory {
    start: *mut u8,
    layout: Layout,
    largest: usize,
    place: usize,
    leaked: bool,
}

// SAFETY: the memory is owned, and reached only through a target, which is on one thread at a time.
unsafe impl Send for Memory {}

impl Memory {
    /// Memory for reads of up to `largest` bytes, and as many random bytes and some more to write.
    pub(crate) fn new(largest: usize, random: &mut impl Rng) -> Result<Memory, TargetError> {
        let largest = largest.next_multiple_of(ALIGN).max(ALIGN);
        let bytes = 2 * largest + PLACES * ALIGN;
        let layout =
            Layout::from_size_align(bytes, ALIGN).map_err(|_| TargetError::Memory { bytes: largest })?;
        // SAFETY: the layout has a size above zero.
        let start = unsafe { alloc_zeroed(layout) };
        if start.is_null() {
            return Err(TargetError::Memory { bytes: largest });
        }
        // SAFETY: the part behind the reads lies in the piece just made, which has no other reference yet.
        let written = unsafe { std::slice::from_raw_parts_mut(start.add(largest), bytes - largest) };
        random.fill_bytes(written);
        Ok(Memory { start, layout, largest, place: 0, leaked: false })
    }

    /// Where reads go: all to one place, since their data are not used.
    pub(crate) fn reads(&self) -> *mut u8 {
        self.start
    }

    /// Where the next write comes from.
    pub(crate) fn writes(&mut self) -> *const u8 {
        self.place = (self.place + 1) % PLACES;
        // SAFETY: `largest` bytes from the last place on still lie in the piece.
        unsafe { self.start.add(self.largest + self.place * ALIGN) }
    }
}

impl Memory {
    /// Never frees it: the kernel may still write to it.
    pub(crate) fn keep(&mut self) {
        self.leaked = true;
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        if self.leaked {
            return;
        }
        // SAFETY: made with this layout, and freed once.
        unsafe { dealloc(self.start, self.layout) };
    }
}
