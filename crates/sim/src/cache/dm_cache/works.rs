//! What is under way in dm-cache.

use crate::cache::io::Piece;

/// What an I/O is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A piece of a request, or one of its two writes.
    Piece,
    /// A piece that waits for the migration in this slot.
    Waiting,
    /// Part of the migration in this slot.
    Migrate(u32),
    /// A record that nothing waits for.
    Record,
}

/// An I/O, or a piece that waits.
#[derive(Clone, Copy)]
pub(super) struct Work {
    pub(super) step: Step,
    pub(super) piece: Piece,
    pub(super) next: u32,
}

/// Where a block is copied to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// To the fast device.
    In,
    /// To the slow device, since it is dirty.
    Back,
}

/// A copy under way.
#[derive(Clone, Copy)]
pub(super) struct Migration {
    pub(super) block: u64,
    pub(super) slot: u32,
    pub(super) way: Way,
    /// Whether it has been read.
    pub(super) is_read: bool,
    /// The first and the last of the pieces that wait for it.
    pub(super) waiting: (u32, u32),
    /// What its I/Os are known by.
    pub(super) id: u32,
}
