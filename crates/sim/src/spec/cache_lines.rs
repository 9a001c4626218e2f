//! Parameters of caches that put any block into any line: bcache, OpenCAS, dm-writecache.

use super::{CacheMode, SpecError};
use drivecast_block::Nanos;

/// bcache; see `crate::cache::lines`.
#[derive(Clone, Debug, PartialEq)]
pub struct BcacheSpec {
    /// Bytes that are cached as one.
    pub block: u32,
    /// Bytes that are allocated and given up together.
    pub bucket: u32,
    /// What happens to writes.
    pub mode: CacheMode,
    /// Bytes of a sequential stream from which on it is not cached; none: all is.
    pub sequential_cutoff: Option<u64>,
    /// Dirty share of the cache that writing back aims at, in percent.
    pub writeback_percent: u32,
    /// Pause of writing back once all has been scanned.
    pub writeback_delay: Nanos,
    /// Whether anything is written back.
    pub writeback_running: bool,
}

impl Default for BcacheSpec {
    /// As the kernel leaves it.
    fn default() -> BcacheSpec {
        BcacheSpec {
            block: 4096,
            bucket: 512 << 10,
            mode: CacheMode::Through,
            sequential_cutoff: Some(4 << 20),
            writeback_percent: 10,
            writeback_delay: Nanos::from_ms(30_000),
            writeback_running: true,
        }
    }
}

/// Which dirty lines OpenCAS cleans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cleaning {
    /// Those not used for long, when nothing else happens.
    Alru,
    /// Those of the dirtiest chunks, always.
    Acp,
    /// None, until a block finds no line.
    Nop,
}

/// When OpenCAS leaves sequential streams out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SequentialCutoff {
    /// Never.
    Never,
    /// When the cache is full.
    Full,
    /// Always.
    Always,
}

/// OpenCAS; see `crate::cache::lines`.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenCasSpec {
    /// Bytes of a line.
    pub line: u32,
    /// What happens to writes.
    pub mode: CacheMode,
    /// Whether reads that miss are not cached.
    pub write_only: bool,
    /// Requests upon which a block is let in; none: the first.
    pub insertion_threshold: Option<u8>,
    /// Percent of the cache in use from which on that matters.
    pub trigger_threshold: u32,
    /// Which lines are cleaned.
    pub cleaning: Cleaning,
    /// Time between two tries.
    pub wake_up: Nanos,
    /// How long a line must not have been used.
    pub staleness_time: Nanos,
    /// Lines that are cleaned at a time.
    pub flush_max_buffers: u32,
    /// How long nothing may have been requested.
    pub activity_threshold: Nanos,
    /// When sequential streams are left out.
    pub seq_cutoff: SequentialCutoff,
    /// Bytes from which on they are.
    pub seq_cutoff_threshold: u64,
}

impl Default for OpenCasSpec {
    /// As `casadm` leaves it.
    fn default() -> OpenCasSpec {
        OpenCasSpec {
            line: 4096,
            mode: CacheMode::Through,
            write_only: false,
            insertion_threshold: None,
            trigger_threshold: 80,
            cleaning: Cleaning::Alru,
            wake_up: Nanos::from_ms(20_000),
            staleness_time: Nanos::from_ms(120_000),
            flush_max_buffers: 100,
            activity_threshold: Nanos::from_ms(10_000),
            seq_cutoff: SequentialCutoff::Full,
            seq_cutoff_threshold: 1 << 20,
        }
    }
}

/// dm-writecache; see `crate::cache::lines`.
#[derive(Clone, Debug, PartialEq)]
pub struct DmWritecacheSpec {
    /// Bytes of a block.
    pub block: u32,
    /// Percent of the cache in use from which on it is written back.
    pub high_watermark: u32,
    /// Percent down to which it is.
    pub low_watermark: u32,
    /// Blocks after which they are recorded.
    pub autocommit_blocks: u32,
    /// Time after which they are.
    pub autocommit_time: Nanos,
    /// Blocks that are written back at a time; none: no limit.
    pub writeback_jobs: Option<u32>,
}

impl Default for DmWritecacheSpec {
    /// As the kernel leaves it on flash.
    fn default() -> DmWritecacheSpec {
        DmWritecacheSpec {
            block: 4096,
            high_watermark: 50,
            low_watermark: 45,
            autocommit_blocks: 65_536,
            autocommit_time: Nanos::from_ms(1_000),
            writeback_jobs: None,
        }
    }
}

fn power(field: &'static str, value: u32, low: u32, high: u32) -> Result<(), SpecError> {
    let holds = value.is_power_of_two() && (low..=high).contains(&value);
    SpecError::unless(holds, field, format!("a power of two from {low} to {high}"), value)
}

fn within(field: &'static str, value: u32, low: u32, high: u32) -> Result<(), SpecError> {
    SpecError::unless((low..=high).contains(&value), field, format!("from {low} to {high}"), value)
}

impl BcacheSpec {
    /// Refuses what cannot be.
    ///
    /// # Errors
    /// The first option out of its range.
    pub fn check(&self) -> Result<(), SpecError> {
        power("block", self.block, 512, 64 << 10)?;
        power("bucket", self.bucket, 64 << 10, 16 << 20)?;
        within("writeback_percent", self.writeback_percent, 0, 40)
    }
}

impl OpenCasSpec {
    /// Refuses what cannot be.
    ///
    /// # Errors
    /// The first option out of its range.
    pub fn check(&self) -> Result<(), SpecError> {
        power("line", self.line, 4096, 64 << 10)?;
        within("trigger_threshold", self.trigger_threshold, 0, 100)?;
        within("flush_max_buffers", self.flush_max_buffers, 1, 10_000)?;
        let holds = self.wake_up > Nanos::ZERO;
        SpecError::unless(holds, "wake_up", "a time above 0", "0")
    }
}

impl DmWritecacheSpec {
    /// Refuses what cannot be.
    ///
    /// # Errors
    /// The first option out of its range.
    pub fn check(&self) -> Result<(), SpecError> {
        power("block", self.block, 512, 64 << 10)?;
        within("high_watermark", self.high_watermark, 0, 100)?;
        within("low_watermark", self.low_watermark, 0, self.high_watermark)?;
        within("autocommit_blocks", self.autocommit_blocks, 1, u32::MAX)?;
        within("writeback_jobs", self.writeback_jobs.unwrap_or(1), 1, 1 << 20)
    }
}
