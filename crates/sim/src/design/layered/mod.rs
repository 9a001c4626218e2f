//! Caches as a line gives them: `cache(fast=x, slow=raid10(8 * y), policy=flashcache, mode=writeback, size=500GB)`.
//!
//! Options are named as the users of each program type them. What a line leaves open is what the program does by default, and
//! listed as assumed only where no program says it.

mod cachelib;
mod flashcache;
mod option;
mod others;

use super::assumed::{Assumed, assume};
use crate::spec::{CacheLayerSpec, CachePolicy, Restart, SpecError};
use drivecast_block::line::{LineError, Term};
use drivecast_block::{Bytes, Nanos};

/// The name of a cache in designs.
pub(super) const CACHE: &str = "cache";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    FlashCache,
    VCache,
    Bcache,
    OpenCas,
    DmWritecache,
    DmCache,
    L2Arc,
    Slog,
    CacheLib,
}

/// The policies, by the names that designs have for them.
const KINDS: [(&str, Kind); 9] = [
    ("flashcache", Kind::FlashCache),
    ("vcache", Kind::VCache),
    ("bcache", Kind::Bcache),
    ("opencas", Kind::OpenCas),
    ("dm-writecache", Kind::DmWritecache),
    ("dm-cache", Kind::DmCache),
    ("l2arc", Kind::L2Arc),
    ("slog", Kind::Slog),
    ("cachelib", Kind::CacheLib),
];

/// What a request to memory takes, of caches that serve some from there. Assumed.
const FROM_MEMORY: Nanos = Nanos::from_us(10);

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
    let overhead = term.nanos("overhead")?.unwrap_or_else(|| {
        let is_in_memory = matches!(kind, Kind::L2Arc | Kind::Slog | Kind::CacheLib);
        if is_in_memory {
            assume(assumed, "cache.overhead".to_owned(), FROM_MEMORY);
        }
        if is_in_memory { FROM_MEMORY } else { Nanos::ZERO }
    });
    let restarts =
        [("remove", Restart::Remove), ("fast_remove", Restart::FastRemove), ("crash", Restart::Crash)];
    let restart = term.choice("restart", &restarts)?;
    let policy = match kind {
        Kind::FlashCache => CachePolicy::FlashCache(flashcache::flashcache(term)?),
        Kind::VCache => CachePolicy::VCache(flashcache::vcache(term, assumed)?),
        Kind::Bcache => CachePolicy::Bcache(others::bcache(term)?),
        Kind::OpenCas => CachePolicy::OpenCas(others::open_cas(term)?),
        Kind::DmWritecache => CachePolicy::DmWritecache(others::dm_writecache(term)?),
        Kind::DmCache => CachePolicy::DmCache(others::dm_cache(term)?),
        Kind::L2Arc => CachePolicy::L2Arc(others::l2arc(term, assumed)?),
        Kind::Slog => CachePolicy::Slog(others::slog(term, assumed)?),
        Kind::CacheLib => CachePolicy::CacheLib(cachelib::cachelib(term, assumed)?),
    };
    term.finish()?;
    let spec = CacheLayerSpec { size, overhead, restart, policy };
    spec.check().map_err(|error| at(term, &error))?;
    Ok(spec)
}

/// The error of a specification, at the option concerned.
fn at(term: &Term, error: &SpecError) -> LineError {
    let message = format!("{}: expected {}, found {}", error.field, error.expected, error.found);
    term.error_at(&error.field, message)
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
