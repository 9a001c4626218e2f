//! Which block of a set makes way: by a pointer that goes round the places, or by a warm and a hot list.
//!
//! Only what is clean and idle does. **FIFO**: the next such place. **LRU**: the one used longest ago of the warm list, else of the
//! hot one, which then changes places with the block used last of the warm list. A hit puts a hot block last on its list. It puts
//! a warm one last, too, but at the `lru_promote_thresh`th it changes places with the hot block used longest ago: so the lists
//! hold their shares of the set. An empty slot stays on the list that it was on.
//!
//! Places never filled are on the lists of the kernel, before all others; here they are counted. Which of the two lists a place
//! was on before it is filled follows the kernel unless blocks were promoted meanwhile: then the warm ones are filled first.

use super::FlashCache;
use super::slots::{List, Slot};
use crate::cache::index::NONE;
use crate::spec::Reclaim;
use drivecast_block::CacheCounters;

const WARM: usize = 0;
const HOT: usize = 1;

impl FlashCache {
    /// A clean, idle block of a set to be replaced; [`NONE`] where there is none.
    pub(super) fn reclaim(&mut self, set: u32, counters: &mut CacheCounters) -> u32 {
        match self.spec.reclaim_policy {
            Reclaim::Fifo => self.reclaim_fifo(set),
            Reclaim::Lru => self.reclaim_lru(set, counters),
        }
    }

    fn reclaim_fifo(&mut self, index: u32) -> u32 {
        let set = &self.slots.sets[index as usize];
        let (made, newest, mut at, mut found) = (set.made, set.newest, set.fifo, NONE);
        for _ in 0..made {
            at = if at == NONE { newest } else { at };
            let slot = at;
            at = self.slots.after(slot);
            if self.slots.slots[slot as usize].is_replaceable() {
                found = slot;
                break;
            }
        }
        if found == NONE && at != NONE {
            // As in the kernel, the pointer moves on even so.
            at = self.slots.after(at);
        }
        self.slots.sets[index as usize].fifo = at;
        found
    }

    fn reclaim_lru(&mut self, set: u32, counters: &mut CacheCounters) -> u32 {
        let found = self.first_replaceable(set, WARM);
        if found != NONE {
            self.slots.slot(found).hits = 0;
            self.move_to_end(set, found);
            return found;
        }
        let found = self.first_replaceable(set, HOT);
        if found != NONE {
            let warm = self.list(set, WARM).last;
            if warm == NONE {
                self.move_to_end(set, found);
            } else {
                self.unlink(set, found);
                self.unlink(set, warm);
                self.append(set, found, WARM);
                self.prepend_hot(set, warm);
                counters.lru_demotions += 1;
            }
        }
        found
    }

    fn first_replaceable(&self, set: u32, which: usize) -> u32 {
        let mut slot = self.slots.sets[set as usize].lists[which].first;
        while slot != NONE && !self.slots.slots[slot as usize].is_replaceable() {
            slot = self.slots.slots[slot as usize].next;
        }
        slot
    }

    /// A block was hit.
    pub(super) fn accessed(&mut self, set: u32, slot: u32, counters: &mut CacheCounters) {
        let promote = self.spec.lru_promote_thresh;
        let found = self.slots.slot(slot);
        if !found.is_hot {
            found.hits = found.hits.saturating_add(1);
        }
        if found.is_hot || u32::from(found.hits) < promote {
            return self.move_to_end(set, slot);
        }
        let (hot, unmade) = (self.list(set, HOT).first, self.slots.sets[set as usize].unmade[HOT]);
        if hot == NONE && unmade == 0 {
            return self.move_to_end(set, slot);
        }
        self.unlink(set, slot);
        if unmade > 0 {
            let unmade = &mut self.slots.sets[set as usize].unmade;
            (unmade[HOT], unmade[WARM]) = (unmade[HOT] - 1, unmade[WARM] + 1);
        } else {
            self.unlink(set, hot);
            self.append(set, hot, WARM);
        }
        self.prepend_hot(set, slot);
        counters.lru_promotions += 1;
    }

    /// An empty slot is about to be filled.
    pub(super) fn filled(&mut self, set: u32, slot: u32, is_new: bool) {
        if !is_new {
            return self.move_to_end(set, slot);
        }
        let unmade = &mut self.slots.sets[set as usize].unmade;
        let which = if unmade[WARM] > 0 { WARM } else { HOT };
        unmade[which] -= 1;
        self.append(set, slot, which);
    }

    fn list(&mut self, set: u32, which: usize) -> &mut List {
        &mut self.slots.sets[set as usize].lists[which]
    }

    fn move_to_end(&mut self, set: u32, slot: u32) {
        let which = usize::from(self.slots.slot(slot).is_hot);
        if self.list(set, which).last != slot {
            let hits = self.slots.slot(slot).hits;
            self.unlink(set, slot);
            self.append(set, slot, which);
            self.slots.slot(slot).hits = hits;
        }
    }

    fn unlink(&mut self, set: u32, slot: u32) {
        let Slot { before, next, is_hot, .. } = *self.slots.slot(slot);
        let which = usize::from(is_hot);
        match before {
            NONE => self.list(set, which).first = next,
            before => self.slots.slot(before).next = next,
        }
        match next {
            NONE => self.list(set, which).last = before,
            next => self.slots.slot(next).before = before,
        }
    }

    /// Puts a slot last on a list, with its hits to be counted anew.
    fn append(&mut self, set: u32, slot: u32, which: usize) {
        let last = std::mem::replace(&mut self.list(set, which).last, slot);
        match last {
            NONE => self.list(set, which).first = slot,
            last => self.slots.slot(last).next = slot,
        }
        let found = self.slots.slot(slot);
        (found.before, found.next, found.hits, found.is_hot) = (last, NONE, 0, which == HOT);
    }

    /// Puts a slot on the hot list, as if it was used longest ago.
    fn prepend_hot(&mut self, set: u32, slot: u32) {
        let first = std::mem::replace(&mut self.list(set, HOT).first, slot);
        match first {
            NONE => self.list(set, HOT).last = slot,
            first => self.slots.slot(first).before = slot,
        }
        let found = self.slots.slot(slot);
        (found.before, found.next, found.hits, found.is_hot) = (NONE, first, 0, true);
    }
}
