//! Windows by example: what is counted of them, on a station of known behaviour.

use crate::host::record;
use drivecast_block::{Bytes, Nanos, Op, Record};
use drivecast_sim::error::SimError;
use drivecast_sim::fixed_service::{FixedService, Service};
use drivecast_sim::host::Part;
use drivecast_sim::outcome::Outcome;
use drivecast_sim::run::{Depth, RunOptions, Windowed, Workload, drive};

const BEHIND_MS: [u64; 4] = [1, 2, 3, 4];

/// Two windows of 1 ms, each led in by another: one read at once, four reads at once.
fn reads() -> Vec<Record> {
    let at = |us, count: usize| vec![record(us, Op::Read, 0, 4096); count];
    [at(900, 3), at(1_000, 1), at(2_500, 1), at(3_100, 4)].concat()
}

fn windows(weights: [u32; 2]) -> Workload {
    let part = |(ms, weight)| Part { end: Nanos(Nanos::from_ms(ms).0 - 1), weight };
    let parts = BEHIND_MS.into_iter().zip([0, weights[0], 0, weights[1]]).map(part).collect();
    Workload::Windows(Windowed::of(&reads(), reads().into(), parts).unwrap())
}

fn run(workload: &Workload, options: &RunOptions) -> Result<Outcome, SimError> {
    let mut device = FixedService::new(Bytes::mib(1), 1, Service::Constant(Nanos::from_us(100)), 1);
    drive(&mut device, "fixed", 1.0, workload, options)
}

#[test]
fn lead_ins_set_the_scene_and_are_not_counted() {
    // Three reads at 900 us keep the station until 1,200: the read at 1,000 us waits.
    let outcome = run(&windows([1, 0]), &RunOptions::default()).unwrap();
    assert_eq!(outcome.read.latency_ns.as_ref().unwrap().max, 300_000);
    assert_eq!((outcome.requests, outcome.host_read_bytes), (1, 4096));
    assert!((outcome.duration_s - 0.001).abs() < 1e-8);
    assert!((outcome.utilization - 0.4).abs() < 1e-3, "four services end in it, at 1,000 to 1,300 us");
}

#[test]
fn a_window_counts_as_often_as_it_weighs() {
    let outcome = run(&windows([30, 2]), &RunOptions::default()).unwrap();
    assert_eq!(outcome.requests, 30 + 2 * 4);
    assert!((outcome.duration_s - 0.032).abs() < 1e-6);
    assert!((outcome.iops - 38.0 / 0.032).abs() < 1.0);
    let latency = outcome.read.latency_ns.as_ref().unwrap();
    // 30 of 300 us, and two each of 100, 200, 300 and 400.
    let mean = (30.0 * 300.0 + 2.0 * 1_000.0) / 38.0 * 1e3;
    assert!((latency.mean - mean).abs() < 1.0);
    assert_eq!((latency.max, latency.q0_99 / 1_000, latency.q0_5 / 1_000), (400_000, 400, 300));
    assert!((outcome.utilization - 0.4).abs() < 1e-3, "four services end in either");
    assert!((outcome.queue_depth_mean - 38.0 * mean / 32e6).abs() < 1e-3, "by Little's law");
    assert_eq!(outcome.completed, 9, "as played");
    assert!(outcome.seconds.is_empty(), "they have no time of their own");
}

#[test]
fn windows_play_at_another_speed() {
    let slow = RunOptions { speedup: 0.5, ..RunOptions::default() };
    let outcome = run(&windows([1, 1]), &slow).unwrap();
    assert_eq!(outcome.requests, 5);
    assert!((outcome.duration_s - 0.004).abs() < 1e-7);
    assert_eq!(outcome.read.latency_ns.unwrap().max, 400_000);
}

#[test]
fn what_windows_do_not_have_is_refused() {
    let deep = RunOptions { depth: Some(Depth::Of(4)), ..RunOptions::default() };
    let error = run(&windows([1, 1]), &deep).unwrap_err().to_string();
    assert!(error.contains("left out for windows of a trace"), "{error}");
    let long = RunOptions { warmup: Nanos::from_ms(1), ..RunOptions::default() };
    assert!(run(&windows([1, 1]), &long).is_err());
    let part = |us, weight| Part { end: Nanos::from_us(us), weight };
    let of = |parts: Vec<Part>| Windowed::of(&reads(), reads().into(), parts.into()).unwrap_err();
    assert!(of(vec![part(5_000, 0)]).contains("pairs of parts"));
    assert!(of(vec![part(10, 0), part(20, 1)]).contains("hold all requests"));
    assert!(of(vec![part(9_000, 0), part(5_000, 1)]).contains("part 1 ends before"));
}
