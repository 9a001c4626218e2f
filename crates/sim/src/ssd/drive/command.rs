//! A request inside the drive, and the pages that it touches.

use drivecast_block::Request;
use std::ops::Range;

/// A command in the drive.
#[derive(Clone, Copy, Debug)]
pub(super) struct Command {
    pub(super) request: Request,
    /// Order of submission.
    pub(super) sequence: u64,
    /// Reads: parts not yet at the host. Writes: pages not yet admitted. Then, and of flushes: rows to wait for that are not
    /// yet programmed.
    pub(super) left: u32,
    /// Writes: the next page to place.
    pub(super) next_page: u64,
    /// Writes: bytes not yet sent.
    pub(super) bytes_left: u32,
    /// Writes: the first row with a page of it, by the order of issue.
    pub(super) first_row: u64,
}

/// The size of a logical page.
#[derive(Clone, Copy, Debug)]
pub(super) struct PageSize {
    pub(super) bytes: u64,
    /// The size as a power of two, so as not to divide; none if it is not one.
    bits: Option<u32>,
}

impl PageSize {
    pub(super) fn new(bytes: u32) -> PageSize {
        PageSize { bytes: bytes.into(), bits: bytes.is_power_of_two().then(|| bytes.trailing_zeros()) }
    }

    /// The page that holds a byte.
    #[inline]
    pub(super) fn page(self, offset: u64) -> u64 {
        match self.bits {
            Some(bits) => offset >> bits,
            None => offset / self.bytes,
        }
    }

    /// The pages that a request touches.
    #[inline]
    pub(super) fn touched(self, request: &Request) -> Range<u64> {
        match request.size {
            0 => 0..0,
            _ => self.page(request.offset.0)..self.page(request.end() - 1) + 1,
        }
    }

    /// The pages that a request covers from end to end.
    pub(super) fn covered(self, request: &Request) -> Range<u64> {
        self.page(request.offset.0 + self.bytes - 1)..self.page(request.end())
    }

    /// Bytes that a request covers of a page.
    #[inline]
    pub(super) fn overlap(self, request: &Request, page: u64) -> u32 {
        let start = request.offset.0.max(page * self.bytes);
        (request.end().min((page + 1) * self.bytes) - start) as u32
    }
}
