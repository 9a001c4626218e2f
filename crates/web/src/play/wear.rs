//! What the recording, or a line, does to the flash of a design, without a clock.

use super::design::Named;
use crate::Session;
use crate::request::members;
use drivecast_sim::run::{self, Wear, WearOptions};
use serde::Deserialize;
use serde_json::Value;

/// The members of the call.
#[derive(Deserialize)]
struct WearCache {
    /// A workload as a line; the recording where there is none.
    #[serde(default)]
    line: Option<String>,
    #[serde(default)]
    seed: u64,
    /// The share of each drive that holds data, at least; as in options of a run.
    #[serde(default)]
    fill: Option<f64>,
}

pub(crate) fn wear(session: &Session, request: &Value) -> Result<Wear, String> {
    let asked: WearCache = members(request)?;
    let design = members::<Named>(request)?.resolve(session)?;
    let workload = session.workload(asked.line.as_deref())?;
    let usual = WearOptions::default();
    let options = WearOptions { seed: asked.seed, fill: asked.fill.unwrap_or(1.0), ..usual };
    run::wear_kept(&design, &workload, &options, &session.kept).map_err(|error| error.to_string())
}
