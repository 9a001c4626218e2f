//! What a cache holds after it has been taken away and set up again, orderly or not.
//!
//! With write-back an orderly removal cleans all that is dirty, unless `fast_remove` says to keep it; both keep all that is
//! cached. After a crash only what is recorded as dirty is there. Without write-back nothing survives.

use super::FlashCache;
use super::slots::{BUSY, DIRTY, VALID};
use crate::cache::index::NONE;
use crate::cache::orders::Orders;
use crate::spec::{CacheMode, Restart};

impl FlashCache {
    /// Takes the cache away and sets it up again; nothing is in flight. What is to be cleaned is ordered: whoever calls carries
    /// that out.
    pub(in crate::cache) fn restart(&mut self, how: Restart, orders: &mut Orders) {
        match (self.spec.mode, how) {
            (CacheMode::Back, Restart::FastRemove) => {}
            (CacheMode::Back, Restart::Remove) => self.clean_all(orders),
            (CacheMode::Back, Restart::Crash) => self.drop_all(DIRTY),
            (CacheMode::Through | CacheMode::Around, _) => self.drop_all(0),
        }
    }

    /// Drops all blocks but those with this state; none has it that is 0.
    fn drop_all(&mut self, keeps: u8) {
        for set in 0..self.slots.sets.len() as u32 {
            let mut slot = self.slots.sets[set as usize].newest;
            while slot != NONE {
                let found = *self.slots.slot(slot);
                debug_assert!(!found.is(BUSY), "nothing is in flight");
                if found.is(VALID) && (keeps == 0 || !found.is(keeps)) {
                    self.drop_block(slot);
                    self.slots.put_empty(set, slot);
                }
                slot = self.slots.after(slot);
            }
        }
    }
}
