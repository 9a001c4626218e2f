//! Where requests come from, and when they are issued.

use drivecast_block::random::{self, Stream};
use drivecast_block::{Bytes, Nanos, Op, Record};
use rand_distr::{Distribution, Exp1};

/// A request before it is issued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Io {
    /// What is asked.
    pub op: Op,
    /// First byte.
    pub offset: u64,
    /// Bytes; zero for a flush.
    pub size: u32,
    /// Who asks.
    pub stream: u32,
}

/// Requests in their order, without times.
pub trait Requests {
    /// The next, or none at the end.
    fn next(&mut self) -> Option<Io>;
}

/// Requests with the times at which a host issues them.
pub trait Source {
    /// When the next request is issued; none when it waits for a completion, or there is none.
    fn due(&mut self, now: Nanos, in_flight: u32) -> Option<Nanos>;
    /// That request. To be called after [`Source::due`] named its time.
    fn take(&mut self) -> Io;
    /// Whether requests come whatever the device does.
    fn is_open(&self) -> bool;
    /// How long the source lasts by itself: a run is measured at least so long.
    fn span(&self) -> Nanos;
}

/// What to do with requests behind the end of the device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Remap {
    /// Refuse the trace.
    #[default]
    Refuse,
    /// Take the offset modulo the capacity, moved down where the request would cross the end.
    Wrap,
}

/// Records of a trace as requests, those that ask for nothing (no data) left out.
pub struct Records<'a> {
    records: &'a [Record],
    capacity: Bytes,
    at: usize,
}

impl<'a> Records<'a> {
    /// The records, wrapped into `capacity` where they lie behind it. None may be larger than the capacity.
    #[must_use]
    pub fn new(records: &'a [Record], capacity: Bytes) -> Records<'a> {
        let mut new = Records { records, capacity, at: 0 };
        new.skip_empty();
        new
    }

    fn skip_empty(&mut self) {
        while self.records.get(self.at).is_some_and(|r| r.size == 0 && r.op != Op::Flush) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<&Record> {
        self.records.get(self.at)
    }
}

impl Requests for Records<'_> {
    fn next(&mut self) -> Option<Io> {
        let Record { offset, size, stream, op, .. } = *self.peek()?;
        self.at += 1;
        self.skip_empty();
        if op == Op::Flush {
            return Some(Io { op, offset: 0, size: 0, stream });
        }
        let room = self.capacity.0 - u64::from(size);
        let offset = if offset <= room { offset } else { (offset % self.capacity.0).min(room) };
        Some(Io { op, offset, size, stream })
    }
}

/// Open loop: a trace at its own times, from `start`, `speedup` times as fast.
pub struct Replay<'a> {
    records: Records<'a>,
    start: Nanos,
    speedup: f64,
    span: Nanos,
}

impl<'a> Replay<'a> {
    /// A replay of `records`, whose window begins at `start` and lasts `length` in the trace's own time.
    #[must_use]
    pub fn new(records: Records<'a>, start: Nanos, length: Nanos, speedup: f64) -> Replay<'a> {
        let mut replay = Replay { records, start, speedup, span: Nanos::ZERO };
        replay.span = replay.scaled(start + length);
        replay
    }

    fn scaled(&self, time: Nanos) -> Nanos {
        let relative = time.since(self.start);
        #[expect(clippy::float_cmp, reason = "exactly one means: keep integers exact")]
        if self.speedup == 1.0 { relative } else { Nanos((relative.0 as f64 / self.speedup).round() as u64) }
    }
}

impl Source for Replay<'_> {
    #[inline]
    fn due(&mut self, now: Nanos, _in_flight: u32) -> Option<Nanos> {
        let record = self.records.peek()?;
        Some(self.scaled(record.time).max(now))
    }

    #[inline]
    fn take(&mut self) -> Io {
        self.records.next().expect("a request was due")
    }

    fn is_open(&self) -> bool {
        true
    }

    fn span(&self) -> Nanos {
        self.span
    }
}

/// Closed loop: `depth` requests outstanding as long as there are any.
pub struct Closed<R> {
    requests: R,
    depth: u32,
    held: Option<Io>,
}

impl<R: Requests> Closed<R> {
    /// `requests` at this queue depth.
    pub fn new(mut requests: R, depth: u32) -> Closed<R> {
        let held = requests.next();
        Closed { requests, depth, held }
    }
}

impl<R: Requests> Source for Closed<R> {
    #[inline]
    fn due(&mut self, now: Nanos, in_flight: u32) -> Option<Nanos> {
        (in_flight < self.depth && self.held.is_some()).then_some(now)
    }

    #[inline]
    fn take(&mut self) -> Io {
        let io = self.held.take().expect("a request was due");
        self.held = self.requests.next();
        io
    }

    fn is_open(&self) -> bool {
        false
    }

    fn span(&self) -> Nanos {
        Nanos::ZERO
    }
}

/// Open loop: Poisson arrivals at a mean rate, for a time or a number of requests.
pub struct Poisson<R> {
    requests: R,
    gap_mean_ns: f64,
    stream: Stream,
    next: Nanos,
    left: u64,
    until: Nanos,
}

impl<R: Requests> Poisson<R> {
    /// `requests` at `rate` a second: at most `count` of them, and none after `until`.
    pub fn new(requests: R, rate: f64, count: u64, until: Nanos, seed: u64) -> Poisson<R> {
        let stream = random::stream(seed, "poisson");
        let mut poisson =
            Poisson { requests, gap_mean_ns: 1e9 / rate, stream, next: Nanos::ZERO, left: count, until };
        poisson.step();
        poisson
    }

    fn step(&mut self) {
        let draw: f64 = Exp1.sample(&mut self.stream);
        self.next += Nanos((draw * self.gap_mean_ns).round() as u64);
    }
}

impl<R: Requests> Source for Poisson<R> {
    #[inline]
    fn due(&mut self, _now: Nanos, _in_flight: u32) -> Option<Nanos> {
        (self.left > 0 && self.next <= self.until).then_some(self.next)
    }

    #[inline]
    fn take(&mut self) -> Io {
        self.left -= 1;
        self.step();
        self.requests.next().expect("generators do not end")
    }

    fn is_open(&self) -> bool {
        true
    }

    fn span(&self) -> Nanos {
        if self.until < Nanos::MAX { self.until } else { Nanos::ZERO }
    }
}
