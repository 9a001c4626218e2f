//! The options of bcache, OpenCAS, dm-writecache, dm-cache, and of ZFS's caches.

use super::option::{YES, cutoff, nothing_dirty, set, small, time};
use crate::design::assumed::{Assumed, assume};
use crate::spec::{
    BcacheSpec, CacheMode, Cleaning, DmCacheSpec, DmWritecacheSpec, L2ArcSpec, OpenCasSpec, SequentialCutoff,
    SlogSpec,
};
use drivecast_block::Nanos;
use drivecast_block::line::{LineError, Term};

/// bcache, by the names in its directory of the system.
pub(super) fn bcache(term: &Term) -> Result<BcacheSpec, LineError> {
    let mut spec = BcacheSpec::default();
    set(&mut spec.mode, term.choice("mode", &CacheMode::NAMED))?;
    if spec.mode != CacheMode::Back {
        let keys = ["writeback_percent", "writeback_delay", "writeback_running"];
        nothing_dirty(term, &format!("mode={}", term.text("mode").unwrap_or("writethrough")), &keys)?;
    }
    set(&mut spec.block, small(term, "block"))?;
    set(&mut spec.bucket, small(term, "bucket"))?;
    set(&mut spec.sequential_cutoff, cutoff(term, "sequential_cutoff"))?;
    set(&mut spec.writeback_percent, term.integer("writeback_percent"))?;
    set(&mut spec.writeback_delay, time(term, "writeback_delay"))?;
    set(&mut spec.writeback_running, term.choice("writeback_running", &YES))?;
    Ok(spec)
}

/// OpenCAS, by the names of `casadm`.
pub(super) fn open_cas(term: &Term) -> Result<OpenCasSpec, LineError> {
    let mut spec = OpenCasSpec::default();
    let modes = [
        ("wt", (CacheMode::Through, false)),
        ("wb", (CacheMode::Back, false)),
        ("wa", (CacheMode::Around, false)),
        ("wo", (CacheMode::Back, true)),
        ("writethrough", (CacheMode::Through, false)),
        ("writeback", (CacheMode::Back, false)),
        ("writearound", (CacheMode::Around, false)),
        ("writeonly", (CacheMode::Back, true)),
    ];
    if let Some((mode, write_only)) = term.choice("mode", &modes)? {
        (spec.mode, spec.write_only) = (mode, write_only);
    }
    if spec.mode != CacheMode::Back {
        let keys = ["cleaning", "wake_up", "staleness_time", "flush_max_buffers", "activity_threshold"];
        nothing_dirty(term, &format!("mode={}", term.text("mode").unwrap_or("wt")), &keys)?;
    }
    set(&mut spec.line, small(term, "line"))?;
    cleaning(term, &mut spec)?;
    let promotion = term.choice("promotion", &[("always", false), ("nhit", true)])?.unwrap_or(false);
    let hits = term.integer("insertion_threshold")?;
    if let Some(hits) = hits.filter(|_| !promotion) {
        let message = format!("insertion_threshold: {hits} means nothing without promotion=nhit");
        return Err(term.error_at("insertion_threshold", message));
    }
    spec.insertion_threshold = promotion.then(|| u8::try_from(hits.unwrap_or(3)).unwrap_or(u8::MAX));
    set(&mut spec.trigger_threshold, term.integer("trigger_threshold"))?;
    let cutoffs = [
        ("never", SequentialCutoff::Never),
        ("full", SequentialCutoff::Full),
        ("always", SequentialCutoff::Always),
    ];
    set(&mut spec.seq_cutoff, term.choice("seq_cutoff", &cutoffs))?;
    set(
        &mut spec.seq_cutoff_threshold,
        term.bytes("seq_cutoff_threshold").map(|given| given.map(|it| it.0)),
    )?;
    Ok(spec)
}

fn cleaning(term: &Term, spec: &mut OpenCasSpec) -> Result<(), LineError> {
    let policies = [("alru", Cleaning::Alru), ("acp", Cleaning::Acp), ("nop", Cleaning::Nop)];
    set(&mut spec.cleaning, term.choice("cleaning", &policies))?;
    if spec.cleaning == Cleaning::Acp {
        (spec.wake_up, spec.flush_max_buffers) = (Nanos::from_ms(10), 128);
    }
    set(&mut spec.wake_up, time(term, "wake_up"))?;
    set(&mut spec.staleness_time, time(term, "staleness_time"))?;
    set(&mut spec.flush_max_buffers, term.integer("flush_max_buffers"))?;
    set(&mut spec.activity_threshold, term.nanos("activity_threshold"))
}

/// dm-writecache, by the words of its table.
pub(super) fn dm_writecache(term: &Term) -> Result<DmWritecacheSpec, LineError> {
    let mut spec = DmWritecacheSpec::default();
    term.choice("mode", &[("writeback", ())])?;
    set(&mut spec.block, small(term, "block"))?;
    set(&mut spec.high_watermark, term.integer("high_watermark"))?;
    let low = term.integer("low_watermark")?;
    spec.low_watermark = low.unwrap_or(spec.low_watermark.min(spec.high_watermark));
    set(&mut spec.autocommit_blocks, term.integer("autocommit_blocks"))?;
    set(&mut spec.autocommit_time, time(term, "autocommit_time"))?;
    spec.writeback_jobs = term.integer("writeback_jobs")?;
    Ok(spec)
}

/// dm-cache with `smq`, by the words of its table.
pub(super) fn dm_cache(term: &Term) -> Result<DmCacheSpec, LineError> {
    let mut spec = DmCacheSpec::default();
    let modes = [("writeback", CacheMode::Back), ("writethrough", CacheMode::Through)];
    set(&mut spec.mode, term.choice("mode", &modes))?;
    set(&mut spec.block, small(term, "block"))?;
    set(&mut spec.migration_threshold, term.integer("migration_threshold"))?;
    Ok(spec)
}

/// ZFS's second-level read cache, by the names of its module's parameters.
pub(super) fn l2arc(term: &Term, assumed: &mut Vec<Assumed>) -> Result<L2ArcSpec, LineError> {
    let mut spec = L2ArcSpec::default();
    nothing_dirty(term, "policy=l2arc", &["mode", "dirty_thresh_pct", "writeback_percent"])?;
    if !term.has("arc") {
        assume(assumed, "cache.arc".to_owned(), spec.arc);
    }
    set(&mut spec.arc, term.bytes("arc"))?;
    set(&mut spec.recordsize, small(term, "recordsize"))?;
    set(&mut spec.write_max, term.bytes("l2arc_write_max"))?;
    set(&mut spec.write_boost, term.bytes("l2arc_write_boost"))?;
    set(&mut spec.headroom, term.integer("l2arc_headroom").map(|given| given.map(u64::from)))?;
    set(&mut spec.noprefetch, term.choice("l2arc_noprefetch", &YES))?;
    set(&mut spec.rebuild, term.choice("l2arc_rebuild_enabled", &YES))?;
    Ok(spec)
}

/// ZFS's intent log, by the names of its module's parameters.
pub(super) fn slog(term: &Term, assumed: &mut Vec<Assumed>) -> Result<SlogSpec, LineError> {
    let mut spec = SlogSpec::default();
    if !term.has("sync") {
        assume(assumed, "cache.sync".to_owned(), "always");
    }
    set(&mut spec.always, term.choice("sync", &[("always", true), ("standard", false)]))?;
    set(&mut spec.dirty_max, term.bytes("dirty_data_max"))?;
    set(&mut spec.dirty_sync_percent, term.integer("dirty_data_sync_percent"))?;
    set(&mut spec.txg_timeout, time(term, "txg_timeout"))?;
    set(&mut spec.async_writes, term.integer("async_writes"))?;
    Ok(spec)
}
