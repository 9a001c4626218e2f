//! Where a design's writes end up: the arrays' address maps, without devices and without time.

use super::Element;
use crate::raid::Layout;
use crate::raid::plan::{self, Extents};
use drivecast_block::Bytes;

/// A design's tree with the number of the drive in the place of each drive.
pub(super) enum Spread {
    Drive(usize),
    Array { layout: Layout, extents: Extents, members: Vec<Spread> },
}

impl Spread {
    /// The tree of `element`, whose drives have these capacities, in order.
    pub(super) fn new(element: &Element, capacities: &[Bytes]) -> Spread {
        Spread::number(element, capacities, &mut 0).0
    }

    fn number(element: &Element, capacities: &[Bytes], next: &mut usize) -> (Spread, Bytes) {
        let Element::Array { members, .. } = element else {
            *next += 1;
            return (Spread::Drive(*next - 1), capacities[*next - 1]);
        };
        let (members, sizes): (Vec<_>, Vec<_>) =
            members.iter().map(|member| Spread::number(member, capacities, next)).unzip();
        let least = sizes.into_iter().min().unwrap_or_default();
        let layout = element.layout(least).expect("an array has a layout");
        (Spread::Array { layout, extents: Extents::default(), members }, layout.capacity())
    }

    /// Calls `each` with drive, offset and size for all that a write changes on the drives.
    pub(super) fn write(&mut self, offset: u64, size: u32, each: &mut impl FnMut(usize, u64, u32)) {
        match self {
            Spread::Drive(index) => each(*index, offset, size),
            Spread::Array { layout, extents, members } => {
                plan::written(layout, offset, size, extents, |extent| {
                    members[extent.member].write(extent.offset, extent.size, each);
                });
            }
        }
    }
}
