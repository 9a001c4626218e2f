//! Drives that age alike: one that took over the state of another is as if it had been aged.

use drivecast_block::{Bytes, Device, Op, Request};
use drivecast_sim::design::{Contents, Design, Unit};
use std::collections::BTreeMap;

const SSD: &str = "ssd(logical=64MiB, spare_factor=0.2, pages_per_block=64)";

fn aged(line: &str, alike: bool) -> Unit {
    let design = Design::parse(line).expect("a design").resolve(&BTreeMap::new()).expect("drives");
    let contents = Contents::Span { span: 1.0, fill: 1.0 };
    let mut unit = design.build(&contents, 7).expect("a device");
    let pages = unit.capacity().0 / 4096;
    let copies = if alike { design.root().alike() } else { 1 };
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
fn what_may_differ_is_aged_drive_by_drive() {
    let drawn = "ssd(logical=64MiB, gc=d-choices)";
    for line in [
        SSD.to_owned(),
        format!("raid0(2 * {SSD})"),
        format!("raid5(4 * {SSD})"),
        format!("raid1(2 * {drawn})"),
        format!("raid1(1 * {SSD}, 1 * ssd(logical=64MiB, spare_factor=0.3))"),
        format!("raid1(2 * {SSD}, degraded=1)"),
    ] {
        let design = Design::parse(&line).expect("a design").resolve(&BTreeMap::new()).expect("drives");
        assert_eq!(design.root().alike(), 1, "{line}");
    }
}
