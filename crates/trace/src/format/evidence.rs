//! What the numbers of a table without a header show of their units: its columns may look like those of a known format and not be
//! in its units.
//!
//! MODEL. Requests are whole sectors. Where every offset and size is a multiple of 512, they are bytes, unless each request is of whole
//! 256 KiB: that is decided by what would follow, a request beyond 16 MiB or a disk beyond 64 TiB. Where no size is a multiple of
//! 512, they are sectors. Where both readings are possible, the table is refused, as it is where the rate that the unit of time
//! makes is none of a disk's. A format that the caller names is taken at its word.

use super::columns::Columns;
use super::mapping::{Mapping, Role};
use crate::lines::ReadLine;
use drivecast_block::{Bytes, Nanos, Op, Record};

const SECTOR: u64 = 512;
/// Rows that it takes, and rows that are examined.
const ROWS_MIN: usize = 8;
const ROWS_MAX: usize = 4096;
const REQUEST_MAX: u64 = 16 << 20;
const DISK_MAX: u64 = 64 << 40;
/// Mean time between requests: no disk is asked more often, no trace less. Milliseconds are written of disks of 50,000 requests a second
/// at most.
const GAP_NS: std::ops::Range<u64> = 1_000..3_600_000_000_000;
const GAP_OF_MS_NS: u64 = 20_000;
/// Times that are dates of this century, since 1970 or since 1601: their unit is known.
const DATES_NS: [std::ops::Range<u64>; 2] = [
    946_684_800_000_000_000..4_102_444_800_000_000_000,
    12_591_158_400_000_000_000..15_746_918_400_000_000_000,
];
const MS_NS: u64 = 1_000_000;

/// What was found: how to read the table and why, where it is not as the format has it; else what is in doubt.
pub(super) enum Finding {
    AsFormatted,
    Other { mapping: Mapping, why: String },
    Doubt { doubt: String, hint: String },
}

/// The first rows, with offsets and sizes as written.
fn rows(mapping: &Mapping, count: Option<usize>, head: &[u8]) -> Vec<Record> {
    let plain = mapping.with_units(1, 1);
    let Ok(mut columns) = Columns::new(&plain, count, None, None) else { return Vec::new() };
    let whole = head.iter().rposition(|&byte| byte == b'\n').map_or(head, |end| &head[..end]);
    let lines = whole.split(|&byte| byte == b'\n').take(ROWS_MAX);
    let read = lines.filter_map(|line| columns.read(line.trim_ascii_end()).ok().flatten());
    // A discard may be of a zone, or of a disk.
    read.filter(|record| record.size > 0 && record.op != Op::Discard).collect()
}

/// Judges a table by its first lines.
pub(super) fn judge(mapping: &Mapping, count: Option<usize>, head: &[u8]) -> Finding {
    let (Some(offset), Some(size)) = (mapping.unit(Role::Offset), mapping.unit(Role::Size)) else {
        return Finding::AsFormatted;
    };
    let rows = rows(mapping, count, head);
    if rows.len() < ROWS_MIN || ![1, SECTOR].contains(&offset) || ![1, SECTOR].contains(&size) {
        return Finding::AsFormatted;
    }
    if mapping.has(Role::Time)
        && let Some(doubt) = doubtful_rate(&rows, mapping.unit(Role::Time) == Some(MS_NS))
    {
        let hint = format!(
            "give the unit of time: `--csv '{}'`, with ns, us, ms or s behind `time=…:`",
            mapping.text()
        );
        return Finding::Doubt { doubt, hint };
    }
    let is_whole = |value: u64| value.is_multiple_of(SECTOR);
    let sizes = rows.iter().filter(|row| is_whole(row.size.into())).count();
    let offsets = rows.iter().all(|row| is_whole(row.offset));
    let largest = rows.iter().map(|row| u64::from(row.size)).max().unwrap_or(0);
    let end = rows.iter().map(|row| row.offset.saturating_add(row.size.into())).max().unwrap_or(0);
    let is_distinct = rows.iter().any(|row| row.offset != rows[0].offset);
    let as_sectors = format!(
        "the largest request would be {}, the last address {}",
        Bytes(largest.saturating_mul(SECTOR)),
        Bytes(end.saturating_mul(SECTOR))
    );
    if size == SECTOR && sizes == rows.len() && offsets {
        let beyond = largest.saturating_mul(SECTOR) > REQUEST_MAX || end.saturating_mul(SECTOR) > DISK_MAX;
        let bytes = mapping.with_units(1, 1);
        return match beyond {
            true => Finding::Other {
                mapping: bytes,
                why: format!(
                    "offsets and sizes are read as bytes: all are multiples of 512, and as sectors {as_sectors}"
                ),
            },
            false => Finding::Doubt {
                doubt: format!(
                    "all offsets and sizes are multiples of 512: bytes, or sectors of requests of whole 256 KiB ({as_sectors})?"
                ),
                hint: format!(
                    "say which: `--csv '{}'` for sectors, `--csv '{}'` for bytes",
                    mapping.text(),
                    bytes.text()
                ),
            },
        };
    }
    if offset == SECTOR && size == 1 && offsets && is_distinct && largest < SECTOR * SECTOR {
        return Finding::Other {
            mapping: mapping.with_units(1, 1),
            why: "offsets are read as bytes: all are multiples of 512, and no request is of 256 KiB"
                .to_owned(),
        };
    }
    if size == 1 && sizes == 0 && largest.saturating_mul(SECTOR) <= REQUEST_MAX {
        return Finding::Other {
            mapping: mapping.with_units(if offsets { offset } else { SECTOR }, SECTOR),
            why: format!(
                "sizes are read as sectors of 512 bytes: none is a multiple of 512, the largest is {largest}"
            ),
        };
    }
    Finding::AsFormatted
}

/// What is wrong with the rate, where time passes.
fn doubtful_rate(rows: &[Record], of_ms: bool) -> Option<String> {
    let (first, last) = (rows.first()?.time.0, rows.last()?.time.0);
    if DATES_NS.iter().any(|dates| dates.contains(&first)) {
        return None;
    }
    let back = rows.windows(2).filter(|pair| pair[1].time < pair[0].time).count();
    if back * 10 > rows.len() * 4 {
        return Some(format!("the time steps back in {back} of {} rows", rows.len()));
    }
    let gap_ns = last.checked_sub(first)? / (rows.len() as u64 - 1);
    let least = if of_ms { GAP_OF_MS_NS } else { GAP_NS.start };
    let doubt = format!("requests would be {} apart", Nanos(gap_ns));
    (last > first && !(least..GAP_NS.end).contains(&gap_ns)).then_some(doubt)
}
