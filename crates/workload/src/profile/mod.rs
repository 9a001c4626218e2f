//! What a recording shows of a workload, in one pass.
//!
//! MODEL. A trace is a sequence of requests with issue times and, where it has completions, latencies; the
//! [`Profiler`] pushes each through a handful of independent measures, each in a module of its own that states its
//! definition. *Requests* are reads and writes that move data; flushes, discards and requests of no size are counted
//! apart and enter nothing else but the queue depth. A counter log holds sums over intervals; the [`CounterProfiler`]
//! makes the same [`Profile`] from it as far as sums allow. What is unknown is `null`, never zero.

mod alignment;
mod block;
mod block_transitions;
mod burst;
mod counters;
mod depth;
mod detail;
mod distribution;
mod diurnal;
mod growth;
mod heat_map;
mod inferred;
mod interarrival;
mod latency;
mod miss_ratio;
mod popularity;
mod profiler;
mod rate;
mod ratio;
mod response;
mod sampled_blocks;
mod seek;
mod sequential;
mod sizes;
mod streams;
mod working_set;

pub use alignment::Alignment;
pub use block_transitions::SuccessionRow;
pub use burst::{DispersionRow, Hurst, HurstEstimate};
pub use counters::{CounterOptions, CounterProfiler};
pub use detail::Detail;
pub use distribution::{Below, Distribution};
pub use diurnal::{Diurnal, HourRow};
pub use growth::GrowthRow;
pub use heat_map::HeatMap;
pub use inferred::{Directed, SequentialShare, ShareInterval};
pub use interarrival::Interarrival;
pub use latency::LatencySummary;
pub use miss_ratio::{MissRatio, MissRatioCurve};
pub use popularity::PopularityRow;
pub use profiler::{ProfileOptions, Profiler};
pub use rate::{PeakWindow, SecondRow};
pub use response::ResponseRow;
pub use sampled_blocks::{FollowLimits, Followed};
pub use seek::SeekDistance;
pub use sequential::Runs;
pub use sizes::SizeCount;
pub use streams::StreamRow;

use ratio::ratio;
use serde::Serialize;
use std::collections::BTreeMap;

/// The version of the JSON shape.
pub const SCHEMA_VERSION: u32 = 1;

/// What a profile was made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// A trace of requests.
    Trace,
    /// A log of counters.
    Counters,
}

/// Where a value comes from, if it was not measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Provenance {
    /// Computed from measured values under a premise that [`Profile::assumptions`] states.
    Derived,
    /// Not in the recording; a later stage needs it, and [`Profile::assumptions`] says why this value.
    Assumed,
    /// Not in the recording, and `null`.
    Undefined,
}

/// A premise behind a value that was not measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Assumption {
    /// The key of the profile it concerns.
    pub key: &'static str,
    /// The premise, as a sentence without a full stop.
    pub reason: String,
}

/// What a profile has of a counter log alone; all is left out of that of a trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Counted {
    /// The mean length of the samples.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval_s: Option<f64>,
    /// The sequential share as inferred, of which `sequential_fraction` is the value of all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sequential_share: Option<SequentialShare>,
    /// Where they are counted: reads joined to a neighbour, which are not among the reads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reads_merged: Option<u64>,
    /// Writes joined to a neighbour, which are not among the writes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub writes_merged: Option<u64>,
}

/// A workload, characterised. Serialises to the `profile` document, `schema_version` 1. Fractions and quantiles lie in
/// [0, 1]; `None` is `null`: unknown from the recording.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Profile {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// What it was made from.
    pub source: Source,
    /// Reads and writes that move data.
    pub requests: u64,
    /// Reads that move data.
    pub reads: u64,
    /// Writes that move data.
    pub writes: u64,
    /// Flushes.
    pub flushes: Option<u64>,
    /// Discards.
    pub discards: Option<u64>,
    /// Reads and writes of no size.
    pub empty_requests: Option<u64>,
    /// Bytes read.
    pub bytes_read: u64,
    /// Bytes written.
    pub bytes_written: u64,
    /// Bytes discarded.
    pub bytes_discarded: Option<u64>,
    /// Reads / requests.
    pub read_fraction: Option<f64>,
    /// Mean size of a request.
    pub block_size_mean_bytes: Option<f64>,
    /// Mean size of a read.
    pub read_size_mean_bytes: Option<f64>,
    /// Mean size of a write.
    pub write_size_mean_bytes: Option<f64>,
    /// Share of the requests that begin where the previous request ended.
    pub sequential_fraction: Option<f64>,
    /// Share that begin where the previous request of the same stream ended.
    pub sequential_fraction_by_stream: Option<f64>,
    /// Share that continue one of the 16 runs last continued.
    pub sequential_fraction_interleaved: Option<f64>,
    /// Distinct 4 KiB blocks accessed, in bytes.
    pub working_set_bytes: Option<u64>,
    /// Distinct 4 KiB blocks read.
    pub working_set_read_bytes: Option<u64>,
    /// Distinct 4 KiB blocks written.
    pub working_set_write_bytes: Option<u64>,
    /// The first address behind all requests.
    pub extent_bytes: Option<u64>,
    /// From the first issue to the last, of any operation; of counters, the sum of the intervals.
    pub duration_s: f64,
    /// What only counters show; its keys are among the others.
    #[serde(flatten)]
    pub counted: Counted,
    /// Requests / duration.
    pub iops_mean: Option<f64>,
    /// Requests issued in the busiest second.
    pub iops_peak_1s: Option<f64>,
    /// That second, from the start of the recording.
    pub iops_peak_1s_at_s: Option<u64>,
    /// Bytes read and written / duration.
    pub throughput_mean_bytes_per_s: Option<f64>,
    /// Requests outstanding, averaged over the duration; flushes and discards count.
    pub queue_depth_mean: Option<f64>,
    /// Most requests outstanding at once.
    pub queue_depth_max: Option<u64>,
    /// Mean latency of a request.
    pub latency_ns_mean: Option<f64>,
    /// Latency of the reads.
    pub read_latency_ns: Option<LatencySummary>,
    /// Latency of the writes.
    pub write_latency_ns: Option<LatencySummary>,
    /// Share of the 4 KiB blocks written that had been written before in the recording.
    pub overwrite_fraction: Option<f64>,
    /// Bytes written from one write of a block to its next.
    pub update_distance_bytes: Option<Distribution>,
    /// How evenly the requests arrive.
    pub interarrival: Option<Interarrival>,
    /// Bytes written in 24 h like this recording.
    pub write_bytes_per_day: Option<f64>,
    /// The busiest stretch.
    pub peak_window: Option<PeakWindow>,
    /// How many requests of each size.
    pub sizes: Option<Vec<SizeCount>>,
    /// The recording, second by second.
    pub seconds: Vec<SecondRow>,
    /// Requests over time and address.
    pub heat_map: Option<HeatMap>,
    /// What only a trace of single requests shows; its keys are among the others.
    #[serde(flatten)]
    pub detail: Detail,
    /// Where the values come from that were not measured.
    pub provenance: BTreeMap<String, Provenance>,
    /// The premises behind them.
    pub assumptions: Vec<Assumption>,
}

impl Profile {
    /// Enters a value that was not measured, with its premise.
    fn assume(&mut self, key: &'static str, provenance: Provenance, reason: impl Into<String>) {
        self.provenance.insert(key.to_owned(), provenance);
        self.assumptions.push(Assumption { key, reason: reason.into() });
    }

    /// Marks what rests on times that the log does not have.
    pub fn assume_times(&mut self) {
        let keys = [
            "duration_s",
            "iops_mean",
            "iops_peak_1s",
            "iops_peak_1s_at_s",
            "throughput_mean_bytes_per_s",
            "peak_window",
            "write_bytes_per_day",
            "interarrival",
            "seconds",
        ];
        self.assume_all(
            &keys,
            "the log has no times: requests are taken as evenly apart (`--interval` sets how far)",
        );
    }

    /// Marks what rests on addresses of several disks, which overlap.
    pub fn assume_addresses(&mut self) {
        let keys = [
            "sequential_fraction",
            "working_set_bytes",
            "working_set_read_bytes",
            "working_set_write_bytes",
            "overwrite_fraction",
            "update_distance_bytes",
        ];
        self.assume_all(&keys, "several disks share the trace, and equal addresses are taken as equal places (`--disk` chooses one)");
    }

    fn assume_all(&mut self, keys: &[&'static str], reason: &str) {
        for key in keys {
            if self.provenance.get(*key) != Some(&Provenance::Undefined) {
                self.assume(key, Provenance::Assumed, reason);
            }
        }
    }

    /// Says what the daily writes are based on.
    fn explain_day(&mut self) {
        if let Some(day) = self.write_bytes_per_day {
            let (length_s, rate) = (self.duration_s, day / DAY_S);
            let reason = format!("24 h like these {length_s:.0} s, which wrote {rate:.0} B a second");
            self.assume("write_bytes_per_day", Provenance::Derived, reason);
        }
    }

    /// Lists every key that is null as undefined.
    fn list_undefined(&mut self) {
        // The series is never null, and may be long: it is set aside while the keys are looked through.
        let seconds = std::mem::take(&mut self.seconds);
        let keys = serde_json::to_value(&*self);
        self.seconds = seconds;
        let Ok(serde_json::Value::Object(keys)) = keys else { return };
        let undefined = keys.into_iter().filter(|(_, value)| value.is_null());
        self.provenance.extend(undefined.map(|(key, _)| (key, Provenance::Undefined)));
    }
}

const DAY_S: f64 = 86_400.0;

/// What is written in 24 h at the mean rate of the recording.
fn daily(written_bytes: f64, duration_s: f64) -> Option<f64> {
    ratio(written_bytes * DAY_S, duration_s)
}
