//! The buffer: what can be read without the medium.
//!
//! **Model.** The buffer is divided into segments of equal size, each a window on a run of sectors: `[from, to)`. A read
//! from the medium takes the segment used longest ago; reading ahead moves the end of its window forward, and the
//! beginning follows when the segment is full. A read that lies in a window needs no medium. A write removes what it
//! overwrites. **Left out:** segments of varying size, and replacement by anything but last use.

/// Windows on runs of sectors.
#[derive(Clone, Debug)]
pub(super) struct Segments {
    from: Vec<u64>,
    to: Vec<u64>,
    used: Vec<u64>,
    clock: u64,
    /// Sectors of a segment.
    pub(super) sectors: u64,
    /// Whether sectors stay once the host has them.
    keeps_delivered: bool,
}

impl Segments {
    pub(super) fn new(count: usize, sectors: u64, keeps_delivered: bool) -> Segments {
        let nowhere = vec![u64::MAX; count];
        Segments {
            from: nowhere.clone(),
            to: nowhere,
            used: vec![0; count],
            clock: 0,
            sectors,
            keeps_delivered,
        }
    }

    /// A segment whose window holds sector `lba`, or ends right before it.
    pub(super) fn at(&self, lba: u64) -> Option<usize> {
        (0..self.from.len()).find(|segment| self.touches(*segment, lba))
    }

    /// Whether a segment's window holds sector `lba`, or ends right before it.
    pub(super) fn touches(&self, segment: usize, lba: u64) -> bool {
        let (from, to) = (self.from[segment], self.to[segment]);
        from <= lba && lba <= to
    }

    /// The beginning of a segment's window.
    pub(super) fn start(&self, segment: usize) -> u64 {
        self.from[segment]
    }

    /// The end of a segment's window.
    pub(super) fn end(&self, segment: usize) -> u64 {
        self.to[segment]
    }

    /// Whether one window holds all of `[lba, end)`, which are then delivered.
    pub(super) fn holds(&mut self, lba: u64, end: u64) -> bool {
        let hit = (0..self.from.len()).find(|segment| self.from[*segment] <= lba && end <= self.to[*segment]);
        if let Some(segment) = hit {
            self.deliver(segment, end);
        }
        hit.is_some()
    }

    /// Adds `[lba, end)`: to the window that ends at `lba`, or as a window of its own.
    pub(super) fn add(&mut self, lba: u64, end: u64) {
        let segment = self.window(lba);
        self.extend(segment, lba, end);
        self.touch(segment);
    }

    /// The segment whose window ends at `lba`, or a fresh one.
    pub(super) fn window(&mut self, lba: u64) -> usize {
        let ending = (0..self.from.len()).find(|s| self.to[*s] == lba);
        ending.unwrap_or_else(|| self.renew(lba))
    }

    /// Gives the segment used longest ago an empty window at `lba`.
    fn renew(&mut self, lba: u64) -> usize {
        let oldest = self.used.iter().enumerate().min_by_key(|(_, used)| **used);
        let segment = oldest.map_or(0, |(segment, _)| segment);
        (self.from[segment], self.to[segment]) = (lba, lba);
        self.touch(segment);
        segment
    }

    /// Adds `[lba, end)` to a window that it touches; the window loses its beginning where it grows too long.
    pub(super) fn extend(&mut self, segment: usize, lba: u64, end: u64) {
        let (from, to) = (&mut self.from[segment], &mut self.to[segment]);
        (*from, *to) = if *from == *to { (lba, end) } else { ((*from).min(lba), (*to).max(end)) };
        *from = (*from).max(to.saturating_sub(self.sectors));
    }

    /// Removes `[lba, end)`: of a window that is cut, the longer part stays.
    pub(super) fn remove(&mut self, lba: u64, end: u64) {
        for (from, to) in self.from.iter_mut().zip(&mut self.to) {
            if lba < *to && *from < end {
                let (before, behind) = (lba.saturating_sub(*from), to.saturating_sub(end));
                if before >= behind { *to = lba.max(*from) } else { *from = end }
            }
        }
    }

    /// The host has what lies before `end`.
    pub(super) fn deliver(&mut self, segment: usize, end: u64) {
        self.touch(segment);
        if !self.keeps_delivered {
            self.from[segment] = end.min(self.to[segment]);
        }
    }

    fn touch(&mut self, segment: usize) {
        self.clock += 1;
        self.used[segment] = self.clock;
    }
}
