//! How a log is to be read: what the caller chooses, and what is said where the content leaves a doubt.

use crate::error::input;
use drivecast_block::Nanos;
use drivecast_trace::{Event, Options};
use pyo3::prelude::*;

/// Python's `Reading`, as a mapping with all of these keys.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Reading {
    /// `Q` or `D`: which event of a block trace makes a row.
    event: Option<String>,
    disk: Option<String>,
    interval_s: Option<f64>,
    skip_first: bool,
    /// The format by name.
    format: Option<String>,
    /// The mapping of a table.
    csv: Option<String>,
    strict: bool,
    whole_set: bool,
}

/// The options of a caller who may have said nothing.
pub(crate) fn options(reading: Option<Reading>) -> PyResult<Options> {
    let Some(reading) = reading else { return Ok(Options::default()) };
    let event = match reading.event.as_deref() {
        None => None,
        Some("Q") => Some(Event::Queue),
        Some("D") => Some(Event::Issue),
        Some(other) => return Err(input(format!("event: expected Q or D, found `{other}`"))),
    };
    Ok(Options {
        event,
        device: None,
        disk: reading.disk,
        interval: reading.interval_s.map(Nanos::from_secs_f64),
        format: reading.format,
        csv: reading.csv,
        strict: reading.strict,
        skip_first: reading.skip_first,
        whole_set: reading.whole_set,
    })
}
