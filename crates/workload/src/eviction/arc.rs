//! ARC: recency and frequency share the cache, and what leaves too early shifts the border.
//!
//! MODEL. T1 holds objects referenced once of late, T2 those referenced again, both LRU; B1 and B2 remember what left them.
//! T1's share of the cache is p: a reference to an object in B1 raises it, one to an object in B2 lowers it, by the ratio
//! of the two memories and no less than 1. T1 gives up an object when it has more than p (or just p, for an object of B2),
//! else T2. T1 with B1 takes no more than the cache, all four no more than twice that.
//! Source: ARC: A Self-Tuning, Low Overhead Replacement Cache (FAST 2003), figure 4.
//!
//! OBJECTS OF DIFFERENT SIZES. The paper knows pages only. Here shares are counted in bytes, each eviction forgets one
//! object at most, and p still moves by the ratio itself, in bytes: the counting by which miss counts of objects have been
//! published. Moving it by the size of the object makes other, not better, counts.

use super::lists::Lists;
use super::policy::{EMPTY, Policy, Reference};

const T1: u8 = 0;
const T2: u8 = 1;
const B1: u8 = 2;
const B2: u8 = 3;

/// Where the object that is about to enter is remembered.
#[derive(Clone, Copy, PartialEq)]
enum Memory {
    Nowhere,
    Recent,
    Frequent,
}

pub(super) struct Adaptive<'a> {
    lists: Lists<'a, 4>,
    capacity: u64,
    /// The share of T1.
    p: f64,
    incoming: Memory,
}

impl<'a> Adaptive<'a> {
    pub(super) fn new(objects: usize, sizes: &'a [u32], capacity: u64) -> Adaptive<'a> {
        Adaptive { lists: Lists::new(objects, sizes), capacity, p: 0.0, incoming: Memory::Nowhere }
    }

    /// How far p moves when the memory `of` was asked.
    fn step(&self, of: u8, other: u8) -> f64 {
        (self.lists.size(other) as f64 / self.lists.size(of) as f64).max(1.0)
    }

    /// Takes out the oldest of T1 or of T2, and remembers it.
    fn replace(&mut self) -> u32 {
        let recent = self.lists.size(T1) as f64;
        let is_over = recent > self.p || (recent == self.p && self.incoming == Memory::Frequent);
        let from_recent = self.lists.back(T2).is_none() || (is_over && self.lists.back(T1).is_some());
        let (from, memory) = if from_recent { (T1, B1) } else { (T2, B2) };
        let id = self.lists.pop_back(from).expect(EMPTY);
        self.lists.push_front(memory, id);
        id
    }
}

impl Policy for Adaptive<'_> {
    #[inline(always)]
    fn prefetch(&self, id: u32) {
        self.lists.prefetch(id);
    }

    #[inline(always)]
    fn holds(&self, id: u32) -> bool {
        self.lists.is_in(id, T1) || self.lists.is_in(id, T2)
    }

    #[inline]
    fn hit(&mut self, of: Reference) {
        self.lists.move_front(T2, of.id);
    }

    #[inline]
    fn miss(&mut self, id: u32) {
        self.incoming = Memory::Nowhere;
        if self.lists.is_in(id, B1) {
            self.p = (self.p + self.step(B1, B2)).min(self.capacity as f64);
            self.incoming = Memory::Recent;
        } else if self.lists.is_in(id, B2) {
            self.p = (self.p - self.step(B2, B1)).max(0.0);
            self.incoming = Memory::Frequent;
        }
        if self.incoming != Memory::Nowhere {
            self.lists.remove(id);
        }
    }

    fn evict(&mut self, incoming: u32) -> u32 {
        if self.incoming == Memory::Nowhere {
            let size = self.lists.size_of(incoming);
            let once = self.lists.size(T1) + self.lists.size(B1) + size;
            if once > self.capacity {
                if self.lists.pop_back(B1).is_none()
                    && let Some(id) = self.lists.pop_back(T1)
                {
                    return id;
                }
            } else if once + self.lists.size(T2) + self.lists.size(B2) > 2 * self.capacity {
                self.lists.pop_back(B2);
            }
        }
        self.replace()
    }

    #[inline]
    fn enter(&mut self, of: Reference) {
        self.lists.push_front(if self.incoming == Memory::Nowhere { T1 } else { T2 }, of.id);
    }
}
