//! 2Q: a FIFO on trial, an LRU for what comes back.
//!
//! MODEL. Objects enter a FIFO of a quarter of the cache, where hits mean nothing: references shortly after the first one
//! are taken for one use. Those that leave it are remembered, as many as would fill half of the cache; one referenced
//! while it is remembered enters the LRU queue. The FIFO gives up an object when it has more than its quarter, else the
//! LRU queue does. Source: 2Q: A Low Overhead High Performance Buffer Management Replacement Algorithm (VLDB 1994), the full
//! version with the shares that it advises.

use super::lists::Lists;
use super::policy::{EMPTY, Policy, Reference};

const TRIAL: u8 = 0;
const PROVEN: u8 = 1;
/// Objects that left the FIFO: remembered, not held.
const GHOST: u8 = 2;

const TRIAL_SHARE: f64 = 0.25;
const GHOST_SHARE: f64 = 0.5;

pub(super) struct TwoQ<'a> {
    lists: Lists<'a, 3>,
    trial_max: u64,
    ghost_max: u64,
    /// Whether the object that is about to enter is remembered.
    returns: bool,
}

impl<'a> TwoQ<'a> {
    pub(super) fn new(objects: usize, sizes: &'a [u32], capacity: u64) -> TwoQ<'a> {
        let share = |of: f64| (capacity as f64 * of) as u64;
        TwoQ {
            lists: Lists::new(objects, sizes),
            trial_max: share(TRIAL_SHARE),
            ghost_max: share(GHOST_SHARE),
            returns: false,
        }
    }
}

impl Policy for TwoQ<'_> {
    #[inline(always)]
    fn prefetch(&self, id: u32) {
        self.lists.prefetch(id);
    }

    #[inline(always)]
    fn holds(&self, id: u32) -> bool {
        self.lists.is_in(id, TRIAL) || self.lists.is_in(id, PROVEN)
    }

    #[inline]
    fn hit(&mut self, of: Reference) {
        if self.lists.is_in(of.id, PROVEN) {
            self.lists.move_front(PROVEN, of.id);
        }
    }

    #[inline]
    fn miss(&mut self, id: u32) {
        self.returns = self.lists.is_in(id, GHOST);
        if self.returns {
            self.lists.remove(id);
        }
    }

    fn evict(&mut self, _incoming: u32) -> u32 {
        if self.lists.size(TRIAL) <= self.trial_max
            && let Some(id) = self.lists.pop_back(PROVEN)
        {
            return id;
        }
        let id = self.lists.pop_back(TRIAL).expect(EMPTY);
        self.lists.push_front(GHOST, id);
        self.lists.trim(GHOST, self.ghost_max);
        id
    }

    #[inline]
    fn enter(&mut self, of: Reference) {
        self.lists.push_front(if self.returns { PROVEN } else { TRIAL }, of.id);
    }
}
