//! Where on the fast device the blocks of lines lie.
//!
//! **Fixed**: a line has its place, and what it holds is written over there.
//!
//! **Buckets** (bcache): what is written is appended to an open bucket (512 KiB), wherever its block was before, and that place is
//! void. A bucket is used again as a whole: when nothing in it is live; or when none of its blocks is dirty, and those that are
//! clean are given up. When none is free, all are ranked by priority × live blocks, and the lowest few are freed together. The priority of a bucket falls with
//! every 1/1024 of the cache that is read or written since it was last used, from 32,768; the lowest one is reckoned as an eighth
//! of the span. So the fast device sees large writes in order, and whole regions of it go void at a time.

use crate::cache::index::NONE;

const PRIORITY: i64 = 32_768;
/// Of all buckets, this part is freed at a time.
const FREED_PART: usize = 128;

/// A bucket.
#[derive(Clone, Copy, Default)]
struct Bucket {
    live: u32,
    dirty: u32,
    /// The age of the cache when it was last used.
    used: i64,
}

/// Buckets, and what lies where.
#[derive(Clone)]
pub(super) struct Buckets {
    places: u32,
    buckets: Vec<Bucket>,
    most: u32,
    free: Vec<u32>,
    /// The open bucket, and its next place.
    open: u32,
    next: u32,
    /// By place: its line. By line: its place.
    lines: Vec<u32>,
    of_line: Vec<u32>,
    /// Blocks read and written, and how many make the cache one older.
    moved: u64,
    ageing: u64,
}

impl Buckets {
    /// So many buckets of so many places.
    pub(super) fn new(most: u32, places: u32) -> Buckets {
        Buckets {
            places,
            buckets: Vec::new(),
            most,
            free: Vec::new(),
            open: NONE,
            next: 0,
            lines: Vec::new(),
            of_line: Vec::new(),
            moved: 0,
            ageing: (u64::from(most) * u64::from(places) / 1024).max(1),
        }
    }

    /// The place of a line that has one.
    #[inline]
    pub(super) fn place(&self, line: u32) -> u32 {
        self.of_line[line as usize]
    }

    /// Whether another place can be given away without freeing a bucket first.
    pub(super) fn has_place(&self) -> bool {
        let is_open = self.open != NONE && self.next < self.places;
        is_open || !self.free.is_empty() || (self.buckets.len() as u32) < self.most
    }

    /// Gives a line the next place; its former one, if it has any, is void. There is a place.
    pub(super) fn append(&mut self, line: u32, is_dirty: bool) {
        self.release(line, is_dirty);
        if self.open == NONE || self.next == self.places {
            let full = self.open;
            self.open = self.free.pop().unwrap_or_else(|| {
                self.buckets.push(Bucket::default());
                self.lines.resize(self.buckets.len() * self.places as usize, NONE);
                self.buckets.len() as u32 - 1
            });
            self.next = 0;
            if full != NONE && self.buckets[full as usize].live == 0 {
                self.free.push(full);
            }
        }
        let place = self.open * self.places + self.next;
        self.next += 1;
        self.lines[place as usize] = line;
        if self.of_line.len() <= line as usize {
            self.of_line.resize(line as usize + 1, NONE);
        }
        self.of_line[line as usize] = place;
        let used = self.age();
        let bucket = &mut self.buckets[self.open as usize];
        bucket.live += 1;
        bucket.used = used;
    }

    /// A line has no place any more.
    pub(super) fn release(&mut self, line: u32, was_dirty: bool) {
        let Some(place) = self.of_line.get_mut(line as usize) else { return };
        let place = std::mem::replace(place, NONE);
        if place != NONE {
            self.lines[place as usize] = NONE;
            let at = place / self.places;
            let bucket = &mut self.buckets[at as usize];
            bucket.live -= 1;
            bucket.dirty -= u32::from(was_dirty);
            if bucket.live == 0 && at != self.open {
                self.free.push(at);
            }
        }
    }

    /// The block of a line has become dirty, or clean.
    pub(super) fn set_dirty(&mut self, line: u32, is_dirty: bool) {
        let bucket = &mut self.buckets[(self.of_line[line as usize] / self.places) as usize];
        bucket.dirty = if is_dirty { bucket.dirty + 1 } else { bucket.dirty - 1 };
    }

    /// A line is read.
    pub(super) fn used(&mut self, line: u32) {
        let used = self.age();
        self.buckets[(self.of_line[line as usize] / self.places) as usize].used = used;
    }

    fn age(&mut self) -> i64 {
        self.moved += 1;
        (self.moved / self.ageing) as i64
    }

    /// Frees the buckets that are worth least, of those that `may` be given up line by line; calls `each` with their lines.
    pub(super) fn free_some(&mut self, may: impl Fn(u32) -> bool, mut each: impl FnMut(u32)) {
        let now = (self.moved / self.ageing) as i64;
        let priority = |bucket: &Bucket| (PRIORITY - (now - bucket.used)).max(0);
        let least = self.buckets.iter().map(priority).min().unwrap_or(0);
        let weight = (PRIORITY - least) / 8 + 1;
        let width = self.places as usize;
        let given = |at: usize| {
            let lines = &self.lines[at * width..(at + 1) * width];
            lines.iter().all(|line| *line == NONE || may(*line))
        };
        let mut ranked: Vec<(i64, u32)> = Vec::new();
        for (at, bucket) in self.buckets.iter().enumerate() {
            if at as u32 != self.open && bucket.dirty == 0 && bucket.live > 0 && given(at) {
                let worth = (priority(bucket) - least + weight) * i64::from(bucket.live);
                ranked.push((worth, at as u32));
            }
        }
        let count = (self.buckets.len() / FREED_PART).max(1).min(ranked.len());
        if count == 0 {
            return;
        }
        ranked.select_nth_unstable(count - 1);
        for (_, at) in &ranked[..count] {
            for place in *at as usize * width..(*at as usize + 1) * width {
                let line = std::mem::replace(&mut self.lines[place], NONE);
                if line != NONE {
                    self.of_line[line as usize] = NONE;
                    each(line);
                }
            }
            self.buckets[*at as usize] = Bucket::default();
            self.free.push(*at);
        }
    }

    /// Memory that they take.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.lines.as_slice()) + size_of_val(self.of_line.as_slice())
    }
}
