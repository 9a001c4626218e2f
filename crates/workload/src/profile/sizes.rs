//! Sizes of requests.
//!
//! DEFINITION. A count for each operation and size. Sizes up to 1 MiB are counted by sector (a size that is no multiple
//! of 512 B counts as the next one), larger ones as the next power of two: 33 KB of memory whatever comes.

use drivecast_block::Op;
use serde::Serialize;

const SECTOR_BYTES: u32 = 512;
/// 1 MiB in sectors.
const SECTORS_MAX: usize = 2048;
/// Powers of two from 2 MiB to 4 GiB.
const LARGE: usize = 12;

/// How many requests of an operation have a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SizeCount {
    /// `read` or `write`.
    pub op: &'static str,
    /// The size.
    pub size_bytes: u64,
    /// The requests.
    pub count: u64,
}

/// The sizes of one operation's requests.
pub(super) struct Sizes {
    op: Op,
    /// By sectors, then by powers of two.
    counts: Vec<u64>,
    bytes: u64,
    requests: u64,
}

impl Sizes {
    pub(super) fn new(op: Op) -> Sizes {
        Sizes { op, counts: vec![0; SECTORS_MAX + 1 + LARGE], bytes: 0, requests: 0 }
    }

    #[inline]
    pub(super) fn add(&mut self, size: u32) {
        let sectors = size.div_ceil(SECTOR_BYTES) as usize;
        let index = if sectors <= SECTORS_MAX { sectors } else { large_index(size) };
        self.counts[index] += 1;
        self.bytes = self.bytes.saturating_add(u64::from(size));
        self.requests += 1;
    }

    pub(super) fn requests(&self) -> u64 {
        self.requests
    }

    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(super) fn counts(&self) -> impl Iterator<Item = SizeCount> {
        let row = |(index, count): (usize, &u64)| SizeCount {
            op: self.op.name(),
            size_bytes: index_bytes(index),
            count: *count,
        };
        self.counts.iter().enumerate().filter(|(_, count)| **count > 0).map(row)
    }
}

/// 2 MiB has exponent 21 and comes first after the sectors.
fn large_index(size: u32) -> usize {
    let exponent = u64::from(size).next_power_of_two().trailing_zeros() as usize;
    SECTORS_MAX + 1 + (exponent - 21)
}

fn index_bytes(index: usize) -> u64 {
    match index.checked_sub(SECTORS_MAX + 1) {
        Some(large) => 1 << (21 + large),
        None => index as u64 * u64::from(SECTOR_BYTES),
    }
}
