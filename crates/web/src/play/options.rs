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
        Ok(RunOptions {
            seed: self.seed,
            window: Window::of_seconds(self.start_s, self.length_s),
            speedup: self.speedup,
            depth: self.iodepth.map(Depth::Of).or(self.own_depth.then_some(Depth::Recorded)),
            duration: self.duration_s.map(Nanos::from_secs_f64),
            requests: self.requests,
            warmup: Nanos::from_secs_f64(self.warmup_s),
            fill: self.fill,
            state: State::named(&self.state)?,
            remap: if self.wrap { Remap::Wrap } else { Remap::Refuse },
            within: None,
            streams: self.streams,
        })
    }
}
