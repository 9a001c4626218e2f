//! Lateness is counted by kind of request, on a clock of the test.

mod small_disk;

use drivecast_attach::{Ask, Disk, Lateness, Settings, Span};
use drivecast_block::{Nanos, Op};
use small_disk::settings;

/// What the front costs is taken off before anything is late; its file has the tests.
#[path = "../src/ping.rs"]
#[allow(dead_code, unreachable_pub, reason = "its tests alone are of interest here")]
mod ping;

const PAGE: u32 = 4096;
const SIZE: u64 = 1 << 20;
const LINE: &str = "volume(capacity=16MiB, read=600us, write=800us)";
/// How many requests of a kind, and how late each is answered.
const MADE: [(Op, u64, u64); 4] =
    [(Op::Read, 4, 0), (Op::Write, 3, 15_000), (Op::Flush, 2, 7_000_000), (Op::Discard, 1, 900_000_000)];

fn disk(speed: f64) -> Disk {
    let mut disk = small_disk::disk(LINE, Settings { speed, ..settings(SIZE) });
    disk.start(Nanos::ZERO);
    disk
}

/// Has all of them answered, one after the other; when the last was.
fn use_it(disk: &mut Disk) -> Nanos {
    let mut now = Nanos(1_000_000);
    for (op, count, late_ns) in MADE {
        for _ in 0..count {
            let size = if op == Op::Flush { 0 } else { PAGE };
            let ask = Ask { op, offset: 0, size, fua: false, stream: 0, ticket: 0 };
            disk.ask(now, ask, (op == Op::Write).then_some(&[1; PAGE as usize])).expect("it is taken");
            let mut answers = Vec::new();
            while answers.is_empty() {
                now = disk.due().expect("something is in flight").max(now + Nanos(1));
                disk.advance(now, &mut answers);
            }
            now += Nanos(late_ns);
            disk.answered(now, &answers[0]);
        }
    }
    now
}

/// By kind: how many there were, how many were late, and by how much, which is counted within 1 % and, as times of the design are
/// whole nanoseconds, a tenth of a microsecond.
fn checked(found: &Lateness, speed: f64) {
    for (late, (op, count, late_ns)) in [found.read, found.write, found.flush].iter().zip(MADE) {
        let late = late.expect("there were some");
        assert_eq!((late.requests, late.late), (count, if late_ns > 20_000 { count } else { 0 }), "{op:?}");
        for figure in [late.mean_ns, late.p50_ns, late.p99_ns, late.max_ns] {
            assert!(figure.abs_diff(late_ns) <= late_ns / 100 + 100, "{op:?} at speed {speed}: {late:?}");
        }
    }
    assert_eq!((found.all.requests, found.all.late), (10, 3), "discards among them");
    assert!(found.all.max_ns >= 900_000_000);
}

#[test]
fn each_kind_has_its_own_lateness_by_the_clock() {
    for speed in [1.0, 0.1] {
        let mut disk = disk(speed);
        let end = use_it(&mut disk);
        checked(&disk.lateness(), speed);
        checked(&disk.look(end, Span::Run).late, speed);
    }
}

#[test]
fn a_look_counts_from_zero_again_and_the_run_does_not() {
    let mut disk = disk(1.0);
    let end = use_it(&mut disk);
    disk.look(end, Span::Second);
    let again = disk.look(end, Span::Second).late;
    assert_eq!((again.all.requests, again.read, again.write, again.flush), (0, None, None, None));
    let end = use_it(&mut disk);
    checked(&disk.look(end, Span::Second).late, 1.0);
    assert_eq!(disk.lateness().read.expect("there were some").requests, 8);
}
