//! S3-FIFO: three FIFO queues.
//!
//! MODEL. Objects enter a small queue, a tenth of the cache. One that was hit twice or more by the time it reaches the end
//! moves into the main queue; any other leaves, and is remembered for as long as nine tenths of the cache would take to
//! leave after it. A remembered object that is referenced enters the main queue. There an object is given another round for
//! each hit, three at most. The main queue gives up an object when it has more than its nine tenths, else the small one.
//! Source: FIFO Queues are All You Need for Cache Eviction (SOSP 2023); its threshold of two hits.

use super::lists::Lists;
use super::policy::{EMPTY, Policy, Reference};

const SMALL: u8 = 0;
const MAIN: u8 = 1;
/// Objects that left the small queue: remembered, not held.
const GHOST: u8 = 2;

const SMALL_SHARE: f64 = 0.1;
const GHOST_SHARE: f64 = 0.9;
const HITS_TO_MAIN: u8 = 2;
const HITS_MAX: u8 = 3;

pub(super) struct S3Fifo<'a> {
    lists: Lists<'a, 3>,
    main_max: u64,
    ghost_max: u64,
    /// Whether the object that is about to enter is remembered.
    returns: bool,
}

impl<'a> S3Fifo<'a> {
    pub(super) fn new(objects: usize, sizes: &'a [u32], capacity: u64) -> S3Fifo<'a> {
        let share = |of: f64| (capacity as f64 * of) as u64;
        S3Fifo {
            lists: Lists::new(objects, sizes),
            main_max: capacity - share(SMALL_SHARE),
            ghost_max: share(GHOST_SHARE),
            returns: false,
        }
    }

    fn evict_main(&mut self) -> u32 {
        loop {
            let id = self.lists.pop_back(MAIN).expect(EMPTY);
            let hits = self.lists.mark(id);
            if hits == 0 {
                return id;
            }
            self.lists.set_mark(id, hits - 1);
            self.lists.push_front(MAIN, id);
        }
    }

    /// An object of the small queue; none where all move into the main one.
    fn evict_small(&mut self) -> Option<u32> {
        while let Some(id) = self.lists.pop_back(SMALL) {
            if self.lists.mark(id) < HITS_TO_MAIN {
                self.lists.push_front(GHOST, id);
                self.lists.trim(GHOST, self.ghost_max);
                return Some(id);
            }
            self.lists.set_mark(id, 0);
            self.lists.push_front(MAIN, id);
        }
        None
    }
}

impl Policy for S3Fifo<'_> {
    #[inline(always)]
    fn prefetch(&self, id: u32) {
        self.lists.prefetch(id);
    }

    #[inline(always)]
    fn holds(&self, id: u32) -> bool {
        self.lists.is_in(id, SMALL) || self.lists.is_in(id, MAIN)
    }

    #[inline]
    fn hit(&mut self, of: Reference) {
        self.lists.set_mark(of.id, HITS_MAX.min(self.lists.mark(of.id) + 1));
    }

    #[inline]
    fn miss(&mut self, id: u32) {
        self.returns = self.lists.is_in(id, GHOST);
        if self.returns {
            self.lists.remove(id);
        }
    }

    fn evict(&mut self, _incoming: u32) -> u32 {
        let of_small = if self.lists.size(MAIN) > self.main_max { None } else { self.evict_small() };
        of_small.unwrap_or_else(|| self.evict_main())
    }

    #[inline]
    fn enter(&mut self, of: Reference) {
        self.lists.set_mark(of.id, 0);
        self.lists.push_front(if self.returns { MAIN } else { SMALL }, of.id);
    }
}
