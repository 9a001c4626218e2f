//! sysstat: `iostat -x -o JSON`, one report an interval, rates of each disk.
//!
//! A count is its rate times the interval. `w/s` counts requests, and on Linux a flush without data is accounted as a
//! write; `f/s` (Linux 5.5 and later) tells how many flushes the drive was sent. So
//!
//! ```text
//! writes = max(0, w/s − f/s) · interval        flushes = f/s · interval
//! ```
//!
//! which leaves out the flushes that the kernel itself puts around FUA writes (0.2 % in the example). Without `f/s`, flushes
//! are unknown and stay among the writes. A flush waits twice in these counters: as a write in `w_await`, and through
//! `f_await`, whose share in `aqu-sz` is a second one. With `f_await` both are set right:
//!
//! ```text
//! write latency = (w/s · w_await − f/s · f_await) / (w/s − f/s)        queue depth = aqu-sz − f/s · f_await
//! ```
//!
//! Discards are left out. The time of day in `timestamp` (`iostat -t`) gives the interval; the date does not matter.

use super::CounterLog;
use crate::decompress::Input;
use crate::error::{Place, TraceError};
use crate::options::Options;
use crate::summary::{CounterSummary, DiskSummary, Format, IntervalOrigin, SUMMARY_SCHEMA_VERSION};
use crate::trace::describe_file;
use drivecast_block::{Nanos, Sample};
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::io::Read;

const DAY_S: u64 = 86_400;
const NS_PER_S: u64 = 1_000_000_000;
const NS_PER_MS: f64 = 1e6;
const MS_PER_S: f64 = 1e3;
const KIB: f64 = 1024.0;

/// Whether the content starts as sysstat's JSON does.
pub(crate) fn detect(head: &[u8]) -> bool {
    let start = head.trim_ascii_start();
    let head = &start[..start.len().min(256)];
    head.first() == Some(&b'{') && memchr::memmem::find(head, b"\"sysstat\"").is_some()
}

/// One disk in one report, as written.
#[derive(Deserialize)]
struct Disk {
    #[serde(rename = "disk_device")]
    name: String,
    #[serde(rename = "r/s")]
    reads: Option<f64>,
    #[serde(rename = "w/s")]
    writes: Option<f64>,
    #[serde(rename = "f/s")]
    flushes: Option<f64>,
    #[serde(rename = "rkB/s")]
    read_kib: Option<f64>,
    #[serde(rename = "wkB/s")]
    written_kib: Option<f64>,
    #[serde(rename = "rMB/s")]
    read_mib: Option<f64>,
    #[serde(rename = "wMB/s")]
    written_mib: Option<f64>,
    #[serde(rename = "r_await")]
    read_ms: Option<f64>,
    #[serde(rename = "w_await")]
    write_ms: Option<f64>,
    #[serde(rename = "f_await")]
    flush_ms: Option<f64>,
    #[serde(rename = "aqu-sz", alias = "avgqu-sz")]
    queue_depth: Option<f64>,
    #[serde(rename = "util")]
    utilization_percent: Option<f64>,
}

/// One report, as written.
#[derive(Deserialize)]
struct Report {
    timestamp: Option<String>,
    #[serde(default)]
    disk: Vec<Disk>,
}

/// The reports of a log.
#[derive(Default)]
struct Reports {
    /// Time of day of each report, where it has one.
    second_of_day: Vec<Option<u64>>,
    /// Number of the report, and a disk in it.
    disks: Vec<(usize, Disk)>,
}

/// A step on the way from the document to a report.
#[derive(Clone, Copy)]
enum Step {
    Key(&'static str),
    Each,
}

const TO_REPORT: &[Step] =
    &[Step::Key("sysstat"), Step::Key("hosts"), Step::Each, Step::Key("statistics"), Step::Each];

/// Walks down to the reports and collects them one by one, so that of a log that was cut off all whole reports are kept.
struct Descend<'a> {
    path: &'a [Step],
    reports: &'a mut Reports,
}

impl<'de> DeserializeSeed<'de> for Descend<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        match self.path.first() {
            Some(Step::Key(_)) => deserializer.deserialize_map(self),
            Some(Step::Each) => deserializer.deserialize_seq(self),
            None => {
                let report = Report::deserialize(deserializer)?;
                let number = self.reports.second_of_day.len();
                self.reports.second_of_day.push(report.timestamp.as_deref().and_then(second_of_day));
                self.reports.disks.extend(report.disk.into_iter().map(|disk| (number, disk)));
                Ok(())
            }
        }
    }
}

impl<'de> Visitor<'de> for Descend<'_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.path.first() {
            Some(Step::Key(key)) => write!(f, "an object with `{key}`"),
            _ => f.write_str("a list"),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(found) = map.next_key::<String>()? {
            match self.path {
                [Step::Key(key), rest @ ..] if found == *key => {
                    map.next_value_seed(Descend { path: rest, reports: &mut *self.reports })?;
                }
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let rest = self.path.get(1..).unwrap_or_default();
        while seq.next_element_seed(Descend { path: rest, reports: &mut *self.reports })?.is_some() {}
        Ok(())
    }
}

/// Seconds since midnight in a time stamp of any locale: the first `hh:mm:ss`, with AM or PM.
fn second_of_day(text: &str) -> Option<u64> {
    let bytes = text.as_bytes();
    let two = |at: usize| {
        let pair = bytes.get(at..at + 2)?;
        pair.iter()
            .all(u8::is_ascii_digit)
            .then(|| u64::from(pair[0] - b'0') * 10 + u64::from(pair[1] - b'0'))
    };
    let at = (0..bytes.len().saturating_sub(7)).find(|&at| {
        bytes[at + 2] == b':'
            && bytes[at + 5] == b':'
            && [at, at + 3, at + 6].iter().all(|&at| two(at).is_some())
    })?;
    let hour = match (two(at)?, text.contains("PM"), text.contains("AM")) {
        (12, false, true) => 0,
        (hour @ 0..12, true, _) => hour + 12,
        (hour, _, _) => hour,
    };
    let second = hour * 3600 + two(at + 3)? * 60 + two(at + 6)?;
    (second < DAY_S).then_some(second)
}

/// Reads a log whole.
pub(crate) fn read(mut input: Input, options: &Options) -> Result<CounterLog, TraceError> {
    let (mut reports, mut notes) = (Reports::default(), Vec::new());
    if let Err(error) = parse(&mut input, &mut reports)? {
        if !error.is_eof() || reports.disks.is_empty() {
            return Err(refuse(&input, &error));
        }
        let count = reports.second_of_day.len();
        notes.push(format!(
            "{}: cut off in line {}; {count} whole reports were read",
            input.base_name,
            error.line()
        ));
    }
    drain(&mut input)?;
    let (interval, origin) = intervals(&reports, options);
    let disks = disks(&reports);
    let name = choose(&input, &disks, options)?;
    if disks.len() > 1 && options.disk.is_none() {
        let others: Vec<_> = disks.iter().skip(1).map(|disk| disk.disk.as_str()).collect();
        notes.push(format!("disk `{name}` was taken, the busiest; the log also has {}", others.join(", ")));
    }
    if origin == IntervalOrigin::Assumed {
        notes.push(
            "the log has no time stamps: an interval of 1 s is assumed (record with `iostat -t`)".to_owned(),
        );
    }
    let first = if options.skip_first { 1 } else { 0 };
    if !options.skip_first {
        notes.push(
            "the log cannot tell whether its first report is the average since boot (`iostat` without `-y`); it was taken as an interval"
                .to_owned(),
        );
    }
    let samples = samples(&input, &reports, &name, &interval, first)?;
    Ok(finish(&input, samples, name, disks, origin, notes))
}

/// Collects the reports; the inner error is of the JSON, the outer one of reading.
fn parse(input: &mut Input, reports: &mut Reports) -> Result<serde_json::Result<()>, TraceError> {
    let mut content = Content { input, error: None };
    let outcome = {
        let reader = std::io::BufReader::with_capacity(64 * 1024, &mut content);
        let mut json = serde_json::Deserializer::from_reader(reader);
        Descend { path: TO_REPORT, reports }.deserialize(&mut json).and_then(|()| json.end())
    };
    content.error.map_or(Ok(outcome), Err)
}

/// What follows the document belongs to the content that is hashed.
fn drain(input: &mut Input) -> Result<(), TraceError> {
    let mut rest = [0; 4096];
    while input.fill(&mut rest)? > 0 {}
    Ok(())
}

fn finish(
    input: &Input,
    samples: Vec<Sample>,
    disk: String,
    disks: Vec<DiskSummary>,
    interval_origin: IntervalOrigin,
    notes: Vec<String>,
) -> CounterLog {
    let duration_ns = samples.iter().fold(0_u64, |sum, sample| sum.saturating_add(sample.interval.0));
    let file = describe_file(input);
    let summary = CounterSummary {
        schema_version: SUMMARY_SCHEMA_VERSION,
        format: Format::Iostat,
        hash: file.hash.clone(),
        files: vec![file],
        disk,
        disks,
        rows: samples.len() as u64,
        interval_ns: duration_ns.checked_div(samples.len() as u64).unwrap_or(0),
        interval_origin,
        duration_ns,
        notes,
    };
    CounterLog::new(samples, summary)
}

/// The length of each report's interval. Time stamps are whole seconds: where they only jitter by one, their mean is taken.
fn intervals(reports: &Reports, options: &Options) -> (Vec<u64>, IntervalOrigin) {
    let count = reports.second_of_day.len();
    if let Some(interval) = options.interval {
        return (vec![interval.0; count], IntervalOrigin::Given);
    }
    let stamps: Option<Vec<u64>> = reports.second_of_day.iter().copied().collect();
    let Some(stamps) = stamps.filter(|stamps| stamps.len() > 1) else {
        return (vec![NS_PER_S; count], IntervalOrigin::Assumed);
    };
    let steps: Vec<u64> = stamps.windows(2).map(|pair| (pair[1] + DAY_S - pair[0]) % DAY_S).collect();
    let mean_s = steps.iter().sum::<u64>() as f64 / steps.len() as f64;
    if mean_s == 0.0 {
        return (vec![NS_PER_S; count], IntervalOrigin::Assumed);
    }
    let mean_ns = (mean_s * NS_PER_S as f64) as u64;
    if steps.iter().all(|&step| (step as f64 - mean_s).abs() <= 1.0) {
        return (vec![mean_ns; count], IntervalOrigin::Measured);
    }
    // Before the first stamp there is none to measure from: the median interval stands in.
    let mut sorted = steps.clone();
    sorted.sort_unstable();
    let median = sorted[sorted.len() / 2];
    (std::iter::once(median).chain(steps).map(|step| step * NS_PER_S).collect(), IntervalOrigin::Measured)
}

/// The disks of the log, busiest first.
fn disks(reports: &Reports) -> Vec<DiskSummary> {
    let mut disks: Vec<DiskSummary> = Vec::new();
    for (_, disk) in &reports.disks {
        let requests = disk.reads.unwrap_or(0.0) + disk.writes.unwrap_or(0.0);
        match disks.iter_mut().find(|known| known.disk == disk.name) {
            Some(known) => known.requests += requests,
            None => disks.push(DiskSummary { disk: disk.name.clone(), requests }),
        }
    }
    disks.sort_by(|a, b| b.requests.total_cmp(&a.requests).then_with(|| a.disk.cmp(&b.disk)));
    disks
}

fn choose(input: &Input, disks: &[DiskSummary], options: &Options) -> Result<String, TraceError> {
    let list = || disks.iter().map(|disk| disk.disk.as_str()).collect::<Vec<_>>().join(", ");
    match &options.disk {
        None => disks.first().map(|disk| disk.disk.clone()).ok_or_else(|| TraceError::Absent {
            file: input.name.clone(),
            asked: "report of a disk".to_owned(),
            hint: "record with `iostat -x -d -y -t -o JSON 1`".to_owned(),
        }),
        Some(asked) if disks.iter().any(|disk| disk.disk == *asked) => Ok(asked.clone()),
        Some(asked) => Err(TraceError::Absent {
            file: input.name.clone(),
            asked: format!("disk `{asked}`"),
            hint: format!("it has {}", list()),
        }),
    }
}

fn samples(
    input: &Input,
    reports: &Reports,
    name: &str,
    interval: &[u64],
    first: usize,
) -> Result<Vec<Sample>, TraceError> {
    let mut samples = Vec::new();
    let mut time = 0_u64;
    let mut next = first;
    for (number, disk) in reports.disks.iter().filter(|(number, disk)| *number >= first && disk.name == name)
    {
        // Reports in which the disk does not appear still take their time.
        time = interval[next..=*number].iter().fold(time, |time, step| time.saturating_add(*step));
        next = number + 1;
        samples.push(sample(disk, Nanos(time), Nanos(interval[*number])).ok_or_else(|| TraceError::Set {
            path: input.name.clone(),
            expected: "extended reports, with `r/s`, `w/s`, `rkB/s` and `wkB/s`".to_owned(),
            found: format!("report {} of disk `{name}` without them", number + 1),
            hint: "record with `iostat -x -d -y -t -o JSON 1`".to_owned(),
        })?);
    }
    Ok(samples)
}

fn sample(disk: &Disk, time: Nanos, interval: Nanos) -> Option<Sample> {
    let seconds = interval.as_secs_f64();
    let bytes =
        |kib: Option<f64>, mib: Option<f64>| kib.or(mib.map(|mib| mib * KIB)).map(|kib| kib * KIB * seconds);
    let latency = |ms: Option<f64>, rate: f64| {
        ms.filter(|_| rate > 0.0).map(|ms| Nanos((ms * NS_PER_MS).round() as u64))
    };
    // A counter that was reset between two reports shows as a negative rate.
    let count = |rate: f64| rate.max(0.0) * seconds;
    let (reads, writes) = (disk.reads?, disk.writes?);
    let flushes = disk.flushes.unwrap_or(0.0);
    let without_flushes = writes - flushes;
    // Requests in flight that are flushes counted a second time.
    let flushing = flushes * disk.flush_ms.unwrap_or(0.0) / MS_PER_S;
    let write_ms = disk.write_ms.map(|ms| match disk.flush_ms {
        Some(_) => ((writes * ms - flushing * MS_PER_S) / without_flushes).max(0.0),
        None => ms,
    });
    Some(Sample {
        time,
        interval,
        disk: disk.name.clone(),
        reads: count(reads),
        writes: count(without_flushes),
        flushes: disk.flushes.map(count),
        read_bytes: bytes(disk.read_kib, disk.read_mib)?.max(0.0),
        written_bytes: bytes(disk.written_kib, disk.written_mib)?.max(0.0),
        queue_depth: disk.queue_depth.map(|depth| (depth - flushing).max(0.0)),
        read_latency: latency(disk.read_ms, reads),
        write_latency: latency(write_ms, without_flushes),
        utilization: disk.utilization_percent.map(|percent| (percent / 100.0).clamp(0.0, 1.0)),
    })
}

#[cold]
fn refuse(input: &Input, error: &serde_json::Error) -> TraceError {
    TraceError::Record {
        file: input.name.clone(),
        at: Place::Line(error.line() as u64),
        expected: "sysstat's JSON: sysstat → hosts → statistics → disk".to_owned(),
        found: error.to_string(),
        hint: "record with `iostat -x -d -y -t -o JSON 1`".to_owned(),
    }
}

/// The content as a reader.
struct Content<'a> {
    input: &'a mut Input,
    error: Option<TraceError>,
}

impl Read for Content<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.input.fill(buffer).map_err(|error| {
            let message = error.to_string();
            self.error = Some(error);
            std::io::Error::other(message)
        })
    }
}
