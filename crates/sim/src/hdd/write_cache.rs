//! The write cache: data the host believes written.
//!
//! **Model.** A write goes into the cache when there is space for its sectors and for one more entry, and waits
//! otherwise. Data stay until they are on the medium (see `service`); a write that lies within one that
//! still waits replaces it. What was written can be read from the buffer until newer writes take its place. **Left out:**
//! joining of neighbours into one entry (in direct succession they cost no more than one).

use super::cache::Segments;
use super::queue::{Command, Queue};
use std::collections::VecDeque;

/// Entries that the cache keeps track of (assumed).
const ENTRIES_MAX: usize = 256;

/// Data in the cache and what waits for it.
#[derive(Clone, Debug)]
pub(super) struct WriteCache {
    pub(super) queue: Queue,
    sectors: u64,
    /// Sectors that the cache holds; zero without write cache.
    capacity: u64,
    /// Writes that wait for space.
    pub(super) blocked: VecDeque<Command>,
    /// Flushes that wait for data written before.
    pub(super) flushes: VecDeque<Command>,
    /// What can be read, on the medium already or not.
    recent: Segments,
}

impl WriteCache {
    pub(super) fn new(capacity: u64, segments: usize) -> WriteCache {
        let recent = Segments::new(segments, capacity / segments.max(1) as u64, true);
        WriteCache {
            queue: Queue::default(),
            sectors: 0,
            capacity,
            blocked: VecDeque::new(),
            flushes: VecDeque::new(),
            recent,
        }
    }

    /// Whether a write of some sectors goes through the cache at all.
    pub(super) fn takes(&self, sectors: u64) -> bool {
        sectors <= self.capacity
    }

    /// Whether all of `[lba, end)` can be read from the cache.
    pub(super) fn holds(&mut self, lba: u64, end: u64) -> bool {
        self.waits(lba, end) || self.recent.holds(lba, end)
    }

    fn waits(&self, lba: u64, end: u64) -> bool {
        self.queue.iter().any(|written| written.lba <= lba && end <= written.end)
    }

    /// Takes the next waiting write into the cache if there is space; and whether it needs an entry of its own.
    pub(super) fn admit(&mut self) -> Option<(Command, bool)> {
        let command = *self.blocked.front()?;
        let Command { lba, end, .. } = command;
        let is_new = !self.waits(lba, end);
        if is_new {
            if self.sectors + (end - lba) > self.capacity || self.queue.len() == ENTRIES_MAX {
                return None;
            }
            self.sectors += end - lba;
        }
        self.recent.add(lba, end);
        self.blocked.pop_front();
        Some((command, is_new))
    }

    /// Data have reached the medium: their space is free.
    pub(super) fn release(&mut self, sectors: u64) {
        self.sectors -= sectors;
    }

    /// The next flush that waits for nothing any more.
    pub(super) fn flushed(&mut self) -> Option<Command> {
        let order = self.flushes.front()?.order;
        if self.queue.iter().any(|written| written.order < order) {
            return None;
        }
        self.flushes.pop_front()
    }

    /// Whether a flush or a write waits for data to leave the cache.
    pub(super) fn is_wanted(&self) -> bool {
        let is_awaited = !self.flushes.is_empty() || !self.blocked.is_empty();
        is_awaited && !self.queue.is_empty()
    }
}
