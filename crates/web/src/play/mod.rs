//! Designs played as the plan plays them, in the workers of a page.
//!
//! Model. A worker takes one call at a time. What it plays is the recording that the report carries, the line of a plan made
//! from counters, or a line of the call; drives in steady state stay for the runs after.

mod counters;
mod design;
mod design_trial;
mod options;
mod recording;
mod refine;
mod simulate;
mod trial;
mod try_cached;
mod try_rented;
mod wear;

use crate::{Session, json};
use serde_json::Value;

/// The calls that are answered here.
pub(crate) const NAMES: [&str; 4] = ["simulate", "wear", "try_out", "refine"];

/// Answers a call; none of another name.
pub(crate) fn answer(session: &Session, name: &str, request: &Value) -> Option<Result<String, String>> {
    Some(match name {
        "simulate" => simulate::simulate(session, request).and_then(json::write),
        "wear" => wear::wear(session, request).and_then(json::write),
        "try_out" => match try_rented::is_meant(session, request) {
            Ok(true) => try_rented::try_out(session, request).and_then(json::write),
            Ok(false) => design_trial::try_out(session, request).and_then(json::write),
            Err(sentence) => Err(sentence),
        },
        "refine" => refine::refine(session, request).and_then(json::write),
        _ => return None,
    })
}
