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
    pub const fn pages(&self) -> u64 {
        self.dies as u64 * self.blocks_per_die as u64 * self.pages_per_block as u64
    }

    /// The most pages that can hold data with every die still able to clean when each is given `stripe` pages
    /// in turn: one block of each stays free, and a stripe more, by which a die may for a moment exceed its
    /// share.
    pub const fn data_pages_max(&self, stripe: u32) -> u64 {
        self.data_pages_beside(stripe, 1)
    }

    /// The same with `reserved` blocks of each die that cannot be counted on.
    pub const fn data_pages_beside(&self, stripe: u32, reserved: u32) -> u64 {
        self.in_use_max(reserved).saturating_sub(stripe as u64) * self.dies as u64
    }

    /// Pages of a die without its reserved blocks.
    pub(super) const fn in_use_max(&self, reserved: u32) -> u64 {
        (self.blocks_per_die as u64).saturating_sub(reserved as u64) * self.pages_per_block as u64
    }

    /// Physical addresses, those between blocks included.
    pub(super) const fn places(&self) -> u64 {
        (self.dies as u64 * self.blocks_per_die as u64) << self.page_bits()
    }

    /// Bits of an address for the page within its block.
    pub(super) const fn page_bits(&self) -> u32 {
        self.pages_per_block.next_power_of_two().trailing_zeros()
    }

    /// Refuses what cannot work, by the name of the specification's field.
    pub(super) fn check(
        &self,
        data_pages: u64,
        stripe: u32,
        reserved: u32,
        append_points: u32,
    ) -> Result<(), SpecError> {
        let Geometry { dies, blocks_per_die, pages_per_block } = *self;
        SpecError::unless(
            (1..=65_535 / append_points).contains(&dies),
            "channels",
            format!("from 1 to {} dies in all", 65_535 / append_points),
            dies,
        )?;
        SpecError::unless(
            (1..=PAGES_PER_BLOCK_MAX).contains(&pages_per_block),
            "pages_per_block",
            format!("from 1 to {PAGES_PER_BLOCK_MAX} mapping units over all planes"),
            pages_per_block,
        )?;
        SpecError::unless(
            blocks_per_die >= reserved + 2,
            "physical_bytes",
            format!("enough for {} blocks a die: open, free, and one to clean", reserved + 2),
            format!("{blocks_per_die} blocks a die"),
        )?;
        SpecError::unless(
            self.places() < u64::from(u32::MAX),
            "physical_bytes",
            "fewer than 2^32 mapping units",
            format!("{} mapping units", self.pages()),
        )?;
        let data_max = self.data_pages_beside(stripe, reserved);
        SpecError::unless(
            data_pages <= data_max,
            "physical_bytes",
            format!("more than the data, {reserved} blocks and a program a die: {data_max} pages of data"),
            format!("{data_pages} pages of data on {} pages of flash", self.pages()),
        )
    }
}
