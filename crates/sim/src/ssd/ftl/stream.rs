//! Which stream a page belongs to.
//!
//! **By the host**: the number that came with the write (NVMe streams, flexible data placement), modulo the streams; copies
//! stay in it.
//!
//! **By update frequency**: Dynamic dAta Clustering (Chiang, Lee and Chang 1999). A page lies in one of n regions, from
//! cold (0, where new pages start) to hot; overwritten while young it moves one up, copied while old one down; else it stays.
//! The thresholds between regions are ours (assumed): on to region k + 1 goes what is overwritten within L/4^k host
//! writes, L the pages with data: at k = 0 sooner than the mean page. A page's age is that of its block: the mean time at which
//! the block's pages were written, copies keeping the time of the block they come from. So what the drive has to
//! remember is four bytes a block, and the region of a page is the stream of the block it lies in.

use super::Ftl;
use crate::spec::StreamBy;

impl Ftl {
    /// The stream that the host names for the writes to come.
    #[inline]
    pub fn tag(&mut self, stream: u32) {
        self.tag = if self.streams == 1 { 0 } else { stream as usize % self.streams };
    }

    /// Host pages so far: what passes for time.
    #[inline]
    pub(super) fn now(&self) -> u32 {
        self.stats.host_pages as u32
    }

    /// The stream for a page that the host writes, which lies at `old`.
    #[inline]
    pub(super) fn stream_of(&self, old: Option<u32>) -> usize {
        match (self.stream_by, old) {
            (StreamBy::Host, _) => self.tag,
            (StreamBy::Frequency, None) => 0,
            (StreamBy::Frequency, Some(old)) => {
                let block = (old >> self.page_bits) as usize;
                let stream = self.stream_of_block(block);
                let hotter = (stream + 1).min(self.streams - 1);
                if self.is_young(block, stream) { hotter } else { stream }
            }
        }
    }

    /// Where the copies of a block go.
    pub(super) fn point_of_copies(&self, block: usize) -> usize {
        let point = usize::from(self.blocks.point[block]);
        let stream = point % self.points_per_die;
        let cools = self.stream_by == StreamBy::Frequency && (1..self.streams).contains(&stream);
        if cools && !self.is_young(block, stream - 1) { point - 1 } else { point }
    }

    /// The stream of a block; data that wear levelling moved is taken for cold.
    fn stream_of_block(&self, block: usize) -> usize {
        let stream = usize::from(self.blocks.point[block]) % self.points_per_die;
        if stream < self.streams { stream } else { 0 }
    }

    /// Whether the data of a block is younger than what moves from `stream` to the next hotter one.
    fn is_young(&self, block: usize, stream: usize) -> bool {
        let age = self.now().wrapping_sub(self.blocks.written[block]);
        u64::from(age) < self.live >> (2 * stream).min(63)
    }
}
