//! Greedy: the block with the fewest valid pages, of equals the one that came to that count first.
//!
//! Blocks hang in one list for each count (Bux and Iliadis 2010 call the policy greedy; lists by count make it O(1)).
//! Only blocks with fewer than `bound` valid pages are listed: in steady state a victim is far emptier than a block just
//! written, so most overwrites touch no list at all. The choice is exactly that of full lists: should the lists run
//! empty, the bound is raised and the blocks below it are listed; it is lowered again when victims have become emptier.

use super::super::block::Blocks;

const NIL: u32 = u32::MAX;
/// Marks a block that hangs in no list.
const UNLISTED: u32 = u32::MAX - 1;

#[derive(Clone, Copy, Debug)]
struct Link {
    next: u32,
    previous: u32,
}

const EMPTY: Link = Link { next: NIL, previous: NIL };
const APART: Link = Link { next: UNLISTED, previous: UNLISTED };

/// Lists of blocks by valid pages.
#[derive(Clone, Debug)]
pub(super) struct Lists {
    /// Blocks with fewer valid pages than this are listed.
    pub(super) bound: u16,
    /// The most valid pages that a victim had since the bound was last reviewed.
    fullest: u16,
    /// Cleanings until the bound is reviewed.
    review_in: u32,
    links: Vec<Link>,
    groups: Vec<Group>,
}

#[derive(Clone, Debug)]
struct Group {
    /// First and last block of each count.
    buckets: Vec<Link>,
    /// No bucket below this one has a block.
    lowest: usize,
}

impl Lists {
    /// Lists for `groups` sets of blocks.
    pub(super) fn new(groups: usize, blocks: usize, pages_per_block: usize) -> Lists {
        let group = Group { buckets: vec![EMPTY; pages_per_block + 1], lowest: 0 };
        Lists {
            bound: 0,
            fullest: 0,
            review_in: blocks as u32,
            links: vec![APART; blocks],
            groups: vec![group; groups],
        }
    }

    /// Lists that stay empty, for who chooses in another way.
    pub(super) fn unused() -> Lists {
        Lists { bound: 0, fullest: 0, review_in: 0, links: Vec::new(), groups: Vec::new() }
    }

    /// Takes in one more block, open or free.
    pub(super) fn grow(&mut self) {
        self.links.push(APART);
    }

    /// A closed block lost a page.
    pub(super) fn fell(&mut self, group: usize, block: u32, valid: u16) {
        if self.links[block as usize].next != UNLISTED {
            self.unlink(group, block, valid + 1);
        }
        self.link(group, block, valid);
    }

    /// A block was closed.
    pub(super) fn close(&mut self, group: usize, block: u32, valid: u16) {
        if valid < self.bound {
            self.link(group, block, valid);
        }
    }

    /// Takes a block out of its list, if it hangs in one.
    pub(super) fn remove(&mut self, group: usize, block: u32, valid: u16) {
        if self.links[block as usize].next != UNLISTED {
            self.unlink(group, block, valid);
        }
    }

    /// Takes the emptiest block of a group out.
    pub(super) fn take(&mut self, group: usize, blocks: &Blocks) -> Option<u32> {
        let block = self.emptiest(group, blocks)?;
        let valid = blocks.valid[block as usize];
        self.unlink(group, block, valid);
        self.review(valid);
        Some(block)
    }

    fn emptiest(&mut self, group: usize, blocks: &Blocks) -> Option<u32> {
        loop {
            let lists = &mut self.groups[group];
            while lists.lowest < usize::from(self.bound) {
                let first = lists.buckets[lists.lowest].next;
                if first != NIL {
                    return Some(first);
                }
                lists.lowest += 1;
            }
            self.raise(group, blocks)?;
        }
    }

    /// Raises the bound until at least a sixteenth of the closed blocks of `group` lie below it, and lists, in every
    /// group, the blocks that then do.
    #[cold]
    fn raise(&mut self, group: usize, blocks: &Blocks) -> Option<()> {
        let mine = |block: &usize| blocks.closed[*block] && blocks.group(*block) == group;
        let mut counts: Vec<u16> = (0..blocks.len()).filter(mine).map(|block| blocks.valid[block]).collect();
        counts.sort_unstable();
        let bound = *counts.get(counts.len() / 16)? + 1;
        let below = std::mem::replace(&mut self.bound, bound);
        for block in 0..blocks.len() {
            if blocks.closed[block] && (below..bound).contains(&blocks.valid[block]) {
                self.link(blocks.group(block), block as u32, blocks.valid[block]);
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
        let pages = self.groups[0].buckets.len() - 1;
        let bound = (usize::from(self.fullest) + 2 + pages / 32) as u16;
        for count in bound..self.bound.max(bound) {
            for lists in &mut self.groups {
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

    fn link(&mut self, group: usize, block: u32, valid: u16) {
        let lists = &mut self.groups[group];
        let bucket = &mut lists.buckets[usize::from(valid)];
        self.links[block as usize] = Link { next: NIL, previous: bucket.previous };
        match bucket.previous {
            NIL => bucket.next = block,
            last => self.links[last as usize].next = block,
        }
        bucket.previous = block;
        lists.lowest = lists.lowest.min(usize::from(valid));
    }

    fn unlink(&mut self, group: usize, block: u32, valid: u16) {
        let bucket = &mut self.groups[group].buckets[usize::from(valid)];
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

    /// Bytes of memory held.
    pub(super) fn memory_bytes(&self) -> usize {
        let bucket = size_of::<Link>();
        let buckets: usize = self.groups.iter().map(|group| group.buckets.len()).sum();
        bucket * (buckets + self.links.len())
    }
}
