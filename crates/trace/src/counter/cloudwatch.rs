//! CloudWatch's metrics of EBS volumes, as `aws cloudwatch get-metric-data` and `get-metric-statistics` print them.
//!
//! ```text
//! {"MetricDataResults": [{"Id": "m1", "Label": "vol-1 VolumeReadOps", "Timestamps": ["2026-11-21T14:00:00Z", …],
//!   "Values": [1200.0, …]}, …]}                                                            any number of metrics
//! {"Label": "VolumeReadOps", "Datapoints": [{"Timestamp": "…", "Sum": 1200.0, "Unit": "Count"}, …]}     one metric
//! ```
//!
//! Source: the EBS user guide, "CloudWatch metrics for EBS". A time is the START of its period; points come in any order; the
//! period is not in the answer, so it is the shortest step between points (`--interval` sets it). Of statistics `Sum` is taken for
//! counts, bytes and seconds (of get-metric-data, which does not say its statistic, values are taken as sums) and `Average` for
//! `VolumeQueueLength`. A volume is the `vol-…` in a label, or nothing. Latency = total time / operations; utilisation = 1 − idle time /
//! period. A period that lacks one of a direction's two metrics is left out; one that lacks both while the other direction has its points
//! had no requests of that direction (volumes on Xen have points only while they are used). Both are said. A document may be JSON, or several one behind the other, or several files.

use crate::decompress::Input;
use crate::description::{Content, Description, Evidence, Measure, Reading, Verdict};
use crate::error::TraceError;
use crate::options::Options;
use crate::report::clock::{self, Stamp};
use crate::report::disk_report::{DiskReport, Per};
use crate::report::json::{documents, drain};
use crate::report::log::CounterLog;
use crate::report::reports::Reports;
use crate::report::text::LARGEST;
use serde::Deserialize;
use std::collections::BTreeMap;

const HINT: &str =
    "export VolumeReadOps, VolumeWriteOps, VolumeReadBytes and VolumeWriteBytes with the statistic Sum";
const NS_PER_S: f64 = 1e9;

pub(crate) static FORMAT: Description = Description {
    name: "cloudwatch",
    title: "CloudWatch, EBS volumes",
    detected_by: "`\"MetricDataResults\"` or `\"Datapoints\"`",
    content: Content::Counters {
        record: "`aws cloudwatch get-metric-data`, or a `get-metric-statistics` a metric",
        interval: "the shortest step between points, or `--interval`",
        measures: Measure::WITHOUT_FLUSHES,
        merged: &[],
        assumed: "`get-metric-data` does not say its statistic: values are taken as sums; a period without any point of a direction had no requests of it",
    },
    sample: include_str!("samples/cloudwatch.json"),
    evidence: Evidence::Signature,
    fits: |head| Verdict::from(detect(head.bytes)),
    reading: Reading::Together(read),
};
const PERIOD_NS: u64 = 300_000_000_000;

/// Whether the content starts as one of the two documents does.
fn detect(head: &[u8]) -> bool {
    let has = |text: &[u8]| memchr::memmem::find(head, text).is_some();
    head.trim_ascii_start().first() == Some(&b'{')
        && (has(b"\"MetricDataResults\"") || has(b"\"Datapoints\""))
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Document {
    metric_data_results: Option<Vec<Metric>>,
    label: Option<String>,
    datapoints: Option<Vec<Point>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Metric {
    label: String,
    #[serde(default)]
    timestamps: Vec<Time>,
    #[serde(default)]
    values: Vec<f64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Point {
    timestamp: Time,
    sum: Option<f64>,
    average: Option<f64>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Time {
    Text(String),
    Seconds(f64),
}

impl Time {
    fn ns(&self) -> Option<i64> {
        let stamp = match self {
            Time::Text(text) => clock::parse(text)?,
            Time::Seconds(seconds) => Stamp::of_seconds(*seconds)?,
        };
        clock::line_up(&[stamp])?.first().copied()
    }
}

/// The metrics that are read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    ReadOps,
    WriteOps,
    ReadBytes,
    WriteBytes,
    QueueLength,
    ReadTime,
    WriteTime,
    IdleTime,
}

const WHATS: usize = What::IdleTime as usize + 1;

/// Metric and volume of a label.
fn of_label(label: &str) -> Option<(What, String)> {
    let mut words =
        label.split(|letter: char| letter.is_whitespace() || matches!(letter, ':' | ',' | '/' | '|'));
    let what = words.clone().find_map(|word| {
        Some(match word.trim_start_matches("Volume").trim_start_matches("EBS").trim_start_matches("Disk") {
            "ReadOps" => What::ReadOps,
            "WriteOps" => What::WriteOps,
            "ReadBytes" => What::ReadBytes,
            "WriteBytes" => What::WriteBytes,
            "QueueLength" => What::QueueLength,
            "TotalReadTime" => What::ReadTime,
            "TotalWriteTime" => What::WriteTime,
            "IdleTime" => What::IdleTime,
            _ => return None,
        })
    })?;
    let volume = words.find(|word| word.starts_with("vol-") || word.starts_with("i-"));
    Some((what, volume.unwrap_or("volume").to_owned()))
}

type Volumes = BTreeMap<String, BTreeMap<i64, [Option<f64>; WHATS]>>;

/// What was found, and the labels that are no metric of ours.
struct Found {
    volumes: Volumes,
    foreign: Vec<String>,
    unsure: bool,
    /// A metric without a `Sum`.
    without_sum: Option<String>,
}

impl Found {
    fn put(&mut self, label: &str, points: impl Iterator<Item = (Time, Option<f64>, Option<f64>)>) {
        let Some((what, volume)) = of_label(label) else {
            self.foreign.push(label.to_owned());
            return;
        };
        let times = self.volumes.entry(volume).or_default();
        for (time, sum, average) in points {
            let value = if what == What::QueueLength { average.or(sum) } else { sum };
            if value.is_none() {
                self.without_sum.get_or_insert_with(|| label.to_owned());
            }
            if let (Some(ns), Some(value)) = (time.ns(), value.filter(|value| value.abs() < LARGEST)) {
                times.entry(ns).or_default()[what as usize] = Some(value);
            }
        }
    }

    fn take(&mut self, document: Document) {
        for metric in document.metric_data_results.into_iter().flatten() {
            self.unsure = true;
            let points = metric.timestamps.into_iter().zip(metric.values);
            self.put(&metric.label, points.map(|(time, value)| (time, Some(value), None)));
        }
        if let (Some(label), Some(points)) = (document.label, document.datapoints) {
            self.put(&label, points.into_iter().map(|point| (point.timestamp, point.sum, point.average)));
        }
    }
}

/// Reads the documents whole.
fn read(mut inputs: Vec<Input>, options: &Options) -> Result<CounterLog, TraceError> {
    let mut found = Found { volumes: BTreeMap::new(), foreign: Vec::new(), unsure: false, without_sum: None };
    for input in &mut inputs {
        let expected = "the output of `aws cloudwatch get-metric-data` or `get-metric-statistics`";
        documents::<Document>(input, expected, HINT)?.into_iter().for_each(|document| found.take(document));
        drain(input)?;
    }
    let names: Vec<&Input> = inputs.iter().collect();
    check(&found, &names)?;
    let period_ns = options.interval.map_or_else(|| period_ns(&found.volumes), |given| given.0);
    let mut reports = Reports::new(FORMAT.name, Per::Interval, HINT);
    if found.unsure {
        let note = "get-metric-data does not say its statistic: counts, bytes and times are taken as sums, the queue length as a mean";
        reports.notes.push(note.to_owned());
    }
    let times: std::collections::BTreeSet<i64> =
        found.volumes.values().flat_map(BTreeMap::keys).copied().collect();
    let (mut halves, mut alone) = (Vec::new(), Vec::new());
    for time in times {
        let end = time.saturating_add_unsigned(period_ns);
        reports.begin(Some(Stamp::Instant(end)), Some(period_ns));
        for (volume, points) in &found.volumes {
            let Some(point) = points.get(&time) else { continue };
            let disk = reports.disk(volume, 0);
            let has = |what: What| point[what as usize].is_some();
            let reads = (has(What::ReadOps), has(What::ReadBytes));
            let writes = (has(What::WriteOps), has(What::WriteBytes));
            if reads.0 != reads.1 || writes.0 != writes.1 || !(reads.0 || writes.0) {
                halves.push(end);
                continue;
            }
            if !(reads.0 && writes.0) {
                alone.push(end);
            }
            reports.add(disk, amounts(point, period_ns));
        }
    }
    if let Some(first) = halves.first() {
        reports.losses.push(format!(
            "{} periods, the first ends at {}, lack points of one metric and have the others: they were left out",
            halves.len(),
            clock::show(*first)
        ));
    }
    if let Some(first) = alone.first() {
        reports.notes.push(format!(
            "{} periods, the first ends at {}, have no points of reads or of writes: taken as none of them",
            alone.len(),
            clock::show(*first)
        ));
    }
    reports.finish(&names, &Options { interval: None, ..options.clone() })
}

/// Refuses documents that lack a metric altogether.
fn check(found: &Found, inputs: &[&Input]) -> Result<(), TraceError> {
    const NEEDED: [(What, &str); 4] = [
        (What::ReadOps, "VolumeReadOps"),
        (What::WriteOps, "VolumeWriteOps"),
        (What::ReadBytes, "VolumeReadBytes"),
        (What::WriteBytes, "VolumeWriteBytes"),
    ];
    let has = |what: What| {
        found.volumes.values().any(|points| points.values().any(|point| point[what as usize].is_some()))
    };
    let missing: Vec<&str> = NEEDED.iter().filter(|(what, _)| !has(*what)).map(|(_, name)| *name).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let mut hint = HINT.to_owned();
    if let Some(label) = &found.without_sum {
        hint = format!("`{label}` has no `Sum`; {hint}");
    }
    if let Some(label) = found.foreign.first() {
        hint = format!("the label `{label}` names no metric of EBS; {hint}");
    }
    Err(TraceError::Absent {
        file: inputs.iter().map(|input| input.name.as_str()).collect::<Vec<_>>().join(" "),
        requested: missing.join(", "),
        hint,
    })
}

/// The shortest step between two points.
fn period_ns(volumes: &Volumes) -> u64 {
    let steps = volumes.values().flat_map(|points| {
        points.keys().zip(points.keys().skip(1)).map(|(from, to)| to.saturating_sub(*from) as u64)
    });
    steps.filter(|step| *step > 0).min().unwrap_or(PERIOD_NS)
}

fn amounts(point: &[Option<f64>; WHATS], period_ns: u64) -> DiskReport {
    let get = |what: What| point[what as usize];
    let (reads, writes) = (get(What::ReadOps).unwrap_or(0.0), get(What::WriteOps).unwrap_or(0.0));
    let mean_ns = |seconds: Option<f64>, count: f64| {
        seconds.filter(|_| count > 0.0).map(|seconds| seconds / count * NS_PER_S)
    };
    DiskReport {
        reads,
        writes,
        flushes: None,
        reads_merged: None,
        writes_merged: None,
        read_bytes: get(What::ReadBytes).unwrap_or(0.0),
        written_bytes: get(What::WriteBytes).unwrap_or(0.0),
        queue_depth: get(What::QueueLength),
        read_latency_ns: mean_ns(get(What::ReadTime), reads),
        write_latency_ns: mean_ns(get(What::WriteTime), writes),
        utilization: get(What::IdleTime).map(|idle| 1.0 - idle / (period_ns as f64 / NS_PER_S)),
    }
}
