//! FIFO: the object that entered first leaves, referenced since or not.

use super::lists::Lists;
use super::policy::{EMPTY, Policy, Reference};

const ALL: u8 = 0;

pub(super) struct Fifo<'a> {
    lists: Lists<'a, 1>,
}

impl<'a> Fifo<'a> {
    pub(super) fn new(objects: usize, sizes: &'a [u32]) -> Fifo<'a> {
        Fifo { lists: Lists::new(objects, sizes) }
    }
}

impl Policy for Fifo<'_> {
    #[inline(always)]
    fn prefetch(&self, id: u32) {
        self.lists.prefetch(id);
    }

    #[inline(always)]
    fn holds(&self, id: u32) -> bool {
        self.lists.is_anywhere(id)
    }

    #[inline]
    fn hit(&mut self, _of: Reference) {}

    #[inline]
    fn evict(&mut self, _incoming: u32) -> u32 {
        self.lists.pop_back(ALL).expect(EMPTY)
    }

    #[inline]
    fn enter(&mut self, of: Reference) {
        self.lists.push_front(ALL, of.id);
    }
}
