//! How fast caches are simulated: `cargo bench -p drivecast-sim --bench cache`, the best of three runs each.
//!
//! Over fixed stations the figure is that of the cache, the host and two stations, which take about as long alone. Time is that of the thread.

use drivecast_block::{Bytes, Device, Nanos, Op, Request};
use drivecast_sim::cache::{CacheLayer, Sizes};
use drivecast_sim::design::Design;
use drivecast_sim::fixed_service::{FixedService, Service};
use drivecast_sim::run::{RunOptions, Workload, drive, simulate};
use drivecast_sim::spec::{CacheLayerSpec, CacheMode, CachePolicy, FlashCacheSpec, Reclaim};
use drivecast_workload::{Generator, WorkloadSpec};
use std::collections::BTreeMap;
use std::time::Instant;

const REQUESTS: u64 = 1_000_000;

/// A clock that runs while this thread does, where the system has one: others on the machine do not count.
struct Clock {
    began: Instant,
    ran_ns: Option<u64>,
}

impl Clock {
    fn start() -> Clock {
        Clock { began: Instant::now(), ran_ns: Clock::ran_ns() }
    }

    fn ran_ns() -> Option<u64> {
        std::fs::read_to_string("/proc/thread-self/schedstat").ok()?.split(' ').next()?.parse().ok()
    }

    fn seconds(&self) -> f64 {
        let ran = self.ran_ns.zip(Clock::ran_ns()).map(|(before, after)| (after - before) as f64 / 1e9);
        ran.unwrap_or_else(|| self.began.elapsed().as_secs_f64())
    }
}

fn best(mut run: impl FnMut()) -> f64 {
    let time = |_| {
        let start = Clock::start();
        run();
        start.seconds()
    };
    (0..3).map(time).fold(f64::INFINITY, f64::min)
}

/// A cache of 1 GiB before 8 GiB, on stations of 8 servers.
fn layer(policy: CachePolicy) -> CacheLayer<FixedService> {
    let spec = CacheLayerSpec { size: None, overhead: Nanos::ZERO, restart: None, policy };
    let (fast, slow) = (Bytes::gib(1), Bytes::gib(8));
    let station = |capacity, us| FixedService::new(capacity, 8, Service::Constant(Nanos::from_us(us)), 1);
    let sizes = Sizes { cache: fast, addressed: slow, scale: 1.0 };
    CacheLayer::new(&spec, sizes, [station(fast, 20), station(slow, 500)], [1, 1])
}

fn workload(line: &str) -> WorkloadSpec {
    WorkloadSpec::parse(line).expect("a valid line")
}

/// Fills a cache outside time; requests a second.
fn warm(cache: &mut CacheLayer<FixedService>, spec: &WorkloadSpec) -> f64 {
    let mut generator = Generator::new(spec, cache.capacity(), 1).expect("a workload that fits");
    let start = Clock::start();
    for _ in 0..REQUESTS {
        let io = generator.next();
        let Some(op) = Some(io.op).filter(|op| matches!(op, Op::Read | Op::Write)) else { continue };
        cache.age(Request { id: 0, offset: Bytes(io.offset), size: io.size, stream: 0, op, fua: false });
    }
    REQUESTS as f64 / start.seconds()
}

fn stations() {
    let plain = FlashCacheSpec::default();
    let lru = FlashCacheSpec { reclaim_policy: Reclaim::Lru, ..plain.clone() };
    let through = FlashCacheSpec { mode: CacheMode::Through, ..plain.clone() };
    for (name, spec, line) in [
        ("writeback, FIFO", plain.clone(), "hotcold(4KiB, hot=0.1, share=0.9, read=0.7, iodepth=32)"),
        ("writeback, LRU", lru, "hotcold(4KiB, hot=0.1, share=0.9, read=0.7, iodepth=32)"),
        ("writethrough", through, "hotcold(4KiB, hot=0.1, share=0.9, read=0.7, iodepth=32)"),
        ("writeback, all hits", plain, "random(4KiB, read=1, span=0.05, iodepth=32)"),
    ] {
        let spec = CachePolicy::FlashCache(spec);
        let synthetic = workload(line);
        let options = RunOptions { requests: Some(REQUESTS), seed: 1, fill: 0.0, ..RunOptions::default() };
        let (mut aged, mut time) = (0.0_f64, f64::INFINITY);
        let run = Workload::Synthetic(synthetic.clone());
        for _ in 0..3 {
            let mut cache = layer(spec.clone());
            for _ in 0..3 {
                aged = aged.max(warm(&mut cache, &synthetic));
            }
            let start = Clock::start();
            drive(&mut cache, "cache", 1.0, &run, &options).expect("a run");
            time = time.min(start.seconds());
        }
        println!(
            "flashcache {name} over fixed stations, {line}: {:.2} M requests/s in time, {:.2} M/s outside",
            REQUESTS as f64 / time / 1e6,
            aged / 1e6
        );
    }
}

fn main() {
    if !std::env::args().any(|a| a == "whole") {
        stations();
    }
    for line in [
        "cache(fast=ssd(logical=1GB, pages_per_block=256), slow=hdd(capacity=10GB))",
        "cache(fast=ssd(logical=1TB, pages_per_block=256), slow=hdd(capacity=10TB))",
    ] {
        let design =
            Design::parse(line).and_then(|line| line.resolve(&BTreeMap::new())).expect("a valid line");
        let run = Workload::Synthetic(workload("hotcold(4KiB, hot=0.1, share=0.8, read=0.9, iodepth=4)"));
        let options = RunOptions { requests: Some(20_000), seed: 1, ..RunOptions::default() };
        let time = best(|| drop(simulate(&design, &run, &options).expect("a run")));
        println!("simulate {line}: {time:.2} s (20,000 requests, warm)");
    }
}
