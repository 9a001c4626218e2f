//! The calls by name. Each takes the members of its request and gives JSON, or a sentence why not.

#[cfg(feature = "judge")]
use crate::judge;
#[cfg(feature = "simulator")]
use crate::play;
use crate::{Session, json, request};
use serde_json::{Map, Value};

/// Those of this module, by what answers them.
const NAMES: &[&[&str]] = &[
    &["open"],
    #[cfg(feature = "simulator")]
    &play::NAMES,
    #[cfg(feature = "judge")]
    &judge::NAMES,
];

/// Answers a call, in UTF-8 as the answer is: `{"ok": …}` or `{"error": SENTENCE}`.
pub fn call(session: &mut Session, request: &[u8]) -> String {
    match answer(session, request) {
        Ok(json) => format!("{{\"ok\":{json}}}"),
        Err(sentence) => format!("{{\"error\":{}}}", json::write(sentence).unwrap_or_default()),
    }
}

fn answer(session: &mut Session, request: &[u8]) -> Result<String, String> {
    let mut request = request::parse(request)?;
    let name = request["call"].as_str().unwrap_or_default().to_owned();
    if name == "open" {
        return open(session, &mut request["carried"]).and_then(json::write);
    }
    #[cfg(feature = "simulator")]
    if let Some(found) = play::answer(session, &name, &request) {
        return found;
    }
    #[cfg(feature = "judge")]
    if let Some(found) = judge::answer(session, &name, &request) {
        return found;
    }
    Err(format!("`call`: expected one of {}, found `{name}`", NAMES.concat().join(", ")))
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
