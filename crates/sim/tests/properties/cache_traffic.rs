//! Any traffic on any cache completes, each request once, in order of time, under the contract of `Device`; and the counters add up
//! at every instant.

use crate::strict::Strict;
use drivecast_block::{Bytes, Device, Nanos, Op, Request};
use drivecast_sim::cache::{CacheLayer, Sizes};
use drivecast_sim::fixed_service::{FixedService, Service};
use drivecast_sim::spec::{
    Admission, BcacheSpec, CacheLayerSpec, CacheLibSpec, CacheMode, CachePolicy, Cleaning, DmCacheSpec,
    DmWritecacheSpec, FlashCacheSpec, L2ArcSpec, OpenCasSpec, Reclaim, Restart, SlogSpec, VCacheSpec,
};
use proptest::prelude::*;

pub(crate) const SLOW: Bytes = Bytes::mib(64);
const FAST: Bytes = Bytes::mib(12);

/// Gap, operation, block, size in sectors, stream. Few blocks, so that pieces meet; some far apart, so that sets fill.
type Traffic = Vec<(u64, u8, u32, u32, u32)>;

pub(crate) fn traffic() -> impl Strategy<Value = Traffic> {
    let gap = prop_oneof![8 => 0_u64..300, 1 => 100_000_u64..3_000_000];
    let block = prop_oneof![3 => 0_u32..12, 1 => 0_u32..16_000];
    let sectors = prop_oneof![4 => Just(8_u32), 1 => Just(64), 1 => Just(256), 1 => 1_u32..100];
    proptest::collection::vec((gap, 0_u8..8, block, sectors, 0_u32..4), 1..150)
}

fn service() -> impl Strategy<Value = Service> {
    let time = Nanos::from_us(100);
    let instant = Service::Constant(Nanos::ZERO);
    proptest::sample::select(vec![Service::Constant(time), Service::Exponential(time), instant])
}

pub(crate) fn flashcache() -> impl Strategy<Value = FlashCacheSpec> {
    let modes = vec![CacheMode::Back, CacheMode::Back, CacheMode::Through, CacheMode::Around];
    let sizes =
        (proptest::sample::select(vec![512_u32, 4096, 16_384]), proptest::option::of(Just(256 << 10)));
    let mode = (proptest::sample::select(modes), any::<bool>(), any::<bool>(), any::<bool>());
    let reclaim = (proptest::sample::select(vec![Reclaim::Fifo, Reclaim::Lru]), 1_u32..4, 0_u32..=100);
    let clean = (10_u32..=95, 1_u32..5, 1_u32..9, proptest::option::of(1_u64..2_000), 1_u32..=100);
    let lists = proptest::collection::vec(0_u32..4, 0..3);
    let skip = proptest::option::of(0_u32..64);
    let expiry = proptest::option::of((1_u64..5_000).prop_map(Nanos::from_ms));
    (sizes, mode, reclaim, clean, (skip, lists.clone(), lists, 1_u32..3, expiry)).prop_map(
        |((block, disk_assoc), (mode, is_write_only, cache_all, _), reclaim, clean, lists)| {
            let (skip_seq_thresh_kb, blacklist, whitelist, max_pids, pid_expiry) = lists;
            FlashCacheSpec {
                block,
                assoc: 256,
                disk_assoc,
                mode,
                write_only: is_write_only && mode == CacheMode::Back,
                reclaim_policy: reclaim.0,
                lru_promote_thresh: reclaim.1,
                lru_hot_pct: reclaim.2,
                dirty_thresh_pct: clean.0,
                max_clean_ios_set: clean.1,
                max_clean_ios_total: clean.2,
                fallow_delay: clean.3.map(Nanos::from_ms),
                fallow_clean_speed: clean.4,
                skip_seq_thresh_kb,
                cache_all,
                blacklist,
                whitelist,
                max_pids,
                pid_expiry,
                ..FlashCacheSpec::default()
            }
        },
    )
}

/// Any of the other policies, with what they do early and often.
fn others() -> impl Strategy<Value = CachePolicy> {
    let modes = vec![CacheMode::Back, CacheMode::Back, CacheMode::Through, CacheMode::Around];
    let mode = proptest::sample::select(modes);
    let vcache = (flashcache(), proptest::option::of(1_u64..3_000), 1_u32..80, any::<bool>()).prop_map(
        |(blocks, period, flush_depth, md_write)| {
            let blocks = FlashCacheSpec { mode: CacheMode::Back, write_only: false, ..blocks };
            let flush_period = period.map(Nanos::from_ms);
            CachePolicy::VCache(VCacheSpec {
                blocks,
                flush_period,
                flush_depth,
                flush_hysteresis_pct: 5,
                md_write,
            })
        },
    );
    let bcache = (mode.clone(), proptest::option::of(4096_u64..1 << 20), 0_u32..=40, any::<bool>()).prop_map(
        |(mode, sequential_cutoff, writeback_percent, writeback_running)| {
            CachePolicy::Bcache(BcacheSpec {
                bucket: 64 << 10,
                mode,
                sequential_cutoff,
                writeback_percent,
                writeback_running,
                ..BcacheSpec::default()
            })
        },
    );
    let cleaning = proptest::sample::select(vec![Cleaning::Alru, Cleaning::Acp, Cleaning::Nop]);
    let open_cas = (mode, cleaning, proptest::option::of(1_u8..4), any::<bool>(), 1_u32..200).prop_map(
        |(mode, cleaning, insertion_threshold, write_only, flush_max_buffers)| {
            CachePolicy::OpenCas(OpenCasSpec {
                mode,
                write_only: write_only && mode == CacheMode::Back,
                insertion_threshold,
                trigger_threshold: 10,
                cleaning,
                wake_up: Nanos::from_ms(500),
                staleness_time: Nanos::from_ms(2_000),
                flush_max_buffers,
                activity_threshold: Nanos::from_ms(1_000),
                ..OpenCasSpec::default()
            })
        },
    );
    prop_oneof![vcache, bcache, open_cas, kernels_and_zfs()]
}

/// The device mapper's caches, and ZFS's.
fn kernels_and_zfs() -> impl Strategy<Value = CachePolicy> {
    let dm_writecache = (0_u32..=100, 1_u32..100, proptest::option::of(1_u32..40)).prop_map(
        |(high_watermark, autocommit_blocks, writeback_jobs)| {
            CachePolicy::DmWritecache(DmWritecacheSpec {
                high_watermark,
                low_watermark: high_watermark / 2,
                autocommit_blocks,
                writeback_jobs,
                ..DmWritecacheSpec::default()
            })
        },
    );
    let dm_cache = (any::<bool>(), proptest::sample::select(vec![64_u32, 256, 2048])).prop_map(
        |(is_back, migration_threshold)| {
            let mode = if is_back { CacheMode::Back } else { CacheMode::Through };
            CachePolicy::DmCache(DmCacheSpec { block: 32 << 10, mode, migration_threshold })
        },
    );
    let l2arc = (proptest::sample::select(vec![4096_u32, 16_384]), 0_u64..1 << 20, any::<bool>()).prop_map(
        |(recordsize, arc, noprefetch)| {
            CachePolicy::L2Arc(L2ArcSpec { arc: Bytes(arc), recordsize, noprefetch, ..L2ArcSpec::default() })
        },
    );
    let slog = (any::<bool>(), 0_u64..8, 0_u32..=100, 1_u32..12).prop_map(
        |(always, dirty_mib, dirty_sync_percent, async_writes)| {
            CachePolicy::Slog(SlogSpec {
                always,
                dirty_max: Bytes::mib(dirty_mib),
                dirty_sync_percent,
                async_writes,
                ..SlogSpec::default()
            })
        },
    );
    prop_oneof![dm_writecache, dm_cache, l2arc, slog, cachelib()]
}

/// CacheLib with either engine.
fn cachelib() -> impl Strategy<Value = CachePolicy> {
    let admission = prop_oneof![
        Just(Admission::All),
        (0.0..1.0).prop_map(Admission::Random),
        (1_u32..100).prop_map(Admission::RejectFirst),
        (1_u64..1 << 30).prop_map(|bytes| Admission::Budget(Bytes(bytes))),
    ];
    let object = proptest::sample::select(vec![512_u32, 1536, 2048, 2560, 4096, 40_960]);
    let reinsertion = proptest::option::of(1_u8..3);
    (object, 0_u64..1 << 20, any::<bool>(), 0_u32..12, reinsertion, admission).prop_map(
        |(object, ram, lru, bucket_bloom, reinsertion_hits, admission)| {
            CachePolicy::CacheLib(CacheLibSpec {
                ram: Bytes(ram),
                object,
                bucket_bloom,
                region: 1 << 20,
                lru,
                reinsertion_hits,
                admission,
                ..CacheLibSpec::default()
            })
        },
    )
}

pub(crate) fn layer(
    policy: CachePolicy,
    size: Bytes,
    restart: Option<Restart>,
    services: [Service; 2],
) -> CacheLayer<Strict<FixedService>> {
    let spec = CacheLayerSpec { size: None, overhead: Nanos(700), restart, policy };
    let [fast, slow] = services;
    let fast = Strict::new(FixedService::new(size, 2, fast, 1));
    let slow = Strict::new(FixedService::new(SLOW, 1, slow, 2));
    let sizes = Sizes { cache: size, addressed: SLOW, scale: 1.0 };
    CacheLayer::new(&spec, sizes, [fast, slow], [1, 1])
}

fn request(id: usize, (_, op, block, sectors, stream): (u64, u8, u32, u32, u32)) -> Request {
    let ops = [Op::Read, Op::Read, Op::Read, Op::Write, Op::Write, Op::Write, Op::Flush, Op::Discard];
    let op = ops[op as usize];
    let size = if op == Op::Flush { 0 } else { sectors * 512 };
    // Whole blocks begin at blocks; the others anywhere.
    let offset = u64::from(block) * 4096 + if sectors % 8 == 0 { 0 } else { u64::from(sectors % 8) * 512 };
    let offset = Bytes(offset.min(SLOW.0 - u64::from(size)));
    Request { id: id as u64, offset, size, stream, op, fua: false }
}

/// Whether the identities of the counters hold.
fn adds_up(device: &mut CacheLayer<Strict<FixedService>>) {
    let Some(in_flight) = device.in_flight() else { return };
    for (name, left, right) in in_flight.identities(&device.counters().cache) {
        assert_eq!(left, right, "{name} with {in_flight:?} of {:?}", device.counters().cache);
    }
}

/// Runs traffic through, checking at every event.
fn run(mut device: CacheLayer<Strict<FixedService>>, traffic: &Traffic) -> CacheLayer<Strict<FixedService>> {
    let mut done = Vec::new();
    let mut now = Nanos::ZERO;
    for (id, step) in traffic.iter().enumerate() {
        now += Nanos::from_us(step.0);
        while let Some(at) = device.next().filter(|at| *at <= now) {
            device.advance(at, &mut done);
            adds_up(&mut device);
        }
        device.submit(now, request(id, *step));
        adds_up(&mut device);
    }
    let mut events = 0;
    while let Some(at) = device.next() {
        device.advance(at, &mut done);
        events += 1;
        if events % 8 == 0 {
            adds_up(&mut device);
        }
        assert!(events < 100_000, "the cache does not come to rest");
    }
    assert!(done.is_sorted_by_key(|completion| completion.at), "completions out of order");
    let mut ids: Vec<u64> = done.iter().map(|completion| completion.id).collect();
    ids.sort_unstable();
    assert!(ids.into_iter().eq(0..traffic.len() as u64), "each request completes once");
    device
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(192) })]

    #[test]
    fn every_policy_completes_each_request_once(
        traffic in traffic(), policy in others(), fast in service(), slow in service(), warm in any::<bool>(),
    ) {
        let mut device = layer(policy, FAST, None, [fast, slow]);
        if warm {
            traffic.iter().enumerate().for_each(|(id, step)| device.age(request(id, *step)));
        }
        let before = device.counters().cache;
        let device = run(device, &traffic);
        let counted = device.counters().cache;
        let [fast, slow] = device.devices().map(Device::counters);
        let pieces = counted.ssd_reads + counted.ssd_writes - before.ssd_reads - before.ssd_writes;
        let requests = fast.submitted[0] + fast.submitted[1];
        prop_assert_eq!(requests + counted.ssd_merged - before.ssd_merged, pieces, "reads and writes of the fast device");
        prop_assert_eq!(fast.written_bytes, counted.ssd_written_bytes - before.ssd_written_bytes);
        // Pieces that are issued a second time are counted apart.
        let most = counted.disk_reads - before.disk_reads + counted.uncached_io_requeue;
        prop_assert!(slow.submitted[0] <= most, "{} reads of the slow device, of {}", slow.submitted[0], most);
        prop_assert_eq!(slow.written_bytes, counted.disk_written_bytes - before.disk_written_bytes);
        prop_assert_eq!(fast.completed, fast.submitted);
        prop_assert_eq!(slow.completed, slow.submitted);
        let [cached, dirty] = device.cached();
        prop_assert!(dirty <= cached, "{} of {}", dirty, cached);
    }

    #[test]
    fn flashcache_loses_nothing_and_adds_up(
        traffic in traffic(), spec in flashcache(), fast in service(), slow in service(), warm in any::<bool>(),
    ) {
        spec.check().unwrap();
        let mut device = layer(CachePolicy::FlashCache(spec.clone()), FAST, None, [fast, slow]);
        if warm {
            for (id, step) in traffic.iter().enumerate() {
                device.age(request(id, *step));
            }
            adds_up(&mut device);
        }
        let device = run(device, &traffic);
        prop_assert_eq!(device.in_flight().map(|found| found.is_through), Some(spec.mode == CacheMode::Through));
        let idle = drivecast_sim::cache::InFlight { is_through: spec.mode == CacheMode::Through, ..Default::default() };
        prop_assert_eq!(device.in_flight(), Some(idle), "nothing is in flight");
        let counted = device.counters().cache;
        let [fast, slow] = device.devices().map(Device::counters);
        if !warm {
            // What the devices were given is what was counted.
            let requests = fast.submitted[0] + fast.submitted[1];
            prop_assert_eq!(requests + counted.ssd_merged, counted.ssd_reads + counted.ssd_writes);
            prop_assert_eq!(fast.read_bytes, counted.ssd_read_bytes);
            prop_assert_eq!(fast.written_bytes, counted.ssd_written_bytes);
            prop_assert_eq!(slow.read_bytes, counted.disk_read_bytes);
            prop_assert_eq!(slow.written_bytes, counted.disk_written_bytes);
            // Pieces that are issued a second time are counted apart, and merged ones without regard to their kind.
            let reads = slow.submitted[0];
            prop_assert!(reads <= counted.disk_reads + counted.uncached_io_requeue);
            prop_assert!(reads + counted.disk_merged >= counted.disk_reads);
        }
        let [cached, dirty] = device.cached();
        prop_assert!(dirty <= cached && cached <= FAST, "{dirty} of {cached}");
        prop_assert!(spec.mode == CacheMode::Back || dirty == Bytes(0));
    }
}
