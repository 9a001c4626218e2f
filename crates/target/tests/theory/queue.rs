//! What holds of any queue holds of a real one.

use crate::examples::file::{file, folder, play, target};
use drivecast_block::Nanos;
use drivecast_block::Op;
use drivecast_sim::run::{Depth, RunOptions, Workload, drive};
use drivecast_target::Access;
use drivecast_workload::WorkloadSpec;

fn line(text: &str) -> Workload {
    Workload::Synthetic(WorkloadSpec::parse(text).expect("a line"))
}

#[test]
fn an_open_loop_carries_its_rate_and_obeys_littles_law() {
    let dir = folder();
    let mut target = target(&file(dir.path()), Access::Read);
    let options = RunOptions { duration: Some(Nanos::from_ms(1000)), ..RunOptions::default() };
    let outcome =
        drive(&mut target, "file", 1.0, &line("random(4KiB, rate=2000iops)"), &options).expect("a run");
    // Poisson arrivals: 2,000 ± 5 standard deviations in a second.
    assert!((1776..=2224).contains(&outcome.requests), "{}", outcome.requests);
    let latency = outcome.read.latency_ns.expect("reads");
    let depth = outcome.read.iops * latency.mean / 1e9;
    assert!(
        (depth / outcome.queue_depth_mean - 1.0).abs() < 0.01,
        "λW = {depth}, L = {}",
        outcome.queue_depth_mean
    );
    // Busy as the number in flight says: at least the share of an M/M/∞ queue would be, at most all of the time.
    assert!(
        (0.0..=1.0).contains(&outcome.utilization) && outcome.utilization <= outcome.queue_depth_mean + 1e-9
    );
}

#[test]
fn a_closed_loop_of_one_is_busy_all_the_time() {
    let dir = folder();
    let mut target = target(&file(dir.path()), Access::Read);
    let records = (0..500).map(|i| crate::examples::file::record(i, Op::Read, i * 4096, 4096)).collect();
    let outcome =
        play(&mut target, records, &RunOptions { depth: Some(Depth::Of(1)), ..RunOptions::default() });
    assert!(outcome.utilization > 0.95, "{}", outcome.utilization);
    let mean_ns = outcome.read.latency_ns.expect("reads").mean;
    let throughput = outcome.read.iops * mean_ns / 1e9;
    assert!((throughput - outcome.queue_depth_mean).abs() < 0.01, "X·R = {throughput}");
}
