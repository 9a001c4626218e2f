//! Why a drive takes no more writes.

/// What has run out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FtlFault {
    /// Cleaning gains nothing any more.
    #[error("die {die} ran out of free blocks: {live_pages} pages of data on {pages} pages of flash")]
    NoFreeBlock {
        /// The die.
        die: usize,
        /// Pages with current data on it.
        live_pages: u64,
        /// Pages of its blocks that are in use.
        pages: u64,
    },
    /// Too many erasures have failed.
    #[error("die {die} is out of reserve: {retired_blocks} blocks of the drive could not be erased any more")]
    NoReserve {
        /// The die.
        die: usize,
        /// Blocks out of use on all dies.
        retired_blocks: u64,
    },
}
