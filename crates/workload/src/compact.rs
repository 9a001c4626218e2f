//! A recording in a few bytes a request: what a report carries, so that a browser can play it.
//!
//! **Model.** Five columns, one after another, since like follows like there and packs well (gzip halves them again):
//!
//! ```text
//! "DCR1" | shift u8 | count | bytes of each of the five columns | times | offsets | sizes | operations | streams
//! times       ns since the request before
//! offsets     from the end of the request before, in units of 2^shift bytes, zigzag (0 -1 1 -2 …): 0 in a sequential run
//! sizes       in units of 2^shift bytes
//! operations  a byte: the code of the operation; 16 more with forced unit access
//! streams     as they are
//! ```
//!
//! All numbers but `shift` and operations are varints: seven bits a byte, the lowest first, the highest bit set on all but the
//! last. `shift` is the most that divides all offsets and sizes, at most 12. What is read is not trusted: a request takes five
//! bytes at least, so a count is refused before memory is taken for it, which is eight times the input at most; requests end
//! within 64 bits; nothing may follow. Left out: how long requests took when they were recorded.

use drivecast_block::{Nanos, Op, Record};

const MAGIC: [u8; 4] = *b"DCR1";
const SHIFT_MAX: u32 = 12;
const COLUMNS: usize = 5;
/// Bytes of the longest varint.
const VARINT_MAX: usize = 10;
const FORCED: u8 = 16;

/// Why bytes are no recording: what was expected at a byte, and what is there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {at}: expected {expected}, found {found}")]
pub struct CompactError {
    /// The byte, from 0.
    pub at: usize,
    /// What should be there.
    pub expected: &'static str,
    /// What is there.
    pub found: String,
}

/// Records, which come in order of time, in compact form; without their latencies.
pub fn compact(records: &[Record]) -> Vec<u8> {
    let shift = shift(records);
    let mut columns: [Vec<u8>; COLUMNS] = Default::default();
    let (mut time, mut end) = (0, 0_u64);
    for record in records {
        let [times, offsets, sizes, operations, streams] = &mut columns;
        put(times, record.time.0 - time);
        put(offsets, zigzag((record.offset >> shift).wrapping_sub(end) as i64));
        put(sizes, u64::from(record.size) >> shift);
        operations.push(record.op as u8 | if record.fua { FORCED } else { 0 });
        put(streams, u64::from(record.stream));
        (time, end) = (record.time.0, record.end() >> shift);
    }
    let mut bytes = MAGIC.to_vec();
    bytes.push(shift as u8);
    put(&mut bytes, records.len() as u64);
    columns.iter().for_each(|column| put(&mut bytes, column.len() as u64));
    columns.iter().for_each(|column| bytes.extend_from_slice(column));
    bytes
}

/// The records that [`compact`] made into these bytes.
///
/// # Errors
/// Bytes that are no recording, or a damaged one: the first byte that cannot be.
pub fn expand(bytes: &[u8]) -> Result<Vec<Record>, CompactError> {
    let mut head = Cursor { bytes, at: 0, end: bytes.len(), expected: "a whole header" };
    if !bytes.starts_with(&MAGIC) {
        let found = bytes.iter().take(4).map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ");
        return Err(CompactError { at: 0, expected: "the magic number `DCR1`", found });
    }
    head.at = MAGIC.len();
    let shift = u32::from(head.byte()?);
    if shift > SHIFT_MAX {
        return Err(head.refuse("a shift of 12 or less", shift));
    }
    let count = head.varint()?;
    let [mut times, mut offsets, mut sizes, mut operations, mut streams] = columns(&mut head, count)?;
    let mut records = Vec::with_capacity(count as usize);
    let mut last =
        Record { time: Nanos(0), offset: 0, size: 0, stream: 0, op: Op::Read, fua: false, latency: None };
    for _ in 0..count {
        let time = times.varint()?;
        let Some(time) = last.time.0.checked_add(time) else {
            return Err(times.refuse("a time within 64 bits", time));
        };
        let step = unzigzag(offsets.varint()?);
        let place = (last.end() >> shift).wrapping_add_signed(step);
        if place.leading_zeros() < shift {
            return Err(offsets.refuse("an offset within 64 bits", step));
        }
        let size = sizes.varint()?;
        let offset = place << shift;
        let fits = |size: &u64| offset.checked_add(*size).is_some();
        let whole = size.checked_mul(1 << shift).filter(fits).and_then(|size| u32::try_from(size).ok());
        let Some(whole) = whole else { return Err(sizes.refuse("a request that ends within 64 bits", size)) };
        let (op, fua) = operation(&mut operations)?;
        let stream = streams.varint()?;
        let Ok(stream) = u32::try_from(stream) else {
            return Err(streams.refuse("a stream within 32 bits", stream));
        };
        last = Record { time: Nanos(time), offset, size: whole, stream, op, fua, latency: None };
        records.push(last);
    }
    for column in [times, offsets, sizes, operations, streams] {
        column.is_spent()?;
    }
    Ok(records)
}

/// The most bits that are zero at the end of all offsets and sizes.
fn shift(records: &[Record]) -> u32 {
    let used = records.iter().fold(0, |used, record| used | record.offset | u64::from(record.size));
    used.trailing_zeros().min(SHIFT_MAX)
}

/// The columns behind the header, which end where the bytes do.
fn columns<'a>(head: &mut Cursor<'a>, count: u64) -> Result<[Cursor<'a>; COLUMNS], CompactError> {
    let at = head.at;
    let mut lengths = [0; COLUMNS];
    for length in &mut lengths {
        *length = head.varint()?;
        if *length < count {
            return Err(head.refuse("a byte or more for each request", *length));
        }
    }
    let rest = (head.end - head.at) as u64;
    let all = lengths.iter().fold(0_u64, |all, length| all.saturating_add(*length));
    if all != rest {
        return Err(CompactError {
            at,
            expected: "columns as long as the rest",
            found: format!("{all} of {rest}"),
        });
    }
    let mut from = head.at;
    Ok(lengths.map(|length| {
        let end = from + length as usize;
        let column = Cursor { bytes: head.bytes, at: from, end, expected: "a column as long as the others" };
        from = end;
        column
    }))
}

fn operation(operations: &mut Cursor<'_>) -> Result<(Op, bool), CompactError> {
    let code = operations.byte()?;
    let op = Op::ALL.get(usize::from(code & !FORCED)).copied();
    op.map(|op| (op, code & FORCED != 0)).ok_or_else(|| operations.refuse("an operation from 0 to 3", code))
}

fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn zigzag(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)) as u64
}

fn unzigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

/// Some of the bytes, read from the front.
struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    end: usize,
    /// What it is that must not end too early.
    expected: &'static str,
}

impl Cursor<'_> {
    #[inline]
    fn byte(&mut self) -> Result<u8, CompactError> {
        if self.at == self.end {
            return Err(CompactError { at: self.at, expected: self.expected, found: "its end".to_owned() });
        }
        self.at += 1;
        Ok(self.bytes[self.at - 1])
    }

    #[inline]
    fn varint(&mut self) -> Result<u64, CompactError> {
        let mut number = 0;
        for turn in 0..VARINT_MAX {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << (7 * turn);
            if turn == VARINT_MAX - 1 && byte > 1 {
                break;
            }
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(self.refuse("a number within 64 bits", "more"))
    }

    /// The value that ends before this place is refused.
    fn refuse(&self, expected: &'static str, found: impl std::fmt::Display) -> CompactError {
        CompactError { at: self.at.saturating_sub(1), expected, found: found.to_string() }
    }

    fn is_spent(&self) -> Result<(), CompactError> {
        let left = self.end - self.at;
        let found = || format!("{left} bytes more");
        (left == 0).then_some(()).ok_or_else(|| CompactError {
            at: self.at,
            expected: "the end of the column",
            found: found(),
        })
    }
}
