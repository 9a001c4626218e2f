//! Designs with caches: right, wrong, and run as a whole.

use drivecast_block::{Bytes, Op, Record};
use drivecast_sim::design::{Design, Element};
use drivecast_sim::run::{RunOptions, State, WearOptions, Workload, simulate, wear};
use drivecast_sim::spec::{CacheMode, CachePolicy, DriveSpec, Reclaim};
use drivecast_workload::WorkloadSpec;
use std::collections::BTreeMap;

const FAST: &str = "ssd(logical=64MiB, spare_factor=0.2, pages_per_block=64)";
const SLOW: &str = "raid1(2 * hdd(capacity=10GB, rpm=15000, seek_mean=3.5ms))";

fn catalog() -> BTreeMap<String, DriveSpec> {
    let given = |line: &str| {
        let resolved = Design::parse(line).unwrap().resolve(&BTreeMap::new()).unwrap();
        resolved.root().drives()[0].1.clone()
    };
    BTreeMap::from([
        ("quick-1gb".to_owned(), given("ssd(logical=1GiB, spare_factor=0.2)")),
        ("slow-300gb".to_owned(), given("hdd(capacity=300GB, rpm=15000, seek_mean=3.5ms)")),
    ])
}

fn refusal(line: &str) -> String {
    let error = Design::parse(line).and_then(|design| design.resolve(&catalog())).unwrap_err();
    assert!(error.at < line.len(), "{error}");
    error.to_string()
}

#[test]
fn a_cache_names_its_devices_and_what_it_does() {
    let line = "cache(fast=raid1(2 * quick-1gb[partition=0.5]), slow=raid10(4 * slow-300gb), policy=flashcache, \
                mode=writethrough, size=400MiB, reclaim_policy=lru, block=8KiB, assoc=1024, skip_seq_thresh_kb=256)";
    let design = Design::parse(line).unwrap();
    assert_eq!(design.drive_names(), ["quick-1gb", "slow-300gb"]);
    let resolved = design.resolve(&catalog()).unwrap();
    assert_eq!(resolved.capacity(), Bytes(2 * 300_000_000_000 / 65_536 / 2 * 2 * 65_536));
    assert_eq!(resolved.root().drives().len(), 6);
    assert!(resolved.root().has_cache() && resolved.root().shape().is_none());
    let Element::Cache { layer, .. } = resolved.root() else { panic!("a cache") };
    let CachePolicy::FlashCache(spec) = &layer.policy else { panic!("flashcache") };
    assert_eq!(
        (layer.size, spec.mode, spec.reclaim_policy),
        (Some(Bytes::mib(400)), CacheMode::Through, Reclaim::Lru)
    );
    assert_eq!((spec.block, spec.assoc, spec.skip_seq_thresh_kb), (8192, 1024, Some(256)));
    let assumed = Design::parse("cache(fast=quick-1gb, slow=slow-300gb)").unwrap();
    let names: Vec<_> = assumed.assumed().iter().map(|found| found.name.as_str()).collect();
    assert_eq!(names, ["cache.policy", "cache.size"]);
}

#[test]
fn what_cannot_be_is_refused_with_field_limit_and_hint() {
    let with = |options: &str| format!("cache(fast=quick-1gb, slow=slow-300gb{options})");
    for (line, message) in [
        (
            "cache(fast=slow-300gb, slow=quick-1gb)".to_owned(),
            "size: expected less than the 1 GiB behind the cache",
        ),
        (with(", size=2GiB"), "size: expected at most the 1 GiB of the fast device, found 2 GiB"),
        (with(", size=1MiB"), "size: expected at least"),
        (with(", set=2KiB"), "set: a block of 4 KiB is larger than a set of 2 KiB"),
        (
            with(", block=512KiB, disk_assoc=256KiB"),
            "disk_assoc: expected at least the block of 524288 bytes",
        ),
        (with(", dirty_thresh_pct=120"), "dirty_thresh_pct: expected from 10 to 95, found 120"),
        (
            with(", mode=writethrough, dirty_thresh_pct=20"),
            "dirty_thresh_pct: with mode=writethrough nothing is ever dirty",
        ),
        (with(", mode=writearound, fallow_delay=10s"), "only a cache that writes back holds dirty data"),
        (with(", policy=flashcach"), "did you mean `flashcache`?"),
        (with(", mode=writeback2"), "did you mean `writeback`?"),
        (with(", dirty_thresh_pc=20"), "did you mean `dirty_thresh_pct`?"),
        (with(", assoc=100"), "assoc: expected a power of two from 256 to 8192, found 100"),
        (with(", block=3000"), "block: expected a power of two from 512 to 1048576, found 3000"),
        (with(", assoc=512, set=2MiB"), "give one of assoc and set"),
        (with(", blacklist=a"), "blacklist: expected process ids as 12 or 12+40, found `a`"),
        (with(", pid_expiry_secs=10"), "add do_pid_expiry=yes"),
        (with(", size=900MiB(3)"), "size: expected a value without brackets"),
        (with(", policy=l2arc, mode=writeback"), "mode: with policy=l2arc nothing is ever dirty"),
        (with(", policy=cachelib, write_per_day=1TB"), "write_per_day: means nothing with admission=all"),
        (with(", policy=cachelib, admission=random"), "admission=random needs admission_probability=…"),
        (
            with(", policy=cachelib, small_item_max=4KiB"),
            "small_item_max: expected at most half a bucket, 2048",
        ),
        (with(", policy=bcache, writeback_percent=10"), "with mode=writethrough nothing is ever dirty"),
        (
            with(", policy=bcache, mode=writeback, writeback_percent=150"),
            "writeback_percent: expected from 0 to 40",
        ),
        (with(", policy=opencas, cleaning=acp"), "with mode=wt nothing is ever dirty"),
        (with(", policy=opencas, mode=wb, line=128KiB"), "line: expected a power of two from 4096 to 65536"),
        (
            with(", policy=dm-writecache, high_watermark=101"),
            "high_watermark: expected from 0 to 100, found 101",
        ),
        (with(", policy=dm-cache, block=100KiB"), "block: expected a multiple of 32 KiB"),
        (with(", policy=dm-cache, block=64MiB, size=100MiB"), "size: expected at least 1 GiB"),
        (with(", policy=slog, sync=never"), "sync: expected one of always, standard"),
        ("cache(fast=quick-1gb)".to_owned(), "`cache` needs slow=…, a drive or an array"),
        ("cache(quick-1gb, slow-300gb)".to_owned(), "a cache names its two devices"),
        ("cache(fast=quik-1gb, slow=slow-300gb)".to_owned(), "did you mean `quick-1gb`?"),
        ("cach(fast=quick-1gb, slow=slow-300gb)".to_owned(), "did you mean `cache`?"),
        (
            "cache(fast=raid0(256 * quick-1gb), slow=slow-300gb)".to_owned(),
            "at most 256 drives in a design, found 257",
        ),
    ] {
        let found = refusal(&line);
        assert!(found.contains(message), "{line}\n{found}");
    }
}

fn synthetic(line: &str) -> Workload {
    Workload::Synthetic(WorkloadSpec::parse(line).unwrap())
}

fn options() -> RunOptions {
    RunOptions { requests: Some(20_000), seed: 1, ..RunOptions::default() }
}

fn resolved(options: &str) -> drivecast_sim::design::Resolved {
    let line = format!("cache(fast={FAST}, slow={SLOW}{options})");
    Design::parse(&line).unwrap().resolve(&BTreeMap::new()).unwrap()
}

/// Reads and writes on 96 MiB, which is more than the cache holds, some far more often than others.
fn trace() -> Workload {
    let mut state = 1_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    let records: Vec<Record> = (0..30_000)
        .map(|index| {
            let op = if next() % 3 == 0 { Op::Write } else { Op::Read };
            let block = if next() % 4 > 0 { next() % 8_000 } else { next() % 24_000 };
            let time = drivecast_block::Nanos(index * 2_000_000);
            Record { time, offset: block * 4096, size: 4096, stream: 0, op, fua: false, latency: None }
        })
        .collect();
    Workload::Records(records.into())
}

#[test]
fn a_warm_cache_is_faster_than_a_cold_one_and_a_cold_one_than_none() {
    let trace = trace();
    let mean = |design: &drivecast_sim::design::Resolved, state| {
        let outcome =
            simulate(design, &trace, &RunOptions { state, seed: 1, ..RunOptions::default() }).unwrap();
        (outcome.read.latency_ns.unwrap().mean, outcome.cache)
    };
    let disks = Design::parse(SLOW).unwrap().resolve(&BTreeMap::new()).unwrap();
    let (none, absent) = mean(&disks, State::Steady);
    let (cold, of_cold) = mean(&resolved(""), State::Fresh);
    let (warm, of_warm) = mean(&resolved(""), State::Steady);
    assert!(absent.is_none());
    let (of_cold, of_warm) = (of_cold.unwrap(), of_warm.unwrap());
    assert!(warm < 0.7 * cold && cold < 0.8 * none, "{warm} warm, {cold} cold, {none} without");
    assert!(of_warm.hit_ratio.unwrap() > of_cold.hit_ratio.unwrap());
    assert_eq!(of_warm.counters.reads + of_warm.counters.writes, 30_000);
    assert!(of_warm.dirty_bytes > 0 && of_warm.dirty_bytes <= of_warm.cached_bytes);
    assert!(of_warm.cached_bytes <= of_warm.size_bytes && of_warm.ssd_write_amplification.unwrap() >= 1.0);
    let crashed = resolved(", restart=crash");
    let (crashed, _) = mean(&crashed, State::Steady);
    assert!(warm < crashed && crashed < none, "{crashed} after a crash");
}

#[test]
fn the_json_of_a_cached_run_has_the_statistics_by_their_names() {
    let outcome =
        simulate(&resolved(""), &synthetic("zipf(4KiB, theta=1, read=0.7, iodepth=8)"), &options()).unwrap();
    let json = serde_json::to_value(&outcome).unwrap();
    let cache = json["cache"].as_object().unwrap();
    for name in [
        "reads",
        "writes",
        "read_hits",
        "write_hits",
        "dirty_write_hits",
        "uncached_reads",
        "uncached_writes",
        "cleanings",
        "md_dirties",
        "md_cleans",
        "md_batch",
        "md_ssd_writes",
        "ssd_reads",
        "ssd_writes",
        "disk_reads",
        "disk_writes",
        "hit_ratio",
        "dirty_bytes",
        "replacement",
        "write_replacement",
        "fallow_cleanings",
        "no_room",
        "front_merge",
        "back_merge",
        "pending_enqueues",
        "pending_inval",
        "uncached_io_requeue",
    ] {
        assert!(cache[name].is_number(), "{name}");
    }
    // Those in flight at the end have been counted.
    let pieces = cache["reads"].as_u64().unwrap() + cache["writes"].as_u64().unwrap();
    assert!((20_000..=20_008).contains(&pieces), "{pieces}");
    assert!(outcome.littles_law_error < 1e-3);
}

#[test]
fn a_cache_larger_than_memory_keeps_its_share_of_what_it_caches() {
    let hits = |fast: &str, slow: &str, requests| {
        let line = format!("cache(fast=ssd(logical={fast}, pages_per_block=256), slow=hdd(capacity={slow}))");
        let design = Design::parse(&line).unwrap().resolve(&BTreeMap::new()).unwrap();
        let workload = synthetic("hotcold(4KiB, hot=0.1, share=0.8, read=0.9, iodepth=4)");
        let outcome =
            simulate(&design, &workload, &RunOptions { requests: Some(requests), ..options() }).unwrap();
        let cache = outcome.cache.unwrap();
        assert!(
            (cache.size_bytes as f64 / drivecast_block::units::parse_bytes(fast).unwrap().0 as f64 - 1.0)
                .abs()
                < 0.01
        );
        (cache.hit_ratio.unwrap(), outcome.scale.unwrap())
    };
    let (small, whole) = hits("1GB", "10GB", 20_000);
    let (large, scaled) = hits("1TB", "10TB", 20_000);
    assert_eq!(whole, 1.0);
    assert!(scaled < 0.01, "{scaled}");
    assert!((small - large).abs() < 0.03, "{small} at size, {large} scaled");
}

#[test]
fn wear_is_that_of_the_cache_drive() {
    let options = WearOptions { seed: 1, fill: 1.0, ..WearOptions::default() };
    let found = wear(&resolved(", size=32MiB"), &trace(), &options).unwrap();
    assert_eq!((found.drives.len(), found.members), (1, 1));
    assert_eq!(found.drives[0].drive, "ssd");
    // Fills, data and metadata: more than the host writes; and half of the drive is free, so hardly any copies.
    assert!(found.parity_factor > 1.2 && found.parity_factor < 6.0, "{}", found.parity_factor);
    assert!(found.write_amplification < 1.3, "{}", found.write_amplification);
    assert!(found.host_bytes_read.unwrap() > found.host_bytes_written);
    let all = wear(&resolved(""), &trace(), &options).unwrap();
    assert!(all.write_amplification > found.write_amplification + 0.05, "{}", all.write_amplification);
    let through = wear(&resolved(", mode=writethrough"), &trace(), &options).unwrap();
    assert!(through.parity_factor < all.parity_factor, "no metadata");
}

#[test]
fn caches_compose_with_arrays_and_with_caches() {
    let line = format!(
        "raid0(2 * cache(fast={FAST}, slow=cache(fast=ssd(logical=128MiB), slow=hdd(capacity=10GB), size=100MiB), size=8MiB), chunk=64KiB)"
    );
    let design = Design::parse(&line).unwrap().resolve(&BTreeMap::new()).unwrap();
    assert_eq!(design.root().drives().len(), 6);
    let outcome = simulate(&design, &trace(), &RunOptions { seed: 1, ..RunOptions::default() }).unwrap();
    let cache = outcome.cache.unwrap();
    assert!(cache.counters.reads > 30_000 && cache.hit_ratio.unwrap() > 0.1, "{:?}", cache.hit_ratio);
    let wear = wear(&design, &trace(), &WearOptions::default()).unwrap();
    assert_eq!(wear.drives.len(), 4);
}
