//! Drives that fail, are rebuilt and become slow while the design is at work.

use drivecast_block::{Bytes, Completion, Device, Nanos, Op, Request};
use drivecast_sim::design::{Design, Left, Resolved, Unit};
use drivecast_sim::raid::Pace;
use drivecast_sim::run::{Disk, DiskOptions, State};
use drivecast_sim::spec::DriveSpec;
use std::collections::BTreeMap;

/// Every request takes 1 ms, whatever it is.
const SERVICE: Nanos = Nanos::from_ms(1);

fn design(line: &str) -> Resolved {
    let json = r#"{"kind": "volume", "capacity_bytes": 16777216, "read": {"service_ns": 1000000}, "write": {"service_ns": 1000000}}"#;
    let spec: DriveSpec = serde_json::from_str(json).expect("a volume");
    let drives = BTreeMap::from([("x".to_owned(), spec)]);
    Design::parse(line).and_then(|design| design.resolve(&drives)).expect("a design")
}

fn unit(line: &str) -> Unit {
    let options = DiskOptions { size: None, state: State::Fresh, fill: 0.0, seed: 0 };
    Disk::new(&design(line), &options).expect("it can be built").unit
}

/// How long a request takes from `now` on, and when it is over.
fn serve(unit: &mut Unit, now: Nanos, op: Op) -> (Nanos, Nanos) {
    let request = Request { id: 7, offset: Bytes(0), size: 4096, stream: 0, op, fua: false };
    let mut done: Vec<Completion> = Vec::new();
    unit.submit(now, request);
    while done.is_empty() {
        let at = unit.next().expect("a request is under way");
        unit.advance(at, &mut done);
    }
    (done[0].at.since(now), done[0].at)
}

#[test]
fn an_array_survives_what_its_level_survives() {
    for (line, fails, left) in [
        ("x", vec![0], vec![Left::Loss]),
        ("raid0(2 * x)", vec![1], vec![Left::Loss]),
        ("raid1(2 * x)", vec![0, 1], vec![Left::Everything, Left::Loss]),
        ("raid5(4 * x)", vec![2, 0], vec![Left::Everything, Left::Loss]),
        ("raid6(5 * x)", vec![0, 4, 1], vec![Left::Everything, Left::Everything, Left::Loss]),
        ("raid10(4 * x)", vec![0, 2, 3], vec![Left::Everything, Left::Everything, Left::Loss]),
        ("raid0(2 * raid1(2 * x))", vec![0, 2, 3], vec![Left::Everything, Left::Everything, Left::Loss]),
    ] {
        let mut unit = unit(line);
        let found: Vec<Left> = fails.iter().map(|drive| unit.fail(*drive).expect("there is one")).collect();
        assert_eq!(found, left, "{line} without {fails:?}");
    }
}

#[test]
fn a_drive_that_is_not_there_cannot_fail() {
    assert!(unit("raid5(4 * x)").fail(4).is_err());
    assert!(unit("raid5(5 * x, spares=1)").fail(4).expect_err("a spare").contains("spare"));
}

#[test]
fn a_read_of_what_is_missing_reads_the_others() {
    let mut unit = unit("raid5(4 * x)");
    let (sound, at) = serve(&mut unit, Nanos::ZERO, Op::Read);
    assert_eq!(sound, SERVICE);
    assert_eq!(unit.counters().submitted[Op::Read as usize], 1);
    for drive in 0..3 {
        let mut unit = self::unit("raid5(4 * x)");
        unit.fail(drive).expect("there is one");
        serve(&mut unit, at, Op::Read);
        let reads = unit.counters().submitted[Op::Read as usize];
        assert_eq!(reads, if drive == 0 { 3 } else { 1 }, "the first chunk is on the first drive");
    }
}

#[test]
fn a_rebuild_makes_the_array_whole_again_at_its_pace() {
    let mut unit = unit("raid1(2 * x)");
    unit.fail(1).expect("there is one");
    let from = Nanos::from_ms(5_000);
    let rate = 4e6;
    let bytes = unit.rebuild(from, Pace::Rate(rate)).expect("nothing else is rebuilt");
    assert_eq!(bytes, Bytes(16 << 20));
    assert!(unit.rebuild(from, Pace::Rate(rate)).is_err(), "one at a time");
    assert!(unit.fail(1).is_err(), "a drive that is being rebuilt");
    let mut done = Vec::new();
    let mut last = from;
    while let Some(at) = unit.next() {
        assert!(at >= from, "nothing before it began");
        unit.advance(at, &mut done);
        last = at;
    }
    let least = bytes.0 as f64 / rate;
    let took = last.since(from).as_secs_f64();
    assert!((least..1.1 * least).contains(&took), "{took} s, at least {least} s");
    assert_eq!(unit.counters().rebuilt_bytes, bytes.0);
    assert_eq!(unit.fail(0), Ok(Left::Everything), "the other copy is whole again");
}

#[test]
fn a_slow_drive_takes_a_multiple_of_its_time() {
    let mut alone = unit("x");
    let (before, at) = serve(&mut alone, Nanos::ZERO, Op::Write);
    alone.slow(0, 5.0).expect("there is one");
    let (after, at) = serve(&mut alone, at, Op::Write);
    assert_eq!((before, after), (SERVICE, Nanos(5 * SERVICE.0)));
    alone.slow(0, 1.0).expect("there is one");
    assert_eq!(serve(&mut alone, at, Op::Write).0, SERVICE);
    let mut mirror = unit("raid1(2 * x)");
    mirror.slow(1, 3.0).expect("there is one");
    assert_eq!(serve(&mut mirror, Nanos::ZERO, Op::Write).0, Nanos(3 * SERVICE.0), "a write waits for both");
}
