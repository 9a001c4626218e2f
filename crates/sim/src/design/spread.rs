//! Where a design's writes end up: the arrays' address maps, without devices and without time.

use super::Element;
use crate::raid::layout::Extent;
use crate::raid::plan::{self, Extents};
use crate::raid::{Health, Layout, Log};
use drivecast_block::Bytes;

/// A design's tree with the number of the drive in the place of each drive.
pub(super) enum Spread {
    Drive(usize),
    Array(Box<Mapped>),
}

/// An array's address map over its members.
pub(super) struct Mapped {
    layout: Layout,
    health: Health,
    log: Option<Log>,
    extents: Extents,
    members: Vec<Spread>,
}

impl Spread {
    /// The tree of `element`, whose drives have these capacities, in order.
    pub(super) fn new(element: &Element, capacities: &[Bytes]) -> Spread {
        Spread::number(element, capacities, &mut 0).0
    }

    fn number(element: &Element, capacities: &[Bytes], next: &mut usize) -> (Spread, Bytes) {
        let Element::Array { array, members } = element else {
            *next += 1;
            return (Spread::Drive(*next - 1), capacities[*next - 1]);
        };
        let (members, sizes): (Vec<_>, Vec<_>) =
            members.iter().map(|member| Spread::number(member, capacities, next)).unzip();
        let least = sizes.into_iter().min().unwrap_or_default();
        let layout = array.layout(members.len(), least);
        let health = Health::without(layout.members(), &array.redundancy.failed);
        let log = array.log(members.len(), least);
        (
            Spread::Array(Box::new(Mapped { layout, health, log, extents: Extents::default(), members })),
            layout.capacity(),
        )
    }

    /// Calls `each` with drive, offset and size for all that a write changes on the drives.
    pub(super) fn write(&mut self, offset: u64, size: u32, each: &mut impl FnMut(usize, u64, u32)) {
        match self {
            Spread::Drive(index) => each(*index, offset, size),
            Spread::Array(mapped) => {
                let Mapped { layout, health, log, extents, members } = mapped.as_mut();
                let mut pass = |extent: Extent| {
                    if health.has(extent) {
                        members[extent.member].write(extent.offset, extent.size, each);
                    }
                };
                plan::written(layout, offset, size, extents, &mut pass);
                if let Some(log) = log {
                    plan::logged(layout, offset, size, log, health, pass);
                }
            }
        }
    }
}
