//! The lines of a cache: which block each holds, the clean ones in order of use, the dirty ones in order of writing.
//!
//! Any block may lie in any line. A block that needs one is given that of the clean block used longest ago; a dirty one that has been
//! written to the slow device counts as used then. A line is made when the first block needs it, so memory follows what was ever cached: 28 bytes a
//! line, and its part of the index.

use crate::cache::chain::Chain;
use crate::cache::index::{Index, NONE};

/// The line holds a block. Without it, and without [`FILLING`], the line is void: it has a block, but not its data.
pub(super) const VALID: u8 = 1;
/// The block is newer than that on the slow device.
pub(super) const DIRTY: u8 = 2;
/// The block is on its way to the slow device.
pub(super) const CLEANING: u8 = 4;
/// It was written again meanwhile.
pub(super) const WRITTEN: u8 = 8;
/// What was read of the slow device is on its way into the line.
pub(super) const FILLING: u8 = 16;

/// Lines searched for one that may make way.
const SEARCHED: usize = 256;
/// A line with one of these may not make way.
const HELD: u8 = DIRTY | CLEANING | FILLING;

/// A line.
#[derive(Clone, Copy, Default)]
pub(super) struct Line {
    /// When it was last used, in seconds.
    pub(super) used_s: u32,
    /// I/Os on it that are under way.
    pub(super) pins: u16,
    pub(super) state: u8,
}

impl Line {
    /// Whether all of these hold.
    #[inline]
    pub(super) fn is(&self, state: u8) -> bool {
        self.state & state == state
    }

    /// Whether its block may be given up.
    #[inline]
    pub(super) fn may_go(&self) -> bool {
        self.pins == 0 && self.state & HELD == 0
    }
}

/// The lines; see the module.
#[derive(Clone)]
pub(super) struct Table {
    index: Index,
    lines: Vec<Line>,
    empty: Vec<u32>,
    /// Lines that there may be.
    most: u32,
    /// Lines that may make way unless they are pinned, by when they were used.
    clean: Chain,
    /// Dirty lines that are not being cleaned, by when they were written.
    written: Chain,
    valid: u64,
    dirty: u64,
}

impl Table {
    /// So many lines, all empty.
    pub(super) fn new(most: u32) -> Table {
        Table {
            index: Index::new(),
            lines: Vec::new(),
            empty: Vec::new(),
            most,
            clean: Chain::new(),
            written: Chain::new(),
            valid: 0,
            dirty: 0,
        }
    }

    /// The line of a block; [`NONE`] where it has none.
    #[inline]
    pub(super) fn find(&self, block: u64) -> u32 {
        self.index.find(block)
    }

    #[inline]
    pub(super) fn expect(&self, block: u64) {
        self.index.expect(block);
    }

    #[inline]
    pub(super) fn line(&mut self, line: u32) -> &mut Line {
        &mut self.lines[line as usize]
    }

    #[inline]
    pub(super) fn get(&self, line: u32) -> &Line {
        &self.lines[line as usize]
    }

    /// The block of a line.
    #[inline]
    pub(super) fn block(&self, line: u32) -> u64 {
        self.index.block(line)
    }

    /// Lines that hold a block.
    pub(super) fn valid(&self) -> u64 {
        self.valid
    }

    /// Lines that are dirty.
    pub(super) fn dirty(&self) -> u64 {
        self.dirty
    }

    /// Lines that there may be.
    pub(super) fn most(&self) -> u32 {
        self.most
    }

    /// Lines that no block has.
    pub(super) fn free(&self) -> u64 {
        u64::from(self.most) - (self.lines.len() - self.empty.len()) as u64
    }

    /// The dirty line written longest ago; [`NONE`] where there is none.
    pub(super) fn oldest_dirty(&self) -> u32 {
        self.written.first()
    }

    /// A line for a block that has none, void as yet: an empty one, or that of the block used longest ago, which is given up and
    /// named. [`NONE`] where none of the first few may go.
    pub(super) fn claim(&mut self, block: u64, now_s: u32) -> (u32, Option<u64>) {
        let mut given_up = None;
        if self.empty.is_empty() && self.lines.len() as u32 >= self.most {
            let may = |line: &u32| self.lines[*line as usize].may_go();
            let Some(line) = self.clean.iter().take(SEARCHED).find(may) else { return (NONE, None) };
            given_up = Some(self.index.block(line));
            self.drop_block(line);
        }
        let line = self.empty.pop().unwrap_or_else(|| {
            self.lines.push(Line::default());
            self.lines.len() as u32 - 1
        });
        self.index.insert(line, block);
        self.lines[line as usize] = Line { used_s: now_s, pins: 0, state: 0 };
        self.clean.append(line);
        (line, given_up)
    }

    /// All lines with a block.
    pub(super) fn all(&self) -> Vec<u32> {
        let mut has_block = vec![true; self.lines.len()];
        self.empty.iter().for_each(|line| has_block[*line as usize] = false);
        (0..).zip(has_block).filter(|(_, has)| *has).map(|(line, _)| line).collect()
    }

    /// A line loses its block.
    pub(super) fn drop_block(&mut self, line: u32) {
        self.set(line, 0);
        self.index.remove(line);
        self.clean.remove(line);
        self.empty.push(line);
    }

    /// A line has another state. What is dirty and not being cleaned was written now.
    #[inline]
    pub(super) fn set(&mut self, line: u32, state: u8) {
        let found = &mut self.lines[line as usize];
        let has = |state: u8, flag: u8| i64::from(state & flag != 0);
        self.valid = self.valid.wrapping_add_signed(has(state, VALID) - has(found.state, VALID));
        self.dirty = self.dirty.wrapping_add_signed(has(state, DIRTY) - has(found.state, DIRTY));
        let was_held = std::mem::replace(&mut found.state, state) & HELD != 0;
        if state & HELD != 0 {
            self.clean.remove(line);
        } else if was_held {
            self.clean.append(line);
        }
        if state & (DIRTY | CLEANING) == DIRTY {
            self.written.append(line);
        } else {
            self.written.remove(line);
        }
    }

    /// A line is used.
    #[inline]
    pub(super) fn used(&mut self, line: u32, now_s: u32) {
        let found = &mut self.lines[line as usize];
        found.used_s = now_s;
        if found.state & HELD == 0 {
            self.clean.append(line);
        }
    }

    /// Memory that it takes.
    pub(super) fn bytes(&self) -> usize {
        let of_lists = self.clean.bytes() + self.written.bytes();
        self.index.bytes() + size_of_val(self.lines.as_slice()) + of_lists
    }
}

#[cfg(test)]
mod tests {
    use super::{DIRTY, NONE, Table, VALID};

    #[test]
    fn the_line_used_longest_ago_makes_way_unless_it_may_not() {
        let mut table = Table::new(3);
        let fill = |table: &mut Table, block| {
            let (line, given_up) = table.claim(block, 0);
            if line != NONE {
                table.set(line, VALID);
            }
            (line, given_up)
        };
        assert_eq!([1, 2, 3].map(|block| fill(&mut table, block)), [(0, None), (1, None), (2, None)]);
        table.used(0, 1);
        table.set(1, VALID | DIRTY);
        assert_eq!(fill(&mut table, 4), (2, Some(3)), "block 2 is dirty, and block 1 was used since");
        assert_eq!((table.find(3), table.find(4), table.valid(), table.dirty()), (NONE, 2, 3, 1));
        assert_eq!((table.all(), table.oldest_dirty()), (vec![0, 1, 2], 1));
        table.drop_block(0);
        assert_eq!((table.find(1), table.valid(), table.free()), (NONE, 2, 1));
        assert_eq!(fill(&mut table, 5), (0, None));
        [0, 2].into_iter().for_each(|line| table.set(line, VALID | DIRTY));
        assert_eq!(fill(&mut table, 6), (NONE, None));
    }
}
