//! What a session plays: the recording that the report carries, or a line.

use crate::Session;
use crate::wear_cache::WearCache;
use drivecast_block::Nanos;
use drivecast_sim::run::{self, RunOptions, SteadyStates, Window};
use drivecast_workload::{WorkloadSpec, expand};
use serde_json::Value;

/// Memory for drives in steady state: a worker is one of several in a page.
const KEPT_BYTES_MAX: usize = 128 << 20;

impl Default for Session {
    fn default() -> Session {
        Session {
            judge: None,
            play: Value::Null,
            recording: None,
            kept: SteadyStates::new(KEPT_BYTES_MAX),
            worn: WearCache::default(),
        }
    }
}

impl Session {
    /// Takes a recording in compact form.
    pub fn record(&mut self, bytes: &[u8]) {
        let read = expand(bytes).map(|records| run::Workload::Records(records.into()));
        self.recording = Some(read.map_err(|error| format!("the recording is damaged: {error}")));
    }

    /// Requests of the recording; none without one.
    pub(crate) fn requests(&self) -> Result<Option<usize>, String> {
        let recording =
            self.recording.as_ref().map(|found| found.as_ref().map_err(Clone::clone)).transpose()?;
        Ok(recording.and_then(run::Workload::records).map(|records| records.len()))
    }

    /// A workload: the line, or the recording where there is no line.
    pub(crate) fn workload(&self, line: Option<&str>) -> Result<run::Workload, String> {
        match (line, &self.recording) {
            (Some(line), _) => {
                WorkloadSpec::parse(line).map(run::Workload::Synthetic).map_err(|error| error.to_string())
            }
            (None, Some(recording)) => recording.clone(),
            (None, None) => Err("this report carries no recording, so nothing can be played".to_owned()),
        }
    }

    /// How the busiest stretch is played, at a multiple of its load, on a design of which this share holds data.
    pub(super) fn peak(&self, seed: u64, times: f64, fill: f64) -> RunOptions {
        let seconds = |name: &str| Nanos::from_secs_f64(self.play[name].as_f64().unwrap_or(0.0));
        RunOptions {
            seed,
            window: Some(Window { start: seconds("start_s"), length: seconds("length_s") }),
            speedup: times,
            fill,
            ..RunOptions::default()
        }
    }
}
