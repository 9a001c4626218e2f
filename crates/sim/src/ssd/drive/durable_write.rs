//! What a command waits for that has to be durable.

use std::ops::RangeInclusive;

/// A command that waits for rows to be in flash; how many of them is in the command.
#[derive(Debug)]
pub(super) struct DurableWrite {
    /// By their order of issue.
    pub(super) rows: RangeInclusive<u64>,
    pub(super) command: u32,
}
