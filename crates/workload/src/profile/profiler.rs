//! The one pass over a trace.

use super::alignment::Boundaries;
use super::burst::Burst;
use super::depth::Depth;
use super::detail::Detail;
use super::diurnal::diurnal;
use super::growth::Growth;
use super::heat_map::Grid;
use super::interarrival::Gaps;
use super::latency::Latency;
use super::rate::{Rate, Rounded, SecondRow, Span};
use super::ratio::ratio;
use super::response::{By, Response};
use super::sampled_blocks::{FollowLimits, SampledBlocks};
use super::seek::Seeks;
use super::sequential::Sequential;
use super::sizes::Sizes;
use super::streams::{Numbers, Streams};
use super::working_set::{Access, BLOCK_BYTES, WorkingSet};
use super::{Counted, Profile, Provenance, SCHEMA_VERSION, Source, daily};
use drivecast_block::{Nanos, Op, Record};
use std::collections::BTreeMap;

/// What can be chosen about a profile of a trace.
#[derive(Clone, Copy, Debug)]
pub struct ProfileOptions {
    /// Length of the peak window, taken up to whole seconds.
    pub peak_window: Nanos,
}

impl Default for ProfileOptions {
    fn default() -> ProfileOptions {
        ProfileOptions { peak_window: Nanos(60_000_000_000) }
    }
}

/// Requests that wait between asking memory for what they touch and touching it.
const WAITING: usize = 16;

/// Makes a [`Profile`] of records pushed one by one, in order of time. Memory does not grow with the number of records,
/// but with the addresses accessed, the seconds, the streams and the requests outstanding: each measure states how.
pub struct Profiler {
    options: ProfileOptions,
    span: Option<Span>,
    backward: u64,
    flushes: u64,
    discards: u64,
    empty: u64,
    bytes_discarded: u64,
    extent: u64,
    reads: Sizes,
    writes: Sizes,
    read_latency: Latency,
    write_latency: Latency,
    sequential: Sequential,
    gaps: Gaps,
    depth: Depth,
    rate: Rate,
    working_set: WorkingSet,
    growth: Growth,
    /// The latest requests, whose blocks are accessed when as many others have come.
    waiting: [Option<(Access, Record)>; WAITING],
    /// Requests that have waited.
    turn: usize,
    follow: SampledBlocks,
    alignment: Boundaries,
    seeks: Seeks,
    burst: Burst,
    stream_numbers: Numbers,
    streams: Streams,
    response: Response,
    grid: Grid,
}

impl Profiler {
    /// A profiler that has seen nothing.
    pub fn new(options: ProfileOptions) -> Profiler {
        Profiler::with_limits(options, FollowLimits::default())
    }

    /// A profiler that follows no more blocks than this.
    pub fn with_limits(options: ProfileOptions, limits: FollowLimits) -> Profiler {
        Profiler {
            options,
            span: None,
            backward: 0,
            flushes: 0,
            discards: 0,
            empty: 0,
            bytes_discarded: 0,
            extent: 0,
            reads: Sizes::new(Op::Read),
            writes: Sizes::new(Op::Write),
            read_latency: Latency::new(),
            write_latency: Latency::new(),
            sequential: Sequential::new(),
            gaps: Gaps::default(),
            depth: Depth::default(),
            rate: Rate::default(),
            working_set: WorkingSet::default(),
            growth: Growth::new(),
            waiting: [None; WAITING],
            turn: 0,
            follow: SampledBlocks::new(limits),
            alignment: Boundaries::default(),
            seeks: Seeks::new(),
            burst: Burst::default(),
            stream_numbers: Numbers::new(),
            streams: Streams::new(),
            response: Response::new(),
            grid: Grid::new(),
        }
    }

    /// Takes the next record. A time before the previous one is taken as the previous one; a request beyond the last
    /// address of 64 bits is taken as the one that ends there.
    #[inline]
    pub fn push(&mut self, record: &Record) {
        let span = self.span.get_or_insert(Span { first: record.time, last: record.time });
        self.backward += u64::from(record.time < span.last);
        span.last = span.last.max(record.time);
        let offset = record.offset.min(u64::MAX - u64::from(record.size));
        let record = Record { time: span.last, offset, ..*record };

        self.depth.add(&record, &mut self.rate);
        self.rate.add(&record);
        match record.op {
            Op::Flush => self.flushes += 1,
            Op::Discard => {
                self.discards += 1;
                self.bytes_discarded += u64::from(record.size);
            }
            _ if record.size == 0 => self.empty += 1,
            Op::Read | Op::Write => self.push_data(&record),
        }
    }

    #[inline]
    fn push_data(&mut self, record: &Record) {
        self.extent = self.extent.max(record.end());
        let stream = self.stream_numbers.number(record.stream);
        self.sequential.add(record, stream);
        self.seeks.add(record);
        self.alignment.add(record);
        self.streams.add(record, stream);
        self.gaps.add(record.time);
        self.burst.add(record.time);
        self.grid.add(record);
        self.response.add(record, self.depth.now());
        let bytes = record.offset..record.end();
        let (access, sizes, latencies) = if record.op == Op::Read {
            (Access::Read, &mut self.reads, &mut self.read_latency)
        } else {
            (Access::Write, &mut self.writes, &mut self.write_latency)
        };
        self.follow.add(access, &bytes, record.time);
        self.working_set.prefetch(record.offset);
        sizes.add(record.size);
        if let Some(latency) = record.latency {
            latencies.add(latency);
        }
        self.touch_later(Some((access, *record)));
    }

    /// Lets a request wait, and the one that has waited longest touch its blocks.
    #[inline]
    fn touch_later(&mut self, request: Option<(Access, Record)>) {
        let due = std::mem::replace(&mut self.waiting[self.turn % WAITING], request);
        self.turn += 1;
        if let Some((access, record)) = due {
            self.working_set.touch(access, record.offset..record.end());
            self.growth.add(record.time, record.size, self.working_set.footprint());
        }
    }

    /// The profile of what was pushed.
    #[must_use]
    pub fn finish(mut self) -> Profile {
        self.follow.finish();
        (0..WAITING).for_each(|_| self.touch_later(None));
        let span = self.span.unwrap_or(Span { first: Nanos::ZERO, last: Nanos::ZERO });
        let duration_s = span.seconds();
        let (reads, writes) = (self.reads.requests(), self.writes.requests());
        let (bytes_read, bytes_written) = (self.reads.bytes(), self.writes.bytes());
        let requests = reads + writes;
        let count = requests as f64;
        let bytes = bytes_read as f64 + bytes_written as f64;
        let has_depth = self.depth.is_known();
        let peak = self.rate.peak_second();
        let latencies = (self.read_latency.count() + self.write_latency.count()) as f64;
        let latency_sum_ns = self.read_latency.sum_ns() + self.write_latency.sum_ns();
        let [footprint, read, written] = self.working_sets();
        let block_writes = self.follow.block_writes();
        let written_again = block_writes.saturating_sub(written / BLOCK_BYTES);
        let seconds = self.rate.rows(span, has_depth);
        let mut profile = Profile {
            schema_version: SCHEMA_VERSION,
            source: Source::Trace,
            requests,
            reads,
            writes,
            flushes: Some(self.flushes),
            discards: Some(self.discards),
            empty_requests: Some(self.empty),
            bytes_read,
            bytes_written,
            bytes_discarded: Some(self.bytes_discarded),
            read_fraction: ratio(reads as f64, count),
            block_size_mean_bytes: ratio(bytes, count),
            read_size_mean_bytes: ratio(bytes_read as f64, reads as f64),
            write_size_mean_bytes: ratio(bytes_written as f64, writes as f64),
            sequential_fraction: ratio(self.sequential.overall() as f64, count),
            sequential_fraction_by_stream: ratio(self.sequential.by_stream() as f64, count),
            sequential_fraction_interleaved: ratio(self.sequential.interleaved() as f64, count),
            working_set_bytes: Some(footprint),
            working_set_read_bytes: Some(read),
            working_set_write_bytes: Some(written),
            extent_bytes: Some(self.extent),
            duration_s,
            counted: Counted::default(),
            iops_mean: ratio(count, duration_s),
            iops_peak_1s: peak.map(|(_, requests)| requests as f64),
            iops_peak_1s_at_s: peak.map(|(second, _)| second),
            throughput_mean_bytes_per_s: ratio(bytes, duration_s),
            queue_depth_mean: ratio(self.depth.depth_s(), duration_s).filter(|_| has_depth),
            queue_depth_max: has_depth.then(|| self.depth.most()),
            latency_ns_mean: ratio(latency_sum_ns, latencies),
            read_latency_ns: self.read_latency.summary(),
            write_latency_ns: self.write_latency.summary(),
            overwrite_fraction: ratio(written_again as f64, block_writes as f64),
            update_distance_bytes: self.follow.succession.update_distance_bytes(),
            interarrival: self.gaps.summary(),
            write_bytes_per_day: daily(bytes_written as f64, duration_s),
            peak_window: self.rate.peak_window(span, (self.options.peak_window, Rounded(false)), has_depth),
            sizes: (requests > 0).then(|| self.reads.counts().chain(self.writes.counts()).collect()),
            heat_map: self.grid.map(),
            detail: Detail::default(),
            seconds,
            provenance: BTreeMap::new(),
            assumptions: Vec::new(),
        };
        self.explain(&mut profile);
        if requests > 0 {
            profile.detail = self.detail(span, &profile.seconds);
        }
        profile.list_undefined();
        profile
    }

    /// Says which values are not plain measurements.
    fn explain(&self, profile: &mut Profile) {
        profile.explain_day();
        if self.backward > 0 {
            let reason = format!("{} records ran backwards in time and count as simultaneous", self.backward);
            profile.assume("interarrival", Provenance::Derived, reason);
        }
        if self.rate.beyond() > 0 {
            let reason =
                format!("{} records after the first 48 days are not in the series", self.rate.beyond());
            profile.assume("seconds", Provenance::Derived, reason.clone());
            profile.assume("peak_window", Provenance::Derived, reason);
        }
        if self.depth.beyond() > 0 {
            let reason = format!(
                "{} requests were issued while 8,388,608 others were outstanding, and enter no depth",
                self.depth.beyond()
            );
            profile.assume("queue_depth_mean", Provenance::Derived, reason.clone());
            profile.assume("queue_depth_max", Provenance::Derived, reason);
        }
        let rate = self.follow.followed().rate;
        if rate < 1.0 {
            let reason =
                format!("a sample of 1 in {:.0} of the 64 KiB groups of blocks was followed", 1.0 / rate);
            for key in FOLLOWED_KEYS {
                profile.assume(key, Provenance::Derived, reason.clone());
            }
        }
        if self.working_set.untracked() > 0 {
            let reason = format!(
                "{} block accesses fell outside the 4 TiB of addresses whose blocks are counted; the sample followed tells",
                self.working_set.untracked()
            );
            let keys = [
                "working_set_bytes",
                "working_set_read_bytes",
                "working_set_write_bytes",
                "overwrite_fraction",
            ];
            for key in keys {
                profile.assume(key, Provenance::Derived, reason.clone());
            }
        }
    }

    /// Distinct bytes accessed, read and written: counted, or what the blocks followed represent.
    fn working_sets(&self) -> [u64; 3] {
        if self.working_set.untracked() > 0 {
            return self.follow.estimates();
        }
        let footprint = self.working_set.footprint();
        [footprint.bytes(), footprint.bytes_read(), footprint.bytes_written()]
    }

    /// What only single requests show.
    fn detail(self, span: Span, seconds: &[SecondRow]) -> Detail {
        let followed = self.follow.followed();
        let popularity = self.follow.popularity();
        let is_counted = self.working_set.untracked() == 0;
        Detail {
            alignment: Some(self.alignment.rows()),
            runs: self.sequential.runs(),
            seek: self.seeks.summary(),
            followed: Some(followed),
            miss_ratio_curves: Some(self.follow.miss_ratios.curves(followed.rate)),
            reuse_distance_bytes: Some(self.follow.miss_ratios.reuse()),
            succession: Some(self.follow.succession.rows()),
            update_interval_ns: self.follow.succession.update_interval_ns(),
            writes_per_block: popularity.writes_per_block,
            popularity: Some(popularity.rows),
            working_set_growth: is_counted.then(|| self.growth.rows(span.last)),
            dispersion: self.burst.dispersion(),
            hurst: self.burst.hurst(),
            diurnal: diurnal(seconds, span.seconds()),
            streams: Some(self.streams.rows()),
            latency_by_size: self.response.rows(By::Size),
            latency_by_depth: self.response.rows(By::Depth),
            latency_by_size_and_depth: self.response.rows(By::SizeAndDepth),
        }
    }
}

/// What is based on the blocks followed.
const FOLLOWED_KEYS: [&str; 8] = [
    "miss_ratio_curves",
    "reuse_distance_bytes",
    "succession",
    "update_distance_bytes",
    "update_interval_ns",
    "writes_per_block",
    "popularity",
    "followed",
];
