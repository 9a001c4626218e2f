//! What a host sees of a run, gathered as it goes: latencies, seconds, and the number in flight over time.

use super::Part;
use super::bar::Bar;
use drivecast_block::{Nanos, Op};
use hdrhistogram::Histogram;

const SECOND: u64 = 1_000_000_000;

/// Latencies above this are counted as this; their exact maximum and mean are recorded separately.
const LATENCY_NS_MAX: u64 = 3600 * SECOND;

/// Seconds in which anything is in flight that are held apart: 48 days.
const SECONDS_MAX: usize = 1 << 22;
/// Seconds of a run (12 days) below which idle ones are rows, too.
const DENSE_MAX: u64 = 1 << 20;

/// One second of a run; see [`drivecast_block::schema::SECONDS`].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Second {
    pub(crate) count: [u64; 2],
    pub(crate) bytes: [u64; 2],
    pub(crate) latency_sum: [u64; 2],
    pub(crate) latency_max: [u64; 2],
    /// Requests in flight times nanoseconds.
    pub(crate) area: u64,
}

/// Latencies of one operation.
pub(crate) struct Latencies {
    /// Three significant digits.
    pub(crate) histogram: Histogram<u64>,
    pub(crate) count: u64,
    pub(crate) sum: u128,
    pub(crate) max: u64,
}

impl Latencies {
    fn none() -> Latencies {
        let histogram = Histogram::new_with_bounds(1, LATENCY_NS_MAX, 3).expect("constant, valid bounds");
        Latencies { histogram, count: 0, sum: 0, max: 0 }
    }

    #[inline]
    fn count(&mut self, latency: u64) {
        self.histogram.saturating_record(latency.max(1));
        self.count += 1;
        self.sum += u128::from(latency);
        self.max = self.max.max(latency);
    }

    /// Counts a latency as often as it weighs.
    fn weigh(&mut self, latency: u64, weight: u32) {
        if weight == 0 {
            return;
        }
        self.histogram.saturating_record_n(latency.max(1), weight.into());
        self.count += u64::from(weight);
        self.sum += u128::from(latency) * u128::from(weight);
        self.max = self.max.max(latency);
    }
}

/// Gathers one run; measures from `start` on.
pub struct Recorder {
    start: Nanos,
    area: u128,
    residence: u128,
    latencies: [Latencies; 4],
    /// Reads and writes of each stream that is held apart.
    streams: Vec<[Latencies; 2]>,
    bytes: [u64; 4],
    /// Those in which anything was in flight, in order.
    seconds: Vec<(u64, Second)>,
    /// What comes after as many of these as are held.
    beyond: Second,
    /// How many seconds there are, idle or not.
    length: u64,
    bar: Option<Bar>,
    /// Weights of the parts, where the run has some.
    weights: Box<[u32]>,
    completed: u64,
}

impl Recorder {
    pub(crate) fn new(start: Nanos, bar: Option<Bar>, streams: u32, parts: &[Part]) -> Recorder {
        Recorder {
            start,
            area: 0,
            residence: 0,
            latencies: std::array::from_fn(|_| Latencies::none()),
            streams: (0..streams).map(|_| [Latencies::none(), Latencies::none()]).collect(),
            bytes: [0; 4],
            seconds: Vec::new(),
            beyond: Second::default(),
            length: 0,
            bar,
            weights: parts.iter().map(|part| part.weight).collect(),
            completed: 0,
        }
    }

    /// Time passes with `in_flight` requests outstanding.
    #[inline]
    pub(crate) fn pass(&mut self, from: Nanos, to: Nanos, in_flight: u64) {
        let from = from.since(self.start).0;
        let to = to.since(self.start).0;
        if to > from {
            self.length = self.length.max((to - 1) / SECOND + 1);
        }
        if in_flight == 0 {
            return;
        }
        self.area += u128::from(in_flight) * u128::from(to - from);
        let mut at = from;
        while at < to {
            let end = to.min((at / SECOND + 1) * SECOND);
            self.second(at).area += in_flight * (end - at);
            at = end;
        }
    }

    /// A request of a stream completes.
    #[inline]
    pub(crate) fn complete(&mut self, op: Op, size: u32, stream: u32, issued: Nanos, at: Nanos) {
        if at < self.start {
            return;
        }
        self.leave(issued, at);
        self.completed += 1;
        let latency = at.since(issued).0;
        if !self.weights.is_empty() {
            return self.weigh(op, size, stream, latency);
        }
        self.latencies[op as usize].count(latency);
        self.bytes[op as usize] += u64::from(size);
        if let Some(bar) = &mut self.bar {
            bar.count(op, latency);
        }
        if matches!(op, Op::Read | Op::Write) {
            if let Some(apart) = self.streams.get_mut(stream as usize) {
                apart[op as usize].count(latency);
            }
            let second = self.second(at.since(self.start).0);
            second.count[op as usize] += 1;
            second.bytes[op as usize] += u64::from(size);
            second.latency_sum[op as usize] += latency;
            second.latency_max[op as usize] = second.latency_max[op as usize].max(latency);
        }
    }

    /// A request of a part that represents more than itself.
    #[cold]
    fn weigh(&mut self, op: Op, size: u32, part: u32, latency: u64) {
        let weight = self.weights.get(part as usize).copied().unwrap_or(0);
        self.latencies[op as usize].weigh(latency, weight);
        self.bytes[op as usize] += u64::from(size) * u64::from(weight);
    }

    /// Whether the run is made of parts, which represent a longer one.
    pub fn is_weighed(&self) -> bool {
        !self.weights.is_empty()
    }

    /// A request leaves the count: by completing, or because the run ends.
    #[inline]
    pub(crate) fn leave(&mut self, issued: Nanos, at: Nanos) {
        self.residence += u128::from(at.since(issued.max(self.start)).0);
    }

    #[inline]
    fn second(&mut self, at: u64) -> &mut Second {
        let index = at / SECOND;
        let place = match self.seconds.last() {
            Some((known, _)) if *known == index => self.seconds.len() - 1,
            _ => return self.other_second(index),
        };
        &mut self.seconds[place].1
    }

    /// A second that is not the last one held.
    #[cold]
    fn other_second(&mut self, index: u64) -> &mut Second {
        self.length = self.length.max(index + 1);
        match self.seconds.binary_search_by_key(&index, |(known, _)| *known) {
            Ok(place) => &mut self.seconds[place].1,
            Err(_) if self.seconds.len() >= SECONDS_MAX => &mut self.beyond,
            Err(place) => {
                self.seconds.insert(place, (index, Second::default()));
                &mut self.seconds[place].1
            }
        }
    }

    /// The operation whose quantile can no longer be within its limit.
    #[inline]
    pub(crate) fn missed(&self) -> Option<Op> {
        self.bar.as_ref().and_then(Bar::missed)
    }

    /// Requests completed since measuring began.
    pub fn completed(&self) -> u64 {
        self.completed
    }

    /// Requests in flight times nanoseconds, by watching the number in flight.
    pub fn area(&self) -> u128 {
        self.area
    }

    /// The same, by adding up each request's own time.
    pub fn residence(&self) -> u128 {
        self.residence
    }

    pub(crate) fn latencies(&self, op: Op) -> &Latencies {
        &self.latencies[op as usize]
    }

    pub(crate) fn streams(&self) -> &[[Latencies; 2]] {
        &self.streams
    }

    pub(crate) fn bytes(&self, op: Op) -> u64 {
        self.bytes[op as usize]
    }

    /// Each second with its number: all of them, or of more than [`DENSE_MAX`] those in which anything was in flight.
    pub(crate) fn seconds(&self) -> impl Iterator<Item = (u64, Second)> {
        let is_dense = self.length <= DENSE_MAX;
        let dense = 0..if is_dense { self.length } else { 0 };
        let mut held = self.seconds.iter().peekable();
        let filled = dense.map(move |index| {
            let row = held.next_if(|(known, _)| *known == index);
            row.copied().unwrap_or((index, Second::default()))
        });
        let sparse = if is_dense { &[][..] } else { &self.seconds[..] };
        filled.chain(sparse.iter().copied())
    }
}
