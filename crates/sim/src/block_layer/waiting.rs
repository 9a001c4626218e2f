//! Requests that wait for the device, and the sweep over addresses that schedulers share.

use drivecast_block::{Nanos, Request};

/// A request that waits for the device.
#[derive(Clone, Copy)]
pub(super) struct Waiting {
    pub(super) request: Request,
    pub(super) submitter: usize,
    /// When it came.
    pub(super) at: Nanos,
    /// Its place in the order of arrival.
    pub(super) order: u64,
}

/// Requests that a sweep over the addresses serves. About a hundred at most: they are searched, not sorted.
#[derive(Default)]
pub(super) struct Sweep {
    waiting: Vec<Waiting>,
    /// Where the last request taken ended.
    position: u64,
}

impl Sweep {
    pub(super) fn push(&mut self, waiting: Waiting) {
        self.waiting.push(waiting);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// The next upwards from where the last one ended.
    pub(super) fn ahead(&self) -> Option<usize> {
        let offset = |index: &usize| self.waiting[*index].request.offset.0;
        (0..self.waiting.len()).filter(|index| offset(index) >= self.position).min_by_key(offset)
    }

    /// The one with the lowest address.
    pub(super) fn lowest(&self) -> Option<usize> {
        (0..self.waiting.len()).min_by_key(|&index| self.waiting[index].request.offset.0)
    }

    /// The one that came first.
    pub(super) fn oldest(&self) -> Option<usize> {
        (0..self.waiting.len()).min_by_key(|&index| self.waiting[index].order)
    }

    /// Whether one has waited since before `limit` ago.
    pub(super) fn is_late(&self, now: Nanos, index: usize, limit: Nanos) -> bool {
        now.since(self.waiting[index].at) >= limit
    }

    pub(super) fn take(&mut self, index: usize) -> Waiting {
        let taken = self.waiting.swap_remove(index);
        self.position = taken.request.end();
        taken
    }
}
