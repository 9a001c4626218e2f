//! A request inside the drive, and the pages that it touches.

use drivecast_block::Request;

/// A command in the drive.
#[derive(Clone, Copy, Debug)]
pub(super) struct Command {
    pub(super) request: Request,
    /// Order of submission.
    pub(super) sequence: u64,
    /// Reads: parts not yet at the host. Writes: pages not yet admitted. Flushes: rows not yet programmed.
    pub(super) left: u32,
    /// Writes: the next page to place.
    pub(super) next_page: u64,
    /// Writes: bytes not yet sent.
    pub(super) bytes_left: u32,
}

/// The logical pages that a request touches.
#[inline]
pub(super) fn pages_of(request: &Request, page_bytes: u64) -> std::ops::Range<u64> {
    match request.size {
        0 => 0..0,
        _ => request.offset.0 / page_bytes..request.end().div_ceil(page_bytes),
    }
}

/// Bytes that a request covers of a page.
#[inline]
pub(super) fn overlap(request: &Request, page: u64, page_bytes: u64) -> u32 {
    let start = request.offset.0.max(page * page_bytes);
    (request.end().min((page + 1) * page_bytes) - start) as u32
}
