//! Consistency check of the translation layer: every count that is updated in passing is counted again.

use super::Ftl;

impl Ftl {
    /// Counts everything again. For tests, and for runs that would rather stop than print a wrong number.
    ///
    /// # Errors
    /// The first disagreement, in words.
    pub fn audit(&self) -> Result<(), String> {
        self.audit_map()?;
        self.audit_counts()?;
        self.audit_blocks()
    }

    /// Each mapped page is where the reverse map says, on a page marked as current, and no two share a place.
    fn audit_map(&self) -> Result<(), String> {
        let mut mapped = 0;
        for slot in 0..self.map.slots() {
            let Some(place) = self.map.at(slot) else { continue };
            mapped += 1;
            let (block, page) = ((place >> self.page_bits) as usize, self.page_of(place) as usize);
            let behind = self.reverse.get(block * self.pages_per_block as usize + page);
            ensure(behind == slot, || {
                format!("slot {slot} maps to {place}, which belongs to slot {behind}")
            })?;
            ensure(self.is_current(block, page), || format!("slot {slot} maps to {place}, which is stale"))?;
        }
        ensure(mapped == self.live, || format!("{mapped} pages are mapped, {} counted", self.live))
    }

    /// Valid counts equal the bits set, and live pages and blocks of a point those of its blocks.
    fn audit_counts(&self) -> Result<(), String> {
        let mut counted = vec![(0, 0); self.append_points.len()];
        for (block, &valid) in self.blocks.valid.iter().enumerate() {
            if self.is_idle(block as u32) {
                continue;
            }
            let words = &self.current[block * self.words_per_block..][..self.words_per_block];
            let bits: u32 = words.iter().map(|word| word.count_ones()).sum();
            ensure(bits == u32::from(valid), || {
                format!("block {block} has {bits} current pages, {valid} counted")
            })?;
            let point = &mut counted[usize::from(self.blocks.point[block])];
            *point = (point.0 + u64::from(bits), point.1 + 1);
        }
        for (point, (append, (bits, blocks))) in self.append_points.iter().zip(counted).enumerate() {
            let live = bits - u64::from(append.pages_left);
            ensure((live, blocks) == (append.live, append.blocks), || {
                format!("point {point} has {live} live pages in {blocks} blocks, but counts {append:?}")
            })?;
        }
        let sum: u64 = self.append_points.iter().map(|append| append.live).sum();
        ensure(sum == self.live, || format!("dies hold {sum} pages, {} counted", self.live))
    }

    /// Every block is free, out of use, open or closed, and page programs fill what was erased or new.
    fn audit_blocks(&self) -> Result<(), String> {
        let closed = self.blocks.closed.iter().filter(|closed| **closed).count();
        let idle = (0..self.blocks.len() as u32).filter(|block| self.is_idle(*block)).count();
        let open = self.append_points.iter().filter(|append| append.open.is_some()).count();
        let blocks = self.blocks.len();
        ensure(idle + open + closed == blocks, || {
            format!("{idle} blocks are idle, {open} open, {closed} closed, of {blocks}")
        })?;
        let left: u64 = self.append_points.iter().map(|append| u64::from(append.pages_left)).sum();
        let used = (open + closed) as u64 * u64::from(self.pages_per_block) - left;
        let erased = self.stats.erases * u64::from(self.pages_per_block);
        let programmed = self.stats.programmed_pages();
        ensure(programmed == used + erased, || {
            format!("{programmed} pages programmed, but {used} in use and {erased} erased")
        })?;
        let counted: u64 = self.blocks.erased.iter().map(|count| u64::from(*count)).sum();
        ensure(counted == self.stats.erases, || {
            format!("{counted} erasures of blocks, {} counted", self.stats.erases)
        })
    }

    /// Whether a block holds nothing: free, or out of use.
    fn is_idle(&self, block: u32) -> bool {
        let die = &self.dies[usize::from(self.blocks.point[block as usize]) / self.points_per_die];
        die.retired.contains(&block) || die.free.iter().any(|(_, _, free)| *free == block)
    }

    fn is_current(&self, block: usize, page: usize) -> bool {
        self.current[block * self.words_per_block + page / 64] >> (page % 64) & 1 == 1
    }
}

fn ensure(holds: bool, message: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(message()) }
}
