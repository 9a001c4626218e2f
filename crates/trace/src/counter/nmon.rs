//! nmon of AIX and Linux: a file of `nmon -f`, whose sections are tables with a column for each disk.
//!
//! ```text
//! AAA,interval,10                                    the interval in seconds
//! DISKREAD,Disk Read KB/s db1,hdisk0,hdisk1          the heading of a section: what it has, then the disks
//! ZZZZ,T0001,14:38:43,21-NOV-2026                    when a snapshot was taken
//! DISKREAD,T0001,1920.0,0.0                          the figures of that snapshot
//! ```
//!
//! Source: the nmon wiki of IBM. `DISKREAD` and `DISKWRITE` are KiB/s, `DISKXFER` requests a second, `DISKBUSY` percent; of AIX
//! `DISKRIO` and `DISKWIO` are reads and writes, `DISKREADSERV` and `DISKWRITESERV` ms. Above 150 disks a section continues as
//! `DISKREAD1`, …. Where only `DISKXFER` is there, requests are merged (see [`crate::report::reports`]).

use super::disk_row::{Column, DiskRow};
use crate::decompress::Input;
use crate::description::{Content, Description, Evidence, Measure, Reading, Verdict};
use crate::error::TraceError;
use crate::report::clock::{self, NS_PER_S, Stamp};
use crate::report::disk_report::Per;
use crate::report::reports::Reports;
use crate::report::text::{self, Damage, Lines, number};
use crate::summary::Merged;
use std::collections::BTreeMap;

const HINT: &str = "record with `nmon -f -s 1 -c 3600`";

pub(crate) static FORMAT: Description = Description {
    name: "nmon",
    title: "nmon of AIX and Linux, `-f`",
    detected_by: "`AAA,` at the start",
    content: Content::Counters {
        record: "`nmon -f -s 1 -c 3600`",
        interval: "the file's own, from its `ZZZZ` lines",
        measures: &[Measure::Requests, Measure::Bytes, Measure::Utilization],
        merged: &[Merged::Requests],
        assumed: "without `DISKRIO` (AIX) requests are split in proportion to the bytes",
    },
    sample: include_str!("samples/nmon.txt"),
    evidence: Evidence::Signature,
    fits: |head| Verdict::from(text::head(head.bytes).starts_with("AAA,")),
    reading: Reading::Each(|input, _| read(input)),
};

/// What a section has, without the number that it continues by.
fn section(name: &str) -> Option<Column> {
    Some(match name.trim_end_matches(|letter: char| letter.is_ascii_digit()) {
        "DISKREAD" => Column::ReadBytes { unit: 1024 },
        "DISKWRITE" => Column::WrittenBytes { unit: 1024 },
        "DISKXFER" => Column::Transfers,
        "DISKRIO" => Column::Reads,
        "DISKWIO" => Column::Writes,
        "DISKREADSERV" => Column::ReadMs,
        "DISKWRITESERV" => Column::WriteMs,
        "DISKBUSY" => Column::Utilization,
        _ => return None,
    })
}

/// One snapshot: where it is, when, and its disks.
struct Snapshot {
    line: u64,
    stamp: Option<Stamp>,
    disks: Vec<DiskRow>,
}

#[derive(Default)]
struct Reader {
    /// Disks of each section.
    headings: BTreeMap<String, Vec<String>>,
    snapshots: BTreeMap<String, Snapshot>,
    interval_ns: Option<u64>,
}

impl Reader {
    /// Takes a line; false where it is a row that does not fit its section.
    fn line(&mut self, line: &str, line_number: u64) -> bool {
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        match cells[..] {
            ["AAA", "interval", seconds, ..] => {
                let seconds = number(seconds).filter(|seconds| (0.001..1e6).contains(seconds));
                self.interval_ns = seconds.map(|seconds| (seconds * NS_PER_S as f64) as u64);
            }
            ["ZZZZ", number, time, ref date @ ..] => {
                let stamp = clock::parse(&format!("{} {time}", date.first().unwrap_or(&"")));
                let snapshot = Snapshot { line: line_number, stamp, disks: Vec::new() };
                return self.snapshots.insert(number.to_owned(), snapshot).is_none() && stamp.is_some();
            }
            [name, which, ref figures @ ..] => {
                let Some(column) = section(name) else { return true };
                let is_row = which.strip_prefix('T').is_some_and(|digits| digits.parse::<u64>().is_ok());
                if is_row {
                    return self.row(name, which, column, figures);
                }
                self.headings.insert(name.to_owned(), figures.iter().map(ToString::to_string).collect());
            }
            _ => {}
        }
        true
    }

    fn row(&mut self, name: &str, which: &str, column: Column, figures: &[&str]) -> bool {
        let (Some(names), Some(snapshot)) = (self.headings.get(name), self.snapshots.get_mut(which)) else {
            return false;
        };
        let values: Option<Vec<f64>> = figures.iter().map(|figure| number(figure)).collect();
        let Some(values) = values.filter(|values| values.len() == names.len()) else { return false };
        for (name, value) in names.iter().zip(values) {
            let at = snapshot.disks.iter().position(|disk| disk.name == *name).unwrap_or_else(|| {
                snapshot.disks.push(DiskRow::of(name));
                snapshot.disks.len() - 1
            });
            snapshot.disks[at].set(column, value * column.unit());
        }
        true
    }
}

/// Reads a file whole.
fn read(input: Input) -> Result<(Reports, Input), TraceError> {
    let mut lines = Lines::new(input)?;
    let (mut reader, mut damage) = (Reader::default(), Damage::default());
    let mut reports = Reports::new(FORMAT.name, Per::Second, HINT);
    while let Some(line) = lines.next()? {
        if line.trim().is_empty() || reader.line(&line, lines.number()) {
            continue;
        }
        let expected = "a snapshot of `ZZZZ`, and a number for each disk of the section's heading";
        let hint = "the line is damaged; delete it, or record again";
        reports.losses.extend(damage.pass(&lines, &line, "row", expected, hint));
    }
    reports.losses.extend(damage.loss(&lines)?);
    let mut snapshots: Vec<Snapshot> = reader.snapshots.into_values().collect();
    snapshots.sort_by_key(|snapshot| snapshot.line);
    for snapshot in snapshots {
        reports.begin_at(snapshot.line, snapshot.stamp, false);
        reports.lasts(reader.interval_ns);
        for disk in snapshot.disks {
            if let Some((amounts, merged)) = disk.amounts() {
                let number = reports.disk(&disk.name, 0);
                reports.add(number, amounts);
                merged.into_iter().for_each(|what| reports.merge(what));
            }
        }
    }
    if reports.is_empty() {
        return Err(TraceError::Set {
            path: lines.input().name.clone(),
            expected: "the sections `DISKREAD`, `DISKWRITE` and `DISKXFER`, or `DISKRIO` and `DISKWIO`"
                .to_owned(),
            found: "a file of nmon without snapshots of them".to_owned(),
            hint: HINT.to_owned(),
        });
    }
    reports.whole_seconds = true;
    Ok((reports, lines.into_input()))
}
