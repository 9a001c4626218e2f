//! The calls by name. Each takes the members of its request and gives JSON, or a sentence why not.

#[cfg(feature = "judge")]
use crate::judge;
use crate::{Session, json, request};
#[cfg(feature = "simulator")]
use crate::{refine, simulate, try_out, try_rented, wear};
use serde::Serialize;
use serde_json::{Map, Value};

/// Those of this module.
const NAMES: &[&str] = &[
    "open",
    #[cfg(feature = "simulator")]
    "simulate",
    #[cfg(feature = "simulator")]
    "wear",
    #[cfg(feature = "simulator")]
    "try_out",
    #[cfg(feature = "simulator")]
    "refine",
    #[cfg(feature = "judge")]
    "add",
    #[cfg(feature = "judge")]
    "judge",
    #[cfg(feature = "judge")]
    "rent",
];

/// Answers a call, in UTF-8 as the answer is: `{"ok": …}` or `{"error": SENTENCE}`.
pub fn call(session: &mut Session, request: &[u8]) -> String {
    match answer(session, request) {
        Ok(json) => format!("{{\"ok\":{json}}}"),
        Err(sentence) => format!("{{\"error\":{}}}", json(sentence).unwrap_or_default()),
    }
}

fn answer(session: &mut Session, request: &[u8]) -> Result<String, String> {
    let mut request = request::parse(request)?;
    match request["call"].as_str().unwrap_or_default() {
        "open" => open(session, &mut request["carried"]).and_then(json),
        #[cfg(feature = "simulator")]
        "simulate" => simulate::simulate(session, &request).and_then(json),
        #[cfg(feature = "simulator")]
        "wear" => wear::wear(session, &request).and_then(json),
        #[cfg(feature = "simulator")]
        "try_out" if try_rented::is_meant(session, &request)? => {
            try_rented::try_out(session, &request).and_then(json)
        }
        #[cfg(feature = "simulator")]
        "try_out" => try_out::try_out(session, &request).and_then(json),
        #[cfg(feature = "simulator")]
        "refine" => refine::refine(session, &request).and_then(json),
        #[cfg(feature = "judge")]
        "add" => judge::add(session, &request).and_then(json),
        #[cfg(feature = "judge")]
        "judge" => judge::judge(session, &request).and_then(json),
        #[cfg(feature = "judge")]
        "rent" => judge::rent(session, &request).and_then(json),
        other => Err(format!("`call`: expected one of {}, found `{other}`", NAMES.join(", "))),
    }
}

fn json(answer: impl Serialize) -> Result<String, String> {
    json::write(&answer)
}

/// Takes the document that the report carries.
fn open(session: &mut Session, carried: &mut Value) -> Result<Value, String> {
    let mut opened = Map::new();
    #[cfg(feature = "simulator")]
    {
        session.play = carried.get_mut("play").map(Value::take).unwrap_or_default();
        opened.insert("requests".to_owned(), session.requests()?.into());
    }
    opened.insert("designs".to_owned(), session.open(carried)?.into());
    Ok(opened.into())
}
