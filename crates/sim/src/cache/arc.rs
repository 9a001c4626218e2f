//! The adaptive replacement cache of Megiddo and Modha (FAST 2003), which ZFS holds in memory.
//!
//! Four lists: what was used once (T1) and more often (T2), and the ghosts of what left either (B1, B2). A target p for T1 grows
//! when a ghost of T1 is used, and shrinks for one of T2. What makes way is the oldest of T1 if it holds more than p, else of
//! T2. Left out of ZFS's variant: sizes that differ, metadata apart from data, and the age that a use needs to count twice.

use super::chain::Chain;
use super::index::{Index, NONE};

/// The list that a slot is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum On {
    /// Used once.
    Recent,
    /// Used more often.
    Frequent,
    /// Was used once, and has left.
    RecentGhost,
    /// Was used more often, and has left.
    FrequentGhost,
    /// Not known.
    None,
}

/// The cache; see the module.
#[derive(Clone)]
pub(super) struct Arc {
    most: usize,
    target: usize,
    index: Index,
    lists: [Chain; 4],
    counts: [usize; 4],
    on: Vec<On>,
    empty: Vec<u32>,
}

impl Arc {
    /// A cache of so many records.
    pub(super) fn new(most: usize) -> Arc {
        Arc {
            most: most.max(1),
            target: 0,
            index: Index::new(),
            lists: std::array::from_fn(|_| Chain::new()),
            counts: [0; 4],
            on: Vec::new(),
            empty: Vec::new(),
        }
    }

    /// The list that a record is on.
    pub(super) fn on(&self, record: u64) -> On {
        match self.index.find(record) {
            NONE => On::None,
            slot => self.on[slot as usize],
        }
    }

    /// Whether a record is in the cache.
    pub(super) fn has(&self, record: u64) -> bool {
        matches!(self.on(record), On::Recent | On::Frequent)
    }

    /// Uses a record, which is in the cache afterwards; whether it was before.
    pub(super) fn used(&mut self, record: u64) -> bool {
        let slot = self.index.find(record);
        let on = if slot == NONE { On::None } else { self.on[slot as usize] };
        let [recent, frequent, recent_ghosts, frequent_ghosts] = self.counts;
        match on {
            On::Recent | On::Frequent => self.put(slot, On::Frequent),
            On::RecentGhost => {
                self.target = (self.target + (frequent_ghosts / recent_ghosts).max(1)).min(self.most);
                self.replace(false);
                self.put(slot, On::Frequent);
            }
            On::FrequentGhost => {
                self.target = self.target.saturating_sub((recent_ghosts / frequent_ghosts).max(1));
                self.replace(true);
                self.put(slot, On::Frequent);
            }
            On::None => {
                if recent + recent_ghosts >= self.most {
                    if recent < self.most {
                        self.forget(On::RecentGhost);
                        self.replace(false);
                    } else {
                        self.forget(On::Recent);
                    }
                } else if recent + frequent + recent_ghosts + frequent_ghosts >= self.most {
                    if recent + frequent + recent_ghosts + frequent_ghosts >= 2 * self.most {
                        self.forget(On::FrequentGhost);
                    }
                    self.replace(false);
                }
                let slot = self.empty.pop().unwrap_or(self.on.len() as u32);
                if slot as usize == self.on.len() {
                    self.on.push(On::None);
                }
                self.index.insert(slot, record);
                self.put(slot, On::Recent);
            }
        }
        matches!(on, On::Recent | On::Frequent)
    }

    /// Lets the oldest record of one list become a ghost, if the cache is full.
    fn replace(&mut self, is_frequent_ghost: bool) {
        let [recent, frequent, ..] = self.counts;
        if recent + frequent < self.most {
            return;
        }
        let of_recent = recent > self.target || (is_frequent_ghost && recent == self.target && recent > 0);
        let (list, ghost) = if (of_recent || frequent == 0) && recent > 0 {
            (On::Recent, On::RecentGhost)
        } else {
            (On::Frequent, On::FrequentGhost)
        };
        let oldest = self.lists[list as usize].first();
        if oldest != NONE {
            self.put(oldest, ghost);
        }
    }

    fn put(&mut self, slot: u32, on: On) {
        let before = std::mem::replace(&mut self.on[slot as usize], on);
        if before != On::None {
            self.lists[before as usize].remove(slot);
            self.counts[before as usize] -= 1;
        }
        self.lists[on as usize].append(slot);
        self.counts[on as usize] += 1;
    }

    /// Forgets the oldest record of a list.
    fn forget(&mut self, on: On) {
        let slot = self.lists[on as usize].first();
        if slot == NONE {
            return;
        }
        self.lists[on as usize].remove(slot);
        self.counts[on as usize] -= 1;
        self.on[slot as usize] = On::None;
        self.index.remove(slot);
        self.empty.push(slot);
    }

    /// The records of a list, the one that leaves next first.
    pub(super) fn oldest(&self, on: On) -> impl Iterator<Item = u64> + '_ {
        self.lists[on as usize].iter().map(|slot| self.index.block(slot))
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        *self = Arc::new(self.most);
    }

    /// Memory that it takes.
    pub(super) fn bytes(&self) -> usize {
        self.index.bytes() + self.on.len() + self.lists.iter().map(Chain::bytes).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::{Arc, On};
    use proptest::prelude::*;

    #[test]
    fn what_is_used_again_outlives_a_scan() {
        let mut arc = Arc::new(100);
        (0..3).for_each(|_| (0..50).for_each(|record| _ = arc.used(record)));
        (1000..2000).for_each(|record| _ = arc.used(record));
        assert!((0..50).all(|record| arc.on(record) == On::Frequent));
    }

    proptest! {
        #[test]
        fn it_holds_no_more_than_it_may_and_as_many_ghosts(
            most in 1..40_usize, uses in prop::collection::vec(0..100_u64, 0..600),
        ) {
            let mut arc = Arc::new(most);
            for record in uses {
                let was = arc.has(record);
                prop_assert_eq!(arc.used(record), was);
                prop_assert!(arc.has(record));
                let [recent, frequent, recent_ghosts, frequent_ghosts] = arc.counts;
                prop_assert!(recent + frequent <= most && recent + recent_ghosts <= most);
                prop_assert!(recent + frequent + recent_ghosts + frequent_ghosts <= 2 * most);
            }
        }
    }
}
