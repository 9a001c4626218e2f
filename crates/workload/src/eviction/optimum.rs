//! Belady's optimum: the object whose next reference is farthest away leaves.
//!
//! MODEL. Every next reference is known. No policy that must take in what it misses has fewer misses where all objects are
//! of one size (A Study of Replacement Algorithms for a Virtual-Storage Computer, IBM Systems Journal 1966); with sizes it
//! is a good policy and no bound. Objects that are not referenced again leave first, in the order of their last reference.
//!
//! The next references of the objects held are distinct places in the stream, so they are a set of bits, of which the highest is
//! requested: a tree of words, each bit of which says whether the word below it has any.
//!
//! MEMORY. 4 B a reference for the next ones, and an eighth of a byte for the bits.

use super::accesses::{Accesses, object};
use super::policy::{EMPTY, Policy, Reference};
use drivecast_block::prefetch;
use std::collections::VecDeque;

/// The next reference of an object that has none.
const NEVER: u32 = u32::MAX;

pub(super) struct Optimum<'a> {
    accesses: &'a Accesses,
    /// The next reference to the same object, by reference.
    next: Vec<u32>,
    held: Vec<bool>,
    coming: Bits,
    /// Objects held that are not referenced again.
    done: VecDeque<u32>,
}

impl<'a> Optimum<'a> {
    pub(super) fn new(accesses: &'a Accesses) -> Optimum<'a> {
        let mut latest = vec![NEVER; accesses.objects];
        let mut next = vec![NEVER; accesses.references.len()];
        for (at, reference) in accesses.references.iter().enumerate().rev() {
            next[at] = std::mem::replace(&mut latest[object(*reference) as usize], at as u32);
        }
        Optimum {
            accesses,
            next,
            held: vec![false; accesses.objects],
            coming: Bits::new(accesses.references.len()),
            done: VecDeque::new(),
        }
    }

    #[inline]
    fn expect(&mut self, of: Reference) {
        match self.next[of.at as usize] {
            NEVER => self.done.push_back(of.id),
            next => self.coming.insert(next),
        }
    }
}

impl Policy for Optimum<'_> {
    #[inline(always)]
    fn prefetch(&self, id: u32) {
        prefetch(&self.held, id as usize);
    }

    #[inline(always)]
    fn holds(&self, id: u32) -> bool {
        self.held[id as usize]
    }

    #[inline]
    fn hit(&mut self, of: Reference) {
        self.coming.remove(of.at);
        self.expect(of);
    }

    #[inline]
    fn evict(&mut self, _incoming: u32) -> u32 {
        let id = self.done.pop_front().unwrap_or_else(|| {
            let farthest = self.coming.highest().expect(EMPTY);
            self.coming.remove(farthest);
            object(self.accesses.references[farthest as usize])
        });
        self.held[id as usize] = false;
        id
    }

    #[inline]
    fn enter(&mut self, of: Reference) {
        self.held[of.id as usize] = true;
        self.expect(of);
    }
}

/// A set of numbers whose highest is known at once.
struct Bits {
    /// Words of the set first; then words of whose bits each says whether a word of the level before has any; one word last.
    levels: Vec<Vec<u64>>,
}

impl Bits {
    fn new(numbers: usize) -> Bits {
        let mut levels = vec![vec![0; numbers.div_ceil(64).max(1)]];
        while let Some(words) = levels.last().map(Vec::len).filter(|words| *words > 1) {
            levels.push(vec![0; words.div_ceil(64)]);
        }
        Bits { levels }
    }

    #[inline]
    fn insert(&mut self, number: u32) {
        let mut place = number as usize;
        for words in &mut self.levels {
            let word = &mut words[place / 64];
            let had_any = *word != 0;
            *word |= 1 << (place % 64);
            if had_any {
                break;
            }
            place /= 64;
        }
    }

    #[inline]
    fn remove(&mut self, number: u32) {
        let mut place = number as usize;
        for words in &mut self.levels {
            let word = &mut words[place / 64];
            *word &= !(1 << (place % 64));
            if *word != 0 {
                break;
            }
            place /= 64;
        }
    }

    #[inline]
    fn highest(&self) -> Option<u32> {
        let mut place = 0usize;
        for words in self.levels.iter().rev() {
            place = place * 64 + words[place].checked_ilog2()? as usize;
        }
        Some(place as u32)
    }
}
