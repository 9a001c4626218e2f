//! Drives that age alike: the copies of a mirror get the same writes, so flash that draws nothing at random comes to the same
//! state on each. One of them is aged, and the others take over its state.

use super::{Element, Unit};
use crate::raid::Array;
use crate::spec::{DriveSpec, GarbageCollection};

impl Element {
    /// How many drives age alike each: the copies of its mirrors; 1 where they may differ.
    pub(crate) fn alike(&self) -> usize {
        let Element::Array { array, members } = self else { return 1 };
        let redundancy = &array.redundancy;
        if !redundancy.failed.is_empty()
            || redundancy.spares > 0
            || members.iter().any(|member| *member != members[0])
        {
            return 1;
        }
        match self.layout(members[0].capacity()).map_or(1, |layout| layout.copies()) {
            1 => members[0].alike(),
            copies if members[0].draws_nothing() => copies,
            _ => 1,
        }
    }

    /// Whether it is flash whose state follows from its writes alone.
    fn draws_nothing(&self) -> bool {
        let Element::Drive { spec, .. } = self else { return false };
        let DriveSpec::Ssd(ssd) = &**spec else { return false };
        ssd.gc != GarbageCollection::DChoices && ssd.erase_failure_rate == 0.0
    }
}

impl Unit {
    /// What `age` returns; where `alike` drives age alike, as [`Element::alike`] says, it ages one of them, and the others take
    /// over its state.
    pub(crate) fn aged_alike<T>(&mut self, alike: usize, age: impl FnOnce(&mut Unit) -> T) -> T {
        if alike == 1 {
            return age(self);
        }
        self.each_mirror(&mut |array| array.age_first_copies(true));
        let found = age(self);
        self.each_mirror(&mut |array| {
            array.age_first_copies(false);
            for copies in array.members_mut().chunks_mut(alike) {
                let Some((first, others)) = copies.split_first_mut() else { continue };
                others.iter_mut().for_each(|other| other.take_over(first));
            }
        });
        found
    }

    fn take_over(&mut self, other: &Unit) {
        if let (Unit::Ssd(ssd), Unit::Ssd(other)) = (self, other) {
            ssd.take_over(other);
        }
    }

    fn each_mirror(&mut self, change: &mut impl FnMut(&mut Array<Unit>)) {
        let array: &mut Array<Unit> = match self {
            Unit::Ssd(_) | Unit::Hdd(_) | Unit::Volume(_) | Unit::Cache(_) => return,
            Unit::Array(array) => array,
            Unit::Controller(controller) => controller.array_mut(),
            Unit::Queued(queue) => return queue.device_mut().each_mirror(change),
        };
        if array.layout().copies() > 1 {
            return change(array);
        }
        array.drives_mut().for_each(|drive| drive.each_mirror(change));
    }
}

#[cfg(test)]
mod tests {
    use crate::design::{Contents, Design, Unit};
    use drivecast_block::{Bytes, Device, Op, Request};
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
}
