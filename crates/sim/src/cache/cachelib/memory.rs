//! The objects in memory, by how recently they were used.

use crate::cache::chain::Chain;
use crate::cache::index::{Index, NONE};

/// What memory gave up for another object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Evicted {
    pub(super) object: u64,
    /// Whether flash had the same when it was read.
    pub(super) is_below: bool,
}

/// So many objects; see the module.
#[derive(Clone)]
pub(super) struct Memory {
    most: u32,
    index: Index,
    order: Chain,
    /// By slot: whether flash had the same when the object was read.
    is_below: Vec<bool>,
}

impl Memory {
    pub(super) fn new(most: u64) -> Memory {
        let most = u32::try_from(most).unwrap_or(NONE - 1).max(1);
        Memory { most, index: Index::new(), order: Chain::new(), is_below: Vec::new() }
    }

    #[inline]
    pub(super) fn expect(&self, object: u64) {
        self.index.expect(object);
    }

    pub(super) fn has(&self, object: u64) -> bool {
        self.index.find(object) != NONE
    }

    /// Uses an object, if it is there.
    pub(super) fn uses(&mut self, object: u64) -> bool {
        let slot = self.index.find(object);
        if slot == NONE {
            return false;
        }
        self.order.append(slot);
        true
    }

    /// Takes an object in, or anew; what left for it.
    pub(super) fn put(&mut self, object: u64, is_below: bool) -> Option<Evicted> {
        let found = self.index.find(object);
        if found != NONE {
            self.order.append(found);
            self.is_below[found as usize] = is_below;
            return None;
        }
        let made = self.is_below.len() as u32;
        if made < self.most {
            self.is_below.push(is_below);
            self.index.insert(made, object);
            self.order.append(made);
            return None;
        }
        let slot = self.order.first();
        let evicted = Evicted { object: self.index.block(slot), is_below: self.is_below[slot as usize] };
        self.index.remove(slot);
        self.index.insert(slot, object);
        self.is_below[slot as usize] = is_below;
        self.order.append(slot);
        Some(evicted)
    }

    /// Memory that it takes.
    pub(super) fn bytes(&self) -> usize {
        self.index.bytes() + self.order.bytes() + self.is_below.len()
    }
}
