//! Parameters of dm-cache, and of ZFS's caches on a device of their own.

use super::{CacheMode, SpecError};
use drivecast_block::{Bytes, Nanos};

/// dm-cache with its policy `smq`; see `crate::cache::dm_cache`.
#[derive(Clone, Debug, PartialEq)]
pub struct DmCacheSpec {
    /// Bytes of a block.
    pub block: u32,
    /// What happens to writes of cached blocks.
    pub mode: CacheMode,
    /// Sectors that may be on their way between the devices.
    pub migration_threshold: u32,
}

impl Default for DmCacheSpec {
    /// As the kernel leaves it; LVM makes blocks of at least 64 KiB.
    fn default() -> DmCacheSpec {
        DmCacheSpec { block: 256 << 10, mode: CacheMode::Through, migration_threshold: 2048 }
    }
}

/// ZFS's second-level read cache; see `crate::cache::l2arc`.
#[derive(Clone, Debug, PartialEq)]
pub struct L2ArcSpec {
    /// Bytes of memory before it.
    pub arc: Bytes,
    /// Bytes of a record.
    pub recordsize: u32,
    /// Bytes fed a second.
    pub write_max: Bytes,
    /// The same on top, until the ring has come round.
    pub write_boost: Bytes,
    /// How many times `write_max` of each list is searched.
    pub headroom: u64,
    /// Whether what was read ahead is left out.
    pub noprefetch: bool,
    /// Whether the ring is there again after a restart.
    pub rebuild: bool,
}

impl Default for L2ArcSpec {
    /// As OpenZFS leaves it; memory is assumed.
    fn default() -> L2ArcSpec {
        L2ArcSpec {
            arc: Bytes::gib(16),
            recordsize: 128 << 10,
            write_max: Bytes::mib(8),
            write_boost: Bytes::mib(8),
            headroom: 2,
            noprefetch: true,
            rebuild: true,
        }
    }
}

/// ZFS's intent log on a device of its own; see `crate::cache::slog`.
#[derive(Clone, Debug, PartialEq)]
pub struct SlogSpec {
    /// Whether every write is synchronous, rather than those with forced unit access.
    pub always: bool,
    /// Bytes of memory that may be dirty.
    pub dirty_max: Bytes,
    /// Dirty share of that, in percent, upon which a group is written.
    pub dirty_sync_percent: u32,
    /// Time between two groups.
    pub txg_timeout: Nanos,
    /// Writes to the slow device that are under way.
    pub async_writes: u32,
}

impl Default for SlogSpec {
    /// As OpenZFS leaves it; that every write is synchronous is assumed.
    fn default() -> SlogSpec {
        SlogSpec {
            always: true,
            dirty_max: Bytes::gib(4),
            dirty_sync_percent: 20,
            txg_timeout: Nanos::from_ms(5_000),
            async_writes: 10,
        }
    }
}

impl DmCacheSpec {
    /// Refuses what cannot be.
    ///
    /// # Errors
    /// The first option out of its range.
    pub fn check(&self) -> Result<(), SpecError> {
        let block = self.block;
        let holds = block.is_multiple_of(32 << 10) && (32 << 10..=1 << 30).contains(&block);
        SpecError::unless(holds, "block", "a multiple of 32 KiB, up to 1 GiB", block)?;
        let threshold = self.migration_threshold;
        SpecError::unless(threshold >= 1, "migration_threshold", "at least 1 sector", threshold)
    }
}

impl L2ArcSpec {
    /// Refuses what cannot be.
    ///
    /// # Errors
    /// The first option out of its range.
    pub fn check(&self) -> Result<(), SpecError> {
        let record = self.recordsize;
        let holds = record.is_power_of_two() && (512..=16 << 20).contains(&record);
        SpecError::unless(holds, "recordsize", "a power of two from 512 to 16777216", record)?;
        let most = Bytes::gib(1 << 10);
        SpecError::unless(self.arc <= most, "arc", format!("at most {most}"), self.arc)?;
        SpecError::unless(self.write_max > Bytes(0), "l2arc_write_max", "above 0", self.write_max)?;
        SpecError::unless(self.headroom <= 1 << 20, "l2arc_headroom", "at most 1048576", self.headroom)
    }
}

impl SlogSpec {
    /// Refuses what cannot be.
    ///
    /// # Errors
    /// The first option out of its range.
    pub fn check(&self) -> Result<(), SpecError> {
        let percent = self.dirty_sync_percent;
        SpecError::unless(percent <= 100, "dirty_data_sync_percent", "from 0 to 100", percent)?;
        let writes = self.async_writes;
        SpecError::unless(writes > 0, "async_writes", "at least 1", writes)?;
        SpecError::unless(self.txg_timeout > Nanos::ZERO, "txg_timeout", "above 0", "0")
    }
}
