//! The host: issues requests to one device and records what comes back.
//!
//! Model: a host without limits of its own. An *open* source issues at times it knows beforehand, whatever the device
//! does (a trace at its own times, arrivals at a rate); a *closed* one keeps `iodepth` requests outstanding, or as many as a
//! trace had, and issues the next at the instant one completes. Latency runs from issue to completion, so it includes waiting for a place in
//! the device's queue. CPU time, file system and scheduler of the host are left out.
//!
//! Every run checks itself: requests generated = completed + in flight, each completed once; and Little's law in its
//! exact form, that the area under the number in flight equals the summed times in flight, each reckoned separately, to
//! the nanosecond. A run that fails is an error, never a number.
//!
//! A source may be made of parts that represent more than themselves ([`Part`]): what is counted of one counts as often as it
//! weighs. The checks are of the run as it was played.
//!
//! `saturated` (sources with times of their own only): after the last arrival the device needs longer than 5 % of the span of
//! arrivals to finish what is left, and that is more than a second or [`BACKLOG_MIN`] requests; or more than [`BACKLOG_MAX`]
//! requests wait at once, upon which the run stops there. What a source holds back counts like what is left.

mod bar;
mod meter;
mod part;
mod recorder;
pub mod source;

pub use bar::{Bar, Within};
pub use meter::Meter;
pub use part::Part;
pub(crate) use recorder::Latencies;
pub use recorder::Recorder;
pub use source::{Arriving, AtDepth, Closed, Mixed, Recorded, Requests, Source, Timed};

use crate::request_slots::Slots;
use drivecast_block::{Completion, Counters, Device, Nanos, Op, Request};
use part::Parts;

/// More requests in flight than this, and the device is given up as saturated. Assumed: no host leaves as many waiting.
pub const BACKLOG_MAX: u32 = 65_536;

/// So many requests left after the last arrival are a backlog however short the run: arrays have fewer in work at once
/// below saturation. Assumed.
pub const BACKLOG_MIN: f64 = 256.0;

/// Events at one instant beyond which time is considered stuck.
const INSTANT_MAX: u32 = 1 << 24;

/// When a run begins to be measured and when it ends, besides by the source running dry.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Measuring begins here.
    pub warmup: Nanos,
    /// The run stops here, requests in flight or not.
    pub stop: Option<Nanos>,
    /// The run stops with this many completions measured.
    pub completions: Option<u64>,
    /// The run stops once it can no longer meet this; never, unless it is given.
    pub bar: Option<Bar>,
    /// Streams whose latencies are held apart: those below this number.
    pub streams: u32,
}

/// What went wrong in a run: [`Fault::Device`] follows from the load and the design; all else is a mistake in a device or the host.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The device failed, for the reason it gives.
    #[error("{0}")]
    Device(String),
    /// A completion that belongs to no request, or the second one of a request.
    #[error("a completion at {at} belongs to no request in flight (id {id})")]
    Stray {
        /// Its id.
        id: u64,
        /// Its time.
        at: Nanos,
    },
    /// The device has nothing more to do, yet requests have not completed.
    #[error("the device fell idle with {in_flight} requests in flight")]
    Lost {
        /// How many.
        in_flight: u64,
    },
    /// A completion or event before the present.
    #[error("the device went back in time, from {now} to {at}")]
    Backwards {
        /// The present.
        now: Nanos,
        /// The time of the event.
        at: Nanos,
    },
    /// Events follow each other without time passing, for ever.
    #[error("time stands still at {at}: requests take no time, or the device has events that do nothing")]
    Standstill {
        /// When.
        at: Nanos,
    },
    /// generated ≠ completed + in flight.
    #[error("generated {generated} != completed {completed} + in flight {in_flight}")]
    Conservation {
        /// Requests issued.
        generated: u64,
        /// Requests completed.
        completed: u64,
        /// Requests outstanding at the end.
        in_flight: u64,
    },
    /// The area under the queue depth differs from the summed times in flight.
    #[error(
        "Little's law is broken: area under the queue depth {area} ns, summed times in flight {residence} ns"
    )]
    LittlesLaw {
        /// Requests times nanoseconds, from the number in flight.
        area: u128,
        /// The same, from the requests' own times.
        residence: u128,
    },
}

/// What was measured of a run.
pub struct Measured {
    /// Latencies, seconds and areas.
    pub recorder: Recorder,
    /// The device's counters over the measured part.
    pub counters: Counters,
    /// The time that the measured part represents.
    pub length: Nanos,
    /// Requests in flight when measuring began, and issued since.
    pub generated: u64,
    /// Requests in flight at the end.
    pub in_flight: u64,
    /// End of the run; the measured part began at `warmup`.
    pub end: Nanos,
    /// Whether the device could not keep up.
    pub saturated: bool,
    /// Why the device failed, where it did: all else is of the time before.
    pub fault: Option<String>,
    /// The operation whose quantile could no longer be met, where the run stopped for that: all else is of the time before.
    pub given_up: Option<Op>,
}

/// A request in flight.
#[derive(Clone, Copy)]
struct Flight {
    issued: Nanos,
    size: u32,
    stream: u32,
    op: Op,
    live: bool,
}

struct Run<'a, S> {
    device: &'a mut dyn Device,
    source: S,
    limits: Limits,
    recorder: Recorder,
    flights: Slots<Flight>,
    generated: u64,
    now: Nanos,
    last_arrival: Nanos,
    /// Requests in flight then.
    left: usize,
    instant: u32,
    measuring: bool,
    parts: Parts,
}

/// Drives `device` with `source` until the source is dry and all is done, or a limit is reached.
///
/// # Errors
/// A device that broke its contract; see [`Fault`]. A device that reports a failure is in [`Measured::fault`].
pub fn run<S: Source>(device: &mut dyn Device, source: S, limits: Limits) -> Result<Measured, Fault> {
    let parts = Parts::new(source.parts());
    let mut run = Run {
        device,
        recorder: Recorder::new(limits.warmup, limits.bar, limits.streams, source.parts()),
        parts,
        source,
        limits,
        flights: Slots::new(),
        generated: 0,
        now: Nanos::ZERO,
        last_arrival: Nanos::ZERO,
        left: 0,
        instant: 0,
        measuring: false,
    };
    let driven = run.drive();
    match run.device.fault() {
        None => run.finish(driven?),
        Some(reason) => {
            let before = run.finish(false).map_err(|_| Fault::Device(reason.clone()))?;
            Ok(Measured { fault: Some(reason), ..before })
        }
    }
}

impl<S: Source> Run<'_, S> {
    /// The loop: jump to the next event, completions before arrivals. Whether the backlog grew beyond its bound.
    fn drive(&mut self) -> Result<bool, Fault> {
        let mut done = Vec::new();
        let stop = self.limits.stop.unwrap_or(Nanos::MAX);
        loop {
            let in_flight = self.flights.len() as u32;
            let arrival = self.source.due(self.now, in_flight).unwrap_or(Nanos::MAX);
            let event = self.device.next().unwrap_or(Nanos::MAX);
            if event == Nanos::MAX && self.device.fault().is_some() {
                return Ok(false);
            }
            let at = arrival.min(event);
            if arrival == Nanos::MAX && in_flight == 0 {
                return Ok(false);
            }
            if at == Nanos::MAX {
                return Err(Fault::Lost { in_flight: in_flight.into() });
            }
            if at > stop {
                self.measure(stop);
                self.pass(stop)?;
                return Ok(false);
            }
            self.measure(at);
            if at > self.parts.end() {
                self.parts.leave(at, self.device);
            }
            if event <= arrival {
                let blind = self.blind_until().min(self.parts.end());
                let at = self.device.run(arrival.min(stop).min(blind), &mut done);
                self.pass(at)?;
                for completion in done.drain(..) {
                    self.complete(completion)?;
                }
                if self.limits.completions.is_some_and(|most| self.recorder.completed() >= most) {
                    return Ok(false);
                }
                if self.recorder.missed().is_some() {
                    return Ok(false);
                }
            } else {
                self.pass(at)?;
                self.issue(at);
                if self.source.is_open() && in_flight >= BACKLOG_MAX {
                    return Ok(true);
                }
            }
        }
    }

    /// How far the device may run alone without passing the time at which its counters are to be reset.
    #[inline]
    fn blind_until(&self) -> Nanos {
        if self.measuring { Nanos::MAX } else { Nanos(self.limits.warmup.0 - 1) }
    }

    /// Begins to measure, once `at` is late enough.
    #[inline]
    fn measure(&mut self, at: Nanos) {
        if !self.measuring && at >= self.limits.warmup {
            self.measuring = true;
            self.device.reset_counters();
            self.generated = self.flights.len() as u64;
        }
    }

    /// Lets time pass to `at`.
    fn pass(&mut self, at: Nanos) -> Result<(), Fault> {
        if at < self.now {
            return Err(Fault::Backwards { now: self.now, at });
        }
        self.instant = if at > self.now { 0 } else { self.instant + 1 };
        if self.instant > INSTANT_MAX {
            return Err(Fault::Standstill { at });
        }
        self.recorder.pass(self.now, at, self.flights.len() as u64);
        self.now = at;
        Ok(())
    }

    #[inline]
    fn complete(&mut self, Completion { id, at }: Completion) -> Result<(), Fault> {
        let flight = match self.flights.get(id) {
            Some(flight) if flight.live && at == self.now => flight,
            Some(flight) if flight.live => return Err(Fault::Backwards { now: self.now, at }),
            _ => return Err(Fault::Stray { id, at }),
        };
        let Flight { issued, size, stream, op, .. } = *flight;
        flight.live = false;
        self.flights.remove(id as u32);
        self.recorder.complete(op, size, stream, issued, at);
        self.source.complete(stream, at);
        Ok(())
    }

    #[inline]
    fn issue(&mut self, now: Nanos) {
        let request = self.source.take();
        let Request { size, stream, op, .. } = request;
        let id = self.flights.insert(Flight { issued: now, size, stream, op, live: true }).into();
        self.generated += 1;
        self.last_arrival = now;
        self.left = self.flights.len();
        self.device.submit(now, Request { id, ..request });
        if let Some(ahead) = self.source.ahead() {
            self.device.expect(ahead);
        }
    }

    /// Whether requests came faster than they were served: see the module.
    fn is_late(&self) -> bool {
        let (span, behind) = (self.last_arrival.0, self.source.behind());
        let per_ns = self.generated as f64 / span.saturating_sub(self.limits.warmup.0).max(1) as f64;
        let is_backlog = |late: Nanos, left: f64| {
            late.0 > span / 20 && (late > Nanos(1_000_000_000) || left >= BACKLOG_MIN)
        };
        let rest = self.now.since(self.last_arrival);
        self.source.is_open() && is_backlog(rest, self.left as f64)
            || is_backlog(behind, behind.0 as f64 * per_ns)
    }

    /// Closes the counts and checks them.
    fn finish(mut self, overrun: bool) -> Result<Measured, Fault> {
        let in_flight = self.flights.len() as u64;
        let whole = in_flight == 0 && self.device.fault().is_none();
        let end = if whole { self.now.max(self.source.span()) } else { self.now };
        let end = end.max(self.limits.warmup);
        self.recorder.pass(self.now, end, in_flight);
        for flight in self.flights.slots().iter().filter(|flight| flight.live) {
            self.recorder.leave(flight.issued, end);
        }
        let completed = self.recorder.completed();
        if !self.measuring {
            self.generated = in_flight;
        }
        if self.generated != completed + in_flight {
            return Err(Fault::Conservation { generated: self.generated, completed, in_flight });
        }
        let (area, residence) = (self.recorder.area(), self.recorder.residence());
        if area != residence {
            return Err(Fault::LittlesLaw { area, residence });
        }
        let late = self.is_late();
        let (counters, length) = self.parts.close(end, self.limits.warmup, self.device);
        Ok(Measured {
            counters,
            length,
            generated: self.generated,
            in_flight,
            end,
            saturated: overrun || late,
            fault: None,
            given_up: self.recorder.missed(),
            recorder: self.recorder,
        })
    }
}
