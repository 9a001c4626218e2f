//! Calls of a session as the page makes them, but natively.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use drivecast_block::{Nanos, Op, Record};
use drivecast_web::{Session, call};
use drivecast_workload::compact;
use serde_json::{Value, json};

const CALLS: [&str; 2] = ["simulate", "wear"];

fn answer(session: &mut Session, request: &Value) -> Value {
    serde_json::from_str(&call(session, request.to_string().as_bytes())).unwrap()
}

fn refusal(session: &mut Session, request: &Value) -> String {
    let answer = answer(session, request);
    answer["error"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

fn recorded() -> Session {
    let record = |n: u64| Record {
        time: Nanos::from_ms(n),
        offset: n * 7 % 64 * 4096,
        size: 4096,
        stream: 0,
        op: Op::Write,
        fua: false,
        latency: None,
    };
    let mut session = Session::default();
    session.record(&compact(&(0..500).map(record).collect::<Vec<_>>()));
    session
}

fn volume() -> Value {
    json!({ "kind": "volume", "capacity_bytes": 1 << 30, "read": { "service_ns": 2e5 }, "write": { "service_ns": 3e5 } })
}

#[test]
fn a_recording_is_played_on_drives_of_the_call_or_of_the_document() {
    let mut session = recorded();
    let carried = json!({ "designs": [1, 2, 3], "play": { "drives": { "v": volume() } } });
    let opened = answer(&mut session, &json!({ "call": "open", "carried": carried }));
    assert_eq!(opened, json!({ "ok": { "designs": 3, "requests": 500 } }));
    let own =
        answer(&mut session, &json!({ "call": "simulate", "design": "v", "drives": { "v": volume() } }));
    assert_eq!(own["ok"]["completed"], 500);
    assert_eq!(answer(&mut session, &json!({ "call": "simulate", "design": "v" })), own);
}

#[test]
fn a_line_needs_no_recording() {
    let request = json!({ "call": "simulate", "design": "v", "line": "random(4KiB)", "drives": { "v": volume() },
        "options": { "requests": 100 } });
    assert_eq!(answer(&mut Session::default(), &request)["ok"]["completed"], 100);
}

#[test]
fn what_lacks_a_recording_says_so() {
    for name in CALLS {
        let request = json!({ "call": name, "design": "v", "drives": { "v": volume() } });
        let said = refusal(&mut Session::default(), &request);
        assert_eq!(said, "this report carries no recording, so nothing can be played");
    }
}

#[test]
fn a_damaged_recording_is_said_by_each_call_that_needs_it() {
    let mut session = Session::default();
    session.record(b"DCR1");
    let said = "the recording is damaged: byte 4: expected a whole header, found its end";
    assert_eq!(refusal(&mut session, &json!({ "call": "open", "carried": {} })), said);
    for name in CALLS {
        let request = json!({ "call": name, "design": "v", "drives": { "v": volume() } });
        assert_eq!(refusal(&mut session, &request), said);
    }
}

#[test]
fn a_request_that_is_none_is_refused() {
    let cases = [
        ("", "a call that cannot be read: EOF while parsing a value at line 1 column 0"),
        ("[]", "`call`: expected one of open, simulate, wear, found ``"),
        ("{\"call\": \"<script>\"}", "`call`: expected one of open, simulate, wear, found `<script>`"),
        ("{\"call\": \"simulate\"}", "a call that cannot be read: missing field `design`"),
    ];
    for (request, said) in cases {
        let answer: Value = serde_json::from_str(&call(&mut Session::default(), request.as_bytes())).unwrap();
        assert_eq!(answer, json!({ "error": said }));
    }
    let deep = "[".repeat(100_000);
    assert!(call(&mut Session::default(), deep.as_bytes()).contains("recursion limit exceeded"));
    assert!(call(&mut Session::default(), b"\xff{}").contains("a call that cannot be read"));
}

#[test]
fn a_slip_in_a_call_is_named() {
    let mut session = recorded();
    let with = |member: &str, value: Value| {
        let mut request = json!({ "call": "simulate", "design": "v", "drives": { "v": volume() } });
        request[member] = value;
        request
    };
    let cases = [
        ("design", json!("w"), "w"),
        ("design", json!("raid5(2 * v"), "expected"),
        (
            "drives",
            json!({ "v": { "kind": "volume" } }),
            "drive `v` is not a device specification: missing field",
        ),
        ("line", json!("random(0)"), "random(0)"),
        ("options", json!({ "sede": 1 }), "unknown field `sede`"),
        (
            "options",
            json!({ "state": "new" }),
            "state: expected one of fresh, laid-out, steady, idle, found `new`",
        ),
        ("options", json!({ "speedup": -1.0 }), "speedup"),
        ("options", json!({ "own_depth": true }), "the trace has no completions"),
    ];
    for (member, value, said) in cases {
        let found = refusal(&mut session, &with(member, value.clone()));
        assert!(found.contains(said), "{member} {value}: {found}");
    }
}
