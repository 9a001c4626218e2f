//! Tables of rates below a heading: one reader, and a [`Layout`] for each tool that prints one.
//!
//! MODEL. A heading gives each column a meaning ([`Cell`]), and a row has a cell for each column. A row names its disk, or has
//! columns for each of several disks. A report is all rows of one time; without times it ends where a stamp is alone in a line, where
//! the heading is repeated, or a disk is. What a tool does not know it writes as `-` or `n/a`, which is no figure and not zero.

use super::disk_row::{Column, DiskRow};
use crate::decompress::Input;
use crate::error::TraceError;
use crate::report::clock::{self, Stamp};
use crate::report::disk_report::Per;
use crate::report::reports::Reports;
use crate::report::text::{self, Damage, Lines, number};

/// What a column of a table holds.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cell {
    Pass,
    /// A time, or a part of one.
    Time,
    /// The name of the row's disk.
    Name,
    /// A figure of a disk; of the row's where the name is empty.
    Of(String, Column),
}

/// Columns, and whether the line that they are of is a row itself.
pub(super) type Columns = (Vec<Cell>, bool);

/// The table of a tool.
pub(super) struct Layout {
    pub(super) format: &'static str,
    /// How to record it, for hints.
    pub(super) hint: &'static str,
    /// The columns of a heading, of which the line above may be a part; or of a row where the table has no heading.
    pub(super) heading: fn(above: &str, line: &str) -> Option<Columns>,
    /// A figure in units of its column, as the tool writes it.
    pub(super) value: fn(&str, Column) -> Option<f64>,
    /// Lines that are no rows.
    pub(super) passes: fn(&str) -> bool,
    /// Lower is taken first where none is chosen: a sum after its parts, or a pool before its members.
    pub(super) rank: fn(name: &str, line: &str) -> u8,
    /// Whether the first report is of all the time since the machine started.
    pub(super) since_boot: bool,
}

/// The cells of a line: at commas, with or without quotes, where it has any; else at blanks.
pub(super) fn cells(line: &str) -> Vec<&str> {
    match line.contains(',') {
        true => line.split(',').map(|cell| cell.trim().trim_matches('"')).collect(),
        false => line.split_whitespace().collect(),
    }
}

/// A number as it is.
pub(super) fn plain(word: &str, column: Column) -> Option<f64> {
    number(word).map(|value| value * column.unit())
}

/// Whether a heading of the layout is near the top.
pub(super) fn detect(layout: &Layout, head: &[u8]) -> bool {
    let head = text::head(head);
    let lines: Vec<&str> = head.lines().take(200).collect();
    let above = std::iter::once("").chain(lines.iter().copied());
    above.zip(&lines).any(|(above, line)| (layout.heading)(above, line).is_some())
}

struct Reader<'a> {
    layout: &'a Layout,
    reports: Reports,
    columns: Vec<Cell>,
    above: String,
    stamp: Option<Stamp>,
    line: u64,
    disks: Vec<(DiskRow, u8)>,
    incomplete: Option<String>,
    headings: u32,
}

impl Reader<'_> {
    /// Ends the report.
    fn end(&mut self) {
        let disks = std::mem::take(&mut self.disks);
        if disks.is_empty() {
            return;
        }
        let opens = self.layout.since_boot && self.reports.is_empty();
        self.reports.begin_at(self.line, self.stamp, opens);
        for (disk, rank) in disks {
            let Some((amounts, merged)) = disk.amounts() else {
                self.incomplete.get_or_insert(disk.name);
                continue;
            };
            let number = self.reports.disk(&disk.name, rank);
            self.reports.add(number, amounts);
            merged.into_iter().for_each(|what| self.reports.merge(what));
        }
    }

    /// Takes a line; false where it is a row that does not fit its table.
    fn line(&mut self, line: &str, number: u64) -> bool {
        let above = std::mem::replace(&mut self.above, line.to_owned());
        // A table without a heading has the columns of its first row.
        if let Some((columns, is_row)) = (self.layout.heading)(&above, line)
            && (!is_row || self.columns.is_empty())
        {
            self.headings += u32::from(!is_row && columns != self.columns);
            if !is_row {
                self.end();
            }
            self.columns = columns;
            return !is_row || self.row(line, number);
        }
        let alone = !line.contains(',') && !self.columns.contains(&Cell::Time);
        if let Some(stamp) = clock::parse(line).filter(|_| alone && cells(line).len() != self.columns.len()) {
            self.end();
            self.stamp = Some(stamp);
            return true;
        }
        self.columns.is_empty() || (self.layout.passes)(line) || self.row(line, number)
    }

    fn row(&mut self, line: &str, line_number: u64) -> bool {
        let words = cells(line);
        if words.len() != self.columns.len() {
            return false;
        }
        let (mut found, mut own, mut time): (Vec<DiskRow>, _, _) = (Vec::new(), "", String::new());
        for (word, cell) in words.iter().zip(&self.columns) {
            match cell {
                Cell::Pass => {}
                Cell::Name => own = word,
                Cell::Time => time = format!("{time} {word}"),
                Cell::Of(..) if matches!(*word, "-" | "n/a" | "") => {}
                Cell::Of(name, column) => {
                    let Some(value) = (self.layout.value)(word, *column) else { return false };
                    let at = found.iter().position(|disk| disk.name == *name).unwrap_or_else(|| {
                        found.push(DiskRow::of(name));
                        found.len() - 1
                    });
                    found[at].set(*column, value);
                }
            }
        }
        if self.columns.contains(&Cell::Time) {
            let Some(stamp) = clock::parse(&time) else { return false };
            if self.stamp != Some(stamp) {
                self.end();
                self.stamp = Some(stamp);
            }
        }
        found.iter_mut().filter(|disk| disk.name.is_empty()).for_each(|disk| disk.name = own.to_owned());
        if found.iter().any(|disk| self.disks.iter().any(|(known, _)| known.name == disk.name)) {
            self.end();
        }
        if self.disks.is_empty() {
            self.line = line_number;
        }
        self.disks.extend(found.into_iter().map(|disk| {
            let rank = (self.layout.rank)(&disk.name, line);
            (disk, rank)
        }));
        true
    }
}

/// Reads a log whole.
pub(super) fn read(layout: &Layout, input: Input) -> Result<(Reports, Input), TraceError> {
    let mut lines = Lines::new(input)?;
    let mut reader = Reader {
        layout,
        reports: Reports::new(layout.format, Per::Second, layout.hint),
        columns: Vec::new(),
        above: String::new(),
        stamp: None,
        line: 1,
        disks: Vec::new(),
        incomplete: None,
        headings: 0,
    };
    let mut damage = Damage::default();
    while let Some(line) = lines.next()? {
        if line.trim().is_empty() || reader.line(&line, lines.number()) {
            continue;
        }
        let expected = "a number or `-` for each column of the heading above";
        let hint = "the line is damaged; delete it, or record again";
        reader.reports.losses.extend(damage.pass(&lines, &line, "row", expected, hint));
    }
    reader.reports.losses.extend(damage.loss(&lines)?);
    reader.end();
    let Reader { mut reports, incomplete, headings, .. } = reader;
    if let Some(name) = incomplete.filter(|_| reports.is_empty()) {
        return Err(TraceError::Set {
            path: lines.input().name.clone(),
            expected: "rows with requests and with bytes, of reads and of writes".to_owned(),
            found: format!("disk `{name}` without them"),
            hint: layout.hint.to_owned(),
        });
    }
    if headings > 1 {
        reports
            .notes
            .push(format!("the heading changes {} times; each begins a part of the log", headings - 1));
    }
    reports.whole_seconds = true;
    reports.since_boot = layout.since_boot;
    Ok((reports, lines.into_input()))
}
