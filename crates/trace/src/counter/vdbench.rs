//! Vdbench's `flatfile.html`, or the CSV that `vdbench parse` makes of it: a row an interval, of all disks of a run together.
//!
//! ```text
//! * comments                                                                       passed over
//!          tod Run Interval reqrate  rate  MB/sec bytes/io read%  resp read_resp write_resp … queue_depth …
//! 10:00:01.000 rd1        1    max 500.0  1.9531     4096  70.0 2.000     1.500      3.167 …         1.0 …
//! 10:00:10.000 rd1  avg_2-9    max 500.0  …                                        sums of a run: passed over
//! ```
//!
//! Source: Vdbench 5.04 user's guide, "Flatfile". Reads are `rate` × `read%`, both of one mean size, `bytes/io`; times are in ms.
//! It is a generated load: what was requested is in the parameter file.

use super::disk_row::Column;
use super::rate_table::{self, Cell, Columns, Layout, cells};
use crate::description::{Content, Description, Evidence, Measure, Reading, Verdict};

static LAYOUT: Layout = Layout {
    format: "vdbench",
    hint: "give `flatfile.html` of a run, or a part of it: `vdbench parse -i flatfile.html -o flat.csv`",
    heading,
    value: rate_table::plain,
    passes: |line| line.trim_start().starts_with(['*', '<']) || line.contains("avg_"),
    rank: |_, _| 0,
    since_boot: false,
};

pub(crate) static FORMAT: Description = Description {
    name: "vdbench",
    title: "Vdbench's flatfile, as it is or as CSV",
    detected_by: "a heading with `tod`, `rate`, `bytes/io` and `read%`",
    content: Content::Counters {
        record: "`vdbench -f parameters -o output`, then `output/flatfile.html`",
        interval: "from the column `tod`",
        measures: &[Measure::Requests, Measure::Bytes, Measure::QueueDepth, Measure::Latency],
        merged: &[],
        assumed: "reads and writes are of one mean size",
    },
    sample: include_str!("samples/vdbench.txt"),
    evidence: Evidence::Shape,
    fits: |head| Verdict::from(rate_table::detect(&LAYOUT, head.bytes)),
    reading: Reading::Each(|input, _| rate_table::read(&LAYOUT, input)),
};

fn heading(_: &str, line: &str) -> Option<Columns> {
    let names = cells(line);
    if !["tod", "rate", "bytes/io", "read%"].iter().all(|name| names.contains(name)) {
        return None;
    }
    let of = |column| Cell::Of("all".to_owned(), column);
    let columns = names.iter().map(|name| match *name {
        "tod" => Cell::Time,
        "rate" => of(Column::Transfers),
        "bytes/io" => of(Column::Size),
        "read%" => of(Column::ReadPercent),
        "resp" => of(Column::Ms),
        "read_resp" => of(Column::ReadMs),
        "write_resp" => of(Column::WriteMs),
        "queue_depth" => of(Column::Depth),
        _ => Cell::Pass,
    });
    Some((columns.collect(), false))
}
