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

/// A plan without designs.
fn carried() -> Value {
    let figure =
        json!({ "low": 1.0, "value": 1.0, "high": 1.0, "provenance": "assumed", "source": "a test" });
    json!({
        "schema": 1, "seed": 0, "headroom_margin": 1.2, "trimmed": true, "over_all": false,
        "needs": {
            "capacity_bytes": 1 << 20, "p99_read_ns": 5_000_000, "p99_write_ns": null, "years": 5.0,
            "growth_per_year": 0.2, "drive_losses": 1, "headroom": 3.0, "endurance_tolerance": 0.05,
            "hours_per_day": 24.0, "budget_usd": null, "power_w_max": null, "data_loss": 1e-4, "scrub_days": 7.0,
            "growth_bounds": [0.0, 0.4], "hours_low": 8.0,
        },
        "prices": {
            "flash_decline": figure, "disk_decline": figure, "usd_per_kwh": figure, "pue": figure,
            "residual": figure, "slot": figure, "nvme_slot": figure, "large_slot": figure, "adapter": figure, "adapter_ports": 16, "board_ports": 8,
            "visit": figure, "outage": figure, "restore_bytes_per_s": 2e8, "data_value": figure, "enclosure": figure, "controller": figure, "slot_w": 0.0,
            "enclosure_w": 0.0, "enclosure_slots": 24, "controller_w": 0.0,
        },
        "load": {
            "duration_s": 60.0, "write_bytes_per_day": 1e9, "bytes_read": 1e6, "iops_mean": 10.0,
            "peak_iops_mean": 20.0, "extent_bytes": 1 << 30,
        },
        "drives": {}, "latency_errors": [], "designs": [], "space": [],
    })
}

#[test]
fn what_follows_from_growth_is_said() {
    let mut session = Session::default();
    let settings = json!({
        "years": 5.0, "growth_per_year": 0.2, "capacity_bytes": null, "p99_read_ns": 5_000_000, "p99_write_ns": null,
        "headroom": null, "budget_usd": null, "power_w_max": null, "drive_losses": 1, "data_loss": 1e-4,
        "hours_per_day": 24.0, "endurance_tolerance": 0.05, "scrub_days": 7.0,
    });
    let request = json!({ "call": "judge", "settings": settings });
    assert_eq!(refusal(&mut session, &request), "no report was opened");
    answer(&mut session, &json!({ "call": "open", "carried": carried() }));
    let found = answer(&mut session, &request);
    assert!((found["ok"]["settings"]["headroom"].as_f64().unwrap() - 1.2 * 2.48832).abs() < 1e-9);
    assert_eq!(found["ok"]["settings"]["capacity_bytes"], 3_400_000_000_u64);
    assert_eq!(found["ok"]["order"], json!([]));
}

#[test]
fn a_recording_is_played_on_drives_of_the_call_or_of_the_document() {
    let mut session = recorded();
    let mut carried = carried();
    carried["play"] = json!({ "drives": { "v": volume() } });
    let opened = answer(&mut session, &json!({ "call": "open", "carried": carried }));
    assert_eq!(opened, json!({ "ok": { "designs": 0, "requests": 500 } }));
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
        ("[]", "`call`: expected one of open, simulate, wear, try_out, refine, add, judge, rent, found ``"),
        (
            "{\"call\": \"<script>\"}",
            "`call`: expected one of open, simulate, wear, try_out, refine, add, judge, rent, found `<script>`",
        ),
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
        ("options", json!([1]), "invalid type: sequence, expected struct Options"),
        ("options", json!({ "seed": "x" }), "invalid type: string \"x\", expected u64"),
        ("options", json!({ "seed": -1 }), "invalid value: integer `-1`, expected u64"),
        ("options", json!({ "wrap": 1.5 }), "invalid type: floating point `1.5`, expected a boolean"),
        ("options", json!({ "state": null }), "invalid type: null, expected a string"),
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
