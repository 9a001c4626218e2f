//! What comes out of a run: the figures of `simulate`, and the tables a measured run fills as well.
//!
//! Times are those of the measured part, after the warm-up. Latencies come from a histogram with three significant digits
//! (a quantile is at most 0.1 % above the true one); mean and maximum are exact. `iops` and throughput count reads and
//! writes with data; `generated`, `completed` and `in_flight` count every request.

use crate::cache::Cached;
use crate::design::WriteCache;
use crate::host::{Latencies, Measured};
use crate::volume::Credits;
use drivecast_block::Op;
use hdrhistogram::Histogram;
use serde::Serialize;

/// The version of the shape of the JSON.
pub const SCHEMA_VERSION: u32 = 1;

/// Rows of the latency table for each halving of the distance to quantile 1.
const LATENCY_ROWS_PER_HALVING: u32 = 32;

/// The outcome of one run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// The version of this shape.
    pub schema_version: u32,
    /// The design as written.
    pub design: String,
    /// The seed of the run.
    pub seed: u64,
    /// Reads and writes completed.
    pub requests: u64,
    /// Length of the measured part.
    pub duration_s: f64,
    /// Reads and writes completed a second.
    pub iops: f64,
    /// Bytes read and written a second.
    pub throughput_bytes_per_s: f64,
    /// The reads.
    pub read: OfOp,
    /// The writes.
    pub write: OfOp,
    /// The flushes.
    pub flush: OfOp,
    /// Pages written to flash over pages written by the host of the flash; null without flash or writes.
    pub write_amplification: Option<f64>,
    /// Share of the time in which a drive was busy, mean over the drives.
    pub utilization: f64,
    /// Requests in flight, mean over the time.
    pub queue_depth_mean: f64,
    /// Whether the device could not keep up with the arrivals; see [`crate::host`].
    pub saturated: bool,
    /// |L - λW| / L with L the mean number in flight, λ the completions a second and W their mean latency: what requests
    /// cut off by the beginning and the end of the measured part make of Little's law.
    pub littles_law_error: f64,
    /// Requests in flight at the beginning, and issued since.
    pub generated: u64,
    /// Requests completed.
    pub completed: u64,
    /// Requests in flight at the end.
    pub in_flight: u64,
    /// Bytes read by the host.
    pub host_read_bytes: u64,
    /// Bytes written by the host.
    pub host_written_bytes: u64,
    /// Bytes read from the drives: with the reads that parity needs; null of a real target, which does not report them.
    pub device_read_bytes: Option<u64>,
    /// Bytes written to the drives: with copies and parity; null of a real target.
    pub device_written_bytes: Option<u64>,
    /// The rebuild under way, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rebuild: Option<Rebuild>,
    /// The credits of a volume that run out first; absent where no volume has any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub credits: Option<Credits>,
    /// Whether the disks cached what was written; absent where there is no disk, or nothing was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub write_cache: Option<WriteCache>,
    /// What the caches did; absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache: Option<Cached>,
    /// Simulated capacity over specified capacity of the drives; 1 unless a drive was scaled down to fit in memory; null of
    /// a real target.
    pub scale: Option<f64>,
    /// Why a real target failed, or what interrupted the run: all else is of the time before. Absent for a whole run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partial: Option<String>,
    /// The operation whose quantile could no longer be met, upon which the run was given up: all else is of the time
    /// before. Absent for a whole run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub given_up: Option<&'static str>,
    /// The streams held apart; absent where none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub streams: Vec<OfStream>,
    /// The seconds; see [`drivecast_block::schema::SECONDS`].
    pub seconds: Vec<Second>,
    /// The distribution of latencies; see [`drivecast_block::schema::LATENCIES`].
    pub latencies: Vec<Latency>,
}

/// The requests of one operation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OfOp {
    /// How many completed.
    pub requests: u64,
    /// Completed a second.
    pub iops: f64,
    /// Their latency; null without requests.
    pub latency_ns: Option<Quantiles>,
}

/// The reads and writes of one stream.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OfStream {
    /// Its number in the workload.
    pub stream: u32,
    /// Its reads.
    pub read: OfOp,
    /// Its writes.
    pub write: OfOp,
}

/// A rebuild during the run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rebuild {
    /// Bytes rebuilt in the measured part, all spares together.
    pub bytes: u64,
    /// The same, a second.
    pub bytes_per_s: f64,
    /// How long all that is missing takes at that rate; null if nothing was rebuilt.
    pub whole_s: Option<f64>,
}

/// A distribution of latencies, in nanoseconds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Quantiles {
    /// Exact mean.
    pub mean: f64,
    /// Median.
    #[serde(rename = "q0.5")]
    pub q0_5: u64,
    /// Nine of ten are no slower.
    #[serde(rename = "q0.9")]
    pub q0_9: u64,
    /// 95 of a hundred are no slower.
    #[serde(rename = "q0.95")]
    pub q0_95: u64,
    /// 99 of a hundred are no slower.
    #[serde(rename = "q0.99")]
    pub q0_99: u64,
    /// 999 of a thousand are no slower.
    #[serde(rename = "q0.999")]
    pub q0_999: u64,
    /// 9,999 of ten thousand are no slower.
    #[serde(rename = "q0.9999")]
    pub q0_9999: u64,
    /// 99,999 of a hundred thousand are no slower.
    #[serde(rename = "q0.99999")]
    pub q0_99999: u64,
    /// Exact maximum.
    pub max: u64,
}

impl Quantiles {
    /// The quantiles of a histogram, with the exact mean and maximum.
    pub fn of(histogram: &Histogram<u64>, mean: f64, max: u64) -> Quantiles {
        let at = |quantile: f64| histogram.value_at_quantile(quantile).min(max);
        Quantiles {
            mean,
            q0_5: at(0.5),
            q0_9: at(0.9),
            q0_95: at(0.95),
            q0_99: at(0.99),
            q0_999: at(0.999),
            q0_9999: at(0.9999),
            q0_99999: at(0.99999),
            max,
        }
    }
}

/// The figures by which drives are compared where one trace is played on each: over the time in which anything was in
/// flight.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Playback {
    /// How long anything was in flight.
    pub busy_s: f64,
    /// Bytes moved in a second of that time; null where it is none.
    pub busy_bytes_per_s: Option<f64>,
    /// Time of a request, were they served one after another.
    pub service_time_ns_mean: Option<f64>,
    /// Latency of a read or write, mean over both.
    pub response_time_ns_mean: Option<f64>,
}

/// One second; the fields are the columns of [`drivecast_block::schema::SECONDS`].
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the schema says what each column holds")]
pub struct Second {
    pub second: u64,
    pub reads: u64,
    pub writes: u64,
    pub read_bytes: u64,
    pub written_bytes: u64,
    pub queue_depth: f64,
    pub read_latency_ns_mean: f64,
    pub write_latency_ns_mean: f64,
    pub read_latency_ns_max: u64,
    pub write_latency_ns_max: u64,
}

/// A bucket of latencies; the fields are the columns of [`drivecast_block::schema::LATENCIES`].
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the schema says what each column holds")]
pub struct Latency {
    pub op: &'static str,
    pub latency_ns: u64,
    pub count: u64,
    pub quantile: f64,
}

/// What identifies an outcome.
pub(crate) struct Label {
    pub(crate) design: String,
    pub(crate) seed: u64,
    pub(crate) scale: f64,
    /// Bytes that are being rebuilt, on all spares together.
    pub(crate) rebuild: drivecast_block::Bytes,
}

impl Outcome {
    pub(crate) fn new(label: Label, measured: &Measured) -> Outcome {
        let recorder = &measured.recorder;
        let duration_s = measured.length.as_secs_f64();
        let per_second = |n: f64| if duration_s > 0.0 { n / duration_s } else { 0.0 };
        let of = |latencies: &Latencies| OfOp {
            requests: latencies.count,
            iops: per_second(latencies.count as f64),
            latency_ns: quantiles(latencies),
        };
        let [read, write, flush] = [Op::Read, Op::Write, Op::Flush].map(|op| of(recorder.latencies(op)));
        let streams = (0..).zip(recorder.streams());
        let requests = read.requests + write.requests;
        let (read_bytes, written_bytes) = (recorder.bytes(Op::Read), recorder.bytes(Op::Write));
        let counters = &measured.counters;
        let host_pages = counters.flash_host_pages;
        let flash_pages = counters.flash_programmed_pages as f64;
        Outcome {
            schema_version: SCHEMA_VERSION,
            design: label.design,
            seed: label.seed,
            requests,
            duration_s,
            iops: per_second(requests as f64),
            throughput_bytes_per_s: per_second((read_bytes + written_bytes) as f64),
            read,
            write,
            flush,
            write_amplification: (host_pages > 0).then(|| flash_pages / host_pages as f64),
            utilization: per_second(counters.busy_ns as f64 / 1e9).min(1.0),
            queue_depth_mean: per_second(area(measured) as f64 / 1e9),
            saturated: measured.saturated,
            littles_law_error: littles_law_error(measured),
            generated: measured.generated,
            completed: recorder.completed(),
            in_flight: measured.in_flight,
            host_read_bytes: read_bytes,
            host_written_bytes: written_bytes,
            device_read_bytes: Some(counters.read_bytes),
            device_written_bytes: Some(counters.written_bytes),
            rebuild: (label.rebuild.0 > 0).then(|| {
                let bytes = counters.rebuilt_bytes;
                let until_s = match counters.rebuilt_ns {
                    0 => duration_s,
                    over => (over as f64 / 1e9).min(duration_s), // drives at a smaller scale are done soon
                };
                let bytes_per_s = if until_s > 0.0 { bytes as f64 / until_s } else { 0.0 };
                let whole_s = (bytes > 0).then(|| label.rebuild.0 as f64 / bytes_per_s);
                Rebuild { bytes, bytes_per_s, whole_s }
            }),
            credits: None,
            write_cache: None,
            cache: None,
            scale: Some(label.scale),
            partial: measured.fault.clone(),
            given_up: measured.given_up.map(Op::name),
            streams: streams
                .map(|(stream, [read, write])| OfStream { stream, read: of(read), write: of(write) })
                .collect(),
            seconds: seconds(measured, duration_s),
            latencies: [Op::Read, Op::Write].into_iter().flat_map(|op| latencies(measured, op)).collect(),
        }
    }

    /// The outcome over the time in which anything was in flight.
    pub fn playback(&self) -> Playback {
        let busy_s = self.utilization * self.duration_s;
        let per = |amount: f64, of: f64| (of > 0.0).then(|| amount / of);
        let sum_ns =
            |of: &OfOp| of.latency_ns.as_ref().map_or(0.0, |latency| latency.mean * of.requests as f64);
        let requests = self.requests as f64;
        let all = requests + self.flush.requests as f64;
        Playback {
            busy_s,
            busy_bytes_per_s: per((self.host_read_bytes + self.host_written_bytes) as f64, busy_s),
            service_time_ns_mean: per(busy_s * 1e9, all),
            response_time_ns_mean: per(sum_ns(&self.read) + sum_ns(&self.write), requests),
        }
    }
}

fn quantiles(of: &Latencies) -> Option<Quantiles> {
    let mean = of.sum as f64 / of.count as f64;
    (of.count > 0).then(|| Quantiles::of(&of.histogram, mean, of.max))
}

/// Requests in flight times nanoseconds; where parts represent a longer run, their latencies, by Little's law.
fn area(measured: &Measured) -> u128 {
    if measured.recorder.is_weighed() { latency_sum(measured) } else { measured.recorder.area() }
}

fn latency_sum(measured: &Measured) -> u128 {
    Op::ALL.iter().map(|op| measured.recorder.latencies(*op).sum).sum()
}

fn littles_law_error(measured: &Measured) -> f64 {
    let (area, sum) = (area(measured) as f64, latency_sum(measured));
    if area > 0.0 { (area - sum as f64).abs() / area } else { 0.0 }
}

fn seconds(measured: &Measured, duration_s: f64) -> Vec<Second> {
    if measured.recorder.is_weighed() {
        return Vec::new();
    }
    let mean = |sum: u64, count: u64| if count > 0 { sum as f64 / count as f64 } else { 0.0 };
    let rows = measured.recorder.seconds();
    rows.map(|(index, row)| Second {
        second: index,
        reads: row.count[0],
        writes: row.count[1],
        read_bytes: row.bytes[0],
        written_bytes: row.bytes[1],
        queue_depth: queue_depth(row.area, duration_s - index as f64),
        read_latency_ns_mean: mean(row.latency_sum[0], row.count[0]),
        write_latency_ns_mean: mean(row.latency_sum[1], row.count[1]),
        read_latency_ns_max: row.latency_max[0],
        write_latency_ns_max: row.latency_max[1],
    })
    .collect()
}

/// The mean over a second, or over what the run has `left` of its last one.
fn queue_depth(area_ns: u64, left_s: f64) -> f64 {
    let length_s = left_s.min(1.0);
    if length_s > 1e-9 { area_ns as f64 / 1e9 / length_s } else { 0.0 }
}

fn latencies(measured: &Measured, op: Op) -> impl Iterator<Item = Latency> {
    let of_op = measured.recorder.latencies(op);
    let rows = of_op.histogram.iter_quantiles(LATENCY_ROWS_PER_HALVING);
    rows.filter(|row| row.count_since_last_iteration() > 0).map(move |row| Latency {
        op: op.name(),
        latency_ns: row.value_iterated_to().min(of_op.max),
        count: row.count_since_last_iteration(),
        quantile: row.quantile(),
    })
}
