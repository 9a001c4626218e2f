//! Written data that a controller keeps: what is dirty, by lines, and which line goes to the members next.
//!
//! Model: a line is a stripe of user data, so that a line written whole becomes a full-stripe write. A write enters
//! when there is space and is then complete; bytes written again while they wait are written out once. Lines leave
//!
//! - when they are whole, at once: nothing can be gained by waiting;
//! - else when more than `destage_above` of the cache is dirty, a write waits for space, or a flush waits: in rising order
//!   from the last one on, round and round (one-way SCAN), which spares the heads of disks.
//!
//! At most `destage_stripes` lines are on their way; their bytes count as dirty until the members have them. Parts of lines
//! are written in the background: when their member has nothing else to do, or has completed a full queue of other commands
//! meanwhile; at most `destage_depth` of them at a member at a time. One at a time, to disks that are idle, is how Varma and
//! Jacobson (Destage algorithms for disk arrays with nonvolatile caches, IEEE Transactions on Computers 47, 1998) describe
//! it. A line may become dirty again meanwhile. With a battery a flush has nothing to do; without, it waits for every line
//! that was dirty when it came.
//!
//! Left out: reads are served from dirty lines only; nothing clean is cached, nothing read ahead; dirty data below
//! `destage_above` are not written out for their age.

use crate::request_slots::Slots;
use crate::spec::CacheSpec;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The dirty bytes of one line, as runs in rising order that do not touch.
#[derive(Clone, Default)]
struct Line {
    serial: u64,
    runs: Vec<Range<u64>>,
    bytes: u64,
}

impl Line {
    /// Adds a run, joined with those it touches.
    fn add(&mut self, run: Range<u64>) {
        let first = self.runs.partition_point(|other| other.end < run.start);
        let behind = self.runs.partition_point(|other| other.start <= run.end);
        let joined = &self.runs[first..behind];
        let start = joined.first().map_or(run.start, |other| other.start.min(run.start));
        let end = joined.last().map_or(run.end, |other| other.end.max(run.end));
        self.runs.splice(first..behind, std::iter::once(start..end));
        self.bytes = self.runs.iter().map(|run| run.end - run.start).sum();
    }

    fn holds(&self, run: &Range<u64>) -> bool {
        self.runs.iter().any(|held| held.start <= run.start && run.end <= held.end)
    }
}

/// A line on its way to the members.
#[derive(Clone, Copy)]
struct Leaving {
    serial: u64,
    bytes: u64,
    writes: u32,
}

/// The cache; see the module.
#[derive(Clone)]
pub(crate) struct Cache {
    spec: CacheSpec,
    line_bytes: u64,
    dirty: BTreeMap<u64, Line>,
    /// Dirty and leaving lines by the time they became dirty.
    serials: BTreeSet<u64>,
    whole: BTreeSet<u64>,
    leaving: Slots<Leaving>,
    bytes: u64,
    serial: u64,
    /// The line behind the one destaged last.
    cursor: u64,
}

impl Cache {
    /// An empty cache with lines of so many bytes.
    pub(super) fn new(spec: CacheSpec, line_bytes: u64) -> Cache {
        Cache {
            spec,
            line_bytes,
            dirty: BTreeMap::new(),
            serials: BTreeSet::new(),
            whole: BTreeSet::new(),
            leaving: Slots::new(),
            bytes: 0,
            serial: 0,
            cursor: 0,
        }
    }

    /// Bytes of a line.
    pub(super) fn line_bytes(&self) -> u64 {
        self.line_bytes
    }

    /// Whether a flush has nothing to wait for.
    pub(super) fn is_durable(&self) -> bool {
        self.spec.battery
    }

    /// Whether a write of this size could ever enter.
    pub(super) fn takes(&self, size: u32) -> bool {
        u64::from(size) <= self.spec.bytes
    }

    /// Whether it can enter now.
    pub(super) fn has_space(&self, size: u32) -> bool {
        self.bytes + u64::from(size) <= self.spec.bytes
    }

    /// The parts of a range, line by line: the line, and the run in it.
    fn lines(&self, offset: u64, size: u32) -> impl Iterator<Item = (u64, Range<u64>)> + use<> {
        let (width, end) = (self.line_bytes, offset + u64::from(size));
        (offset / width..end.div_ceil(width)).map(move |line| {
            let base = line * width;
            (line, offset.saturating_sub(base)..(end - base).min(width))
        })
    }

    /// Takes a write in.
    pub(super) fn write(&mut self, offset: u64, size: u32) {
        for (index, run) in self.lines(offset, size) {
            let line = self.dirty.entry(index).or_default();
            if line.serial == 0 {
                self.serial += 1;
                line.serial = self.serial;
                self.serials.insert(self.serial);
            }
            let before = line.bytes;
            line.add(run);
            self.bytes += line.bytes - before;
            if line.bytes == self.line_bytes {
                self.whole.insert(index);
            }
        }
    }

    /// Whether a read needs no member.
    pub(super) fn holds(&self, offset: u64, size: u32) -> bool {
        self.lines(offset, size)
            .all(|(index, run)| self.dirty.get(&index).is_some_and(|line| line.holds(&run)))
    }

    /// Takes out the line to be written next, if one should be: `pressed` when someone waits for it. Calls `each` with
    /// the leaving line's number, and offset and size of every write.
    pub(super) fn destage(&mut self, pressed: bool, mut each: impl FnMut(u32, u64, u32)) -> bool {
        if self.leaving.len() >= self.spec.destage_stripes as usize {
            return false;
        }
        let above = self.bytes as f64 > self.spec.bytes as f64 * self.spec.destage_above;
        let index = match self.whole.pop_first() {
            Some(index) => index,
            None if above || pressed => {
                let mut behind = self.dirty.range(self.cursor..);
                let Some(index) = behind.next().or_else(|| self.dirty.iter().next()).map(|(index, _)| *index)
                else {
                    return false;
                };
                self.cursor = index + 1;
                index
            }
            None => return false,
        };
        let Some(line) = self.dirty.remove(&index) else { return false };
        let leaving = Leaving { serial: line.serial, bytes: line.bytes, writes: line.runs.len() as u32 };
        let slot = self.leaving.insert(leaving);
        for run in line.runs {
            each(slot, index * self.line_bytes + run.start, (run.end - run.start) as u32);
        }
        true
    }

    /// The members have one of a leaving line's writes.
    pub(super) fn written(&mut self, slot: u32) {
        let leaving = self.leaving.get_mut(slot);
        leaving.writes -= 1;
        if leaving.writes == 0 {
            let Leaving { serial, bytes, .. } = self.leaving.remove(slot);
            self.serials.remove(&serial);
            self.bytes -= bytes;
        }
    }

    /// A mark in time: all that is dirty now is older.
    pub(super) fn mark(&self) -> u64 {
        self.serial
    }

    /// Whether all that was dirty at the mark is with the members.
    pub(super) fn is_clean_to(&self, mark: u64) -> bool {
        self.serials.first().is_none_or(|oldest| *oldest > mark)
    }

    /// Takes in a write outside time, and forgets what would have been written out: the cache as a long run leaves it.
    pub(super) fn age(&mut self, offset: u64, size: u32) {
        self.write(offset, size);
        loop {
            let mut left = Vec::new();
            if !self.destage(false, |slot, _, _| left.push(slot)) {
                return;
            }
            left.into_iter().for_each(|slot| self.written(slot));
        }
    }
}
