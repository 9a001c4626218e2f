//! A volume whose inside is not known: a cloud disk, a virtual disk, a LUN.
//!
//! **Model.** Stations in a row, each of which is there only if the specification says so:
//!
//! ```text
//! request → caps of its operation → caps of both → front → servers → link → delay → completion
//! ```
//!
//! - **caps** ([`bucket`]): token buckets of requests and bytes, with credits; smooth or by the period;
//! - **front** ([`front`]): one processor that is woken up and works through batches;
//! - **servers** ([`servers`]): so many requests at a time, for a lognormal time each, with a tail;
//! - **link**: bytes one after another at a rate, in the order in which the servers are done;
//! - **delay**: a time that holds nothing;
//! - **stalls** ([`stall`]): all of this stops meanwhile, but tokens accrue.
//!
//! A volume answers with what it has acknowledged: a flush takes its own time and waits for nothing, a discard takes the
//! delay of a write. Flushes and discards cost no tokens.
//!
//! **Left out**, since a user of the volume can observe none of it: what is inside (media, caches, copies, garbage
//! collection), so latency does not depend on the address or on what was written before, data that has to come from a
//! snapshot first, and requests that the provider joins before it counts them.
//!
//! **Order.** Events go by time, those at one time in the order in which they were planned; completions at one time in order of
//! submission. Every random time draws from a stream of its own.

mod bucket;
mod check;
mod front_end;
mod servers;
mod spread;
mod stall;

pub use bucket::Credits;

use crate::request_slots::Slots;
use crate::spec::{SpecError, VolumeSpec};
use bucket::Line;
use drivecast_block::{Bytes, Completion, Counters, Device, Nanos, Op, Request};
use front_end::Front;
use servers::{Servers, Started};
use stall::Clock;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

const SECTOR: u64 = 512;

/// The line of both operations, behind those of each.
const SHARED: usize = 2;

/// What happens in the volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// The first request of this line may leave it.
    Line(usize),
    /// The front is awake, or done with its batch.
    Front,
    /// A server is done with this request.
    Served(u32),
}

/// A request on its way.
#[derive(Clone, Copy, Debug)]
struct Flight {
    id: u64,
    /// Its place in the order of submission.
    order: u64,
    op: Op,
    bytes: u32,
}

/// A completion to come; ordered by time, then by submission.
type Finished = Reverse<(Nanos, u64, u64, u8)>;

/// A simulated volume.
pub struct Volume {
    capacity: Bytes,
    flush_ns: f64,
    link_ns_per_byte: f64,
    link_free: Nanos,
    lines: [Line; 3],
    front: Option<Front>,
    servers: Servers,
    clock: Clock,
    flights: Slots<Flight>,
    events: BinaryHeap<Reverse<(Nanos, u64, Event)>>,
    planned: u64,
    finished: BinaryHeap<Finished>,
    submitted: u64,
    in_flight: u64,
    busy_since: Nanos,
    counters: Counters,
}

impl Volume {
    /// A volume at rest, its credits as the specification says, its random times drawn from `seed`.
    ///
    /// # Errors
    /// A field lies outside what the model means: the error names it, the limit and the value.
    pub fn new(spec: &VolumeSpec, seed: u64) -> Result<Volume, SpecError> {
        check::check(spec)?;
        Ok(Volume {
            capacity: Bytes((spec.capacity_bytes as f64 * spec.partition) as u64 / SECTOR * SECTOR),
            flush_ns: spec.flush_ns as f64,
            link_ns_per_byte: spec.link_bytes_per_s.map_or(0.0, |rate| 1e9 / rate),
            link_free: Nanos::ZERO,
            lines: Line::all(&spec.caps),
            front: spec.front.map(|front| Front::new(front, seed)),
            servers: Servers::new(spec.read, spec.write, spec.parallelism, seed),
            clock: Clock::new(spec.stalls, seed),
            flights: Slots::new(),
            events: BinaryHeap::new(),
            planned: 0,
            finished: BinaryHeap::new(),
            submitted: 0,
            in_flight: 0,
            busy_since: Nanos::ZERO,
            counters: Counters::default(),
        })
    }

    /// The credits that run out first, as of the last completion; none where nothing keeps any.
    pub fn credits(&self) -> Option<Credits> {
        self.lines.iter().filter_map(|line| line.credits(self.busy_since)).reduce(Credits::sooner)
    }

    fn plan(&mut self, at: Nanos, event: Event) {
        self.planned += 1;
        self.events.push(Reverse((at, self.planned, event)));
    }

    /// Brings a request to a line, or past it if no bucket is in debt.
    fn line(&mut self, line: usize, now: Nanos, slot: u32) {
        let bytes = self.flights.get_mut(slot).bytes;
        let leaves = self.lines[line].pay(now, bytes);
        let leaves = self.clock.reach(leaves);
        if leaves <= now {
            self.leave(line, now, slot);
        } else if self.lines[line].wait(leaves, slot) {
            self.plan(leaves, Event::Line(line));
        }
    }

    /// A request has all tokens of a line.
    fn leave(&mut self, line: usize, now: Nanos, slot: u32) {
        if line != SHARED {
            return self.line(SHARED, now, slot);
        }
        let Flight { op, bytes, .. } = *self.flights.get_mut(slot);
        match &mut self.front {
            None => {
                self.servers.arrive(slot, op, bytes);
                self.start(now);
            }
            Some(front) => {
                if let Some(wake_ns) = front.arrive(slot, op, bytes) {
                    let awake = self.clock.after(now, wake_ns);
                    self.plan(awake, Event::Front);
                }
            }
        }
    }

    fn start(&mut self, now: Nanos) {
        while let Some(Started { slot, time_ns }) = self.servers.start() {
            let end = self.clock.after(now, time_ns);
            self.plan(end, Event::Served(slot));
        }
    }

    fn happen(&mut self, now: Nanos, event: Event) {
        match event {
            Event::Line(line) => {
                while let Some(slot) = self.lines[line].leave(now) {
                    self.leave(line, now, slot);
                }
                if let Some(next) = self.lines[line].next() {
                    self.plan(next, Event::Line(line));
                }
            }
            Event::Front => {
                let Volume { front: Some(front), servers, flights, .. } = self else { return };
                let next = front.go_on(|slot| {
                    let Flight { op, bytes, .. } = *flights.get_mut(slot);
                    servers.arrive(slot, op, bytes);
                });
                if let Some(work_ns) = next {
                    let end = self.clock.after(now, work_ns);
                    self.plan(end, Event::Front);
                }
                self.start(now);
            }
            Event::Served(slot) => {
                let flight = self.flights.remove(slot);
                self.servers.release(flight.op);
                self.send(now, flight);
                self.start(now);
            }
        }
    }

    /// Over the link, and back to the host.
    fn send(&mut self, now: Nanos, flight: Flight) {
        let mut sent = now;
        if self.link_ns_per_byte > 0.0 {
            let transfer_ns = f64::from(flight.bytes) * self.link_ns_per_byte;
            sent = self.clock.after(now.max(self.link_free), transfer_ns);
            self.link_free = sent;
        }
        let delay_ns = self.servers.delay_ns(flight.op);
        self.finish(sent, delay_ns, flight);
    }

    fn finish(&mut self, now: Nanos, ns: f64, flight: Flight) {
        let at = self.clock.after(now, ns);
        self.finished.push(Reverse((at, flight.order, flight.id, flight.op as u8)));
    }
}

impl Device for Volume {
    fn capacity(&self) -> Bytes {
        self.capacity
    }

    fn submit(&mut self, now: Nanos, request: Request) {
        self.counters.submit(&request);
        self.clock.pass(now);
        self.submitted += 1;
        if self.in_flight == 0 {
            self.busy_since = now;
        }
        self.in_flight += 1;
        let Request { id, op, size: bytes, .. } = request;
        let flight = Flight { id, order: self.submitted, op, bytes };
        match op {
            Op::Read | Op::Write => {
                let slot = self.flights.insert(flight);
                self.line(Line::of(op), now, slot);
            }
            Op::Flush => self.finish(now, self.flush_ns, flight),
            Op::Discard => self.finish(now, self.servers.delay_ns(Op::Write), flight),
        }
    }

    fn next(&self) -> Option<Nanos> {
        if self.clock.is_beyond() {
            return None;
        }
        let event = self.events.peek().map(|Reverse((at, ..))| *at);
        let finished = self.finished.peek().map(|Reverse((at, ..))| *at);
        match (event, finished) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    fn age(&mut self, _request: Request) {}

    /// Left alone for long, it has all its credits.
    fn idle(&mut self) {
        self.lines.iter_mut().for_each(Line::refill);
    }

    fn advance(&mut self, now: Nanos, done: &mut Vec<Completion>) {
        loop {
            // Events first: what completes by them at this moment may have been submitted before what is ready.
            let completion = self.finished.peek().map_or(Nanos::MAX, |Reverse((at, ..))| *at);
            match self.events.peek() {
                Some(&Reverse((at, _, event))) if at <= now && at <= completion => {
                    self.events.pop();
                    self.clock.pass(at);
                    self.happen(at, event);
                }
                _ if completion <= now => {
                    let Some(Reverse((at, _, id, op))) = self.finished.pop() else { return };
                    self.counters.completed[op as usize] += 1;
                    self.in_flight -= 1;
                    self.counters.busy_ns += at.since(self.busy_since).0;
                    self.busy_since = at;
                    done.push(Completion { id, at });
                }
                _ => return,
            }
        }
    }

    fn counters(&self) -> Counters {
        self.counters
    }

    fn reset_counters(&mut self) {
        self.counters = Counters::default();
    }

    fn fault(&self) -> Option<String> {
        let late =
            "a request would end after more than a hundred days: the volume's limits are too low for it";
        self.clock.is_beyond().then(|| late.to_owned())
    }
}
