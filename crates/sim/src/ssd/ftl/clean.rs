//! Opening blocks, cleaning others to have them, and moving data for the sake of wear.

use super::{Cleaned, Ftl, FtlFault, Sink};

impl Ftl {
    /// Opens the next block of a point, and cleans until as many blocks of the die are free as it keeps. Whether it could.
    #[inline(never)]
    pub(super) fn open(&mut self, point: usize, sink: &mut impl Sink) -> bool {
        if self.fault.is_some() {
            return false;
        }
        let die = point / self.points_per_die;
        let mut futile = 0;
        while self.append_points[point].pages_left == 0 {
            if !self.advance(point) {
                return self.fail(die);
            }
            while self.dies[die].free.len() < self.free_min {
                match self.collect(point, futile, sink) {
                    Some(copies) => futile += u32::from(copies == self.pages_per_block),
                    None => return self.fail(die),
                }
            }
        }
        if self.levels {
            self.level(die, sink);
        }
        self.fault.is_none()
    }

    /// Cleans a block of a die ahead of need, if fewer than `reserve` of its blocks are free and cleaning can gain one.
    /// Whether it did.
    pub fn clean_ahead(&mut self, die: usize, reserve: usize, sink: &mut impl Sink) -> bool {
        let state = &self.dies[die];
        let written = (state.blocks as usize - state.retired.len() - state.free.len()) as u64;
        let stale = (written * u64::from(self.pages_per_block)).saturating_sub(self.live_on(die));
        // Pages of open blocks count as stale here, though they are not; there is one such block a stream at most.
        let gain = stale / u64::from(self.pages_per_block) > self.points_per_die as u64;
        self.fault.is_none()
            && state.free.len() < reserve
            && gain
            && self.collect(die * self.points_per_die, 0, sink).is_some()
    }

    /// Takes note that a die cannot clean.
    #[cold]
    fn fail(&mut self, die: usize) -> bool {
        let state = &self.dies[die];
        self.fault = Some(FtlFault::NoFreeBlock {
            die,
            live_pages: self.live_on(die),
            pages: u64::from(state.blocks - state.retired.len() as u32) * u64::from(self.pages_per_block),
        });
        false
    }

    /// Closes the open block of a point and starts a free one. Whether there was one.
    fn advance(&mut self, point: usize) -> bool {
        if let Some(full) = self.append_points[point].open.take() {
            self.victims.close(&mut self.blocks, full);
        }
        let free = &mut self.dies[point / self.points_per_die].free;
        let levelling = self.levels && point % self.points_per_die == self.points_per_die - 1;
        let Some((_, _, block)) = (if levelling { free.pop_last() } else { free.pop_first() }) else {
            return false;
        };
        self.start(point, block);
        true
    }

    fn start(&mut self, point: usize, block: u32) {
        let b = self.pages_per_block as usize;
        let words = &mut self.current[block as usize * self.words_per_block..][..self.words_per_block];
        words.fill(u64::MAX);
        if !b.is_multiple_of(64) {
            words[b / 64] = (1 << (b % 64)) - 1;
        }
        self.blocks.valid[block as usize] = b as u16;
        self.blocks.point[block as usize] = point as u16;
        self.blocks.open(block as usize, self.now());
        let append = &mut self.append_points[point];
        append.open = Some(block);
        append.next = block << self.page_bits;
        append.behind = block as usize * b;
        append.pages_left = b as u32;
        append.opened += 1;
        append.blocks += 1;
    }

    /// Cleans a block of a die, because one of its append points needs a block; the pages copied. `futile` counts full blocks
    /// cleaned for the same sake: if these are so many that the policy must have gone astray among them, the emptiest block
    /// is taken. None if nothing can be gained.
    fn collect(&mut self, needing: usize, futile: u32, sink: &mut impl Sink) -> Option<u32> {
        let die = needing / self.points_per_die;
        let patience =
            if self.split.is_some() { 2 * self.points_per_die as u32 } else { self.dies[die].blocks };
        let chosen = if futile < patience { self.choose(die, needing % self.points_per_die) } else { None };
        let victim = match chosen {
            Some(victim) => victim,
            None => {
                let closed = self.closed_of(die).min_by_key(|&block| self.blocks.valid[block]);
                let is_of_use = |block: &usize| u32::from(self.blocks.valid[*block]) < self.pages_per_block;
                let victim = closed.filter(is_of_use)?;
                self.victims.remove(&mut self.blocks, victim as u32);
                victim
            }
        };
        let to = self.point_of_copies(victim);
        self.relocate(victim, to, sink)
    }

    /// The block that the policy would clean.
    fn choose(&mut self, die: usize, needing: usize) -> Option<usize> {
        let group = match self.split.take() {
            None => die,
            Some(mut split) => {
                let of_die = die * self.points_per_die..(die + 1) * self.points_per_die;
                let closed = |index: usize| self.victims.closed(die * self.points_per_die + index) > 0;
                let point =
                    split.fullest(die, needing, &self.append_points[of_die], self.pages_per_block, closed);
                self.split = Some(split);
                die * self.points_per_die + point?
            }
        };
        let now = self.now();
        self.victims.take(group, &mut self.blocks, now).map(|block| block as usize)
    }

    /// The closed blocks of a die, counted over all dies.
    fn closed_of(&self, die: usize) -> impl Iterator<Item = usize> {
        let is_mine = move |&block: &usize| {
            self.blocks.closed[block] && usize::from(self.blocks.point[block]) / self.points_per_die == die
        };
        (0..self.blocks.len()).filter(is_mine)
    }

    /// Copies what is valid in a block to the append point of a point of the same die, and erases it. The pages copied; none
    /// if there was no block to take them.
    fn relocate(&mut self, victim: usize, to: usize, sink: &mut impl Sink) -> Option<u32> {
        let words = victim * self.words_per_block..(victim + 1) * self.words_per_block;
        let first = victim * self.pages_per_block as usize;
        self.reverse.prefetch(first);
        self.moving.clear();
        for (i, &word) in self.current[words.clone()].iter().enumerate() {
            let mut left = word;
            while left != 0 {
                let slot = self.reverse.get(first + 64 * i + left.trailing_zeros() as usize);
                self.map.prefetch_slot(slot);
                self.moving.push(slot);
                left &= left - 1;
            }
        }
        let copies = self.moving.len();
        let mut moved = 0;
        while moved < copies {
            if self.append_points[to].pages_left == 0 && !self.advance(to) {
                return None;
            }
            moved += self.append(to, moved, victim);
        }
        let from = &mut self.append_points[usize::from(self.blocks.point[victim])];
        from.live -= copies as u64;
        from.blocks -= 1;
        self.stats.copied_pages += copies as u64;
        let die = to / self.points_per_die;
        self.erase(die, victim);
        let copies = copies as u32;
        sink.cleaned(Cleaned { die, block: victim as u32, copies, valid: &self.current[words] });
        Some(copies)
    }

    /// Puts pages that are being moved, from the `from`th on, at an append point; how many found a place.
    fn append(&mut self, point: usize, from: usize, victim: usize) -> usize {
        let append = &mut self.append_points[point];
        let count = (self.moving.len() - from).min(append.pages_left as usize);
        let moving = &self.moving[from..from + count];
        self.reverse.set_run(append.behind, moving);
        for (place, &slot) in (append.next..).zip(moving) {
            self.map.set(slot, place);
        }
        append.next += count as u32;
        append.behind += count;
        append.pages_left -= count as u32;
        append.live += count as u64;
        append.copied += count as u64;
        if let (Some(open), Some(&written)) = (append.open, self.blocks.written.get(victim)) {
            self.blocks.mix_in(open as usize, written, count as u32, self.pages_per_block);
        }
        count
    }

    /// Erases a block, which sets it free, or, if that fails, out of use.
    fn erase(&mut self, die: usize, block: usize) {
        self.blocks.erased[block] += 1;
        self.stats.erases += 1;
        let state = &mut self.dies[die];
        let fails = !state.free.is_empty() && self.failures.as_mut().is_some_and(|failures| failures.next());
        if fails {
            self.retire(die, block);
            return;
        }
        let wear = if self.by_wear { self.blocks.erased[block] } else { 0 };
        state.free.insert((wear, state.sequence, block as u32));
        state.sequence += 1;
    }

    /// Takes a block out of use. The drive is at its end once what is left of the die cannot hold its share of the data.
    #[cold]
    fn retire(&mut self, die: usize, block: usize) {
        let state = &mut self.dies[die];
        state.retired.push(block as u32);
        self.stats.retired_blocks += 1;
        let left = u64::from(state.blocks) - state.retired.len() as u64;
        let usable = left.saturating_sub(u64::from(self.reserved_blocks)) * u64::from(self.pages_per_block);
        let share = self.planned.div_ceil(self.dies.len() as u64);
        if usable < share + u64::from(self.stripe) {
            self.fault = Some(FtlFault::NoReserve { die, retired_blocks: self.stats.retired_blocks });
        }
    }

    /// Static wear levelling: if the most worn free block of a die is too far ahead of the least worn block with data,
    /// that data moves to the most worn free blocks, into a stream of its own, and its block comes back into rotation.
    fn level(&mut self, die: usize, sink: &mut impl Sink) {
        let Some(&(most, ..)) = self.dies[die].free.last() else { return };
        if most <= self.dies[die].least + self.wear_spread {
            return;
        }
        let Some(coldest) = self.closed_of(die).min_by_key(|&block| self.blocks.erased[block]) else {
            return;
        };
        self.dies[die].least = self.blocks.erased[coldest];
        if most <= self.dies[die].least + self.wear_spread {
            return;
        }
        self.victims.remove(&mut self.blocks, coldest as u32);
        match self.relocate(coldest, (die + 1) * self.points_per_die - 1, sink) {
            Some(copies) => self.stats.levelled_pages += u64::from(copies),
            None => drop(self.fail(die)),
        }
    }
}
