//! Working set: the distinct 4 KiB blocks accessed.
//!
//! DEFINITION. A block is accessed by a request that moves any of its bytes. Exact, by two bits a block (read, written).
//! The bits lie in chunks of 1024 blocks (4 MiB of addresses, 256 B of bits), made when first accessed. A chunk is found
//! through a table of pages of 4096 chunks (16 GiB of addresses, 16 KiB), also made when first accessed, over a table of
//! pages that reaches to 64 PiB (4 B a page below the highest one accessed).
//!
//! MEMORY. 64 MiB a TiB of addresses accessed everywhere; at most a quarter KiB for each 4 MiB accessed anywhere. No more
//! than 2²⁰ chunks (256 MiB of bits, 4 TiB of addresses) in 2¹³ pages (128 MiB) are held; accesses beyond are counted as
//! untracked, and the working set is then estimated from the blocks followed.

use drivecast_block::prefetch;
use std::ops::Range;

/// The unit of working set and overwriting.
pub(super) const BLOCK_BYTES: u64 = 4096;
/// Blocks of a chunk.
const CHUNK_BLOCKS: usize = 1024;
const CHUNKS_MAX: usize = 1 << 20;
const PAGE_CHUNKS: usize = 4096;
/// Pages that the table of pages reaches to.
const PAGES_MAX: usize = 1 << 22;
/// Pages made.
const PAGES_MADE_MAX: usize = 1 << 13;
const WORDS: usize = CHUNK_BLOCKS / 64;

/// Which blocks of a chunk were read, which written, by word: what one access needs lies in one cache line.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
struct Chunk {
    words: [[u64; 2]; WORDS],
}

/// Distinct blocks accessed.
#[derive(Clone, Copy, Default)]
pub(super) struct Footprint {
    all: u64,
    read: u64,
    written: u64,
}

impl Footprint {
    /// Distinct blocks, in bytes.
    pub(super) fn bytes(self) -> u64 {
        self.all * BLOCK_BYTES
    }

    /// Distinct blocks read.
    pub(super) fn bytes_read(self) -> u64 {
        self.read * BLOCK_BYTES
    }

    /// Distinct blocks written.
    pub(super) fn bytes_written(self) -> u64 {
        self.written * BLOCK_BYTES
    }
}

/// What a request does to a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Access {
    #[default]
    Read,
    Write,
}

impl Access {
    pub(super) fn name(self) -> &'static str {
        match self {
            Access::Read => "read",
            Access::Write => "write",
        }
    }
}

#[derive(Default)]
pub(super) struct WorkingSet {
    /// Page of each 16 GiB, plus one; 0: not made.
    pages: Vec<u32>,
    /// Chunk of each 4 MiB of the pages made, plus one; 0: not made.
    entries: Vec<u32>,
    chunks: Vec<Chunk>,
    footprint: Footprint,
    untracked: u64,
}

impl WorkingSet {
    /// Asks the cache for the bits of the first block of a request.
    #[inline]
    pub(super) fn prefetch(&self, offset: u64) {
        let block = offset / BLOCK_BYTES;
        let number = (block / CHUNK_BLOCKS as u64) as usize;
        let Some(made) = self.pages.get(number / PAGE_CHUNKS).filter(|made| **made > 0) else { return };
        let chunk = self.entries[(*made as usize - 1) * PAGE_CHUNKS + number % PAGE_CHUNKS];
        let word = block as usize % CHUNK_BLOCKS / 64;
        // Not made: 0 wraps around to a chunk that is not there.
        if let Some(chunk) = self.chunks.get((chunk as usize).wrapping_sub(1)) {
            prefetch(&chunk.words, word);
        }
    }

    /// Marks the blocks of a request.
    #[inline]
    pub(super) fn touch(&mut self, access: Access, bytes: Range<u64>) {
        let last = (bytes.end - 1) / BLOCK_BYTES;
        let mut block = bytes.start / BLOCK_BYTES;
        while block <= last {
            let first = (block % CHUNK_BLOCKS as u64) as usize;
            let count = ((last - block) as usize + 1).min(CHUNK_BLOCKS - first);
            match self.chunk(block / CHUNK_BLOCKS as u64) {
                Some(chunk) => self.mark(access, chunk, first..first + count),
                None => self.untracked += count as u64,
            }
            block += count as u64;
        }
    }

    /// The chunk with this number in the address space, made if need be and memory allows.
    #[inline]
    fn chunk(&mut self, number: u64) -> Option<usize> {
        let page = usize::try_from(number / PAGE_CHUNKS as u64).ok()?;
        let within = (number % PAGE_CHUNKS as u64) as usize;
        let made = self.pages.get(page).copied().unwrap_or(0) as usize;
        if made > 0 {
            let chunk = self.entries[(made - 1) * PAGE_CHUNKS + within] as usize;
            if chunk > 0 {
                return Some(chunk - 1);
            }
        }
        self.make_chunk(page, within)
    }

    #[cold]
    fn make_chunk(&mut self, page: usize, within: usize) -> Option<usize> {
        if page >= PAGES_MAX || self.chunks.len() >= CHUNKS_MAX {
            return None;
        }
        if page >= self.pages.len() {
            self.pages.resize(page + 1, 0);
        }
        if self.pages[page] == 0 {
            if self.entries.len() >= PAGES_MADE_MAX * PAGE_CHUNKS {
                return None;
            }
            self.entries.resize(self.entries.len() + PAGE_CHUNKS, 0);
            self.pages[page] = (self.entries.len() / PAGE_CHUNKS) as u32;
        }
        self.chunks.push(Chunk::default());
        self.entries[(self.pages[page] as usize - 1) * PAGE_CHUNKS + within] = self.chunks.len() as u32;
        Some(self.chunks.len() - 1)
    }

    #[inline]
    fn mark(&mut self, access: Access, chunk: usize, blocks: Range<usize>) {
        let (first, last) = (blocks.start / 64, (blocks.end - 1) / 64);
        for (word, bits) in (first..).zip(&mut self.chunks[chunk].words[first..=last]) {
            let from = blocks.start.max(word * 64) - word * 64;
            let to = blocks.end.min(word * 64 + 64) - word * 64;
            let mask = (u64::MAX >> (64 - (to - from))) << from;
            let [read, written] = bits;
            self.footprint.all += u64::from((mask & !(*read | *written)).count_ones());
            let (bits, count) = match access {
                Access::Read => (read, &mut self.footprint.read),
                Access::Write => (written, &mut self.footprint.written),
            };
            *count += u64::from((mask & !*bits).count_ones());
            *bits |= mask;
        }
    }

    /// What has been accessed so far.
    #[inline]
    pub(super) fn footprint(&self) -> Footprint {
        self.footprint
    }

    /// Blocks accessed that could not be tracked, repeats included.
    pub(super) fn untracked(&self) -> u64 {
        self.untracked
    }
}
