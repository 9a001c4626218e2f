//! A disk's data in memory of this process, which is taken page by page as it is written.

use crate::Errno;
use std::io::Error;
use std::ptr::NonNull;

const PAGE: u64 = 4096;

/// A mapping of nothing, of the disk's size. See `mmap(2)`: `MAP_NORESERVE`, so that address space is all it takes.
pub(super) struct Memory {
    start: NonNull<u8>,
    size: usize,
    /// A bit for each page that was written.
    written: Vec<u64>,
    pages: u64,
    pages_max: u64,
}

// SAFETY: the mapping is owned, and reached only through this value.
unsafe impl Send for Memory {}

impl Memory {
    pub(super) fn new(size: u64, bytes_max: u64) -> std::io::Result<Memory> {
        let length = usize::try_from(size).map_err(|_| Error::from_raw_os_error(libc::ENOMEM))?;
        let (access, flags) = (
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
        );
        // SAFETY: a new mapping, at a place of the kernel's choice.
        let start = unsafe { libc::mmap(std::ptr::null_mut(), length.max(1), access, flags, -1, 0) };
        if start == libc::MAP_FAILED {
            return Err(Error::last_os_error());
        }
        let start = NonNull::new(start.cast()).ok_or_else(|| Error::from_raw_os_error(libc::ENOMEM))?;
        let written = vec![0; size.div_ceil(PAGE * 64) as usize]; // zeroed by the kernel, page by page, when it is used
        Ok(Memory { start, size: length, written, pages: 0, pages_max: bytes_max / PAGE })
    }

    /// The bytes of a range, which lies on the disk.
    fn range(&self, offset: u64, length: usize) -> *mut u8 {
        assert!(offset as usize + length <= self.size, "the disk checks its requests");
        // SAFETY: within the mapping, as just checked.
        unsafe { self.start.as_ptr().add(offset as usize) }
    }

    pub(super) fn read(&self, offset: u64, out: &mut [u8]) {
        // SAFETY: the range lies in the mapping, which no one else has.
        unsafe { std::ptr::copy_nonoverlapping(self.range(offset, out.len()), out.as_mut_ptr(), out.len()) };
    }

    pub(super) fn write(&mut self, offset: u64, bytes: &[u8]) -> Result<(), Errno> {
        let new = self.new_pages(offset, bytes.len());
        if new > 0 && self.pages + new > self.pages_max {
            return Err(Errno::NO_SPACE);
        }
        self.put(offset, bytes);
        Ok(())
    }

    /// How many pages of a range were never written.
    fn new_pages(&self, offset: u64, length: usize) -> u64 {
        let is_new = |page: &u64| self.written[(*page / 64) as usize] & (1 << (page % 64)) == 0;
        pages(offset, length).filter(is_new).count() as u64
    }

    /// Writes, however much is written already.
    pub(super) fn put(&mut self, offset: u64, bytes: &[u8]) {
        let new = self.new_pages(offset, bytes.len());
        if new > 0 {
            self.pages += new;
            pages(offset, bytes.len())
                .for_each(|page| self.written[(page / 64) as usize] |= 1 << (page % 64));
        }
        // SAFETY: as above.
        unsafe {
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.range(offset, bytes.len()), bytes.len())
        };
    }

    pub(super) fn discard(&mut self, offset: u64, length: u64) {
        let end = offset + length;
        let (from, to) = (offset.next_multiple_of(PAGE).min(end), (end / PAGE * PAGE).max(offset));
        if from >= to {
            return self.zero(offset, end);
        }
        self.zero(offset, from);
        self.zero(to, end);
        // SAFETY: whole pages of the mapping.
        unsafe {
            libc::madvise(
                self.range(from, (to - from) as usize).cast(),
                (to - from) as usize,
                libc::MADV_DONTNEED,
            )
        };
        self.forget(from / PAGE, to / PAGE);
    }

    /// Counts these pages as not written.
    fn forget(&mut self, from: u64, to: u64) {
        let mut page = from;
        while page < to {
            let word = &mut self.written[(page / 64) as usize];
            if page.is_multiple_of(64) && page + 64 <= to {
                self.pages -= u64::from(word.count_ones());
                *word = 0;
                page += 64;
                continue;
            }
            self.pages -= *word >> (page % 64) & 1;
            *word &= !(1 << (page % 64));
            page += 1;
        }
    }

    /// Makes part of each page in a range zeros, where it was ever written.
    fn zero(&mut self, from: u64, to: u64) {
        let mut at = from;
        while at < to {
            let end = to.min((at / PAGE + 1) * PAGE);
            let page = at / PAGE;
            if self.written[(page / 64) as usize] >> (page % 64) & 1 == 1 {
                // SAFETY: within the mapping, as `range` checks.
                unsafe { std::ptr::write_bytes(self.range(at, (end - at) as usize), 0, (end - at) as usize) };
            }
            at = end;
        }
    }
}

/// The pages that a range touches.
fn pages(offset: u64, length: usize) -> std::ops::Range<u64> {
    offset / PAGE..(offset + length as u64).div_ceil(PAGE)
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: mapped with this length, and unmapped once.
        unsafe { libc::munmap(self.start.as_ptr().cast(), self.size.max(1)) };
    }
}
