//! Who issues requests: they are split by stream, which is a process, CPU, disk or volume, as the format defines.
//!
//! DEFINITION. Counts and sums for each stream. The 64 with most requests are listed, the others together as one row without
//! a number. The first 4096 streams met are counted separately; later ones count among the others.

use super::ratio::ratio;
use crate::reuse::{Index, mix};
use drivecast_block::{Nanos, Op, Record};
use serde::Serialize;

const KEPT_MAX: usize = 4096;
const LISTED_MAX: usize = 64;

/// What one stream requested.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StreamRow {
    /// Its number in the trace; null for all others together.
    pub stream: Option<u32>,
    /// Reads.
    pub reads: u64,
    /// Writes.
    pub writes: u64,
    /// Bytes read.
    pub bytes_read: u64,
    /// Bytes written.
    pub bytes_written: u64,
    /// Share of its requests that begin where its previous one ended; null for the others.
    pub sequential_fraction: Option<f64>,
    /// Mean latency.
    pub latency_ns_mean: Option<f64>,
    /// Its first request, from the start of the recording.
    pub first_s: f64,
    /// Its last request.
    pub last_s: f64,
}

#[derive(Clone, Default)]
struct Sums {
    stream: Option<u32>,
    reads: u64,
    writes: u64,
    bytes_read: u64,
    bytes_written: u64,
    sequential: u64,
    end: Option<u64>,
    latencies: u64,
    latency_ns: u128,
    first: Nanos,
    last: Nanos,
}

impl Sums {
    #[inline]
    fn add(&mut self, record: &Record) {
        if self.reads + self.writes == 0 {
            self.first = record.time;
        }
        self.last = record.time;
        let (count, bytes) = match record.op {
            Op::Read => (&mut self.reads, &mut self.bytes_read),
            _ => (&mut self.writes, &mut self.bytes_written),
        };
        *count += 1;
        *bytes = bytes.saturating_add(u64::from(record.size));
        self.sequential += u64::from(self.end == Some(record.offset));
        self.end = Some(record.end());
        if let Some(latency) = record.latency {
            self.latencies += 1;
            self.latency_ns += u128::from(latency.0);
        }
    }

    fn requests(&self) -> u64 {
        self.reads + self.writes
    }

    fn merge(&mut self, other: &Sums) {
        self.first = if self.requests() == 0 { other.first } else { self.first.min(other.first) };
        self.last = self.last.max(other.last);
        self.reads += other.reads;
        self.writes += other.writes;
        self.bytes_read = self.bytes_read.saturating_add(other.bytes_read);
        self.bytes_written = self.bytes_written.saturating_add(other.bytes_written);
        self.latencies += other.latencies;
        self.latency_ns += other.latency_ns;
    }

    fn row(&self) -> StreamRow {
        let sequential = ratio(self.sequential as f64, self.requests() as f64);
        StreamRow {
            stream: self.stream,
            reads: self.reads,
            writes: self.writes,
            bytes_read: self.bytes_read,
            bytes_written: self.bytes_written,
            sequential_fraction: sequential.filter(|_| self.stream.is_some()),
            latency_ns_mean: ratio(self.latency_ns as f64, self.latencies as f64),
            first_s: self.first.as_secs_f64(),
            last_s: self.last.as_secs_f64(),
        }
    }
}

pub(super) struct Streams {
    kept: Vec<Sums>,
    others: Sums,
}

impl Streams {
    pub(super) fn new() -> Streams {
        Streams { kept: Vec::new(), others: Sums::default() }
    }

    /// Takes a request of the stream with this number; numbers come in order.
    #[inline]
    pub(super) fn add(&mut self, record: &Record, number: usize) {
        if number == self.kept.len() && number < KEPT_MAX {
            self.kept.push(Sums { stream: Some(record.stream), ..Sums::default() });
        }
        self.kept.get_mut(number).unwrap_or(&mut self.others).add(record);
    }

    /// The rows, by requests, of equals the lower number first.
    pub(super) fn rows(&self) -> Vec<StreamRow> {
        let mut order: Vec<&Sums> = self.kept.iter().collect();
        order.sort_by_key(|sums| (std::cmp::Reverse(sums.requests()), sums.stream));
        let (listed, rest) = order.split_at(order.len().min(LISTED_MAX));
        let mut others = self.others.clone();
        rest.iter().for_each(|sums| others.merge(sums));
        let last = (others.requests() > 0).then(|| others.row());
        listed.iter().map(|sums| sums.row()).chain(last).collect()
    }
}

/// Numbers of the streams, in the order in which they are met.
pub(super) struct Numbers {
    index: Index,
    /// The stream of the previous request: most requests follow one of the same stream.
    latest: Option<(u32, usize)>,
}

impl Numbers {
    pub(super) fn new() -> Numbers {
        Numbers { index: Index::new(), latest: None }
    }

    /// The number of a stream.
    #[inline]
    pub(super) fn number(&mut self, stream: u32) -> usize {
        match self.latest {
            Some((latest, number)) if latest == stream => number,
            _ => {
                let key = u64::from(stream);
                let number = self.index.number(key, mix(key)).0 as usize;
                self.latest = Some((stream, number));
                number
            }
        }
    }
}
