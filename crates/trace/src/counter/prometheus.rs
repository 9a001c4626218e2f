//! Answers of Prometheus to range queries: node_exporter's and windows_exporter's running totals of disks.
//!
//! ```text
//! {"status": "success", "data": {"resultType": "matrix", "result": [
//!   {"metric": {"__name__": "node_disk_reads_completed_total", "device": "sda", "instance": "db1:9100"},
//!    "values": [[1795362720.25, "123"], …]}, …]}}
//! ```
//!
//! Source: Prometheus' HTTP API and the two exporters' documentation. Any number of answers in any number of files make one log:
//! series of the same name and labels are put together, points of the same time once. A sample is the growth between two points
//! (see [`crate::report::cumulative`]) at which all four totals of requests and bytes are known. A gap in the points (a target that was down) is
//! a pause. The disk is named by `device` (Linux), `volume` or `disk` (Windows), with the instance where there are several.
//! Prometheus answers with the last value scraped before each step: a step shorter than the scrape interval makes stairs.

use crate::decompress::Input;
use crate::description::{Content, Description, Evidence, Measure, Reading, Verdict};
use crate::error::TraceError;
use crate::options::Options;
use crate::report::clock::{Stamp, show};
use crate::report::cumulative::{Totals, Width};
use crate::report::disk_report::{DiskReport, Per};
use crate::report::json::{Number, documents, drain};
use crate::report::log::CounterLog;
use crate::report::reports::Reports;
use serde::Deserialize;
use std::collections::BTreeMap;

const HINT: &str = "query `node_disk_reads_completed_total` and its siblings, or give the server: `prometheus+http://HOST:9090`";

pub(crate) static FORMAT: Description = Description {
    name: "prometheus",
    title: "Prometheus, node_exporter or windows_exporter",
    detected_by: "`\"status\"` and `\"data\"` in a JSON document",
    content: Content::Counters {
        record: "`prometheus+http://HOST:9090?device=sda` in place of a file, or saved answers to range queries",
        interval: "between the points",
        measures: Measure::LINUX,
        merged: &[],
        assumed: "of windows_exporter the time in queue is the sum of the latencies, and flushes stay among the writes",
    },
    sample: include_str!("samples/prometheus.json"),
    evidence: Evidence::Signature,
    fits: |head| Verdict::from(detect(head.bytes)),
    reading: Reading::Together(read),
};

/// A gap longer than this many median steps is a pause.
const PAUSE_STEPS: i64 = 5;

/// Whether the content starts as an answer does.
fn detect(head: &[u8]) -> bool {
    let start = head.trim_ascii_start();
    let start = &start[..start.len().min(512)];
    let has = |text: &[u8]| memchr::memmem::find(start, text).is_some();
    start.first() == Some(&b'{') && has(b"\"status\"") && (has(b"\"data\"") || has(b"\"error\""))
}

#[derive(Deserialize)]
struct Answer {
    status: String,
    error: Option<String>,
    data: Option<Data>,
}

#[derive(Deserialize)]
struct Data {
    #[serde(rename = "resultType")]
    kind: String,
    #[serde(default)]
    result: Vec<Series>,
}

#[derive(Deserialize)]
struct Series {
    metric: BTreeMap<String, String>,
    #[serde(default)]
    values: Vec<(f64, Number)>,
}

/// A total of [`Totals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Total {
    Reads,
    Writes,
    Flushes,
    ReadBytes,
    WrittenBytes,
    ReadsMerged,
    WritesMerged,
    ReadSeconds,
    WriteSeconds,
    FlushSeconds,
    BusySeconds,
    QueuedSeconds,
}

const TOTALS: usize = Total::QueuedSeconds as usize + 1;

/// What a metric counts: node_exporter, windows_exporter, and node_exporter before 0.16.
fn total_of(metric: &str) -> Option<Total> {
    let windows = metric
        .strip_prefix("windows_physical_disk_")
        .or(metric.strip_prefix("windows_logical_disk_"))
        .or(metric.strip_prefix("wmi_logical_disk_"));
    if let Some(name) = windows {
        return Some(match name {
            "reads_total" => Total::Reads,
            "writes_total" => Total::Writes,
            "read_bytes_total" => Total::ReadBytes,
            "write_bytes_total" => Total::WrittenBytes,
            "read_latency_seconds_total" => Total::ReadSeconds,
            "write_latency_seconds_total" => Total::WriteSeconds,
            _ => return None,
        });
    }
    Some(match metric.strip_prefix("node_disk_")? {
        "reads_completed_total" => Total::Reads,
        "writes_completed_total" => Total::Writes,
        "flush_requests_total" => Total::Flushes,
        "read_bytes_total" => Total::ReadBytes,
        "written_bytes_total" => Total::WrittenBytes,
        "reads_merged_total" => Total::ReadsMerged,
        "writes_merged_total" => Total::WritesMerged,
        "read_time_seconds_total" => Total::ReadSeconds,
        "write_time_seconds_total" => Total::WriteSeconds,
        "flush_requests_time_seconds_total" => Total::FlushSeconds,
        "io_time_seconds_total" => Total::BusySeconds,
        "io_time_weighted_seconds_total" => Total::QueuedSeconds,
        _ => return None,
    })
}

/// The totals of a disk at each time, in milliseconds since 1970.
type Points = BTreeMap<i64, [Option<f64>; TOTALS]>;

/// Who and where: instance and disk.
type Key = (String, String);

fn collect(inputs: &mut [Input]) -> Result<BTreeMap<Key, Points>, TraceError> {
    let mut disks: BTreeMap<Key, Points> = BTreeMap::new();
    for input in inputs {
        let expected = "an answer of Prometheus to a range query";
        for answer in documents::<Answer>(input, expected, HINT)? {
            let refuse = |found: String| TraceError::Set {
                path: input.name.clone(),
                expected: format!("{expected} (`status` success, `resultType` matrix)"),
                found,
                hint: HINT.to_owned(),
            };
            let data = match answer.data {
                Some(data) if answer.status == "success" => data,
                _ => {
                    return Err(refuse(format!(
                        "status `{}`: {}",
                        answer.status,
                        answer.error.unwrap_or_default()
                    )));
                }
            };
            if data.kind != "matrix" {
                return Err(refuse(format!("a {} (was it an instant query?)", data.kind)));
            }
            for series in data.result {
                let label = |name: &str| series.metric.get(name).cloned();
                let Some(total) = label("__name__").as_deref().and_then(total_of) else { continue };
                let Some(disk) = label("device").or(label("disk")).or(label("volume")) else { continue };
                let points = disks.entry((label("instance").unwrap_or_default(), disk)).or_default();
                for (time_s, value) in &series.values {
                    if time_s.is_finite() && time_s.abs() < 1e10 {
                        points.entry((time_s * 1e3).round() as i64).or_default()[total as usize] =
                            value.value();
                    }
                }
            }
        }
        drain(input)?;
    }
    Ok(disks)
}

fn totals(point: &[Option<f64>; TOTALS]) -> Option<Totals> {
    let get = |total: Total| point[total as usize];
    Some(Totals {
        reads: get(Total::Reads)?,
        writes: get(Total::Writes)?,
        flushes: get(Total::Flushes),
        read_bytes: get(Total::ReadBytes)?,
        written_bytes: get(Total::WrittenBytes)?,
        reads_merged: get(Total::ReadsMerged),
        writes_merged: get(Total::WritesMerged),
        read_s: get(Total::ReadSeconds),
        write_s: get(Total::WriteSeconds),
        flush_s: get(Total::FlushSeconds),
        busy_s: get(Total::BusySeconds),
        queued_s: get(Total::QueuedSeconds),
    })
}

/// Reads the answers whole.
fn read(mut inputs: Vec<Input>, options: &Options) -> Result<CounterLog, TraceError> {
    let disks = collect(&mut inputs)?;
    let names: Vec<&Input> = inputs.iter().collect();
    let many = disks.keys().any(|(instance, _)| disks.keys().any(|(other, _)| other != instance));
    let mut reports = Reports::new(FORMAT.name, Per::Interval, HINT);
    let wanted: Vec<(String, &Points)> = disks
        .iter()
        .map(|((instance, disk), points)| {
            (if many { format!("{disk} {instance}") } else { disk.clone() }, points)
        })
        .collect();
    // Each disk has points of its own, so that one report would mix the steps of several: those of the chosen disk remain.
    let mut all = Reports::new(FORMAT.name, Per::Interval, HINT);
    let mut growths: BTreeMap<i64, Vec<(&str, DiskReport)>> = BTreeMap::new();
    for (name, points) in &wanted {
        let known = known(points);
        for ((from, before), (to, after)) in known.iter().zip(known.iter().skip(1)) {
            let length_s = (to - from) as f64 / 1e3;
            let growth = after.growth(before, length_s, Width::Unlimited);
            growths.entry(*to).or_default().extend(growth.map(|growth| (name.as_str(), growth)));
        }
    }
    for rows in growths.values() {
        all.begin(None, None);
        for (name, amounts) in rows {
            let disk = all.disk(name, 0);
            all.add(disk, *amounts);
        }
    }
    let Ok(Some(chosen)) = all.choice(options) else { return absent(&names, &wanted, options) };
    let Some(number) = wanted.iter().position(|(name, _)| *name == chosen) else {
        return absent(&names, &wanted, options);
    };
    reports.notes.append(&mut all.notes);
    let (name, points) = &wanted[number];
    fill(&mut reports, name, points);
    let options = Options { disk: Some(name.clone()), ..options.clone() };
    if reports.is_empty() {
        return absent(&names, &[], &options);
    }
    reports.finish(&names, &options)
}

fn absent(
    inputs: &[&Input],
    disks: &[(String, &Points)],
    options: &Options,
) -> Result<CounterLog, TraceError> {
    let names: Vec<&str> = disks.iter().map(|(name, _)| name.as_str()).collect();
    let requested =
        options.disk.as_ref().filter(|requested| !names.is_empty() && !names.contains(&requested.as_str()));
    Err(TraceError::Absent {
        file: inputs.iter().map(|input| input.name.as_str()).collect::<Vec<_>>().join(" "),
        requested: match requested {
            Some(disk) => format!("disk `{disk}`"),
            None => "disk with two points of reads, writes, bytes read and bytes written".to_owned(),
        },
        hint: match disks.iter().find(|(_, points)| requested.is_none() && !lacking(points).is_empty()) {
            Some((name, points)) => format!("`{name}` lacks {}; {HINT}", lacking(points).join(", ")),
            None if names.is_empty() => HINT.to_owned(),
            None => format!("it has {}", names.join(", ")),
        },
    })
}

/// Which of the four totals that are needed a disk never has.
fn lacking(points: &Points) -> Vec<&'static str> {
    const NEEDED: [(Total, &str); 4] = [
        (Total::Reads, "reads"),
        (Total::Writes, "writes"),
        (Total::ReadBytes, "bytes read"),
        (Total::WrittenBytes, "bytes written"),
    ];
    let never = |total: Total| points.values().all(|point| point[total as usize].is_none());
    NEEDED.iter().filter(|(total, _)| never(*total)).map(|(_, name)| *name).collect()
}

/// The points with all totals that are needed.
fn known(points: &Points) -> Vec<(i64, Totals)> {
    points.iter().filter_map(|(time, point)| Some((*time, totals(point)?))).collect()
}

/// Adds the growth between the points of a disk.
fn fill(reports: &mut Reports, name: &str, points: &Points) {
    let known = known(points);
    let partial: Vec<i64> =
        points.iter().filter(|(_, point)| totals(point).is_none()).map(|(time, _)| *time).collect();
    let mut pauses = Vec::new();
    let mut steps: Vec<i64> = known.windows(2).map(|pair| pair[1].0 - pair[0].0).collect();
    steps.sort_unstable();
    let median = steps.get(steps.len() / 2).copied().unwrap_or(0);
    let mut resets = Vec::new();
    let disk = reports.disk(name, 0);
    for pair in known.windows(2) {
        let ((from, before), (to, after)) = (&pair[0], &pair[1]);
        let length_ms = to - from;
        if length_ms > median * PAUSE_STEPS {
            pauses.push(*from);
            continue;
        }
        let length_ns = (length_ms as u64).saturating_mul(1_000_000);
        match after.growth(before, length_ms as f64 / 1e3, Width::Unlimited) {
            Some(amounts) => {
                reports.begin(Some(Stamp::Instant(to.saturating_mul(1_000_000))), Some(length_ns));
                reports.add(disk, amounts);
            }
            None => resets.push(*to),
        }
    }
    let mut lose = |at: &[i64], what: &str| {
        if let Some(first) = at.first() {
            let (count, first) = (at.len(), show(first.saturating_mul(1_000_000)));
            reports.losses.push(format!("{count} {what}, the first at {first}"));
        }
    };
    lose(&resets, "intervals were left out in which totals started anew (a reboot)");
    lose(&pauses, "gaps between the points were left out (the target or the server was down)");
    lose(&partial, "points were passed over that lack one of reads, writes, bytes read and bytes written");
}
