//! What follows what on a block: reads after writes, overwrites, and after how long.
//!
//! DEFINITION. Each access of a 4 KiB block but its first follows another: a read or write after a read or write, some time
//! later. The update interval of a write is the time since the previous write of the block, whatever was read between;
//! the update distance is what was written to all blocks since, that write included: 4 KiB for a block written twice in a
//! row, U blocks on average for uniform writes to U blocks. Left out: what a block held before the recording;
//! discards. A distance of 16 TiB or more is taken modulo 16 TiB.

use super::block::Block;
use super::distribution::{Distribution, Spread};
use super::ratio::ratio;
use super::working_set::{Access, BLOCK_BYTES};
use drivecast_block::Nanos;
use serde::Serialize;

/// One kind of access after another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SuccessionRow {
    /// What came: `read` or `write`.
    pub access: &'static str,
    /// What it came after: `read` or `write`.
    pub after: &'static str,
    /// Share of the block accesses that follow another.
    pub fraction: f64,
    /// The time between.
    pub interval_ns: Distribution,
}

pub(super) struct BlockTransitions {
    /// Times since the last access, by that access, then by this one.
    intervals: [[Spread; 2]; 2],
    update_intervals: Spread,
    /// In blocks.
    update_distances: Spread,
}

impl BlockTransitions {
    pub(super) fn new() -> BlockTransitions {
        let spreads = || [Spread::new(), Spread::new()];
        BlockTransitions {
            intervals: [spreads(), spreads()],
            update_intervals: Spread::new(),
            update_distances: Spread::new(),
        }
    }

    /// Notes an access of a block that represents `weight`; `number` is that of a write among all block writes.
    #[inline]
    pub(super) fn access(
        &mut self,
        block: &mut Block,
        access: Access,
        time: Nanos,
        number: u32,
        weight: u64,
    ) {
        if let Some(last) = block.last {
            self.intervals[last as usize][access as usize].add(time.since(block.accessed).0, weight);
        }
        (block.last, block.accessed) = (Some(access), time);
        match access {
            Access::Read => block.reads = block.reads.saturating_add(1),
            Access::Write => {
                if block.writes > 0 {
                    self.update_intervals.add(time.since(block.written).0, weight);
                    self.update_distances.add(u64::from(number.wrapping_sub(block.write)), weight);
                }
                (block.written, block.write) = (time, number);
                block.writes = block.writes.saturating_add(1);
            }
        }
    }

    /// The four kinds, as far as they occur.
    pub(super) fn rows(&self) -> Vec<SuccessionRow> {
        let all: u64 = self.intervals.iter().flatten().map(Spread::count).sum();
        let kinds = [Access::Read, Access::Write];
        let pairs = kinds.iter().flat_map(|after| kinds.iter().map(move |access| (*after, *access)));
        let row = |(after, access): (Access, Access)| {
            let spread = &self.intervals[after as usize][access as usize];
            Some(SuccessionRow {
                access: access.name(),
                after: after.name(),
                fraction: ratio(spread.count() as f64, all as f64)?,
                interval_ns: spread.distribution(1)?,
            })
        };
        pairs.filter_map(row).collect()
    }

    pub(super) fn update_interval_ns(&self) -> Option<Distribution> {
        self.update_intervals.distribution(1)
    }

    pub(super) fn update_distance_bytes(&self) -> Option<Distribution> {
        self.update_distances.distribution(BLOCK_BYTES)
    }
}
