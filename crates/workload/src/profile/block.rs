//! A block that is followed: what each measure needs to know of it.

use super::working_set::Access;
use drivecast_block::Nanos;

/// Blocks of a group.
pub(super) const GROUP: usize = 16;

/// What is known of a block.
#[derive(Clone, Copy, Default)]
pub(super) struct Block {
    /// Its last access.
    pub(super) accessed: Nanos,
    /// Its last write.
    pub(super) written: Nanos,
    /// The number of that write among all block writes, in 32 bits.
    pub(super) write: u32,
    pub(super) reads: u32,
    pub(super) writes: u32,
    pub(super) last: Option<Access>,
}
