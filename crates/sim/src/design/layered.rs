//! Caches as a line gives them: `cache(fast=x, slow=raid10(8 * y), policy=flashcache, mode=writeback, size=500GB)`.
//!
//! Options are named as the users of each program type them. What a line leaves open is what the program does by default, and
//! listed as assumed only where no program says it.

use super::assumed::{Assumed, assume};
use crate::spec::{CacheLayerSpec, CacheMode, CachePolicy, FlashCacheSpec, Reclaim, Restart, SpecError};
use drivecast_block::line::{LineError, Term};
use drivecast_block::{Bytes, Nanos};

/// The name of a cache in designs.
pub(super) const CACHE: &str = "cache";

/// A switch.
const YES: [(&str, bool); 2] = [("yes", true), ("no", false)];

#[derive(Clone, Copy)]
enum Kind {
    FlashCache,
}

/// The policies, by the names that designs have for them.
const KINDS: [(&str, Kind); 1] = [("flashcache", Kind::FlashCache)];

/// The devices of a cache, as the line gives them: the fast one, then the slow one.
pub(super) fn devices(term: &Term) -> Result<[Term; 2], LineError> {
    if let Some(member) = term.members.first() {
        let hint = "a cache names its two devices: `cache(fast=…, slow=…)`".to_owned();
        return Err(member.term.error("`cache` takes key=value only", Some(hint)));
    }
    let device = |key| {
        let missing = || term.error(format!("`cache` needs {key}=…, a drive or an array"), None);
        term.term(key).ok_or_else(missing)
    };
    Ok([device("fast")?, device("slow")?])
}

/// Reads a cache, but for its devices.
pub(super) fn layer(term: &Term, assumed: &mut Vec<Assumed>) -> Result<CacheLayerSpec, LineError> {
    let kind = term.choice("policy", &KINDS)?.unwrap_or_else(|| {
        assume(assumed, "cache.policy".to_owned(), "flashcache");
        Kind::FlashCache
    });
    let size = term.bytes("size")?;
    if size.is_none() {
        assume(assumed, "cache.size".to_owned(), "all of the fast device");
    }
    let overhead = term.nanos("overhead")?.unwrap_or_default();
    let restarts =
        [("remove", Restart::Remove), ("fast_remove", Restart::FastRemove), ("crash", Restart::Crash)];
    let restart = term.choice("restart", &restarts)?;
    let policy = match kind {
        Kind::FlashCache => {
            let spec = flashcache(term)?;
            spec.check().map_err(|error| at(term, &error))?;
            CachePolicy::FlashCache(spec)
        }
    };
    term.finish()?;
    Ok(CacheLayerSpec { size, overhead, restart, policy })
}

/// The error of a specification, at the option concerned.
fn at(term: &Term, error: &SpecError) -> LineError {
    let message = format!("{}: expected {}, found {}", error.field, error.expected, error.found);
    term.error_at(&error.field, message)
}

/// Reads an option into its place, where the line gives it.
fn set<T>(place: &mut T, given: Result<Option<T>, LineError>) -> Result<(), LineError> {
    if let Some(value) = given? {
        *place = value;
    }
    Ok(())
}

/// A size below 4 GiB.
fn small(term: &Term, key: &'static str) -> Result<Option<u32>, LineError> {
    let Some(Bytes(bytes)) = term.bytes(key)? else { return Ok(None) };
    let refuse = |_| term.error_at(key, format!("{key}: expected less than 4 GiB, found {}", Bytes(bytes)));
    u32::try_from(bytes).map(Some).map_err(refuse)
}

/// A time, or plain seconds as the program's own switch takes them; 0: never.
fn seconds(term: &Term, key: &'static str) -> Result<Option<Option<Nanos>>, LineError> {
    let plain = term.text(key).and_then(|text| text.parse::<u32>().ok());
    let time = match plain {
        Some(seconds) => Some(Nanos(u64::from(seconds) * 1_000_000_000)),
        None => term.nanos(key)?,
    };
    Ok(time.map(|time| (time > Nanos::ZERO).then_some(time)))
}

/// Processes, as 12 or 12+40.
fn processes(term: &Term, key: &'static str) -> Result<Option<Vec<u32>>, LineError> {
    let Some(text) = term.text(key) else { return Ok(None) };
    let listed: Result<Vec<u32>, _> = text.split('+').map(str::parse).collect();
    listed.map(Some).map_err(|_| {
        term.error_at(key, format!("{key}: expected process ids as 12 or 12+40, found `{text}`"))
    })
}

/// Refuses options of what is dirty where nothing ever is.
fn no_dirty(term: &Term, mode: &str, keys: &[&'static str]) -> Result<(), LineError> {
    let Some(key) = keys.iter().find(|key| term.text(key).is_some()) else { return Ok(()) };
    let message = format!("{key}: with mode={mode} nothing is ever dirty");
    let hint = Some(format!("only mode=writeback holds dirty data; leave {key} out, or choose that mode"));
    Err(LineError { hint, ..term.error_at(key, message) })
}

fn flashcache(term: &Term) -> Result<FlashCacheSpec, LineError> {
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
        // As the module does: what only ever was written is soon replaced.
        spec.fallow_delay = None;
    }
    if spec.mode != CacheMode::Back {
        let keys = [
            "dirty_thresh_pct",
            "fallow_delay",
            "fallow_clean_speed",
            "max_clean_ios_set",
            "max_clean_ios_total",
            "md_block",
        ];
        no_dirty(term, term.text("mode").unwrap_or_default(), &keys)?;
    }
    set(&mut spec.block, small(term, "block"))?;
    assoc(term, &mut spec)?;
    set(&mut spec.disk_assoc, small(term, "disk_assoc").map(|given| given.map(Some)))?;
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
    let skip = term.integer("skip_seq_thresh_kb")?;
    spec.skip_seq_thresh_kb = skip.filter(|kib| *kib > 0);
    set(&mut spec.cache_all, term.choice("cache_all", &YES))?;
    set(&mut spec.blacklist, processes(term, "blacklist"))?;
    set(&mut spec.whitelist, processes(term, "whitelist"))?;
    set(&mut spec.max_pids, term.integer("max_pids"))?;
    expiry(term, &mut spec)?;
    Ok(spec)
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

/// Refuses a cache that does not fit its devices, which hold so much.
pub(super) fn check_sizes(
    term: &Term,
    spec: &CacheLayerSpec,
    fast: Bytes,
    slow: Bytes,
) -> Result<(), LineError> {
    let size = spec.size.unwrap_or(fast);
    let refuse = |message: String, hint: &str| {
        Err(LineError { hint: Some(hint.to_owned()), ..term.error_at("size", message) })
    };
    if size > fast {
        return refuse(
            format!("size: expected at most the {fast} of the fast device, found {size}"),
            "a cache lies on its fast device; leave size out to take all of it",
        );
    }
    if size >= slow {
        return refuse(
            format!("size: expected less than the {slow} behind the cache, found {size}"),
            "what is as large as that could hold all of the data by itself: leave the slow device out, or give a smaller size=",
        );
    }
    let least = spec.size_min();
    if size < least {
        return refuse(
            format!("size: expected at least {least}, a set with its metadata, found {size}"),
            "give a larger size=, or a smaller assoc=",
        );
    }
    let most = spec.size_max();
    if size > most {
        return refuse(
            format!("size: expected at most {most} in blocks of this size, found {size}"),
            "give a larger block=",
        );
    }
    Ok(())
}
