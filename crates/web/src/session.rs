//! What a worker holds between calls.

use drivecast_assess::what_if::carried::SCHEMA;
use drivecast_assess::what_if::{Carried, Judge};
use drivecast_sim::run::{self, Kept};
use drivecast_workload::{WorkloadSpec, expand};
use serde::Deserialize;
use serde_json::Value;

/// Memory for drives in steady state: a worker is one of several in a page.
const KEPT_BYTES_MAX: usize = 128 << 20;

const NOT_OPEN: &str = "no report was opened";

/// The document that the report carries, its recording, and drives in steady state.
pub struct Session {
    /// How the report's recording is played, and on what; null before `open`.
    pub(crate) play: Value,
    /// The plan that the report carries; none before `open`.
    judge: Option<Judge>,
    /// What `record` was given, or why it is none; none before.
    recording: Option<Result<run::Workload, String>>,
    pub(crate) kept: Kept,
}

impl Default for Session {
    fn default() -> Session {
        Session { play: Value::Null, judge: None, recording: None, kept: Kept::new(KEPT_BYTES_MAX) }
    }
}

impl Session {
    /// Takes a recording in compact form.
    pub fn record(&mut self, bytes: &[u8]) {
        let read = expand(bytes).map(|records| run::Workload::Records(records.into()));
        self.recording = Some(read.map_err(|error| format!("the recording is damaged: {error}")));
    }

    /// Takes the document that the report carries; returns how many designs were tried.
    pub(crate) fn open(&mut self, mut carried: Value) -> Result<usize, String> {
        self.play = carried.get_mut("play").map(Value::take).unwrap_or_default();
        let read: Carried =
            Carried::deserialize(&carried).map_err(|error| format!("the report is damaged: {error}"))?;
        if read.schema != SCHEMA {
            return Err(format!("the report is of form {}, and this page reads form {SCHEMA}", read.schema));
        }
        let tried = read.designs.len();
        self.judge = Some(Judge::new(read));
        Ok(tried)
    }

    /// The plan that the report carries.
    pub(crate) fn judge(&self) -> Result<&Judge, String> {
        self.judge.as_ref().ok_or_else(|| NOT_OPEN.to_owned())
    }

    /// The same, to be asked.
    pub(crate) fn judge_mut(&mut self) -> Result<&mut Judge, String> {
        self.judge.as_mut().ok_or_else(|| NOT_OPEN.to_owned())
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
}
