//! How a run is made, as a call says it: Python's `Options`, with the same names and defaults.

use drivecast_block::Nanos;
use drivecast_sim::run::{Depth, Remap, RunOptions, State, Window};
use serde::Deserialize;

/// Absent members leave the choice to the simulator.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Options {
    seed: u64,
    start_s: f64,
    length_s: Option<f64>,
    duration_s: Option<f64>,
    requests: Option<u64>,
    warmup_s: f64,
    speedup: f64,
    iodepth: Option<u32>,
    own_depth: bool,
    wrap: bool,
    fill: f64,
    state: String,
    streams: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            seed: 0,
            start_s: 0.0,
            length_s: None,
            duration_s: None,
            requests: None,
            warmup_s: 0.0,
            speedup: 1.0,
            iodepth: None,
            own_depth: false,
            wrap: false,
            fill: 1.0,
            state: "steady".to_owned(),
            streams: 0,
        }
    }
}

impl Options {
    pub(crate) fn to_run(&self) -> Result<RunOptions, String> {
        let named = State::NAMED.iter().find(|(name, _)| *name == self.state);
        let &(_, state) = named.ok_or_else(|| {
            let names = State::NAMED.map(|(name, _)| name).join(", ");
            format!("state: expected one of {names}, found `{}`", self.state)
        })?;
        Ok(RunOptions {
            seed: self.seed,
            window: self.window(),
            speedup: self.speedup,
            depth: self.iodepth.map(Depth::Of).or(self.own_depth.then_some(Depth::Recorded)),
            duration: self.duration_s.map(Nanos::from_secs_f64),
            requests: self.requests,
            warmup: Nanos::from_secs_f64(self.warmup_s),
            fill: self.fill,
            state,
            remap: if self.wrap { Remap::Wrap } else { Remap::Refuse },
            within: None,
            streams: self.streams,
        })
    }

    /// The part of the recording from `start_s` on; none where it is all of it.
    fn window(&self) -> Option<Window> {
        let start = Nanos::from_secs_f64(self.start_s);
        let rest = Nanos(u64::MAX - start.0);
        let length = self.length_s.map_or(rest, Nanos::from_secs_f64);
        Some(Window { start, length }).filter(|_| self.start_s > 0.0 || self.length_s.is_some())
    }
}
