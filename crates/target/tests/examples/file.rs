//! Traces played on a file of the disk that the build lies on.

use drivecast_block::random::stream;
use drivecast_block::{Nanos, Op, Record};
use drivecast_sim::outcome::Outcome;
use drivecast_sim::run::{self, Depth, Remap, RunOptions, Workload};
use drivecast_target::{Access, Opened, Target};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

pub(crate) const SIZE: u64 = 8 << 20;

pub(crate) fn file(dir: &Path) -> PathBuf {
    let path = dir.join("target");
    fs::write(&path, vec![0_u8; SIZE as usize]).expect("room on the disk");
    path
}

fn sector(path: &Path) -> u32 {
    Opened::new(path, Access::Read).expect("a file on a disk").sector
}

pub(crate) fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder beside the build")
}

pub(crate) fn record(ms: u64, op: Op, offset: u64, size: u32) -> Record {
    Record { time: Nanos(ms * 1_000_000), op, offset, size, stream: 0, latency: None, fua: false }
}

pub(crate) fn target(path: &Path, access: Access) -> Target {
    let opened = Opened::new(path, access).expect("a file on a disk");
    Target::new(opened, 1 << 20, &mut stream(1, "target"), Arc::default()).expect("a ring")
}

pub(crate) fn play(target: &mut Target, records: Vec<Record>, options: &RunOptions) -> Outcome {
    run::drive(target, "file", 1.0, &Workload::Records(records.into()), options).expect("a run")
}

#[test]
fn every_request_is_issued_and_completes_at_its_time() {
    let dir = folder();
    let mut target = target(&file(dir.path()), Access::Write);
    let records: Vec<Record> = (0..100)
        .map(|i| record(2 * i, [Op::Read, Op::Write][i as usize % 2], i * 65_536, 4096 << (i % 3)))
        .chain([record(200, Op::Flush, 0, 0)])
        .collect();
    let outcome = play(&mut target, records, &RunOptions::default());
    assert_eq!((outcome.read.requests, outcome.write.requests, outcome.flush.requests), (50, 50, 1));
    assert!(outcome.duration_s >= 0.2, "{} s: faster than the trace", outcome.duration_s);
    assert_eq!(target.lag().histogram.len(), 101);
    assert!(outcome.read.latency_ns.expect("reads").q0_5 > 1000, "no disk answers within a microsecond");
}

#[test]
fn writes_reach_the_file_where_the_trace_has_them_and_nowhere_else() {
    let dir = folder();
    let path = file(dir.path());
    let records = vec![record(0, Op::Write, 1 << 20, 65_536), record(1, Op::Discard, 0, 4096)];
    let mut target = target(&path, Access::Write);
    play(&mut target, records, &RunOptions::default());
    let found = fs::read(path).expect("the file");
    let (from, to) = (1 << 20, (1 << 20) + 65_536);
    assert!(found[..from].iter().chain(&found[to..]).all(|byte| *byte == 0));
    let zeros = found[from..to].iter().filter(|byte| **byte == 0).count();
    assert!((128..=384).contains(&zeros), "{zeros} of 65,536 random bytes are zero, 256 expected");
    assert_eq!(target.lag().discards, 1);
}

#[test]
fn as_fast_as_possible_keeps_the_depth() {
    let dir = folder();
    let mut target = target(&file(dir.path()), Access::Read);
    let records = (0..2000).map(|i| record(1000 * i, Op::Read, (i * 4096) % SIZE, 4096)).collect();
    let outcome =
        play(&mut target, records, &RunOptions { depth: Some(Depth::Of(8)), ..RunOptions::default() });
    assert_eq!(outcome.read.requests, 2000);
    assert!(outcome.duration_s < 1000.0, "the trace's own 2,000 s were waited for");
    assert!((7.0..=8.0).contains(&outcome.queue_depth_mean), "{}", outcome.queue_depth_mean);
}

#[test]
fn offsets_behind_the_end_move_into_the_file_and_odd_ones_are_widened() {
    let dir = folder();
    let path = file(dir.path());
    let mut target = target(&path, Access::Read);
    let records = vec![record(0, Op::Read, SIZE * 5 + 4096, 4096), record(1, Op::Read, 100, 50)];
    let outcome = play(&mut target, records, &RunOptions { remap: Remap::Wrap, ..RunOptions::default() });
    assert_eq!(outcome.read.requests, 2);
    assert_eq!((target.lag().widened, target.lag().widened_bytes), (1, u64::from(sector(&path)) - 50));
}

#[test]
fn a_file_that_shrinks_under_the_run_ends_it_with_the_reason_and_what_was_measured() {
    let dir = folder();
    let path = file(dir.path());
    let mut target = target(&path, Access::Read);
    fs::OpenOptions::new().write(true).open(&path).and_then(|file| file.set_len(4096)).expect("cut");
    // The first that the file has no data for is followed by nothing for a second, so that it is seen before the next.
    let before = (0..50).map(|i| record(i, Op::Read, 0, 4096));
    let beyond = (0..50).map(|i| record(50 + 1000 * i, Op::Read, 1 << 20, 4096));
    let outcome = play(&mut target, before.chain(beyond).collect(), &RunOptions::default());
    let reason = outcome.partial.expect("a fault");
    assert_eq!(reason, "a read at 1048576 moved 0 of 4096 bytes: the target ends there");
    // On a busy disk some before it are still under way.
    assert_eq!(outcome.read.requests + outcome.in_flight, 51);
    assert!((1..=50).contains(&outcome.read.requests));
    assert!((0.05..1.0).contains(&outcome.duration_s), "{} s: of the time before", outcome.duration_s);
}

#[test]
fn a_run_that_is_broken_off_tells_what_it_measured() {
    let dir = folder();
    let opened = Opened::new(&file(dir.path()), Access::Read).expect("a file on a disk");
    let stop = Arc::new(AtomicBool::new(false));
    let mut target = Target::new(opened, 4096, &mut stream(1, "target"), Arc::clone(&stop)).expect("a ring");
    let asked = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(120));
        stop.store(true, Ordering::Relaxed);
    });
    // The next request would be due in an hour.
    let outcome = play(
        &mut target,
        vec![record(0, Op::Read, 0, 4096), record(3_600_000, Op::Read, 0, 4096)],
        &RunOptions::default(),
    );
    asked.join().expect("a thread that only waits");
    assert_eq!(
        (outcome.partial.as_deref(), outcome.read.requests, outcome.in_flight),
        (Some("interrupted"), 1, 0)
    );
    assert!((0.05..1.0).contains(&outcome.duration_s), "{} s", outcome.duration_s);
}

#[test]
fn the_depth_of_the_trace_is_kept_where_its_times_are_not() {
    let dir = folder();
    let mut target = target(&file(dir.path()), Access::Read);
    // Four at once every second, each outstanding for as long as the others.
    let timed = |i: u64| Record {
        latency: Some(Nanos(500_000_000)),
        ..record(1000 * (i / 4), Op::Read, (i * 4096) % SIZE, 4096)
    };
    let options = RunOptions { depth: Some(Depth::Recorded), ..RunOptions::default() };
    let outcome = play(&mut target, (0..400).map(timed).collect(), &options);
    assert_eq!(outcome.read.requests, 400);
    assert!(outcome.duration_s < 50.0, "the trace's own 100 s were waited for");
    assert!(
        (1.5..=4.0).contains(&outcome.queue_depth_mean),
        "{}: from 4 down to 0",
        outcome.queue_depth_mean
    );
}

#[test]
fn what_cannot_be_a_target_says_why() {
    let dir = folder();
    let empty = dir.path().join("empty");
    fs::write(&empty, "").expect("an empty file");
    let missing = dir.path().join("missing");
    for (path, reason) in [(empty, "it is empty"), (missing, "No such file")] {
        let error = Opened::new(&path, Access::Read).expect_err("no target").to_string();
        assert!(error.contains(reason), "{error}");
    }
    let opened = Opened::new(&file(dir.path()), Access::Read).expect("a file on a disk");
    let found = Target::new(opened, u32::MAX, &mut stream(1, "target"), Arc::default()).err();
    assert!(found.expect("too large").to_string().contains("larger than 1 GiB"));
}
