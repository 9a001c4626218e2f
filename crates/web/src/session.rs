//! What an instance holds between calls.

use crate::json;
#[cfg(feature = "simulator")]
use crate::wear_cache::WearCache;
use drivecast_assess::what_if::carried::SCHEMA;
use drivecast_assess::what_if::{Carried, Judge};
#[cfg(feature = "simulator")]
use drivecast_sim::run::{self, SteadyStates};
use serde_json::Value;

const NOT_OPEN: &str = "no report was opened";

/// The document that the report carries and, to play designs, its recording and drives in steady state.
#[cfg_attr(not(feature = "simulator"), derive(Default))]
pub struct Session {
    /// The plan that the report carries; none before `open`.
    pub(crate) judge: Option<Judge>,
    /// How the report's recording is played, and on what; null before `open`.
    #[cfg(feature = "simulator")]
    pub(crate) play: Value,
    /// What `record` was given, or why it is none; none before.
    #[cfg(feature = "simulator")]
    pub(crate) recording: Option<Result<run::Workload, String>>,
    #[cfg(feature = "simulator")]
    pub(crate) kept: SteadyStates,
    /// How the flash of caches wears, as far as it is known.
    #[cfg(feature = "simulator")]
    pub(crate) worn: WearCache,
}

impl Session {
    /// Takes the document that the report carries; returns how many designs were tried.
    pub(crate) fn open(&mut self, carried: &Value) -> Result<usize, String> {
        let read: Carried = json::read(carried).map_err(|error| format!("the report is damaged: {error}"))?;
        if read.schema != SCHEMA {
            return Err(format!("the report is of form {}, and this page reads form {SCHEMA}", read.schema));
        }
        let tried = read.designs.len();
        #[cfg(feature = "simulator")]
        {
            self.worn = WearCache::of(&read);
        }
        self.judge = Some(Judge::new(read));
        Ok(tried)
    }

    /// The plan that the report carries.
    pub(crate) fn judge(&self) -> Result<&Judge, String> {
        self.judge.as_ref().ok_or_else(|| NOT_OPEN.to_owned())
    }

    /// The same, to be asked.
    #[cfg(feature = "judge")]
    pub(crate) fn judge_mut(&mut self) -> Result<&mut Judge, String> {
        self.judge.as_mut().ok_or_else(|| NOT_OPEN.to_owned())
    }
}
