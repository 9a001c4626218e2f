//! The same profile from a counter log.
//!
//! MODEL. A log holds, interval by interval, how many requests of which sum of bytes a disk completed. Within an interval
//! the rate is taken as constant, so that the counts at every whole second are known, and the seconds are their
//! differences; for a log of one-second intervals these are its samples. The busiest sample is one of the log, not a second of what was
//! spread. Means of latency are weighted by requests, the mean queue depth by the time of the samples that have one. Sums say nothing of addresses: how many requests are
//! in order is inferred ([`super::inferred`]), and that no block is accessed twice is `assumed`, the case that asks most of a drive.

use super::inferred::{Directed, SequentialShare};
use super::rate::{Rate, Rounded, Second, Span};
use super::{
    Counted, Detail, LatencySummary, Profile, ProfileOptions, Provenance, SCHEMA_VERSION, Source, daily,
    ratio,
};
use drivecast_block::{Bytes, Nanos, Sample};
use std::collections::BTreeMap;

const SECOND_NS: u64 = 1_000_000_000;
/// Intervals up to this long count as a second: tools sleep a second between samples and take a little longer.
const SECOND_NS_MAX: u64 = 1_100_000_000;
/// Shorter ones are put together to seconds.
const SECOND_NS_MIN: u64 = 900_000_000;

/// What can be chosen about a profile of a counter log.
#[derive(Clone, Debug, Default)]
pub struct CounterOptions {
    /// The options shared with traces.
    pub profile: ProfileOptions,
    /// The disk; absent: the disk of the first sample. Samples of other disks are passed over.
    pub disk: Option<String>,
    /// The size of that disk, if known: its working set is no larger.
    pub capacity: Option<Bytes>,
    /// Whether the log counts reads and writes together, so that the samples split them in proportion to the bytes.
    pub merged_requests: bool,
    /// Whether the log has one mean latency for reads and writes, which the samples have for each.
    pub merged_latency: bool,
}

/// Running totals of the log, or their growth.
#[derive(Clone, Copy, Debug, Default)]
struct Totals {
    reads: f64,
    writes: f64,
    flushes: f64,
    read_bytes: f64,
    written_bytes: f64,
    reads_merged: f64,
    writes_merged: f64,
    depth_ns: f64,
}

impl Totals {
    fn each(self, other: Totals, combine: impl Fn(f64, f64) -> f64) -> Totals {
        Totals {
            reads: combine(self.reads, other.reads),
            writes: combine(self.writes, other.writes),
            flushes: combine(self.flushes, other.flushes),
            read_bytes: combine(self.read_bytes, other.read_bytes),
            written_bytes: combine(self.written_bytes, other.written_bytes),
            reads_merged: combine(self.reads_merged, other.reads_merged),
            writes_merged: combine(self.writes_merged, other.writes_merged),
            depth_ns: combine(self.depth_ns, other.depth_ns),
        }
    }
}

/// A mean of latencies, weighted by requests.
#[derive(Clone, Copy, Debug, Default)]
struct Latencies {
    sum_ns: f64,
    requests: f64,
}

impl Latencies {
    fn add(&mut self, latency: Option<Nanos>, requests: f64) {
        if let Some(latency) = latency.filter(|_| requests > 0.0) {
            self.sum_ns += latency.0 as f64 * requests;
            self.requests += requests;
        }
    }

    fn mean(self) -> Option<f64> {
        ratio(self.sum_ns, self.requests)
    }
}

/// Makes a [`Profile`] of the samples of one disk, pushed in order of time.
pub struct CounterProfiler {
    options: CounterOptions,
    totals: Totals,
    read_latency: Latencies,
    write_latency: Latencies,
    first: Option<Nanos>,
    last: Nanos,
    measured_ns: u64,
    samples: u64,
    interval_max: Nanos,
    has_flushes: bool,
    has_merges: bool,
    has_depth: bool,
    /// Time of the samples with a queue depth.
    depth_measured_ns: u64,
    /// Start, end and requests a second of samples of a second or more, in order.
    rates: Vec<(Nanos, Nanos, f64)>,
    rate: Rate,
}

impl CounterProfiler {
    /// A profiler that has seen nothing.
    pub fn new(options: CounterOptions) -> CounterProfiler {
        CounterProfiler {
            options,
            totals: Totals::default(),
            read_latency: Latencies::default(),
            write_latency: Latencies::default(),
            first: None,
            last: Nanos::ZERO,
            measured_ns: 0,
            samples: 0,
            interval_max: Nanos::ZERO,
            has_flushes: false,
            has_merges: false,
            has_depth: false,
            depth_measured_ns: 0,
            rates: Vec::new(),
            rate: Rate::default(),
        }
    }

    /// Takes the next sample. Samples of other disks, of no length or overlapping the previous one are passed over.
    pub fn push(&mut self, sample: &Sample) {
        let disk = self.options.disk.get_or_insert_with(|| sample.disk.clone());
        let start = Nanos(sample.time.0.saturating_sub(sample.interval.0));
        // Times are rounded by the tools, so neighbours may overlap by a little.
        let overlaps = start.0.saturating_add(sample.interval.0 / 2) < self.last.0;
        if *disk != sample.disk || sample.interval == Nanos::ZERO || overlaps {
            return;
        }
        self.first.get_or_insert(start);
        self.interval_max = self.interval_max.max(sample.interval);
        self.measured_ns += sample.interval.0;
        self.samples += 1;
        self.has_flushes |= sample.flushes.is_some();
        self.has_merges |= sample.reads_merged.is_some() || sample.writes_merged.is_some();
        if sample.queue_depth.is_some() {
            self.has_depth = true;
            self.depth_measured_ns += sample.interval.0;
        }
        if sample.interval.0 >= SECOND_NS_MIN {
            let rate = ratio(sample.reads + sample.writes, sample.interval.as_secs_f64());
            self.rates.push((start, sample.time, rate.unwrap_or(0.0)));
        }
        self.read_latency.add(sample.read_latency, sample.reads);
        self.write_latency.add(sample.write_latency, sample.writes);
        let growth = Totals {
            reads: sample.reads,
            writes: sample.writes,
            flushes: sample.flushes.unwrap_or(0.0),
            read_bytes: sample.read_bytes,
            written_bytes: sample.written_bytes,
            reads_merged: sample.reads_merged.unwrap_or(0.0),
            writes_merged: sample.writes_merged.unwrap_or(0.0),
            depth_ns: sample.queue_depth.unwrap_or(0.0) * sample.interval.0 as f64,
        };
        self.spread(growth, start.max(self.last), sample.time);
    }

    /// Spreads the growth of an interval evenly over its seconds. Each second gets the difference of the rounded totals
    /// at its ends, so that whatever is rounded off in one second comes in the next.
    fn spread(&mut self, growth: Totals, start: Nanos, end: Nanos) {
        let before = self.totals;
        let length = end.since(start).0 as f64;
        let mut from = start;
        while from < end {
            let to = Nanos(end.0.min((from.0 / SECOND_NS + 1).saturating_mul(SECOND_NS)));
            let share = if to == end { 1.0 } else { to.since(start).0 as f64 / length };
            let after = before.each(growth, |total, more| total + more * share);
            let step = after.each(self.totals, |after, before| after.round() - before.round());
            let Some(second) = self.rate.second(from) else { break };
            second.accept(step);
            self.totals = after;
            from = to;
        }
        self.totals = before.each(growth, |total, more| total + more);
        self.last = end;
    }

    /// The busiest of the samples that reach into a stretch, where they are of a second or more: when it began, and its rate.
    fn busiest_sample(&self, from: Nanos, to: Nanos) -> Option<(u64, f64)> {
        let within = self.rates.iter().filter(|(start, end, _)| *end > from && *start < to);
        let first_largest = within.fold(None, |best: Option<&(Nanos, Nanos, f64)>, sample| match best {
            Some(most) if most.2 >= sample.2 => best,
            _ => Some(sample),
        });
        first_largest
            .filter(|_| self.rates.len() as u64 == self.samples)
            .map(|(start, _, rate)| (start.0 / SECOND_NS, *rate))
    }

    /// What is counted but requests and bytes, and what follows of it for the order of requests.
    fn counted(&self) -> Counted {
        let total = &self.totals;
        let directed = |requests, merged, bytes| Directed { requests, merged, bytes };
        let reads = directed(total.reads, total.reads_merged, total.read_bytes);
        let writes = directed(total.writes, total.writes_merged, total.written_bytes);
        let merged = |count: f64| self.has_merges.then(|| count.round() as u64);
        Counted {
            interval_s: ratio(Nanos(self.measured_ns).as_secs_f64(), self.samples as f64),
            sequential_share: SequentialShare::of(reads, writes),
            reads_merged: merged(total.reads_merged),
            writes_merged: merged(total.writes_merged),
        }
    }

    /// The profile of what was pushed.
    #[must_use]
    pub fn finish(self) -> Profile {
        let span = Span { first: self.first.unwrap_or_default(), last: self.last };
        let duration_s = Nanos(self.measured_ns).as_secs_f64();
        let total = self.totals;
        let whole = |value: f64| value.round() as u64;
        let (reads, writes) = (whole(total.reads), whole(total.writes));
        let bytes = total.read_bytes + total.written_bytes;
        let count = total.reads + total.writes;
        let second = self.rate.peak_second().map(|(second, requests)| (second, requests as f64));
        let peak = second.map(|second| self.busiest_sample(Nanos::ZERO, Nanos(u64::MAX)).unwrap_or(second));
        let both = Latencies {
            sum_ns: self.read_latency.sum_ns + self.write_latency.sum_ns,
            requests: self.read_latency.requests + self.write_latency.requests,
        };
        let window = self.options.profile.peak_window;
        let mut profile = Profile {
            schema_version: SCHEMA_VERSION,
            source: Source::Counters,
            requests: reads + writes,
            reads,
            writes,
            flushes: self.has_flushes.then(|| whole(total.flushes)),
            discards: None,
            empty_requests: None,
            bytes_read: whole(total.read_bytes),
            bytes_written: whole(total.written_bytes),
            bytes_discarded: None,
            read_fraction: ratio(total.reads, count),
            block_size_mean_bytes: ratio(bytes, count),
            read_size_mean_bytes: ratio(total.read_bytes, total.reads),
            write_size_mean_bytes: ratio(total.written_bytes, total.writes),
            sequential_fraction: None,
            sequential_fraction_by_stream: None,
            sequential_fraction_interleaved: None,
            working_set_bytes: None,
            working_set_read_bytes: None,
            working_set_write_bytes: None,
            extent_bytes: None,
            duration_s,
            counted: self.counted(),
            iops_mean: ratio(count, duration_s),
            iops_peak_1s: peak.map(|(_, rate)| rate),
            iops_peak_1s_at_s: peak.map(|(second, _)| second),
            throughput_mean_bytes_per_s: ratio(bytes, duration_s),
            queue_depth_mean: ratio(total.depth_ns, self.depth_measured_ns as f64).filter(|_| self.has_depth),
            queue_depth_max: None,
            latency_ns_mean: both.mean(),
            read_latency_ns: self.read_latency.mean().map(LatencySummary::of_mean),
            write_latency_ns: self.write_latency.mean().map(LatencySummary::of_mean),
            overwrite_fraction: None,
            update_distance_bytes: None,
            interarrival: None,
            write_bytes_per_day: daily(total.written_bytes, duration_s),
            peak_window: self.rate.peak_window(span, (window, Rounded(true)), self.has_depth),
            sizes: None,
            seconds: self.rate.rows(span, self.has_depth),
            heat_map: None,
            detail: Detail::default(),
            provenance: BTreeMap::new(),
            assumptions: Vec::new(),
        };
        if let Some(window) = &mut profile.peak_window {
            let from = Nanos((window.start_s * 1e9) as u64);
            let to = Nanos(from.0.saturating_add((window.length_s * 1e9) as u64));
            window.iops_peak_1s = self.busiest_sample(from, to).map_or(window.iops_peak_1s, |(_, rate)| rate);
        }
        self.assume(&mut profile);
        self.explain(&mut profile);
        profile
    }

    /// Marks what the log has only together for reads and writes.
    fn mark_merged(&self, profile: &mut Profile) {
        let mut mark = |keys: &[&'static str], reason: &str| {
            keys.iter().for_each(|key| profile.assume(key, Provenance::Assumed, reason));
        };
        if self.options.merged_requests {
            let keys = ["reads", "writes", "read_fraction", "read_size_mean_bytes", "write_size_mean_bytes"];
            mark(&keys, "the log counts reads and writes together; split in proportion to the bytes");
        }
        if self.options.merged_latency {
            let keys = ["read_latency_ns", "write_latency_ns"];
            mark(&keys, "the log has one mean latency for reads and writes; it stands for each");
        }
    }

    /// Says how many requests are in order, as far as it can be inferred.
    fn infer_runs(&self, profile: &mut Profile) {
        let Some(found) = profile.counted.sequential_share else { return };
        let [low, high] = [found.all.low, found.all.high].map(|share| 100.0 * share);
        let from = if self.has_merges { "sizes and merges of requests" } else { "sizes of requests alone" };
        let reason = format!(
            "counters hold no addresses; inferred from {from}, between {low:.0} and {high:.0} %, with `sequential_share` in full"
        );
        profile.sequential_fraction = Some(found.all.value);
        profile.assume("sequential_fraction", Provenance::Assumed, reason);
    }

    /// Fills in what later stages need and counters do not have.
    fn assume(&self, profile: &mut Profile) {
        use Provenance::Assumed;
        self.mark_merged(profile);
        self.infer_runs(profile);
        let limit = self.options.capacity.map_or(u64::MAX, |capacity| capacity.0);
        let no_address =
            "counters hold no addresses; no block is taken as accessed twice, up to the capacity if known";
        let (read, written) = (profile.bytes_read, profile.bytes_written);
        profile.working_set_bytes = Some(read.saturating_add(written).min(limit));
        profile.working_set_read_bytes = Some(read.min(limit));
        profile.working_set_write_bytes = Some(written.min(limit));
        for key in ["working_set_bytes", "working_set_read_bytes", "working_set_write_bytes"] {
            profile.assume(key, Assumed, no_address);
        }
        profile.overwrite_fraction = ratio(written.saturating_sub(limit) as f64, written as f64);
        if profile.overwrite_fraction.is_some() {
            profile.assume("overwrite_fraction", Assumed, no_address);
        }
    }

    /// Says which values are not plain measurements.
    fn explain(&self, profile: &mut Profile) {
        profile.explain_day();
        if self.interval_max.0 > SECOND_NS_MAX {
            let reason =
                format!("the rate is taken as constant within an interval of up to {}", self.interval_max);
            for key in ["iops_peak_1s", "iops_peak_1s_at_s", "peak_window", "seconds"] {
                profile.assume(key, Provenance::Derived, reason.clone());
            }
        }
        profile.list_undefined();
    }
}

impl Second {
    fn accept(&mut self, step: Totals) {
        self.reads += step.reads as u64;
        self.writes += step.writes as u64;
        self.flushes += step.flushes as u32;
        self.read_bytes += step.read_bytes as u64;
        self.written_bytes += step.written_bytes as u64;
        self.depth_ns += step.depth_ns as u64;
    }
}
