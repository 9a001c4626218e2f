//! Drives that age alike: one of them is aged, and the others take over its state.
//!
//! The copies of a mirror get the same writes, so flash that draws nothing at random comes to the very same state on each. The
//! members of a striped array under made-up requests over all of it get different writes of one kind, and as many: chunks and
//! parity rotate. Their states differ by chance only, so after they have taken over that of the first they are to be written
//! on for a while, each with its own. Left out: pages so hot that the member that has them is written more.

use super::{Contents, Element, Unit};
use crate::raid::Array;
use crate::spec::DriveSpec;
use crate::ssd::Ssd;

/// The part of a block by which each member is ahead of the one before: multiples of the golden ratio, less whole ones, are
/// spread evenly, however many there are.
const AHEAD: f64 = 0.618_033_988_749_894_9;

impl Element {
    /// How many drives age alike each: the copies of its mirrors, or all of an array that is written everywhere; 1 where they
    /// may differ.
    pub fn alike(&self, contents: &Contents) -> usize {
        let Element::Array { array, members } = self else { return 1 };
        if members.iter().any(|member| *member != members[0]) {
            return 1;
        }
        if !members[0].draws_nothing() {
            return members[0].alike(contents);
        }
        let redundancy = &array.redundancy;
        match contents {
            Contents::Span { .. } => members.len() - redundancy.spares,
            Contents::Footprints { .. } if !redundancy.failed.is_empty() || redundancy.spares > 0 => 1,
            Contents::Footprints { .. } => {
                self.layout(members[0].capacity()).map_or(1, |layout| layout.copies())
            }
        }
    }

    /// Whether it is flash whose state follows from its writes alone.
    pub(super) fn draws_nothing(&self) -> bool {
        let Element::Drive { spec, .. } = self else { return false };
        let DriveSpec::Ssd(ssd) = &**spec else { return false };
        !ssd.gc.draws() && ssd.erase_failure_rate == 0.0
    }
}

impl Unit {
    /// What `age` returns; where `alike` drives age alike, as [`Element::alike`] says, it ages one of them, and the others take
    /// over its state.
    pub fn aged_alike<T>(&mut self, alike: usize, age: impl FnOnce(&mut Unit) -> T) -> T {
        if alike == 1 {
            return age(self);
        }
        self.each_of_drives(&mut |array| array.age_one_of(alike));
        let found = age(self);
        self.each_of_drives(&mut |array| {
            array.age_one_of(1);
            array.take_over(alike, Unit::take_over);
        });
        found
    }

    /// Has the drives of an array that work take over the state of one like them, and returns which; each is then written on for
    /// the part of a block by which it is ahead of others. Copies are ahead by the same part, and have one number.
    pub(crate) fn take_over_alone(
        &mut self,
        other: &Ssd,
        write_on: &mut impl FnMut(&mut Ssd, u64, f64),
    ) -> Vec<usize> {
        let mut taken = Vec::new();
        self.each_of_drives(&mut |array| {
            let copies = array.layout().copies();
            array.each_that_works(&mut |member, drive: &mut Unit| {
                let Unit::Ssd(ssd) = drive else { return };
                ssd.take_over(other);
                taken.push(member);
                let number = (member / copies) as u64;
                write_on(ssd, number, (AHEAD * number as f64).fract());
            });
        });
        taken
    }

    fn take_over(&mut self, other: &Unit) {
        if let (Unit::Ssd(ssd), Unit::Ssd(other)) = (self, other) {
            ssd.take_over(other);
        }
    }

    fn each_of_drives(&mut self, change: &mut impl FnMut(&mut Array<Unit>)) {
        let array: &mut Array<Unit> = match self {
            Unit::Ssd(_) | Unit::Hdd(_) | Unit::Volume(_) | Unit::Cache(_) => return,
            #[cfg(not(target_arch = "wasm32"))]
            Unit::SlowDevice(_) => return,
            Unit::Array(array) => array,
            Unit::Controller(controller) => controller.array_mut(),
            Unit::Queued(queue) => return queue.device_mut().each_of_drives(change),
        };
        if array.drives().all(|drive| matches!(drive, Unit::Ssd(_))) {
            return change(array);
        }
        array.drives_mut().for_each(|drive| drive.each_of_drives(change));
    }
}
