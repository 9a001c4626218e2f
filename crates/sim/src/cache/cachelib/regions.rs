//! The engine for large objects: a log of regions, each written once it is full.
//!
//! Objects are put into an open region in memory, one behind the other. A full one is written in one sequence, and another is
//! opened: one never used, or else the oldest, or the least recently hit, which is given up with all that it holds. It is
//! read for that, as its objects are only named on flash. Of these, some may go into the open region again (reinsertion).
//!
//! An object takes its header of 32 bytes, its key, and itself, up to the next multiple of 512 bytes. Which object is where is known in
//! memory, so only what is there is read. Where an object was, nothing is until its region is written again.

use super::buckets::KEY;
use crate::cache::chain::Chain;
use crate::cache::index::{Index, NONE};
use crate::spec::CacheLibSpec;

const HEADER: u64 = 32;
const ALIGN: u64 = 512;
/// A place without an object; else one more than its hits.
const EMPTY: u8 = 0;

/// What an insertion does on flash, in this order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Turn {
    /// The region to be written.
    pub(super) full: Option<u32>,
    /// The region to be read, since it is given up.
    pub(super) given_up: Option<u32>,
}

/// The regions; see the module.
#[derive(Clone)]
pub(super) struct Regions {
    /// Bytes that an object takes.
    pub(super) place: u64,
    /// Objects of a region.
    per: u32,
    most: u32,
    /// Regions that were ever opened.
    opened: u32,
    open: u32,
    filled: u32,
    /// Regions that are written, the one to be given up first.
    order: Chain,
    is_lru: bool,
    reinsertion: Option<u8>,
    index: Index,
    /// By place: whether it holds an object, and its hits.
    hits: Vec<u8>,
    all: u64,
}

impl Regions {
    pub(super) fn new(spec: &CacheLibSpec, size: u64) -> Regions {
        let place = (HEADER + KEY + u64::from(spec.object)).next_multiple_of(ALIGN);
        let per = (u64::from(spec.region) / place).max(1) as u32;
        Regions {
            place,
            per,
            most: (size / u64::from(spec.region)).clamp(2, u64::from((NONE - 1) / per)) as u32,
            opened: 1,
            open: 0,
            filled: 0,
            order: Chain::new(),
            is_lru: spec.lru,
            reinsertion: spec.reinsertion_hits,
            index: Index::new(),
            hits: Vec::new(),
            all: 0,
        }
    }

    #[inline]
    pub(super) fn expect(&self, object: u64) {
        self.index.expect(object);
    }

    /// The region of an object, and which of its objects it is.
    pub(super) fn find(&self, object: u64) -> Option<(u32, u32)> {
        let place = self.index.find(object);
        (place != NONE).then(|| (place / self.per, place % self.per))
    }

    /// Whether a region is in memory, still to be written.
    pub(super) fn is_open(&self, region: u32) -> bool {
        region == self.open
    }

    /// Counts a hit of an object that is there.
    pub(super) fn hit(&mut self, object: u64) {
        let place = self.index.find(object);
        let hits = &mut self.hits[place as usize];
        *hits = hits.saturating_add(1);
        if self.is_lru && place / self.per != self.open {
            self.order.append(place / self.per);
        }
    }

    /// Puts an object, which is not there, into the open region; what is to be done on flash if that is full then.
    pub(super) fn put(&mut self, object: u64) -> Turn {
        self.fill(object);
        if self.filled < self.per { Turn::default() } else { self.turn() }
    }

    fn fill(&mut self, object: u64) {
        let place = self.open * self.per + self.filled;
        if self.hits.len() <= place as usize {
            self.hits.resize(place as usize + 1, EMPTY);
        }
        self.index.insert(place, object);
        self.hits[place as usize] = 1;
        self.all += 1;
        self.filled += 1;
    }

    /// The open region is full: another one is opened.
    fn turn(&mut self) -> Turn {
        let full = Some(self.open);
        self.order.append(self.open);
        self.filled = 0;
        if self.opened < self.most {
            self.open = self.opened;
            self.opened += 1;
            return Turn { full, given_up: None };
        }
        self.open = self.order.first();
        self.order.remove(self.open);
        self.give_up();
        Turn { full, given_up: Some(self.open) }
    }

    /// Empties the open region, but for what is put into it again: never all of it.
    fn give_up(&mut self) {
        let first = self.open * self.per;
        for place in first..first + self.per {
            let hits = self.hits[place as usize];
            if hits == EMPTY {
                continue;
            }
            let object = self.index.block(place);
            self.void(place);
            // What goes in again lies no further back than it did, so no place is overwritten before its turn.
            if self.reinsertion.is_some_and(|least| hits > least) && self.filled + 1 < self.per {
                self.fill(object);
            }
        }
    }

    fn void(&mut self, place: u32) {
        self.index.remove(place);
        self.hits[place as usize] = EMPTY;
        self.all -= 1;
    }

    /// Takes an object out, if it is there.
    pub(super) fn take(&mut self, object: u64) {
        let place = self.index.find(object);
        if place != NONE {
            self.void(place);
        }
    }

    /// Objects that it holds.
    pub(super) fn held(&self) -> u64 {
        self.all
    }

    /// Memory that they take.
    pub(super) fn bytes(&self) -> usize {
        self.index.bytes() + self.hits.len() + self.order.bytes()
    }
}
