//! Traces at the edge of what can be told: nothing becomes NaN, and what is undefined says so.

use crate::properties_trace::profile;
use drivecast_block::{Nanos, Op, Record};
use drivecast_workload::{ProfileOptions, Profiler};
use serde_json::Value;

const MINUTE: Nanos = Nanos(60_000_000_000);

fn record(time: u64, op: Op, offset: u64, size: u32) -> Record {
    Record { time: Nanos(time), offset, size, stream: 0, op, latency: None, fua: false }
}

fn json(records: &[Record]) -> Value {
    serde_json::to_value(profile(records, MINUTE)).expect("a profile serialises")
}

#[track_caller]
fn assert_undefined(profile: &Value, keys: &[&str]) {
    for key in keys {
        assert!(profile[key].is_null(), "{key}: {}", profile[key]);
        assert_eq!(profile["provenance"][key], "undefined", "{key}");
    }
}

#[test]
fn an_empty_trace() {
    let found = json(&[]);
    assert_eq!(found["requests"], 0);
    assert_eq!(found["duration_s"], 0.0);
    assert_undefined(
        &found,
        &[
            "read_fraction",
            "iops_mean",
            "peak_window",
            "heat_map",
            "sizes",
            "queue_depth_mean",
            "write_bytes_per_day",
        ],
    );
}

#[test]
fn one_request_has_no_duration() {
    let found = json(&[record(5, Op::Write, 4096, 4096)]);
    assert_eq!(found["requests"], 1);
    assert_eq!(found["duration_s"], 0.0);
    assert_eq!(found["iops_peak_1s"], 1.0);
    assert_eq!(found["overwrite_fraction"], 0.0);
    assert_eq!(found["peak_window"]["requests"], 1);
    assert!(found["peak_window"]["iops_mean"].is_null());
    assert_undefined(&found, &["iops_mean", "write_bytes_per_day", "interarrival", "queue_depth_mean"]);
}

#[test]
fn reads_only_say_nothing_of_overwriting() {
    let found = json(&[record(0, Op::Read, 0, 4096), record(1000, Op::Read, 4096, 4096)]);
    assert_eq!(found["read_fraction"], 1.0);
    assert_eq!(found["working_set_write_bytes"], 0);
    assert_eq!(found["write_bytes_per_day"], 0.0);
    assert_undefined(&found, &["overwrite_fraction", "update_distance_bytes", "write_size_mean_bytes"]);
}

#[test]
fn writes_only_say_nothing_of_reads() {
    let found = json(&[record(0, Op::Write, 0, 4096), record(1000, Op::Write, 0, 4096)]);
    assert_eq!(found["read_fraction"], 0.0);
    assert_eq!(found["overwrite_fraction"], 0.5);
    assert_undefined(&found, &["read_size_mean_bytes", "read_latency_ns"]);
}

#[test]
fn requests_of_no_size_are_counted_apart() {
    let found =
        json(&[record(0, Op::Write, 0, 0), record(1000, Op::Read, 0, 0), record(2000, Op::Read, 0, 512)]);
    assert_eq!((&found["requests"], &found["empty_requests"]), (&Value::from(1), &Value::from(2)));
}

#[test]
fn addresses_at_the_end_of_64_bits() {
    let found = json(&[record(0, Op::Write, u64::MAX - 100, 4096), record(1000, Op::Read, u64::MAX, 512)]);
    assert_eq!(found["extent_bytes"], u64::MAX);
    // Beyond the addresses whose blocks are counted, those followed tell.
    assert_eq!(
        (&found["working_set_bytes"], &found["overwrite_fraction"]),
        (&Value::from(8192), &Value::from(0.0))
    );
    assert_eq!(found["provenance"]["working_set_bytes"], "derived");
    let reasons = found["assumptions"].as_array().expect("a list");
    assert!(reasons.iter().any(|entry| entry["key"] == "working_set_bytes"));
}

#[test]
fn times_at_the_end_of_64_bits_neither_fill_memory_nor_hang() {
    let mut records = vec![record(0, Op::Read, 0, 512), record(u64::MAX, Op::Read, 0, 512)];
    records[0].latency = Some(Nanos(u64::MAX));
    let found = json(&records);
    assert_eq!(found["requests"], 2);
    assert_eq!(found["provenance"]["seconds"], "derived");
}

#[test]
fn latencies_without_end_do_not_fill_memory() {
    const FOLLOWED: u64 = 1 << 23;
    let mut profiler = Profiler::new(ProfileOptions::default());
    // Flushes enter the depth and nothing else.
    let flush = Record { latency: Some(Nanos(u64::MAX)), ..record(0, Op::Flush, 0, 0) };
    (0..FOLLOWED + 5).for_each(|_| profiler.push(&flush));
    let found = serde_json::to_value(profiler.finish()).expect("a profile serialises");
    assert_eq!(found["queue_depth_max"], FOLLOWED);
    assert_eq!(found["provenance"]["queue_depth_max"], "derived");
    let reasons = found["assumptions"].to_string();
    assert!(reasons.contains("5 requests were issued while"), "{reasons}");
}

#[test]
fn large_sizes_are_counted_as_powers_of_two() {
    let sizes = [1 << 20, (1 << 20) + 512, 3 << 20, u32::MAX];
    let records: Vec<Record> = sizes.iter().map(|size| record(0, Op::Read, 0, *size)).collect();
    let found = profile(&records, MINUTE).sizes.expect("requests");
    let sizes: Vec<u64> = found.iter().map(|row| row.size_bytes).collect();
    assert_eq!(sizes, [1 << 20, 2 << 20, 4 << 20, 4 << 30]);
}
