//! W-TinyLFU: an object must have been referenced more often than the one that it displaces.
//!
//! MODEL. Objects enter a window, an LRU queue of 1 % of the cache. What the window has no space for is a candidate for the
//! main part: it gets in where there is space, or where it was referenced more often of late, by a sketch of all
//! references, cached or not, than the object that the main part would give up; of the two the other one leaves. The main
//! part is a segmented LRU: objects on probation become protected by a hit, and the oldest protected one goes back on
//! probation where these have more than 80 % of the part.
//! Source: TinyLFU: A Highly Efficient Cache Admission Policy (ACM Transactions on Storage, 2017); its shares.

use super::lists::Lists;
use super::policy::{EMPTY, Policy, Reference};
use super::sketch::Sketch;

const WINDOW: u8 = 0;
const PROBATION: u8 = 1;
const PROTECTED: u8 = 2;

const WINDOW_SHARE: f64 = 0.01;
const PROTECTED_SHARE: f64 = 0.8;

pub(super) struct WTinyLfu<'a> {
    lists: Lists<'a, 3>,
    sketch: Sketch,
    window_max: u64,
    protected_max: u64,
}

impl<'a> WTinyLfu<'a> {
    /// A cache that would hold `held` objects of usual size.
    pub(super) fn new(objects: usize, sizes: &'a [u32], capacity: u64, held: usize) -> WTinyLfu<'a> {
        let window = ((capacity as f64 * WINDOW_SHARE) as u64).max(1);
        WTinyLfu {
            lists: Lists::new(objects, sizes),
            sketch: Sketch::new(held),
            window_max: window,
            protected_max: ((capacity - window.min(capacity)) as f64 * PROTECTED_SHARE) as u64,
        }
    }

    /// What the main part would give up.
    fn oldest(&self) -> Option<u32> {
        self.lists.back(PROBATION).or_else(|| self.lists.back(PROTECTED))
    }
}

impl Policy for WTinyLfu<'_> {
    #[inline(always)]
    fn prefetch(&self, id: u32) {
        self.lists.prefetch(id);
    }

    #[inline(always)]
    fn holds(&self, id: u32) -> bool {
        self.lists.is_anywhere(id)
    }

    fn hit(&mut self, of: Reference) {
        self.sketch.add(of.id);
        if self.lists.is_in(of.id, WINDOW) {
            self.lists.move_front(WINDOW, of.id);
            return;
        }
        self.lists.move_front(PROTECTED, of.id);
        while self.lists.size(PROTECTED) > self.protected_max
            && let Some(oldest) = self.lists.pop_back(PROTECTED)
        {
            self.lists.push_front(PROBATION, oldest);
        }
    }

    fn miss(&mut self, id: u32) {
        self.sketch.add(id);
    }

    fn evict(&mut self, incoming: u32) -> u32 {
        let is_full = self.lists.size(WINDOW) + self.lists.size_of(incoming) > self.window_max;
        let candidate = self.lists.back(WINDOW).filter(|_| is_full);
        let leaves = match (candidate, self.oldest()) {
            (Some(candidate), Some(oldest)) if self.sketch.count(candidate) > self.sketch.count(oldest) => {
                self.lists.move_front(PROBATION, candidate);
                oldest
            }
            (Some(candidate), _) => candidate,
            (None, Some(oldest)) => oldest,
            (None, None) => self.lists.back(WINDOW).expect(EMPTY),
        };
        self.lists.remove(leaves);
        leaves
    }

    fn enter(&mut self, of: Reference) {
        self.lists.push_front(WINDOW, of.id);
        while self.lists.size(WINDOW) > self.window_max
            && let Some(oldest) = self.lists.back(WINDOW).filter(|oldest| *oldest != of.id)
        {
            self.lists.move_front(PROBATION, oldest);
        }
    }
}
