//! What every counter log comes down to: reports of several disks, one after the other; and the way from there to the samples
//! of one disk.
//!
//! MODEL. A report has a time stamp, a length, or neither, and a row for each disk that it names. A row holds rates a second
//! or counts of the interval. Of several disks the busiest is taken unless one is asked for; sums such as `_Total` are
//! never taken by themselves. A report without the disk takes its time and gives no sample.
//!
//! Some sources count reads and writes together. The requests are then split in proportion to the bytes, which takes both as
//! equally large, and a mean latency of both stands for each; the summary lists what was merged, so that nobody takes
//! it for a measurement.

use super::CounterLog;
use super::clock::{Intervals, NS_PER_S, Stamp, line_up};
use crate::decompress::Input;
use crate::error::TraceError;
use crate::options::Options;
use crate::summary::{
    CounterSummary, DiskSummary, FileSummary, Format, IntervalOrigin, Merged, SUMMARY_SCHEMA_VERSION,
};
use crate::trace::describe_file;
use drivecast_block::{Nanos, Sample};

/// What rows count by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Per {
    Second,
    Interval,
}

/// One disk in one report. Requests and bytes by [`Per`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Amounts {
    pub(super) reads: f64,
    pub(super) writes: f64,
    pub(super) flushes: Option<f64>,
    pub(super) read_bytes: f64,
    pub(super) written_bytes: f64,
    pub(super) queue_depth: Option<f64>,
    pub(super) read_latency_ns: Option<f64>,
    pub(super) write_latency_ns: Option<f64>,
    pub(super) utilization: Option<f64>,
}

impl Amounts {
    /// Requests split between reads and writes in proportion to the bytes; evenly where nothing moved.
    pub(super) fn split(mut self, requests: f64) -> Amounts {
        let bytes = self.read_bytes + self.written_bytes;
        let share = if bytes > 0.0 { self.read_bytes / bytes } else { 0.5 };
        self.reads = requests * share;
        self.writes = requests - self.reads;
        self
    }

    /// Takes the flushes out of the writes, where Linux counts them, and their time out of what waits. `depth` is of
    /// flushes alone, as the counters have it a second time.
    pub(super) fn without_flushes(
        mut self,
        flushes: f64,
        flush_latency_ns: Option<f64>,
        depth: f64,
    ) -> Amounts {
        let writes = self.writes - flushes;
        self.flushes = Some(flushes);
        self.queue_depth = self.queue_depth.map(|all| (all - depth).max(0.0));
        if let (Some(flush), Some(write)) = (flush_latency_ns, self.write_latency_ns) {
            self.write_latency_ns = Some(((self.writes * write - flushes * flush) / writes).max(0.0));
        }
        self.writes = writes;
        self
    }
}

struct Row {
    report: u32,
    disk: u32,
    amounts: Amounts,
}

#[derive(Clone, Copy, Default)]
struct Report {
    stamp: Option<Stamp>,
    length_ns: Option<u64>,
}

struct Disk {
    name: String,
    requests: f64,
    /// Lower comes first where nothing was asked for.
    rank: u8,
}

/// The reports of a log, in order.
pub(super) struct Reports {
    format: Format,
    per: Per,
    reports: Vec<Report>,
    rows: Vec<Row>,
    disks: Vec<Disk>,
    /// What the log has together for reads and writes.
    pub(super) merged: Vec<Merged>,
    /// What the reader should know.
    pub(super) notes: Vec<String>,
    /// Whether stamps are rounded to whole seconds.
    pub(super) whole_seconds: bool,
    /// How to record such a log, for hints.
    hint: &'static str,
}

impl Reports {
    pub(super) fn new(format: Format, per: Per, hint: &'static str) -> Reports {
        Reports {
            format,
            per,
            reports: Vec::new(),
            rows: Vec::new(),
            disks: Vec::new(),
            merged: Vec::new(),
            notes: Vec::new(),
            whole_seconds: false,
            hint,
        }
    }

    /// Starts a report.
    pub(super) fn begin(&mut self, stamp: Option<Stamp>, length_ns: Option<u64>) {
        self.reports.push(Report { stamp, length_ns });
    }

    pub(super) fn len(&self) -> usize {
        self.reports.len()
    }

    /// Whether no disk was seen.
    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The number of a disk, known or new; sums over disks have a rank above 0.
    pub(super) fn disk(&mut self, name: &str, rank: u8) -> u32 {
        let known = self.disks.iter().position(|disk| disk.name == name);
        known.unwrap_or_else(|| {
            self.disks.push(Disk { name: name.to_owned(), requests: 0.0, rank });
            self.disks.len() - 1
        }) as u32
    }

    /// Adds a row to the last report. A counter that was reset shows as a negative rate, and is taken as none.
    pub(super) fn add(&mut self, disk: u32, amounts: Amounts) {
        let flushes = amounts.flushes.unwrap_or(0.0).max(0.0);
        self.disks[disk as usize].requests += amounts.reads.max(0.0) + amounts.writes.max(0.0) + flushes;
        let report = self.reports.len().saturating_sub(1) as u32;
        self.rows.push(Row { report, disk, amounts });
    }

    /// Adds requests to the tally of a disk that has no rows here.
    pub(super) fn count(&mut self, disk: u32, requests: f64) {
        self.disks[disk as usize].requests += requests;
    }

    /// Names the format, once it is known more exactly.
    pub(super) fn set_format(&mut self, format: Format) {
        self.format = format;
    }

    /// Remembers what reads and writes have in common.
    pub(super) fn merge(&mut self, what: Merged) {
        if !self.merged.contains(&what) {
            self.merged.push(what);
        }
    }

    fn intervals(&mut self, options: &Options) -> (Intervals, IntervalOrigin) {
        let count = self.reports.len();
        if let Some(given) = options.interval {
            return (Intervals::even(count, given.0), IntervalOrigin::Given);
        }
        let assumed = (Intervals::even(count, NS_PER_S), IntervalOrigin::Assumed);
        let stamps: Option<Vec<Stamp>> = self.reports.iter().map(|report| report.stamp).collect();
        let Some(times) = stamps.and_then(|stamps| line_up(&stamps)) else { return assumed };
        let lengths: Option<Vec<u64>> = self.reports.iter().map(|report| report.length_ns).collect();
        if let (Some(lengths), Some(first)) = (lengths, times.first()) {
            let zero = first.saturating_sub_unsigned(lengths.first().copied().unwrap_or(0));
            let end_ns = times.iter().map(|time| time.saturating_sub(zero).max(0) as u64).collect();
            let even = Intervals::even(0, 0);
            return (Intervals { end_ns, length_ns: lengths, ..even }, IntervalOrigin::Measured);
        }
        match Intervals::between(&times, self.whole_seconds) {
            Some(found) => (found, IntervalOrigin::Measured),
            None => assumed,
        }
    }

    /// The samples of the disk that was asked for, or of the busiest.
    pub(super) fn finish(mut self, inputs: &[&Input], options: &Options) -> Result<CounterLog, TraceError> {
        let name = inputs.iter().map(|input| input.name.as_str()).collect::<Vec<_>>().join(" ");
        let (intervals, origin) = self.intervals(options);
        let disk = self.choose(&name, options)?;
        self.explain(&intervals, origin, disk, options);
        let factor = |length_ns: u64| match self.per {
            Per::Second => Nanos(length_ns).as_secs_f64(),
            Per::Interval => 1.0,
        };
        let first = usize::from(options.skip_first);
        let start_ns = match first {
            0 => 0,
            _ => intervals.end_ns.first().copied().unwrap_or(0),
        };
        let mut samples = Vec::new();
        for row in self.rows.iter().filter(|row| row.disk == disk && row.report as usize >= first) {
            let number = row.report as usize;
            let (end_ns, length_ns) = (intervals.end_ns[number] - start_ns, intervals.length_ns[number]);
            let name = &self.disks[disk as usize].name;
            samples.push(sample(&row.amounts, name, factor(length_ns), Nanos(end_ns), Nanos(length_ns)));
        }
        let files: Vec<FileSummary> = inputs.iter().map(|input| describe_file(input)).collect();
        Ok(self.log(samples, files, disk, origin))
    }

    fn log(
        mut self,
        samples: Vec<Sample>,
        files: Vec<FileSummary>,
        disk: u32,
        interval_origin: IntervalOrigin,
    ) -> CounterLog {
        let covered_ns = samples.iter().fold(0_u64, |sum, sample| sum.saturating_add(sample.interval.0));
        let hash = match files.as_slice() {
            [file] => file.hash.clone(),
            files => {
                let mut hasher = blake3::Hasher::new();
                for file in files {
                    hasher.update(file.hash.as_bytes());
                }
                hasher.finalize().to_string()
            }
        };
        let disk = self.disks[disk as usize].name.clone();
        self.disks.sort_by(|a, b| b.requests.total_cmp(&a.requests).then_with(|| a.name.cmp(&b.name)));
        let summary = CounterSummary {
            schema_version: SUMMARY_SCHEMA_VERSION,
            format: self.format,
            hash,
            files,
            disk,
            disks: self
                .disks
                .into_iter()
                .map(|disk| DiskSummary { disk: disk.name, requests: disk.requests })
                .collect(),
            rows: samples.len() as u64,
            interval_ns: covered_ns.checked_div(samples.len() as u64).unwrap_or(0),
            interval_origin,
            duration_ns: covered_ns,
            merged: self.merged,
            notes: self.notes,
        };
        CounterLog::new(samples, summary)
    }

    /// The disk asked for, by its name or a word of it that no other has; else the busiest.
    fn choose(&self, file: &str, options: &Options) -> Result<u32, TraceError> {
        let mut has_rows = vec![false; self.disks.len()];
        self.rows.iter().for_each(|row| has_rows[row.disk as usize] = true);
        let seen: Vec<u32> = (0..self.disks.len() as u32).filter(|disk| has_rows[*disk as usize]).collect();
        let name = |disk: &u32| self.disks[*disk as usize].name.as_str();
        let absent = |asked: String, hint: String| TraceError::Absent { file: file.to_owned(), asked, hint };
        let Some(asked) = &options.disk else {
            let busier = |a: &&u32, b: &&u32| {
                let (a, b) = (&self.disks[**a as usize], &self.disks[**b as usize]);
                let rank = b.rank.cmp(&a.rank);
                rank.then(a.requests.total_cmp(&b.requests)).then_with(|| b.name.cmp(&a.name))
            };
            let busiest = seen.iter().max_by(busier).copied();
            return busiest.ok_or_else(|| absent("report of a disk".to_owned(), self.hint.to_owned()));
        };
        if let Some(disk) = seen.iter().find(|disk| name(disk) == asked) {
            return Ok(*disk);
        }
        let has_word =
            |disk: &&u32| name(disk).split_whitespace().any(|word| word.eq_ignore_ascii_case(asked));
        let mut found = seen.iter().filter(has_word);
        match (found.next(), found.next()) {
            (Some(disk), None) => Ok(*disk),
            _ => {
                let names = seen.iter().map(name).collect::<Vec<_>>().join(", ");
                Err(absent(format!("disk `{asked}`"), format!("it has {names}")))
            }
        }
    }

    fn explain(&mut self, intervals: &Intervals, origin: IntervalOrigin, disk: u32, options: &Options) {
        let chosen = &self.disks[disk as usize];
        if self.disks.len() > 1 && options.disk.is_none() {
            let others = self.disks.iter().filter(|other| other.name != chosen.name);
            let (names, more) = listed(others.map(|other| other.name.as_str()));
            self.notes.push(format!(
                "disk `{}` was taken, the busiest; the log also has {names}{more} (`--disk` chooses)",
                chosen.name
            ));
        }
        if origin == IntervalOrigin::Assumed {
            let advice = "the log has no time stamps: an interval of 1 s is assumed (`--interval` sets it)";
            self.notes.push(advice.to_owned());
        }
        if intervals.steps_back > 0 {
            self.notes.push(format!(
                "the clock stepped back {} times; the median interval stands in there",
                intervals.steps_back
            ));
        }
        if intervals.pauses > 0 {
            self.notes.push(format!(
                "the recording pauses {} times, for up to {}; what happened then is not in it",
                intervals.pauses,
                Nanos(intervals.pause_ns)
            ));
        }
        let missing = self.reports.len()
            - self.rows.iter().filter(|row| row.disk == disk).count().min(self.reports.len());
        if missing > 0 {
            let name = &self.disks[disk as usize].name;
            self.notes
                .push(format!("{missing} of {} reports have no figures of `{name}`", self.reports.len()));
        }
        for merged in &self.merged {
            self.notes.push(merged.explanation().to_owned());
        }
    }
}

/// Up to eight names, and how many more there are.
fn listed<'a>(names: impl Iterator<Item = &'a str>) -> (String, String) {
    const SHOWN: usize = 8;
    let names: Vec<&str> = names.collect();
    let shown = names.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ");
    let more = if names.len() > SHOWN { format!(" and {} more", names.len() - SHOWN) } else { String::new() };
    (shown, more)
}

fn sample(amounts: &Amounts, disk: &str, factor: f64, time: Nanos, interval: Nanos) -> Sample {
    // A counter that was reset between two reports shows as a negative rate.
    let count = |amount: f64| if amount.is_finite() { amount.max(0.0) * factor } else { 0.0 };
    let latency = |ns: Option<f64>, requests: f64| {
        ns.filter(|ns| requests > 0.0 && ns.is_finite()).map(|ns| Nanos(ns.max(0.0).round() as u64))
    };
    let finite = |value: Option<f64>| value.filter(|value| value.is_finite());
    Sample {
        time,
        interval,
        disk: disk.to_owned(),
        reads: count(amounts.reads),
        writes: count(amounts.writes),
        flushes: amounts.flushes.map(count),
        read_bytes: count(amounts.read_bytes),
        written_bytes: count(amounts.written_bytes),
        queue_depth: finite(amounts.queue_depth).map(|depth| depth.max(0.0)),
        read_latency: latency(amounts.read_latency_ns, amounts.reads),
        write_latency: latency(amounts.write_latency_ns, amounts.writes),
        utilization: finite(amounts.utilization).map(|share| share.clamp(0.0, 1.0)),
    }
}
