//! Whole numbers in three bytes each, or in four where three do not suffice.
//!
//! The map and the reverse map of a drive are by far the largest things in a simulation, and few simulated drives have
//! 2²⁴ pages. An entry is read by one unaligned load of four bytes and a mask, and written by two stores of two bytes
//! that meet or overlap: neither width nor neighbour costs a branch. Memory that was never written is never accessed.

use super::sparse;
use drivecast_block::prefetch;

/// The largest number of three bytes.
const NARROW_MAX: u32 = (1 << 24) - 1;

/// A growing array of whole numbers.
#[derive(Debug)]
pub(super) struct Packed {
    /// The entries, and a byte after the last so that it can be loaded like the others.
    bytes: Vec<u8>,
    /// Four bytes an entry, not three.
    wide: bool,
    /// All bits of an entry.
    mask: u32,
}

impl Clone for Packed {
    fn clone(&self) -> Packed {
        Packed { bytes: sparse::copy(&self.bytes), ..*self }
    }
}

impl Packed {
    /// Memory for `capacity` entries that hold numbers below `bound`; the largest number is left to mean absence.
    pub(super) fn new(capacity: usize, bound: u64) -> Packed {
        let wide = bound > u64::from(NARROW_MAX);
        let mut packed = Packed { bytes: Vec::new(), wide, mask: if wide { u32::MAX } else { NARROW_MAX } };
        packed.bytes.reserve_exact(packed.offset(capacity) + 1);
        packed.bytes.push(0);
        packed
    }

    /// `len` zeros, which take no memory before they are written.
    pub(super) fn zeros(len: usize, bound: u64) -> Packed {
        let empty = Packed::new(0, bound);
        Packed { bytes: vec![0; empty.offset(len) + 1], ..empty }
    }

    /// Memory in use.
    pub(super) fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// Where an entry begins.
    #[inline]
    fn offset(&self, index: usize) -> usize {
        index * (3 + usize::from(self.wide))
    }

    /// An entry and perhaps a byte behind it.
    #[inline]
    fn word(&self, index: usize) -> [u8; 4] {
        let at = self.offset(index);
        let mut word = [0; 4];
        word.copy_from_slice(&self.bytes[at..at + 4]);
        word
    }

    #[inline]
    pub(super) fn get(&self, index: usize) -> u32 {
        u32::from_le_bytes(self.word(index)) & self.mask
    }

    #[inline]
    pub(super) fn set(&mut self, index: usize, value: u32) {
        let (at, upper) = (self.offset(index), 1 + usize::from(self.wide));
        let word = &mut self.bytes[at..at + 4];
        word[..2].copy_from_slice(&(value as u16).to_le_bytes());
        word[upper..upper + 2].copy_from_slice(&((value >> (8 * upper)) as u16).to_le_bytes());
    }

    /// Sets entries that follow each other.
    pub(super) fn set_run(&mut self, index: usize, values: &[u32]) {
        let run = self.offset(index)..self.offset(index + values.len());
        if self.wide {
            for (entry, value) in self.bytes[run].chunks_exact_mut(4).zip(values) {
                entry.copy_from_slice(&value.to_le_bytes());
            }
        } else {
            for (entry, value) in self.bytes[run].chunks_exact_mut(3).zip(values) {
                entry.copy_from_slice(&value.to_le_bytes()[..3]);
            }
        }
    }

    /// What an entry holds that has all bits set.
    #[inline]
    pub(super) fn absent(&self) -> u32 {
        self.mask
    }

    /// Adds absent entries.
    pub(super) fn extend(&mut self, entries: usize) {
        let end = self.bytes.len() - 1;
        self.bytes[end] = u8::MAX;
        self.bytes.resize(end + self.offset(entries) + 1, u8::MAX);
    }

    /// Sees to it that entries hold numbers below `bound`: copies all of them if they were too narrow.
    pub(super) fn widen(&mut self, bound: u64) {
        if self.wide || bound <= u64::from(NARROW_MAX) {
            return;
        }
        let mut wide = Packed::new(self.len(), bound);
        wide.extend(self.len());
        for index in (0..self.len()).filter(|&index| self.get(index) != self.mask) {
            wide.set(index, self.get(index));
        }
        *self = wide;
    }

    pub(super) fn len(&self) -> usize {
        (self.bytes.len() - 1) / self.offset(1)
    }

    /// Asks for an entry ahead of its use.
    #[inline]
    pub(super) fn prefetch(&self, index: usize) {
        prefetch(&self.bytes, self.offset(index));
    }

    /// Bytes of memory held.
    pub(super) fn memory_bytes(&self) -> usize {
        self.bytes.len()
    }
}
