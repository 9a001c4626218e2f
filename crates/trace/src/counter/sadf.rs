//! sysstat: what `sadf -d FILE -- -d` prints, for databases: `;` between the columns, a heading with their names.
//!
//! ```text
//! # hostname;interval;timestamp;DEV;tps;rkB/s;wkB/s;dkB/s;areq-sz;aqu-sz;await;%util
//! db1;60;2026-11-18 00:01:00 UTC;sda;11.44;26.79;126.36;0.00;13.39;0.01;0.72;0.60
//! db1;-1;2026-11-18 14:23:40 UTC;LINUX-RESTART  (32 CPU)
//! ```
//!
//! The interval is in seconds and ends at the time stamp, in UTC, in local time (`-t`) or in seconds since 1970 (`-U`). With `-h` the
//! disks lie next to each other in one line, the heading ends with `[...]`. Columns are those of sar's text, see [`super::sar`]; tables of
//! anything but disks are passed over.

use super::disk_row::{Column, DiskRow, value};
use crate::decompress::Input;
use crate::description::{Content, Description, Evidence, Measure, Reading, Verdict};
use crate::error::TraceError;
use crate::options::Options;
use crate::report::clock::{self, NS_PER_S, Stamp};
use crate::report::disk_report::Per;
use crate::report::reports::Reports;
use crate::report::text::{self, Damage, Lines, number};
use crate::summary::Merged;

const HINT: &str = "export the disks of a recorded day: `sadf -d sa21 -- -d > sa21.csv`";
/// What every line starts with; the first names the fields.
const START: &str = "# hostname;interval;timestamp";
const FIXED: usize = 3;
/// Beyond any interval that sar is run with, in seconds.
const INTERVAL_S_MAX: f64 = 1e6;

pub(crate) static FORMAT: Description = Description {
    name: "sadf",
    title: "sar, as `sadf -d` exports it for databases",
    detected_by: "`# hostname;interval;timestamp` at the start",
    content: Content::Counters {
        record: "`sadf -d /var/log/sa/sa21 -- -d`",
        interval: "each record's own",
        measures: Measure::WITHOUT_FLUSHES,
        merged: &[Merged::Requests, Merged::Latency],
        assumed: "sar counts discards and flushes among its requests",
    },
    sample: include_str!("samples/sadf.csv"),
    evidence: Evidence::Signature,
    fits: |head| Verdict::from(text::head(head.bytes).starts_with(START)),
    reading: Reading::Each(read),
};

/// The columns of a disk, if the line is the heading of a table of disks.
fn heading(line: &str) -> Option<Vec<Column>> {
    let names: Vec<&str> = line.trim_end_matches("[...]").split(';').skip(FIXED).collect();
    let name = names.iter().position(|name| *name == "DEV")?;
    let mut columns: Vec<Column> = names.iter().map(|name| Column::of(name)).collect();
    columns[name] = Column::Name;
    columns.contains(&Column::Transfers).then_some(columns)
}

/// What is being read.
struct Reader {
    reports: Reports,
    columns: Option<Vec<Column>>,
    stamp: Option<Stamp>,
    /// Numbers of the disks of the report.
    disks: Vec<u32>,
    restarts: u64,
}

impl Reader {
    /// Takes a line; false where it does not fit its table.
    fn line(&mut self, line: &str, number: u64) -> bool {
        if line.starts_with('#') {
            self.columns = heading(line);
            return true;
        }
        let fields: Vec<&str> = line.split(';').collect();
        if fields.get(FIXED).is_some_and(|field| field.starts_with("LINUX-RESTART")) {
            self.restarts += 1;
            return true;
        }
        let is_comment = fields.get(FIXED).is_some_and(|field| field.starts_with("COM "));
        let Some(columns) = self.columns.take().filter(|_| !line.is_empty() && !is_comment) else {
            return true;
        };
        let taken = self.row(&fields, &columns, number).is_some();
        self.columns = Some(columns);
        taken
    }

    fn row(&mut self, fields: &[&str], columns: &[Column], line: u64) -> Option<()> {
        let (fixed, rest) = fields.split_at_checked(FIXED)?;
        let stamp = clock::parse(fixed[2])?;
        let seconds = number(fixed[1]).filter(|seconds| *seconds > 0.0 && *seconds < INTERVAL_S_MAX)?;
        if rest.is_empty() || rest.len() % columns.len() != 0 {
            return None;
        }
        let disks: Option<Vec<DiskRow>> = rest.chunks(columns.len()).map(|disk| row(disk, columns)).collect();
        for row in disks? {
            let (amounts, merged) = row.amounts()?;
            let disk = self.reports.disk(&row.name, 0);
            if self.stamp != Some(stamp) || self.disks.contains(&disk) {
                self.reports.begin_at(line, Some(stamp), false);
                self.reports.lasts(Some((seconds * NS_PER_S as f64) as u64));
                self.stamp = Some(stamp);
                self.disks.clear();
            }
            self.disks.push(disk);
            self.reports.add(disk, amounts);
            merged.into_iter().for_each(|what| self.reports.merge(what));
        }
        Some(())
    }
}

fn row(fields: &[&str], columns: &[Column]) -> Option<DiskRow> {
    let mut disk = DiskRow::default();
    for (field, column) in fields.iter().zip(columns) {
        match column {
            Column::Name => disk.name = (*field).to_owned(),
            _ => disk.set(*column, value(field, *column)?),
        }
    }
    Some(disk)
}

/// Reads a log whole.
fn read(input: Input, _: &Options) -> Result<(Reports, Input), TraceError> {
    let mut lines = Lines::new(input)?;
    let mut reader = Reader {
        reports: Reports::new(FORMAT.name, Per::Second, HINT),
        columns: None,
        stamp: None,
        disks: Vec::new(),
        restarts: 0,
    };
    let mut damage = Damage::default();
    while let Some(line) = lines.next()? {
        if reader.line(&line, lines.number()) {
            continue;
        }
        let expected = "a host, an interval, a time stamp, and the columns that the heading names";
        let hint = "the line is damaged; delete it, or export it again";
        reader.reports.losses.extend(damage.pass(&lines, &line, "row", expected, hint));
    }
    reader.reports.losses.extend(damage.loss(&lines)?);
    let Reader { mut reports, restarts, .. } = reader;
    reports.whole_seconds = true;
    reports.leaves_out_idle = true;
    if restarts > 0 {
        reports.notes.push(super::sar::restarted(restarts));
    }
    Ok((reports, lines.into_input()))
}
