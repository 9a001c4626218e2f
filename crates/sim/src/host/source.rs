//! Where requests come from, and when they are issued.

use super::Part;
use drivecast_block::{Bytes, Nanos, Op, Record, Request};
use drivecast_workload::model::Mixture;
use drivecast_workload::{Arrivals, Generator, Io, Replay};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// Requests in their order, without times; their ids are the host's to give.
pub trait Requests {
    /// The next, or none at the end.
    fn next(&mut self) -> Option<Request>;
}

/// Requests with the times at which a host issues them.
pub trait Source {
    /// When the next request is issued; none when it waits for a completion, or there is none.
    fn due(&mut self, now: Nanos, in_flight: u32) -> Option<Nanos>;
    /// That request. To be called after [`Source::due`] named its time.
    fn take(&mut self) -> Request;
    /// A request some turns after that, if it is already known.
    fn ahead(&self) -> Option<&Request> {
        None
    }
    /// Hears that one of its requests, of this stream, is done.
    fn complete(&mut self, _stream: u32, _at: Nanos) {}
    /// Whether requests come whatever the device does.
    fn is_open(&self) -> bool;
    /// How long the next request has been waiting for its turn at the end of a run, beyond its own time of arrival.
    fn behind(&self) -> Nanos {
        Nanos::ZERO
    }
    /// How long the source lasts on its own: a run is measured at least so long.
    fn span(&self) -> Nanos;
    /// The parts that it is made of, where they represent more than themselves; the stream of a request is its part's number.
    fn parts(&self) -> &[Part] {
        &[]
    }
}

impl Requests for Generator {
    #[inline]
    fn next(&mut self) -> Option<Request> {
        let Io { op, offset, size, fua, stream } = Generator::next(self);
        Some(Request { id: 0, offset: Bytes(offset), size, stream, op, fua })
    }
}

/// A trace as requests: those without effect (no data) left out, those beyond the end of the device moved into it.
#[derive(Clone)]
pub struct Recorded<'a> {
    records: Replay<'a>,
    capacity: Bytes,
    head: Option<Record>,
}

impl<'a> Recorded<'a> {
    /// The records of a replay. An offset behind `capacity` counts modulo the capacity, and moves down where the request
    /// would cross the end. No request may be larger than the capacity.
    pub fn new(records: Replay<'a>, capacity: Bytes) -> Recorded<'a> {
        let mut recorded = Recorded { records, capacity, head: None };
        recorded.step();
        recorded
    }

    /// All records of a trace, at once.
    pub fn all(records: &'a [Record], capacity: Bytes) -> Recorded<'a> {
        Recorded::new(Replay::new(records, Nanos::ZERO..Nanos::MAX, 1.0), capacity)
    }

    /// Whether there is nothing left.
    pub fn is_empty(&self) -> bool {
        self.head.is_none()
    }

    #[inline]
    fn step(&mut self) {
        self.head = self.records.find(|record| record.size > 0 || record.op == Op::Flush);
    }
}

impl Requests for Recorded<'_> {
    #[inline]
    fn next(&mut self) -> Option<Request> {
        let Record { offset, size, stream, op, fua, .. } = self.head?;
        self.step();
        if op == Op::Flush {
            return Some(Request { id: 0, offset: Bytes(0), size: 0, stream, op, fua });
        }
        let last = self.capacity.0 - u64::from(size);
        let offset = if offset <= last { offset } else { (offset % self.capacity.0).min(last) };
        Some(Request { id: 0, offset: Bytes(offset), size, stream, op, fua })
    }
}

/// Open loop: a trace at its own times, or these scaled.
pub struct Timed<'a> {
    records: Recorded<'a>,
    span: Nanos,
    parts: Vec<Part>,
}

impl<'a> Timed<'a> {
    /// The records at their times; their window lasts `span`.
    pub fn new(records: Recorded<'a>, span: Nanos) -> Timed<'a> {
        Timed { records, span, parts: Vec::new() }
    }

    /// The same, in parts.
    #[must_use]
    pub fn of_parts(self, parts: Vec<Part>) -> Timed<'a> {
        Timed { parts, ..self }
    }
}

impl Source for Timed<'_> {
    #[inline]
    fn due(&mut self, now: Nanos, _in_flight: u32) -> Option<Nanos> {
        self.records.head.map(|record| record.time.max(now))
    }

    #[inline]
    fn take(&mut self) -> Request {
        self.records.next().expect("a request was due")
    }

    fn is_open(&self) -> bool {
        true
    }

    fn span(&self) -> Nanos {
        self.span
    }

    fn parts(&self) -> &[Part] {
        &self.parts
    }
}

/// Requests that a closed loop draws before their turn: as many as the memory needs to bring what they will touch.
const AHEAD: usize = 4;

/// Closed loop: `depth` requests outstanding as long as there are any; or of each of several processes.
pub struct Closed<R> {
    requests: R,
    depth: u32,
    jobs: u32,
    /// Processes whose turn it is to issue a request, where there are several: each is a stream.
    turns: VecDeque<u32>,
    /// The next requests, the first of them at `head`.
    drawn: [Option<Request>; AHEAD],
    head: usize,
}

impl<R: Requests> Closed<R> {
    /// `requests` at this queue depth.
    pub fn new(mut requests: R, depth: u32) -> Closed<R> {
        let drawn = std::array::from_fn(|_| requests.next());
        Closed { requests, depth, jobs: 1, turns: VecDeque::new(), drawn, head: 0 }
    }

    /// The same of `jobs` processes, each with `depth` outstanding.
    #[must_use]
    pub fn of_jobs(self, jobs: u32) -> Closed<R> {
        let turns =
            if jobs > 1 { (0..self.depth * jobs).map(|turn| turn % jobs).collect() } else { self.turns };
        Closed { depth: self.depth * jobs, jobs, turns, ..self }
    }
}

impl<R: Requests> Source for Closed<R> {
    #[inline]
    fn due(&mut self, now: Nanos, in_flight: u32) -> Option<Nanos> {
        (in_flight < self.depth && self.drawn[self.head].is_some()).then_some(now)
    }

    #[inline]
    fn take(&mut self) -> Request {
        let request = self.drawn[self.head].take().expect("a request was due");
        self.drawn[self.head] = self.requests.next();
        self.head = (self.head + 1) % AHEAD;
        match self.turns.pop_front() {
            Some(stream) => Request { stream, ..request },
            None => request,
        }
    }

    #[inline]
    fn complete(&mut self, stream: u32, _at: Nanos) {
        if self.jobs > 1 {
            self.turns.push_back(stream);
        }
    }

    #[inline]
    fn ahead(&self) -> Option<&Request> {
        self.drawn[(self.head + AHEAD - 1) % AHEAD].as_ref()
    }

    fn is_open(&self) -> bool {
        false
    }

    fn span(&self) -> Nanos {
        Nanos::ZERO
    }
}

/// Closed loop at the depth of a trace: each request is issued as soon as no more are outstanding than were when it was
/// recorded, those that had not completed by then. Whatever waited for a completion does so again, and idle time is left out.
pub struct AtDepth<'a> {
    records: Recorded<'a>,
    /// When the requests recorded so far completed, those still outstanding at the time of the head.
    ends: BinaryHeap<Reverse<Nanos>>,
}

impl<'a> AtDepth<'a> {
    /// These records, which have their latencies. One without counts as done at once.
    pub fn new(records: Recorded<'a>) -> AtDepth<'a> {
        let mut source = AtDepth { records, ends: BinaryHeap::new() };
        source.step();
        source
    }

    /// What was outstanding at the head, itself among it.
    #[inline]
    fn step(&mut self) {
        let Some(head) = self.records.head else { return };
        while self.ends.peek().is_some_and(|Reverse(end)| *end <= head.time) {
            self.ends.pop();
        }
        // It counts as outstanding even where it took no time.
        let latency = head.latency.unwrap_or_default().0.max(1);
        self.ends.push(Reverse(Nanos(head.time.0.saturating_add(latency))));
    }
}

impl Source for AtDepth<'_> {
    #[inline]
    fn due(&mut self, now: Nanos, in_flight: u32) -> Option<Nanos> {
        (self.records.head.is_some() && (in_flight as usize) < self.ends.len()).then_some(now)
    }

    #[inline]
    fn take(&mut self) -> Request {
        let request = self.records.next().expect("a request was due");
        self.step();
        request
    }

    fn is_open(&self) -> bool {
        false
    }

    fn span(&self) -> Nanos {
        Nanos::ZERO
    }
}

/// Open loop: arrivals at a rate; where a depth is given, held back in the host while so many are outstanding.
pub struct Arriving<R> {
    requests: R,
    depth: u32,
    arrivals: Arrivals,
    head: Nanos,
    /// Arrivals until then.
    until: Nanos,
    /// What was held back is issued until then.
    stop: Nanos,
    behind: Nanos,
}

impl<R: Requests> Arriving<R> {
    /// `requests` at the times of `arrivals`, up to `until`, at most `depth` outstanding, none of them issued after `stop`.
    /// `requests` do not end before.
    pub fn new(
        requests: R,
        depth: Option<u32>,
        mut arrivals: Arrivals,
        until: Nanos,
        stop: Nanos,
    ) -> Arriving<R> {
        let head = arrivals.next().unwrap_or(Nanos::MAX);
        let depth = depth.unwrap_or(u32::MAX);
        Arriving { requests, depth, arrivals, head, until, stop, behind: Nanos::ZERO }
    }
}

impl<R: Requests> Source for Arriving<R> {
    #[inline]
    fn due(&mut self, now: Nanos, in_flight: u32) -> Option<Nanos> {
        let at = self.head.max(now);
        if self.head <= self.until {
            self.behind = at.min(self.stop).since(self.head);
        }
        (self.head <= self.until && at <= self.stop && in_flight < self.depth).then_some(at)
    }

    #[inline]
    fn take(&mut self) -> Request {
        self.head = self.arrivals.next().unwrap_or(Nanos::MAX);
        self.requests.next().expect("the requests do not end first")
    }

    fn is_open(&self) -> bool {
        self.depth == u32::MAX
    }

    fn behind(&self) -> Nanos {
        self.behind
    }

    fn span(&self) -> Nanos {
        self.until
    }
}

/// The streams of a model, of which some wait for completions.
pub struct Mixed {
    mixture: Mixture,
    stream: u32,
}

impl Mixed {
    /// These streams.
    pub fn new(mixture: Mixture) -> Mixed {
        Mixed { mixture, stream: 0 }
    }
}

impl Source for Mixed {
    #[inline]
    fn due(&mut self, now: Nanos, _in_flight: u32) -> Option<Nanos> {
        let (at, stream) = self.mixture.due()?;
        self.stream = stream;
        Some(at.max(now))
    }

    #[inline]
    fn take(&mut self) -> Request {
        let io = self.mixture.take(self.stream);
        let offset = Bytes(io.offset);
        Request { id: 0, offset, size: io.size, stream: self.stream, op: io.op, fua: io.fua }
    }

    #[inline]
    fn complete(&mut self, stream: u32, at: Nanos) {
        self.mixture.complete(stream, at);
    }

    fn is_open(&self) -> bool {
        true
    }

    fn span(&self) -> Nanos {
        Nanos::ZERO
    }
}
