//! The policies, by kind.

use super::cachelib::CacheLib;
use super::dm_cache::DmCache;
use super::flashcache::{FlashCache, InFlight};
use super::index::NONE;
use super::io::Side;
use super::l2arc::L2Arc;
use super::lines::Lines;
use super::orders::Orders;
use super::slog::Slog;
use super::vcache::VCache;
use crate::spec::{CachePolicy, Restart};
use drivecast_block::{Bytes, Nanos, Request};

/// What decides about a cache.
#[derive(Clone)]
pub(super) enum Policy {
    FlashCache(Box<FlashCache>),
    VCache(Box<VCache>),
    Lines(Box<Lines>),
    DmCache(Box<DmCache>),
    L2Arc(Box<L2Arc>),
    Slog(Box<Slog>),
    CacheLib(Box<CacheLib>),
}

/// The same for every kind.
macro_rules! each {
    ($policy:expr, $of:ident => $body:expr) => {
        match $policy {
            Policy::FlashCache($of) => $body,
            Policy::VCache($of) => $body,
            Policy::Lines($of) => $body,
            Policy::DmCache($of) => $body,
            Policy::L2Arc($of) => $body,
            Policy::Slog($of) => $body,
            Policy::CacheLib($of) => $body,
        }
    };
}

impl Policy {
    /// An empty cache on so many bytes of the fast device before so many, to a specification that has been checked; where both were
    /// scaled, so is what it holds in memory.
    pub(super) fn new(spec: &CachePolicy, sizes: [Bytes; 2], scale: f64, orders: &mut Orders) -> Policy {
        let [size, origin] = sizes;
        match spec {
            CachePolicy::FlashCache(spec) => {
                Policy::FlashCache(Box::new(FlashCache::new(spec, size, orders)))
            }
            CachePolicy::VCache(spec) => Policy::VCache(Box::new(VCache::new(spec, size, orders))),
            CachePolicy::Bcache(spec) => Policy::Lines(Box::new(Lines::bcache(spec, size))),
            CachePolicy::OpenCas(spec) => Policy::Lines(Box::new(Lines::open_cas(spec, size))),
            CachePolicy::DmWritecache(spec) => Policy::Lines(Box::new(Lines::dm_writecache(spec, size))),
            CachePolicy::DmCache(spec) => Policy::DmCache(Box::new(DmCache::new(spec, size, origin))),
            CachePolicy::L2Arc(spec) => Policy::L2Arc(Box::new(L2Arc::new(spec, sizes, scale))),
            CachePolicy::Slog(spec) => Policy::Slog(Box::new(Slog::new(spec, sizes, scale))),
            CachePolicy::CacheLib(spec) => Policy::CacheLib(Box::new(CacheLib::new(spec, sizes, scale))),
        }
    }

    /// Takes a request in; the number of its pieces, each of which is finished once. None: it is over at once.
    #[inline]
    pub(super) fn submit(&mut self, now: Nanos, job: u32, request: &Request, orders: &mut Orders) -> u32 {
        each!(self, policy => policy.submit(now, job, request, orders))
    }

    /// Has the memory fetched that a request likely to come soon needs.
    #[inline]
    pub(super) fn expect(&self, request: &Request) {
        each!(self, policy => policy.expect(request));
    }

    /// An I/O is done, with all pieces that were merged.
    #[inline]
    pub(super) fn arrive(&mut self, now: Nanos, side: Side, id: u32, orders: &mut Orders) {
        let mut piece = id;
        while piece != NONE {
            // What follows may take the handle again.
            let next = orders.merged(side, piece);
            each!(self, policy => policy.arrive(now, piece, orders));
            piece = next;
        }
    }

    /// When it next does something on its own.
    #[inline]
    pub(super) fn due(&self) -> Nanos {
        each!(self, policy => policy.due())
    }

    /// Does what is due.
    pub(super) fn wake(&mut self, now: Nanos, orders: &mut Orders) {
        each!(self, policy => policy.wake(now, orders));
    }

    /// Orders what it does in a long idle time.
    pub(super) fn rest(&mut self, orders: &mut Orders) {
        match self {
            Policy::FlashCache(policy) => {
                if policy.cleans_at_rest() {
                    policy.clean_all(orders);
                }
            }
            Policy::VCache(policy) => policy.rest(orders),
            Policy::Lines(policy) => policy.rest(orders),
            Policy::DmCache(policy) => policy.rest(orders),
            Policy::L2Arc(_) | Policy::CacheLib(_) => {}
            Policy::Slog(policy) => policy.wake(Nanos::ZERO, orders),
        }
    }

    /// Takes the cache away and sets it up again.
    pub(super) fn restart(&mut self, how: Restart, orders: &mut Orders) {
        each!(self, policy => policy.restart(how, orders));
    }

    /// Bytes that hold data, and of these dirty ones.
    pub(super) fn held(&self) -> (u64, u64) {
        each!(self, policy => policy.held())
    }

    /// Memory that it takes, but for what is small.
    pub(super) fn memory(&self) -> usize {
        each!(self, policy => policy.memory())
    }

    /// What has been counted in part.
    pub(super) fn in_flight(&self) -> Option<InFlight> {
        match self {
            Policy::FlashCache(policy) => Some(policy.in_flight()),
            _ => None,
        }
    }
}
