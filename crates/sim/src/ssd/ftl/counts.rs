//! What can be read of a translation layer from outside.

use super::{EraseSpread, Ftl, FtlFault, Stats};

impl Ftl {
    /// What was done since the drive was made.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// How often each block was erased.
    #[must_use]
    pub fn erase_counts(&self) -> &[u32] {
        &self.blocks.erased
    }

    /// The spread of [`Ftl::erase_counts`].
    #[must_use]
    pub fn erase_spread(&self) -> EraseSpread {
        EraseSpread::of(self.blocks.erased.iter().copied())
    }

    /// Why the drive takes no more writes; once there is a reason, it stays.
    #[must_use]
    pub fn fault(&self) -> Option<&FtlFault> {
        self.fault.as_ref()
    }

    /// Logical pages with data.
    #[must_use]
    pub fn live_pages(&self) -> u64 {
        self.live
    }

    /// Physical pages.
    #[must_use]
    pub fn physical_pages(&self) -> u64 {
        self.blocks.len() as u64 * u64::from(self.pages_per_block)
    }

    /// Pages of an erase block.
    #[must_use]
    pub fn pages_per_block(&self) -> u32 {
        self.pages_per_block
    }

    /// Bytes of memory held.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.map.memory_bytes()
            + self.reverse.memory_bytes()
            + 8 * self.current.len()
            + self.blocks.memory_bytes()
            + self.victims.memory_bytes()
    }
}
