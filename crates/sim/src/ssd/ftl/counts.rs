//! What can be read of a translation layer from outside.

use super::{EraseSpread, Ftl, FtlFault, Stats};

impl Ftl {
    /// What was done since the drive was made.
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// How often each block was erased.
    pub fn erase_counts(&self) -> &[u32] {
        &self.blocks.erased
    }

    /// The spread of [`Ftl::erase_counts`].
    pub fn erase_spread(&self) -> EraseSpread {
        EraseSpread::of(self.blocks.erased.iter().copied())
    }

    /// Why the drive takes no more writes; once there is a reason, it stays.
    pub fn fault(&self) -> Option<&FtlFault> {
        self.fault.as_ref()
    }

    /// Logical pages with data.
    pub fn live_pages(&self) -> u64 {
        self.live
    }

    /// Physical pages.
    pub fn physical_pages(&self) -> u64 {
        self.blocks.len() as u64 * u64::from(self.pages_per_block)
    }

    /// Pages of an erase block.
    pub fn pages_per_block(&self) -> u32 {
        self.pages_per_block
    }

    /// Bytes of memory held.
    pub fn memory_bytes(&self) -> usize {
        self.map.memory_bytes()
            + self.reverse.memory_bytes()
            + 8 * self.current.len()
            + self.blocks.memory_bytes()
            + self.victims.memory_bytes()
    }
}
