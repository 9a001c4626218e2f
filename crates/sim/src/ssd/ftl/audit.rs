//! A second look at the translation layer's books: everything that is kept up to date in passing is counted
//! again.

use super::{ABSENT, Ftl};

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
            let place = self.map.at(slot);
            if place == ABSENT {
                continue;
            }
            mapped += 1;
            let (block, page) = ((place >> self.page_bits) as usize, self.page_of(place) as usize);
            let behind = self.reverse[block * self.pages_per_block as usize + page];
            ensure(behind == slot, || {
                format!("slot {slot} maps to {place}, which belongs to slot {behind}")
            })?;
            ensure(self.is_current(block, page), || format!("slot {slot} maps to {place}, which is stale"))?;
        }
        ensure(mapped == self.live, || format!("{mapped} pages are mapped, {} counted", self.live))
    }

    /// Valid counts equal the bits set, and live pages of a die those bits less what is still to be written.
    fn audit_counts(&self) -> Result<(), String> {
        let mut live = vec![0u64; self.dies.len()];
        for (block, &valid) in self.valid.iter().enumerate() {
            let words = &self.current[block * self.words_per_block..][..self.words_per_block];
            let bits: u32 = words.iter().map(|word| word.count_ones()).sum();
            let die = usize::from(self.die_of[block]);
            if self.dies[die].free.contains(&(block as u32)) {
                continue;
            }
            ensure(bits == u32::from(valid), || {
                format!("block {block} has {bits} current pages, {valid} counted")
            })?;
            live[die] += u64::from(bits);
        }
        for (index, (die, bits)) in self.dies.iter().zip(live).enumerate() {
            let found = bits - u64::from(die.room);
            ensure(found == die.live, || {
                format!("die {index} has {found} live pages, {} counted", die.live)
            })?;
        }
        let sum: u64 = self.dies.iter().map(|die| die.live).sum();
        ensure(sum == self.live, || format!("dies hold {sum} pages, {} counted", self.live))
    }

    /// Every block is free, open or closed, and page programs fill what was erased or new.
    fn audit_blocks(&self) -> Result<(), String> {
        let closed = self.victims.closed();
        let free: usize = self.dies.iter().map(|die| die.free.len()).sum();
        let open = self.dies.iter().filter(|die| die.open.is_some()).count();
        let blocks = self.valid.len();
        ensure(free + open + closed == blocks, || {
            format!("{free} blocks are free, {open} open, {closed} closed, of {blocks}")
        })?;
        let room: u64 = self.dies.iter().map(|die| u64::from(die.room)).sum();
        let used = (open + closed) as u64 * u64::from(self.pages_per_block) - room;
        let erased = self.stats.erases * u64::from(self.pages_per_block);
        let programmed = self.stats.host_pages + self.stats.copied_pages + self.stats.padded_pages;
        ensure(programmed == used + erased, || {
            format!("{programmed} pages programmed, but {used} in use and {erased} erased")
        })
    }

    fn is_current(&self, block: usize, page: usize) -> bool {
        self.current[block * self.words_per_block + page / 64] >> (page % 64) & 1 == 1
    }
}

fn ensure(holds: bool, message: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(message()) }
}
