//! The kernel's letters for a block request, and the range next to them, as all text of the block layer has them.
//!
//! `F` in front: a flush comes first. Then `R` read, `W` write, `D` discard (`DE` secure erase), `F` a flush alone, `WZ`
//! write zeroes (which the binary trace calls a write), `N` none of these. Behind it `F` (FUA), `A`, `S`, `M`, `T`, `U` say how.
//! Before Linux 2.6.37 there were no letters for flushes: `B` behind the operation is a barrier, which a flush in front of a
//! write with FUA replaced.
//! The range is `sector + sectors`, in 512 bytes; a request of no bytes has none, or a sector of all ones.

use crate::event::{BlockEvent, Kind, SECTOR_BYTES};
use crate::field::Cursor;
use crate::lines::Fault;
use drivecast_block::Op;

/// What a request does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Action {
    pub(crate) op: Op,
    /// Marked as a flush, with data or without.
    pub(crate) flush: bool,
    /// Marked as forced unit access.
    pub(crate) fua: bool,
    /// Neither read nor written: a command that is passed through, or a flush alone.
    pub(crate) none: bool,
}

/// The letters of one request.
#[inline]
pub(crate) fn action(letters: &[u8]) -> Option<Action> {
    let (flush, rest) = match letters {
        [b'F', rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let (op, none) = match rest.first() {
        Some(b'R') => (Op::Read, false),
        Some(b'W') => (Op::Write, false),
        Some(b'D') => (Op::Discard, false),
        Some(b'N' | b'F') => (Op::Write, true),
        None if flush => (Op::Write, true),
        _ => return None,
    };
    let known = rest.iter().all(|letter| b"RWDNFASMZETPBU".contains(letter));
    let how = rest.get(1..).unwrap_or_default();
    let barrier = op == Op::Write && how.contains(&b'B');
    let fua = op == Op::Write && how.contains(&b'F') || barrier && !none;
    let flush = flush || barrier;
    known.then_some(Action { op, flush, fua, none })
}

/// `major,minor` as the kernel packs it.
#[inline]
pub(crate) fn device(cursor: &mut Cursor<'_>) -> Option<u32> {
    cursor.skip_blanks();
    let major = cursor.integer().filter(|&major| major < 1 << 12)?;
    let minor = cursor.eat(b',').then(|| cursor.integer())??;
    (minor < 1 << 20).then_some((major << 20 | minor) as u32)
}

/// `sector + sectors`; no range where something else is there.
#[inline]
pub(crate) fn range(cursor: &mut Cursor<'_>) -> Option<(u64, u64)> {
    let start = *cursor;
    let mut read = || {
        cursor.skip_blanks();
        let sector = cursor.integer()?;
        cursor.skip_blanks();
        let plus = cursor.eat(b'+');
        cursor.skip_blanks();
        plus.then(|| cursor.integer()).flatten().map(|sectors| (sector, sectors))
    };
    let found = read();
    if found.is_none() {
        *cursor = start;
    }
    found
}

/// Whether the bytes of a command follow, as in `36 (12 01 80 ..)`: it is passed through and has no range.
#[inline]
pub(crate) fn passes_through(mut cursor: Cursor<'_>) -> bool {
    cursor.skip_blanks();
    let _ = cursor.integer();
    cursor.skip_blanks();
    cursor.eat(b'(')
}

/// The number in `[…]` at the end of a completion: its error.
#[inline]
pub(crate) fn failed(cursor: &Cursor<'_>) -> bool {
    match memchr::memrchr(b'[', cursor.rest) {
        Some(at) => !cursor.rest[at..].starts_with(b"[0]"),
        None => false,
    }
}

/// The name in `[…]` at the end of an event that is no completion.
#[inline]
pub(crate) fn process(rest: &[u8]) -> &[u8] {
    let rest = rest.trim_ascii();
    rest.strip_prefix(b"[").and_then(|rest| rest.strip_suffix(b"]")).unwrap_or_default()
}

/// Puts an event together; `None` for a command that is passed through.
#[inline]
pub(crate) fn event(
    (time, device, pid): (u64, u32, u32),
    kind: Kind,
    action: Action,
    range: Option<(u64, u64)>,
    failed: bool,
) -> Result<Option<BlockEvent>, Fault> {
    if action.none && !action.flush {
        return Ok(None);
    }
    // Without data there is no place either: the events of a flush meet at sector 0.
    let (sector, sectors) = range.filter(|&(_, sectors)| sectors > 0).unwrap_or((0, 0));
    let bytes = sectors.checked_mul(SECTOR_BYTES).and_then(|bytes| u32::try_from(bytes).ok());
    let bytes = bytes.ok_or(Fault("a size below 4 GiB"))?;
    let Action { op, flush, fua, .. } = action;
    Ok(Some(BlockEvent { time, sector, bytes, pid, device, kind, op, flush, fua, failed }))
}
