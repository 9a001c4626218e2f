//! Token buckets against their closed forms (Turner 1986; RFC 2698).

use crate::{at_once, constant, plain, rate, request, requests, run, volume};
use drivecast_block::{Device, Nanos, Op};
use drivecast_sim::run::RunOptions;
use drivecast_sim::spec::{VolumeCap, VolumeCaps, VolumeSpec};

fn capped(caps: VolumeCaps) -> VolumeSpec {
    VolumeSpec { caps, ..plain(100_000.0) }
}

fn iops(cap: VolumeCap) -> VolumeSpec {
    capped(VolumeCaps { iops: Some(cap), ..VolumeCaps::default() })
}

#[test]
fn the_rate_lasts() {
    for per_s in [500.0, 3000.0, 7777.7] {
        let outcome = run(&iops(rate(per_s)), "random(4KiB, read=0.7, iodepth=16)", &requests(30_000, 1));
        assert!((outcome.iops / per_s - 1.0).abs() < 1e-3, "{per_s}: {}", outcome.iops);
        // Sixteen outstanding and nothing but the cap: Little's law.
        let mean = outcome.read.latency_ns.unwrap().mean;
        assert!((mean / (16e9 / per_s) - 1.0).abs() < 0.01, "{per_s}: {mean}");
    }
}

#[test]
fn credits_last_as_long_as_the_burst_spends_more_than_is_earned() {
    // 100 GiB of gp2 in small: burst 3,000, earns 300, 54,000 credits.
    let (burst, refill, credits) = (3000.0, 300.0, 54_000.0);
    let cap = VolumeCap { per_s: refill, credits, credits_at_start: 1.0, burst_per_s: Some(burst) };
    let options =
        RunOptions { duration: Some(Nanos::from_ms(40_000)), seed: 1, fill: 0.0, ..RunOptions::default() };
    let outcome = run(&iops(cap), "random(4KiB, read=1, iodepth=8)", &options);
    let lasts = credits / (burst - refill);
    for second in &outcome.seconds {
        let at = second.second as f64;
        let expected = if at + 1.0 <= lasts { burst } else { refill };
        let is_the_edge = at < lasts && lasts < at + 1.0;
        assert!(
            is_the_edge || (second.reads as f64 - expected).abs() <= 2.0,
            "second {at}: {} of {expected}, credits last {lasts} s",
            second.reads
        );
    }
    // All that was ever allowed, C + r t, and not one more than the request that goes into debt.
    let allowed = credits + refill * 40.0;
    assert!((outcome.requests as f64 - allowed).abs() <= 9.0, "{} of {allowed}", outcome.requests);
}

#[test]
fn a_part_of_the_credits_lasts_a_part_of_the_time() {
    let cap =
        VolumeCap { per_s: 100.0, credits: 10_000.0, credits_at_start: 0.25, burst_per_s: Some(1100.0) };
    let options =
        RunOptions { duration: Some(Nanos::from_ms(5_000)), seed: 1, fill: 0.0, ..RunOptions::default() };
    let outcome = run(&iops(cap), "random(4KiB, read=1, iodepth=8)", &options);
    assert!((outcome.requests as f64 - (2500.0 + 500.0)).abs() <= 9.0, "{}", outcome.requests);
}

#[test]
fn bytes_bind_where_requests_are_large() {
    let caps = VolumeCaps { iops: Some(rate(3000.0)), bytes: Some(rate(125e6)), ..VolumeCaps::default() };
    for (line, bytes) in [("4KiB", 4096.0), ("64KiB", 65_536.0), ("1MiB", 1_048_576.0)] {
        let outcome =
            run(&capped(caps), &format!("random({line}, read=0.5, iodepth=32)"), &requests(5_000, 1));
        let expected = f64::min(3000.0, 125e6 / bytes);
        assert!((outcome.iops / expected - 1.0).abs() < 0.01, "{line}: {} of {expected}", outcome.iops);
    }
}

#[test]
fn large_requests_count_as_several() {
    let caps = VolumeCaps { iops: Some(rate(1000.0)), io_unit_bytes: 256 << 10, ..VolumeCaps::default() };
    for (size, count) in [("4KiB", 1.0), ("256KiB", 1.0), ("260KiB", 2.0), ("1MiB", 4.0)] {
        let outcome = run(&capped(caps), &format!("random({size}, iodepth=8)"), &requests(4_000, 1));
        assert!((outcome.iops * count / 1000.0 - 1.0).abs() < 0.01, "{size}: {}", outcome.iops);
    }
}

#[test]
fn each_operation_has_its_own_bucket_and_both_share_one() {
    let caps =
        VolumeCaps { read_iops: Some(rate(1000.0)), write_iops: Some(rate(400.0)), ..VolumeCaps::default() };
    // Half of each in a closed loop: the slower one holds the other back, since its requests fill the depth.
    let outcome = run(&capped(caps), "random(4KiB, read=0.5, iodepth=64)", &requests(8_000, 1));
    assert!((outcome.write.iops / 400.0 - 1.0).abs() < 0.02, "{}", outcome.write.iops);
    assert!((outcome.read.iops / 400.0 - 1.0).abs() < 0.05, "{}", outcome.read.iops);
    // A read goes past writes that wait for a bucket of theirs.
    let mut device = volume(&capped(caps), 1);
    let ends =
        at_once(&mut device, &[(Op::Write, 4096), (Op::Write, 4096), (Op::Write, 4096), (Op::Read, 4096)]);
    assert_eq!(ends, [100_000, 2_600_000, 5_100_000, 100_000].map(Nanos));
}

#[test]
fn tokens_by_the_period_leave_in_bunches_at_the_same_rate() {
    // QEMU and the block layer hand out tokens by the slice: 1,000 a second in slices of 100 ms, a hundred at a time.
    let by_the_period =
        VolumeCaps { iops: Some(rate(1000.0)), period_ns: 100_000_000, ..VolumeCaps::default() };
    let smooth = VolumeCaps { period_ns: 0, ..by_the_period };
    let line = "random(4KiB, read=1, iodepth=4)";
    let quantiles = |caps| {
        let outcome = run(&capped(caps), line, &requests(20_000, 1));
        assert!((outcome.iops / 1000.0 - 1.0).abs() < 0.01, "{}", outcome.iops);
        let latency = outcome.read.latency_ns.unwrap();
        (latency.q0_5 as f64, latency.q0_99 as f64)
    };
    let (even, bunched) = (quantiles(smooth), quantiles(by_the_period));
    assert!((even.0 / 4e6 - 1.0).abs() < 0.01 && (even.1 / 4e6 - 1.0).abs() < 0.01, "{even:?}");
    // A hundred go at once, 100 us each at four at a time; then the last four of the slice wait for the next one.
    assert!((bunched.0 / 100e3 - 1.0).abs() < 0.01, "{bunched:?}");
    assert!((bunched.1 / 97.5e6 - 1.0).abs() < 0.02, "{bunched:?}");
}

#[test]
fn what_is_not_used_is_kept_up_to_the_credits() {
    // Ten idle seconds earn ten thousand tokens, of which two are kept: two requests go, one goes into debt, the rest wait.
    let cap = VolumeCap { credits: 2.0, ..rate(1000.0) };
    let mut device = volume(&iops(cap), 1);
    let mut done = Vec::new();
    device.submit(Nanos::ZERO, request(9, Op::Read, 4096));
    device.advance(Nanos(100_000), &mut done);
    let late = Nanos::from_ms(10_000);
    (0..5).for_each(|id| device.submit(late, request(id, Op::Read, 4096)));
    device.advance(Nanos::MAX, &mut done);
    let after: Vec<u64> = done[1..].iter().map(|one| one.at.since(late).0).collect();
    assert_eq!(after, [100_000, 100_000, 100_000, 1_100_000, 2_100_000]);
}

#[test]
fn a_request_larger_than_the_bucket_goes_into_debt() {
    let caps = VolumeCaps { bytes: Some(rate(1e6)), ..VolumeCaps::default() };
    let mut device = volume(&VolumeSpec { caps, read: constant(0.0), ..plain(0.0) }, 1);
    let ends = at_once(&mut device, &[(Op::Read, 3_000_000), (Op::Read, 1000), (Op::Read, 1000)]);
    assert_eq!(ends, [0, 3_000_000_000, 3_001_000_000].map(Nanos));
}
