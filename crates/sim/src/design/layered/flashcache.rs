//! The options of FlashCache and vCache.

use super::option::{YES, nothing_dirty, processes, seconds, set, small};
use crate::design::assumed::{Assumed, assume};
use crate::spec::{CacheMode, FlashCacheSpec, Reclaim, SpecError, VCacheSpec};
use drivecast_block::line::{LineError, Term};
use drivecast_block::{Bytes, Nanos};

/// Options of what is dirty.
const OF_DIRTY: [&str; 6] = [
    "dirty_thresh_pct",
    "fallow_delay",
    "fallow_clean_speed",
    "max_clean_ios_set",
    "max_clean_ios_total",
    "md_block",
];

/// FlashCache, by the names of its switches.
pub(super) fn flashcache(term: &Term) -> Result<FlashCacheSpec, LineError> {
    let mut spec = FlashCacheSpec::default();
    let modes = [
        ("writeback", (CacheMode::Back, false)),
        ("writethrough", (CacheMode::Through, false)),
        ("writearound", (CacheMode::Around, false)),
        ("writeonly", (CacheMode::Back, true)),
    ];
    if let Some((mode, write_only)) = term.choice("mode", &modes)? {
        (spec.mode, spec.write_only) = (mode, write_only);
    }
    if spec.write_only {
        // As the module does.
        spec.fallow_delay = None;
    }
    if spec.mode != CacheMode::Back {
        nothing_dirty(term, &format!("mode={}", term.text("mode").unwrap_or_default()), &OF_DIRTY)?;
    }
    blocks(term, &mut spec)?;
    set(&mut spec.md_block, small(term, "md_block"))?;
    let reclaim = [("fifo", Reclaim::Fifo), ("lru", Reclaim::Lru), ("0", Reclaim::Fifo), ("1", Reclaim::Lru)];
    set(&mut spec.reclaim_policy, term.choice("reclaim_policy", &reclaim))?;
    set(&mut spec.lru_promote_thresh, term.integer("lru_promote_thresh"))?;
    set(&mut spec.lru_hot_pct, term.integer("lru_hot_pct"))?;
    set(&mut spec.dirty_thresh_pct, term.integer("dirty_thresh_pct"))?;
    set(&mut spec.max_clean_ios_set, term.integer("max_clean_ios_set"))?;
    set(&mut spec.max_clean_ios_total, term.integer("max_clean_ios_total"))?;
    set(&mut spec.fallow_delay, seconds(term, "fallow_delay"))?;
    set(&mut spec.fallow_clean_speed, term.integer("fallow_clean_speed"))?;
    Ok(spec)
}

/// vCache; what was never published is assumed.
pub(super) fn vcache(term: &Term, assumed: &mut Vec<Assumed>) -> Result<VCacheSpec, LineError> {
    let mut spec = VCacheSpec::default();
    for (key, shown) in [
        ("assoc", spec.blocks.assoc.to_string()),
        ("flush_depth", spec.flush_depth.to_string()),
        ("flush_hysteresis_pct", spec.flush_hysteresis_pct.to_string()),
        ("md_write", "no".to_owned()),
        ("dirty_thresh_pct", spec.blocks.dirty_thresh_pct.to_string()),
    ] {
        let is_given = term.has(key) || (key == "assoc" && term.has("set"));
        if !is_given {
            assume(assumed, format!("cache.{key}"), shown);
        }
    }
    term.choice("mode", &[("writeback", ())])?;
    blocks(term, &mut spec.blocks)?;
    set(&mut spec.blocks.dirty_thresh_pct, term.integer("dirty_thresh_pct"))?;
    set(&mut spec.flush_period, seconds(term, "flush_period"))?;
    set(&mut spec.flush_depth, term.integer("flush_depth"))?;
    set(&mut spec.flush_hysteresis_pct, term.integer("flush_hysteresis_pct"))?;
    set(&mut spec.md_write, term.choice("md_write", &YES))?;
    Ok(spec)
}

/// Blocks, sets, and what is let in.
fn blocks(term: &Term, spec: &mut FlashCacheSpec) -> Result<(), LineError> {
    set(&mut spec.block, small(term, "block"))?;
    assoc(term, spec)?;
    set(&mut spec.disk_assoc, small(term, "disk_assoc").map(|given| given.map(Some)))?;
    let skip = term.integer("skip_seq_thresh_kb")?;
    spec.skip_seq_thresh_kb = skip.filter(|kib| *kib > 0);
    set(&mut spec.cache_all, term.choice("cache_all", &YES))?;
    set(&mut spec.blacklist, processes(term, "blacklist"))?;
    set(&mut spec.whitelist, processes(term, "whitelist"))?;
    set(&mut spec.max_pids, term.integer("max_pids"))?;
    expiry(term, spec)
}

/// The size of a set, in blocks or in bytes.
fn assoc(term: &Term, spec: &mut FlashCacheSpec) -> Result<(), LineError> {
    let (blocks, bytes) = (term.integer("assoc")?, term.bytes("set")?);
    match (blocks, bytes) {
        (None, None) => {}
        (Some(_), Some(_)) => return Err(term.error_at("set", "give one of assoc and set")),
        (Some(blocks), None) => spec.assoc = blocks,
        (None, Some(Bytes(bytes))) => {
            let block = u64::from(spec.block.max(1));
            if bytes < block {
                let message =
                    format!("set: a block of {} is larger than a set of {}", Bytes(block), Bytes(bytes));
                let hint = Some("a set holds 256 to 8192 blocks; 2MiB holds 512 of 4 KiB".to_owned());
                return Err(LineError { hint, ..term.error_at("set", message) });
            }
            spec.assoc = u32::try_from(bytes / block).unwrap_or(u32::MAX);
            let refuse = |error: SpecError| {
                let message = format!("set: expected {} blocks, found {}", error.expected, error.found);
                term.error_at("set", message)
            };
            FlashCacheSpec { assoc: spec.assoc, ..FlashCacheSpec::default() }.check().map_err(refuse)?;
        }
    }
    Ok(())
}

/// Whether entries of the lists expire, and when.
fn expiry(term: &Term, spec: &mut FlashCacheSpec) -> Result<(), LineError> {
    let expires = term.choice("do_pid_expiry", &YES)?.unwrap_or(false);
    let after = seconds(term, "pid_expiry_secs")?;
    if after.is_some() && !expires {
        let hint = Some("add do_pid_expiry=yes".to_owned());
        let message = "pid_expiry_secs: entries do not expire unless do_pid_expiry says so";
        return Err(LineError { hint, ..term.error_at("pid_expiry_secs", message) });
    }
    if expires {
        spec.pid_expiry = after.unwrap_or(Some(Nanos::from_ms(60_000)));
    }
    Ok(())
}
