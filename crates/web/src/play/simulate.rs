//! One run of the recording, or of a line, on a design.

use super::design::Named;
use super::options::Options;
use crate::Session;
use crate::request::members;
use drivecast_sim::outcome::Outcome;
use drivecast_sim::run;
use serde::Deserialize;
use serde_json::Value;

/// The members of the call.
#[derive(Deserialize)]
struct Simulate {
    /// A workload as a line; the recording where there is none.
    #[serde(default)]
    line: Option<String>,
    #[serde(default)]
    options: Options,
}

pub(crate) fn simulate(session: &Session, request: &Value) -> Result<Outcome, String> {
    let asked: Simulate = members(request)?;
    let design = members::<Named>(request)?.resolve(session)?;
    let workload = session.workload(asked.line.as_deref())?;
    let options = asked.options.to_run()?;
    run::simulate_kept(&design, &workload, &options, &session.kept).map_err(|error| error.to_string())
}
