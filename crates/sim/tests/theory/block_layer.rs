//! The operating system's queue as closed forms: Little's law whatever the order, and how each scheduler spreads the waits.
//!
//! The device has 32 places of 500 us: x = 64,000 requests a second at most, 500 us each where nothing waits.

use crate::controller::{array, free};
use crate::station::MEMBER;
use drivecast_block::{Bytes, Device, Nanos, Op, Request};
use drivecast_sim::block_layer::BlockLayer;
use drivecast_sim::fixed_service::{FixedService, Service};
use drivecast_sim::outcome::{Outcome, Quantiles};
use drivecast_sim::raid::Level;
use drivecast_sim::run::{RunOptions, Workload, drive};
use drivecast_sim::spec::{BlockLayerSpec, BlockScheduler, ControllerSpec};
use drivecast_workload::WorkloadSpec;

const PLACES: u32 = 32;
const SERVICE_US: f64 = 500.0;
const RATE: f64 = 64_000.0;

fn run(scheduler: BlockScheduler, requests: u32, iodepth: u32, jobs: u32) -> Outcome {
    let service = Service::Constant(Nanos::from_us(SERVICE_US as u64));
    run_on(FixedService::new(MEMBER, usize::MAX, service, 1), scheduler, requests, iodepth, jobs)
}

fn run_on(
    device: FixedService,
    scheduler: BlockScheduler,
    requests: u32,
    iodepth: u32,
    jobs: u32,
) -> Outcome {
    let spec = BlockLayerSpec { scheduler, requests, device_depth: None };
    spec.check().unwrap();
    let mut device = BlockLayer::new(&spec, PLACES, device);
    let line = format!("random(4KiB, read=1, iodepth={iodepth}, jobs={jobs})");
    let workload = Workload::Synthetic(WorkloadSpec::parse(&line).unwrap());
    let options = RunOptions {
        duration: Some(Nanos::from_ms(2000)),
        warmup: Nanos::from_ms(500),
        fill: 0.0,
        ..RunOptions::default()
    };
    drive(&mut device, "queue", 1.0, &workload, &options).unwrap()
}

fn latency(outcome: &Outcome) -> Quantiles {
    outcome.read.latency_ns.clone().unwrap()
}

fn us(ns: u64) -> f64 {
    ns as f64 / 1e3
}

fn close(found: f64, theory: f64, what: &str) {
    assert!((found / theory - 1.0).abs() < 0.02, "{what}: {found:.1}, theory {theory:.1}");
}

#[test]
fn beyond_the_devices_depth_littles_law_holds_in_any_order() {
    for scheduler in [BlockScheduler::Fifo, BlockScheduler::Deadline] {
        for (iodepth, jobs) in [(32, 1), (64, 1), (1, 64), (16, 8), (64, 8), (8, 64)] {
            let outcome = run(scheduler, 128, iodepth, jobs);
            let what = format!("{scheduler:?} {iodepth}x{jobs}");
            close(outcome.iops, RATE, &what);
            close(latency(&outcome).mean / 1e3, f64::from(iodepth * jobs) / RATE * 1e6, &what);
        }
    }
}

#[test]
fn in_order_of_arrival_all_wait_the_same() {
    let outcome = run(BlockScheduler::Fifo, 128, 16, 8);
    for ns in [latency(&outcome).q0_5, latency(&outcome).q0_999] {
        close(us(ns), 128.0 / RATE * 1e6, "fifo");
    }
}

#[test]
fn sweeps_pass_requests_by() {
    // One after the other, so that no two are chosen at once.
    let one_by_one = Service::Constant(Nanos((1e9 / RATE) as u64));
    let device = FixedService::new(MEMBER, 1, one_by_one, 1);
    let outcome = run_on(device, BlockScheduler::Deadline, 128, 2, 32);
    let Quantiles { mean, q0_5, q0_99, .. } = latency(&outcome);
    let (median, tail) = (q0_5 as f64 / mean, q0_99 as f64 / mean);
    assert!((0.90..1.05).contains(&median), "median over mean {median:.2}");
    assert!((2.2..2.8).contains(&tail), "p99 over mean {tail:.2}");
}

#[test]
fn processes_with_much_to_do_have_the_device_in_turns() {
    // Two of 64: slices of 100 ms, 8 places of 32. In its slice a request takes 64 of these, else a slice more.
    let outcome = run(BlockScheduler::Cfq, 128, 64, 2);
    let rate = 8.0 / SERVICE_US * 1e6;
    close(outcome.iops, rate, "a quarter of the places");
    let Quantiles { q0_5, q0_95, q0_99, .. } = latency(&outcome);
    close(us(q0_5), 64.0 / rate * 1e6, "within a slice");
    // 64 of each slice's 1,600 requests wait for the other's: 4 %.
    assert!(us(q0_95) < 10_000.0, "{q0_95} ns");
    assert!((100_000.0..110_000.0).contains(&us(q0_99)), "{q0_99} ns");
    // One process has all places.
    close(run(BlockScheduler::Cfq, 128, 64, 1).iops, RATE, "alone");
}

#[test]
fn a_process_without_a_place_sleeps_for_a_round() {
    // 64 of 8: 128 places, and batches of 32. So a quarter of the requests, the 8 that a process had submitted before it
    // slept, count until it wakes; the others take the time of the places, of which there are 128 to 192.
    let outcome = run(BlockScheduler::Fifo, 128, 8, 64);
    let Quantiles { q0_5, q0_99, .. } = latency(&outcome);
    assert!((128.0 / RATE * 1e6..192.0 / RATE * 1e6).contains(&us(q0_5)), "median {q0_5} ns");
    // It sleeps for the batches of the others, less what it does of its own before.
    let round = 64.0 * 32.0 / RATE * 1e6;
    assert!((0.8 * round..round).contains(&us(q0_99)), "p99 {q0_99} ns, a round {round:.0} us");
    // With enough places nobody sleeps.
    close(us(latency(&run(BlockScheduler::Fifo, 512, 8, 64)).q0_5), 512.0 / RATE * 1e6, "places for all");
}

#[test]
fn completions_are_held_back_from_some_on() {
    let spec = ControllerSpec { coalesce_ns: 70_000, coalesce_from: 3, ..free() };
    let latencies = |count: u64| {
        let mut device = array(&spec, Level::Raid0, usize::MAX);
        for id in 0..count {
            let offset = Bytes(id * 65_536);
            device
                .submit(Nanos::ZERO, Request { id, offset, size: 4096, stream: 0, op: Op::Read, fua: false });
        }
        let mut done = Vec::new();
        while let Some(at) = device.next() {
            device.advance(at, &mut done);
        }
        done.iter().map(|completion| completion.at.0 / 1000).collect::<Vec<_>>()
    };
    assert_eq!(latencies(2), [100, 100]);
    assert_eq!(latencies(3), [170, 170, 170]);
}
