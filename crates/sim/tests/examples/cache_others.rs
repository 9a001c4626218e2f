//! vCache, bcache, OpenCAS, dm-writecache, dm-cache and ZFS's caches: what sets each apart, step by step.

use crate::cache_traffic::layer;
use crate::strict::Strict;
use drivecast_block::{Bytes, CacheCounters, Device, Nanos, Op, Request};
use drivecast_sim::cache::CacheLayer;
use drivecast_sim::fixed_service::{FixedService, Service};
use drivecast_sim::spec::{
    BcacheSpec, CacheMode, CachePolicy, Cleaning, DmCacheSpec, DmWritecacheSpec, L2ArcSpec, OpenCasSpec,
    Restart, SlogSpec, VCacheSpec,
};

pub(crate) const BLOCK: u64 = 4096;
pub(crate) const FAST_US: u64 = 10;
pub(crate) const SLOW_US: u64 = 1000;
/// What the cache adds to each request, in ns.
const OVERHEAD: u64 = 700;

pub(crate) struct Bench {
    device: CacheLayer<Strict<FixedService>>,
    pub(crate) now: Nanos,
    id: u64,
}

pub(crate) fn bench(policy: CachePolicy) -> Bench {
    restarted(policy, None)
}

/// A cache of 12 MiB before 64 MiB.
pub(crate) fn restarted(policy: CachePolicy, restart: Option<Restart>) -> Bench {
    let services = [FAST_US, SLOW_US].map(|us| Service::Constant(Nanos::from_us(us)));
    Bench { device: layer(policy, Bytes::mib(12), restart, services), now: Nanos::ZERO, id: 0 }
}

impl Bench {
    fn submit(&mut self, op: Op, block: u64, blocks: u64) {
        self.id += 1;
        let (offset, size) = (Bytes(block * BLOCK), (blocks * BLOCK) as u32);
        self.device.submit(self.now, Request { id: self.id, offset, size, stream: 0, op, fua: false });
    }

    /// Lets time pass to `until`, or until nothing is left to do; the latencies in us of what completes, from now on.
    pub(crate) fn pass(&mut self, until: Nanos) -> Vec<u64> {
        let (mut done, began) = (Vec::new(), self.now);
        while let Some(at) = self.device.next().filter(|at| *at <= until) {
            self.device.advance(at, &mut done);
            self.now = self.now.max(at);
        }
        self.now = if until == Nanos::MAX { self.now } else { until };
        done.iter().map(|completion| (completion.at.since(began).0 - OVERHEAD) / 1000).collect()
    }

    /// One request; its latency in us. Background work that it causes may still run.
    pub(crate) fn alone(&mut self, op: Op, block: u64, blocks: u64) -> u64 {
        self.submit(op, block, blocks);
        let began = self.now;
        loop {
            let waited = self.now.since(began).0 / 1000;
            let until = self.now + Nanos::from_ms(20);
            if let Some(latency) = self.pass(until).first() {
                return waited + latency;
            }
        }
    }

    pub(crate) fn age(&mut self, op: Op, block: u64, blocks: u64) {
        let (offset, size) = (Bytes(block * BLOCK), (blocks * BLOCK) as u32);
        self.device.age(Request { id: 0, offset, size, stream: 0, op, fua: false });
    }

    pub(crate) fn counted(&self) -> CacheCounters {
        self.device.counters().cache
    }

    pub(crate) fn device_mut(&mut self) -> &mut CacheLayer<Strict<FixedService>> {
        &mut self.device
    }

    fn dirty(&self) -> u64 {
        self.device.cached()[1].0 / BLOCK
    }

    pub(crate) fn held(&self) -> u64 {
        self.device.cached()[0].0 / BLOCK
    }
}

#[test]
fn vcache_holds_writes_up_once_its_share_is_dirty_and_flushes_by_a_period() {
    let mut spec = VCacheSpec::default();
    spec.blocks.dirty_thresh_pct = 10;
    spec.blocks.assoc = 256;
    let mut demand = bench(CachePolicy::VCache(spec.clone()));
    // 10 % of 12 MiB is 307 blocks; every second one, so that nothing merges.
    let latencies: Vec<u64> = (0..320).map(|index| demand.alone(Op::Write, 2 * index, 1)).collect();
    assert!(latencies[..300].iter().all(|latency| *latency == FAST_US), "no metadata, no flush");
    assert!(latencies.iter().any(|latency| *latency > SLOW_US), "the flush is waited for");
    assert!(demand.dirty() <= 308);
    let period = Some(Nanos::from_ms(10_000));
    let mut timed = bench(CachePolicy::VCache(VCacheSpec { flush_period: period, ..spec }));
    (0..50).for_each(|index| _ = timed.alone(Op::Write, 2 * index, 1));
    timed.pass(Nanos::from_ms(9_900));
    assert_eq!(timed.dirty(), 50);
    timed.pass(Nanos::from_ms(11_000));
    assert_eq!((timed.dirty(), timed.counted().cleanings), (0, 50));
}

#[test]
fn bcache_completes_reads_before_it_fills_and_leaves_sequential_streams_out() {
    let spec = BcacheSpec { bucket: 64 << 10, sequential_cutoff: Some(256 << 10), ..BcacheSpec::default() };
    let mut bench = bench(CachePolicy::Bcache(spec));
    assert_eq!(bench.alone(Op::Read, 7, 1), SLOW_US, "the fill is behind it");
    assert_eq!(bench.alone(Op::Read, 7, 1), FAST_US);
    assert_eq!(bench.alone(Op::Read, 7, 2), SLOW_US, "part of it misses");
    let counted = bench.counted();
    assert_eq!((counted.reads, counted.read_hits), (3, 1), "a hit in part is a miss");
    (0..64).for_each(|index| _ = bench.alone(Op::Read, 1000 + 16 * index, 16));
    // Four requests of 64 KiB reach the cutoff; three are cached.
    assert_eq!(bench.held(), 2 + 3 * 16);
}

#[test]
fn bcache_writes_back_towards_its_target() {
    let spec = BcacheSpec {
        bucket: 64 << 10,
        mode: CacheMode::Back,
        sequential_cutoff: None,
        ..BcacheSpec::default()
    };
    let mut bench = bench(CachePolicy::Bcache(spec));
    (0..1000).for_each(|index| _ = bench.alone(Op::Write, 7 * index, 1));
    let (dirty, cleaned) = (bench.dirty(), bench.counted().cleanings);
    assert!(dirty > 900, "{dirty} dirty after 20 s");
    bench.pass(Nanos::from_ms(600_000));
    // A tenth of what the cache holds is the target; below it, 8 sectors a second.
    let target = 3_000 / 10;
    assert!(bench.dirty() < 400 && bench.counted().cleanings > cleaned, "{} dirty", bench.dirty());
    let before = bench.dirty();
    bench.pass(Nanos::from_ms(660_000));
    let slow = before - bench.dirty();
    assert!(before > target || slow <= 70, "{slow} cleaned in a minute, with {before} dirty");
}

#[test]
fn bcache_gives_up_whole_buckets() {
    let spec = BcacheSpec { bucket: 64 << 10, sequential_cutoff: None, ..BcacheSpec::default() };
    let mut bench = bench(CachePolicy::Bcache(spec));
    (0..16_000).for_each(|block| bench.age(Op::Read, block, 1));
    let held = bench.held();
    assert!(held > 2_900 && held <= 3_072, "{held} of 12 MiB held");
    assert_eq!(bench.counted().replacement % 16, 0, "by buckets of 16 blocks");
    assert!(bench.counted().ssd_writes == 16_000);
}

#[test]
fn open_cas_cleans_what_is_stale_when_all_is_quiet() {
    let spec = OpenCasSpec { mode: CacheMode::Back, ..OpenCasSpec::default() };
    let mut alru = bench(CachePolicy::OpenCas(spec.clone()));
    let recorded = alru.alone(Op::Write, 0, 1);
    assert_eq!(recorded, 2 * FAST_US, "data, then metadata");
    (1..300).for_each(|index| _ = alru.alone(Op::Write, 2 * index, 1));
    alru.pass(Nanos::from_ms(119_000));
    assert_eq!(alru.dirty(), 300, "nothing is stale before 120 s");
    alru.pass(Nanos::from_ms(180_000));
    assert_eq!(alru.dirty(), 0);
    let acp = OpenCasSpec {
        cleaning: Cleaning::Acp,
        wake_up: Nanos::from_ms(10),
        flush_max_buffers: 128,
        ..spec.clone()
    };
    let mut acp = bench(CachePolicy::OpenCas(acp));
    (0..10).for_each(|index| _ = acp.alone(Op::Write, 2 * index, 1));
    acp.pass(Nanos::from_ms(400));
    assert_eq!(acp.dirty(), 0, "ACP cleans at once");
    let nop = OpenCasSpec { cleaning: Cleaning::Nop, ..spec };
    let mut nop = bench(CachePolicy::OpenCas(nop));
    (0..4_000).for_each(|index| _ = nop.alone(Op::Write, 2 * index, 1));
    assert!(nop.dirty() > 2_000 && nop.counted().cleanings > 500, "only for space: {:?}", nop.counted());
}

#[test]
fn open_cas_lets_blocks_in_at_their_third_request() {
    let spec = OpenCasSpec { insertion_threshold: Some(3), trigger_threshold: 0, ..OpenCasSpec::default() };
    let mut bench = bench(CachePolicy::OpenCas(spec));
    let latencies = [(); 4].map(|()| bench.alone(Op::Read, 9, 1));
    assert_eq!(latencies, [SLOW_US, SLOW_US, SLOW_US, FAST_US]);
}

#[test]
fn dm_writecache_fills_to_a_watermark_and_caches_no_reads() {
    let mut bench = bench(CachePolicy::DmWritecache(DmWritecacheSpec::default()));
    assert_eq!(bench.alone(Op::Read, 5, 1), SLOW_US);
    assert_eq!(bench.alone(Op::Read, 5, 1), SLOW_US);
    assert_eq!(bench.alone(Op::Write, 5, 1), FAST_US, "recorded by a flush, or within a second");
    assert_eq!(bench.alone(Op::Read, 5, 1), FAST_US, "what was written is served");
    bench.submit(Op::Flush, 0, 0);
    assert_eq!(bench.pass(bench.now + Nanos::from_ms(5)), [2 * FAST_US], "the record, then the flush");
    (0..1_000).for_each(|index| _ = bench.alone(Op::Write, 2 * index, 1));
    assert_eq!(bench.counted().cleanings, 0);
    (1_000..2_000).for_each(|index| _ = bench.alone(Op::Write, 2 * index, 1));
    let share = bench.dirty() as f64 / 3_072.0;
    assert!((0.44..0.51).contains(&share), "{share} dirty, between the watermarks");
    assert_eq!(bench.held(), bench.dirty(), "what is clean is given up");
}

#[test]
fn dm_writecache_makes_writes_wait_while_it_is_full() {
    let spec = DmWritecacheSpec { high_watermark: 100, low_watermark: 90, ..DmWritecacheSpec::default() };
    let mut bench = bench(CachePolicy::DmWritecache(spec));
    (0..16).for_each(|index| bench.submit(Op::Write, 256 * index, 256));
    let latencies = bench.pass(Nanos::MAX);
    assert_eq!(latencies.len(), 16);
    assert!(latencies[..11].iter().all(|latency| *latency < SLOW_US), "{latencies:?}");
    assert!(latencies[15] > SLOW_US && bench.counted().uncached_writes == 0);
}

#[test]
fn dm_cache_lets_in_what_is_used_again_and_again_and_copies_it_whole() {
    let spec = DmCacheSpec { block: 64 << 10, mode: CacheMode::Back, ..DmCacheSpec::default() };
    let mut bench = bench(CachePolicy::DmCache(spec.clone()));
    assert_eq!(bench.alone(Op::Read, 3, 1), SLOW_US);
    for second in 1..120 {
        // Levels are of equal size, so one block alone would stay at the bottom.
        bench.pass(Nanos::from_ms(1000 * second));
        (0..8).for_each(|index| _ = bench.alone(Op::Read, 16 * (10 + (8 * second + index) % 1000), 1));
        bench.alone(Op::Read, 3, 1);
    }
    let held = bench.held();
    assert!(
        held >= 16 && held.is_multiple_of(16) && held < 16 * 100,
        "{held} blocks held, in blocks of 64 KiB"
    );
    assert_eq!((bench.alone(Op::Read, 3, 1), bench.alone(Op::Read, 9, 2)), (FAST_US, FAST_US));
    assert_eq!(bench.alone(Op::Write, 3, 1), FAST_US);
    assert_eq!(bench.dirty(), 16);
    bench.pass(bench.now + Nanos::from_ms(1_500));
    assert_eq!(bench.dirty(), 0, "written back once nothing happens for a second");
    let counted = bench.counted();
    assert_eq!((counted.cleanings, counted.disk_written_bytes), (1, 64 << 10));
    let mut crashed = restarted(CachePolicy::DmCache(spec), Some(Restart::Crash));
    for turn in 0..300_000_u64 {
        let cold = 16 * (10 + turn / 50 % 1000);
        crashed.age(Op::Read, if turn % 2 == 0 { 3 } else { cold }, 1);
    }
    let held = crashed.held();
    assert_eq!(crashed.dirty(), 0);
    crashed.device.restart();
    assert_eq!((crashed.held(), crashed.dirty()), (held, held), "after a crash all counts as dirty");
    assert!(held > 0);
}

#[test]
fn a_cleaner_that_is_due_while_it_can_clean_nothing_more_waits_for_its_next_period() {
    for cleaning in [Cleaning::Alru, Cleaning::Acp] {
        let spec = OpenCasSpec {
            mode: CacheMode::Back,
            cleaning,
            wake_up: Nanos::from_us(SLOW_US / 4),
            staleness_time: Nanos::ZERO,
            activity_threshold: Nanos::ZERO,
            flush_max_buffers: 1,
            ..OpenCasSpec::default()
        };
        let mut bench = bench(CachePolicy::OpenCas(spec));
        (0..20).for_each(|index| bench.submit(Op::Write, 2 * index, 1));
        let mut done = Vec::new();
        let mut events = 0;
        while let Some(at) = bench.device.next() {
            bench.device.advance(at, &mut done);
            events += 1;
            assert!(events < 1000, "it does not come to rest");
        }
        assert_eq!((bench.counted().cleanings, bench.dirty(), done.len()), (20, 0, 20));
    }
}

#[test]
fn l2arc_is_fed_from_memory_at_a_limit_and_serves_what_has_left_it() {
    let spec = L2ArcSpec {
        arc: Bytes::mib(1),
        recordsize: 16 << 10,
        write_max: Bytes::mib(1),
        write_boost: Bytes(0),
        ..L2ArcSpec::default()
    };
    let mut bench = bench(CachePolicy::L2Arc(spec));
    // 64 records fill memory; every second one, so that nothing is read ahead.
    let read = |bench: &mut Bench, index: u64| bench.alone(Op::Read, 8 * index, 1);
    assert!((0..64).all(|index| read(&mut bench, index) == SLOW_US));
    assert_eq!(read(&mut bench, 63), 0, "in memory");
    bench.pass(bench.now + Nanos::from_ms(2_000));
    let fed = bench.counted().ssd_written_bytes;
    assert_eq!(fed, 1 << 20, "64 records, within a second");
    (64..128).for_each(|index| _ = read(&mut bench, index));
    assert_eq!(read(&mut bench, 10), FAST_US, "it has left memory, and is in the ring");
    assert_eq!(bench.alone(Op::Write, 80, 4), SLOW_US);
    (128..256).for_each(|index| _ = read(&mut bench, index));
    let counted = bench.counted();
    assert_eq!((counted.write_invalidates, counted.read_hits, counted.ram_hits), (1, 1, 1));
    assert_eq!(bench.dirty(), 0);
}

#[test]
fn slog_completes_synchronous_writes_in_the_log_and_writes_groups_behind_them() {
    let spec = SlogSpec { dirty_max: Bytes::mib(8), ..SlogSpec::default() };
    let mut bench = bench(CachePolicy::Slog(spec.clone()));
    let latencies: Vec<u64> = (0..100).map(|index| bench.alone(Op::Write, index % 10, 1)).collect();
    assert!(latencies.iter().all(|latency| *latency == FAST_US));
    assert_eq!(bench.alone(Op::Read, 3, 1), 0, "in memory");
    bench.pass(Nanos::from_ms(6_000));
    let counted = bench.counted();
    assert_eq!((counted.disk_writes, counted.disk_written_bytes), (1, 10 * BLOCK), "ten blocks, once");
    assert_eq!(bench.alone(Op::Read, 3, 1), SLOW_US);
    // More than a fifth of what may be dirty is written without delay; all of it makes writes wait.
    (0..40).for_each(|index| bench.submit(Op::Write, 1000 + 128 * index, 64));
    let latencies = bench.pass(Nanos::MAX);
    assert!(latencies.iter().any(|latency| *latency > SLOW_US) && latencies.len() == 40);
    let lazy = SlogSpec { always: false, ..spec };
    let mut lazy = self::bench(CachePolicy::Slog(lazy));
    assert_eq!((lazy.alone(Op::Write, 5, 1), lazy.counted().ssd_writes), (0, 0), "complete in memory");
}
