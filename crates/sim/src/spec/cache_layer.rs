//! A cache of one device before another: how large it is, and what decides about it.

use super::{
    BcacheSpec, CacheLibSpec, DmCacheSpec, DmWritecacheSpec, FlashCacheSpec, L2ArcSpec, OpenCasSpec,
    SlogSpec, SpecError, VCacheSpec,
};
use drivecast_block::{Bytes, Nanos};

/// How a cache was taken away before the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restart {
    /// In order: what was dirty has been written to the slow device.
    Remove,
    /// In order, with what was dirty left as it was.
    FastRemove,
    /// Not in order.
    Crash,
}

/// A cache of one device before another.
#[derive(Clone, Debug, PartialEq)]
pub struct CacheLayerSpec {
    /// Bytes of the fast device that it takes; none: all.
    pub size: Option<Bytes>,
    /// What the cache adds to each request's latency.
    pub overhead: Nanos,
    /// How it was restarted before the run, if it was.
    pub restart: Option<Restart>,
    /// What it caches, and how.
    pub policy: CachePolicy,
}

impl CacheLayerSpec {
    /// Bytes of a block.
    pub fn block(&self) -> u64 {
        match &self.policy {
            CachePolicy::FlashCache(spec) => spec.block.into(),
            CachePolicy::VCache(spec) => spec.blocks.block.into(),
            CachePolicy::Bcache(spec) => spec.block.into(),
            CachePolicy::OpenCas(spec) => spec.line.into(),
            CachePolicy::DmWritecache(spec) => spec.block.into(),
            CachePolicy::DmCache(spec) => spec.block.into(),
            CachePolicy::L2Arc(spec) => spec.recordsize.into(),
            CachePolicy::Slog(_) => 4096,
            CachePolicy::CacheLib(spec) => spec.object.into(),
        }
    }

    /// The least that it can be made of: a set with its metadata.
    pub fn size_min(&self) -> Bytes {
        match &self.policy {
            CachePolicy::FlashCache(spec) => spec.size_min(),
            CachePolicy::VCache(spec) => spec.blocks.size_min(),
            CachePolicy::Bcache(spec) => Bytes(64 * u64::from(spec.bucket)),
            CachePolicy::OpenCas(spec) => Bytes(1024 * u64::from(spec.line)),
            CachePolicy::DmWritecache(spec) => Bytes(1024 * u64::from(spec.block)),
            CachePolicy::DmCache(spec) => Bytes(16 * u64::from(spec.block)),
            CachePolicy::L2Arc(spec) => Bytes(16 * u64::from(spec.recordsize)),
            CachePolicy::Slog(_) => Bytes::mib(4),
            CachePolicy::CacheLib(spec) => spec.size_min(),
        }
    }

    /// Refuses what cannot be.
    ///
    /// # Errors
    /// The first option out of its range.
    pub fn check(&self) -> Result<(), SpecError> {
        match &self.policy {
            CachePolicy::FlashCache(spec) => spec.check(),
            CachePolicy::VCache(spec) => {
                let depth = spec.flush_depth;
                SpecError::unless(depth > 0, "flush_depth", "at least 1", depth)?;
                spec.blocks.check()
            }
            CachePolicy::Bcache(spec) => spec.check(),
            CachePolicy::OpenCas(spec) => spec.check(),
            CachePolicy::DmWritecache(spec) => spec.check(),
            CachePolicy::DmCache(spec) => spec.check(),
            CachePolicy::L2Arc(spec) => spec.check(),
            CachePolicy::Slog(spec) => spec.check(),
            CachePolicy::CacheLib(spec) => spec.check(),
        }
    }

    /// The most that its blocks can be numbered in.
    pub fn size_max(&self) -> Bytes {
        Bytes(self.block() * u64::from(u32::MAX - 1))
    }
}

/// What decides about a cache.
#[derive(Clone, Debug, PartialEq)]
pub enum CachePolicy {
    /// Facebook's module.
    FlashCache(FlashCacheSpec),
    /// Virident's.
    VCache(VCacheSpec),
    /// The kernel's, by buckets.
    Bcache(BcacheSpec),
    /// Open Cache Acceleration Software.
    OpenCas(OpenCasSpec),
    /// The device mapper's, for writes.
    DmWritecache(DmWritecacheSpec),
    /// The device mapper's, with its policy `smq`.
    DmCache(DmCacheSpec),
    /// ZFS's second-level read cache.
    L2Arc(L2ArcSpec),
    /// ZFS's intent log on a device of its own.
    Slog(SlogSpec),
    /// A library of caches, with its second level on flash.
    CacheLib(CacheLibSpec),
}
