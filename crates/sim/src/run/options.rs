//! How to run a simulation, and the one table of its defaults.

use crate::error::SimError;
use crate::host::Within;
use drivecast_block::Nanos;

/// Each stream held apart takes half a megabyte.
const STREAMS_MAX: u32 = 256;

/// No run is longer: a number beyond is a slip.
const CENTURY: Nanos = Nanos(100 * 365 * 86_400 * 1_000_000_000);

/// What to do with requests beyond the end of the design.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Remap {
    /// Refuse the trace.
    #[default]
    Refuse,
    /// Take the offset modulo the capacity.
    Wrap,
}

/// How many requests of a trace are outstanding where its times are ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// So many.
    Of(u32),
    /// As many as were outstanding when each request was recorded.
    Recorded,
}

/// A part of a trace, in the trace's own time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Where it begins.
    pub start: Nanos,
    /// How long it lasts.
    pub length: Nanos,
}

impl Window {
    /// From `start_s` on, to the end where there is no length; none where that is all of the trace.
    pub fn of_seconds(start_s: f64, length_s: Option<f64>) -> Option<Window> {
        let start = Nanos::from_secs_f64(start_s);
        let rest = Nanos(u64::MAX - start.0);
        let length = length_s.map_or(rest, Nanos::from_secs_f64);
        Some(Window { start, length }).filter(|_| start_s > 0.0 || length_s.is_some())
    }
}

/// Where flash drives start from. All but the first are reached outside time, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// Erased.
    Fresh,
    /// Written once, in order, where the workload writes, as when a test file is laid out.
    LaidOut,
    /// Where the workload's own writes, over and over, keep it.
    #[default]
    Steady,
    /// There, and then left alone until the drive has done all that it does in idle time.
    Idle,
}

impl State {
    /// All states, by the names that options have for them.
    pub const NAMED: [(&str, State); 4] = [
        ("fresh", State::Fresh),
        ("laid-out", State::LaidOut),
        ("steady", State::Steady),
        ("idle", State::Idle),
    ];

    /// The state of that name.
    ///
    /// # Errors
    /// There is none; the text lists them.
    pub fn named(name: &str) -> Result<State, String> {
        let named = State::NAMED.iter().find(|(known, _)| *known == name);
        named.map(|(_, state)| *state).ok_or_else(|| {
            let names = State::NAMED.map(|(name, _)| name).join(", ");
            format!("state: expected one of {names}, found `{name}`")
        })
    }
}

/// How to run.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Seed of all that is random.
    pub seed: u64,
    /// The part of the trace to replay; the footprint on the drives is always that of the whole trace. None: all of it.
    pub window: Option<Window>,
    /// How many times as fast as recorded.
    pub speedup: f64,
    /// A trace as fast as possible with this many requests outstanding, instead of at its own times; a synthetic workload at
    /// this depth instead of its own.
    pub depth: Option<Depth>,
    /// Length of the measured part; none: as long as the trace, or as `requests` need.
    pub duration: Option<Nanos>,
    /// Requests to be completed in the measured part; none: the trace, or as many as fit into `duration`, or 200,000
    /// (as many as move 2 TiB, where that is fewer).
    pub requests: Option<u64>,
    /// Time before measuring begins.
    pub warmup: Nanos,
    /// At least this share of each drive holds data.
    pub fill: f64,
    /// Where flash drives start from.
    pub state: State,
    /// What to do with requests beyond the end of the design.
    pub remap: Remap,
    /// The run is given up once it can no longer keep this: a trace, or arrivals at a rate. None: every run is whole.
    pub within: Option<Within>,
    /// Streams whose latencies are held apart: those below this number.
    pub streams: u32,
}

impl Default for RunOptions {
    fn default() -> RunOptions {
        RunOptions {
            seed: 0,
            window: None,
            speedup: 1.0,
            depth: None,
            duration: None,
            requests: None,
            warmup: Nanos::ZERO,
            fill: 1.0,
            state: State::Steady,
            remap: Remap::Refuse,
            within: None,
            streams: 0,
        }
    }
}

impl RunOptions {
    pub(super) fn check(&self) -> Result<(), SimError> {
        let refuse = |option, expected, found: String| Err(SimError::Option { option, expected, found });
        if !(self.speedup.is_finite() && self.speedup > 0.0) {
            return refuse("speedup", "a number above 0", self.speedup.to_string());
        }
        if self.depth == Some(Depth::Of(0)) {
            return refuse("depth", "at least 1", "0".to_owned());
        }
        if self.requests == Some(0) {
            return refuse("requests", "at least 1", "0".to_owned());
        }
        if self.duration == Some(Nanos::ZERO) {
            return refuse("duration", "above 0", "0".to_owned());
        }
        let lengths = [("duration", self.duration.unwrap_or_default()), ("warmup", self.warmup)];
        if let Some((option, length)) = lengths.into_iter().find(|(_, length)| *length > CENTURY) {
            return refuse(option, "at most 100 years", format!("{:e} s", length.as_secs_f64()));
        }
        if self.streams > STREAMS_MAX {
            return refuse("streams", "at most 256", self.streams.to_string());
        }
        check_fill(self.fill)
    }
}

pub(super) fn check_fill(fill: f64) -> Result<(), SimError> {
    if (0.0..=1.0).contains(&fill) {
        return Ok(());
    }
    Err(SimError::Option { option: "fill", expected: "a fraction from 0 to 1", found: fill.to_string() })
}
