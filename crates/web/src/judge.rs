//! The plan that the report carries, judged under other requirements and prices.

use crate::Session;
use crate::request::members;
use drivecast_assess::what_if::rented::{Offered, Rented};
use drivecast_assess::what_if::{Candidate, Judged, Settings};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The members of `judge`.
#[derive(Deserialize)]
struct Asked {
    settings: Settings,
}

pub(crate) fn judge(session: &mut Session, request: &Value) -> Result<Judged, String> {
    session.judge_mut()?.judge(members::<Asked>(request)?.settings)
}

/// Where a design is from now on.
#[derive(Serialize)]
pub(crate) struct Place {
    index: usize,
}

/// Takes what `try_out` found, here or in another worker.
pub(crate) fn add(session: &mut Session, request: &Value) -> Result<Place, String> {
    Ok(Place { index: session.judge_mut()?.add(members::<Candidate>(&request["tried"])?)? })
}

/// The members of `rent`.
#[derive(Deserialize)]
struct Renting {
    rented: Rented,
    volumes: u32,
}

/// What may be rented of a kind, next to what is asked of it, and what that costs a month.
pub(crate) fn rent(session: &Session, request: &Value) -> Result<Offered, String> {
    let Renting { rented, volumes } = members(request)?;
    session.judge()?.carried().rental.offered(rented, volumes)
}
