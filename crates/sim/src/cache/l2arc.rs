//! ZFS's second-level read cache (L2ARC): a ring on the fast device that is fed from the cache in memory.
//!
//! **Memory.** Records (`recordsize`) lie in an ARC of `arc` bytes (`arc.rs`); what is there is served without a device. What is
//! not is read of the fast device if it is in the ring, else of the slow one; either way it is in memory afterwards.
//!
//! **Feeding.** Every second up to `write_max` bytes, and `write_boost` more until the ring has come round once, are written to the
//! ring, in one sequence: records that are about to leave memory (from the old ends of both lists, within `headroom` × `write_max`
//! bytes of each) and are not in the ring yet. What lies where they are written is given up. Nothing is written because it
//! was read or written by a request. Records read by prefetch do not go in (`noprefetch`): those that continue one of 32
//! sequential flows.
//!
//! **Writes** go to the slow device, and what is in the ring of them is void; whole records are in memory afterwards. Flushes go
//! to the slow device.
//!
//! A restart leaves nothing in memory. The ring is there again after it (`rebuild`, as of OpenZFS 2.0), or not.
//!
//! Left out: transaction groups (a write is one to the slow device), compression, the log blocks that a rebuild reads, evicting
//! ahead of the hand.

use super::arc::{Arc, On};
use super::index::{Index, NONE};
use super::io::{Io, Piece, Side};
use super::orders::Orders;
use super::sequential::Flows;
use crate::request_slots::Slots;
use crate::spec::{L2ArcSpec, Restart};
use drivecast_block::{Bytes, Nanos, Op, Request};

const FEED: Nanos = Nanos::from_ms(1000);
/// What one write of a feed takes along.
const WRITE_BYTES_MAX: u64 = 1 << 20;

/// The cache; see the module.
#[derive(Clone)]
pub(super) struct L2Arc {
    spec: L2ArcSpec,
    record: u64,
    /// Records that the ring holds, and the one at the hand.
    most: u32,
    hand: u32,
    has_come_round: bool,
    arc: Arc,
    /// By record: its place in the ring.
    ring: Index,
    /// By place: whether it holds a record.
    is_held: Vec<bool>,
    held: u64,
    flows: Flows,
    /// Records in memory that were read by prefetch.
    prefetched: Index,
    prefetched_next: u32,
    /// Of each I/O, the request that it is for, if any.
    works: Slots<u32>,
    feed_at: Nanos,
    /// Records put into the ring that are still to be written.
    fed: u32,
    /// Bytes of the slow device.
    origin: u64,
}

/// Records remembered as prefetched.
const PREFETCHED_MAX: u32 = 1 << 16;

impl L2Arc {
    /// An empty ring on so many bytes of the fast device before so many; memory is scaled as they are.
    pub(super) fn new(spec: &L2ArcSpec, [size, origin]: [Bytes; 2], scale: f64) -> L2Arc {
        let record = u64::from(spec.recordsize);
        let arc = (spec.arc.0 as f64 * scale) as u64 / record;
        L2Arc {
            record,
            origin: origin.0,
            fed: 0,
            most: u32::try_from(size.0 / record).unwrap_or(u32::MAX - 1).max(1),
            hand: 0,
            has_come_round: false,
            arc: Arc::new(usize::try_from(arc).unwrap_or(usize::MAX)),
            ring: Index::new(),
            is_held: Vec::new(),
            held: 0,
            flows: Flows::new(spec.noprefetch.then_some(1)),
            prefetched: Index::new(),
            prefetched_next: 0,
            works: Slots::new(),
            feed_at: Nanos::MAX,
            spec: spec.clone(),
        }
    }

    #[inline]
    pub(super) fn expect(&self, request: &Request) {
        self.ring.expect(request.offset.0 / self.record);
    }

    /// Takes a request in; the number of its pieces.
    pub(super) fn submit(&mut self, now: Nanos, job: u32, request: &Request, orders: &mut Orders) -> u32 {
        let Request { op, stream, fua, .. } = *request;
        let piece = Piece { job, op, offset: request.offset.0, size: request.size, stream, fua };
        match op {
            Op::Discard => 0,
            Op::Read | Op::Write if request.size == 0 => 0,
            Op::Flush => {
                self.send(piece, Side::Slow, 0, orders);
                1
            }
            Op::Write => {
                self.write(piece, orders);
                self.feeds(now);
                1
            }
            Op::Read => {
                let (mut offset, end, mut pieces) = (piece.offset, request.end(), 0);
                while offset < end {
                    let next = ((offset / self.record + 1) * self.record).min(end);
                    self.read(Piece { offset, size: (next - offset) as u32, ..piece }, orders);
                    offset = next;
                    pieces += 1;
                }
                self.feeds(now);
                pieces
            }
        }
    }

    fn read(&mut self, piece: Piece, orders: &mut Orders) {
        let record = piece.offset / self.record;
        let is_ahead = self.flows.skips(record);
        if self.arc.used(record) {
            orders.counters.ram_hits += 1;
            return orders.finish(piece.job);
        }
        if is_ahead {
            self.remember(record);
        }
        orders.counters.reads += 1;
        let place = self.ring.find(record);
        // A record is read as a whole, from wherever.
        let offset = record * self.record;
        let whole = Piece { offset, size: self.record as u32, ..piece };
        if place != NONE {
            orders.counters.read_hits += 1;
            orders.counters.ssd_reads += 1;
            self.send(whole, Side::Fast, u64::from(place) * self.record, orders);
        } else {
            orders.counters.disk_reads += 1;
            let size = (self.origin - offset).min(self.record) as u32;
            self.send(Piece { size, ..whole }, Side::Slow, offset, orders);
        }
    }

    /// Remembers that a record was read ahead; the oldest of many is forgotten.
    fn remember(&mut self, record: u64) {
        if self.prefetched.find(record) != NONE {
            return;
        }
        let slot = self.prefetched_next % PREFETCHED_MAX;
        if self.prefetched_next >= PREFETCHED_MAX {
            self.prefetched.remove(slot);
        }
        self.prefetched.insert(slot, record);
        // The slots are in use from then on, over and over.
        self.prefetched_next = if self.prefetched_next + 1 == 2 * PREFETCHED_MAX {
            PREFETCHED_MAX
        } else {
            self.prefetched_next + 1
        };
    }

    fn write(&mut self, piece: Piece, orders: &mut Orders) {
        orders.counters.writes += 1;
        orders.counters.disk_writes += 1;
        let end = piece.offset + u64::from(piece.size);
        for record in piece.offset / self.record..end.div_ceil(self.record) {
            let place = self.ring.find(record);
            if place != NONE {
                orders.counters.write_invalidates += 1;
                self.void(place);
            }
            let is_whole = record * self.record >= piece.offset && (record + 1) * self.record <= end;
            if is_whole || self.arc.has(record) {
                self.arc.used(record);
            }
        }
        self.send(piece, Side::Slow, piece.offset, orders);
    }

    fn send(&mut self, piece: Piece, side: Side, offset: u64, orders: &mut Orders) {
        let work = self.works.insert(piece.job);
        orders.send(piece.on(side, offset, work));
    }

    /// A place of the ring holds nothing any more.
    fn void(&mut self, place: u32) {
        if self.is_held.get(place as usize) == Some(&true) {
            self.ring.remove(place);
            self.is_held[place as usize] = false;
            self.held -= 1;
        }
    }

    /// A request has been: the next feed is due.
    fn feeds(&mut self, now: Nanos) {
        self.feed_at = self.feed_at.min(now + FEED);
    }

    /// An I/O is done.
    pub(super) fn arrive(&mut self, _now: Nanos, id: u32, orders: &mut Orders) {
        let job = self.works.remove(id);
        if job != NONE {
            orders.finish(job);
        }
    }

    /// When it next feeds: never, while nothing is requested.
    pub(super) fn due(&self) -> Nanos {
        self.feed_at
    }

    /// Feeds the ring.
    pub(super) fn wake(&mut self, _now: Nanos, orders: &mut Orders) {
        self.feed_at = Nanos::MAX;
        let boost = if self.has_come_round { 0 } else { self.spec.write_boost.0 };
        let most = ((self.spec.write_max.0 + boost) / self.record).max(1) as usize;
        let headroom = (self.spec.headroom * self.spec.write_max.0 / self.record).max(1) as usize;
        let mut chosen: Vec<u64> = Vec::new();
        for list in [On::Frequent, On::Recent] {
            let old = self.arc.oldest(list).take(headroom);
            let wanted =
                old.filter(|record| self.ring.find(*record) == NONE && self.prefetched.find(*record) == NONE);
            chosen.extend(wanted.take(most.saturating_sub(chosen.len())));
        }
        chosen.into_iter().for_each(|record| self.put(record));
        self.write_ring(orders);
    }

    /// A record lies at the hand, which moves.
    fn put(&mut self, record: u64) {
        let place = self.hand;
        self.void(place);
        if self.is_held.len() <= place as usize {
            self.is_held.resize(place as usize + 1, false);
        }
        self.ring.insert(place, record);
        self.is_held[place as usize] = true;
        self.held += 1;
        self.hand = (place + 1) % self.most;
        self.has_come_round |= self.hand == 0;
        self.fed += 1;
    }

    /// Writes what was put into the ring since the last time, in sequence.
    fn write_ring(&mut self, orders: &mut Orders) {
        let mut place =
            (u64::from(self.hand) + u64::from(self.most) * 2 - u64::from(self.fed)) % u64::from(self.most);
        while self.fed > 0 {
            let to_end = u64::from(self.most) - place;
            let records = u64::from(self.fed).min(to_end).min((WRITE_BYTES_MAX / self.record).max(1));
            let work = self.works.insert(NONE);
            orders.counters.ssd_writes += 1;
            let (offset, size) = (place * self.record, (records * self.record) as u32);
            orders.send(Io::own(Side::Fast, Op::Write, offset, size, work));
            self.fed -= records as u32;
            place = (place + records) % u64::from(self.most);
        }
    }

    /// Takes the cache away and sets it up again: memory is empty, and the ring unless it is rebuilt.
    pub(super) fn restart(&mut self, _how: Restart, _orders: &mut Orders) {
        self.arc.clear();
        if !self.spec.rebuild {
            (0..self.is_held.len() as u32).for_each(|place| self.void(place));
            (self.hand, self.has_come_round) = (0, false);
        }
    }

    /// Bytes that hold data; none is dirty.
    pub(super) fn held(&self) -> (u64, u64) {
        (self.held * self.record, 0)
    }

    /// Memory that it takes, but for what is small.
    pub(super) fn memory(&self) -> usize {
        self.ring.bytes() + self.arc.bytes() + self.is_held.len()
    }
}
