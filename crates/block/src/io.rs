//! Requests, completions, and the one trait that carries the simulator.
//!
//! A [`Device`] owns its own events: it takes requests at a time the caller names, says when it next has something to
//! do, and hands out completions. It knows nothing of its host, of the wall clock, or of other devices. Arrays and
//! caches are devices that hold devices.

use crate::cached::CacheCounters;
use crate::units::{Bytes, Nanos};

/// The operation of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Op {
    /// Data from the device.
    Read = 0,
    /// Data to the device.
    Write = 1,
    /// Make earlier completed writes durable; carries no data.
    Flush = 2,
    /// The range is no longer needed (TRIM, UNMAP, deallocate).
    Discard = 3,
}

impl Op {
    /// All operations, in the order of their codes.
    pub const ALL: [Op; 4] = [Op::Read, Op::Write, Op::Flush, Op::Discard];

    /// The name used in tables and JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Op::Read => "read",
            Op::Write => "write",
            Op::Flush => "flush",
            Op::Discard => "discard",
        }
    }
}

/// One I/O request as a host issues it to a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// The issuer's own handle, given back in the completion; unique among the requests in flight.
    pub id: u64,
    /// First byte addressed.
    pub offset: Bytes,
    /// Bytes addressed; zero for a flush.
    pub size: u32,
    /// Stream of the issuer (CPU, process, volume), for devices that place data by stream.
    pub stream: u32,
    /// The operation.
    pub op: Op,
    /// Forced unit access: a write that is complete only when it is durable.
    pub fua: bool,
}

impl Request {
    /// The first byte behind the request.
    #[inline]
    pub const fn end(&self) -> u64 {
        self.offset.0 + self.size as u64
    }
}

/// A finished request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The id of the request.
    pub id: u64,
    /// When it finished.
    pub at: Nanos,
}

/// What a device has done since it was built (or since [`Device::reset_counters`]); sums over members for an array.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counters {
    /// Host requests taken, by [`Op`] code.
    pub submitted: [u64; 4],
    /// Host requests completed, by [`Op`] code.
    pub completed: [u64; 4],
    /// Bytes read by the host.
    pub read_bytes: u64,
    /// Bytes written by the host.
    pub written_bytes: u64,
    /// Pages written to flash for the host, on all members.
    pub flash_host_pages: u64,
    /// Pages copied by garbage collection, on all members.
    pub flash_copied_pages: u64,
    /// Pages' worth of flash programmed for both, on all members: less than their sum where a drive compresses.
    pub flash_programmed_pages: u64,
    /// Erase blocks erased, on all members.
    pub flash_erases: u64,
    /// Bytes rebuilt onto spares.
    pub rebuilt_bytes: u64,
    /// Nanoseconds until the rebuild was over; 0 while it is under way.
    pub rebuilt_ns: u64,
    /// Nanoseconds in which a member was busy, averaged over the members.
    pub busy_ns: u64,
    /// Of the caches in it: what they did.
    pub cache: CacheCounters,
}

impl Counters {
    /// Adds other counters, as often as they count.
    pub fn add(&mut self, other: &Counters, times: u64) {
        for op in 0..4 {
            self.submitted[op] += times * other.submitted[op];
            self.completed[op] += times * other.completed[op];
        }
        self.read_bytes += times * other.read_bytes;
        self.written_bytes += times * other.written_bytes;
        self.flash_host_pages += times * other.flash_host_pages;
        self.flash_copied_pages += times * other.flash_copied_pages;
        self.flash_programmed_pages += times * other.flash_programmed_pages;
        self.flash_erases += times * other.flash_erases;
        self.rebuilt_bytes += times * other.rebuilt_bytes;
        self.rebuilt_ns = self.rebuilt_ns.max(other.rebuilt_ns);
        self.busy_ns += times * other.busy_ns;
        self.cache.add(&other.cache, times);
    }

    /// Counts a request that the device takes.
    #[inline]
    pub fn submit(&mut self, request: &Request) {
        self.submitted[request.op as usize] += 1;
        match request.op {
            Op::Read => self.read_bytes += u64::from(request.size),
            Op::Write => self.written_bytes += u64::from(request.size),
            Op::Flush | Op::Discard => {}
        }
    }
}

/// A simulated block device.
///
/// Contract: `now` never decreases over calls of `submit` and `advance`; before `submit(now, …)` the caller has called
/// `advance(t, …)` for every `next()` ≤ now. `advance(now, done)` appends every completion due at or before `now`, in
/// order of `at` (ties in order of submission). Every request submitted is completed exactly once. Requests lie
/// within `capacity()`: the caller checks.
pub trait Device: Send {
    /// Usable size.
    fn capacity(&self) -> Bytes;
    /// Takes a request at `now`.
    fn submit(&mut self, now: Nanos, request: Request);
    /// The time of the earliest internal event, if any work is pending.
    fn next(&self) -> Option<Nanos>;
    /// Applies the effect of a write or discard on the device's state (mapping, wear, contents) at once, outside time:
    /// how drives are filled and brought to steady state, and how wear is simulated without a clock. Reads and flushes
    /// do nothing, but to a cache, which takes in what is read. Counts flash pages and erases in [`Counters`], but no host
    /// requests. Not to be called with requests in flight.
    fn age(&mut self, request: Request);
    /// Does at once, outside time, what the device does in a long idle period. Most do nothing.
    fn idle(&mut self) {}
    /// Processes all events up to and including `now`.
    fn advance(&mut self, now: Nanos, done: &mut Vec<Completion>);
    /// Processes events in their order, from the next one on, which lies at or before `until`: at least those of one time,
    /// none after `until`, none after the first time at which a request completes. Returns the time of the last event. The
    /// same as calls of `advance` one event after another, but a device that can continue alone saves the caller the
    /// turns in between.
    fn run(&mut self, until: Nanos, done: &mut Vec<Completion>) -> Nanos {
        let at = self.next().unwrap_or(until);
        self.advance(at, done);
        at
    }
    /// Takes a hint of a request that is likely to come soon, and may fetch what it needs into the cache. Changes no outcome.
    fn expect(&self, _request: &Request) {}
    /// What has been done so far.
    fn counters(&self) -> Counters;
    /// Starts counting again from zero, as after preconditioning; state and queues stay.
    fn reset_counters(&mut self);
    /// Why the device has failed and its figures mean nothing, in words; none while it is sound. Once failed, it stays so.
    fn fault(&self) -> Option<String> {
        None
    }
}

impl<D: Device + ?Sized> Device for Box<D> {
    fn capacity(&self) -> Bytes {
        (**self).capacity()
    }

    fn submit(&mut self, now: Nanos, request: Request) {
        (**self).submit(now, request);
    }

    fn next(&self) -> Option<Nanos> {
        (**self).next()
    }

    fn age(&mut self, request: Request) {
        (**self).age(request);
    }

    fn idle(&mut self) {
        (**self).idle();
    }

    fn advance(&mut self, now: Nanos, done: &mut Vec<Completion>) {
        (**self).advance(now, done);
    }

    fn run(&mut self, until: Nanos, done: &mut Vec<Completion>) -> Nanos {
        (**self).run(until, done)
    }

    fn expect(&self, request: &Request) {
        (**self).expect(request);
    }

    fn counters(&self) -> Counters {
        (**self).counters()
    }

    fn reset_counters(&mut self) {
        (**self).reset_counters();
    }

    fn fault(&self) -> Option<String> {
        (**self).fault()
    }
}
