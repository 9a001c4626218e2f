//! A write-back cache: what it saves, what it cannot save, and when its data are safe.

use crate::controller::{array, free};
use drivecast_block::{Bytes, Device, Nanos, Op, Request};
use drivecast_sim::controller::Controller;
use drivecast_sim::raid::Level;
use drivecast_sim::run::{RunOptions, Workload, drive};
use drivecast_sim::spec::{CacheSpec, ControllerSpec};
use drivecast_workload::WorkloadSpec;

/// A controller that takes 1 us a host command, with a cache.
fn cached(bytes: u64, battery: bool) -> ControllerSpec {
    let cache = CacheSpec { bytes, battery, destage_above: 0.5, destage_stripes: 64, destage_depth: 1 };
    ControllerSpec { host_command_ns: 1000, cache: Some(cache), ..free() }
}

/// Sends requests one after the other; the latency of each, when the device has fallen idle.
fn latencies(device: &mut Controller, requests: &[(Op, u64, u32)]) -> Vec<u64> {
    let mut now = Nanos::ZERO;
    let mut latencies = Vec::new();
    let mut done = Vec::new();
    for (id, (op, offset, size)) in requests.iter().enumerate() {
        let request =
            Request { id: id as u64, offset: Bytes(*offset), size: *size, stream: 0, op: *op, fua: false };
        device.submit(now, request);
        while done.is_empty() {
            let at = device.next().unwrap();
            device.advance(at, &mut done);
        }
        latencies.push(done[0].at.since(now).0);
        now = done[0].at;
        done.clear();
    }
    while let Some(at) = device.next() {
        device.advance(at, &mut done);
    }
    latencies
}

/// Reads and writes that reached the members.
fn member_ios(device: &Controller) -> [u64; 2] {
    let submitted = device.counters().submitted;
    [submitted[Op::Read as usize], submitted[Op::Write as usize]]
}

#[test]
fn a_write_is_complete_in_the_cache_and_read_from_it() {
    let mut device = array(&cached(1 << 20, true), Level::Raid5, 1);
    let requests = [(Op::Write, 0, 4096), (Op::Read, 0, 4096), (Op::Flush, 0, 0), (Op::Read, 8192, 4096)];
    assert_eq!(latencies(&mut device, &requests), [1000, 1000, 1000, 101_000]);
}

#[test]
fn without_a_battery_a_flush_waits_for_the_members() {
    let mut device = array(&cached(1 << 20, false), Level::Raid0, usize::MAX);
    let requests = [(Op::Write, 0, 4096), (Op::Write, 1 << 16, 4096), (Op::Flush, 0, 0), (Op::Flush, 0, 0)];
    // Written together, then the members' own flush; the second time nothing is left to write.
    assert_eq!(latencies(&mut device, &requests), [1000, 1000, 201_000, 101_000]);
}

#[test]
fn a_forced_write_passes_a_cache_without_a_battery() {
    for (battery, expected_ns) in [(true, 1000), (false, 101_000)] {
        let mut device = array(&cached(1 << 20, battery), Level::Raid0, usize::MAX);
        let mut done = Vec::new();
        let (offset, op) = (Bytes(0), Op::Write);
        device.submit(Nanos::ZERO, Request { id: 0, offset, size: 4096, stream: 0, op, fua: true });
        while done.is_empty() {
            let at = device.next().unwrap();
            device.advance(at, &mut done);
        }
        assert_eq!(done[0].at, Nanos(expected_ns), "battery: {battery}");
    }
}

#[test]
fn sequential_writes_become_full_stripes() {
    let mut device = array(&cached(8 << 20, true), Level::Raid5, 1);
    let writes: Vec<_> = (0..7 * 16 * 20).map(|n| (Op::Write, n * 4096, 4096)).collect();
    latencies(&mut device, &writes);
    // 20 rows of 7 chunks of 16 pages: a write a member and row, no reads.
    assert_eq!(member_ios(&device), [0, 8 * 20]);
}

#[test]
fn bytes_written_again_go_out_once() {
    let mut device = array(&cached(1 << 20, true), Level::Raid5, 1);
    let writes: Vec<_> = (0..1000).map(|_| (Op::Write, 4096, 4096)).collect();
    latencies(&mut device, &writes);
    assert_eq!(member_ios(&device), [0, 0], "below the mark nothing goes out");
}

#[test]
fn a_full_cache_is_no_faster_than_the_members() {
    // Scattered writes over 64 times the cache: N I / p, whatever the cache.
    let workload = Workload::Synthetic(WorkloadSpec::parse("random(4KiB, read=0, iodepth=4096)").unwrap());
    let options = RunOptions {
        requests: Some(60_000),
        warmup: Nanos::from_ms(200),
        seed: 1,
        fill: 0.0,
        ..RunOptions::default()
    };
    for (level, cost) in [(Level::Raid0, 1.0), (Level::Raid10, 2.0), (Level::Raid5, 4.0)] {
        let spec = ControllerSpec {
            cache: Some(CacheSpec { destage_stripes: 1024, ..cached(4 << 20, true).cache.unwrap() }),
            ..free()
        };
        let outcome = drive(&mut array(&spec, level, 1), "cache", 1.0, &workload, &options).unwrap();
        let theory = 8.0 * 10_000.0 / cost;
        // Neighbours that share a parity chunk or a page by chance save a few per cent.
        let ratio = outcome.iops / theory;
        assert!(
            (0.98..1.12).contains(&ratio),
            "{}: {:.0} IOPS, theory {theory:.0}",
            level.name(),
            outcome.iops
        );
    }
}

#[test]
fn reads_go_before_what_the_cache_writes_out() {
    // A cache that is always full of scattered writes: a read of 100 us waits for the one write that its member is at, at most
    // 100 us, and now and then for another read, but not for the 16 writes of the 64 lines on their way.
    let spec = ControllerSpec { cache: cached(4 << 20, true).cache, ..free() };
    let line = "random(4KiB, read=0.05, iodepth=256)";
    let workload = Workload::Synthetic(WorkloadSpec::parse(line).unwrap());
    let options = RunOptions {
        requests: Some(60_000),
        warmup: Nanos::from_ms(200),
        seed: 1,
        fill: 0.0,
        ..RunOptions::default()
    };
    let outcome = drive(&mut array(&spec, Level::Raid10, 1), "cache", 1.0, &workload, &options).unwrap();
    let read_us = outcome.read.latency_ns.unwrap().mean / 1e3;
    assert!((100.0..205.0).contains(&read_us), "{read_us:.0} us");
    let theory = 8.0 * 10_000.0 / (0.05 + 2.0 * 0.95);
    assert!((outcome.iops / theory - 1.0).abs() < 0.1, "{:.0} IOPS, theory {theory:.0}", outcome.iops);
}
