//! `zpool iostat` of OpenZFS: pools and, with `-v`, what they are of; with `-l` latencies; also `-H` and `-p`, without heading or unit.
//!
//! ```text
//! Sat Nov 21 14:38:43 UTC 2026                                           the stamp of -T d, or seconds of -T u
//!               capacity     operations     bandwidth    total_wait     disk_wait …
//! pool        alloc   free   read  write   read  write   read  write   read  write …
//! ----------  -----  -----  -----  -----  -----  -----  -----  -----
//! tank        7.00T  7.51T    120     80  1.88M   640K  500us    1ms …
//!   mirror-0  …                                                          a part of it, deeper by two blanks
//! ```
//!
//! Source: zpool-iostat(8). Units are powers of 1,024, also of operations; with `-p` bytes and ns. A pool counts what it asks of its
//! groups, below its caches and before copies and parity, which each disk counts for itself.

use super::disk_row::Column;
use super::rate_table::{self, Cell, Columns, Layout, cells};
use crate::description::{Content, Description, Evidence, Measure, Reading, Verdict};
use crate::report::text::number;

static LAYOUT: Layout = Layout {
    format: "zpool",
    hint: "record with `zpool iostat -y -l -T u tank 1`",
    heading,
    value,
    passes: |line| line.trim_start().starts_with('-'),
    rank,
    since_boot: true,
};

pub(crate) static FORMAT: Description = Description {
    name: "zpool",
    title: "`zpool iostat`, also with `-v -l -H -p -T -y`",
    detected_by: "a heading with `pool`, `alloc` and `free`; with `-H` a name and 6 figures or more, parted by tabs",
    content: Content::Counters {
        record: "`zpool iostat -y -l -T u tank 1`",
        interval: "from the stamps of `-T`, else `--interval`, else 1 s",
        measures: &[Measure::Requests, Measure::Bytes, Measure::QueueDepth, Measure::Latency],
        merged: &[],
        assumed: "a pool's figures are before copies and parity; the queue depth is latency × rate",
    },
    sample: include_str!("samples/zpool.txt"),
    evidence: Evidence::Shape,
    fits: |head| Verdict::from(rate_table::detect(&LAYOUT, head.bytes)),
    reading: Reading::Each(|input, _| rate_table::read(&LAYOUT, input)),
};

/// Columns with `-l`: `total_wait`, `disk_wait`, `syncq_wait` and `asyncq_wait` of reads and of writes, `scrub`, `trim`, `rebuild`.
const WITH_WAITS: [usize; 3] = [16, 17, 18];

fn heading(above: &str, line: &str) -> Option<Columns> {
    let words = cells(line);
    let has = |name: &str| words.contains(&name);
    let bare = line.contains('\t') && is_bare(&words);
    if !bare && !(words.first() == Some(&"pool") && has("free") && (has("alloc") || has("used"))) {
        return None;
    }
    let waits = if bare { WITH_WAITS.contains(&words.len()) } else { above.contains("total_wait") };
    let of = |column| Cell::Of(String::new(), column);
    let columns = (0..words.len()).map(|at| match at {
        0 => Cell::Name,
        3 => of(Column::Reads),
        4 => of(Column::Writes),
        5 => of(Column::ReadBytes { unit: 1 }),
        6 => of(Column::WrittenBytes { unit: 1 }),
        7 if waits => of(Column::ReadMs),
        8 if waits => of(Column::WriteMs),
        _ => Cell::Pass,
    });
    Some((columns.collect(), bare))
}

/// Whether it is a row of `-H`.
fn is_bare(words: &[&str]) -> bool {
    let is_figure = |word: &str| word == "-" || value(word, Column::Reads).is_some();
    let [name, figures @ ..] = words else { return false };
    let counts = words.len() == 7 || WITH_WAITS.contains(&words.len()) || (19..40).contains(&words.len());
    counts
        && name.len() > 1
        && name.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && figures.iter().all(|word| is_figure(word))
}

/// `1.88M`, `500us`; without a unit, as with `-p`, a time is in ns.
fn value(word: &str, column: Column) -> Option<f64> {
    let end = word.find(|letter: char| letter.is_ascii_alphabetic()).unwrap_or(word.len());
    let (plain, unit) = (number(&word[..end])?, &word[end..]);
    if matches!(column, Column::ReadMs | Column::WriteMs) {
        let ms = match unit {
            "" | "ns" => 1e-6,
            "us" => 1e-3,
            "ms" => 1.0,
            "s" => 1e3,
            _ => return None,
        };
        return Some(plain * ms);
    }
    let power = ["", "K", "M", "G", "T", "P", "E"].iter().position(|known| *known == unit)?;
    Some(plain * 1024_f64.powi(power as i32))
}

/// What a pool is of comes after it: it is deeper, and has no capacity of its own.
fn rank(name: &str, line: &str) -> u8 {
    let group = ["mirror-", "raidz", "draid"].iter().any(|group| name.starts_with(group));
    u8::from(group || line.starts_with(' ') || cells(line).get(1) == Some(&"-"))
}
