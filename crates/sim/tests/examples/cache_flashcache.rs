//! FlashCache, step by step.

use crate::cache_traffic::{SLOW, layer};
use crate::strict::Strict;
use drivecast_block::{Bytes, CacheCounters, Device, Nanos, Op, Request};
use drivecast_sim::cache::CacheLayer;
use drivecast_sim::fixed_service::{FixedService, Service};
use drivecast_sim::spec::{CacheMode, CachePolicy, FlashCacheSpec, Reclaim, Restart};

const BLOCK: u64 = 4096;
/// Three sets of 256 blocks, and their metadata.
const FAST: Bytes = Bytes::mib(4);
/// The fast device takes 10 us, the slow one 1 ms; the cache adds 0.7 us.
const FAST_US: u64 = 10;
const SLOW_US: u64 = 1000;
const OVERHEAD: u64 = 700;

/// A cache, and the time.
struct Bench {
    device: CacheLayer<Strict<FixedService>>,
    now: Nanos,
    id: u64,
}

fn bench(spec: FlashCacheSpec) -> Bench {
    restarted(spec, None)
}

fn restarted(spec: FlashCacheSpec, restart: Option<Restart>) -> Bench {
    let spec = FlashCacheSpec { assoc: 256, ..spec };
    spec.check().unwrap();
    let services = [FAST_US, SLOW_US].map(|us| Service::Constant(Nanos::from_us(us)));
    Bench { device: layer(CachePolicy::FlashCache(spec), FAST, restart, services), now: Nanos::ZERO, id: 0 }
}

impl Bench {
    fn submit(&mut self, op: Op, offset: u64, size: u32, stream: u32) {
        self.id += 1;
        let offset = Bytes(offset);
        self.device.submit(self.now, Request { id: self.id, offset, size, stream, op, fua: false });
    }

    /// Lets all that is in flight end; when each completed, in us from now.
    fn drain(&mut self) -> Vec<u64> {
        let mut done = Vec::new();
        let began = self.now;
        while let Some(at) = self.device.next() {
            self.device.advance(at, &mut done);
            self.now = self.now.max(at);
        }
        self.now += Nanos(1);
        done.iter().map(|completion| (completion.at.since(began).0 - OVERHEAD) / 1000).collect()
    }

    /// One request alone; its latency in us.
    fn alone(&mut self, op: Op, block: u64) -> u64 {
        self.submit(op, block * BLOCK, BLOCK as u32, 0);
        self.drain()[0]
    }

    fn counted(&self) -> CacheCounters {
        self.device.counters().cache
    }

    fn age(&mut self, op: Op, block: u64) {
        let offset = Bytes(block * BLOCK);
        self.device.age(Request { id: 0, offset, size: BLOCK as u32, stream: 0, op, fua: false });
    }
}

#[test]
fn a_read_that_misses_is_filled_before_it_is_complete() {
    let mut bench = bench(FlashCacheSpec::default());
    assert_eq!(bench.alone(Op::Read, 5), SLOW_US + FAST_US);
    assert_eq!(bench.alone(Op::Read, 5), FAST_US);
    let counted = bench.counted();
    assert_eq!((counted.reads, counted.read_hits, counted.disk_reads, counted.ssd_writes), (2, 1, 1, 1));
}

#[test]
fn a_write_is_recorded_once() {
    let mut bench = bench(FlashCacheSpec::default());
    assert_eq!(bench.alone(Op::Write, 5), 2 * FAST_US, "data, then metadata");
    assert_eq!(bench.alone(Op::Write, 5), FAST_US, "it is dirty already");
    assert_eq!(bench.alone(Op::Read, 5), FAST_US);
    let counted = bench.counted();
    assert_eq!((counted.md_dirties, counted.md_ssd_writes, counted.dirty_write_hits), (1, 1, 1));
    assert_eq!(bench.device.cached(), [Bytes(BLOCK), Bytes(BLOCK)]);
}

#[test]
fn metadata_is_written_once_at_a_time_and_takes_what_waits_along() {
    let mut bench = bench(FlashCacheSpec::default());
    // Two servers: the data of 8 blocks in four rounds; the record of the first goes out alone, the others as they can.
    (0..8).for_each(|block| bench.submit(Op::Write, block * BLOCK, BLOCK as u32, 0));
    bench.drain();
    let counted = bench.counted();
    assert_eq!((counted.md_dirties, counted.md_batch + counted.md_ssd_writes), (8, 8));
    assert!((2..8).contains(&counted.md_ssd_writes), "{} metadata writes", counted.md_ssd_writes);
}

#[test]
fn through_goes_to_both_and_around_to_one() {
    let mut through = bench(FlashCacheSpec { mode: CacheMode::Through, ..FlashCacheSpec::default() });
    assert_eq!(through.alone(Op::Write, 5), SLOW_US);
    assert_eq!(through.alone(Op::Read, 5), FAST_US);
    assert_eq!((through.counted().md_ssd_writes, through.device.cached()[1]), (0, Bytes(0)));
    let mut around = bench(FlashCacheSpec { mode: CacheMode::Around, ..FlashCacheSpec::default() });
    assert_eq!(around.alone(Op::Read, 5), SLOW_US + FAST_US);
    assert_eq!(around.alone(Op::Write, 5), SLOW_US);
    assert_eq!(around.counted().write_invalidates, 1);
    assert_eq!(around.alone(Op::Read, 5), SLOW_US + FAST_US, "the write dropped it");
}

#[test]
fn write_only_caches_no_reads() {
    let mut bench = bench(FlashCacheSpec { write_only: true, ..FlashCacheSpec::default() });
    assert_eq!(bench.alone(Op::Read, 5), SLOW_US);
    assert_eq!(bench.alone(Op::Read, 5), SLOW_US);
    bench.alone(Op::Write, 5);
    assert_eq!(bench.alone(Op::Read, 5), FAST_US, "what was written is served");
}

#[test]
fn a_part_of_a_block_bypasses_the_cache_and_cleans_it_first() {
    let mut bench = bench(FlashCacheSpec::default());
    bench.alone(Op::Write, 5);
    bench.submit(Op::Read, 5 * BLOCK + 512, 512, 0);
    // Read from the fast device, write to the slow one, record as clean; then the block is dropped and the piece goes its way.
    assert_eq!(bench.drain(), [FAST_US + SLOW_US + FAST_US + SLOW_US]);
    let counted = bench.counted();
    assert_eq!((counted.cleanings, counted.pending_inval, counted.uncached_reads), (1, 1, 1));
    assert_eq!(bench.device.cached(), [Bytes(0), Bytes(0)]);
}

#[test]
fn requests_are_split_at_blocks() {
    let mut bench = bench(FlashCacheSpec::default());
    bench.submit(Op::Write, BLOCK / 2, 4 * BLOCK as u32, 0);
    bench.drain();
    let counted = bench.counted();
    assert_eq!((counted.writes, counted.uncached_writes, counted.md_dirties), (5, 2, 3));
}

#[test]
fn a_busy_block_makes_others_wait_and_is_dropped() {
    let mut bench = bench(FlashCacheSpec::default());
    (0..3).for_each(|_| bench.submit(Op::Read, 0, BLOCK as u32, 0));
    // The first is filled; the others then go to the slow device, one after the other.
    let filled = SLOW_US + FAST_US;
    assert_eq!(bench.drain(), [filled, filled + SLOW_US, filled + 2 * SLOW_US]);
    let counted = bench.counted();
    assert_eq!((counted.pending_enqueues, counted.pending_inval, counted.uncached_reads), (2, 1, 2));
    assert_eq!(bench.device.cached()[0], Bytes(0));
}

#[test]
fn a_piece_that_bypassed_is_issued_again_where_its_block_was_cached_meanwhile() {
    let mut bench = bench(FlashCacheSpec { blacklist: vec![7], ..FlashCacheSpec::default() });
    bench.submit(Op::Write, 0, BLOCK as u32, 7);
    bench.submit(Op::Write, 0, BLOCK as u32, 0);
    bench.drain();
    let counted = bench.counted();
    assert_eq!((counted.uncached_writes, counted.uncached_io_requeue, counted.cleanings), (1, 1, 1));
    assert_eq!(bench.device.cached()[0], Bytes(0));
}

#[test]
fn sequential_flows_are_skipped_beyond_the_threshold() {
    let mut bench = bench(FlashCacheSpec { skip_seq_thresh_kb: Some(64), ..FlashCacheSpec::default() });
    (0..32).for_each(|block| _ = bench.alone(Op::Read, block));
    let counted = bench.counted();
    assert_eq!((counted.uncached_sequential_reads, counted.uncached_reads), (16, 16));
    assert_eq!(bench.device.cached()[0], Bytes(16 * BLOCK));
    assert_eq!(bench.alone(Op::Read, 3), FAST_US, "what was cached is served nevertheless");
}

#[test]
fn lists_of_processes_expire() {
    let spec = FlashCacheSpec {
        blacklist: vec![0],
        pid_expiry: Some(Nanos::from_ms(60_000)),
        ..FlashCacheSpec::default()
    };
    let mut black = bench(spec);
    assert_eq!(black.alone(Op::Write, 5), SLOW_US);
    black.now = Nanos::from_ms(61_000);
    assert_eq!(black.alone(Op::Write, 5), 2 * FAST_US);
    assert_eq!((black.counted().pid_adds, black.counted().pid_expiry), (1, 1));
    let spec = FlashCacheSpec { cache_all: false, whitelist: vec![3], ..FlashCacheSpec::default() };
    let mut white = bench(spec);
    assert_eq!(white.alone(Op::Write, 5), SLOW_US);
    white.submit(Op::Write, 0, BLOCK as u32, 3);
    assert_eq!(white.drain(), [2 * FAST_US]);
}

#[test]
fn a_set_is_cleaned_down_to_its_threshold_with_neighbours() {
    let spec = FlashCacheSpec { dirty_thresh_pct: 10, fallow_delay: None, ..FlashCacheSpec::default() };
    let mut bench = bench(spec);
    // 25 of 256 may be dirty. Every second block, so that nothing merges.
    (0..40).for_each(|index| _ = bench.alone(Op::Write, 2 * index));
    // A write is not tried for again once it is dirty, so one above that remains.
    assert_eq!(bench.device.cached()[1], Bytes(26 * BLOCK));
    assert_eq!((bench.counted().cleanings, bench.counted().front_merge), (14, 0));
    let mut merged =
        self::bench(FlashCacheSpec { dirty_thresh_pct: 10, fallow_delay: None, ..FlashCacheSpec::default() });
    (0..26).for_each(|block| _ = merged.alone(Op::Write, block));
    assert_eq!(merged.counted().cleanings, 0);
    merged.alone(Op::Write, 100);
    let counted = merged.counted();
    assert_eq!(counted.front_merge + counted.back_merge + 1, 26, "one above the threshold takes all along");
    assert_eq!(merged.device.cached()[1], Bytes(BLOCK));
    let [_, slow] = merged.device.devices().map(Device::counters);
    assert_eq!((slow.submitted[1], counted.disk_writes), (1, 26), "as one write, counted in blocks");
}

#[test]
fn what_lies_fallow_is_cleaned_when_its_set_is_next_used() {
    let mut bench = bench(FlashCacheSpec::default());
    (0..4).for_each(|index| _ = bench.alone(Op::Write, 2 * index));
    // The first sweep came with the second write, and found the first block dirty.
    bench.now = Nanos::from_ms(1_000_000);
    bench.alone(Op::Read, 200);
    assert_eq!((bench.counted().fallow_cleanings, bench.counted().cleanings), (1, 1));
    // A hit makes a block young again.
    bench.alone(Op::Read, 2);
    bench.now = Nanos::from_ms(2_000_000);
    assert_eq!(bench.counted().cleanings, 1, "a set in which nothing happens is not tried");
    bench.alone(Op::Read, 201);
    assert_eq!((bench.counted().fallow_cleanings, bench.device.cached()[1]), (3, Bytes(BLOCK)));
}

#[test]
fn a_full_set_of_dirty_blocks_has_no_place() {
    let spec = FlashCacheSpec { dirty_thresh_pct: 95, fallow_delay: None, ..FlashCacheSpec::default() };
    let mut bench = bench(spec);
    // All of one set at once: nothing can be cleaned as fast as it comes.
    (0..300).for_each(|index| bench.submit(Op::Write, of_set(index) * BLOCK, BLOCK as u32, 0));
    bench.drain();
    let counted = bench.counted();
    assert!(counted.no_room > 0 && counted.uncached_writes == counted.no_room, "{counted:?}");
}

/// The blocks of the first of three sets, in order.
fn of_set(index: u64) -> u64 {
    index % 256 + 3 * 256 * (index / 256)
}

#[test]
fn fifo_replaces_in_turn_and_lru_what_is_used_least() {
    for (reclaim_policy, hits) in [(Reclaim::Fifo, 255), (Reclaim::Lru, 256)] {
        let mut bench = bench(FlashCacheSpec { reclaim_policy, ..FlashCacheSpec::default() });
        // Fill the set, use one block often, then bring in as many others as the set holds.
        (0..256).for_each(|index| bench.age(Op::Read, of_set(index)));
        for index in 256..512 {
            bench.age(Op::Read, of_set(7));
            bench.age(Op::Read, of_set(index));
        }
        assert_eq!(bench.counted().read_hits, hits, "{reclaim_policy:?} misses it once, or never");
    }
}

#[test]
fn a_crash_leaves_what_is_dirty_and_a_removal_what_is_clean() {
    let held = |mode, restart: Option<Restart>| {
        let mut bench = restarted(FlashCacheSpec { mode, ..FlashCacheSpec::default() }, restart);
        (0..10).for_each(|block| bench.age(Op::Write, 2 * block));
        (100..130).for_each(|block| bench.age(Op::Read, block));
        let before = bench.counted().cleanings;
        bench.device.restart();
        let [cached, dirty] = bench.device.cached().map(|bytes| bytes.0 / BLOCK);
        // What is not cached is served by the slow device; the rest is unchanged.
        assert_eq!(bench.alone(Op::Read, 2) == FAST_US, cached > 0);
        assert_eq!(bench.alone(Op::Read, 101) == FAST_US, cached > 10);
        bench.alone(Op::Write, 50);
        (cached, dirty, bench.counted().cleanings - before)
    };
    let back = CacheMode::Back;
    assert_eq!(held(back, None), (40, 10, 0));
    assert_eq!(held(back, Some(Restart::FastRemove)), (40, 10, 0));
    assert_eq!(held(back, Some(Restart::Remove)), (40, 0, 10));
    assert_eq!(held(back, Some(Restart::Crash)), (10, 10, 0));
    assert_eq!(held(CacheMode::Through, Some(Restart::Crash)), (0, 0, 0));
    assert_eq!(held(CacheMode::Through, Some(Restart::Remove)), (0, 0, 0));
}

#[test]
fn idle_time_cleans_what_is_dirty_unless_nothing_is_ever_fallow() {
    let left = |fallow_delay| {
        let mut bench = bench(FlashCacheSpec { fallow_delay, ..FlashCacheSpec::default() });
        (0..10).for_each(|block| bench.age(Op::Write, block));
        bench.device.idle();
        bench.device.cached()[1]
    };
    assert_eq!(left(Some(Nanos::from_ms(900_000))), Bytes(0));
    assert_eq!(left(None), Bytes(10 * BLOCK));
}

#[test]
fn flushes_and_discards_take_no_device() {
    let mut bench = bench(FlashCacheSpec::default());
    bench.alone(Op::Write, 5);
    bench.submit(Op::Flush, 0, 0, 0);
    bench.submit(Op::Discard, 0, SLOW.0 as u32, 0);
    assert_eq!(bench.drain(), [0, 0]);
    assert_eq!(bench.device.cached()[1], Bytes(BLOCK));
}
