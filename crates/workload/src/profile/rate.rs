//! The recording second by second, its busiest second and its busiest stretch.
//!
//! DEFINITION. Second k holds what was issued in [k, k + 1) s from the start of the recording. The peak second is the one
//! with most requests. The peak window of length W is the stretch of ⌈W⌉ whole seconds with most requests, begun at any
//! second; a recording no longer than W is its own window. Of equals the earliest; seconds of a counter log are rounded, so
//! that there windows within 10⁻⁵ are equal. The series holds 2²² seconds (48 days),
//! 48 B each; what comes later is not in it, and the profile says so.

use super::ratio::ratio;
use drivecast_block::{Nanos, Op, Record};
use serde::Serialize;

const SECOND_NS: u64 = 1_000_000_000;
const SECONDS_MAX: usize = 1 << 22;

/// One second of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SecondRow {
    /// Seconds from the start of the recording.
    pub second: u64,
    /// Reads issued.
    pub reads: u64,
    /// Writes issued.
    pub writes: u64,
    /// Flushes issued.
    pub flushes: u64,
    /// Discards issued.
    pub discards: u64,
    /// Bytes read.
    pub read_bytes: u64,
    /// Bytes written.
    pub written_bytes: u64,
    /// Requests outstanding, averaged over the second as far as it was recorded.
    pub queue_depth: Option<f64>,
}

/// The busiest stretch of a recording.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PeakWindow {
    /// Where it begins, from the start of the recording.
    pub start_s: f64,
    /// How long it is.
    pub length_s: f64,
    /// Its requests.
    pub requests: u64,
    /// Requests / length.
    pub iops_mean: Option<f64>,
    /// Requests of its busiest second.
    pub iops_peak_1s: f64,
    /// Bytes / length.
    pub throughput_bytes_per_s: Option<f64>,
    /// Reads / requests.
    pub read_fraction: Option<f64>,
    /// Requests outstanding, averaged over the window.
    pub queue_depth_mean: Option<f64>,
}

/// What one second holds; also a sum over seconds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Second {
    pub(super) reads: u64,
    pub(super) writes: u64,
    pub(super) flushes: u32,
    pub(super) discards: u32,
    pub(super) read_bytes: u64,
    pub(super) written_bytes: u64,
    /// The integral of the queue depth over the second.
    pub(super) depth_ns: u64,
}

impl Second {
    fn requests(&self) -> u64 {
        self.reads + self.writes
    }
}

/// From the first issue to the last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) first: Nanos,
    pub(super) last: Nanos,
}

impl Span {
    pub(super) fn seconds(self) -> f64 {
        self.last.since(self.first).as_secs_f64()
    }

    /// How much of second `k` lies within.
    fn of_second(self, k: usize) -> f64 {
        let start = k as u64 * SECOND_NS;
        let end = self.last.0.min(start + SECOND_NS);
        Nanos(end).since(Nanos(self.first.0.max(start))).as_secs_f64()
    }
}

/// The series of seconds.
#[derive(Default)]
pub(super) struct Rate {
    seconds: Vec<Second>,
    /// Records beyond the end of the series.
    beyond: u64,
}

impl Rate {
    /// The second at `time`, if the series reaches so far.
    #[inline]
    pub(super) fn second(&mut self, time: Nanos) -> Option<&mut Second> {
        let index = (time.0 / SECOND_NS) as usize;
        if index >= self.seconds.len() {
            if index >= SECONDS_MAX {
                return None;
            }
            self.seconds.resize(index + 1, Second::default());
        }
        self.seconds.get_mut(index)
    }

    #[inline]
    pub(super) fn add(&mut self, record: &Record) {
        let Some(second) = self.second(record.time) else {
            self.beyond += 1;
            return;
        };
        match record.op {
            Op::Flush => second.flushes += 1,
            Op::Discard => second.discards += 1,
            _ if record.size == 0 => {}
            Op::Read => {
                second.reads += 1;
                second.read_bytes += u64::from(record.size);
            }
            Op::Write => {
                second.writes += 1;
                second.written_bytes += u64::from(record.size);
            }
        }
    }

    /// `depth` requests were outstanding from `from` to `to`.
    #[inline]
    pub(super) fn add_depth(&mut self, mut from: Nanos, mut to: Nanos, depth: u64) {
        if to.0 / SECOND_NS >= SECONDS_MAX as u64 {
            // The request that let time pass is not in the series, so the series does not grow towards it.
            to = to.min(Nanos(self.seconds.len() as u64 * SECOND_NS));
        }
        while from < to {
            let Some(second) = self.second(from) else { return };
            let second_end = (from.0 / SECOND_NS + 1).saturating_mul(SECOND_NS);
            let end = to.0.min(second_end);
            second.depth_ns = second.depth_ns.saturating_add(depth.saturating_mul(end - from.0));
            from = Nanos(end);
        }
    }

    /// Records that the series does not hold.
    pub(super) fn beyond(&self) -> u64 {
        self.beyond
    }

    /// The busiest second and its requests.
    pub(super) fn peak_second(&self) -> Option<(u64, u64)> {
        busiest(self.seconds.iter().map(Second::requests), Rounded(false))
            .map(|(k, requests)| (k as u64, requests))
    }

    /// The rows of the series; queue depths only where they are known.
    pub(super) fn rows(&self, span: Span, has_depth: bool) -> Vec<SecondRow> {
        let row = |(k, second): (usize, &Second)| SecondRow {
            second: k as u64,
            reads: second.reads,
            writes: second.writes,
            flushes: u64::from(second.flushes),
            discards: u64::from(second.discards),
            read_bytes: second.read_bytes,
            written_bytes: second.written_bytes,
            queue_depth: has_depth.then(|| mean_depth(second.depth_ns, span.of_second(k))),
        };
        self.seconds.iter().enumerate().map(row).collect()
    }

    /// The busiest stretch of `length`.
    pub(super) fn peak_window(
        &self,
        span: Span,
        (length, rounded): (Nanos, Rounded),
        has_depth: bool,
    ) -> Option<PeakWindow> {
        self.peak_second()?;
        let width = usize::try_from(length.0.div_ceil(SECOND_NS).max(1)).unwrap_or(usize::MAX);
        let whole = span.last.since(span.first) <= length || self.seconds.len() < width;
        let (window, start_s, length_s) = if whole {
            (&self.seconds[..], span.first.as_secs_f64(), span.seconds())
        } else {
            let start = self.busiest_start(width, rounded);
            (&self.seconds[start..start + width], start as f64, width as f64)
        };
        let sum = |value: fn(&Second) -> u64| window.iter().map(value).sum::<u64>();
        let (reads, requests) = (sum(|second| second.reads), sum(Second::requests));
        let bytes = sum(|second| second.read_bytes + second.written_bytes);
        Some(PeakWindow {
            start_s,
            length_s,
            requests,
            iops_mean: ratio(requests as f64, length_s),
            iops_peak_1s: window.iter().map(Second::requests).max().unwrap_or(0) as f64,
            throughput_bytes_per_s: ratio(bytes as f64, length_s),
            read_fraction: ratio(reads as f64, requests as f64),
            queue_depth_mean: has_depth.then(|| mean_depth(sum(|second| second.depth_ns), length_s)),
        })
    }

    /// Where the busiest `width` seconds begin.
    fn busiest_start(&self, width: usize, rounded: Rounded) -> usize {
        let first: u64 = self.seconds[..width].iter().map(Second::requests).sum();
        let mut requests = first;
        let later = self.seconds[width..].iter().zip(&self.seconds).map(|(entering, leaving)| {
            requests = requests + entering.requests() - leaving.requests();
            requests
        });
        busiest(std::iter::once(first).chain(later), rounded).map_or(0, |(start, _)| start)
    }
}

/// Whether counts are rounded, and equal where they differ by little.
#[derive(Clone, Copy)]
pub(super) struct Rounded(pub(super) bool);

/// The position and value of the first largest count, if any is above zero.
fn busiest(counts: impl Iterator<Item = u64>, rounded: Rounded) -> Option<(usize, u64)> {
    let alike = |most: u64| if rounded.0 { most / 100_000 } else { 0 };
    let later_only_if_more = |best: Option<(usize, u64)>, (k, count)| match best {
        Some((_, most)) if count <= most + alike(most) => best,
        _ => (count > 0).then_some((k, count)).or(best),
    };
    counts.enumerate().fold(None, later_only_if_more)
}

fn mean_depth(depth_ns: u64, length_s: f64) -> f64 {
    ratio(depth_ns as f64 / 1e9, length_s).unwrap_or(0.0)
}
