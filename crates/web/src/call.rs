//! The calls by name. Each takes the members of its request and gives JSON, or a sentence why not.

use crate::{Session, judge, request, simulate, try_out, wear};
use serde::Serialize;
use serde_json::{Value, json};

/// Answers a call, in UTF-8 as the answer is: `{"ok": …}` or `{"error": SENTENCE}`.
pub fn call(session: &mut Session, request: &[u8]) -> String {
    match answer(session, request) {
        Ok(json) => format!("{{\"ok\":{json}}}"),
        Err(sentence) => format!("{{\"error\":{}}}", Value::from(sentence)),
    }
}

fn answer(session: &mut Session, request: &[u8]) -> Result<String, String> {
    let mut request = request::parse(request)?;
    match request["call"].as_str().unwrap_or_default() {
        "open" => open(session, request["carried"].take()).and_then(json),
        "simulate" => simulate::simulate(session, &request).and_then(json),
        "wear" => wear::wear(session, &request).and_then(json),
        "try_out" => try_out::try_out(session, &request).and_then(json),
        "add" => judge::add(session, &request).and_then(json),
        "judge" => judge::judge(session, &request).and_then(json),
        other => {
            Err(format!("`call`: expected one of open, simulate, wear, try_out, add, judge, found `{other}`"))
        }
    }
}

fn json(answer: impl Serialize) -> Result<String, String> {
    serde_json::to_string(&answer).map_err(|error| error.to_string())
}

/// Takes the document that the report carries.
fn open(session: &mut Session, carried: Value) -> Result<Value, String> {
    let requests = session.requests()?;
    let designs = session.open(carried)?;
    Ok(json!({ "designs": designs, "requests": requests }))
}
