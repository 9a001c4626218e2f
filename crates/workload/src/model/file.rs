//! Models as TOML: reading with the line of every fault, and writing as a person would.

use super::spec::{Burst, Law, Listed, Open, RateOverTime};
use super::{Address, Arrivals, Batch, Model, ModelError, Quantiles, Reuse, RunStart, ZoneOf, check};
use drivecast_block::line::nearest;
use serde::{Deserialize, Serialize};

impl Model {
    /// Reads a model; `name` is what errors call the text.
    ///
    /// # Errors
    /// The text is no TOML, has an unknown key, lacks one, or a value is out of its range.
    pub fn read(text: &str, name: &str) -> Result<Model, ModelError> {
        let model: Model = toml::from_str(text).map_err(|error| {
            let line = error.span().map(|span| check::line_at(text, span.start));
            let (message, hint) = worded(error.message());
            ModelError::File { name: name.to_owned(), line, message, hint }
        })?;
        check::check(&model).map_err(|fault| {
            let line = fault.line_in(text, &model);
            ModelError::File { name: name.to_owned(), line, message: fault.message, hint: fault.hint }
        })?;
        Ok(model)
    }

    /// The model that a JSON document holds.
    ///
    /// # Errors
    /// As [`Model::read`].
    pub fn from_json(json: &str) -> Result<Model, ModelError> {
        let refuse = |message, hint| ModelError::File { name: "model".to_owned(), line: None, message, hint };
        let model: Model = serde_json::from_str(json).map_err(|error| {
            let (message, hint) = worded(&error.to_string());
            refuse(message, hint)
        })?;
        check::check(&model).map_err(|fault| refuse(fault.message, fault.hint))?;
        Ok(model)
    }

    /// The canonical JSON of the model.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// A message of the parser with the nearest known key, where a key was unknown.
fn worded(message: &str) -> (String, Option<String>) {
    let message = message.trim();
    let mut words = message.split('`').skip(1).step_by(2);
    let hint = match words.next() {
        Some(found) if message.starts_with("unknown ") => {
            nearest(found, words).map(|known| format!("did you mean `{known}`?"))
        }
        _ => None,
    };
    (message.to_owned(), hint)
}

/// The keys of an address, of all patterns.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AddressKeys {
    pattern: String,
    zones: Option<Vec<ZoneOf>>,
    law: Option<Law>,
    exponent: Option<f64>,
    run_bytes: Option<Quantiles>,
    run_requests: Option<Quantiles>,
    reuse: Option<Reuse>,
    near: Option<RunStart>,
    interleaved: Option<u32>,
    switch: Option<f64>,
    from: Option<f64>,
    to: Option<f64>,
}

const PATTERNS: [&str; 3] = ["random", "sequential", "append"];

impl TryFrom<AddressKeys> for Address {
    type Error = String;

    fn try_from(keys: AddressKeys) -> Result<Address, String> {
        let pattern = keys.pattern.as_str();
        let given = [
            ("zones", keys.zones.is_some(), &PATTERNS[..2]),
            ("law", keys.law.is_some(), &PATTERNS[..1]),
            ("exponent", keys.exponent.is_some(), &PATTERNS[..1]),
            ("run_bytes", keys.run_bytes.is_some(), &PATTERNS[1..2]),
            ("run_requests", keys.run_requests.is_some(), &PATTERNS[1..2]),
            ("reuse", keys.reuse.is_some(), &PATTERNS[..2]),
            ("near", keys.near.is_some(), &PATTERNS[..2]),
            ("interleaved", keys.interleaved.is_some(), &PATTERNS[1..2]),
            ("switch", keys.switch.is_some(), &PATTERNS[1..2]),
            ("from", keys.from.is_some(), &PATTERNS[2..]),
            ("to", keys.to.is_some(), &PATTERNS[2..]),
        ];
        known("pattern", pattern, &PATTERNS)?;
        strangers("pattern", pattern, &given)?;
        let zones = keys.zones.unwrap_or_else(|| vec![ZoneOf::WHOLE]);
        let (reuse, near) = (keys.reuse, keys.near);
        Ok(match pattern {
            "random" => {
                let (law, exponent) = (keys.law.unwrap_or_default(), keys.exponent);
                if exponent.is_some() != (law == Law::Zipf) {
                    return Err("expected `exponent` with `law = \"zipf\"`, and only there".to_owned());
                }
                Address::Random { zones, law, exponent, reuse, near }
            }
            "sequential" => {
                let (interleaved, switch) = (keys.interleaved.unwrap_or(1), keys.switch.unwrap_or(1.0));
                if keys.run_bytes.is_some() && keys.run_requests.is_some() {
                    return Err(
                        "`run_bytes` and `run_requests` both say how long runs are: give one".to_owned()
                    );
                }
                let (run_bytes, run_requests) = (keys.run_bytes, keys.run_requests);
                Address::Sequential { zones, run_bytes, run_requests, reuse, near, interleaved, switch }
            }
            _ => Address::Append { from: keys.from.unwrap_or(0.0), to: keys.to.unwrap_or(1.0) },
        })
    }
}

/// The keys of arrivals, of both loops.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ArrivalKeys {
    #[serde(rename = "loop")]
    kind: String,
    iodepth: Option<u32>,
    think_s: Option<f64>,
    rate_iops: Option<f64>,
    batch: Option<Batch>,
    burst: Option<Burst>,
    gaps: Option<Quantiles>,
    rate_over_time: Option<RateOverTime>,
    listed: Option<Listed>,
}

const LOOPS: [&str; 2] = ["closed", "open"];

impl TryFrom<ArrivalKeys> for Arrivals {
    type Error = String;

    fn try_from(keys: ArrivalKeys) -> Result<Arrivals, String> {
        let given = [
            ("iodepth", keys.iodepth.is_some(), &LOOPS[..1]),
            ("think_s", keys.think_s.is_some(), &LOOPS[..1]),
            ("rate_iops", keys.rate_iops.is_some(), &LOOPS[1..]),
            ("batch", keys.batch.is_some(), &LOOPS[1..]),
            ("burst", keys.burst.is_some(), &LOOPS[1..]),
            ("gaps", keys.gaps.is_some(), &LOOPS[1..]),
            ("rate_over_time", keys.rate_over_time.is_some(), &LOOPS[1..]),
            ("listed", keys.listed.is_some(), &LOOPS[1..]),
        ];
        known("loop", &keys.kind, &LOOPS)?;
        strangers("loop", &keys.kind, &given)?;
        if keys.kind == "closed" {
            let iodepth = keys.iodepth.ok_or("a closed loop needs `iodepth`")?;
            return Ok(Arrivals::Closed { iodepth, think_s: keys.think_s.unwrap_or(0.0) });
        }
        let rate_iops = keys.rate_iops.ok_or("an open loop needs `rate_iops`")?;
        let ArrivalKeys { batch, burst, gaps, rate_over_time, listed, .. } = keys;
        if listed.is_some() && (burst.is_some() || gaps.is_some() || rate_over_time.is_some()) {
            return Err(
                "`listed` says when bursts come: without `burst`, `gaps` and `rate_over_time`".to_owned()
            );
        }
        Ok(Arrivals::Open(Open { rate_iops, batch, burst, gaps, rate_over_time, listed }))
    }
}

fn known(key: &str, found: &str, all: &[&str]) -> Result<(), String> {
    if all.contains(&found) {
        return Ok(());
    }
    let names = all.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    Err(format!("unknown {key} `{found}`, expected one of {names}"))
}

/// Refuses keys that belong to another kind.
fn strangers(kind: &str, found: &str, given: &[(&str, bool, &[&str])]) -> Result<(), String> {
    let stranger = given.iter().find(|(_, is_given, kinds)| *is_given && !kinds.contains(&found));
    stranger.map_or(Ok(()), |(key, _, kinds)| {
        Err(format!("`{key}` goes with {kind} `{}`, not with `{found}`", kinds.join("` or `")))
    })
}
