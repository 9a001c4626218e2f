//! The pages of a window as extents that were last accessed at one time.

use super::page::PAGE_BYTES;
use crate::reuse::{Index, Stack, mix};
use drivecast_block::{Nanos, Op, Record};
use std::collections::BTreeMap;
use std::ops::Range;

/// Depths of neighbouring pages that differ by less than this, or by an eighth, are those of one extent: they were accessed
/// together, and others in between.
const APART_MIN: u32 = 64;
const APART_SHARE: u32 = 8;

/// Pages of a window that lie together and were last accessed together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The number of the window among those that were requested.
    pub window: u32,
    /// Its first page.
    pub first: u64,
    /// How many they are.
    pub pages: u32,
    /// The page that the window accesses first, from the first on.
    pub anchor: u32,
    /// How deep that lay; 0 where it was not accessed before.
    pub depth: u32,
    /// How many pages before that one the last request began that accessed it.
    pub back: u32,
    /// Whether the window writes it: the depth is among pages that were written, else among all that were accessed.
    pub written: bool,
}

/// An LRU stack of pages.
struct Pages {
    index: Index,
    stack: Stack,
    /// How many pages before each the last request began that accessed it.
    back: Vec<u32>,
}

impl Pages {
    fn new() -> Pages {
        Pages { index: Index::new(), stack: Stack::new(), back: Vec::new() }
    }

    fn number(&mut self, page: u64) -> usize {
        let (block, is_new) = self.index.number(page, mix(page));
        let block = block as usize;
        if is_new {
            self.stack.extend(block + 1);
            self.back.push(0);
        }
        block
    }

    /// How deep a page lies, and how many pages before it the last request began that accessed it.
    fn look(&mut self, page: u64) -> (u32, u32) {
        let block = self.number(page);
        (self.stack.depth(block), self.back[block])
    }

    /// A request that began so many pages before accesses a page.
    fn touch(&mut self, page: u64, back: u32) {
        let block = self.number(page);
        self.stack.access(block);
        self.back[block] = back;
    }
}

/// A page of the window that is being read.
#[derive(Clone, Copy)]
struct Seen {
    /// The place of its first access among all of the window.
    turn: u32,
    /// Depth and how far back, among pages that were accessed, and among those that were written.
    accessed: (u32, u32),
    written: (u32, u32),
    is_written: bool,
}

impl Seen {
    fn depth(&self) -> u32 {
        if self.is_written { self.written.0 } else { self.accessed.0 }
    }
}

/// The extents of some windows of a trace, which come in order of time and do not overlap.
#[must_use]
pub fn extents(records: &[Record], windows: &[Range<Nanos>]) -> Vec<Extent> {
    let (mut written, mut accessed) = (Pages::new(), Pages::new());
    let mut seen: BTreeMap<u64, Seen> = BTreeMap::new();
    let (mut found, mut at) = (Vec::new(), 0);
    for record in records.iter().filter(|record| record.has_data()) {
        while windows.get(at).is_some_and(|window| window.end <= record.time) {
            found.extend(joined(at as u32, &seen));
            seen.clear();
            at += 1;
        }
        let inside = windows.get(at).is_some_and(|window| window.contains(&record.time));
        let is_write = record.op == Op::Write;
        let first = record.offset / PAGE_BYTES;
        for page in first..=(record.end() - 1) / PAGE_BYTES {
            if inside {
                let turn = seen.len() as u32;
                let page_seen = seen.entry(page).or_insert_with(|| Seen {
                    turn,
                    accessed: accessed.look(page),
                    written: written.look(page),
                    is_written: false,
                });
                page_seen.is_written |= is_write;
            }
            let back = (page - first) as u32;
            accessed.touch(page, back);
            if is_write {
                written.touch(page, back);
            }
        }
    }
    found.extend(joined(at as u32, &seen));
    found
}

fn joined(window: u32, pages: &BTreeMap<u64, Seen>) -> Vec<Extent> {
    let mut found: Vec<Extent> = Vec::new();
    // The page before, and the turn of its extent's anchor.
    let mut before: Option<(u64, Seen, u32)> = None;
    for (&page, seen) in pages {
        let joins = before.filter(|(last, other, _)| last + 1 == page && together(other, seen));
        let anchors = joins.is_none_or(|(_, _, turn)| seen.turn < turn);
        let extent = match (joins, found.pop()) {
            (Some(_), Some(extent)) => Extent { pages: extent.pages + 1, ..extent },
            (_, last) => {
                found.extend(last);
                let written = seen.is_written;
                Extent { window, first: page, pages: 1, anchor: 0, depth: 0, back: 0, written }
            }
        };
        let (depth, back) = if seen.is_written { seen.written } else { seen.accessed };
        found.push(if anchors { Extent { anchor: extent.pages - 1, depth, back, ..extent } } else { extent });
        let turn = joins.map_or(seen.turn, |(_, _, turn)| turn.min(seen.turn));
        before = Some((page, *seen, turn));
    }
    found
}

/// Whether two neighbouring pages were last accessed together.
fn together(page: &Seen, next: &Seen) -> bool {
    let (depth, other) = (page.depth(), next.depth());
    page.is_written == next.is_written
        && (depth == 0) == (other == 0)
        && depth.abs_diff(other) <= APART_MIN.max(depth / APART_SHARE)
}
