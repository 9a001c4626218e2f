//! The target as a device: its requests go to the kernel, and time is the machine's.

use crate::clock::{Clock, Punctual, SPIN};
use crate::error::TargetError;
use crate::memory::Memory;
use crate::open::Opened;
use crate::ring::Ring;
use drivecast_block::{Bytes, Completion, Counters, Device, Nanos, Op, Request};
use hdrhistogram::Histogram;
use io_uring::{opcode, types};
use rand::Rng;
use std::os::fd::AsRawFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Lags above this are counted as this.
const LAG_NS_MAX: u64 = 3_600_000_000_000;

/// Requests of more than this many bytes are not taken: the kernel would cut them.
const LARGEST: usize = 1 << 30;

/// A sleep ends after so long at the latest, to see whether the run is to stop.
const LOOK: Nanos = Nanos(50_000_000);

/// How long a run that ends waits for requests that the disk still has.
const PATIENCE: Duration = Duration::from_secs(10);

/// How late requests were issued.
#[derive(Clone)]
pub struct Lag {
    /// Nanoseconds from when a request was due until the kernel had taken it, in three significant digits.
    pub histogram: Histogram<u64>,
    /// Requests that had to be widened to whole sectors.
    pub widened: u64,
    /// Bytes that these moved besides those requested.
    pub widened_bytes: u64,
    /// Discards, which were counted and not issued.
    pub discards: u64,
}

/// A request in flight, as the kernel has it.
#[derive(Clone, Copy)]
struct Flight {
    op: Op,
    from: u64,
    size: u32,
}

/// A real file or block device.
///
/// Contract beyond [`Device`]'s: its host drives it from one thread, on which it sleeps.
pub struct Target {
    ring: Ring,
    opened: Opened,
    memory: Memory,
    clock: Option<(Clock, Punctual)>,
    stop: Arc<AtomicBool>,
    /// What each request in flight is to move, by id.
    flights: Vec<Flight>,
    in_flight: u64,
    /// Since when there is something in flight, and for how long there was before.
    busy_since: Nanos,
    busy: Nanos,
    /// When the requests that wait to be handed over were due.
    due: Vec<Nanos>,
    /// Done without the kernel.
    done: Vec<u64>,
    /// How far time has come for the host.
    reached: Nanos,
    /// A completion seen after the time up to which the host advanced.
    seen: Option<(Nanos, u64)>,
    counters: Counters,
    lag: Lag,
    fault: Option<String>,
}

impl Target {
    /// A target for requests of up to `largest` bytes; `random` fills what is written. The run breaks off soon after `stop`
    /// is set.
    ///
    /// # Errors
    /// No ring, or no memory.
    pub fn new(
        opened: Opened,
        largest: u32,
        random: &mut impl Rng,
        stop: Arc<AtomicBool>,
    ) -> Result<Target, TargetError> {
        let bytes = largest as usize + 2 * opened.sector as usize;
        if bytes > LARGEST {
            return Err(TargetError::Large { bytes: largest });
        }
        let histogram = Histogram::new_with_bounds(1, LAG_NS_MAX, 3).expect("constant, valid bounds");
        Ok(Target {
            ring: Ring::new(opened.file.as_raw_fd())?,
            opened,
            memory: Memory::new(bytes, random)?,
            clock: None,
            stop,
            flights: Vec::new(),
            in_flight: 0,
            busy_since: Nanos::ZERO,
            busy: Nanos::ZERO,
            due: Vec::new(),
            done: Vec::new(),
            reached: Nanos::ZERO,
            seen: None,
            counters: Counters::default(),
            lag: Lag { histogram, widened: 0, widened_bytes: 0, discards: 0 },
            fault: None,
        })
    }

    /// How late requests were issued so far.
    pub fn lag(&self) -> &Lag {
        &self.lag
    }

    /// The time of the run, which begins with the first look at it.
    #[inline]
    fn now(&mut self) -> Nanos {
        let begin = || {
            let punctual = Punctual::begin();
            (Clock::begin(), punctual)
        };
        self.clock.get_or_insert_with(begin).0.now()
    }

    /// Hands over what waits, and notes how late it was.
    fn hand_over(&mut self) {
        if self.ring.waiting() == 0 {
            return;
        }
        if let Err(error) = self.ring.hand_over() {
            self.fail(format!("the kernel takes no requests: {error}"));
        }
        let now = self.now();
        for due in self.due.drain(..) {
            self.lag.histogram.saturating_record(now.since(due).0.max(1));
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
            if self.stop.load(Ordering::Relaxed) {
                self.fail("interrupted".to_owned());
                return;
            }
            let left = Nanos(until.0 - now.0);
            if left <= SPIN {
                std::hint::spin_loop();
            } else if let Err(error) = self.ring.sleep(Nanos(left.0 - SPIN.0).min(LOOK)) {
                self.fail(format!("the kernel gives no completions: {error}"));
            }
        }
    }

    /// Whether a request has completed, and when that was seen.
    #[inline]
    fn look(&mut self) {
        if let Some(id) = self.done.pop() {
            self.seen = Some((self.now(), id));
            return;
        }
        match self.ring.reap() {
            Ok(None) => {}
            Ok(Some((id, result))) => {
                let Flight { op, from, size } = self.flights[id as usize];
                if result as u32 == size {
                    self.seen = Some((self.now(), id));
                    return;
                }
                let name = op.name();
                self.fail(match result {
                    ..0 => {
                        let error = std::io::Error::from_raw_os_error(-result);
                        format!("a {name} of {size} bytes at {from} failed: {error}")
                    }
                    _ => format!("a {name} at {from} moved {result} of {size} bytes: the target ends there"),
                });
            }
            Err(error) => self.fail(format!("the kernel gives no completions: {error}")),
        }
    }

    /// The request on whole sectors: first byte and length.
    fn widened(&mut self, request: &Request) -> (u64, u32) {
        let sector = u64::from(self.opened.sector);
        let from = request.offset.0 / sector * sector;
        let to = request.end().div_ceil(sector) * sector;
        let beside = to - from - u64::from(request.size);
        self.lag.widened += u64::from(beside > 0);
        self.lag.widened_bytes += beside;
        (from, (to - from) as u32)
    }
}

impl Drop for Target {
    /// The kernel would continue to move data to memory that is freed, so what it still has is waited for. A disk that never
    /// answers keeps its memory, not the program.
    fn drop(&mut self) {
        if !self.ring.drain(PATIENCE) {
            self.memory.keep();
        }
        if let Some((_, punctual)) = self.clock.take() {
            punctual.end();
        }
    }
}

impl Device for Target {
    fn capacity(&self) -> Bytes {
        Bytes(self.opened.bytes)
    }

    fn submit(&mut self, now: Nanos, request: Request) {
        self.counters.submit(&request);
        if self.in_flight == 0 {
            self.busy_since = now;
        }
        self.in_flight += 1;
        self.reached = now;
        let file = types::Fixed(0);
        let (from, size) = if request.op == Op::Flush { (0, 0) } else { self.widened(&request) };
        let at = request.id as usize;
        if at >= self.flights.len() {
            self.flights.resize(at + 1, Flight { op: Op::Flush, from: 0, size: 0 });
        }
        self.flights[at] = Flight { op: request.op, from, size };
        let entry = match request.op {
            Op::Read => opcode::Read::new(file, self.memory.reads(), size).offset(from).build(),
            Op::Write => {
                let flags = if request.fua { libc::RWF_DSYNC } else { 0 };
                opcode::Write::new(file, self.memory.writes(), size).offset(from).rw_flags(flags).build()
            }
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
        // Even with nothing in flight there is something to do: to let time pass.
        if self.fault.is_some() {
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
            _ if self.fault.is_some() => self.reached = self.now().min(until).max(self.reached),
            Some((at, id)) if at <= until => {
                (self.seen, self.reached) = (None, at);
                self.in_flight -= 1;
                if self.in_flight == 0 {
                    self.busy += at.since(self.busy_since);
                }
                self.counters.completed[self.flights[id as usize].op as usize] += 1;
                done.push(Completion { id, at });
            }
            _ => self.reached = until,
        }
        self.reached
    }

    /// Busy as `iostat` has it: while anything is in flight.
    fn counters(&self) -> Counters {
        let going = if self.in_flight > 0 { self.reached.since(self.busy_since) } else { Nanos::ZERO };
        Counters { busy_ns: (self.busy + going).0, ..self.counters }
    }

    fn reset_counters(&mut self) {
        self.counters = Counters::default();
        (self.busy, self.busy_since) = (Nanos::ZERO, self.reached);
    }

    fn fault(&self) -> Option<String> {
        self.fault.clone()
    }
}
