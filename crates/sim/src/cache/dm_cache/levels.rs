//! A queue of several levels, as dm-cache's policy `smq` holds what it knows of: the cold at the bottom, the hot at the top.
//!
//! Every level is a list in order of use. What is hit rises, and changes places with what was longest unused where it rises to, so
//! that levels hold as many as before. From time to time they are brought back to equal sizes, over their order.

use crate::cache::index::NONE;

/// Levels of a queue.
pub(super) const LEVELS: usize = 64;

#[derive(Clone, Copy)]
struct Entry {
    before: u32,
    next: u32,
    level: u8,
    is_queued: bool,
}

#[derive(Clone, Copy)]
struct Level {
    first: u32,
    last: u32,
    count: u32,
}

/// The queue; see the module.
#[derive(Clone)]
pub(super) struct Levels {
    entries: Vec<Entry>,
    levels: [Level; LEVELS],
    count: u32,
}

impl Levels {
    pub(super) fn new() -> Levels {
        let levels = [Level { first: NONE, last: NONE, count: 0 }; LEVELS];
        Levels { entries: Vec::new(), levels, count: 0 }
    }

    pub(super) fn len(&self) -> u32 {
        self.count
    }

    /// The level of a slot, as it is or was last.
    #[inline]
    pub(super) fn level(&self, slot: u32) -> usize {
        self.entries.get(slot as usize).map_or(0, |entry| entry.level.into())
    }

    /// Puts a slot at the end of a level.
    pub(super) fn push(&mut self, slot: u32, level: usize) {
        while self.entries.len() <= slot as usize {
            self.entries.push(Entry { before: NONE, next: NONE, level: 0, is_queued: false });
        }
        let last = std::mem::replace(&mut self.levels[level].last, slot);
        if last == NONE {
            self.levels[level].first = slot;
        } else {
            self.entries[last as usize].next = slot;
        }
        self.entries[slot as usize] = Entry { before: last, next: NONE, level: level as u8, is_queued: true };
        self.levels[level].count += 1;
        self.count += 1;
    }

    /// Takes a slot out, if it is queued.
    pub(super) fn remove(&mut self, slot: u32) {
        let Some(entry) = self.entries.get_mut(slot as usize).filter(|entry| entry.is_queued) else { return };
        entry.is_queued = false;
        let Entry { before, next, level, .. } = *entry;
        let level = &mut self.levels[usize::from(level)];
        level.count -= 1;
        self.count -= 1;
        match before {
            NONE => level.first = next,
            before => self.entries[before as usize].next = next,
        }
        match next {
            NONE => level.last = before,
            next => self.entries[next as usize].before = before,
        }
    }

    /// A slot is hit: it rises by so many levels, and is last on its new one.
    pub(super) fn hit(&mut self, slot: u32, rises: usize) {
        let level = self.level(slot);
        let higher = (level + rises).min(LEVELS - 1);
        let swapped = self.levels[higher].first;
        if higher > level && swapped != NONE {
            self.remove(swapped);
            self.push(swapped, level);
        }
        self.remove(slot);
        self.push(slot, higher);
    }

    /// What is coldest and was used longest ago; [`NONE`] where nothing is queued.
    pub(super) fn coldest(&self) -> u32 {
        self.levels.iter().map(|level| level.first).find(|first| *first != NONE).unwrap_or(NONE)
    }

    /// Brings the levels to equal sizes.
    pub(super) fn level_out(&mut self) {
        let (each, rest) = (self.count / LEVELS as u32, self.count as usize % LEVELS);
        for level in 0..LEVELS - 1 {
            let target = each + u32::from(level < rest);
            while self.levels[level].count < target {
                let above = self.levels[level + 1..].iter().map(|level| level.first);
                let Some(slot) = above.into_iter().find(|first| *first != NONE) else { break };
                self.remove(slot);
                self.push(slot, level);
            }
            while self.levels[level].count > target {
                let slot = self.levels[level].last;
                self.remove(slot);
                self.push_first(slot, level + 1);
            }
        }
    }

    fn push_first(&mut self, slot: u32, level: usize) {
        let first = std::mem::replace(&mut self.levels[level].first, slot);
        if first == NONE {
            self.levels[level].last = slot;
        } else {
            self.entries[first as usize].before = slot;
        }
        self.entries[slot as usize] =
            Entry { before: NONE, next: first, level: level as u8, is_queued: true };
        self.levels[level].count += 1;
        self.count += 1;
    }

    /// Memory that it takes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.entries.as_slice())
    }
}

#[cfg(test)]
mod tests {
    use super::{LEVELS, Levels};

    #[test]
    fn what_is_hit_rises_and_what_is_not_is_coldest() {
        let mut queue = Levels::new();
        (0..640).for_each(|slot| queue.push(slot, 0));
        queue.level_out();
        assert!((0..LEVELS).all(|level| queue.levels[level].count == 10));
        assert_eq!((queue.coldest(), queue.level(639)), (0, 63), "in order of use");
        queue.hit(0, 1);
        assert_eq!(
            (queue.level(0), queue.level(10), queue.coldest()),
            (1, 0, 1),
            "10 has changed places with it"
        );
        (0..100).for_each(|_| queue.hit(0, 1));
        assert_eq!((queue.level(0), queue.len()), (63, 640));
        assert!((0..LEVELS).all(|level| queue.levels[level].count == 10));
        (0..320).for_each(|slot| queue.remove(2 * slot));
        queue.level_out();
        assert!((0..LEVELS).all(|level| queue.levels[level].count == 5));
    }
}
