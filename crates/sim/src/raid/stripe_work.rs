//! One stripe that is worked on: what for, how far it is, and which members' bytes are there.

use super::layout::{Extent, Layout};
use super::members::{Order, Priority};
use super::plan::{Extents, StripeRange};

/// Members of a group, by their place in it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct MemberSet(u64);

impl MemberSet {
    pub(super) const NONE: MemberSet = MemberSet(0);
    pub(super) const ALL: MemberSet = MemberSet(u64::MAX);

    pub(super) fn and(self, other: MemberSet) -> MemberSet {
        MemberSet(self.0 & other.0)
    }

    /// Adds the members of which these extents are all bytes under the range's changes of parity.
    pub(super) fn add_whole(&mut self, layout: &Layout, range: &StripeRange, extents: &Extents) {
        let span = range.span(layout);
        let base = layout.stripe_offset(range.stripe);
        for Extent { member, offset, size } in extents.as_slice() {
            if *offset <= base + span.start && base + span.end <= offset + u64::from(*size) {
                self.0 |= 1u64.checked_shl(layout.place(*member) as u32).unwrap_or(0);
            }
        }
    }

    pub(super) fn has(self, place: usize) -> bool {
        self.0 & 1u64.checked_shl(place as u32).unwrap_or(0) != 0
    }
}

/// What a stripe is worked on for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// A write of the host's job in this slot.
    Write(u32),
    /// A read of the host's job in this slot, of a stripe that lacks what it wants.
    Read(u32),
    /// The rebuild step of this number.
    Rebuild(u64),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// For other work on the stripe.
    Claiming,
    Reading,
    Computing,
    Logging,
    Writing,
}

/// One stripe being worked on.
#[derive(Clone, Copy)]
pub(super) struct StripeWork {
    pub(super) purpose: Purpose,
    pub(super) order: Order,
    pub(super) priority: Priority,
    pub(super) range: StripeRange,
    pub(super) remaining: u32,
    /// Bytes read, which go into parity.
    pub(super) read_bytes: u64,
    pub(super) phase: Phase,
    /// Whether a write joined it since it began to read, and the jobs of those that did: the first in [`State::joined`].
    pub(super) joined: bool,
    pub(super) jobs: Option<u32>,
    /// Members of which the array has all bytes under the changes of parity.
    pub(super) contents: MemberSet,
}

impl StripeWork {
    pub(super) fn new(purpose: Purpose, order: Order, priority: Priority, range: StripeRange) -> StripeWork {
        StripeWork {
            purpose,
            order,
            priority,
            range,
            remaining: 0,
            read_bytes: 0,
            phase: Phase::Claiming,
            joined: false,
            jobs: None,
            contents: MemberSet::NONE,
        }
    }
}
