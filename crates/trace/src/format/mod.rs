//! Trace formats, one file each: how a record lies in the file, and nothing else. Plain tables share one file, and differ by
//! their mapping.

pub(crate) mod biosnoop;
pub(crate) mod blkparse;
pub(crate) mod blktrace;
pub(crate) mod columns;
pub(crate) mod fio_iolog;
pub(crate) mod ftrace;
pub(crate) mod mapping;
pub(crate) mod octf;
pub(crate) mod registry;
mod rwbs;
mod table;
pub(crate) mod vscsi;

/// Bytes of a 512-byte sector: the unit of addresses in block traces.
pub(crate) const SECTOR_BYTES: u64 = 512;

/// `N` bytes at `at`, which the caller has checked to be there.
#[inline(always)]
pub(crate) fn array<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    bytes[at..at + N].try_into().expect("a slice of N bytes is an array of N bytes")
}
