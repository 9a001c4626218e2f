//! Miss-ratio curves of caches of all requests, of the reads and of the writes, by block and by request.
//!
//! DEFINITION. A cache of a size holds the 4 KiB blocks last accessed (LRU), whole, from an empty start; reads and writes both
//! allocate. Three caches are run side by side: of all requests, of the reads alone (writes pass by) and of the
//! writes alone. A block access misses if the block is not there; a request misses if any of its blocks does, each looked up
//! in turn. Of the first cache the misses of the reads and of the writes are counted apart as well. Sizes are 4, 5, 6, 7 times
//! powers of two blocks, at which the curves are exact while all blocks are followed; else they are SHARDS's with its
//! correction ([`crate::reuse`] has the model), and sizes begin where the sample resolves them: 16 blocks followed.

use super::distribution::Below;
use super::working_set::{Access, BLOCK_BYTES};
use crate::reuse::{Distances, Point, Stack};
use serde::Serialize;
use std::ops::Range;

/// Distances are exact to 4096 blocks, then within 1 / 4096.
const PRECISION: u32 = 12;
/// Blocks of the sample that the smallest size reported holds.
const FOLLOWED_MIN: u64 = 16;

/// A miss-ratio curve.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MissRatioCurve {
    /// What enters the cache: `all`, `reads` or `writes`.
    pub cache: &'static str,
    /// Whose misses are counted: `all`, `reads` or `writes`.
    pub of: &'static str,
    /// `block` or `request`.
    pub by: &'static str,
    /// Block accesses, or requests.
    pub accesses: u64,
    /// Share that misses at any size: first accesses.
    pub miss_ratio_min: f64,
    /// The curve.
    pub points: Vec<MissRatio>,
}

/// Share of the accesses that miss in a cache of a size.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MissRatio {
    /// The size.
    pub size_bytes: u64,
    /// The share.
    pub miss_ratio: f64,
}

/// What is counted of one cache for one operation.
#[derive(Clone)]
struct Counted {
    blocks: Distances,
    requests: Distances,
    /// The request that is open: its longest distance so far, and whether a block of it was accessed for the first time.
    longest: u32,
    is_first: bool,
}

impl Counted {
    fn new() -> Counted {
        Counted {
            blocks: Distances::new(PRECISION),
            requests: Distances::new(PRECISION),
            longest: 0,
            is_first: false,
        }
    }

    #[inline(always)]
    fn access(&mut self, distance: u32, weight: f64) {
        self.blocks.add(distance, weight);
        self.longest = self.longest.max(distance);
        self.is_first |= distance == 0;
    }

    fn close(&mut self, weight: f64) {
        self.requests.add(if self.is_first { 0 } else { self.longest }, weight);
        self.open();
    }

    fn open(&mut self) {
        (self.longest, self.is_first) = (0, false);
    }
}

/// The request whose pieces are coming in.
#[derive(Clone, Copy)]
struct Open {
    request: u64,
    access: Access,
    weight: f64,
}

pub(super) struct MissRatios {
    /// The cache of all requests, then those of the reads and of the writes.
    all: Stack,
    own: [Stack; 2],
    in_all: [Counted; 2],
    in_own: [Counted; 2],
    open: Option<Open>,
    /// Block accesses and requests made, followed or not.
    blocks: [u64; 2],
    requests: [u64; 2],
}

impl MissRatios {
    pub(super) fn new() -> MissRatios {
        MissRatios {
            all: Stack::new(),
            own: [Stack::new(), Stack::new()],
            in_all: [Counted::new(), Counted::new()],
            in_own: [Counted::new(), Counted::new()],
            open: None,
            blocks: [0; 2],
            requests: [0; 2],
        }
    }

    /// Counts a request of so many blocks, followed or not.
    #[inline]
    pub(super) fn count(&mut self, access: Access, blocks: u64) {
        self.requests[access as usize] += 1;
        self.blocks[access as usize] += blocks;
    }

    #[inline(always)]
    pub(super) fn prefetch_block(&self, access: Access, block: usize) {
        self.all.prefetch_block(block);
        self.own[access as usize].prefetch_block(block);
    }

    #[inline(always)]
    pub(super) fn prefetch_slots(&self, access: Access, blocks: Range<usize>) {
        for block in blocks {
            self.all.prefetch_slot(block);
            self.own[access as usize].prefetch_slot(block);
        }
    }

    pub(super) fn extend(&mut self, blocks: usize) {
        self.all.extend(blocks);
        self.own.iter_mut().for_each(|stack| stack.extend(blocks));
    }

    /// A piece of a request comes next.
    #[inline]
    pub(super) fn request(&mut self, access: Access, request: u64, is_head: bool, weight: u64) {
        if self.open.is_some_and(|open| open.request == request) {
            return;
        }
        self.finish();
        // Pieces of a request whose head is not followed enter no request.
        self.in_all[access as usize].open();
        self.in_own[access as usize].open();
        self.open = is_head.then_some(Open { request, access, weight: weight as f64 });
    }

    /// Accesses neighbouring blocks.
    #[inline]
    pub(super) fn access(&mut self, access: Access, blocks: Range<usize>, weight: u64) {
        let weight = weight as f64;
        for block in blocks {
            self.in_all[access as usize].access(self.all.access(block), weight);
            self.in_own[access as usize].access(self.own[access as usize].access(block), weight);
        }
    }

    /// Keeps the groups with these numbers.
    pub(super) fn retain(&mut self, kept: &[u32]) {
        self.all.retain(kept, super::block::GROUP);
        self.own.iter_mut().for_each(|stack| stack.retain(kept, super::block::GROUP));
    }

    /// No piece of the open request comes any more.
    pub(super) fn finish(&mut self) {
        if let Some(Open { access, weight, .. }) = self.open.take() {
            self.in_all[access as usize].close(weight);
            self.in_own[access as usize].close(weight);
        }
    }

    /// The curves of what was accessed.
    pub(super) fn curves(&self, rate: f64) -> Vec<MissRatioCurve> {
        let mut curves = Vec::new();
        let [reads, writes] = &self.in_all;
        let both = |a: &Distances, b: &Distances| a.clone().merged(b);
        for (by, accesses) in [("block", self.blocks), ("request", self.requests)] {
            let of = |counted: &Counted| {
                if by == "block" { counted.blocks.clone() } else { counted.requests.clone() }
            };
            let mut add = |cache, whose, distances: &Distances, accesses| {
                curves.extend(curve(cache, whose, by, distances, accesses, rate));
            };
            add("all", "all", &both(&of(reads), &of(writes)), accesses[0] + accesses[1]);
            add("all", "reads", &of(reads), accesses[0]);
            add("all", "writes", &of(writes), accesses[1]);
            add("reads", "reads", &of(&self.in_own[0]), accesses[0]);
            add("writes", "writes", &of(&self.in_own[1]), accesses[1]);
        }
        curves
    }

    /// Shares of the block accesses of all requests with a stack distance below powers of two, in bytes; first accesses have none.
    pub(super) fn reuse(&self) -> Vec<Below> {
        let [reads, writes] = &self.in_all;
        let all = reads.blocks.clone().merged(&writes.blocks);
        let accesses = self.blocks[0] + self.blocks[1];
        let points = all.curve(accesses);
        let below = |points: &[Point], blocks| 1.0 - at(points, blocks);
        let most = points.last().map_or(0, |point| point.blocks);
        let sizes = (0..u64::BITS - 13).map(|shift| 1u64 << shift).take_while(|size| *size / 2 <= most);
        sizes.map(|size| Below { below: size * BLOCK_BYTES, share: below(&points, size) }).collect()
    }
}

/// The miss ratio at a size in blocks.
fn at(points: &[Point], blocks: u64) -> f64 {
    let larger = points.partition_point(|point| point.blocks <= blocks);
    larger.checked_sub(1).map_or(1.0, |at| points[at].miss_ratio)
}

fn curve(
    cache: &'static str,
    of: &'static str,
    by: &'static str,
    distances: &Distances,
    accesses: u64,
    rate: f64,
) -> Option<MissRatioCurve> {
    if accesses == 0 {
        return None;
    }
    let all = distances.curve(accesses);
    let most = all.last().map_or(0, |point| point.blocks);
    let least = if rate < 1.0 { (FOLLOWED_MIN as f64 / rate) as u64 } else { 1 };
    let sizes = sizes().filter(|size| *size >= least);
    // One size past the longest distance shows that nothing more is gained.
    let mut points = Vec::new();
    for size in sizes {
        points.push(MissRatio { size_bytes: size * BLOCK_BYTES, miss_ratio: at(&all, size) });
        if size >= most {
            break;
        }
    }
    let miss_ratio_min = all.last().map_or(1.0, |point| point.miss_ratio);
    Some(MissRatioCurve { cache, of, by, accesses, miss_ratio_min, points })
}

/// 1, 2, 3, then 4, 5, 6, 7 times powers of two.
fn sizes() -> impl Iterator<Item = u64> {
    let octave = |shift: u32| (4..8).map(move |quarter: u64| quarter << shift);
    (1..4).chain((0..48).flat_map(octave))
}
