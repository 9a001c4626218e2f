//! A disk that flushes the storage under its file: here that storage is a disk by FUSE, which counts its flushes and takes its time.

mod mounted;
mod small_disk;

use drivecast_attach::{Answer, Ask, Disk, Errno, Kept, Server, Settings, Span, fuse};
use drivecast_block::{Nanos, Op};
use mounted::mounted;
use small_disk::{disk, settings};
use std::path::Path;
use std::time::{Duration, Instant};
use tempfile::TempDir;

type Checked = Result<(), Box<dyn std::error::Error>>;

const SIZE: u64 = 8 << 20;
const PAGE: usize = 4096;
const SSD: &str = "ssd(logical=64MiB, spare_factor=0.28, pages_per_block=64, gc=greedy)";
const BELOW: &str = "hdd(capacity=300GB, rpm=15000, seek_mean=3.5ms, write_cache=on)";

/// A disk by FUSE at so many seconds in one of the clock, and one whose file that is; none on a machine that cannot mount by it.
fn pair(folder: &Path, speed: f64) -> std::io::Result<Option<(Server, Used)>> {
    let below = disk(BELOW, Settings { speed, may_cut: true, ..settings(SIZE) });
    let Some(storage) = mounted(below, folder)? else { return Ok(None) };
    let kept = Kept::File { path: folder.join(fuse::NAME), sync: true };
    let used = Used::new(disk(SSD, Settings { kept, may_cut: true, ..settings(SIZE) }));
    Ok(Some((storage, used)))
}

struct Used {
    disk: Disk,
    begin: Instant,
    answers: Vec<Answer>,
}

impl Used {
    fn new(disk: Disk) -> Used {
        Used { disk, begin: Instant::now(), answers: Vec::new() }
    }

    fn now(&self) -> Nanos {
        Nanos(self.begin.elapsed().as_nanos() as u64)
    }

    fn ask(&mut self, op: Op, fua: bool, ticket: u64) {
        let size = if op == Op::Flush { 0 } else { PAGE as u32 };
        let ask = Ask { op, offset: 0, size, fua, stream: 0, ticket };
        let brings = (op == Op::Write).then_some(&[1; PAGE][..]);
        self.disk.ask(self.now(), ask, brings).expect("it is taken");
    }

    /// Waits until so many are answered; their tickets and errors.
    fn answered(&mut self, count: usize) -> Vec<(u64, Option<Errno>)> {
        let until = Instant::now() + Duration::from_secs(60);
        while self.answers.len() < count {
            assert!(Instant::now() < until, "{} are answered", self.answers.len());
            let from = self.answers.len();
            self.disk.advance(self.now(), &mut self.answers);
            let now = self.now();
            for answer in &self.answers[from..] {
                self.disk.answered(now, answer);
            }
            std::thread::sleep(Duration::from_micros(100));
        }
        self.answers.drain(..).map(|answer| (answer.ask.ticket, answer.error)).collect()
    }
}

#[test]
fn a_flush_waits_for_the_storage_below_and_reads_do_not() -> Checked {
    for is_timed in [false, true] {
        let folder = TempDir::new()?;
        let Some((storage, mut used)) = pair(folder.path(), 0.004)? else { return Ok(()) };
        if is_timed {
            used.disk.start(Nanos::ZERO);
        }
        drop(storage.look(Span::Second));
        storage.start(Nanos::ZERO);
        used.ask(Op::Write, false, 1); // a flush has to write it out: half a turn of the disk, 0.5 s of the clock
        assert_eq!(used.answered(1), [(1, None)]);
        for (op, ticket) in [(Op::Flush, 2), (Op::Flush, 3), (Op::Read, 4), (Op::Flush, 5)] {
            used.ask(op, false, ticket);
        }
        assert_eq!(used.answered(1), [(4, None)]);
        let flushed = used.answered(3);
        assert!(flushed.iter().all(|(ticket, error)| [2, 3, 5].contains(ticket) && error.is_none()));
        let seen = storage.look(Span::Second).expect("it is served").flush;
        assert!((1..=2).contains(&seen.requests), "one, and one for all that came meanwhile: {seen:?}");
        let late = used.disk.lateness();
        if is_timed {
            assert_eq!(late.all.requests, 5);
            let of_kind = [late.read, late.write, late.flush].map(|late| late.expect("there were some"));
            assert_eq!(of_kind.map(|late| late.requests), [1, 1, 3]);
            assert!(of_kind[2].max_ns > 10_000_000, "what it adds is late: {late:?}");
        } else {
            assert_eq!(late.all.requests, 0);
        }
    }
    Ok(())
}

#[test]
fn a_forced_write_is_a_flush_below_and_other_writes_are_none() -> Checked {
    let folder = TempDir::new()?;
    let Some((storage, mut used)) = pair(folder.path(), 1.0)? else { return Ok(()) };
    used.disk.start(Nanos::ZERO);
    storage.start(Nanos::ZERO);
    let flushes = || storage.look(Span::Second).expect("it is served").flush.requests;
    assert_eq!(flushes(), 0);
    for (op, fua, count) in [
        (Op::Write, false, 0),
        (Op::Write, true, 1),
        (Op::Read, true, 0),
        (Op::Flush, false, 1),
        (Op::Discard, false, 0),
        (Op::Discard, true, 1),
    ] {
        used.ask(op, fua, 1);
        assert_eq!(used.answered(1), [(1, None)]);
        assert_eq!(flushes(), count, "{op:?}, forced: {fua}");
    }
    Ok(())
}

#[test]
fn a_flush_that_fails_below_is_an_error_and_so_is_all_that_follows() -> Checked {
    let folder = TempDir::new()?;
    let Some((storage, mut used)) = pair(folder.path(), 1.0)? else { return Ok(()) };
    used.disk.start(Nanos::ZERO);
    storage.cut().expect("memory does not fail");
    used.ask(Op::Read, false, 1); // the storage is asked only for its answer
    assert_eq!(used.answered(1), [(1, None)]);
    used.ask(Op::Flush, false, 2);
    assert_eq!(used.answered(1), [(2, Some(Errno::IO))]);
    let read = Ask { op: Op::Read, offset: 0, size: PAGE as u32, fua: false, stream: 0, ticket: 3 };
    assert_eq!(used.disk.ask(used.now(), read, None), Err(Errno::IO));
    let fault = used.disk.look(used.now(), Span::Second).fault.expect("it has failed");
    assert!(fault.contains("could not be flushed"), "{fault}");
    Ok(())
}
