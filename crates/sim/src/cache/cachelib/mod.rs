//! CacheLib with Navy: objects in memory, and what leaves it on flash, before a slow device that always has all.
//!
//! **Objects** are aligned pieces of `object` bytes. One that is in memory (LRU) is served without a device. One that is not is read of
//! flash if it is there, else of the slow device, as a whole; it is in memory afterwards.
//!
//! **Writes** go to the slow device. What flash has of them is void, and whole objects, or those that are there, are in memory.
//!
//! **Flash** is written by eviction alone: an object that leaves memory goes there, unless flash still has the same, or its admission
//! policy rejects it (`admit.rs`). Objects of at most `small_item_max` bytes lie in buckets (`buckets.rs`), each of which is
//! read and written for an object that comes or goes; larger ones in a log of regions (`regions.rs`). As all objects have one
//! size, one of the engines has all of the flash. Flushes go to the slow device.
//!
//! A restart in order leaves everything as it was; a crash nothing.
//!
//! Counted: `uncached_writes` are objects that the admission policy rejected, `replacement` those that left flash for others.
//!
//! Left out: sizes of objects that differ, time to live, stripes of locks, what is lost by rejecting insertions under load, and regions
//! that are in memory while they are written: a read of them takes a read of flash.

mod admit;
mod buckets;
mod memory;
mod regions;

use self::admit::Admit;
use self::buckets::{Buckets, Found};
use self::memory::{Evicted, Memory};
use self::regions::Regions;
use super::index::NONE;
use super::io::{Io, Piece, Side};
use super::orders::Orders;
use crate::request_slots::Slots;
use crate::spec::{CacheLibSpec, Restart};
use drivecast_block::{Bytes, Nanos, Op, Request};

/// What one write or read of a region takes along.
const REGION_IO: u32 = 1 << 20;
/// The unit in which flash is read.
const SECTOR: u64 = 4096;
/// Bytes of an item in memory that are not the object.
const ITEM: u64 = 32;

/// What an I/O is for.
#[derive(Clone, Copy)]
enum Work {
    /// A piece of this request.
    Of(u32),
    /// A bucket in which a filter promises what is not there: the piece is read of the slow device then.
    InVain(Piece),
    /// A bucket that is written when it has been read.
    Rewrite(u64),
    /// The cache's own.
    Own,
}

#[derive(Clone)]
enum Engine {
    Small(Buckets),
    Large(Regions),
}

/// The cache; see the module.
#[derive(Clone)]
pub(super) struct CacheLib {
    spec: CacheLibSpec,
    size: u64,
    scale: f64,
    object: u64,
    /// Bytes of the slow device.
    origin: u64,
    memory: Memory,
    engine: Engine,
    admit: Admit,
    works: Slots<Work>,
    /// Bytes written to flash so far.
    written: u64,
}

impl CacheLib {
    /// An empty cache on so many bytes of the fast device before so many; memory is scaled as they are.
    pub(super) fn new(spec: &CacheLibSpec, [size, origin]: [Bytes; 2], scale: f64) -> CacheLib {
        let object = u64::from(spec.object);
        let engine = if spec.is_small() {
            Engine::Small(Buckets::new(spec, size.0))
        } else {
            Engine::Large(Regions::new(spec, size.0))
        };
        CacheLib {
            object,
            origin: origin.0,
            memory: Memory::new((spec.ram.0 as f64 * scale) as u64 / (object + ITEM)),
            engine,
            admit: Admit::new(spec.admission),
            works: Slots::new(),
            written: 0,
            size: size.0,
            scale,
            spec: spec.clone(),
        }
    }

    #[inline]
    pub(super) fn expect(&self, request: &Request) {
        let object = request.offset.0 / self.object;
        self.memory.expect(object);
        match &self.engine {
            Engine::Small(buckets) => buckets.expect(object),
            Engine::Large(regions) => regions.expect(object),
        }
    }

    /// Takes a request in; the number of its pieces.
    pub(super) fn submit(&mut self, now: Nanos, job: u32, request: &Request, orders: &mut Orders) -> u32 {
        let Request { op, stream, fua, .. } = *request;
        let piece = Piece { job, op, offset: request.offset.0, size: request.size, stream, fua };
        match op {
            Op::Discard => 0,
            Op::Read | Op::Write if request.size == 0 => 0,
            Op::Flush => {
                self.send(piece.on(Side::Slow, 0, NONE), Work::Of(job), orders);
                1
            }
            Op::Write => {
                self.write(now, piece, orders);
                1
            }
            Op::Read => {
                let objects = piece.offset / self.object..request.end().div_ceil(self.object);
                let pieces = (objects.end - objects.start) as u32;
                objects.for_each(|object| self.read(now, object, piece, orders));
                pieces
            }
        }
    }

    fn read(&mut self, now: Nanos, object: u64, piece: Piece, orders: &mut Orders) {
        if self.memory.uses(object) {
            orders.counters.ram_hits += 1;
            return orders.finish(piece.job);
        }
        orders.counters.reads += 1;
        let offset = object * self.object;
        let whole = Piece { offset, size: (self.origin - offset).min(self.object) as u32, ..piece };
        let is_below = match &mut self.engine {
            Engine::Small(_) => self.read_small(object, whole, orders),
            Engine::Large(_) => self.read_large(object, whole, orders),
        };
        if is_below {
            orders.counters.read_hits += 1;
        }
        self.take_in(now, object, is_below, orders);
    }

    /// Reads an object that may be in a bucket; whether it is.
    fn read_small(&mut self, object: u64, whole: Piece, orders: &mut Orders) -> bool {
        let Engine::Small(buckets) = &self.engine else { return false };
        let (bucket, found) = (buckets.bucket(object), buckets.find(object));
        let work = match found {
            Found::There => Work::Of(whole.job),
            Found::InVain => Work::InVain(whole),
            Found::Not => {
                self.read_slow(whole, orders);
                return false;
            }
        };
        orders.counters.ssd_reads += 1;
        let of_bucket = Piece { size: self.spec.bucket, ..whole };
        self.send(of_bucket.on(Side::Fast, bucket * u64::from(self.spec.bucket), NONE), work, orders);
        found == Found::There
    }

    /// Reads an object that may be in a region; whether it is.
    fn read_large(&mut self, object: u64, whole: Piece, orders: &mut Orders) -> bool {
        let Engine::Large(regions) = &mut self.engine else { return false };
        let Some((region, at)) = regions.find(object) else {
            self.read_slow(whole, orders);
            return false;
        };
        regions.hit(object);
        if regions.is_open(region) {
            orders.finish(whole.job);
            return true;
        }
        let from = u64::from(region) * u64::from(self.spec.region) + u64::from(at) * regions.place;
        let to = (from + regions.place).next_multiple_of(SECTOR);
        let from = from / SECTOR * SECTOR;
        orders.counters.ssd_reads += 1;
        let of_flash = Piece { size: (to - from) as u32, ..whole };
        self.send(of_flash.on(Side::Fast, from, NONE), Work::Of(whole.job), orders);
        true
    }

    fn read_slow(&mut self, whole: Piece, orders: &mut Orders) {
        orders.counters.disk_reads += 1;
        self.send(whole.on(Side::Slow, whole.offset, NONE), Work::Of(whole.job), orders);
    }

    fn write(&mut self, now: Nanos, piece: Piece, orders: &mut Orders) {
        orders.counters.writes += 1;
        orders.counters.disk_writes += 1;
        let end = piece.offset + u64::from(piece.size);
        for object in piece.offset / self.object..end.div_ceil(self.object) {
            self.void(object, orders);
            let is_whole = object * self.object >= piece.offset && (object + 1) * self.object <= end;
            if is_whole || self.memory.has(object) {
                self.take_in(now, object, false, orders);
            }
        }
        self.send(piece.on(Side::Slow, piece.offset, NONE), Work::Of(piece.job), orders);
    }

    /// What flash has of an object is void.
    fn void(&mut self, object: u64, orders: &mut Orders) {
        match &mut self.engine {
            Engine::Large(regions) => {
                orders.counters.write_invalidates += u64::from(regions.find(object).is_some());
                regions.take(object);
            }
            Engine::Small(buckets) => match buckets.find(object) {
                Found::There => {
                    orders.counters.write_invalidates += 1;
                    buckets.take(object);
                    let bucket = buckets.bucket(object);
                    self.read_bucket(bucket, Work::Rewrite(bucket), orders);
                }
                Found::InVain => {
                    let bucket = buckets.bucket(object);
                    self.read_bucket(bucket, Work::Own, orders);
                }
                Found::Not => {}
            },
        }
    }

    /// An object is in memory from now on; what leaves it may go to flash.
    fn take_in(&mut self, now: Nanos, object: u64, is_below: bool, orders: &mut Orders) {
        let Some(Evicted { object, is_below }) = self.memory.put(object, is_below) else { return };
        let is_still_below = is_below
            && match &self.engine {
                Engine::Small(buckets) => buckets.find(object) == Found::There,
                Engine::Large(regions) => regions.find(object).is_some(),
            };
        if is_still_below {
            return;
        }
        if !self.admit.admits(now, object, self.written) {
            orders.counters.uncached_writes += 1;
            return;
        }
        self.store(object, orders);
    }

    /// Puts an object on flash.
    fn store(&mut self, object: u64, orders: &mut Orders) {
        match &mut self.engine {
            Engine::Small(buckets) => {
                orders.counters.replacement += u64::from(buckets.put(object));
                let bucket = buckets.bucket(object);
                self.read_bucket(bucket, Work::Rewrite(bucket), orders);
            }
            Engine::Large(regions) => {
                let before = regions.held() + 1;
                let turn = regions.put(object);
                orders.counters.replacement += before - regions.held();
                for (region, op) in [(turn.full, Op::Write), (turn.given_up, Op::Read)] {
                    if let Some(region) = region {
                        self.move_region(region, op, orders);
                    }
                }
            }
        }
    }

    fn read_bucket(&mut self, bucket: u64, work: Work, orders: &mut Orders) {
        orders.counters.ssd_reads += 1;
        let bytes = self.spec.bucket;
        self.send(Io::own(Side::Fast, Op::Read, bucket * u64::from(bytes), bytes, NONE), work, orders);
    }

    fn move_region(&mut self, region: u32, op: Op, orders: &mut Orders) {
        let bytes = self.spec.region;
        let first = u64::from(region) * u64::from(bytes);
        for offset in (0..bytes).step_by(REGION_IO as usize) {
            match op {
                Op::Write => orders.counters.ssd_writes += 1,
                _ => orders.counters.ssd_reads += 1,
            }
            let io = Io::own(Side::Fast, op, first + u64::from(offset), REGION_IO.min(bytes - offset), NONE);
            self.send(io, Work::Own, orders);
        }
    }

    fn send(&mut self, io: Io, work: Work, orders: &mut Orders) {
        let is_to_flash = io.side == Side::Fast && io.op == Op::Write;
        self.written += if is_to_flash { u64::from(io.size) } else { 0 };
        let id = self.works.insert(work);
        orders.send(Io { id, ..io });
    }

    /// An I/O is done.
    pub(super) fn arrive(&mut self, _now: Nanos, id: u32, orders: &mut Orders) {
        match self.works.remove(id) {
            Work::Of(job) => orders.finish(job),
            Work::InVain(whole) => self.read_slow(whole, orders),
            Work::Rewrite(bucket) => {
                orders.counters.ssd_writes += 1;
                let bytes = self.spec.bucket;
                let io = Io::own(Side::Fast, Op::Write, bucket * u64::from(bytes), bytes, NONE);
                self.send(io, Work::Own, orders);
            }
            Work::Own => {}
        }
    }

    /// It does nothing on its own.
    pub(super) fn due(&self) -> Nanos {
        Nanos::MAX
    }

    /// Nothing is ever due.
    pub(super) fn wake(&mut self, _now: Nanos, _orders: &mut Orders) {}

    /// Takes the cache away and sets it up again: in order with all that it had, else empty.
    pub(super) fn restart(&mut self, how: Restart, _orders: &mut Orders) {
        if how == Restart::Crash {
            *self = CacheLib::new(&self.spec, [self.size, self.origin].map(Bytes), self.scale);
        }
    }

    /// Bytes that flash holds data in; none is dirty.
    pub(super) fn held(&self) -> (u64, u64) {
        let objects = match &self.engine {
            Engine::Small(buckets) => buckets.held(),
            Engine::Large(regions) => regions.held(),
        };
        (objects * self.object, 0)
    }

    /// Memory that it takes, but for what is small.
    pub(super) fn memory(&self) -> usize {
        let of_engine = match &self.engine {
            Engine::Small(buckets) => buckets.bytes(),
            Engine::Large(regions) => regions.bytes(),
        };
        self.memory.bytes() + of_engine + self.admit.bytes()
    }
}
