//! Windows' Performance Monitor, `typeperf` and `relog` as CSV or TSV, and esxtop's batch mode, which writes the same.
//!
//! ```text
//! "(PDH-CSV 4.0) (Pacific Daylight Time)(420)","\\HOST\PhysicalDisk(0 C:)\Disk Reads/sec",…      the heading
//! "11/21/2026 14:38:43.250","12.5",…                                                             a sample: rates and means
//! ```
//!
//! Separated by comma, semicolon or tab, with quotes or, once saved by a spreadsheet, without; decimal point or comma; date
//! in the locale's order. A counter without a value is `" "`, as all rates in the first sample. Any text encoding of
//! [`crate::report::text`]. A repeated heading begins a new part, with its own columns. What counters are called: [`super::perfmon_names`].
//! Where a log lacks a counter, another replaces it: bytes a second are reads × bytes a read; the mean queue is the length at the
//! moment of the sample, which is a sample and no mean; on ESXi it is latency × rate (Little's law). `Disk Transfers/sec` without
//! reads and writes is merged (see [`crate::report::reports`]). ESXi's latency is the guest's: queue, kernel and device.

use super::perfmon_names::{COUNTERS, Counter, Object, counter_of, object_of};
use crate::decompress::Input;
use crate::description::{Content, Description, Evidence, Measure, Reading, Verdict};
use crate::error::TraceError;
use crate::options::Options;
use crate::report::choice::RANK_TOTAL;
use crate::report::clock;
use crate::report::disk_report::{DiskReport, Per};
use crate::report::reports::Reports;
use crate::report::text::{self, Damage, Lines, number};
use crate::summary::Merged;

const MAGIC: &str = "(PDH-";
const MIB: f64 = 1024.0 * 1024.0;
const NS_PER_S: f64 = 1e9;
const NS_PER_MS: f64 = 1e6;
const HINT: &str = "record with `typeperf \"\\PhysicalDisk(*)\\*\" -si 1 -o log.csv`";

pub(crate) static PERFMON: Description = Description {
    name: "perfmon",
    title: "Windows Perfmon, typeperf, relog: CSV or TSV",
    detected_by: "`(PDH-` at the start of the first line",
    content: Content::Counters {
        record: "`typeperf \"\\PhysicalDisk(*)\\*\" -si 1 -o log.csv`",
        interval: "from the first column",
        measures: Measure::WITHOUT_FLUSHES,
        merged: &[],
        assumed: "without `Avg. Disk Queue Length` the queue is its length at each sample; `Disk Transfers/sec` alone is split in proportion to the bytes",
    },
    sample: include_str!("samples/perfmon.csv"),
    evidence: Evidence::Signature,
    fits: |head| Verdict::from(detect(head.bytes)),
    reading: Reading::Each(read),
};

pub(crate) static ESXTOP: Description = Description {
    name: "esxtop",
    title: "esxtop in batch mode",
    detected_by: "as of Perfmon, with ESXi's objects",
    content: Content::Counters {
        record: "`esxtop -b -a -d 5 -n 720 > log.csv`",
        interval: "from the first column",
        measures: &[Measure::Requests, Measure::Bytes, Measure::QueueDepth, Measure::Latency],
        merged: &[],
        assumed: "latency is the guest's; the queue depth is latency × rate",
    },
    sample: include_str!("samples/esxtop.csv"),
    evidence: Evidence::Signature,
    fits: |head| Verdict::from(detect(head.bytes)),
    reading: Reading::Each(read),
};

/// Whether the first line with text starts as such a heading does.
fn detect(head: &[u8]) -> bool {
    text::head(head).trim_start().trim_start_matches('"').starts_with(MAGIC)
}

fn is_heading(line: &str) -> bool {
    line.trim_start().trim_start_matches('"').starts_with(MAGIC)
}

/// The mark between fields, which follows the first one.
fn separator(heading: &str) -> char {
    let heading = heading.trim_start();
    let rest = match heading.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"').map_or("", |(_, rest)| rest),
        None => heading.split_once("4.0)").map_or("", |(_, rest)| rest),
    };
    rest.chars().find(|letter| matches!(letter, ',' | ';' | '\t')).unwrap_or(',')
}

/// The fields of a line, without their quotes.
fn fields(line: &str, separator: char) -> impl Iterator<Item = &str> {
    let mut rest = Some(line.trim_end_matches('\r'));
    std::iter::from_fn(move || {
        let text = rest?;
        let (field, after) = match text.strip_prefix('"') {
            Some(quoted) => {
                let (field, after) = quoted.split_once('"').unwrap_or((quoted, ""));
                (field, after.split_once(separator).map(|(_, after)| after))
            }
            None => match text.split_once(separator) {
                Some((field, after)) => (field, Some(after)),
                None => (text, None),
            },
        };
        rest = after;
        Some(field)
    })
}

/// A counter path, `\\HOST\Object(Instance)\Counter`.
struct Path<'a> {
    host: &'a str,
    object: &'a str,
    instance: &'a str,
    counter: &'a str,
}

impl<'a> Path<'a> {
    fn parse(text: &'a str) -> Option<Path<'a>> {
        let (host, rest) = match text.trim().strip_prefix("\\\\") {
            Some(rest) => rest.split_once('\\')?,
            None => ("", text.trim().strip_prefix('\\')?),
        };
        let (head, counter) = rest.rsplit_once('\\')?;
        let (object, instance) = head.split_once('(')?;
        Some(Path { host, object: object.trim(), instance: instance.strip_suffix(')')?, counter })
    }
}

/// A column that is read.
struct Column {
    field: usize,
    /// Position in [`Part::disks`].
    disk: usize,
    counter: Counter,
}

/// The columns below a heading.
struct Part {
    separator: char,
    columns: Vec<Column>,
    /// Numbers of the disks in the reports.
    disks: Vec<u32>,
    /// Whether each has counters of reads and of writes.
    directed: Vec<bool>,
    fields: usize,
}

impl Part {
    fn of(heading: &str, reports: &mut Reports) -> (Part, bool, Vec<String>) {
        let separator = separator(heading);
        let mut part =
            Part { separator, columns: Vec::new(), disks: Vec::new(), directed: Vec::new(), fields: 0 };
        let paths: Vec<Option<Path<'_>>> = fields(heading, separator).map(Path::parse).collect();
        part.fields = paths.len();
        let known = |path: &Path<'_>| object_of(path.object).map(|object| (object, counter_of(path.counter)));
        let mut hosts = paths.iter().flatten().filter(|path| known(path).is_some()).map(|path| path.host);
        let first = hosts.next();
        let many_hosts = hosts.any(|host| Some(host) != first);
        let (mut esxtop, mut foreign) = (false, Vec::new());
        for (field, path) in paths.iter().enumerate() {
            let Some(path) = path else { continue };
            let Some((object, Some(counter))) = known(path) else {
                if foreign.len() < 4 && !path.instance.is_empty() {
                    foreign.push(format!("{}({})\\{}", path.object, path.instance, path.counter));
                }
                continue;
            };
            esxtop |= object.esxtop;
            let number = reports.disk(&name(path, object, many_hosts), rank(path, object));
            let disk = part.disks.iter().position(|known| *known == number).unwrap_or_else(|| {
                part.disks.push(number);
                part.disks.len() - 1
            });
            part.columns.push(Column { field, disk, counter });
        }
        part.directed = (0..part.disks.len())
            .map(|disk| {
                let has = |counter| {
                    part.columns.iter().any(|column| column.disk == disk && column.counter == counter)
                };
                has(Counter::Reads) && has(Counter::Writes)
            })
            .collect();
        (part, esxtop, foreign)
    }
}

fn name(path: &Path<'_>, object: Object, many_hosts: bool) -> String {
    let host = if many_hosts { format!("{}\\", path.host) } else { String::new() };
    format!("{host}{}{}", object.label, path.instance)
}

/// Sums over disks come last; so do a virtual machine's, which come next to its disks.
fn rank(path: &Path<'_>, object: Object) -> u8 {
    let sum = path.instance.eq_ignore_ascii_case("_Total");
    let machine = object.label == "Virtual Disk " && !path.instance.contains(':');
    object.rank + if sum || machine { RANK_TOTAL } else { 0 }
}

/// The values of one disk in one sample.
#[derive(Clone, Copy, Default)]
struct Values([Option<f64>; COUNTERS]);

impl Values {
    fn get(&self, counter: Counter) -> Option<f64> {
        self.0[counter as usize]
    }

    /// What was done; none where a counter of the log has no value. `directed`: the log has reads and writes of this disk.
    fn amounts(&self, directed: bool) -> Option<(DiskReport, Vec<Merged>)> {
        use Counter as C;
        let mut merged = Vec::new();
        let bytes = |plain, mib, size, rate: Option<f64>| {
            let sized = || Some(self.get(size)? * rate?);
            self.get(plain).or(self.get(mib).map(|mib: f64| mib * MIB)).or_else(sized)
        };
        let (reads, writes) = (self.get(C::Reads), self.get(C::Writes));
        let seconds = |seconds, ms| {
            self.get(seconds).map(|s| s * NS_PER_S).or(self.get(ms).map(|ms: f64| ms * NS_PER_MS))
        };
        let both = seconds(C::Seconds, C::Ms);
        let (read_ns, write_ns) = (seconds(C::ReadSeconds, C::ReadMs), seconds(C::WriteSeconds, C::WriteMs));
        if both.is_some() && read_ns.is_none() && write_ns.is_none() {
            merged.push(Merged::Latency);
        }
        let mut found = DiskReport {
            read_bytes: bytes(C::ReadBytes, C::ReadMib, C::ReadSize, reads)?,
            written_bytes: bytes(C::WrittenBytes, C::WrittenMib, C::WriteSize, writes)?,
            read_latency_ns: read_ns.or(both),
            write_latency_ns: write_ns.or(both),
            queue_depth: self.get(C::Depth).or(self.get(C::DepthNow)),
            utilization: self.get(C::Idle).map(|percent| 1.0 - percent / 100.0),
            ..DiskReport::default()
        };
        match (reads, writes, self.get(C::Transfers)) {
            (Some(reads), Some(writes), _) => (found.reads, found.writes) = (reads, writes),
            (_, _, Some(requests)) if !directed => {
                merged.push(Merged::Requests);
                found = found.split(requests);
            }
            _ => return None,
        }
        Some((found, merged))
    }
}

struct Reader {
    reports: Reports,
    part: Option<Part>,
    values: Vec<Values>,
    esxtop: bool,
    /// Counters that were not known, for the message when nothing was.
    foreign: Vec<String>,
    headings: usize,
    /// Whether the next sample is the first below its heading: rates need two, so it has none.
    opens: bool,
    sampled_depth: bool,
}

impl Reader {
    /// Takes a line; false where it is no sample.
    fn line(&mut self, line: &str, line_number: u64) -> bool {
        if is_heading(line) {
            let (part, esxtop, foreign) = Part::of(line, &mut self.reports);
            let has = |counter| part.columns.iter().any(|column| column.counter == counter);
            self.sampled_depth |= has(Counter::DepthNow) && !has(Counter::Depth);
            self.values = vec![Values::default(); part.disks.len()];
            self.part = Some(part);
            self.esxtop |= esxtop;
            self.foreign.extend(foreign);
            self.headings += 1;
            self.opens = true;
            return true;
        }
        let Some(part) = &self.part else { return true };
        let mut cells = fields(line, part.separator);
        let Some(stamp) = cells.next().and_then(clock::parse) else { return false };
        self.values.fill(Values::default());
        let (mut wanted, mut count) = (part.columns.iter().peekable(), 1);
        for (field, cell) in cells.enumerate() {
            count += 1;
            while let Some(column) = wanted.next_if(|column| column.field == field + 1) {
                // PDH writes a negative value where it has none.
                let value = number(cell).filter(|value| *value >= 0.0);
                if value.is_none() && !cell.trim().is_empty() && number(cell).is_none() {
                    return false;
                }
                self.values[column.disk].0[column.counter as usize] = value;
            }
        }
        if count < part.fields {
            return false;
        }
        self.reports.begin_at(line_number, Some(stamp), std::mem::take(&mut self.opens));
        for (at, (values, disk)) in self.values.iter().zip(&part.disks).enumerate() {
            if let Some((amounts, merged)) = values.amounts(part.directed[at]) {
                self.reports.add(*disk, amounts);
                merged.into_iter().for_each(|what| self.reports.merge(what));
            }
        }
        true
    }
}

/// Reads a log whole.
fn read(input: Input, _: &Options) -> Result<(Reports, Input), TraceError> {
    let mut lines = Lines::new(input)?;
    let mut reader = Reader {
        reports: Reports::new(PERFMON.name, Per::Second, HINT),
        part: None,
        values: Vec::new(),
        esxtop: false,
        foreign: Vec::new(),
        headings: 0,
        opens: true,
        sampled_depth: false,
    };
    let (mut passed, mut damage) = (0, Damage::default());
    while let Some(line) = lines.next()? {
        if line.trim().is_empty() || reader.line(&line, lines.number()) {
            continue;
        }
        if !lines.cut() && !line.contains(['"', '\t', ';']) {
            // typeperf ends with a sentence in the language of the system.
            passed += 1;
            continue;
        }
        let expected = "a time and a number or a blank for each counter of the heading";
        let hint = "the line is damaged; delete it, or export the log again with `relog -f CSV`";
        reader.reports.losses.extend(damage.pass(&lines, &line, "sample", expected, hint));
    }
    reader.reports.losses.extend(damage.loss(&lines)?);
    let reports = finish(reader, &lines, passed)?;
    Ok((reports, lines.into_input()))
}

fn finish(reader: Reader, lines: &Lines, passed: u32) -> Result<Reports, TraceError> {
    let Reader { mut reports, esxtop, foreign, headings, sampled_depth, .. } = reader;
    if reports.is_empty() {
        let found = match foreign.as_slice() {
            [] => "no counter of a disk with values".to_owned(),
            names => format!("counters such as `{}`", names.join("`, `")),
        };
        return Err(TraceError::Set {
            path: lines.input().name.clone(),
            expected: "`PhysicalDisk` counters `Disk Reads/sec`, `Disk Writes/sec`, `Disk Read Bytes/sec` and `Disk Write Bytes/sec`, or `Reads/sec`, `Writes/sec`, `MBytes Read/sec` and `MBytes Written/sec` of esxtop".to_owned(),
            found,
            hint: format!("{HINT}; names are known in English, German, French, Spanish and Italian: of another language, put these into the first line"),
        });
    }
    if esxtop {
        reports.set_format(ESXTOP.name);
    }
    if headings > 1 {
        reports.notes.push(format!("the heading comes {headings} times; each begins a part of the log"));
    }
    if passed > 0 {
        reports.notes.push(format!("{passed} lines behind the samples are no samples and were passed over"));
    }
    if sampled_depth {
        let reason = "the queue depth is `Current Disk Queue Length`, its length at each sample and no mean over the interval";
        reports.notes.push(reason.to_owned());
    }
    Ok(reports)
}
