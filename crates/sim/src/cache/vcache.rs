//! vCache (Virident, 2012), as far as its users have described it: its inside was never published.
//!
//! What is known (Percona, "Block and file system caching", part 2): it caches writes back; it flushes *on demand*, which holds
//! requests up, when more than a share of the cache is dirty, and by a *period*, if one is set; there is no choice of FIFO or
//! LRU; and sequential requests, processes and all else can be left out of the cache as with FlashCache.
//!
//! **The model** is FlashCache's (`flashcache/`) but for cleaning and its record, each with a parameter, all assumed: blocks of 4 KiB in
//! sets of 512 with LRU; `flush_depth` blocks being cleaned at a time (64), set by set, neighbours together; no metadata of its own
//! for a block that becomes dirty or clean (`md_write`), as if it was written along with the data.
//!
//! - *On demand*: once `dirty_thresh_pct` of the cache is dirty, a write waits until cleaning has brought it `flush_hysteresis_pct`
//!   below.
//! - *By a period*: every `flush_period` all that is dirty is cleaned, and no request waits for it.

use super::flashcache::FlashCache;
use super::orders::{LATER, Orders};
use crate::spec::{Restart, VCacheSpec};
use drivecast_block::{Bytes, Nanos, Op, Request};
use std::collections::VecDeque;

/// The cache; see the module.
#[derive(Clone)]
pub(super) struct VCache {
    inner: FlashCache,
    spec: VCacheSpec,
    /// Bytes that may be dirty, and to which a flush on demand goes.
    high: u64,
    low: u64,
    is_flushing: bool,
    /// Whether all that is dirty is to be cleaned.
    sweeps: bool,
    next_sweep: Nanos,
    waiting: VecDeque<(u32, Request)>,
}

impl VCache {
    /// An empty cache on so many bytes of the fast device.
    pub(super) fn new(spec: &VCacheSpec, size: Bytes, orders: &mut Orders) -> VCache {
        let inner = FlashCache::new(&spec.blocks, size, orders).flushed_by_others(spec.md_write);
        let share = |percent: u32| (size.0 as f64 * f64::from(percent) / 100.0) as u64;
        let low = spec.blocks.dirty_thresh_pct.saturating_sub(spec.flush_hysteresis_pct);
        VCache {
            inner,
            high: share(spec.blocks.dirty_thresh_pct),
            low: share(low),
            is_flushing: false,
            sweeps: false,
            next_sweep: Nanos::MAX,
            waiting: VecDeque::new(),
            spec: spec.clone(),
        }
    }

    #[inline]
    pub(super) fn expect(&self, request: &Request) {
        self.inner.expect(request);
    }

    /// Takes a request in; the number of its pieces.
    pub(super) fn submit(&mut self, now: Nanos, job: u32, request: &Request, orders: &mut Orders) -> u32 {
        if request.op == Op::Write && request.size > 0 {
            self.is_flushing |= self.dirty() >= self.high;
            if self.is_flushing {
                self.waiting.push_back((job, *request));
                self.flush(now, orders);
                return LATER;
            }
        }
        self.inner.submit(now, job, request, orders)
    }

    /// An I/O is done.
    pub(super) fn arrive(&mut self, now: Nanos, id: u32, orders: &mut Orders) {
        self.inner.arrive(now, id, orders);
        if self.next_sweep == Nanos::MAX && self.dirty() > 0 {
            self.next_sweep = self.spec.flush_period.map_or(Nanos::MAX, |period| now + period);
        }
        self.flush(now, orders);
    }

    /// Cleans as much as may be at a time, and lets writes in once that has been enough.
    fn flush(&mut self, now: Nanos, orders: &mut Orders) {
        self.is_flushing &= self.dirty() > self.low;
        self.sweeps &= self.dirty() > 0;
        if self.is_flushing || self.sweeps {
            self.inner.clean_in_order(self.spec.flush_depth, orders);
            // What is left may be busy: it is cleaned in its turn.
            self.is_flushing &= self.inner.is_cleaning();
        }
        while !self.is_flushing
            && let Some((job, request)) = self.waiting.pop_front()
        {
            let pieces = self.inner.submit(now, job, &request, orders);
            orders.begin(job, pieces);
            self.is_flushing = self.dirty() >= self.high && self.inner.is_cleaning();
        }
    }

    fn dirty(&self) -> u64 {
        self.inner.held().1
    }

    /// When it next does something on its own.
    pub(super) fn due(&self) -> Nanos {
        self.next_sweep
    }

    /// Begins to clean all that is dirty.
    pub(super) fn wake(&mut self, now: Nanos, orders: &mut Orders) {
        self.next_sweep = match self.spec.flush_period {
            Some(period) if self.dirty() > 0 => now + period,
            _ => Nanos::MAX,
        };
        self.sweeps = true;
        self.flush(now, orders);
    }

    /// Orders what it does in a long idle time.
    pub(super) fn rest(&mut self, orders: &mut Orders) {
        if self.spec.flush_period.is_some() {
            self.inner.clean_all(orders);
        }
    }

    /// Takes the cache away and sets it up again.
    pub(super) fn restart(&mut self, how: Restart, orders: &mut Orders) {
        self.inner.restart(how, orders);
    }

    /// Bytes that hold data, and of these dirty ones.
    pub(super) fn held(&self) -> (u64, u64) {
        self.inner.held()
    }

    /// Memory that it takes, but for what is small.
    pub(super) fn memory(&self) -> usize {
        self.inner.memory()
    }
}
