//! Closed loops: the asymptotic bounds, batches, two operations on shared servers, the link, stalls.

use crate::{constant, one_by_one, plain, rate, requests, run};
use drivecast_block::Nanos;
use drivecast_sim::run::RunOptions;
use drivecast_sim::spec::{VolumeCaps, VolumeFront, VolumeOp, VolumeSpec, VolumeStalls};

fn iops(spec: &VolumeSpec, line: &str) -> f64 {
    run(spec, line, &requests(20_000, 1)).iops
}

#[test]
fn constant_times_meet_the_asymptotic_bounds() {
    // X(N) = min(N / (S + Z), c / S, cap): nothing varies, so the bounds are met and not only approached.
    let op = VolumeOp { delay_ns: 60_000.0, ..constant(40_000.0) };
    let caps = VolumeCaps { iops: Some(rate(75_000.0)), ..VolumeCaps::default() };
    for (parallelism, caps) in [(4, VolumeCaps::default()), (8, caps)] {
        let spec = VolumeSpec { read: op, parallelism: Some(parallelism), caps, ..plain(1.0) };
        let cap = caps.iops.map_or(f64::INFINITY, |cap| cap.per_s);
        for depth in [1, 2, 4, 8, 16, 64, 256] {
            let found = iops(&spec, &format!("random(4KiB, read=1, iodepth={depth})"));
            let servers = f64::from(parallelism) / 40e-6;
            let bound = (f64::from(depth) / 100e-6).min(servers).min(cap);
            assert!(
                (found / bound - 1.0).abs() < 2e-3,
                "{parallelism} servers, depth {depth}: {found} of {bound}"
            );
        }
    }
}

#[test]
fn batches_make_latency_a_straight_line_in_depth() {
    // All that is outstanding is one batch: wake + N work + what is behind, from the first request on.
    let front = VolumeFront { batch_max: 256, ..one_by_one(50_000.0, 8_600.0) };
    let spec = VolumeSpec { front: Some(front), ..plain(23_000.0) };
    for depth in [1, 2, 4, 8, 32, 128, 256] {
        let outcome = run(&spec, &format!("random(4KiB, read=1, iodepth={depth})"), &requests(20_000, 1));
        let latency = outcome.read.latency_ns.unwrap();
        let line = 73_000.0 + 8_600.0 * f64::from(depth);
        assert!((latency.q0_5 as f64 / line - 1.0).abs() < 0.01, "depth {depth}: {} of {line}", latency.q0_5);
        assert!(
            (latency.q0_99 as f64 / line - 1.0).abs() < 0.01,
            "depth {depth}: {} of {line}",
            latency.q0_99
        );
    }
    // A batch that gathers stays one when what is behind the front scatters the requests further than the wake-up lasts.
    let gathering = VolumeFront { gathers: true, wake_ns: 1_000.0, ..front };
    let behind = VolumeOp { sigma: 0.3, ..plain(23_000.0).read };
    let spec = VolumeSpec { front: Some(gathering), read: behind, ..plain(23_000.0) };
    let all = iops(&spec, "random(4KiB, read=1, iodepth=32)");
    let line = 32.0 / (1_000.0 + 32.0 * 8_600.0 + 23_000.0) * 1e9;
    assert!(all < line * 1.1, "{all} of {line}: never two batches that take turns");
    let taking_turns = VolumeSpec { front: Some(VolumeFront { gathers: false, ..gathering }), ..spec };
    let turns = iops(&taking_turns, "random(4KiB, read=1, iodepth=32)");
    assert!(turns > all * 1.03, "{turns} against {all}: two batches hide what is behind the front");
    // One by one it only bounds the rate: what is behind is hidden as soon as two are outstanding.
    let spec = VolumeSpec { front: Some(one_by_one(0.0, 8_600.0)), ..plain(23_000.0) };
    let found = iops(&spec, "random(4KiB, read=1, iodepth=64)");
    assert!((found * 8_600e-9 - 1.0).abs() < 2e-3, "{found}");
}

#[test]
fn a_request_that_holds_up_the_front_holds_up_its_batch() {
    // Of a batch of N with probability p each: X = N / (wake + N (work + p t) + behind), and N p of all requests are late.
    let (held_ns, probability) = (2e6, 8e-4);
    for depth in [1_u32, 8, 32] {
        let front = VolumeFront {
            batch_max: 256,
            read_tail_probability: probability,
            tail_ns: held_ns,
            ..one_by_one(50_000.0, 8_600.0)
        };
        let spec = VolumeSpec { front: Some(front), ..plain(23_000.0) };
        let outcome = run(&spec, &format!("random(4KiB, read=1, iodepth={depth})"), &requests(400_000, 1));
        let n = f64::from(depth);
        let round_ns = 73_000.0 + n * (8_600.0 + probability * held_ns);
        let expected = n / round_ns * 1e9;
        assert!((outcome.iops / expected - 1.0).abs() < 0.03, "{} of {expected}", outcome.iops);
        let latency = outcome.read.latency_ns.unwrap();
        // Held up with probability 1 - (1 - p)^N: 0.08 %, 0.6 % and 2.5 % of requests.
        assert_eq!(latency.q0_99 > 2_000_000, depth == 32, "depth {depth}: {}", latency.q0_99);
        assert_eq!(latency.q0_999 > 2_000_000, depth > 1, "depth {depth}: {}", latency.q0_999);
    }
    // Writes have a share of their own.
    let front = VolumeFront { read_tail_probability: 1.0, tail_ns: held_ns, ..one_by_one(0.0, 8_600.0) };
    let spec = VolumeSpec { front: Some(front), ..plain(23_000.0) };
    assert!(iops(&spec, "random(4KiB, read=1, iodepth=4)") < 510.0);
    assert!(iops(&spec, "random(4KiB, read=0, iodepth=4)") > 50_000.0);
}

#[test]
fn two_operations_share_servers_by_their_work() {
    // Saturated servers in order of arrival: X = c / (r S_r + w S_w), reads and writes in the proportion asked for.
    let spec = VolumeSpec {
        read: constant(50_000.0),
        write: constant(200_000.0),
        parallelism: Some(4),
        ..plain(0.0)
    };
    for read in [0.0, 0.3, 0.7, 1.0] {
        let outcome = run(&spec, &format!("random(4KiB, read={read}, iodepth=64)"), &requests(40_000, 1));
        let expected = 4.0 / (read * 50e-6 + (1.0 - read) * 200e-6);
        assert!((outcome.iops / expected - 1.0).abs() < 0.015, "{read}: {} of {expected}", outcome.iops);
    }
    // With servers of their own, writes do not slow reads: each operation at its own bound, whichever is reached first.
    let own = |service, servers| VolumeOp { parallelism: Some(servers), ..constant(service) };
    let spec = VolumeSpec { read: own(50_000.0, 2), write: own(200_000.0, 2), ..plain(0.0) };
    let found = iops(&spec, "random(4KiB, read=0.5, iodepth=64)");
    assert!((found / (2.0 * 2.0 / 200e-6) - 1.0).abs() < 0.02, "{found}");
}

#[test]
fn the_link_carries_bytes_one_after_another() {
    let spec = VolumeSpec { link_bytes_per_s: Some(500e6), ..plain(80_000.0) };
    for (size, bytes) in [("4KiB", 4096.0), ("64KiB", 65_536.0), ("1MiB", 1_048_576.0)] {
        for depth in [1, 16] {
            let found = iops(&spec, &format!("random({size}, read=0.5, iodepth={depth})"));
            let transfer = bytes / 500e6;
            let bound = (f64::from(depth) / (80e-6 + transfer)).min(1.0 / transfer);
            assert!((found / bound - 1.0).abs() < 2e-3, "{size} at {depth}: {found} of {bound}");
        }
    }
}

#[test]
fn stalls_take_their_share_of_the_time() {
    // Gaps of 50 ms on average and 5 ms each: 1/11 of the time is lost to whoever always has a request in work.
    let stalls = VolumeStalls { every_ns: 50e6, stall_ns: 5e6, sigma: 0.0 };
    let spec = VolumeSpec { stalls: Some(stalls), ..plain(100_000.0) };
    let options =
        RunOptions { duration: Some(Nanos::from_ms(60_000)), seed: 1, fill: 0.0, ..RunOptions::default() };
    let outcome = run(&spec, "random(4KiB, read=1, iodepth=1)", &options);
    let expected = 1e4 * 50.0 / 55.0;
    assert!((outcome.iops / expected - 1.0).abs() < 0.02, "{} of {expected}", outcome.iops);
    let slow: u64 =
        outcome.latencies.iter().filter(|row| row.latency_ns > 1_000_000).map(|row| row.count).sum();
    // One request meets each stall: 60 s / 55 ms of them, of which some come so soon that one request meets two.
    assert!((slow as f64 / (60.0 / 0.055) - 1.0).abs() < 0.1, "{slow}");
}
