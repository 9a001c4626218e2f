//! The target as a device: what its host asks goes to the kernel, and time is the machine's.

use crate::clock::{self, Clock, SPIN};
use crate::error::TargetError;
use crate::memory::Memory;
use crate::open::Opened;
use crate::ring::Ring;
use drivecast_block::{Bytes, Completion, Counters, Device, Nanos, Op, Request};
use hdrhistogram::Histogram;
use io_uring::{opcode, types};
use rand::Rng;
use std::os::fd::AsRawFd;

/// Lags above this are counted as this.
const LAG_NS_MAX: u64 = 3_600_000_000_000;

/// How late requests were issued.
pub struct Lag {
    /// Nanoseconds from when a request was due until it was handed to the kernel, in three significant digits.
    pub histogram: Histogram<u64>,
    /// Requests that had to be widened to whole sectors.
    pub widened: u64,
    /// Discards, which were counted and not issued.
    pub discards: u64,
}

/// A real file or block device.
///
/// Contract beyond [`Device`]'s: its host drives it from one thread, on which it sleeps.
pub struct Target {
    opened: Opened,
    ring: Ring,
    memory: Memory,
    clock: Option<Clock>,
    /// What each request in flight is to move, by id.
    flights: Vec<(Op, u32)>,
    in_flight: u64,
    /// When the requests that wait to be handed over were due.
    due: Vec<Nanos>,
    /// Done without the kernel.
    done: Vec<u64>,
    /// How far time has come for the host.
    reached: Nanos,
    /// A completion seen after the time up to which the host asked.
    seen: Option<(Nanos, u64)>,
    counters: Counters,
    lag: Lag,
    fault: Option<String>,
}

impl Target {
    /// A target for requests of up to `largest` bytes; `random` fills what is written.
    ///
    /// # Errors
    /// No ring, or no memory.
    pub fn new(opened: Opened, largest: u32, random: &mut impl Rng) -> Result<Target, TargetError> {
        let room = largest as usize + 2 * opened.sector as usize;
        let histogram = Histogram::new_with_bounds(1, LAG_NS_MAX, 3).expect("constant, valid bounds");
        Ok(Target {
            opened,
            ring: Ring::new()?,
            memory: Memory::new(room, random)?,
            clock: None,
            flights: Vec::new(),
            in_flight: 0,
            due: Vec::new(),
            done: Vec::new(),
            reached: Nanos::ZERO,
            seen: None,
            counters: Counters::default(),
            lag: Lag { histogram, widened: 0, discards: 0 },
            fault: None,
        })
    }

    /// How late requests were issued so far.
    #[must_use]
    pub fn lag(&self) -> &Lag {
        &self.lag
    }

    /// The time of the run, which begins with the first look at it.
    #[inline]
    fn now(&mut self) -> Nanos {
        self.clock
            .get_or_insert_with(|| {
                clock::sleep_exactly();
                Clock::begin()
            })
            .now()
    }

    /// Hands over what waits, and notes how late it was.
    fn hand_over(&mut self) {
        if self.ring.waiting() == 0 {
            return;
        }
        let now = self.now();
        for due in self.due.drain(..) {
            self.lag.histogram.saturating_record(now.since(due).0.max(1));
        }
        if let Err(error) = self.ring.hand_over() {
            self.fail(format!("the kernel takes no requests: {error}"));
        }
    }

    fn fail(&mut self, reason: String) {
        self.fault.get_or_insert(reason);
    }

    /// Lets the clock reach `until`, or a request complete before.
    fn wait(&mut self, until: Nanos) {
        self.hand_over();
        loop {
            if self.seen.is_none() {
                self.look();
            }
            let now = self.now();
            if self.seen.is_some() || now >= until || self.fault.is_some() {
                return;
            }
            let left = Nanos(until.0 - now.0);
            let slept = match until {
                Nanos::MAX => self.ring.sleep(None),
                _ if left > SPIN => self.ring.sleep(Some(Nanos(left.0 - SPIN.0))),
                _ => {
                    std::hint::spin_loop();
                    Ok(())
                }
            };
            if let Err(error) = slept {
                self.fail(format!("the kernel gives no completions: {error}"));
            }
        }
    }

    /// Whether a request has completed, and when that was seen.
    #[inline]
    fn look(&mut self) {
        if let Some(id) = self.done.pop() {
            self.seen = Some((self.now(), id));
        } else if let Some((id, result)) = self.ring.reap() {
            let (op, size) = self.flights[id as usize];
            let name = op.name();
            if result < 0 {
                self.fail(format!("a {name} failed: {}", std::io::Error::from_raw_os_error(-result)));
            } else if result as u32 != size {
                self.fail(format!("a {name} moved {result} of {size} bytes"));
            }
            self.seen = Some((self.now(), id));
        }
    }

    /// The request on whole sectors: first byte and length.
    fn widened(&mut self, request: &Request) -> (u64, u32) {
        let sector = u64::from(self.opened.sector);
        let from = request.offset.0 / sector * sector;
        let to = request.end().div_ceil(sector) * sector;
        self.lag.widened += u64::from(from != request.offset.0 || to != request.end());
        (from, (to - from) as u32)
    }
}

impl Device for Target {
    fn capacity(&self) -> Bytes {
        Bytes(self.opened.bytes)
    }

    fn submit(&mut self, now: Nanos, request: Request) {
        if self.in_flight == 0 {
            self.wait(now); // nobody else lets time pass where nothing is in flight
        }
        self.counters.submit(&request);
        self.in_flight += 1;
        self.reached = now;
        let file = types::Fd(self.opened.file.as_raw_fd());
        let (from, size) = if request.op == Op::Flush { (0, 0) } else { self.widened(&request) };
        let at = request.id as usize;
        if at >= self.flights.len() {
            self.flights.resize(at + 1, (Op::Flush, 0));
        }
        self.flights[at] = (request.op, size);
        let entry = match request.op {
            Op::Read => opcode::Read::new(file, self.memory.reads(), size).offset(from).build(),
            Op::Write => opcode::Write::new(file, self.memory.writes(), size).offset(from).build(),
            Op::Flush => opcode::Fsync::new(file).flags(types::FsyncFlags::DATASYNC).build(),
            Op::Discard => {
                self.lag.discards += 1;
                self.done.push(request.id);
                return;
            }
        };
        let entry = entry.user_data(request.id);
        while self.fault.is_none() && !self.ring.push(&entry) {
            self.hand_over();
        }
        self.due.push(now);
    }

    fn next(&self) -> Option<Nanos> {
        if self.in_flight == 0 || self.fault.is_some() {
            return None;
        }
        Some(self.seen.map_or(Nanos(self.reached.0 + 1), |(at, _)| at.max(self.reached)))
    }

    fn age(&mut self, _request: Request) {}

    fn advance(&mut self, now: Nanos, done: &mut Vec<Completion>) {
        while self.in_flight > 0 && self.reached < now && self.fault.is_none() {
            self.run(now, done);
        }
    }

    fn run(&mut self, until: Nanos, done: &mut Vec<Completion>) -> Nanos {
        self.wait(until);
        match self.seen.map(|(at, id)| (at.max(self.reached), id)) {
            _ if self.fault.is_some() => {}
            Some((at, id)) if at <= until => {
                (self.seen, self.reached) = (None, at);
                self.in_flight -= 1;
                self.counters.completed[self.flights[id as usize].0 as usize] += 1;
                done.push(Completion { id, at });
            }
            _ => self.reached = until,
        }
        self.reached
    }

    fn counters(&self) -> Counters {
        self.counters
    }

    fn reset_counters(&mut self) {
        self.counters = Counters::default();
    }

    fn fault(&self) -> Option<String> {
        self.fault.clone()
    }
}
