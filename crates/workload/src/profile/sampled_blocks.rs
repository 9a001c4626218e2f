//! The blocks that are followed: which, with what weight, and in what order they are accessed.
//!
//! MODEL. What happens again and again to a block (reuse, overwriting, reading what was written) needs a memory of each
//! block, which a long recording of a large device leaves neither memory nor time for. So 4 KiB blocks are followed in groups of 16
//! (64 KiB of addresses), all groups at first: every measure is then exact. Once more than 2¹⁸ groups are followed (16 GiB
//! of addresses accessed everywhere), or 2²⁴ accesses have been since the last time and more than 2¹⁴ groups are, half of them
//! are let go, by hash (SHARDS of fixed size, Waldspurger et al. 2015): the rate halves, what is left is a sample of
//! groups chosen without regard to their use, and each access from then on represents 1 / rate. The profile has the rate.
//!
//! A request of several groups is followed as one if its first group is, and is judged by those of its blocks that are followed:
//! all of them at rate 1.
//!
//! MEMORY. ≈ 0.8 KB a group, 200 MiB at most.

use super::block::{Block, GROUP};
use super::block_transitions::BlockTransitions;
use super::miss_ratio::MissRatios;
use super::popularity::Popularity;
use super::working_set::{Access, BLOCK_BYTES};
use crate::reuse::{Index, Sample, mix};
use drivecast_block::{Nanos, prefetch};
use serde::Serialize;
use std::ops::Range;

/// Accesses taken at a time: enough to wait for memory once instead of as often.
const BATCH: usize = 32;

/// When half of the groups are let go.
#[derive(Clone, Copy, Debug)]
pub struct FollowLimits {
    /// More groups than this are not followed.
    pub groups_max: usize,
    /// More accesses than this are not followed at one rate, if there are more groups than `groups_min`.
    pub accesses_max: u64,
    /// So many groups are followed however many accesses that takes.
    pub groups_min: usize,
}

impl Default for FollowLimits {
    fn default() -> FollowLimits {
        FollowLimits { groups_max: 1 << 18, accesses_max: 1 << 24, groups_min: 1 << 14 }
    }
}

/// The blocks that what follows is based on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Followed {
    /// Size of a block.
    pub block_bytes: u64,
    /// Size of a group, followed as a whole.
    pub group_bytes: u64,
    /// Share of the groups that are followed at the end; 1: all, and every measure is exact.
    pub rate: f64,
    /// Blocks followed at the end.
    pub blocks: u64,
    /// What they represent: distinct blocks accessed, in bytes.
    pub working_set_bytes: f64,
}

/// The part of a request that lies in one group.
#[derive(Clone, Copy, Default)]
struct Piece {
    group: u64,
    hash: u64,
    first: u8,
    count: u8,
    access: Access,
    time: Nanos,
    /// Number of its first block among all block writes.
    write: u32,
    request: u64,
    is_head: bool,
}

pub(super) struct SampledBlocks {
    limits: FollowLimits,
    sample: Sample,
    index: Index,
    /// By number of the group, then by block.
    blocks: Vec<Block>,
    /// Accesses followed at this rate.
    accesses: u64,
    requests: u64,
    block_writes: u64,
    batch: [Piece; BATCH],
    waiting: usize,
    pub(super) miss_ratios: MissRatios,
    pub(super) succession: BlockTransitions,
}

impl SampledBlocks {
    pub(super) fn new(limits: FollowLimits) -> SampledBlocks {
        SampledBlocks {
            limits,
            sample: Sample::ALL,
            index: Index::new(),
            blocks: Vec::new(),
            accesses: 0,
            requests: 0,
            block_writes: 0,
            batch: [Piece::default(); BATCH],
            waiting: 0,
            miss_ratios: MissRatios::new(),
            succession: BlockTransitions::new(),
        }
    }

    /// Takes the next request.
    #[inline]
    pub(super) fn add(&mut self, access: Access, bytes: &Range<u64>, time: Nanos) {
        self.requests += 1;
        let last = (bytes.end - 1) / BLOCK_BYTES;
        let mut block = bytes.start / BLOCK_BYTES;
        self.miss_ratios.count(access, last - block + 1);
        let mut is_head = true;
        while block <= last {
            let first = block as usize % GROUP;
            let count = ((last - block) as usize + 1).min(GROUP - first);
            let group = block / GROUP as u64;
            let hash = mix(group);
            let (first, write) = (first as u8, self.block_writes as u32);
            let request = self.requests;
            // Without a branch: which groups are followed cannot be foreseen.
            self.batch[self.waiting] =
                Piece { group, hash, first, count: count as u8, access, time, write, request, is_head };
            self.waiting += usize::from(self.sample.holds(hash));
            if self.waiting == BATCH {
                self.follow();
            }
            if access == Access::Write {
                self.block_writes += count as u64;
            }
            block += count as u64;
            is_head = false;
        }
    }

    /// Blocks written, repeats included.
    pub(super) fn block_writes(&self) -> u64 {
        self.block_writes
    }

    /// Follows what waits, in steps that each ask memory for what the next one needs.
    fn follow(&mut self) {
        let mut numbers = [0usize; BATCH];
        let batch = &self.batch[..self.waiting];
        for piece in batch {
            self.index.prefetch(piece.hash);
        }
        for (number, piece) in numbers.iter_mut().zip(batch) {
            *number =
                self.index.number(piece.group, piece.hash).0 as usize * GROUP + usize::from(piece.first);
            prefetch(&self.blocks, *number);
            self.miss_ratios.prefetch_block(piece.access, *number);
        }
        self.blocks.resize(self.index.len() * GROUP, Block::default());
        self.miss_ratios.extend(self.blocks.len());
        for (number, piece) in numbers.iter().zip(batch) {
            self.miss_ratios.prefetch_slots(piece.access, *number..*number + usize::from(piece.count));
        }
        let weight = self.sample.weight() as u64;
        for (number, piece) in numbers.iter().zip(batch) {
            let blocks = *number..*number + usize::from(piece.count);
            self.accesses += blocks.len() as u64;
            self.miss_ratios.request(piece.access, piece.request, piece.is_head, weight);
            self.miss_ratios.access(piece.access, blocks.clone(), weight);
            for (block, write) in self.blocks[blocks].iter_mut().zip(piece.write..) {
                self.succession.access(block, piece.access, piece.time, write, weight);
            }
        }
        self.waiting = 0;
        while self.index.len() > self.limits.groups_max {
            self.thin();
        }
        if self.accesses > self.limits.accesses_max && self.index.len() > self.limits.groups_min {
            self.thin();
        }
    }

    /// Lets half of the groups go.
    #[cold]
    fn thin(&mut self) {
        self.sample = self.sample.half();
        let sample = self.sample;
        let kept = self.index.retain(|group| sample.holds(mix(group)));
        let rows = kept.iter().map(|old| *old as usize * GROUP);
        self.blocks = rows.flat_map(|from| self.blocks[from..from + GROUP].iter().copied()).collect();
        self.miss_ratios.retain(&kept);
        self.accesses = 0;
    }

    /// Takes what still waits.
    pub(super) fn finish(&mut self) {
        self.follow();
        self.miss_ratios.finish();
    }

    /// Which blocks were followed.
    pub(super) fn followed(&self) -> Followed {
        let blocks = self.blocks.iter().filter(|block| block.last.is_some()).count() as u64;
        Followed {
            block_bytes: BLOCK_BYTES,
            group_bytes: GROUP as u64 * BLOCK_BYTES,
            rate: self.sample.rate(),
            blocks,
            working_set_bytes: (blocks * BLOCK_BYTES) as f64 * self.sample.weight(),
        }
    }

    /// Distinct blocks accessed, read and written that the blocks followed represent, in bytes.
    pub(super) fn estimates(&self) -> [u64; 3] {
        let of = |counts: fn(&Block) -> bool| {
            let blocks = self.blocks.iter().filter(|block| counts(block)).count() as u64;
            blocks * BLOCK_BYTES * self.sample.weight() as u64
        };
        [of(|block| block.last.is_some()), of(|block| block.reads > 0), of(|block| block.writes > 0)]
    }

    /// How the accesses spread over the blocks.
    pub(super) fn popularity(&self) -> Popularity {
        Popularity::of(&self.blocks)
    }
}
