//! Arrays with members missing, as closed forms (theory.md 2.4): what requests cost, what is left of the rate, how long a
//! rebuild takes.

use crate::station::{MEMBER, array};
use drivecast_block::{Bytes, Device, Nanos, Op, Request};
use drivecast_sim::fixed_service::{FixedService, Service};
use drivecast_sim::raid::{Array, Layout, Level, Log, Pace};
use drivecast_sim::run::{RunOptions, Workload, drive};
use drivecast_workload::WorkloadSpec;

const CHUNK: u64 = 64 << 10;

fn quick(level: Level, failed: &[usize]) -> Array {
    array(level, 8, Bytes(CHUNK), Service::Constant(Nanos::from_us(1))).degraded(failed)
}

/// Member reads and writes of one request.
fn cost(mut device: Array, op: Op, offset: u64, size: u32) -> [u64; 2] {
    device.submit(Nanos::ZERO, Request { id: 0, offset: Bytes(offset), size, stream: 0, op, fua: false });
    let mut done = Vec::new();
    while done.is_empty() {
        let at = device.next().unwrap();
        device.advance(at, &mut done);
    }
    let completed = device.counters().completed;
    [completed[Op::Read as usize], completed[Op::Write as usize]]
}

#[test]
fn reads_of_a_missing_chunk_take_the_others() {
    // Row 0 of 8 members: data on 0 to 6, P on 7 (RAID 5); data on 1 to 6, P on 7, Q on 0 (RAID 6).
    assert_eq!(cost(quick(Level::Raid5, &[0]), Op::Read, 0, 4096), [7, 0]);
    assert_eq!(cost(quick(Level::Raid5, &[0]), Op::Read, CHUNK, 4096), [1, 0]);
    assert_eq!(cost(quick(Level::Raid5, &[7]), Op::Read, 0, 4096), [1, 0]);
    assert_eq!(cost(quick(Level::Raid6, &[1]), Op::Read, 0, 4096), [6, 0]);
    assert_eq!(cost(quick(Level::Raid6, &[1, 2]), Op::Read, 0, 4096), [6, 0], "four data, P and Q");
    assert_eq!(cost(quick(Level::Raid6, &[1, 7]), Op::Read, 0, 4096), [6, 0], "five data and Q");
    assert_eq!(cost(quick(Level::Raid10, &[0, 2, 5]), Op::Read, 0, 4096), [1, 0]);
    assert_eq!(cost(quick(Level::Raid1, &[0, 1, 2, 3, 4, 5, 6]), Op::Read, 0, 4096), [1, 0]);
    // The whole row: six that are wanted anyhow, and P.
    assert_eq!(cost(quick(Level::Raid5, &[0]), Op::Read, 0, 7 << 16), [7, 0]);
}

#[test]
fn writes_of_a_degraded_row() {
    // To the missing chunk: the other six data, then P alone.
    assert_eq!(cost(quick(Level::Raid5, &[0]), Op::Write, 0, 4096), [6, 1]);
    // Beside it: read-modify-write as ever. Without parity: the data alone.
    assert_eq!(cost(quick(Level::Raid5, &[0]), Op::Write, CHUNK, 4096), [2, 2]);
    assert_eq!(cost(quick(Level::Raid5, &[7]), Op::Write, 0, 4096), [0, 1]);
    // Two chunks, the missing one in part: the rest of it has to be recovered from everything else.
    assert_eq!(cost(quick(Level::Raid5, &[0]), Op::Write, 60 << 10, 68 << 10), [7, 2]);
    assert_eq!(cost(quick(Level::Raid6, &[1]), Op::Write, 0, 4096), [5, 2]);
    assert_eq!(cost(quick(Level::Raid6, &[7]), Op::Write, 0, 4096), [2, 2], "Q alone");
    assert_eq!(cost(quick(Level::Raid10, &[0, 2]), Op::Write, 0, 4096), [0, 1]);
    assert_eq!(cost(quick(Level::Raid5, &[0]), Op::Write, 0, 7 << 16), [0, 7], "a full stripe");
}

#[test]
fn the_log_takes_every_write_once_more() {
    let logged = |op, offset, size| {
        let layout = Layout::new(Level::Raid5, 8, Bytes(CHUNK), Bytes(MEMBER.0 - Log::area(MEMBER.0)));
        let member = |seed| {
            Box::new(FixedService::new(MEMBER, 1, Service::Constant(Nanos(100)), seed)) as Box<dyn Device>
        };
        let members = (0..8).map(member).collect();
        let mut device = Array::new(layout, Nanos::ZERO, members).logged(Log::new(8, MEMBER.0));
        device.submit(Nanos::ZERO, Request { id: 0, offset: Bytes(offset), size, stream: 0, op, fua: false });
        let mut done = Vec::new();
        while let Some(at) = device.next() {
            device.advance(at, &mut done);
        }
        let counters = device.counters();
        ([counters.completed[0], counters.completed[1]], counters.written_bytes, done[0].at)
    };
    let header = 4096;
    // Read, log, write: a step more; bytes twice, and a header.
    assert_eq!(logged(Op::Write, 0, 4096), ([2, 3], 4 * 4096 + header, Nanos(300)));
    assert_eq!(logged(Op::Write, 0, 7 << 16), ([0, 9], 2 * (8 << 16) + header, Nanos(200)));
    assert_eq!(logged(Op::Read, 0, 4096).0, [1, 0]);
}

/// Host IOPS of small random requests at saturation, members that do 10,000 a second.
fn iops(level: Level, failed: &[usize], read: f64) -> f64 {
    let mut device =
        array(level, 8, Bytes(CHUNK), Service::Exponential(Nanos::from_us(100))).degraded(failed);
    let line = format!("random(4KiB, read={read}, iodepth=4096)");
    let workload = Workload::Synthetic(WorkloadSpec::parse(&line).unwrap());
    let options = RunOptions {
        requests: Some(100_000),
        warmup: Nanos::from_ms(700),
        seed: 1,
        fill: 0.0,
        ..RunOptions::default()
    };
    drive(&mut device, "degraded", 1.0, &workload, &options).unwrap().iops
}

#[test]
fn what_is_left_of_the_rate() {
    // N members, one missing: a read of it takes N - 1, so the N - 1 that are left do (N - 1) I / (2 (N - 1) / N) = N I / 2.
    let n = 8.0;
    let reads = iops(Level::Raid5, &[3], 1.0);
    assert!((reads / (n * 10_000.0 / 2.0) - 1.0).abs() < 0.03, "RAID 5 reads: {reads:.0}");
    // Writes: with P missing 1 I/O, with the data missing N - 2 reads and 1 write, else 4: (1 + N - 1 + 4 (N - 2)) / N each.
    let writes = iops(Level::Raid5, &[3], 0.0);
    let theory = (n - 1.0) * 10_000.0 / ((n + 4.0 * (n - 2.0)) / n);
    assert!((writes / theory - 1.0).abs() < 0.03, "RAID 5 writes: {writes:.0}, theory {theory:.0}");
    // The partner of a missing copy does the work of two, and everyone waits for it: N I / 2.
    let reads = iops(Level::Raid10, &[3], 1.0);
    assert!((reads / (n * 10_000.0 / 2.0) - 1.0).abs() < 0.05, "RAID 10 reads: {reads:.0}");
}

/// Seconds until all is rebuilt, of members that take 100 us for anything.
fn rebuild_s(level: Level, pace: Pace) -> f64 {
    let array = array(level, 8, Bytes(CHUNK), Service::Constant(Nanos::from_us(100)));
    let mut device = array.degraded(&[2]).rebuilding(&[2], pace);
    let mut last = Nanos::ZERO;
    while let Some(at) = device.next() {
        device.advance(at, &mut Vec::new());
        last = at;
    }
    assert_eq!(device.counters().rebuilt_bytes, MEMBER.0);
    assert_eq!(device.counters().rebuilt_ns, last.0);
    let mut done = Vec::new();
    let request = Request { id: 1, offset: Bytes(0), size: 7 << 16, stream: 0, op: Op::Read, fua: false };
    device.reset_counters();
    device.submit(last, request);
    while let Some(at) = device.next() {
        device.advance(at, &mut done);
    }
    let whole = cost(quick(level, &[]), Op::Read, 0, 7 << 16)[0];
    assert_eq!(device.counters().completed[Op::Read as usize], whole, "as if nothing had failed");
    last.as_secs_f64()
}

#[test]
fn rebuild_times() {
    let steps = (MEMBER.0 / CHUNK) as f64;
    for level in [Level::Raid5, Level::Raid6, Level::Raid10, Level::Raid1, Level::Raid50] {
        // Bounded by the rate, to within the last step's reads and writes.
        let seconds = rebuild_s(level, Pace::Rate(50e6));
        let least = MEMBER.0 as f64 / 50e6;
        assert!(seconds >= least && seconds < least + 0.001, "{}: {seconds}, least {least}", level.name());
        // Bounded by the spare, which takes 100 us a step, 32 at a time, once the first of them has been read.
        let seconds = rebuild_s(level, Pace::Share(1.0));
        let least = (steps + steps / 32.0) * 100e-6;
        assert!((seconds / least - 1.0).abs() < 0.01, "{}: {seconds}, least {least}", level.name());
    }
    // 32 steps under way take 3.2 ms each; with a tenth of the time, they rest nine times as long.
    let (whole, tenth) =
        (rebuild_s(Level::Raid5, Pace::Share(1.0)), rebuild_s(Level::Raid5, Pace::Share(0.1)));
    assert!((tenth / whole - 10.0).abs() < 0.5, "{tenth} {whole}");
}
