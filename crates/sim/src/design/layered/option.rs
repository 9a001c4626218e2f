//! How options of caches are read.

use drivecast_block::line::{LineError, Term};
use drivecast_block::{Bytes, Nanos};

/// A switch.
pub(super) const YES: [(&str, bool); 2] = [("yes", true), ("no", false)];

/// Reads an option into its place, where the line gives it.
pub(super) fn set<T>(place: &mut T, given: Result<Option<T>, LineError>) -> Result<(), LineError> {
    if let Some(value) = given? {
        *place = value;
    }
    Ok(())
}

/// A size below 4 GiB.
pub(super) fn small(term: &Term, key: &'static str) -> Result<Option<u32>, LineError> {
    let Some(Bytes(bytes)) = term.bytes(key)? else { return Ok(None) };
    let refuse = |_| term.error_at(key, format!("{key}: expected less than 4 GiB, found {}", Bytes(bytes)));
    u32::try_from(bytes).map(Some).map_err(refuse)
}

/// A time, or plain seconds as the program's own switch takes them; 0: never.
pub(super) fn seconds(term: &Term, key: &'static str) -> Result<Option<Option<Nanos>>, LineError> {
    Ok(time(term, key)?.map(|time| (time > Nanos::ZERO).then_some(time)))
}

/// A time, or plain seconds.
pub(super) fn time(term: &Term, key: &'static str) -> Result<Option<Nanos>, LineError> {
    match term.text(key).and_then(|text| text.parse::<u32>().ok()) {
        Some(seconds) => Ok(Some(Nanos(u64::from(seconds) * 1_000_000_000))),
        None => term.nanos(key),
    }
}

/// A size, 0: none.
pub(super) fn cutoff(term: &Term, key: &'static str) -> Result<Option<Option<u64>>, LineError> {
    Ok(term.bytes(key)?.map(|Bytes(bytes)| (bytes > 0).then_some(bytes)))
}

/// Processes, as 12 or 12+40.
pub(super) fn processes(term: &Term, key: &'static str) -> Result<Option<Vec<u32>>, LineError> {
    let Some(text) = term.text(key) else { return Ok(None) };
    let listed: Result<Vec<u32>, _> = text.split('+').map(str::parse).collect();
    listed.map(Some).map_err(|_| {
        term.error_at(key, format!("{key}: expected process ids as 12 or 12+40, found `{text}`"))
    })
}

/// Refuses options of what is dirty where nothing ever is; `why` names what the line says instead.
pub(super) fn nothing_dirty(term: &Term, why: &str, keys: &[&'static str]) -> Result<(), LineError> {
    let Some(key) = keys.iter().find(|key| term.has(key)) else { return Ok(()) };
    let message = format!("{key}: with {why} nothing is ever dirty");
    let hint = format!(
        "only a cache that writes back holds dirty data, such as mode=writeback of flashcache; leave {key} out"
    );
    Err(LineError { hint: Some(hint), ..term.error_at(key, message) })
}
