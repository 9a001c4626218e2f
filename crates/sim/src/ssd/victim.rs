//! Which block to clean.
//!
//! Closed blocks fall into groups, one a die, or one for each stream of a die where each has its own share of the spare.
//! Cleaning names a group, and gets the block that the policy prefers in it; each policy has its file.

mod greedy;
mod oldest;
mod pool;

use self::greedy::Lists;
use self::oldest::Queues;
use self::pool::Pools;
use super::block::Blocks;
use super::policy::Policy;
use crate::spec::GarbageCollection;
use drivecast_block::random::{Stream, stream};

/// The closed blocks of all groups, in order of cleaning.
#[derive(Clone, Debug)]
pub(super) struct Victims {
    /// Used under greedy only, and empty else: an overwrite looks here, whatever the policy.
    lists: Lists,
    order: Order,
    /// Closed blocks of each group.
    closed: Vec<u32>,
    pages_per_block: u32,
}

#[derive(Clone, Debug)]
enum Order {
    Emptiest,
    Oldest(Queues),
    Drawn(Pools, u32, Box<Stream>),
    Worthiest(Pools),
}

impl Victims {
    pub(super) fn new(policy: &Policy, groups: usize, blocks: usize, pages_per_block: u32) -> Victims {
        let order = match policy.gc {
            GarbageCollection::Greedy => Order::Emptiest,
            GarbageCollection::Fifo => Order::Oldest(Queues::new(groups, 1)),
            GarbageCollection::WindowedGreedy => Order::Oldest(Queues::new(groups, policy.gc_window)),
            GarbageCollection::DChoices => {
                let random = Box::new(stream(policy.seed, "ssd.victims"));
                Order::Drawn(Pools::new(groups, blocks), policy.gc_choices, random)
            }
            GarbageCollection::CostBenefit => Order::Worthiest(Pools::new(groups, blocks)),
        };
        let lists = match order {
            Order::Emptiest => Lists::new(groups, blocks, pages_per_block as usize),
            _ => Lists::unused(),
        };
        Victims { lists, order, closed: vec![0; groups], pages_per_block }
    }

    /// Takes in one more block, open or free.
    pub(super) fn grow(&mut self) {
        match &mut self.order {
            Order::Emptiest => self.lists.grow(),
            Order::Oldest(_) => {}
            Order::Drawn(pools, ..) | Order::Worthiest(pools) => pools.grow(),
        }
    }

    /// Blocks of a group that may be cleaned.
    pub(super) fn closed(&self, group: usize) -> u32 {
        self.closed[group]
    }

    /// Whether a block with this many valid pages left must be reported to [`Victims::fell`].
    #[inline]
    pub(super) fn is_near(&self, valid: u16) -> bool {
        valid < self.lists.bound
    }

    /// A block lost a page.
    pub(super) fn fell(&mut self, blocks: &Blocks, block: u32) {
        if blocks.closed[block as usize] {
            self.lists.fell(blocks.group(block as usize), block, blocks.valid[block as usize]);
        }
    }

    /// A block was written to its end.
    pub(super) fn close(&mut self, blocks: &mut Blocks, block: u32) {
        let group = blocks.group(block as usize);
        blocks.closed[block as usize] = true;
        self.closed[group] += 1;
        match &mut self.order {
            Order::Emptiest => self.lists.close(group, block, blocks.valid[block as usize]),
            Order::Oldest(queues) => queues.close(group, block),
            Order::Drawn(pools, ..) | Order::Worthiest(pools) => pools.close(group, block),
        }
    }

    /// Takes out the block of `group` to clean at the time `now`.
    pub(super) fn take(&mut self, group: usize, blocks: &mut Blocks, now: u32) -> Option<u32> {
        let block = match &mut self.order {
            Order::Emptiest => self.lists.take(group, blocks)?,
            Order::Oldest(queues) => queues.take(group, blocks)?,
            Order::Drawn(pools, choices, random) => {
                let block = pools.draw(group, blocks, *choices, random)?;
                pools.remove(group, block);
                block
            }
            Order::Worthiest(pools) => {
                let block = pools.worthiest(group, blocks, now, self.pages_per_block)?;
                pools.remove(group, block);
                block
            }
        };
        self.closed[group] -= 1;
        blocks.closed[block as usize] = false;
        Some(block)
    }

    /// Takes out a closed block that was chosen elsewhere.
    pub(super) fn remove(&mut self, blocks: &mut Blocks, block: u32) {
        let (group, valid) = (blocks.group(block as usize), blocks.valid[block as usize]);
        match &mut self.order {
            Order::Emptiest => self.lists.remove(group, block, valid),
            Order::Oldest(queues) => queues.remove(group, block),
            Order::Drawn(pools, ..) | Order::Worthiest(pools) => pools.remove(group, block),
        }
        self.closed[group] -= 1;
        blocks.closed[block as usize] = false;
    }

    /// Bytes of memory held.
    pub(super) fn memory_bytes(&self) -> usize {
        let order = match &self.order {
            Order::Emptiest => 0,
            Order::Oldest(queues) => queues.memory_bytes(),
            Order::Drawn(pools, ..) | Order::Worthiest(pools) => pools.memory_bytes(),
        };
        self.lists.memory_bytes() + order
    }
}
