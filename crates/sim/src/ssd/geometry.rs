//! The shape of the flash as the translation layer sees it, and the address of a page in it.
//!
//! A page here is one mapping unit (4 KiB unless the specification says otherwise), a block is what one die
//! erases at once: a flash block on each of its planes. Physical addresses are 32 bits wide: the block in the
//! upper bits, the page in the lower, padded to a power of two so that taking an address apart is a shift and
//! a mask for any block size.

use super::SpecError;

/// Dies, blocks and pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Geometry {
    /// Units that write and clean on their own, each with an open block.
    pub dies: u32,
    /// Erase blocks of a die.
    pub blocks_per_die: u32,
    /// Mapping units of an erase block.
    pub pages_per_block: u32,
}

/// The largest block: valid pages of a block are counted in 16 bits.
pub(super) const PAGES_PER_BLOCK_MAX: u32 = 32_768;

impl Geometry {
    /// All pages.
    #[must_use]
    pub const fn pages(&self) -> u64 {
        self.dies as u64 * self.blocks_per_die as u64 * self.pages_per_block as u64
    }

    /// The most pages that can hold data with every die still able to clean when each is given `stripe` pages
    /// in turn: one block of each stays free, and a stripe more, by which a die may for a moment exceed its
    /// share.
    #[must_use]
    pub const fn data_pages_max(&self, stripe: u32) -> u64 {
        self.in_use_max().saturating_sub(stripe as u64) * self.dies as u64
    }

    /// Pages of a die without its free block.
    pub(super) const fn in_use_max(&self) -> u64 {
        (self.blocks_per_die as u64).saturating_sub(1) * self.pages_per_block as u64
    }

    /// Bits of an address that tell the page within its block.
    pub(super) const fn page_bits(&self) -> u32 {
        self.pages_per_block.next_power_of_two().trailing_zeros()
    }

    /// Refuses what cannot work, by the name of the specification's field.
    pub(super) fn check(&self, data_pages: u64, stripe: u32) -> Result<(), SpecError> {
        let Geometry { dies, blocks_per_die, pages_per_block } = *self;
        SpecError::unless((1..=65_535).contains(&dies), "channels", "from 1 to 65535 dies in all", dies)?;
        SpecError::unless(
            (1..=PAGES_PER_BLOCK_MAX).contains(&pages_per_block),
            "pages_per_block",
            format!("from 1 to {PAGES_PER_BLOCK_MAX} mapping units over all planes"),
            pages_per_block,
        )?;
        SpecError::unless(
            blocks_per_die >= 3,
            "physical_bytes",
            "enough for 3 blocks a die: one open, one free, one to clean",
            format!("{blocks_per_die} blocks a die"),
        )?;
        let addresses = (u64::from(dies) * u64::from(blocks_per_die)) << self.page_bits();
        SpecError::unless(
            addresses < u64::from(u32::MAX),
            "physical_bytes",
            "fewer than 2^32 mapping units",
            format!("{} mapping units", self.pages()),
        )?;
        let data_max = self.data_pages_max(stripe);
        SpecError::unless(
            data_pages <= data_max,
            "physical_bytes",
            format!("more than the data, a free block and a program a die: {data_max} pages of data"),
            format!("{data_pages} pages of data on {} pages of flash", self.pages()),
        )
    }
}
