//! Choices among all closed blocks in no order: d-choices, cost-benefit, and the last resort.
//!
//! d-choices (Van Houdt 2013): the emptiest of d blocks drawn at random, with replacement; d = 1 cleans at random.
//!
//! Cost-benefit (Rosenblum and Ousterhout 1992): the block with the most (1 − u)·age/(1 + u), u its valid share, age the
//! host pages written to the drive since it was opened. The log-structured file system takes the age of the data, which
//! copies keep; a drive knows that of the block. The score is computed for every closed block at every cleaning, exactly:
//! O(blocks of the die).

use super::super::block::Blocks;
use drivecast_block::random::Stream;
use rand::Rng;

/// Closed blocks, group by group.
#[derive(Clone, Debug)]
pub(super) struct Pools {
    members: Vec<Vec<u32>>,
    /// The index of each block in its group.
    position: Vec<u32>,
}

impl Pools {
    pub(super) fn new(groups: usize, blocks: usize) -> Pools {
        Pools { members: vec![Vec::new(); groups], position: vec![0; blocks] }
    }

    /// Takes in one more block, open or free.
    pub(super) fn grow(&mut self) {
        self.position.push(0);
    }

    pub(super) fn close(&mut self, group: usize, block: u32) {
        self.position[block as usize] = self.members[group].len() as u32;
        self.members[group].push(block);
    }

    pub(super) fn remove(&mut self, group: usize, block: u32) {
        let at = self.position[block as usize] as usize;
        self.members[group].swap_remove(at);
        if let Some(moved) = self.members[group].get(at) {
            self.position[*moved as usize] = at as u32;
        }
    }

    /// The emptiest of `choices` blocks drawn at random.
    pub(super) fn draw(
        &self,
        group: usize,
        blocks: &Blocks,
        choices: u32,
        random: &mut Stream,
    ) -> Option<u32> {
        let members = &self.members[group];
        let draw = |_| {
            let at = (u128::from(random.next_u64()) * members.len() as u128) >> 64;
            members.get(at as usize).copied()
        };
        (0..choices).filter_map(draw).min_by_key(|block| blocks.valid[*block as usize])
    }

    /// The block that is worth cleaning most at the time `now`, with `pages` pages a block.
    pub(super) fn worthiest(&self, group: usize, blocks: &Blocks, now: u32, pages: u32) -> Option<u32> {
        let score = |block: &u32| {
            let valid = u32::from(blocks.valid[*block as usize]);
            let age = now.wrapping_sub(blocks.opened[*block as usize]);
            (pages - valid) as f32 * (age as f32 + 1.0) / (pages + valid) as f32
        };
        let scored = self.members[group].iter().map(|block| (score(block), *block));
        scored.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, block)| block)
    }

    /// Bytes of memory held.
    pub(super) fn memory_bytes(&self) -> usize {
        4 * (self.position.len() + self.members.iter().map(Vec::capacity).sum::<usize>())
    }
}
