//! CLOCK: FIFO with a second chance.
//!
//! MODEL. A hit marks an object. The hand goes round in order of entry: a marked object loses its mark and stays for another
//! round, the first one without a mark leaves. Source: A Paging Experiment with the Multics System (1969).

use super::lists::Lists;
use super::policy::{EMPTY, Policy, Reference};

const ALL: u8 = 0;

pub(super) struct Clock<'a> {
    lists: Lists<'a, 1>,
}

impl<'a> Clock<'a> {
    pub(super) fn new(objects: usize, sizes: &'a [u32]) -> Clock<'a> {
        Clock { lists: Lists::new(objects, sizes) }
    }
}

impl Policy for Clock<'_> {
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
            let id = self.lists.pop_back(ALL).expect(EMPTY);
            if self.lists.mark(id) == 0 {
                return id;
            }
            self.lists.set_mark(id, 0);
            self.lists.push_front(ALL, id);
        }
    }

    #[inline]
    fn enter(&mut self, of: Reference) {
        self.lists.set_mark(of.id, 0);
        self.lists.push_front(ALL, of.id);
    }
}
