//! Where a design's writes end up: the arrays' address maps, without devices and without time.

use super::Element;
use crate::cache::{Side, Untimed};
use crate::raid::layout::Extent;
use crate::raid::plan::{self, Extents};
use crate::raid::{Health, Layout, Log};
use drivecast_block::{Bytes, Op, Request};

/// A design's tree with the number of the drive in the place of each drive.
pub(super) enum Spread {
    Drive(usize),
    Array(Box<Mapped>),
    Cache(Box<Cached>),
}

/// A cache that every I/O takes no time, over its fast and its slow device.
pub(super) struct Cached {
    cache: Untimed,
    devices: [Spread; 2],
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
        let (array, members) = match element {
            Element::Drive { .. } => {
                *next += 1;
                return (Spread::Drive(*next - 1), capacities[*next - 1]);
            }
            Element::Cache { layer, devices } => {
                let [(fast, of_fast), (slow, capacity)] =
                    [0, 1].map(|at| Spread::number(&devices[at], capacities, next));
                let cache = Untimed::new(layer, [layer.size.unwrap_or(of_fast).min(of_fast), capacity]);
                return (Spread::Cache(Box::new(Cached { cache, devices: [fast, slow] })), capacity);
            }
            Element::Array { array, members } => (array, members),
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

    /// Calls `each` with drive, offset and size for all that a request changes on the drives.
    pub(super) fn pass(&mut self, request: &Request, each: &mut dyn FnMut(usize, u64, u32)) {
        let Request { offset: Bytes(offset), size, op, .. } = *request;
        match self {
            Spread::Cache(cached) => {
                let Cached { cache, devices: [fast, slow] } = &mut **cached;
                cache.take(request, &mut |io| {
                    let device = if io.side == Side::Fast { &mut *fast } else { &mut *slow };
                    device.pass(&io.request(), each);
                });
            }
            _ if op != Op::Write => {}
            Spread::Drive(index) => each(*index, offset, size),
            Spread::Array(mapped) => {
                let Mapped { layout, health, log, extents, members } = mapped.as_mut();
                let mut pass = |extent: Extent| {
                    if health.has(extent) {
                        let offset = Bytes(extent.offset);
                        members[extent.member].pass(&Request { offset, size: extent.size, ..*request }, each);
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
