//! What FlashCache's counters add up to.
//!
//! ```text
//! ssd_reads   = read_hits + cleanings
//! disk_reads  = reads − read_hits
//! disk_writes = cleanings + uncached_writes                                           + writes to both devices
//! ssd_writes  = (writes − uncached_writes) + (reads − read_hits − uncached_reads) + md_ssd_writes
//! md_batch + md_ssd_writes = md_dirties + md_cleans
//! md_dirties  = writes − uncached_writes − dirty_write_hits                           0 without write-back
//! ```
//!
//! They hold whenever nothing is in flight. At any other time they hold with what is: a block that is being cleaned has been
//! counted as read but not as cleaned, and so on. Dumps of running caches satisfy them to 0.02 %: what was in flight, and pieces
//! that were issued twice.

use super::FlashCache;
use super::slots::DIRTY;
use super::works::Step;
use crate::spec::CacheMode;
use drivecast_block::{CacheCounters, Op};

/// What has been counted in part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InFlight {
    /// Reads that wait for a block.
    pub waiting_reads: u64,
    /// Writes that wait for a block.
    pub waiting_writes: u64,
    /// Reads that missed, and have not come from the slow device.
    pub missing: u64,
    /// Blocks being cleaned.
    pub cleaning: u64,
    /// Writes that make a block dirty, and have not been recorded.
    pub dirtying: u64,
    /// Records that are being written.
    pub recording: u64,
    /// Whether writes go to both devices.
    pub is_through: bool,
}

/// An identity: its name, and both sides.
pub type Identity = (&'static str, u64, u64);

impl InFlight {
    /// The six identities.
    pub fn identities(&self, counted: &CacheCounters) -> [Identity; 6] {
        let c = counted;
        let writes = c.writes - self.waiting_writes - c.uncached_writes;
        let reads = c.reads - self.waiting_reads - c.read_hits;
        let through = if self.is_through { writes } else { 0 };
        let back = writes - through;
        [
            ("ssd_reads", c.ssd_reads, c.read_hits + c.cleanings + self.cleaning),
            ("disk_reads", c.disk_reads, reads),
            ("disk_writes", c.disk_writes, c.cleanings + self.cleaning + c.uncached_writes + through),
            (
                "ssd_writes",
                c.ssd_writes,
                writes + (reads - c.uncached_reads - self.missing) + c.md_ssd_writes,
            ),
            ("md_batch", c.md_batch + c.md_ssd_writes, c.md_dirties + c.md_cleans + self.recording),
            (
                "md_dirties",
                c.md_dirties + self.dirtying,
                back - if self.is_through { 0 } else { c.dirty_write_hits },
            ),
        ]
    }
}

impl FlashCache {
    /// What has been counted in part.
    pub(in crate::cache) fn in_flight(&self) -> InFlight {
        let is_through = self.spec.mode == CacheMode::Through;
        let mut found = InFlight { cleaning: self.cleaning.into(), is_through, ..InFlight::default() };
        for work in self.works.each() {
            let was_dirty = work.step == Step::Write && self.slots.slots[work.slot as usize].is(DIRTY);
            match work.step {
                Step::Waiting if !work.again && work.piece.op == Op::Read => found.waiting_reads += 1,
                Step::Waiting if !work.again => found.waiting_writes += 1,
                Step::Miss => found.missing += 1,
                Step::Write if !was_dirty => found.dirtying += 1,
                Step::RecordDirty => found.dirtying += 1,
                Step::Metadata(at) => found.recording += self.works.recorded_by(at),
                _ => {}
            }
        }
        found
    }
}
