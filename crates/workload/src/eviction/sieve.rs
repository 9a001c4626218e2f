//! SIEVE: CLOCK whose survivors stay where they are.
//!
//! MODEL. A hit marks an object. The hand moves from the oldest entry towards the newest and then begins anew: it takes the
//! mark of a marked object and passes it by, the first one without a mark leaves. New objects enter at the newest end, so
//! the hand soon meets those that are not referenced again, and goes round the old ones rarely.
//! Source: SIEVE is Simpler than LRU (NSDI 2024).

use super::lists::Lists;
use super::policy::{EMPTY, Policy, Reference};

const ALL: u8 = 0;

pub(super) struct Sieve<'a> {
    lists: Lists<'a, 1>,
    /// The object that it examines next; none: the oldest.
    hand: Option<u32>,
}

impl<'a> Sieve<'a> {
    pub(super) fn new(objects: usize, sizes: &'a [u32]) -> Sieve<'a> {
        Sieve { lists: Lists::new(objects, sizes), hand: None }
    }
}

impl Policy for Sieve<'_> {
    #[inline(always)]
    fn prefetch(&self, id: u32) {
        self.lists.prefetch(id);
    }

    #[inline(always)]
    fn holds(&self, id: u32) -> bool {
        self.lists.is_anywhere(id)
    }

    #[inline]
    fn hit(&mut self, of: Reference) {
        self.lists.set_mark(of.id, 1);
    }

    #[inline]
    fn evict(&mut self, _incoming: u32) -> u32 {
        loop {
            let id = self.hand.or_else(|| self.lists.back(ALL)).expect(EMPTY);
            self.hand = self.lists.before(id);
            if self.lists.mark(id) == 0 {
                self.lists.remove(id);
                return id;
            }
            self.lists.set_mark(id, 0);
        }
    }

    #[inline]
    fn enter(&mut self, of: Reference) {
        self.lists.set_mark(of.id, 0);
        self.lists.push_front(ALL, of.id);
    }
}
