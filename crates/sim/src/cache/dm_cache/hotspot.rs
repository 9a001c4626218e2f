//! Which blocks that are not cached deserve to be: dm-cache's policy `smq`.
//!
//! Blocks of the slow device are watched in hotspots of 16 blocks, or fewer where those would cover more than the device; there are
//! a quarter as many as blocks in the cache, at least 1,024. A hotspot that is used rises in a queue of 64 levels, once a second
//! at most, by 1, 2 or 4 levels: the more, the worse the queue predicts. It predicts well if at least an eighth of the
//! uses are of the upper quarter of its levels, and badly if at most a sixteenth.
//!
//! A block is let in when its hotspot is among the top levels: 32 of them while the cache has free blocks, else 1 to 8, most
//! when every second piece hits; half or a quarter of that where the queue predicts less well. For writes two fewer.

use super::levels::{LEVELS, Levels};
use crate::cache::index::{Index, NONE};
use drivecast_block::{Nanos, Op};

/// Top levels that are let in, by sixteenths of hits.
const TOP: [usize; 17] = [1, 1, 1, 2, 4, 6, 7, 8, 7, 6, 4, 4, 3, 3, 2, 2, 1];
const PER_HOTSPOT: u64 = 16;
const HOTSPOTS_MIN: u64 = 1024;
const PERIOD: Nanos = Nanos::from_ms(1000);

/// Uses of a queue's upper levels, and others.
#[derive(Clone, Copy, Default)]
pub(super) struct Uses {
    hits: u64,
    misses: u64,
}

impl Uses {
    /// Counts a use of a level; none: of what is not in the queue.
    pub(super) fn count(&mut self, level: Option<usize>) {
        if level.is_some_and(|level| level >= LEVELS * 3 / 4) {
            self.hits += 1;
        } else {
            self.misses += 1;
        }
    }

    fn sixteenths(self) -> usize {
        (16 * self.hits).checked_div(self.hits + self.misses).unwrap_or(0) as usize
    }

    /// How much less is done where the queue predicts badly: by 1, 2 or 4.
    fn caution(self) -> usize {
        match self.sixteenths() {
            0 | 1 => 4,
            2 => 2,
            _ => 1,
        }
    }
}

/// The hotspots; see the module.
#[derive(Clone)]
pub(super) struct Hotspots {
    /// Blocks of a hotspot.
    blocks: u64,
    most: u32,
    index: Index,
    queue: Levels,
    /// By slot: whether it was used in this period.
    is_used: Vec<bool>,
    uses: Uses,
    rises: usize,
    period_ends: Nanos,
}

impl Hotspots {
    /// Hotspots for so many blocks of a cache before so many.
    pub(super) fn new(cached: u64, origin: u64) -> Hotspots {
        let most = (cached / 4).max(HOTSPOTS_MIN);
        let mut blocks = PER_HOTSPOT;
        while blocks > 1 && blocks * most > origin {
            blocks /= 2;
        }
        Hotspots {
            blocks,
            most: u32::try_from(most).unwrap_or(u32::MAX - 1),
            index: Index::new(),
            queue: Levels::new(),
            is_used: Vec::new(),
            uses: Uses::default(),
            rises: 1,
            period_ends: PERIOD,
        }
    }

    /// Notes that a block is used; the level of its hotspot.
    pub(super) fn used(&mut self, now: Nanos, block: u64) -> usize {
        if now >= self.period_ends {
            self.end_period(now);
        }
        let hotspot = block / self.blocks;
        let found = self.index.find(hotspot);
        if found != NONE {
            self.uses.count(Some(self.queue.level(found)));
            let was_used = std::mem::replace(&mut self.is_used[found as usize], true);
            self.queue.hit(found, if was_used { 0 } else { self.rises });
            return self.queue.level(found);
        }
        self.uses.count(None);
        let slot = if (self.is_used.len() as u32) < self.most {
            self.is_used.push(false);
            self.is_used.len() as u32 - 1
        } else {
            let coldest = self.queue.coldest();
            self.queue.remove(coldest);
            self.index.remove(coldest);
            self.is_used[coldest as usize] = false;
            coldest
        };
        self.index.insert(slot, hotspot);
        self.queue.push(slot, 0);
        0
    }

    fn end_period(&mut self, now: Nanos) {
        self.period_ends = now + PERIOD;
        self.is_used.fill(false);
        self.rises = self.uses.caution();
        self.queue.level_out();
        self.uses = Uses::default();
    }

    /// Whether a block whose hotspot has this level is let in; `hits` of the cache.
    pub(super) fn lets_in(&self, op: Op, level: usize, hits: Uses, has_free: bool) -> bool {
        let top = if has_free { LEVELS / 2 } else { TOP[hits.sixteenths()] };
        let least = LEVELS - top / self.uses.caution();
        level >= least + if op == Op::Write { 2 } else { 0 }
    }

    /// Memory that it takes.
    pub(super) fn bytes(&self) -> usize {
        self.index.bytes() + self.queue.bytes() + self.is_used.len()
    }
}

#[cfg(test)]
mod tests {
    use super::{Hotspots, Uses};
    use drivecast_block::{Nanos, Op};

    #[test]
    fn what_is_used_every_second_is_let_in_and_what_is_used_once_is_not() {
        let mut hotspots = Hotspots::new(10_000, 1_000_000);
        let mut levels = (0, 0);
        for second in 0..200 {
            let now = Nanos::from_ms(1000 * second);
            (0..50).for_each(|block| levels.0 = hotspots.used(now, 100 + block));
            (0..50).for_each(|block| levels.1 = hotspots.used(now, 200_000 + 16 * (50 * second + block)));
        }
        assert!(levels.0 >= 60 && levels.1 == 0, "{levels:?}");
        let some = Uses { hits: 7, misses: 9 };
        assert!(hotspots.lets_in(Op::Read, levels.0, some, false));
        assert!(!hotspots.lets_in(Op::Read, levels.1, some, true));
        assert!(
            !hotspots.lets_in(Op::Write, 63, Uses { hits: 0, misses: 1 }, false),
            "two levels more than there are"
        );
    }
}
