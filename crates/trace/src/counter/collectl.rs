//! collectl in plot format, `-P`: a row a sample, with columns for each disk (`-sD`) or for all together (`-sd`).
//!
//! ```text
//! #Date Time [DSK:sda]Name [DSK:sda]Reads [DSK:sda]RMerge [DSK:sda]RKBytes [DSK:sda]WaitR … [DSK:sda]Util
//! 20261121 14:38:43 sda 120 0 1920 0.50 …
//! ```
//!
//! Source: collectl's documentation, "Disk data". Rates a second, of KiB; waits in ms. Above the heading are lines with `#`.

use super::disk_row::Column;
use super::rate_table::{self, Cell, Columns, Layout, cells};
use crate::description::{Content, Description, Evidence, Measure, Reading, Verdict};
use crate::report::choice::RANK_TOTAL;

static LAYOUT: Layout = Layout {
    format: "collectl",
    hint: "record with `collectl -sD -P -f log`, or print a recording so: `collectl -p FILE.raw.gz -sD -P`",
    heading,
    value: rate_table::plain,
    passes: |line| line.starts_with('#'),
    rank: |name, _| if name == "total" { RANK_TOTAL } else { 0 },
    since_boot: false,
};

pub(crate) static FORMAT: Description = Description {
    name: "collectl",
    title: "collectl in plot format, `-sD -P`",
    detected_by: "a heading with `#Date Time` and `[DSK`",
    content: Content::Counters {
        record: "`collectl -sD -P > log`",
        interval: "from the columns `Date` and `Time`",
        measures: Measure::WITHOUT_FLUSHES,
        merged: &[],
        assumed: "flushes are among the writes",
    },
    sample: include_str!("samples/collectl.txt"),
    evidence: Evidence::Shape,
    fits: |head| Verdict::from(rate_table::detect(&LAYOUT, head.bytes)),
    reading: Reading::Each(|input, _| rate_table::read(&LAYOUT, input)),
};

fn heading(_: &str, line: &str) -> Option<Columns> {
    if !line.starts_with('#') || !line.contains("[DSK") {
        return None;
    }
    let column = |name: &str| match name.trim_start_matches('#') {
        "Date" | "Time" | "UTC" => Cell::Time,
        name => match name.strip_prefix("[DSK").and_then(|name| name.split_once(']')) {
            Some((disk, name)) => of(disk.trim_start_matches(':'), name),
            None => Cell::Pass,
        },
    };
    Some((cells(line).into_iter().map(column).collect(), false))
}

fn of(disk: &str, name: &str) -> Cell {
    let column = match name.strip_suffix("Tot").unwrap_or(name) {
        "Reads" | "Read" => Column::Reads,
        "Writes" | "Write" => Column::Writes,
        "RKBytes" | "ReadKB" => Column::ReadBytes { unit: 1024 },
        "WKBytes" | "WriteKB" => Column::WrittenBytes { unit: 1024 },
        "RMerge" | "ReadMrg" => Column::ReadsMerged,
        "WMerge" | "WriteMrg" => Column::WritesMerged,
        "WaitR" => Column::ReadMs,
        "WaitW" => Column::WriteMs,
        "Wait" => Column::Ms,
        "QueLen" => Column::Depth,
        "Util" => Column::Utilization,
        _ => return Cell::Pass,
    };
    Cell::Of(if disk.is_empty() { "total" } else { disk }.to_owned(), column)
}
