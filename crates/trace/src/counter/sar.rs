//! sysstat: the text of `sar -d`, any version, any of `-p -h --human -t`, in any locale; also inside `sar -A`.
//!
//! ```text
//! Linux 5.14.0 (host)  11/18/2026  _x86_64_  (32 CPU)    the banner: a day begins
//! 12:00:01 AM   DEV     tps   rkB/s   wkB/s … await      names of columns; `DEV` first, or last with -p
//! 12:01:01 AM   sda   11.44   26.79  126.36 …  0.72      a row: when its interval ended, in the clock of the locale
//! 02:23:40 PM   LINUX RESTART  (32 CPU)                  counters started anew
//! Average:      sda   11.20   30.10  120.00 …  0.70      passed over, as are tables of anything but disks
//! ```
//!
//! Columns are found by name; versions before 11.7 have `rd_sec/s` and `wr_sec/s`, in 512 bytes. Times have no date: it is that
//! of the banner, and a day more wherever the time steps back. An interval is the time since the row or heading before, so
//! that the first one after a restart begins with it. Requests and latency are merged (see [`crate::report::reports`]); `tps`
//! counts discards and flushes too.

use super::disk_row::{Column, DiskRow, value};
use crate::decompress::Input;
use crate::description::{Content, Description, Evidence, Measure, Reading, Verdict};
use crate::error::TraceError;
use crate::options::Options;
use crate::report::clock::{self, DAY_NS, Date, Stamp, is_midnight};
use crate::report::disk_report::Per;
use crate::report::reports::Reports;
use crate::report::text::{self, Damage, Lines};
use crate::summary::Merged;

const HINT: &str = "print the disks of a recorded day: `sar -d -f sa21 > sa21.txt`";
const RESTART: &str = "RESTART";
const COMMENT: &str = "COM";

pub(crate) static FORMAT: Description = Description {
    name: "sar",
    title: "sar text (`sar -d`), any version, `-p -h --human`, any locale",
    detected_by: "a heading that begins with a time and has `DEV` and `tps`, in the first 200 lines",
    content: Content::Counters {
        record: "`sar -d -f /var/log/sa/sa21`",
        interval: "from the time of each row",
        measures: Measure::WITHOUT_FLUSHES,
        merged: &[Merged::Requests, Merged::Latency],
        assumed: "sar counts discards and flushes among its requests",
    },
    sample: include_str!("samples/sar.txt"),
    evidence: Evidence::Signature,
    fits: |head| Verdict::from(detect(head.bytes)),
    reading: Reading::Each(read),
};

/// The columns of a table of disks behind its time, if the line is its heading.
fn heading(line: &str) -> Option<(Vec<Column>, Option<Stamp>)> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let device = words.iter().position(|word| *word == "DEV")?;
    let from = device.min(words.iter().position(|word| *word == "tps")?);
    let mut columns: Vec<Column> = words[from..].iter().map(|word| Column::of(word)).collect();
    columns[device - from] = Column::Name;
    (columns.len() >= 4).then(|| (columns, clock::parse(&words[..from].join(" "))))
}

/// Whether sar wrote it: a heading of disks, or a banner and a heading of something else behind a time.
fn detect(head: &[u8]) -> bool {
    let head = text::head(head);
    let mut lines = head.lines().take(200);
    let has_banner = head.starts_with("Linux ");
    lines.any(|line| heading(line).is_some_and(|(_, time)| time.is_some()) || (has_banner && is_table(line)))
}

/// Whether a line begins with a time and is no stamp alone.
fn is_table(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let has_time = words.next().is_some_and(|word| word.len() == 8 && clock::parse(word).is_some());
    has_time && words.filter(|word| !matches!(*word, "AM" | "PM")).count() >= 2
}

/// The clock of a day, which ran on beyond midnight where the time steps back to the morning.
#[derive(Default)]
struct Day {
    date: Option<Date>,
    midnights: i64,
    before_ns: Option<i64>,
}

impl Day {
    /// The time on the clock of the day that the banner names.
    fn time(&mut self, stamp: Stamp) -> Stamp {
        let (ns, summer) = match stamp {
            Stamp::Local { ns_of_day, summer, .. } => (ns_of_day, summer),
            Stamp::Instant(ns) => (ns, None),
        };
        if self.before_ns.replace(ns).is_some_and(|before| is_midnight(before, ns)) {
            self.midnights += 1;
        }
        Stamp::Local { date: self.date, ns_of_day: self.midnights * DAY_NS + ns, summer }
    }
}

/// The report being read.
struct Reader {
    reports: Reports,
    day: Day,
    columns: Option<Vec<Column>>,
    /// When the next report begins, where a heading or a restart says so, and when the last one ended.
    from: Option<Stamp>,
    time: Option<Stamp>,
    /// Numbers of the disks of the report.
    disks: Vec<u32>,
    restarts: u64,
    /// A disk whose rows have no requests or no bytes.
    incomplete: Option<String>,
}

impl Reader {
    fn new() -> Reader {
        Reader {
            reports: Reports::new(FORMAT.name, Per::Second, HINT),
            day: Day::default(),
            columns: None,
            from: None,
            time: None,
            disks: Vec::new(),
            restarts: 0,
            incomplete: None,
        }
    }

    /// Takes a line; false where it is a row that does not fit its table.
    fn line(&mut self, line: &str, number: u64) -> bool {
        if line.trim().is_empty() {
            self.columns = None;
        } else if line.starts_with("Linux ") && line.contains('(') {
            let behind_host = line.split_once(')').map_or("", |(_, rest)| rest);
            self.day = Day { date: clock::day(behind_host), ..Day::default() };
            (self.columns, self.from, self.time) = (None, None, None);
        } else if let Some((columns, time)) = heading(line) {
            self.columns = Some(columns);
            self.mark(time);
        } else if line.contains(RESTART) {
            self.columns = None;
            self.restarts += 1;
            self.mark(clock::parse(line));
        } else if let Some(columns) = self.columns.take() {
            let taken = self.row(line, number, &columns);
            self.columns = Some(columns);
            return taken;
        }
        true
    }

    /// The interval of the next report begins here.
    fn mark(&mut self, time: Option<Stamp>) {
        let Some(time) = time else { return };
        self.from = Some(self.day.time(time));
        self.time = None;
    }

    fn row(&mut self, line: &str, number: u64, columns: &[Column]) -> bool {
        let words: Vec<&str> = line.split_whitespace().collect();
        let before = words.len().saturating_sub(columns.len());
        let Some(stamp) = clock::parse(&words[..before].join(" ")) else {
            // An average has no time; what has one, and not these columns, is a comment or damage.
            return clock::parse(line).is_none() || words.contains(&COMMENT);
        };
        let mut disk = DiskRow::default();
        for (word, column) in words[before..].iter().zip(columns) {
            match (column, value(word, *column)) {
                (Column::Name, _) => disk.name = (*word).to_owned(),
                (_, Some(value)) => disk.set(*column, value),
                (_, None) => return false,
            }
        }
        let Some((amounts, merged)) = disk.amounts() else {
            self.incomplete.get_or_insert(disk.name);
            return true;
        };
        let disk = self.reports.disk(&disk.name, 0);
        let time = self.day.time(stamp);
        if self.time != Some(time) || self.disks.contains(&disk) {
            self.begin(time, number);
        }
        self.disks.push(disk);
        self.reports.add(disk, amounts);
        merged.into_iter().for_each(|what| self.reports.merge(what));
        true
    }

    fn begin(&mut self, time: Stamp, number: u64) {
        self.reports.begin_at(number, Some(time), false);
        self.reports.begins_at(self.from.take());
        self.time = Some(time);
        self.disks.clear();
    }
}

/// What restarts leave out.
pub(super) fn restarted(count: u64) -> String {
    let often = if count == 1 { "once".to_owned() } else { format!("{count} times") };
    format!(
        "the machine was restarted {often}; what happened between the last sample and a restart is not in the log"
    )
}

/// Reads a log whole.
fn read(input: Input, _: &Options) -> Result<(Reports, Input), TraceError> {
    let mut lines = Lines::new(input)?;
    let (mut reader, mut damage) = (Reader::new(), Damage::default());
    while let Some(line) = lines.next()? {
        if reader.line(&line, lines.number()) {
            continue;
        }
        let expected = "a time, a name and a number for each column of the table above";
        let hint = "the line is damaged; delete it, or print it again";
        reader.reports.losses.extend(damage.pass(&lines, &line, "row", expected, hint));
    }
    reader.reports.losses.extend(damage.loss(&lines)?);
    let Reader { mut reports, restarts, incomplete, .. } = reader;
    if let Some(name) = incomplete.filter(|_| reports.is_empty()) {
        return Err(TraceError::Set {
            path: lines.input().name.clone(),
            expected: "rows with requests and with bytes by direction (`tps`, `rkB/s`, `wkB/s`)".to_owned(),
            found: format!("disk `{name}` without them"),
            hint: HINT.to_owned(),
        });
    }
    reports.chained = true;
    reports.whole_seconds = true;
    reports.leaves_out_idle = true;
    if restarts > 0 {
        reports.notes.push(restarted(restarts));
    }
    Ok((reports, lines.into_input()))
}
