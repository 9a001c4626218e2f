//! What a translation layer has done, and how it reports work to the flash.

use drivecast_block::math;

/// A block was cleaned: its valid pages were copied elsewhere on the same die, and it was erased.
#[derive(Clone, Copy, Debug)]
pub struct Cleaned<'a> {
    /// The die.
    pub die: usize,
    /// The block, counted over all dies.
    pub block: u32,
    /// Pages copied.
    pub copies: u32,
    /// Which of the block's pages these were, one bit a page.
    pub valid: &'a [u64],
}

/// Hears of the work that a write causes in addition, to charge it to the dies. `()` hears nothing, at no
/// cost.
pub trait Sink {
    /// Takes note of a cleaning.
    fn cleaned(&mut self, work: Cleaned<'_>);
}

impl Sink for () {
    #[inline]
    fn cleaned(&mut self, _: Cleaned<'_>) {}
}

/// What a translation layer has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Pages written by the host.
    pub host_pages: u64,
    /// Pages copied by garbage collection and static wear levelling.
    pub copied_pages: u64,
    /// Those of them that wear levelling copied.
    pub levelled_pages: u64,
    /// Pages left empty because a flush forced a partial program.
    pub padded_pages: u64,
    /// Blocks erased.
    pub erases: u64,
    /// Blocks that could not be erased and are out of use.
    pub retired_blocks: u64,
}

impl Stats {
    /// Pages that flash took.
    pub const fn programmed_pages(&self) -> u64 {
        self.host_pages + self.copied_pages + self.padded_pages
    }

    /// Page programs for each page the host wrote; NaN before the first.
    pub fn write_amplification(&self) -> f64 {
        self.programmed_pages() as f64 / self.host_pages as f64
    }

    /// What was done since `earlier`.
    pub const fn since(&self, earlier: &Stats) -> Stats {
        Stats {
            host_pages: self.host_pages - earlier.host_pages,
            copied_pages: self.copied_pages - earlier.copied_pages,
            levelled_pages: self.levelled_pages - earlier.levelled_pages,
            padded_pages: self.padded_pages - earlier.padded_pages,
            erases: self.erases - earlier.erases,
            retired_blocks: self.retired_blocks - earlier.retired_blocks,
        }
    }
}

/// How erasures are spread over the blocks of a drive, those out of use included.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EraseSpread {
    /// Erasures of the block erased least.
    pub least: u32,
    /// Mean over the blocks.
    pub mean: f64,
    /// Erasures of the block erased most.
    pub most: u32,
    /// Standard deviation over the blocks.
    pub deviation: f64,
}

impl EraseSpread {
    /// That of these counts; all zero without any.
    pub fn of(counts: impl Iterator<Item = u32> + Clone) -> EraseSpread {
        let n = counts.clone().count().max(1) as f64;
        let mean = counts.clone().map(f64::from).sum::<f64>() / n;
        let squares: f64 = counts.clone().map(|count| math::powi(f64::from(count) - mean, 2)).sum();
        EraseSpread {
            least: counts.clone().min().unwrap_or(0),
            mean,
            most: counts.max().unwrap_or(0),
            deviation: (squares / n).sqrt(),
        }
    }
}
