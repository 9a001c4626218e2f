//! A power cut on whole disks: what was flushed is there, what was only complete goes where nothing protects it.

mod small_disk;

use drivecast_attach::{Ask, Disk, Errno, Kept, Settings, Span};
use drivecast_block::{Nanos, Op};
use proptest::prelude::*;
use small_disk::settings;

const PAGE: u64 = 4096;
const PAGES: u64 = 64;
const VOLATILE: &str =
    "ssd(logical=64MiB, spare_factor=0.28, pages_per_block=64, gc=greedy, buffer_volatile=yes)";
const PROTECTED: &str =
    "ssd(logical=64MiB, spare_factor=0.28, pages_per_block=64, gc=greedy, buffer_volatile=no)";

fn disk(line: &str, kept: Kept) -> Disk {
    small_disk::disk(line, Settings { kept, may_cut: true, ..settings(PAGES * PAGE) })
}

fn in_memory(line: &str) -> Disk {
    disk(line, Kept::Memory(PAGES * PAGE))
}

fn ask(op: Op, page: u64, fua: bool) -> Ask {
    let (offset, size) = if op == Op::Flush { (0, 0) } else { (page * PAGE, PAGE as u32) };
    Ask { op, offset, size, fua, stream: 0, ticket: 0 }
}

fn write(disk: &mut Disk, now: u64, page: u64, byte: u8, fua: bool) {
    disk.ask(Nanos(now), ask(Op::Write, page, fua), Some(&[byte; PAGE as usize])).expect("it is taken");
}

/// Answers what is complete at `now`; how much that is.
fn answered(disk: &mut Disk, now: u64) -> usize {
    let mut answers = Vec::new();
    disk.advance(Nanos(now), &mut answers);
    answers.len()
}

fn byte(disk: &mut Disk, page: u64) -> u8 {
    let mut out = [0; PAGE as usize];
    disk.data().read(page * PAGE, &mut out).expect("it can be read");
    assert!(out.iter().all(|byte| *byte == out[0]), "a page is whole");
    out[0]
}

const LATER: u64 = 1_000_000_000;

#[test]
fn what_is_complete_outlives_a_cut_where_it_is_protected() {
    for (line, left) in [
        (PROTECTED.to_owned(), 1),
        (VOLATILE.to_owned(), 0),
        (format!("raid1(2 * {PROTECTED})"), 1),
        (format!("raid1(2 * {VOLATILE})"), 0),
    ] {
        let mut disk = in_memory(&line);
        disk.start(Nanos::ZERO);
        write(&mut disk, 0, 1, 1, false);
        assert_eq!(answered(&mut disk, LATER), 1, "{line}");
        let lost = disk.cut().expect("memory does not fail");
        assert_eq!((byte(&mut disk, 1), lost), (left, (1 - u64::from(left)) * PAGE), "{line}");
        assert_eq!(disk.ask(Nanos(LATER), ask(Op::Read, 1, false), None), Err(Errno::IO));
    }
}

#[test]
fn what_is_flushed_while_the_disk_answers_at_once_is_durable() {
    let mut disk = in_memory(VOLATILE);
    write(&mut disk, 0, 0, 1, false);
    disk.ask(Nanos(0), ask(Op::Flush, 0, false), None).expect("it is taken");
    write(&mut disk, 0, 1, 1, true);
    write(&mut disk, 0, 2, 1, false);
    assert_eq!(answered(&mut disk, 0), 4);
    disk.start(Nanos::ZERO);
    assert_eq!(disk.cut(), Ok(PAGE));
    assert_eq!([0, 1, 2].map(|page| byte(&mut disk, page)), [1, 1, 0]);
}

#[test]
fn zeros_with_forced_unit_access_are_durable() {
    let mut disk = in_memory(VOLATILE);
    disk.start(Nanos::ZERO);
    write(&mut disk, 0, 0, 1, true);
    write(&mut disk, 0, 1, 1, true);
    assert_eq!(answered(&mut disk, LATER), 2);
    for (page, fua) in [(0, true), (1, false)] {
        disk.ask(Nanos(LATER), ask(Op::Discard, page, fua), None).expect("it is taken");
    }
    assert_eq!(answered(&mut disk, 2 * LATER), 2);
    disk.cut().expect("memory does not fail");
    assert_eq!([0, 1].map(|page| byte(&mut disk, page)), [0, 1]);
}

#[test]
fn a_flush_that_the_cut_interrupts_is_answered_with_an_error() {
    let mut disk = in_memory(VOLATILE);
    disk.start(Nanos::ZERO);
    write(&mut disk, 0, 0, 1, false);
    disk.ask(Nanos(0), ask(Op::Flush, 0, false), None).expect("it is taken");
    disk.cut().expect("memory does not fail");
    let mut answers = Vec::new();
    disk.advance(Nanos(LATER), &mut answers);
    assert_eq!(answers.iter().map(|answer| answer.error).collect::<Vec<_>>(), [Some(Errno::IO); 2]);
    assert_eq!(byte(&mut disk, 0), 0);
}

#[test]
fn a_full_store_is_counted_and_the_end_of_the_disk_is_not() {
    let mut disk = disk(PROTECTED, Kept::Memory(PAGE));
    write(&mut disk, 0, 0, 1, false);
    let bytes = [1; PAGE as usize];
    for (page, count) in [(1, 1), (2, 2), (PAGES, 2)] {
        let refused = disk.ask(Nanos(0), ask(Op::Write, page, false), Some(&bytes));
        assert_eq!(refused, Err(Errno::NO_SPACE));
        assert_eq!(disk.look(Nanos(0), Span::Second).refused_full, count, "page {page}");
    }
}

/// Contents of a page in the order they were asked, and from which on one of them must be left.
#[derive(Clone, Default)]
struct Known {
    asked: Vec<u8>,
    durable: usize,
}

proptest! {
    /// Whatever is written, forced, zeroed and flushed, and whenever power is cut: no page holds anything older than what was
    /// durable, nor anything that was never written to it.
    #[test]
    fn a_cut_loses_nothing_that_was_flushed(
        steps in prop::collection::vec((0_u8..8, 0..6_u64, 0..400_000_u64), 1..80),
        of_disk in any::<bool>(),
    ) {
        let line = if of_disk { "hdd(capacity=300GB, write_cache=on)" } else { VOLATILE };
        let mut disk = in_memory(line);
        disk.start(Nanos::ZERO);
        let mut pages = vec![Known { asked: vec![0], durable: 0 }; 6];
        let (mut now, mut next) = (0, 0_u8);
        // What is in flight, by ticket: the page and how much was asked of it, or that of all pages for a flush.
        let mut flights: Vec<(u64, Vec<usize>, Option<u64>)> = Vec::new();
        for (ticket, (kind, page, pause)) in (0..).zip(steps) {
            now += pause;
            let mut answers = Vec::new();
            disk.advance(Nanos(now), &mut answers);
            for answer in &answers {
                let at = flights.iter().position(|(of, _, _)| *of == answer.ask.ticket).expect("it was asked");
                let (_, reached, of_page) = flights.swap_remove(at);
                for (at, known) in (0..).zip(&mut pages) {
                    if of_page.is_none_or(|page| page == at) {
                        known.durable = known.durable.max(reached[at as usize]);
                    }
                }
            }
            let op = match kind { 0 => Op::Flush, 1 | 2 => Op::Discard, _ => Op::Write };
            let forced = matches!(kind, 1 | 3);
            let of = Ask { ticket, ..ask(op, page, forced) };
            next = next % 250 + 1;
            let byte = if op == Op::Write { next } else { 0 };
            if op != Op::Flush {
                pages[page as usize].asked.push(byte);
            }
            disk.ask(Nanos(now), of, (op == Op::Write).then_some(&[byte; PAGE as usize][..])).expect("it is taken");
            if op == Op::Flush || forced {
                let reached = pages.iter().map(|known| known.asked.len() - 1).collect();
                flights.push((ticket, reached, (op != Op::Flush).then_some(page)));
            } else {
                flights.push((ticket, vec![0; 6], Some(page)));
            }
        }
        disk.cut().expect("memory does not fail");
        for (page, known) in (0..).zip(&pages) {
            let left = byte(&mut disk, page);
            prop_assert!(known.asked[known.durable..].contains(&left), "page {page}: {left} of {:?} from {}", known.asked, known.durable);
        }
    }
}
