//! What every counter log comes down to: reports of several disks, one after the other; and the way from there to the samples
//! of one disk.
//!
//! MODEL. A report has a time stamp, a length, or neither, and a row for each disk that it names. A row holds rates a second
//! or counts of the interval. Which disk is taken: [`super::choice`]; what a report without it says: [`super::absent`]; the average
//! since boot: [`super::boot`]; the queue depth: [`super::little`].
//!
//! Some sources count reads and writes together. The requests are then split in proportion to the bytes, which takes both as
//! equally large, and a mean latency of both is used for each; the summary lists what was merged, so that no reader takes
//! it for a measurement.

use super::clock::{NS_PER_S, Stamp, explain_set, line_up, show, undo_summer_time};
use super::disk_report::{DiskReport, Per};
use super::little;
use super::log::CounterLog;
use super::repeat::{Likeness, repeated};
use super::sequence::{self, Intervals, Places, Report};
use crate::decompress::Input;
use crate::error::TraceError;
use crate::options::Options;
use crate::summary::{
    CounterSummary, DiskSummary, FileSummary, IntervalOrigin, Merged, SUMMARY_SCHEMA_VERSION,
};
use drivecast_block::{Nanos, Sample};

/// The rank of a sum of disks, which is never chosen alone.
pub(super) const RANK_SUM: u8 = u8::MAX;

pub(super) struct Row {
    pub(super) report: u32,
    pub(super) disk: u32,
    pub(super) amounts: DiskReport,
}

pub(super) struct Disk {
    pub(super) name: String,
    pub(super) requests: f64,
    pub(super) bytes: f64,
    /// Lower comes first of disks that moved the same.
    pub(super) rank: u8,
}

/// The reports of a log, in order.
pub(crate) struct Reports {
    format: &'static str,
    per: Per,
    pub(super) reports: Vec<Report>,
    pub(super) rows: Vec<Row>,
    pub(super) disks: Vec<Disk>,
    /// What the log has together for reads and writes.
    pub(crate) merged: Vec<Merged>,
    /// What the reader should know.
    pub(crate) notes: Vec<String>,
    /// What is missing or was left out.
    pub(crate) losses: Vec<String>,
    /// Whether stamps are rounded to whole seconds.
    pub(crate) whole_seconds: bool,
    /// Whether each report begins when the one before ended, or where it says that it began.
    pub(crate) chained: bool,
    /// Whether the first report may be the average since boot.
    pub(crate) since_boot: bool,
    /// Whether the tool leaves out idle disks when asked.
    pub(crate) leaves_out_idle: bool,
    /// How to record such a log, for hints.
    pub(super) hint: &'static str,
}

impl Reports {
    pub(crate) fn new(format: &'static str, per: Per, hint: &'static str) -> Reports {
        Reports {
            format,
            per,
            reports: Vec::new(),
            rows: Vec::new(),
            disks: Vec::new(),
            merged: Vec::new(),
            notes: Vec::new(),
            losses: Vec::new(),
            whole_seconds: false,
            chained: false,
            since_boot: false,
            leaves_out_idle: false,
            hint,
        }
    }

    /// Starts a report.
    pub(crate) fn begin(&mut self, stamp: Option<Stamp>, length_ns: Option<u64>) {
        self.reports.push(Report { stamp, length_ns, ..Report::default() });
    }

    /// Starts a report that begins in a line.
    pub(crate) fn begin_at(&mut self, line: u64, stamp: Option<Stamp>, opens: bool) {
        self.reports.push(Report { stamp, line: Some(line), opens, ..Report::default() });
    }

    /// The last report began then.
    pub(crate) fn begins_at(&mut self, from: Option<Stamp>) {
        if let Some(last) = self.reports.last_mut() {
            last.from = from;
        }
    }

    /// The last report is of so long.
    pub(crate) fn lasts(&mut self, length_ns: Option<u64>) {
        if let Some(last) = self.reports.last_mut() {
            last.length_ns = length_ns;
        }
    }

    /// Reports of unknown length get the median of the others; none has one where no length is known.
    fn fill_lengths(&mut self) {
        let mut known: Vec<u64> = self.reports.iter().filter_map(|report| report.length_ns).collect();
        known.sort_unstable();
        let median = known.get(known.len() / 2).copied();
        self.reports.iter_mut().for_each(|report| report.length_ns = report.length_ns.or(median));
    }

    pub(crate) fn len(&self) -> usize {
        self.reports.len()
    }

    /// Whether no disk was seen.
    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The first report is the first of a run.
    pub(crate) fn opens(&mut self) {
        if let Some(first) = self.reports.first_mut() {
            first.opens = true;
        }
    }

    /// A disk moved so many bytes in the last report, at such a rate.
    pub(crate) fn moved(&mut self, bytes: Option<[f64; 2]>) {
        if let (Some(last), Some([sum, rate])) = (self.reports.last_mut(), bytes) {
            let [all, rates] = last.moved.unwrap_or_default();
            last.moved = Some([all + sum, rates + rate]);
        }
    }

    /// A row of the last report could not be read.
    pub(crate) fn damaged(&mut self) {
        if let Some(last) = self.reports.last_mut() {
            last.damaged = true;
        }
    }

    /// The number of a disk, known or new; sums over disks have a rank above 0.
    pub(crate) fn disk(&mut self, name: &str, rank: u8) -> u32 {
        let known = self.disks.iter().position(|disk| disk.name == name);
        known.unwrap_or_else(|| {
            self.disks.push(Disk { name: name.to_owned(), requests: 0.0, bytes: 0.0, rank });
            self.disks.len() - 1
        }) as u32
    }

    /// Adds a row to the last report. A counter that was reset shows as a negative rate, and is taken as none.
    pub(crate) fn add(&mut self, disk: u32, amounts: DiskReport) {
        let report = self.reports.len().saturating_sub(1) as u32;
        self.rows.push(Row { report, disk, amounts });
    }

    /// Names the format, once it is known more exactly.
    pub(crate) fn set_format(&mut self, format: &'static str) {
        self.format = format;
    }

    /// Remembers what reads and writes have in common.
    pub(crate) fn merge(&mut self, what: Merged) {
        if !self.merged.contains(&what) {
            self.merged.push(what);
        }
    }

    /// The times of all reports on one line, where they have any. A report of which the log has the start gets its length, as do those
    /// that follow it where each begins when the one before ends.
    fn times(&mut self, files: &[&str]) -> Option<Vec<i64>> {
        let stamps: Option<Vec<Vec<Stamp>>> = self
            .reports
            .iter()
            .map(|report| Some(report.from.into_iter().chain([report.stamp?]).collect()))
            .collect();
        let stamps: Vec<Stamp> = stamps?.into_iter().flatten().collect();
        let mut line = line_up(&stamps)?;
        // An hour in which nothing is recorded, and one that the clock skips, have the same length here.
        let set = undo_summer_time(&stamps, &mut line, |_, _| true);
        let mut places = Vec::with_capacity(line.len());
        let (mut times, mut before) = (Vec::with_capacity(self.reports.len()), None);
        let mut line = line.into_iter();
        for (number, report) in self.reports.iter_mut().enumerate() {
            let own = report.from.and_then(|_| line.next());
            places.extend(own.map(|_| number));
            let end = line.next()?;
            places.push(number);
            let from = own.or(before.filter(|_| self.chained));
            if let Some(length) = from.map(|from| end.saturating_sub(from)).filter(|length| *length > 0) {
                report.length_ns = Some(length as u64);
            }
            before = Some(end);
            times.push(end);
        }
        let at = Places { reports: &self.reports, times: Some(&times), files };
        self.notes.extend(explain_set(&set, |number| at.at(places[number])));
        if self.chained {
            self.fill_lengths();
        }
        Some(times)
    }

    fn intervals(&self, options: &Options, times: Option<&[i64]>) -> (Intervals, IntervalOrigin) {
        let count = self.reports.len();
        if let Some(given) = options.interval {
            return (Intervals::even(count, given.0), IntervalOrigin::Given);
        }
        let lengths: Option<Vec<u64>> = self.reports.iter().map(|report| report.length_ns).collect();
        let found = times.and_then(|times| match lengths {
            Some(lengths) => Some(Intervals::reported(times, lengths)),
            None => Intervals::between(times, self.whole_seconds),
        });
        let moved = self.reports.iter().filter(|report| !report.opens).filter_map(|report| report.moved);
        let [sum, rate] = moved.fold([0.0, 0.0], |[a, b], [sum, rate]| [a + sum, b + rate]);
        match found {
            Some(found) => (found, IntervalOrigin::Measured),
            None if rate > 0.0 && (0.1..1e6).contains(&(sum / rate)) => {
                let length_ns = (sum / rate * 10.0).round() / 10.0 * NS_PER_S as f64;
                (Intervals::even(count, length_ns as u64), IntervalOrigin::Measured)
            }
            None => (Intervals::even(count, NS_PER_S), IntervalOrigin::Assumed),
        }
    }

    /// The samples of the requested disk, or of the busiest.
    pub(crate) fn finish(mut self, inputs: &[&Input], options: &Options) -> Result<CounterLog, TraceError> {
        let name = inputs.iter().map(|input| input.name.as_str()).collect::<Vec<_>>().join(" ");
        let names: Vec<&str> = inputs.iter().map(|input| input.base_name.as_str()).collect();
        self.losses.extend(inputs.iter().filter_map(|input| input.loss()));
        self.refuse_since_boot(&name, options)?;
        let mut times = self.times(&names);
        self.leave_out_repeats(&mut times, &names);
        let (intervals, origin) = self.intervals(options, times.as_deref());
        self.leave_out_first(&intervals, options);
        let per_s = self.per;
        let seconds = |report: usize| intervals.length_ns[report] as f64 / 1e9;
        self.add_up(|report| if per_s == Per::Second { seconds(report) } else { 1.0 });
        let chosen = self.choose(&name, options)?;
        let reports = self.reports.clone();
        let places = Places { reports: &reports, times: times.as_deref(), files: &names };
        let mut losses = sequence::losses(&intervals, &places);
        for disk in &chosen {
            losses.extend(self.complete(*disk, &places));
        }
        let disk = self.together(&chosen)?;
        self.losses.extend(losses);
        self.check_depth(disk, &intervals);
        self.explain(origin);
        if options.strict && !self.losses.is_empty() {
            return Err(TraceError::Incomplete { losses: self.losses.join("; ") });
        }
        let samples = self.samples(&intervals, disk);
        let start = times.as_deref().and_then(|times| self.start(times, &intervals));
        let files: Vec<FileSummary> = inputs.iter().map(|input| input.describe()).collect();
        Ok(self.log(samples, files, disk, (origin, start)))
    }

    /// Holds the depth of a disk against Little's law.
    fn check_depth(&mut self, disk: u32, intervals: &Intervals) {
        let per = self.per;
        let mut rows: Vec<_> = self
            .rows
            .iter_mut()
            .filter(|row| row.disk == disk)
            .map(|row| {
                let seconds = intervals.length_ns[row.report as usize] as f64 / 1e9;
                let per_s = if per == Per::Second || seconds == 0.0 { 1.0 } else { 1.0 / seconds };
                (&mut row.amounts, per_s, seconds)
            })
            .collect();
        let note = little::check(&mut rows);
        self.notes.extend(note);
    }

    /// One report alone is the average since boot, unless somebody says how long it is.
    fn refuse_since_boot(&self, name: &str, options: &Options) -> Result<(), TraceError> {
        let is_known = options.interval.is_some() && !options.skip_first;
        if !self.since_boot || self.reports.len() != 1 || is_known {
            return Ok(());
        }
        Err(TraceError::Set {
            path: name.to_owned(),
            expected: "reports of intervals".to_owned(),
            found: "one report, which without `-y` is the average since boot".to_owned(),
            hint: "record a series: `iostat -x -d -y -t 1 600`; if it was recorded with `-y`, say how long it is: `--interval 60`"
                .to_owned(),
        })
    }

    /// The first report that counts. That of a log may have no figures at all: its time is when the next one began.
    fn first(&self) -> usize {
        let Some(first) = self.reports.first() else { return 0 };
        let is_bare = !self.leaves_out_idle && self.rows.first().is_some_and(|row| row.report == 1);
        usize::from(first.left_out || is_bare)
    }

    /// When the log began, on the clock of its place.
    fn start(&self, times: &[i64], intervals: &Intervals) -> Option<String> {
        let (first, at) = (self.first(), |number: usize| times.get(number).copied());
        let start = match first {
            0 => at(0)?.checked_sub_unsigned(*intervals.length_ns.first()?)?,
            _ => at(first - 1)?,
        };
        Some(show(start))
    }

    fn samples(&self, intervals: &Intervals, disk: u32) -> Vec<Sample> {
        let factor = |length_ns: u64| match self.per {
            Per::Second => Nanos(length_ns).as_secs_f64(),
            Per::Interval => 1.0,
        };
        let first = self.first();
        let start_ns = match first {
            0 => 0,
            _ => intervals.end_ns.first().copied().unwrap_or(0),
        };
        let name = &self.disks[disk as usize].name;
        let mut samples = Vec::new();
        for row in self.rows.iter().filter(|row| row.disk == disk && row.report as usize >= first) {
            let number = row.report as usize;
            let (end_ns, length_ns) = (intervals.end_ns[number] - start_ns, intervals.length_ns[number]);
            samples.push(sample(&row.amounts, name, factor(length_ns), Nanos(end_ns), Nanos(length_ns)));
        }
        samples
    }

    /// Leaves out what the log has twice.
    fn leave_out_repeats(&mut self, times: &mut Option<Vec<i64>>, files: &[&str]) {
        let Some(all) = times.take() else { return };
        let mut from = vec![0; self.reports.len() + 1];
        self.rows.iter().for_each(|row| from[row.report as usize + 1] += 1);
        (1..from.len()).for_each(|number| from[number] += from[number - 1]);
        let rows = |report: usize| self.rows[from[report]..from[report + 1]].iter();
        let repeats = repeated(&all, |a, b| {
            let same =
                rows(a).map(|row| (row.disk, &row.amounts)).eq(rows(b).map(|row| (row.disk, &row.amounts)));
            let moved = rows(b).any(|row| row.amounts.reads + row.amounts.writes > 0.0);
            match (same, moved) {
                (false, _) => Likeness::Other,
                (true, false) => Likeness::Idle,
                (true, true) => Likeness::Same,
            }
        });
        let places = Places { reports: &self.reports, times: Some(&all), files };
        if let Some(first) = repeats.iter().position(|repeats| *repeats) {
            let count = repeats.iter().filter(|repeats| **repeats).count();
            self.losses.push(format!(
                "{count} reports repeat earlier ones, with the same times and figures, the first at {}; they were left out",
                places.at(first)
            ));
        }
        let mut stays = repeats.iter().map(|repeats| !repeats);
        let mut number = 0;
        let numbers: Vec<u32> = repeats
            .iter()
            .map(|repeats| {
                number += u32::from(!repeats);
                number.saturating_sub(1)
            })
            .collect();
        self.rows.retain_mut(|row| {
            let keeps = !repeats[row.report as usize];
            row.report = numbers[row.report as usize];
            keeps
        });
        self.reports.retain(|_| stays.next().unwrap_or(true));
        *times =
            Some(all.iter().zip(&repeats).filter(|(_, repeats)| !**repeats).map(|(time, _)| *time).collect());
    }

    /// Puts the reports of another log of the same format behind these.
    pub(super) fn append(&mut self, other: Reports) {
        let file = self.reports.last().map_or(0, |last| last.file + 1);
        let disks: Vec<u32> = other.disks.iter().map(|disk| self.disk(&disk.name, disk.rank)).collect();
        let before = self.reports.len() as u32;
        self.reports.extend(other.reports.into_iter().map(|report| Report { file, ..report }));
        self.rows.extend(other.rows.into_iter().map(|row| Row {
            report: before + row.report,
            disk: disks[row.disk as usize],
            ..row
        }));
        other.merged.into_iter().for_each(|what| self.merge(what));
        self.notes.extend(other.notes);
        self.losses.extend(other.losses);
        self.whole_seconds |= other.whole_seconds;
        self.since_boot |= other.since_boot;
        self.leaves_out_idle |= other.leaves_out_idle;
        self.chained |= other.chained;
    }

    fn log(
        mut self,
        samples: Vec<Sample>,
        files: Vec<FileSummary>,
        disk: u32,
        (interval_origin, start): (IntervalOrigin, Option<String>),
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
        self.disks.sort_by(|a, b| b.bytes.total_cmp(&a.bytes).then_with(|| a.name.cmp(&b.name)));
        let summary = CounterSummary {
            schema_version: SUMMARY_SCHEMA_VERSION,
            format: self.format.to_owned(),
            hash,
            files,
            disk,
            disks: self
                .disks
                .into_iter()
                .filter(|disk| !disk.is_made())
                .map(|disk| DiskSummary { disk: disk.name, requests: disk.requests, bytes: disk.bytes })
                .collect(),
            rows: samples.len() as u64,
            interval_ns: covered_ns.checked_div(samples.len() as u64).unwrap_or(0),
            interval_origin,
            start,
            duration_ns: covered_ns,
            merged: self.merged,
            notes: unique([self.notes, self.losses].concat()),
        };
        CounterLog::new(samples, summary)
    }

    fn explain(&mut self, origin: IntervalOrigin) {
        if origin == IntervalOrigin::Assumed {
            let advice = "the log has no time stamps: an interval of 1 s is assumed (`--interval` sets it)";
            self.notes.push(advice.to_owned());
        }
        for merged in &self.merged {
            self.notes.push(merged.explanation().to_owned());
        }
    }
}

/// Each note once: several files may say the same.
fn unique(notes: Vec<String>) -> Vec<String> {
    let mut found: Vec<String> = Vec::with_capacity(notes.len());
    for note in notes {
        if !found.contains(&note) {
            found.push(note);
        }
    }
    found
}

fn sample(amounts: &DiskReport, disk: &str, factor: f64, time: Nanos, interval: Nanos) -> Sample {
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
        reads_merged: amounts.reads_merged.map(count),
        writes_merged: amounts.writes_merged.map(count),
        queue_depth: finite(amounts.queue_depth).map(|depth| depth.max(0.0)),
        read_latency: latency(amounts.read_latency_ns, amounts.reads),
        write_latency: latency(amounts.write_latency_ns, amounts.writes),
        utilization: finite(amounts.utilization).map(|share| share.clamp(0.0, 1.0)),
    }
}
