//! MSR Cambridge: `Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime` (Narayanan et al., FAST 2008).
//!
//! Timestamp in 100 ns since 1601 (Windows file time), offset and size in bytes, response time in 100 ns; type `Read` or
//! `Write`. A header line is allowed. `stream` is the disk number, latency the response time; sizes need not be
//! multiples of 512. Lines are read byte by byte: no field becomes a string.

use crate::error::{Place, TraceError, show_bytes};
use crate::stream::{At, BACKWARDS_NS_MAX, Decode, Timed};
use drivecast_block::{Nanos, Op, Record};
use memchr::memchr;

/// Lines looked at before a file is taken for MSR Cambridge.
const PROBE: usize = 16;
/// No line is longer.
const LINE_BYTES_MAX: usize = 4096;
/// Nanoseconds in the unit of Windows file time.
const TICK_NS: u64 = 100;
/// The fields of a line, as messages show them.
const FIELDS: &str = "Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime";

/// Whether the first lines, after at most one header, are all requests.
pub(crate) fn detect(head: &[u8]) -> bool {
    let complete = head.iter().rposition(|&byte| byte == b'\n').map_or(head, |end| &head[..=end]);
    let mut lines =
        complete.split(|&byte| byte == b'\n').filter(|line| !trim(line).is_empty()).take(PROBE).peekable();
    if lines.peek().is_some_and(|first| is_header(first)) {
        lines.next();
    }
    lines.peek().is_some() && lines.all(|line| parse(trim(line)).is_ok())
}

fn is_header(line: &[u8]) -> bool {
    line.len() >= 9
        && line[..9].eq_ignore_ascii_case(b"timestamp")
        && line.iter().filter(|&&b| b == b',').count() == 6
}

fn trim(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// What is wrong with a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fault(&'static str);

/// Reads a line that ends without a line break.
#[inline(always)]
fn parse(line: &[u8]) -> Result<Record, Fault> {
    let mut rest = line;
    let timestamp = number(&mut rest, b',').ok_or(Fault("a timestamp in 100 ns"))?;
    rest = &rest[memchr(b',', rest).ok_or(Fault("a host name"))? + 1..];
    let disk = number(&mut rest, b',').ok_or(Fault("a disk number"))?;
    let op = kind(&mut rest).ok_or(Fault("`Read` or `Write`"))?;
    let offset = number(&mut rest, b',').ok_or(Fault("an offset in bytes"))?;
    let size = number(&mut rest, b',').ok_or(Fault("a size in bytes"))?;
    let response = last(rest).ok_or(Fault("a response time in 100 ns"))?;
    let size = u32::try_from(size).map_err(|_| Fault("a size below 4 GiB"))?;
    offset.checked_add(u64::from(size)).ok_or(Fault("an end below 2^64 bytes"))?;
    Ok(Record {
        time: Nanos(timestamp.checked_mul(TICK_NS).ok_or(Fault("a timestamp before the year 2185"))?),
        offset,
        size,
        stream: u32::try_from(disk).map_err(|_| Fault("a disk number below 2^32"))?,
        op,
        latency: Some(Nanos(response.checked_mul(TICK_NS).ok_or(Fault("a response time below 2^64 ns"))?)),
    })
}

/// The decimal number up to `end`, which is taken too.
#[inline(always)]
fn number(rest: &mut &[u8], end: u8) -> Option<u64> {
    let mut value = 0_u64;
    for (index, &byte) in rest.iter().enumerate() {
        let digit = byte.wrapping_sub(b'0');
        if digit < 10 {
            // 19 digits cannot overflow; a twentieth is checked.
            value = match index {
                0..19 => value * 10 + u64::from(digit),
                _ => value.checked_mul(10)?.checked_add(u64::from(digit))?,
            };
        } else if byte == end && index > 0 {
            *rest = &rest[index + 1..];
            return Some(value);
        } else {
            return None;
        }
    }
    None
}

/// The decimal number that fills what is left.
#[inline(always)]
fn last(rest: &[u8]) -> Option<u64> {
    if rest.is_empty() || rest.len() > 20 {
        return None;
    }
    let mut value = 0_u64;
    for &byte in rest {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = value.checked_mul(10)?.checked_add(u64::from(digit))?;
    }
    Some(value)
}

#[inline(always)]
fn kind(rest: &mut &[u8]) -> Option<Op> {
    let (op, length) = match rest {
        [b'R' | b'r', b'e', b'a', b'd', b',', ..] => (Op::Read, 5),
        [b'W' | b'w', b'r', b'i', b't', b'e', b',', ..] => (Op::Write, 6),
        _ => return None,
    };
    *rest = &rest[length..];
    Some(op)
}

/// Decoder of one file.
#[derive(Default)]
pub(crate) struct Msr {
    lines: u64,
    latest: u64,
    zero_length: u64,
    broken_tail: bool,
}

impl Decode for Msr {
    type Item = Record;

    fn decode(
        &mut self,
        bytes: &[u8],
        at: At<'_>,
        end: bool,
        items: &mut Vec<Record>,
        full: usize,
    ) -> Result<usize, TraceError> {
        let mut used = 0;
        while items.len() < full {
            let rest = &bytes[used..];
            let (line, length) = match memchr(b'\n', rest) {
                Some(length) => (&rest[..length], length + 1),
                None if rest.len() > LINE_BYTES_MAX => {
                    self.lines += 1;
                    return Err(self.refuse(at, rest, "a line of at most 4096 bytes"));
                }
                None if end && !rest.is_empty() => (rest, rest.len()),
                None => break,
            };
            let line = trim(line);
            self.lines += 1;
            match parse(line) {
                Ok(record) => items.extend(self.accept(record, at, line)?),
                Err(_) if line.is_empty() || (self.lines == 1 && is_header(line)) => {}
                // A recording that was cut off ends inside a line; only a line without a line break can be that.
                Err(_) if line.len() == rest.len() && end && self.lines > 1 => self.broken_tail = true,
                Err(Fault(expected)) => return Err(self.refuse(at, line, expected)),
            }
            used += length;
        }
        Ok(used)
    }

    fn notes(&self, file: &str) -> Vec<String> {
        let mut notes = Vec::new();
        if self.zero_length > 0 {
            notes.push(format!("{file}: {} reads or writes of no bytes were left out", self.zero_length));
        }
        if self.broken_tail {
            notes.push(format!("{file}: cut off in line {}, which was left out", self.lines));
        }
        notes
    }
}

impl Msr {
    #[inline(always)]
    fn accept(&mut self, record: Record, at: At<'_>, line: &[u8]) -> Result<Option<Record>, TraceError> {
        if record.time().saturating_add(BACKWARDS_NS_MAX) < self.latest {
            return Err(self.refuse(
                at,
                line,
                "a timestamp that is not more than 60 s before the line above",
            ));
        }
        self.latest = self.latest.max(record.time());
        if record.size == 0 {
            self.zero_length += 1;
            return Ok(None);
        }
        Ok(Some(record))
    }

    #[cold]
    fn refuse(&self, at: At<'_>, line: &[u8], expected: &str) -> TraceError {
        let shown = &line[..line.len().min(100)];
        let found = std::str::from_utf8(shown).map_or_else(|_| show_bytes(shown), |text| format!("`{text}`"));
        TraceError::Record {
            file: at.file.to_owned(),
            at: Place::Line(self.lines),
            expected: format!("{expected} in `{FIELDS}`"),
            found,
            hint: "remove or mend this line".to_owned(),
        }
    }
}
