//! Parameters of FlashCache and vCache, under the names that their users type.

use super::SpecError;
use drivecast_block::{Bytes, Nanos};

/// What happens to a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CacheMode {
    /// It is complete on the fast device, and goes to the slow one later.
    Back,
    /// It goes to both.
    Through,
    /// It goes to the slow device, and what was cached of it is dropped.
    Around,
}

impl CacheMode {
    /// All modes, by the names that designs have for them.
    pub const NAMED: [(&str, CacheMode); 3] = [
        ("writeback", CacheMode::Back),
        ("writethrough", CacheMode::Through),
        ("writearound", CacheMode::Around),
    ];
}

/// Which block of a set makes way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reclaim {
    /// One after the other.
    Fifo,
    /// The one used longest ago, of a warm and a hot list.
    Lru,
}

/// vCache; see `crate::cache::vcache`. All but the shares and the period is assumed.
#[derive(Clone, Debug, PartialEq)]
pub struct VCacheSpec {
    /// Blocks, sets and what is let in.
    pub blocks: FlashCacheSpec,
    /// How often all that is dirty is cleaned; none: never.
    pub flush_period: Option<Nanos>,
    /// Blocks being cleaned at a time.
    pub flush_depth: u32,
    /// How far below the threshold a flush on demand goes, in percent of the cache.
    pub flush_hysteresis_pct: u32,
    /// Whether a block that becomes dirty or clean is recorded in a write of its own.
    pub md_write: bool,
}

impl Default for VCacheSpec {
    fn default() -> VCacheSpec {
        let blocks = FlashCacheSpec {
            reclaim_policy: Reclaim::Lru,
            fallow_delay: None,
            dirty_thresh_pct: 50,
            ..FlashCacheSpec::default()
        };
        VCacheSpec { blocks, flush_period: None, flush_depth: 64, flush_hysteresis_pct: 1, md_write: false }
    }
}

/// FlashCache; see [`crate::cache`].
#[derive(Clone, Debug, PartialEq)]
pub struct FlashCacheSpec {
    /// Bytes of a block.
    pub block: u32,
    /// Blocks of a set.
    pub assoc: u32,
    /// Bytes of a cluster of the slow device that lies in one set, clusters in any; none: sets in turn.
    pub disk_assoc: Option<u32>,
    /// Bytes of a block of metadata.
    pub md_block: u32,
    /// What happens to writes.
    pub mode: CacheMode,
    /// Whether reads that miss are not cached.
    pub write_only: bool,
    /// Which block makes way.
    pub reclaim_policy: Reclaim,
    /// Hits upon which a warm block becomes hot.
    pub lru_promote_thresh: u32,
    /// Share of a set that is hot, in percent.
    pub lru_hot_pct: u32,
    /// Dirty blocks of a set, in percent, from which on it is cleaned.
    pub dirty_thresh_pct: u32,
    /// Blocks of a set below which another cleaning of it may begin.
    pub max_clean_ios_set: u32,
    /// The same of the whole cache.
    pub max_clean_ios_total: u32,
    /// How long a dirty block lies before it is fallow; none: for ever.
    pub fallow_delay: Option<Nanos>,
    /// Cleanings of fallow blocks that a set begins in a second.
    pub fallow_clean_speed: u32,
    /// Length in KiB beyond which a sequential flow is not cached; none: all is.
    pub skip_seq_thresh_kb: Option<u32>,
    /// Whether all processes are cached but those on the black list, rather than only those on the white list.
    pub cache_all: bool,
    /// The processes on the black list.
    pub blacklist: Vec<u32>,
    /// The processes on the white list.
    pub whitelist: Vec<u32>,
    /// Processes that a list takes.
    pub max_pids: u32,
    /// How long an entry of a list lasts; none: for ever.
    pub pid_expiry: Option<Nanos>,
}

impl Default for FlashCacheSpec {
    /// As `flashcache_create` and the module leave it. `lru_hot_pct` reads 75 there, but the lists begin with 50.
    fn default() -> FlashCacheSpec {
        FlashCacheSpec {
            block: 4096,
            assoc: 512,
            disk_assoc: None,
            md_block: 4096,
            mode: CacheMode::Back,
            write_only: false,
            reclaim_policy: Reclaim::Fifo,
            lru_promote_thresh: 2,
            lru_hot_pct: 50,
            dirty_thresh_pct: 20,
            max_clean_ios_set: 2,
            max_clean_ios_total: 4,
            fallow_delay: Some(Nanos::from_ms(900_000)),
            fallow_clean_speed: 2,
            skip_seq_thresh_kb: None,
            cache_all: true,
            blacklist: Vec::new(),
            whitelist: Vec::new(),
            max_pids: 100,
            pid_expiry: None,
        }
    }
}

impl FlashCacheSpec {
    /// A set with its metadata.
    pub(super) fn size_min(&self) -> Bytes {
        let assoc = u64::from(self.assoc);
        Bytes(assoc * u64::from(self.block) + assoc * 16 + 3 * u64::from(self.md_block))
    }

    /// Refuses what the module refuses.
    ///
    /// # Errors
    /// The first option out of its range.
    pub fn check(&self) -> Result<(), SpecError> {
        let power = |field, value: u32, low: u32, high: u32| {
            let holds = value.is_power_of_two() && (low..=high).contains(&value);
            SpecError::unless(holds, field, format!("a power of two from {low} to {high}"), value)
        };
        power("block", self.block, 512, 1 << 20)?;
        power("assoc", self.assoc, 256, 8192)?;
        if let Some(cluster) = self.disk_assoc {
            power("disk_assoc", cluster, 128 << 10, 1 << 20)?;
            let expected = format!("at least the block of {} bytes", self.block);
            SpecError::unless(cluster >= self.block, "disk_assoc", expected, cluster)?;
        }
        power("md_block", self.md_block, 512, self.assoc * 16)?;
        for (field, value, low, high) in [
            ("dirty_thresh_pct", self.dirty_thresh_pct, 10, 95),
            ("lru_hot_pct", self.lru_hot_pct, 0, 100),
            ("lru_promote_thresh", self.lru_promote_thresh, 1, 255),
            ("fallow_clean_speed", self.fallow_clean_speed, 1, 100),
            ("max_clean_ios_set", self.max_clean_ios_set, 1, 8192),
            ("max_clean_ios_total", self.max_clean_ios_total, 1, 1 << 20),
        ] {
            let holds = (low..=high).contains(&value);
            SpecError::unless(holds, field, format!("from {low} to {high}"), value)?;
        }
        Ok(())
    }
}
