//! Caches over stations whose answers are known: response times, Little's law, and the share of hits.

use drivecast_block::{Bytes, CacheCounters, Device, Nanos};
use drivecast_sim::cache::{CacheLayer, Sizes};
use drivecast_sim::fixed_service::{FixedService, Service};
use drivecast_sim::outcome::Outcome;
use drivecast_sim::run::{RunOptions, Workload, drive};
use drivecast_sim::spec::{CacheLayerSpec, CacheMode, CachePolicy, FlashCacheSpec};
use drivecast_workload::WorkloadSpec;

const FAST: Nanos = Nanos::from_us(20);
const SLOW: Nanos = Nanos::from_us(1000);

/// What the caches cache: four times as much as they hold.
const SPAN: Bytes = Bytes::mib(256);

/// A cache of 64 MiB before so much, over stations without queues.
fn cached(policy: FlashCacheSpec, slow: Bytes) -> CacheLayer<FixedService> {
    let spec = CacheLayerSpec {
        size: None,
        overhead: Nanos::ZERO,
        restart: None,
        policy: CachePolicy::FlashCache(policy),
    };
    let fast = Bytes::mib(64);
    let station = |capacity, time| FixedService::new(capacity, usize::MAX, Service::Constant(time), 1);
    let sizes = Sizes { cache: fast, addressed: slow, scale: 1.0 };
    CacheLayer::new(&spec, sizes, [station(fast, FAST), station(slow, SLOW)], [1, 1])
}

fn run(policy: FlashCacheSpec, slow: Bytes, line: &str, warmup: Nanos) -> (Outcome, CacheCounters) {
    let workload = Workload::Synthetic(WorkloadSpec::parse(line).unwrap());
    let options = RunOptions { seed: 3, requests: Some(200_000), warmup, fill: 0.0, ..RunOptions::default() };
    let mut cache = cached(policy, slow);
    let outcome = drive(&mut cache, "cache", 1.0, &workload, &options).unwrap();
    (outcome, cache.counters().cache)
}

#[test]
fn uniform_reads_hit_as_often_as_their_share_is_cached() {
    let through = FlashCacheSpec { mode: CacheMode::Through, ..FlashCacheSpec::default() };
    let (outcome, counted) = run(through, SPAN, "random(4KiB, read=1, iodepth=1)", Nanos::from_ms(100_000));
    let latency = outcome.read.latency_ns.unwrap();
    let share = counted.read_hits as f64 / counted.reads as f64;
    assert!((share - 0.25).abs() < 0.005, "{share} hits, of a cache of a quarter");
    let mean = share * FAST.0 as f64 + (1.0 - share) * (SLOW.0 + FAST.0) as f64;
    assert!((latency.mean / mean - 1.0).abs() < 1e-4, "{} ns, {mean} of hits and misses", latency.mean);
    assert_eq!(latency.max, SLOW.0 + FAST.0);
    assert!(outcome.littles_law_error < 1e-3);
    assert!((outcome.queue_depth_mean - 1.0).abs() < 1e-6);
}

#[test]
fn writes_that_fit_take_data_and_metadata_at_first_and_data_alone_later() {
    let spec = FlashCacheSpec {
        dirty_thresh_pct: 95,
        fallow_delay: None,
        disk_assoc: Some(128 << 10),
        ..FlashCacheSpec::default()
    };
    let line = "random(4KiB, read=0, iodepth=1, span=0.1)";
    let (outcome, _) = run(spec, SPAN, line, Nanos::from_ms(10_000));
    let latency = outcome.write.latency_ns.unwrap();
    assert_eq!((latency.mean, latency.max), (FAST.0 as f64, FAST.0));
    assert!((outcome.iops * FAST.as_secs_f64() - 1.0).abs() < 1e-3);
}

#[test]
fn cleaning_is_as_fast_as_its_limit_lets_it_be() {
    // Uniform writes to 128 times the cache: neighbours are seldom dirty, so 4 blocks at a time are cleaned, each in a read, a
    // write and a record. What finds no place meanwhile goes past the cache.
    let spec = FlashCacheSpec { dirty_thresh_pct: 10, ..FlashCacheSpec::default() };
    let (outcome, counted) =
        run(spec, Bytes::gib(8), "random(4KiB, read=0, iodepth=16)", Nanos::from_ms(60_000));
    let limit = 4.0 / (2.0 * FAST.as_secs_f64() + SLOW.as_secs_f64());
    let merged = (counted.front_merge + counted.back_merge) as f64 / counted.cleanings as f64;
    let found = counted.cleanings as f64 * (1.0 - merged) / outcome.duration_s;
    assert!(
        (0.85..1.01).contains(&(found / limit)),
        "{found} picked a second, limit {limit}, {merged} merged"
    );
    assert!(counted.uncached_writes > counted.writes / 2, "{counted:?}");
    assert!(outcome.littles_law_error < 1e-3);
}
