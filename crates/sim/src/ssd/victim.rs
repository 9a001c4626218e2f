//! Which block to clean.
//!
//! Greedy: the closed block with the fewest valid pages, of equals the one that came to that count first.
//! Blocks hang in one list for each count (Bux and Iliadis 2010 call the policy greedy; lists by count make
//! it O(1)). Only blocks with at most `limit` valid pages are listed: in steady state a victim is far emptier
//! than a block just written, so most overwrites touch no list at all. The choice is exactly that of full
//! lists: should the lists run empty, the limit is raised and the blocks below it are listed; it is lowered
//! again when victims have become emptier.
//!
//! FIFO: the block closed longest ago.

use crate::spec::GarbageCollection;
use std::collections::VecDeque;

const NIL: u32 = u32::MAX;
/// Marks a block that hangs in no list.
const UNLISTED: u32 = u32::MAX - 1;

#[derive(Clone, Copy, Debug)]
struct Link {
    next: u32,
    previous: u32,
}

/// The closed blocks of all dies, in order of cleaning.
#[derive(Debug)]
pub(super) struct Victims {
    policy: GarbageCollection,
    /// Blocks with fewer valid pages than this are listed; 0 under FIFO.
    bound: u16,
    /// The most valid pages that a victim had since the bound was last reviewed.
    fullest: u16,
    /// Cleanings until the bound is reviewed.
    review_in: u32,
    /// Whether a block is closed and so may be cleaned.
    closed: Vec<bool>,
    links: Vec<Link>,
    dies: Vec<DieLists>,
}

#[derive(Debug)]
struct DieLists {
    /// First and last block of each count, greedy.
    buckets: Vec<Link>,
    /// No bucket below this one has a block.
    lowest: usize,
    /// Closed blocks by age, FIFO.
    queue: VecDeque<u32>,
}

impl Victims {
    pub(super) fn new(
        policy: GarbageCollection,
        dies: usize,
        blocks: usize,
        pages_per_block: usize,
    ) -> Victims {
        let empty = Link { next: NIL, previous: NIL };
        let (buckets, queue) = match policy {
            GarbageCollection::Greedy => (vec![empty; pages_per_block + 1], VecDeque::new()),
            GarbageCollection::Fifo => (Vec::new(), VecDeque::with_capacity(blocks / dies)),
        };
        let lists = DieLists { buckets, lowest: 0, queue };
        Victims {
            policy,
            bound: 0,
            fullest: 0,
            review_in: blocks as u32,
            closed: vec![false; blocks],
            links: vec![Link { next: UNLISTED, previous: UNLISTED }; blocks],
            dies: (0..dies)
                .map(|_| DieLists { queue: lists.queue.clone(), buckets: lists.buckets.clone(), lowest: 0 })
                .collect(),
        }
    }

    /// Takes in one more block, open or free.
    pub(super) fn grow(&mut self) {
        self.closed.push(false);
        self.links.push(Link { next: UNLISTED, previous: UNLISTED });
    }

    /// Blocks that may be cleaned.
    pub(super) fn closed(&self) -> usize {
        self.closed.iter().filter(|closed| **closed).count()
    }

    /// Whether a block with this many valid pages left must be told to [`Victims::fell`].
    #[inline]
    pub(super) fn is_near(&self, valid: u16) -> bool {
        valid < self.bound
    }

    /// A block of `die` lost a page and now has `valid`.
    pub(super) fn fell(&mut self, die: usize, block: u32, valid: u16) {
        if !self.closed[block as usize] {
            return;
        }
        if self.links[block as usize].next != UNLISTED {
            self.unlink(die, block, valid + 1);
        }
        self.link(die, block, valid);
    }

    /// A block of `die` was written to its end.
    pub(super) fn close(&mut self, die: usize, block: u32, valid: u16) {
        self.closed[block as usize] = true;
        match self.policy {
            GarbageCollection::Greedy if valid < self.bound => self.link(die, block, valid),
            GarbageCollection::Greedy => {}
            GarbageCollection::Fifo => self.dies[die].queue.push_back(block),
        }
    }

    /// Takes out the block of `die` to clean now. `valid` counts the valid pages of each block, `die_of`
    /// names its die.
    pub(super) fn take(&mut self, die: usize, valid: &[u16], die_of: &[u16]) -> Option<u32> {
        let block = match self.policy {
            GarbageCollection::Fifo => self.dies[die].queue.pop_front()?,
            GarbageCollection::Greedy => {
                let block = self.emptiest(die, valid, die_of)?;
                self.unlink(die, block, valid[block as usize]);
                self.review(valid[block as usize]);
                block
            }
        };
        self.closed[block as usize] = false;
        Some(block)
    }

    fn emptiest(&mut self, die: usize, valid: &[u16], die_of: &[u16]) -> Option<u32> {
        loop {
            let lists = &mut self.dies[die];
            while lists.lowest < usize::from(self.bound) {
                let first = lists.buckets[lists.lowest].next;
                if first != NIL {
                    return Some(first);
                }
                lists.lowest += 1;
            }
            self.raise(die, valid, die_of)?;
        }
    }

    /// Raises the bound until at least a sixteenth of the closed blocks of `die` lie below it, and lists, on
    /// every die, the blocks that then do.
    #[cold]
    fn raise(&mut self, die: usize, valid: &[u16], die_of: &[u16]) -> Option<()> {
        let mine = |block: &usize| self.closed[*block] && usize::from(die_of[*block]) == die;
        let mut counts: Vec<u16> = (0..valid.len()).filter(mine).map(|block| valid[block]).collect();
        counts.sort_unstable();
        let bound = *counts.get(counts.len() / 16)? + 1;
        let below = std::mem::replace(&mut self.bound, bound);
        for block in 0..valid.len() {
            if self.closed[block] && (below..bound).contains(&valid[block]) {
                self.link(usize::from(die_of[block]), block as u32, valid[block]);
            }
        }
        Some(())
    }

    /// Lowers the bound if, over as many cleanings as there are blocks, no victim came near it.
    fn review(&mut self, valid: u16) {
        self.fullest = self.fullest.max(valid);
        self.review_in -= 1;
        if self.review_in > 0 {
            return;
        }
        let pages = self.dies[0].buckets.len() - 1;
        let bound = (usize::from(self.fullest) + 2 + pages / 32) as u16;
        for count in bound..self.bound.max(bound) {
            for lists in &mut self.dies {
                let bucket = &mut lists.buckets[usize::from(count)];
                let mut block = std::mem::replace(&mut bucket.next, NIL);
                bucket.previous = NIL;
                while block != NIL {
                    let link = &mut self.links[block as usize];
                    block = std::mem::replace(&mut link.next, UNLISTED);
                }
            }
        }
        self.bound = self.bound.min(bound);
        self.fullest = 0;
        self.review_in = self.links.len() as u32;
    }

    fn link(&mut self, die: usize, block: u32, valid: u16) {
        let lists = &mut self.dies[die];
        let bucket = &mut lists.buckets[usize::from(valid)];
        self.links[block as usize] = Link { next: NIL, previous: bucket.previous };
        match bucket.previous {
            NIL => bucket.next = block,
            last => self.links[last as usize].next = block,
        }
        bucket.previous = block;
        lists.lowest = lists.lowest.min(usize::from(valid));
    }

    fn unlink(&mut self, die: usize, block: u32, valid: u16) {
        let bucket = &mut self.dies[die].buckets[usize::from(valid)];
        let Link { next, previous } = self.links[block as usize];
        match previous {
            NIL => bucket.next = next,
            block => self.links[block as usize].next = next,
        }
        match next {
            NIL => bucket.previous = previous,
            block => self.links[block as usize].previous = previous,
        }
        self.links[block as usize].next = UNLISTED;
    }
}
