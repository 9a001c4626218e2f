//! The plan that the report carries, judged under other requirements and prices.

use crate::request::members;
use crate::{Session, json};
use drivecast_assess::what_if::rented::{Offered, Rented};
use drivecast_assess::what_if::{Candidate, Judged, Settings};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The calls that are answered here.
pub(crate) const NAMES: [&str; 3] = ["add", "judge", "rent"];

/// Answers a call; none of another name.
pub(crate) fn answer(session: &mut Session, name: &str, request: &Value) -> Option<Result<String, String>> {
    Some(match name {
        "add" => add(session, request).and_then(json::write),
        "judge" => judge(session, request).and_then(json::write),
        "rent" => rent(session, request).and_then(json::write),
        _ => return None,
    })
}

/// The members of `judge`.
#[derive(Deserialize)]
struct Asked {
    settings: Settings,
}

fn judge(session: &mut Session, request: &Value) -> Result<Judged, String> {
    session.judge_mut()?.judge(members::<Asked>(request)?.settings)
}

/// Where a design is from now on.
#[derive(Serialize)]
struct Place {
    index: usize,
}

/// Takes what `try_out` found, here or in another worker.
fn add(session: &mut Session, request: &Value) -> Result<Place, String> {
    Ok(Place { index: session.judge_mut()?.add(members::<Candidate>(&request["tried"])?)? })
}

/// The members of `rent`.
#[derive(Deserialize)]
struct Renting {
    rented: Rented,
    volumes: u32,
}

/// What may be rented of a kind, next to what is asked of it, and what that costs a month.
fn rent(session: &Session, request: &Value) -> Result<Offered, String> {
    let Renting { rented, volumes } = members(request)?;
    session.judge()?.carried().rental.offered(rented, volumes)
}
