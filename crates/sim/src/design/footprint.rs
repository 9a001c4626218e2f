//! What a workload writes on each drive of a design, found without simulating: the writes go through the arrays' address
//! maps (copies and parity included) onto one bitmap a drive.

use super::Resolved;
use super::spread::Spread;
use drivecast_block::{Bytes, Op, Request};

/// Bytes for each bit.
const PAGE: u64 = 4096;
/// Pages of one lazily made piece of the bitmap: 128 MiB of drive in 4 KiB of memory.
const LEAF_PAGES: u64 = 32_768;

/// The pages written on one drive.
#[derive(Clone, Debug, Default)]
pub struct Footprint {
    leaves: Vec<Option<Box<[u64]>>>,
    pages: u64,
    bytes: u64,
}

impl Footprint {
    /// Distinct bytes written, in whole pages of 4 KiB.
    pub fn distinct(&self) -> Bytes {
        Bytes(self.pages * PAGE)
    }

    /// All bytes written.
    pub fn written(&self) -> Bytes {
        Bytes(self.bytes)
    }

    fn memory(&self) -> usize {
        size_of_val(self.leaves.as_slice())
            + self.leaves.iter().flatten().map(|leaf| size_of_val(&**leaf)).sum::<usize>()
    }

    fn mark(&mut self, offset: u64, size: u32) {
        self.bytes += u64::from(size);
        let end = (offset + u64::from(size)).div_ceil(PAGE);
        for page in offset / PAGE..end {
            let leaf = (page / LEAF_PAGES) as usize;
            if leaf >= self.leaves.len() {
                self.leaves.resize(leaf + 1, None);
            }
            let leaf = self.leaves[leaf].get_or_insert_with(|| vec![0; LEAF_PAGES as usize / 64].into());
            let word = &mut leaf[(page % LEAF_PAGES / 64) as usize];
            let bit = 1 << (page % 64);
            self.pages += u64::from(*word & bit == 0);
            *word |= bit;
        }
    }
}

/// What a workload writes on a design.
#[derive(Clone, Debug)]
pub struct Footprints {
    /// On the design as a whole, as the host sees it.
    pub host: Footprint,
    /// On each drive, in order.
    pub drives: Vec<Footprint>,
}

impl Footprints {
    /// Memory that they take.
    pub fn bytes(&self) -> usize {
        self.host.memory() + self.drives.iter().map(Footprint::memory).sum::<usize>()
    }
}

impl Resolved {
    /// What requests leave on the drives: the writes, and before caches the reads as well. They lie within the capacity.
    pub fn footprints(&self, requests: impl Iterator<Item = Request>) -> Footprints {
        let mut host = Footprint::default();
        let mut drives = vec![Footprint::default(); self.root.drives().len()];
        let write = |request: &Request| host.mark(request.offset.0, request.size);
        self.spread(requests, write, |drive, offset, size| drives[drive].mark(offset, size));
        Footprints { host, drives }
    }

    /// Bytes that requests write, and bytes that they write on each drive.
    pub fn written_bytes(&self, requests: impl Iterator<Item = Request>) -> (u64, Vec<u64>) {
        let (mut host, mut drives) = (0, vec![0; self.root.drives().len()]);
        let write = |request: &Request| host += u64::from(request.size);
        self.spread(requests, write, |drive, _, size| drives[drive] += u64::from(size));
        (host, drives)
    }

    /// Passes requests through the address maps: the writes of the host, and what comes of requests on the drives.
    fn spread(
        &self,
        requests: impl Iterator<Item = Request>,
        mut write: impl FnMut(&Request),
        mut on_drive: impl FnMut(usize, u64, u32),
    ) {
        let capacities: Vec<Bytes> = self.root.drives().iter().map(|(_, spec)| spec.usable()).collect();
        let mut spread = Spread::new(&self.root, &capacities);
        for request in requests {
            if request.op == Op::Write {
                write(&request);
            }
            spread.pass(&request, &mut on_drive);
        }
    }
}
