//! dstat and dool, what `--output FILE` writes: rows of rates below a heading of two lines, the group of columns and the column.
//!
//! ```text
//! "epoch","dsk/sda",,"io/sda",        or   "system","dsk/total",,"io/total",
//! "epoch","read","writ","read","writ"      "time","dsk/total:read",…   (dool repeats the group)
//! 1795362720.0,1966080.0,655360.0,120.0,80.0
//! ```
//!
//! `dsk` has bytes a second, `io` (`-r`) requests a second, after merging. The time is that of the end of the row's second.

use super::disk_row::Column;
use super::rate_table::{self, Cell, Columns, Layout, cells};
use crate::description::{Content, Description, Evidence, Measure, Reading, Verdict};
use crate::report::choice::RANK_TOTAL;

static LAYOUT: Layout = Layout {
    format: "dstat",
    hint: "record with `dstat -T -d -r -D sda --output log.csv 1`: `-d` has the bytes, `-r` the requests",
    heading,
    value: rate_table::plain,
    passes: |line| line.starts_with('"'),
    rank: |name, _| if name == "total" { RANK_TOTAL } else { 0 },
    since_boot: true,
};

pub(crate) static FORMAT: Description = Description {
    name: "dstat",
    title: "dstat and dool, their CSV",
    detected_by: "a heading with `\"read\",\"writ\"` below `\"dsk/…\"`",
    content: Content::Counters {
        record: "`dstat -T -d -r -D sda --output log.csv 1`",
        interval: "from the column `epoch` or `time`, else `--interval`, else 1 s",
        measures: &[Measure::Requests, Measure::Bytes],
        merged: &[],
        assumed: "flushes are among the writes",
    },
    sample: include_str!("samples/dstat.csv"),
    evidence: Evidence::Shape,
    fits: |head| Verdict::from(rate_table::detect(&LAYOUT, head.bytes)),
    reading: Reading::Each(|input, _| rate_table::read(&LAYOUT, input)),
};

fn heading(above: &str, line: &str) -> Option<Columns> {
    let (groups, names) = (cells(above), cells(line));
    if !above.contains("dsk/") || groups.len() > names.len() || !names.iter().any(|n| n.ends_with("writ")) {
        return None;
    }
    let mut group = "";
    let columns = names.iter().enumerate().map(|(at, name)| {
        group = groups.get(at).filter(|group| !group.is_empty()).copied().unwrap_or(group);
        let name = name.rsplit(':').next().unwrap_or(name);
        match (group.split_once('/'), name) {
            (Some(("dsk", disk)), "read") => Cell::Of(disk.to_owned(), Column::ReadBytes { unit: 1 }),
            (Some(("dsk", disk)), "writ") => Cell::Of(disk.to_owned(), Column::WrittenBytes { unit: 1 }),
            (Some(("io", disk)), "read") => Cell::Of(disk.to_owned(), Column::Reads),
            (Some(("io", disk)), "writ") => Cell::Of(disk.to_owned(), Column::Writes),
            (None, "epoch" | "time" | "date/time") => Cell::Time,
            _ => Cell::Pass,
        }
    });
    Some((columns.collect(), false))
}
