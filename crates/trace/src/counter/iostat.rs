//! sysstat: the text of `iostat`, any version, any of `-x -k -m -h -t -y -z -N --pretty --human --dec`, in any locale.
//!
//! ```text
//! Linux 6.1.0 (host)  11/21/26  _x86_64_  (2 CPU)        the banner: a run begins
//! 11/21/26 14:38:43                                      the stamp of -t, in the locale's order
//! avg-cpu:  %user …                                      passed over
//! Device   r/s  rkB/s  r_await  w/s  wkB/s  aqu-sz …     names of columns; `Device` first, or last with -h
//! sda     1,00   4,00     0,50 2,00 …                    a row; decimal point or comma, with -h also 5.2M and 1.2%
//! ```
//!
//! `iostat -x` of FreeBSD and `-x`, `-xn` of Solaris and illumos have the same shape, with `kr/s`, `ms/r` or `svc_t` and a line
//! `extended device statistics` above each report. FreeBSD's `qlen` is the queue of a moment: the depth is latency × rate.
//!
//! Columns are found by name. A report ends where a stamp, `avg-cpu` or a heading that it already had begins the next. With
//! `-h`, reads, writes, discards and the rest are in tables of their own, which are put together by disk; old versions
//! write a long name on a line of its own. Without `-x` there is only `tps`: requests are merged (see [`crate::report::reports`]).
//! [`super::sysstat`] explains how flushes are separated from writes. Units: kB and MB are KiB and MiB, `sec` and `Blk` 512 bytes.

use super::disk_row::{Column, DiskRow, value};
use crate::decompress::Input;
use crate::description::{Content, Description, Evidence, Measure, Reading, Verdict};
use crate::error::TraceError;
use crate::options::Options;
use crate::report::clock::{self, Stamp};
use crate::report::disk_report::Per;
use crate::report::reports::Reports;
use crate::report::text::{self, Damage, Lines, number};

const HINT: &str = "record with `iostat -x -d -y -t 1`";

pub(crate) static FORMAT: Description = Description {
    name: "iostat",
    title: "iostat text, any version, `-x -k -m -h -t -y --human`, any locale; `iostat -x` of FreeBSD and Solaris",
    detected_by: "a heading with `r/s`, `w/s` or `tps` in the first 200 lines",
    content: Content::Counters {
        record: "`iostat -x -d -y -t 1`",
        interval: "from the stamps of `-t`, else `--interval`, else 1 s",
        measures: Measure::LINUX,
        merged: &[],
        assumed: "without `-x` there is only `tps`: requests are split in proportion to the bytes; without `f/s` flushes stay among the writes",
    },
    sample: include_str!("samples/iostat.txt"),
    evidence: Evidence::Shape,
    fits: |head| Verdict::from(detect(head.bytes)),
    reading: Reading::Each(read),
};

/// The columns of a table, if the line is its heading.
fn heading(line: &str) -> Option<Vec<Column>> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let mut columns: Vec<Column> = words.iter().map(|word| Column::of(word)).collect();
    let is_rate = |word: &&str| matches!(*word, "tps" | "r/s" | "w/s" | "d/s" | "f/s");
    let is_device = |word: &str| word.starts_with("Dev") || word == "device";
    if words.len() < 3 || !words.iter().any(is_rate) {
        return None;
    }
    // The heading of the names is first or last; should it be translated, first.
    let last = words.len() - 1;
    let name = if is_device(words[last]) && !is_device(words[0]) { last } else { 0 };
    columns[name] = Column::Name;
    Some(columns)
}

/// Whether the content starts with the text of iostat: a banner and a heading, or a heading alone.
pub(super) fn detect(head: &[u8]) -> bool {
    let head = text::head(head);
    let mut lines = head.lines().take(200);
    lines.any(|line| heading(line).is_some_and(|columns| columns.len() >= 4))
}

/// The report being read.
struct Reader {
    reports: Reports,
    stamp: Option<Stamp>,
    columns: Option<Vec<Column>>,
    /// Headings this report had.
    seen: Vec<Vec<Column>>,
    disks: Vec<DiskRow>,
    /// A name on a line of its own.
    alone: Option<String>,
    runs: usize,
    incomplete: Option<String>,
    /// Line of the report's heading, and whether the report is the first of a run.
    line: u64,
    opens: bool,
    /// Whether a row of the report could not be read.
    damaged: bool,
}

impl Reader {
    /// Ends the report.
    fn end(&mut self) {
        self.columns = None;
        self.alone = None;
        let damaged = std::mem::take(&mut self.damaged);
        // With `-z` a report may name no disk; its time passed all the same.
        if std::mem::take(&mut self.seen).is_empty() {
            return;
        }
        let opens = std::mem::take(&mut self.opens);
        self.reports.begin_at(self.line, self.stamp.take(), opens);
        if damaged {
            self.reports.damaged();
        }
        for disk in std::mem::take(&mut self.disks) {
            self.reports.moved(disk.sums());
            match disk.amounts() {
                Some((amounts, merged)) => {
                    let number = self.reports.disk(&disk.name, 0);
                    self.reports.add(number, amounts);
                    merged.into_iter().for_each(|what| self.reports.merge(what));
                }
                None => drop(self.incomplete.get_or_insert(disk.name)),
            }
        }
    }

    /// Takes a line; false where it is a row that does not fit its table.
    fn line(&mut self, line: &str, number: u64) -> bool {
        let trimmed = line.trim();
        if trimmed.is_empty() {
            self.columns = None;
        } else if line.starts_with("Linux ") && line.contains('(') {
            self.end();
            self.runs += 1;
            self.opens = true;
        } else if trimmed.starts_with("avg-cpu") || trimmed.starts_with("extended device statistics") {
            self.end();
        } else if let Some(columns) = heading(line) {
            if self.seen.contains(&columns) {
                self.end();
            }
            if self.seen.is_empty() {
                self.line = number;
            }
            self.seen.push(columns.clone());
            self.columns = Some(columns);
        } else if self.columns.is_some() {
            return self.row(trimmed);
        } else if let Some(stamp) = clock::parse(trimmed) {
            self.end();
            if self.stamp.is_some() && !self.reports.is_empty() {
                // A stamp and not even a heading: the report names no disk.
                self.reports.begin_at(number, self.stamp.take(), false);
            }
            self.stamp = Some(stamp);
        }
        true
    }

    fn row(&mut self, line: &str) -> bool {
        let Some(columns) = &self.columns else { return true };
        let mut words: Vec<&str> = line.split_whitespace().collect();
        if words.len() == 1 && number(words[0]).is_none() {
            self.alone = Some(words[0].to_owned());
            return true;
        }
        let alone = self.alone.take();
        if let Some(name) = alone.as_deref().filter(|_| words.len() + 1 == columns.len()) {
            words.insert(0, name);
        }
        if words.len() != columns.len() {
            return false;
        }
        let Some(at) = columns.iter().position(|column| *column == Column::Name) else { return false };
        let name = words[at].trim_end_matches(':');
        let mut values = Vec::with_capacity(words.len());
        for (word, column) in words.iter().zip(columns).filter(|(_, column)| **column != Column::Name) {
            match value(word, *column) {
                Some(value) => values.push((*column, value)),
                None => return false,
            }
        }
        let place = self.disks.iter().position(|disk| disk.name == name).unwrap_or_else(|| {
            self.disks.push(DiskRow::of(name));
            self.disks.len() - 1
        });
        values.into_iter().for_each(|(column, value)| self.disks[place].set(column, value));
        true
    }
}

/// Reads a log whole.
pub(super) fn read(input: Input, _: &Options) -> Result<(Reports, Input), TraceError> {
    let mut lines = Lines::new(input)?;
    let mut reader = Reader {
        reports: Reports::new(FORMAT.name, Per::Second, HINT),
        stamp: None,
        columns: None,
        seen: Vec::new(),
        disks: Vec::new(),
        alone: None,
        runs: 0,
        incomplete: None,
        line: 1,
        opens: true,
        damaged: false,
    };
    let (mut damage, mut cut) = (Damage::default(), false);
    while let Some(line) = lines.next()? {
        if reader.line(&line, lines.number()) {
            continue;
        }
        let expected = "a name and a number for each column of the table above";
        let hint = "the line is damaged; record again, or delete it";
        reader.damaged = true;
        if let Some(loss) = damage.pass(&lines, &line, "report", expected, hint) {
            cut = true;
            reader.disks.clear();
            reader.seen.clear();
            reader.reports.losses.push(loss);
        }
    }
    reader.reports.losses.extend(damage.loss(&lines)?);
    if reader.disks.is_empty() && reader.columns.is_some() {
        // The log ends with a heading: its report is not there.
        reader.seen.clear();
    }
    reader.end();
    let Reader { mut reports, runs, incomplete, .. } = reader;
    if let Some(name) = incomplete.filter(|_| reports.is_empty()) {
        return Err(TraceError::Set {
            path: lines.input().name.clone(),
            expected: "reports with requests and with bytes by direction (`r/s` or `tps`, `rkB/s`, `wkB/s`)"
                .to_owned(),
            found: format!("disk `{name}` without them (was it `iostat -x -s`?)"),
            hint: HINT.to_owned(),
        });
    }
    reports.whole_seconds = true;
    reports.since_boot = !cut || reports.len() > 1;
    reports.leaves_out_idle = true;
    if runs > 1 {
        reports.notes.push(format!("the log has {runs} runs of iostat, one behind the other"));
    }
    Ok((reports, lines.into_input()))
}
