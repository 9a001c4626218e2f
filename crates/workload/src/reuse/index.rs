//! Numbers for keys: each new key gets the next number from 0.
//!
//! MODEL. Open addressing with linear probing, four slots of 16 B a cache line, at most half of them taken. The caller
//! brings the hash, which it needs for sampling too.
//!
//! MEMORY. 32 to 64 B a key.

use drivecast_block::prefetch;
use drivecast_block::random::mix;

const SLOTS_MIN: usize = 64;
/// Marks a slot that holds no key.
const FREE: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Slot {
    key: u64,
    number: u32,
}

/// Keys and their numbers.
pub(crate) struct Index {
    slots: Vec<Slot>,
    keys: u32,
}

impl Index {
    pub(crate) fn new() -> Index {
        Index { slots: vec![Slot { key: 0, number: FREE }; SLOTS_MIN], keys: 0 }
    }

    /// Asks the cache for the place of a key.
    #[inline(always)]
    pub(crate) fn prefetch(&self, hash: u64) {
        prefetch(&self.slots, self.place(hash));
    }

    /// The number of a key, and whether it is new.
    #[inline]
    pub(crate) fn number(&mut self, key: u64, hash: u64) -> (u32, bool) {
        let mut place = self.place(hash);
        loop {
            let slot = self.slots[place];
            if slot.number == FREE {
                break;
            }
            if slot.key == key {
                return (slot.number, false);
            }
            place = (place + 1) & (self.slots.len() - 1);
        }
        let number = self.keys;
        self.slots[place] = Slot { key, number };
        self.keys += 1;
        if self.keys as usize * 2 > self.slots.len() {
            self.grow();
        }
        (number, true)
    }

    /// How many keys have a number.
    pub(crate) fn len(&self) -> usize {
        self.keys as usize
    }

    /// Shows each key with its number, in no order.
    pub(crate) fn for_each(&self, mut show: impl FnMut(u64, u32)) {
        let taken = self.slots.iter().filter(|slot| slot.number != FREE);
        taken.for_each(|slot| show(slot.key, slot.number));
    }

    /// Keeps the keys that `keep` wants and numbers them anew in the order of their numbers; gives the old numbers of
    /// the remaining keys.
    pub(crate) fn retain(&mut self, keep: impl Fn(u64) -> bool) -> Vec<u32> {
        let wanted = |slot: &&Slot| slot.number != FREE && keep(slot.key);
        let mut kept: Vec<Slot> = self.slots.iter().filter(wanted).copied().collect();
        kept.sort_unstable_by_key(|slot| slot.number);
        *self = Index::with_slots((kept.len() * 2 + 1).next_power_of_two());
        for slot in &kept {
            self.number(slot.key, mix(slot.key));
        }
        kept.into_iter().map(|slot| slot.number).collect()
    }

    fn with_slots(slots: usize) -> Index {
        Index { slots: vec![Slot { key: 0, number: FREE }; slots.max(SLOTS_MIN)], keys: 0 }
    }

    #[cold]
    fn grow(&mut self) {
        let larger = Index::with_slots(self.slots.len() * 2);
        let smaller = std::mem::replace(self, larger);
        for slot in smaller.slots.iter().filter(|slot| slot.number != FREE) {
            let mut place = self.place(mix(slot.key));
            while self.slots[place].number != FREE {
                place = (place + 1) & (self.slots.len() - 1);
            }
            self.slots[place] = *slot;
        }
        self.keys = smaller.keys;
    }

    #[inline(always)]
    fn place(&self, hash: u64) -> usize {
        hash as usize & (self.slots.len() - 1)
    }
}
