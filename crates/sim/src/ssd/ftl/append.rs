//! Where a stream of a die writes: its open block, and the counts of its data.

/// Where a stream of a die writes.
#[derive(Clone, Debug, Default)]
pub(super) struct AppendPoint {
    /// Address of the next page to write.
    pub(super) next: u32,
    /// Its index in the reverse map.
    pub(super) behind: usize,
    /// Pages left in the open block.
    pub(super) pages_left: u32,
    /// The open block; none before the first write.
    pub(super) open: Option<u32>,
    /// Blocks of the stream, open and closed.
    pub(super) blocks: u32,
    /// Pages with current data.
    pub(super) live: u64,
    /// Blocks opened since the drive was made.
    pub(super) opened: u64,
    /// Pages copied here since then.
    pub(super) copied: u64,
}

impl AppendPoint {
    /// Pages that the host wrote here, padding included.
    pub(super) fn host_pages(&self, pages_per_block: u32) -> u64 {
        self.opened * u64::from(pages_per_block) - u64::from(self.pages_left) - self.copied
    }
}
