//! When dirty lines are written to the slow device, and which.
//!
//! - **Watermarks** (dm-writecache): from `high` of the cache dirty down to `low`, those used longest ago first.
//! - **Stale** (OpenCAS ALRU): every `wake`, if nothing was requested for `quiet`, those not used for `stale`, oldest first, up to
//!   `depth` at a time.
//! - **Chunks** (OpenCAS ACP): every `wake`, up to `depth` at a time, in order of address, from the chunk of 100 MiB with the most dirty
//!   lines, by elevenths.
//! - **Rate** (bcache): in order of address, up to 64 at a time, at a rate that a controller sets every 5 s from how much is dirty
//!   above the target: proportional (1/40 of the error a second) and integral (1/10,000 of its sum). When all of the disk was
//!   scanned, a pause of 30 s, unless the target is exceeded.
//!
//! Whatever the kind, lines are cleaned when a request waits for space.

use drivecast_block::Nanos;

/// How lines are cleaned; see the module.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    Watermarks {
        high: f64,
        low: f64,
    },
    Stale {
        wake: Nanos,
        quiet: Nanos,
        stale: Nanos,
    },
    Chunks {
        wake: Nanos,
    },
    Rate {
        target: f64,
        delay: Nanos,
    },
    /// Only when a request waits.
    Demand,
}

/// In which order lines are cleaned.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// Those used longest ago first.
    Age,
    /// By their address, from where the last one was.
    Address,
    /// By their address, from the chunk with the most of them.
    Chunk,
}

/// Seconds between two settings of the rate.
const PERIOD: Nanos = Nanos::from_ms(5_000);
const SECTOR: f64 = 512.0;
/// Sectors a second that are cleaned at least.
const RATE_MIN: f64 = 8.0;

/// What a cleaner goes by.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    pub(super) now: Nanos,
    pub(super) dirty: u64,
    pub(super) lines: u64,
    pub(super) line_bytes: u64,
    /// When a request came last.
    pub(super) requested: Nanos,
    /// Whether a request waits for space.
    pub(super) pressed: bool,
}

/// A cleaner: its kind, and where it is.
#[derive(Clone)]
pub(super) struct Cleaner {
    kind: Kind,
    /// Lines being cleaned at a time.
    depth: u32,
    pub(super) in_flight: u32,
    is_active: bool,
    /// The end of the period; never, while nothing is dirty.
    period_at: Nanos,
    /// Sectors a second, and the sum of errors.
    rate: f64,
    integral: f64,
    /// When the rate lets the next line go.
    next_at: Nanos,
}

impl Cleaner {
    pub(super) fn new(kind: Kind, depth: u32) -> Cleaner {
        Cleaner {
            kind,
            depth,
            in_flight: 0,
            is_active: false,
            period_at: Nanos::MAX,
            rate: RATE_MIN,
            integral: 0.0,
            next_at: Nanos::ZERO,
        }
    }

    pub(super) fn order(&self) -> Order {
        match self.kind {
            Kind::Watermarks { .. } | Kind::Stale { .. } | Kind::Demand => Order::Age,
            Kind::Chunks { .. } => Order::Chunk,
            Kind::Rate { .. } => Order::Address,
        }
    }

    pub(super) fn kind(&self) -> Kind {
        self.kind
    }

    /// Lines that may be taken along with one that is cleaned: up to the depth, but at least it alone.
    pub(super) fn left(&self) -> u64 {
        u64::from(self.depth.saturating_sub(self.in_flight).max(1))
    }

    /// When the cleaner next has to see; never, while nothing is dirty.
    pub(super) fn due(&self) -> Nanos {
        match self.kind {
            Kind::Rate { .. } if self.period_at < Nanos::MAX && self.in_flight < self.depth => {
                self.period_at.min(self.next_at)
            }
            _ => self.period_at,
        }
    }

    /// How long a line must not have been used to be cleaned, unless a request waits.
    pub(super) fn stale(&self) -> Option<Nanos> {
        match self.kind {
            Kind::Stale { stale, .. } => Some(stale),
            _ => None,
        }
    }

    /// Whether another line is to be cleaned now.
    pub(super) fn wants(&mut self, seen: &Seen) -> bool {
        if seen.dirty == 0 {
            self.period_at = Nanos::MAX;
            self.is_active = false;
            return false;
        }
        self.wake(seen);
        if self.in_flight >= self.depth {
            self.is_active &= !matches!(self.kind, Kind::Chunks { .. });
            return false;
        }
        if seen.pressed {
            return true;
        }
        match self.kind {
            Kind::Demand => false,
            Kind::Watermarks { high, low } => {
                // What is on its way counts as clean.
                let left = seen.dirty.saturating_sub(self.in_flight.into()) as f64;
                let share = left / seen.lines as f64;
                self.is_active = share >= high || (self.is_active && share > low);
                self.is_active
            }
            Kind::Stale { quiet, .. } => {
                self.is_active &= seen.now.since(seen.requested) >= quiet;
                self.is_active
            }
            Kind::Chunks { .. } => self.is_active,
            Kind::Rate { .. } => {
                let goes = seen.now >= self.next_at;
                if goes {
                    let sectors = seen.line_bytes as f64 / SECTOR;
                    self.next_at = seen.now.max(self.next_at) + Nanos((sectors / self.rate * 1e9) as u64);
                }
                goes
            }
        }
    }

    /// Begins the next period if this one is over, whether or not anything can be cleaned now: else it stayed due for ever.
    fn wake(&mut self, seen: &Seen) {
        match self.kind {
            Kind::Stale { wake, .. } | Kind::Chunks { wake } => {
                self.is_active |= self.wakes(seen.now, wake);
            }
            Kind::Rate { target, .. } => {
                if self.wakes(seen.now, PERIOD) {
                    self.set_rate(seen, target);
                }
            }
            Kind::Watermarks { .. } | Kind::Demand => {}
        }
    }

    /// There was nothing to clean, or the search has come round.
    pub(super) fn pauses(&mut self, now: Nanos) {
        self.is_active = false;
        if let Kind::Rate { delay, .. } = self.kind {
            self.next_at = self.next_at.max(now + delay);
        }
    }

    /// Whether a period is over; the next begins, or the first.
    fn wakes(&mut self, now: Nanos, period: Nanos) -> bool {
        let is_over = self.period_at != Nanos::MAX && now >= self.period_at;
        if is_over || self.period_at == Nanos::MAX {
            self.period_at = now + period;
        }
        is_over
    }

    fn set_rate(&mut self, seen: &Seen, target: f64) {
        let sectors = |lines: f64| lines * seen.line_bytes as f64 / SECTOR;
        let error = sectors(seen.dirty as f64) - sectors(seen.lines as f64 * target);
        // As the kernel does, the sum does not grow while the rate is at its least and falls.
        if error > 0.0 || self.integral > 0.0 {
            self.integral += error * PERIOD.as_secs_f64();
        }
        self.rate = (error / 40.0 + self.integral / 10_000.0).max(RATE_MIN);
    }
}
