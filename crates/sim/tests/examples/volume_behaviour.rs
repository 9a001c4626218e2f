//! What a volume does, hand-computed; and what is no volume.

use crate::{at_once, constant, plain, rate, requests, run, volume};
use drivecast_block::{Device, Nanos, Op};
use drivecast_sim::design::Design;
use drivecast_sim::run::{RunOptions, State, Workload, simulate};
use drivecast_sim::spec::{DriveSpec, VolumeCap, VolumeCaps, VolumeFront, VolumeSpec, VolumeStalls};
use drivecast_sim::volume::Volume;
use drivecast_workload::WorkloadSpec;
use std::collections::BTreeMap;

#[test]
fn a_batch_is_handed_on_together() {
    let front = VolumeFront { batch_max: 3, read_ns_per_byte: 1.0, ..crate::one_by_one(1000.0, 100.0) };
    let spec = VolumeSpec { front: Some(front), ..plain(10.0) };
    let ends = at_once(&mut volume(&spec, 1), &[(Op::Read, 512); 5]);
    // Awake at 1,000; three at 612 each; then two more without waking up again.
    assert_eq!(ends, [2846, 2846, 2846, 4070, 4070].map(Nanos));
}

#[test]
fn servers_are_taken_in_order_of_arrival() {
    let spec = VolumeSpec { parallelism: Some(2), write: constant(300.0), ..plain(100.0) };
    let order = [(Op::Write, 512), (Op::Read, 512), (Op::Read, 512), (Op::Write, 512), (Op::Read, 512)];
    assert_eq!(at_once(&mut volume(&spec, 1), &order), [300, 100, 200, 500, 400].map(Nanos));
}

#[test]
fn an_operation_at_its_limit_is_passed() {
    let mut spec = VolumeSpec { write: constant(300.0), parallelism: Some(3), ..plain(100.0) };
    spec.write.parallelism = Some(1);
    let order = [(Op::Write, 512), (Op::Write, 512), (Op::Read, 512), (Op::Read, 512)];
    assert_eq!(at_once(&mut volume(&spec, 1), &order), [300, 600, 100, 100].map(Nanos));
}

#[test]
fn flushes_and_discards_pay_nothing() {
    let caps = VolumeCaps { iops: Some(rate(10.0)), ..VolumeCaps::default() };
    let mut spec = VolumeSpec { flush_ns: 700, caps, ..plain(100.0) };
    spec.write.delay_ns = 40.0;
    let order = [(Op::Write, 512), (Op::Flush, 0), (Op::Discard, 4096), (Op::Write, 512)];
    let mut device = volume(&spec, 1);
    assert_eq!(at_once(&mut device, &order), [140, 700, 40, 100_000_140].map(Nanos));
    assert_eq!(device.counters().completed, [0, 2, 1, 1]);
    assert_eq!(device.counters().written_bytes, 1024);
}

#[test]
fn nothing_goes_on_in_a_stall_but_tokens() {
    // One stall at most within the first second, for ever after: whatever is in work when it begins is late by it.
    let stalls = VolumeStalls { every_ns: 1e6, stall_ns: 1e12, sigma: 0.0 };
    let spec = VolumeSpec { stalls: Some(stalls), ..plain(1e8) };
    let ends = at_once(&mut volume(&spec, 1), &[(Op::Read, 512)]);
    assert!(ends[0] >= Nanos(1_000_000_000_000), "{:?}", ends[0]);
}

#[test]
fn left_alone_it_has_all_its_credits() {
    let cap = VolumeCap { per_s: 10.0, credits: 1e4, credits_at_start: 0.0, burst_per_s: Some(1e4) };
    let line = "volume(capacity=1GiB, read=100us, sigma=0, iops=10iops, credits=10000, burst_iops=10000iops, credits_at_start=0)";
    let design = Design::parse(line).unwrap().resolve(&BTreeMap::new()).unwrap();
    assert!(matches!(design.root().drives()[0].1, DriveSpec::Volume(spec) if spec.caps.iops == Some(cap)));
    let workload = Workload::Synthetic(WorkloadSpec::parse("random(4KiB, read=1, iodepth=4)").unwrap());
    let options = |state| RunOptions {
        state,
        duration: Some(Nanos::from_ms(500)),
        seed: 1,
        fill: 0.0,
        ..RunOptions::default()
    };
    let poor = simulate(&design, &workload, &options(State::Steady)).unwrap();
    let rich = simulate(&design, &workload, &options(State::Idle)).unwrap();
    assert!(poor.requests < 10 && rich.requests.abs_diff(5000) < 10, "{} {}", poor.requests, rich.requests);
}

#[test]
fn refusals_name_the_field() {
    let refusal = |change: fn(&mut VolumeSpec)| {
        let mut spec = plain(1e5);
        change(&mut spec);
        Volume::new(&spec, 1).err().map(|error| error.to_string()).unwrap_or_default()
    };
    let cap = |change: fn(&mut VolumeCap)| {
        let mut spec = plain(1e5);
        let mut cap = rate(100.0);
        change(&mut cap);
        spec.caps.write_bytes = Some(cap);
        Volume::new(&spec, 1).err().map(|error| error.to_string()).unwrap_or_default()
    };
    for (found, expected) in [
        (refusal(|_| ()), ""),
        (refusal(|spec| spec.capacity_bytes = 511), "`capacity_bytes` must be at least 512, found 511"),
        (refusal(|spec| spec.partition = 0.0), "`partition` must be a share above 0 and at most 1, found 0"),
        (
            refusal(|spec| spec.read.service_ns = -1.0),
            "`read.service_ns` must be a time from 0 to 1e12 ns, found -1",
        ),
        (
            refusal(|spec| spec.write.sigma = f64::NAN),
            "`write.sigma` must be a deviation from 0 to 4, found NaN",
        ),
        (
            refusal(|spec| spec.write.tail_probability = 1.5),
            "`write.tail_probability` must be a share from 0 to 1, found 1.5",
        ),
        (
            refusal(|spec| spec.write.service_ns = 0.0),
            "`write.service_ns` must be above 0 where nothing else takes time, found 0",
        ),
        (refusal(|spec| spec.parallelism = Some(0)), "`parallelism` must be at least 1, found 0"),
        (refusal(|spec| spec.read.parallelism = Some(0)), "`read.parallelism` must be at least 1, found 0"),
        (
            refusal(|spec| spec.link_bytes_per_s = Some(0.0)),
            "`link_bytes_per_s` must be a rate above 0, found 0",
        ),
        (
            refusal(|spec| spec.stalls = Some(VolumeStalls { every_ns: 1.0, stall_ns: 1.0, sigma: 0.0 })),
            "`stalls.every_ns` must be a time from 1e5 to 1e12 ns, found 1",
        ),
        (cap(|cap| cap.per_s = 0.0), "`caps.write_bytes.per_s` must be a rate above 0, found 0"),
        (cap(|cap| cap.credits = -1.0), "`caps.write_bytes.credits` must be a number from 0, found -1"),
        (
            cap(|cap| cap.burst_per_s = Some(99.0)),
            "`caps.write_bytes.burst_per_s` must be a rate that is not below `per_s`, found 99",
        ),
    ] {
        assert_eq!(found, expected);
    }
}

#[test]
fn arrays_of_volumes_add_up() {
    let line =
        "raid0(4 * volume(capacity=1GiB, read=200us, write=200us, sigma=0, iops=1000iops), chunk=64KiB)";
    let design = Design::parse(line).unwrap().resolve(&BTreeMap::new()).unwrap();
    assert_eq!(design.capacity().0, 4 << 30);
    let workload = Workload::Synthetic(WorkloadSpec::parse("random(4KiB, iodepth=256)").unwrap());
    let outcome = simulate(&design, &workload, &requests(40_000, 1)).unwrap();
    assert!((outcome.iops / 4000.0 - 1.0).abs() < 0.02, "{}", outcome.iops);
}

#[test]
fn the_same_seed_gives_the_same_outcome() {
    let mut spec = plain(1e5);
    spec.read.sigma = 0.5;
    let outcome = |seed| {
        serde_json::to_string(&run(&spec, "random(4KiB, read=0.7, iodepth=8)", &requests(5000, seed)))
            .unwrap()
    };
    assert_eq!(outcome(1), outcome(1));
    assert_ne!(outcome(1), outcome(2));
}

#[test]
fn the_outcome_says_how_long_credits_last() {
    let line = "volume(capacity=1GiB, read=100us, sigma=0, iops=100iops, burst_iops=1100iops, credits=10000)";
    let workload = |line: &str| Workload::Synthetic(WorkloadSpec::parse(line).unwrap());
    let credits = |line: &str, load: &str, seconds: u64| {
        let design = Design::parse(line).unwrap().resolve(&BTreeMap::new()).unwrap();
        let options = RunOptions {
            duration: Some(Nanos::from_ms(seconds * 1000)),
            seed: 1,
            fill: 0.0,
            ..RunOptions::default()
        };
        simulate(&design, &workload(load), &options).unwrap().credits
    };
    // A thousand more than are earned each second: 8,000 of 10,000 are left after two, for eight seconds more.
    let found = credits(line, "random(4KiB, read=1, iodepth=4)", 2).unwrap();
    assert!((found.left - 0.8).abs() < 1e-3 && (found.lasts_s.unwrap() - 8.0).abs() < 0.05, "{found:?}");
    let array = format!("raid0(2 * {line})");
    let halved = credits(&array, "random(4KiB, read=1, iodepth=64)", 2).unwrap();
    assert!((halved.left - 0.8).abs() < 0.01, "{halved:?}");
    let rest = credits(line, "random(4KiB, read=1, rate=50iops)", 20).unwrap();
    assert!(rest.left > 0.999 && rest.lasts_s.is_none(), "{rest:?}");
    assert_eq!(credits("volume(capacity=1GiB, iops=100iops)", "random(4KiB, read=1)", 1), None);
}

#[test]
fn what_takes_for_ever_is_a_failure_and_no_number() {
    let load = Workload::Synthetic(WorkloadSpec::parse("random(1MiB, read=1, iodepth=4)").unwrap());
    for spec in [
        VolumeSpec { link_bytes_per_s: Some(1e-300), ..plain(1e5) },
        VolumeSpec { caps: VolumeCaps { bytes: Some(rate(1e-300)), ..VolumeCaps::default() }, ..plain(1e5) },
        VolumeSpec {
            caps: VolumeCaps { read_iops: Some(rate(1e-7)), ..VolumeCaps::default() },
            ..plain(1e5)
        },
    ] {
        let drives = BTreeMap::from([("slow".to_owned(), DriveSpec::Volume(spec))]);
        let design = Design::parse("slow").unwrap().resolve(&drives).unwrap();
        let error = simulate(&design, &load, &requests(1000, 1)).unwrap_err();
        assert!(error.to_string().contains("more than a hundred days"), "{error}");
    }
}
