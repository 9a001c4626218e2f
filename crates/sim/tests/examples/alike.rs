//! Drives that age alike: one that took over the state of another is as if it had been aged.

use drivecast_block::random::stream;
use drivecast_block::{Bytes, Device, Op, Request};
use drivecast_sim::design::{Contents, Design, Resolved, Unit};
use rand::Rng;
use std::collections::BTreeMap;

const SSD: &str = "ssd(logical=64MiB, spare_factor=0.2, pages_per_block=64)";

const ALL: Contents = Contents::Span { span: 1.0, fill: 1.0, write_bytes: 4096 };

fn resolved(line: &str) -> Resolved {
    Design::parse(line).expect("a design").resolve(&BTreeMap::new()).expect("drives")
}

/// What a trace writes on its drives.
fn of_a_trace(design: &Resolved) -> Contents {
    let whole = Request { id: 0, offset: Bytes(0), size: 1 << 20, stream: 0, op: Op::Write, fua: false };
    Contents::Footprints { footprints: design.footprints(std::iter::once(whole)), fill: 1.0 }
}

fn aged(line: &str, alike: bool) -> Unit {
    let design = resolved(line);
    let mut unit = design.build(&ALL, 7).expect("a device");
    let pages = unit.capacity().0 / 4096;
    let copies = if alike { design.root().alike(&of_a_trace(&design)) } else { 1 };
    assert_eq!(copies > 1, alike, "{line}");
    unit.aged_alike(copies, |unit| {
        for turn in 0..6 * pages {
            let offset = Bytes((turn * turn + turn / 3) % pages * 4096);
            unit.age(Request { id: 0, offset, size: 4096, stream: 0, op: Op::Write, fua: false });
        }
    });
    unit
}

#[test]
fn copies_that_take_over_are_as_if_they_had_been_aged() {
    for line in [
        format!("raid1(2 * {SSD})"),
        format!("raid1(3 * {SSD})"),
        format!("raid10(4 * {SSD}, chunk=64KiB)"),
        format!("raid0(2 * raid1(2 * {SSD}), chunk=64KiB)"),
    ] {
        let (whole, first) = (aged(&line, false), aged(&line, true));
        for (one, other) in whole.flash().iter().zip(first.flash()) {
            assert_eq!(format!("{:?}", one.ftl()), format!("{:?}", other.ftl()), "{line}");
            assert_eq!(one.counters(), other.counters(), "{line}");
        }
        assert!(whole.counters().flash_copied_pages > 0, "{line} was cleaned");
    }
}

#[test]
fn under_a_trace_what_may_differ_is_aged_drive_by_drive() {
    let drawn = "ssd(logical=64MiB, gc=d-choices)";
    for line in [
        SSD.to_owned(),
        format!("raid0(2 * {SSD})"),
        format!("raid5(4 * {SSD})"),
        format!("raid1(2 * {drawn})"),
        format!("raid1(1 * {SSD}, 1 * ssd(logical=64MiB, spare_factor=0.3))"),
        format!("raid1(2 * {SSD}, degraded=1)"),
    ] {
        let design = resolved(&line);
        assert_eq!(design.root().alike(&of_a_trace(&design)), 1, "{line}");
    }
}

#[test]
fn members_that_are_written_everywhere_age_alike() {
    for (level, members) in [("raid0", 2), ("raid5", 4), ("raid6", 6), ("raid60", 8), ("raid10", 4)] {
        let design = resolved(&format!("{level}({members} * {SSD})"));
        assert_eq!(design.root().alike(&ALL), members, "{level}");
    }
}

/// Flash of an array after random writes over all of it: pages programmed for each that was written, drive by drive.
fn amplifications(line: &str, alike: bool) -> Vec<f64> {
    let design = resolved(line);
    let mut unit = design.build(&ALL, 7).expect("a device");
    let pages = unit.capacity().0 / 4096;
    let mut random = stream(3, "alike");
    unit.aged_alike(if alike { design.root().alike(&ALL) } else { 1 }, |unit| {
        for turn in 0..9 * pages {
            let page = if turn < pages { turn } else { random.next_u64() % pages };
            unit.age(Request {
                id: 0,
                offset: Bytes(page * 4096),
                size: 4096,
                stream: 0,
                op: Op::Write,
                fua: false,
            });
        }
    });
    let counters = unit.flash().into_iter().map(Device::counters);
    counters.map(|all| all.flash_programmed_pages as f64 / all.flash_host_pages.max(1) as f64).collect()
}

#[test]
fn one_member_stands_for_those_that_work() {
    for (line, failed) in
        [("raid0(3 * $)", 0), ("raid5(4 * $)", 0), ("raid6(5 * $, degraded=1)", 1), ("raid10(4 * $)", 0)]
    {
        let line = line.replace('$', SSD);
        let (all, one) = (amplifications(&line, false), amplifications(&line, true));
        assert_eq!(one.iter().filter(|found| **found == 0.0).count(), failed, "{line}: {one:?}");
        for (all, one) in all.iter().zip(&one) {
            assert!((one - all).abs() <= 0.03 * all, "{line}: {all} in full, {one} by one");
        }
    }
}
