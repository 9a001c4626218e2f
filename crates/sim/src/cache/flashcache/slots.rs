//! The places of a cache that were ever filled, and the sets that have any.
//!
//! Neither is made before it is needed: a set at the first piece that falls into it, a slot when its place is first filled. So
//! memory follows what is cached (40 bytes a block with its part of the index), and 4 bytes a set, which the system backs only
//! where they are used. Places of a set are filled from the last one down, as the kernel does, whose list of invalid blocks is a
//! stack. So the place below a slot's is that of the slot made after it, and the place above it that of the slot before.

use crate::cache::index::NONE;
use drivecast_block::Nanos;

/// The slot holds a block.
pub(super) const VALID: u8 = 1;
/// The block is newer than that on the slow device.
pub(super) const DIRTY: u8 = 2;
/// An I/O on the block is under way, or it waits for one.
pub(super) const BUSY: u8 = 4;
/// A sweep has found the block dirty.
pub(super) const FALLOW_1: u8 = 8;
/// A second sweep has, and the block was not used in between.
pub(super) const FALLOW_2: u8 = 16;

/// A place that was filled.
#[derive(Clone, Copy)]
pub(super) struct Slot {
    /// Place on the fast device, in blocks.
    pub(super) place: u32,
    /// The slot of the set made before this one: the next place of the set.
    pub(super) older: u32,
    /// The one before it on its list, towards the one used longest ago.
    pub(super) before: u32,
    /// The one behind it on its list.
    pub(super) next: u32,
    /// The last of the pieces that wait for it, each of which has the next, the last the first. Of an empty slot, the next
    /// empty one.
    pub(super) waiting: u32,
    pub(super) state: u8,
    /// Hits since it was put on its list.
    pub(super) hits: u8,
    pub(super) is_hot: bool,
}

impl Slot {
    /// Whether all of these hold.
    #[inline]
    pub(super) fn is(&self, state: u8) -> bool {
        self.state & state == state
    }

    /// Whether it is clean and idle, and so may be replaced.
    #[inline]
    pub(super) fn is_replaceable(&self) -> bool {
        self.state == VALID
    }

    /// Whether its block can be cleaned now.
    #[inline]
    pub(super) fn is_cleanable(&self) -> bool {
        self.state & (DIRTY | BUSY) == DIRTY
    }
}

/// A list of slots, from the one used longest ago.
#[derive(Clone, Copy)]
pub(super) struct List {
    pub(super) first: u32,
    pub(super) last: u32,
}

/// A set.
#[derive(Clone, Copy)]
pub(super) struct Set {
    pub(super) number: u32,
    /// Slots made.
    pub(super) made: u32,
    /// The slot made last.
    pub(super) newest: u32,
    /// The first empty slot.
    pub(super) empty: u32,
    /// Where the search for a block to replace continues; [`NONE`]: at the first place.
    pub(super) fifo: u32,
    /// The same of the search for a block to clean.
    pub(super) clean: u32,
    /// The warm list and the hot one.
    pub(super) lists: [List; 2],
    /// Places of either list that were never filled.
    pub(super) unmade: [u32; 2],
    pub(super) dirty: u32,
    /// Blocks being cleaned.
    pub(super) cleaning: u32,
    /// Blocks that lie fallow.
    pub(super) fallow: u32,
    pub(super) next_sweep: Nanos,
    pub(super) next_fallow_cleaning: Nanos,
    /// The first of its blocks of metadata that are being written.
    pub(super) metadata: u32,
}

/// Slots and sets; see the module.
#[derive(Clone)]
pub(super) struct Slots {
    pub(super) slots: Vec<Slot>,
    pub(super) sets: Vec<Set>,
    /// By number of the set, one more than its place in `sets`; 0: it has none yet.
    directory: Vec<u32>,
    assoc: u32,
    hot: u32,
}

impl Slots {
    /// So many sets of `assoc` places, `hot` of which begin on the hot list.
    pub(super) fn new(sets: u32, assoc: u32, hot: u32) -> Slots {
        Slots { slots: Vec::new(), sets: Vec::new(), directory: vec![0; sets as usize], assoc, hot }
    }

    /// The set of this number, made if need be.
    #[inline]
    pub(super) fn set(&mut self, number: u32) -> u32 {
        match self.directory[number as usize] {
            0 => self.make_set(number),
            found => found - 1,
        }
    }

    #[cold]
    fn make_set(&mut self, number: u32) -> u32 {
        let list = List { first: NONE, last: NONE };
        self.sets.push(Set {
            number,
            made: 0,
            newest: NONE,
            empty: NONE,
            fifo: NONE,
            clean: NONE,
            lists: [list; 2],
            unmade: [self.assoc - self.hot, self.hot],
            dirty: 0,
            cleaning: 0,
            fallow: 0,
            next_sweep: Nanos::ZERO,
            next_fallow_cleaning: Nanos::ZERO,
            metadata: NONE,
        });
        self.directory[number as usize] = self.sets.len() as u32;
        self.sets.len() as u32 - 1
    }

    /// The sets there are, in order of their numbers.
    pub(super) fn in_order(&self) -> impl Iterator<Item = u32> + '_ {
        self.directory.iter().filter(|found| **found > 0).map(|found| found - 1)
    }

    #[inline]
    pub(super) fn slot(&mut self, slot: u32) -> &mut Slot {
        &mut self.slots[slot as usize]
    }

    /// The slot whose place follows that of `slot`, round and round.
    #[inline]
    pub(super) fn after(&self, slot: u32) -> u32 {
        self.slots[slot as usize].older
    }

    /// An empty slot of a set, if it has any; and whether it was just made.
    pub(super) fn take_empty(&mut self, set: u32) -> Option<(u32, bool)> {
        let assoc = self.assoc;
        let set = &mut self.sets[set as usize];
        if set.empty != NONE {
            let slot = set.empty;
            set.empty = std::mem::replace(&mut self.slots[slot as usize].waiting, NONE);
            return Some((slot, false));
        }
        if set.made == assoc {
            return None;
        }
        let slot = self.slots.len() as u32;
        let place = set.number * assoc + (assoc - 1 - set.made);
        self.slots.push(Slot {
            place,
            older: set.newest,
            before: NONE,
            next: NONE,
            waiting: NONE,
            state: 0,
            hits: 0,
            is_hot: false,
        });
        set.made += 1;
        set.newest = slot;
        Some((slot, true))
    }

    /// A slot of a set is empty from now on.
    pub(super) fn put_empty(&mut self, set: u32, slot: u32) {
        let empty = &mut self.sets[set as usize].empty;
        let found = &mut self.slots[slot as usize];
        (found.state, found.waiting) = (0, *empty);
        *empty = slot;
    }

    /// Memory that they take.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.slots.as_slice())
            + size_of_val(self.sets.as_slice())
            + size_of_val(self.directory.as_slice())
    }
}
