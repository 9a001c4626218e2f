//! The logical map: from the drive's own addresses to places in flash.
//!
//! Two levels. A directory has one entry for each run of 512 logical pages; a chunk of the map exists once
//! one of its pages was written. So a trace that touches 1 GB of a 7.68 TB drive costs the memory of 1 GB
//! (and 4 bytes for each 2 MiB of address space, which the system does not back before its first use).
//! Inside, a page is known by its slot, the index of its entry: 32 bits suffice whatever the drive's
//! capacity.

use super::packed::Packed;
use super::sparse;

const CHUNK_BITS: u32 = 9;
const CHUNK: usize = 1 << CHUNK_BITS;

#[derive(Debug)]
pub(super) struct LogicalMap {
    /// The chunk of each run of addresses; 0 for the chunk that is absent throughout.
    directory: Vec<u32>,
    entries: Packed,
}

impl Clone for LogicalMap {
    fn clone(&self) -> LogicalMap {
        LogicalMap { directory: sparse::copy(&self.directory), entries: self.entries.clone() }
    }
}

impl LogicalMap {
    /// A map of `pages` addresses, of which about `expected` will be written, to places below `places`.
    pub(super) fn new(pages: u64, expected: u64, places: u64) -> LogicalMap {
        let chunks = usize::try_from(pages.div_ceil(CHUNK as u64)).expect("an address space in memory reach");
        let mut entries = Packed::new((expected as usize).next_multiple_of(CHUNK) + CHUNK, places);
        entries.extend(CHUNK);
        LogicalMap { directory: vec![0; chunks], entries }
    }

    /// Memory in use.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.directory.as_slice()) + self.entries.bytes()
    }

    /// Where a logical page lies; no place if it was never written, or was discarded.
    #[inline]
    pub(super) fn get(&self, lpn: u64) -> Option<u32> {
        self.at(self.peek(lpn) as u32)
    }

    /// The slot of a logical page, which the empty chunk has for all that were never written.
    #[inline]
    fn peek(&self, lpn: u64) -> usize {
        let chunk = self.directory[(lpn >> CHUNK_BITS) as usize] as usize;
        chunk << CHUNK_BITS | lpn as usize & (CHUNK - 1)
    }

    /// The slot of a logical page, made if there is none.
    #[inline]
    pub(super) fn slot(&mut self, lpn: u64) -> u32 {
        let slot = self.peek(lpn);
        if slot < CHUNK { self.make(lpn) } else { slot as u32 }
    }

    #[cold]
    fn make(&mut self, lpn: u64) -> u32 {
        let chunk = self.entries.len() >> CHUNK_BITS;
        self.entries.extend(CHUNK);
        self.directory[(lpn >> CHUNK_BITS) as usize] = u32::try_from(chunk).expect("fewer than 2^32 pages");
        (chunk << CHUNK_BITS | lpn as usize & (CHUNK - 1)) as u32
    }

    /// Where the page of a slot lies.
    #[inline]
    pub(super) fn at(&self, slot: u32) -> Option<u32> {
        Some(self.entries.get(slot as usize)).filter(|place| *place != self.entries.absent())
    }

    /// Slots made so far.
    pub(super) fn slots(&self) -> u32 {
        self.entries.len() as u32
    }

    #[inline]
    pub(super) fn set(&mut self, slot: u32, place: u32) {
        self.entries.set(slot as usize, place);
    }

    /// Forgets where the page of a slot lies.
    pub(super) fn clear(&mut self, slot: u32) {
        self.entries.set(slot as usize, self.entries.absent());
    }

    /// Widens the entries to hold places below `places`.
    pub(super) fn widen(&mut self, places: u64) {
        self.entries.widen(places);
    }

    /// Asks for the entry of a logical page ahead of its use.
    #[inline]
    pub(super) fn prefetch(&self, lpn: u64) {
        if let Some(chunk) = self.directory.get((lpn >> CHUNK_BITS) as usize) {
            self.entries.prefetch((*chunk as usize) << CHUNK_BITS | lpn as usize & (CHUNK - 1));
        }
    }

    /// Asks for the entry in a slot ahead of its use.
    #[inline]
    pub(super) fn prefetch_slot(&self, slot: u32) {
        self.entries.prefetch(slot as usize);
    }

    /// Bytes of memory held.
    pub(super) fn memory_bytes(&self) -> usize {
        4 * self.directory.len() + self.entries.memory_bytes()
    }
}
