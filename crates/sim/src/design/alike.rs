//! Drives that age alike: the copies of a mirror get the same writes, so flash that draws nothing at random comes to the same
//! state on each. One of them is aged, and the others take over its state.

use super::{Element, Unit};
use crate::raid::Array;
use crate::spec::{DriveSpec, GarbageCollection};

impl Element {
    /// How many drives age alike each: the copies of its mirrors; 1 where they may differ.
    #[must_use]
    pub fn alike(&self) -> usize {
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
    pub fn aged_alike<T>(&mut self, alike: usize, age: impl FnOnce(&mut Unit) -> T) -> T {
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
            #[cfg(not(target_arch = "wasm32"))]
            Unit::Slowed(_) => return,
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
