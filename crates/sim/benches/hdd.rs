//! How fast disks are simulated: random 4 KiB reads from a closed loop, on one core, generator and loop included.

use drivecast_block::{Bytes, Device, Nanos, Op, Request, random};
use drivecast_sim::hdd::Hdd;
use drivecast_sim::spec::{HddMeasured, HddSpec, Scheduler, Seek};
use rand::RngExt;
use std::time::Instant;

fn main() {
    for (depth, read, goal) in [(1, 1.0, "2"), (32, 1.0, "1"), (32, 0.7, "-"), (1, 0.0, "-")] {
        let requests = 500_000;
        // The fastest of several short runs: what else the machine does can only slow a run down.
        let rate = (0..9).map(|seed| rate(depth, read, requests, seed)).fold(0.0, f64::max) / 1e6;
        println!(
            "hdd_requests_depth_{depth}_read_{read}: {rate:.2} M/s (goal {goal}; random 4 KiB on a 300 GB 15,000 rpm disk, \
             fastest of 9 runs of {requests} requests)"
        );
    }
}

/// Requests simulated in a second of real time.
fn rate(depth: u32, read: f64, requests: u64, seed: u64) -> f64 {
    let spec = HddSpec {
        capacity_bytes: 300_000_000_000,
        partition: 1.0,
        rpm: 15_000.0,
        surfaces: 8,
        outer_bytes_per_s: 125e6,
        inner_bytes_per_s: 73e6,
        zones: 16,
        seek: Seek::Sheet { track_ns: 200_000, mean_ns: 3_500_000, full_ns: 7_400_000 },
        write_settle_ns: 500_000,
        head_switch_ns: 300_000,
        overhead_ns: 200_000,
        link_bytes_per_s: 300e6,
        queue_depth: depth,
        scheduler: Scheduler::Sptf,
        cache_bytes: 16 << 20,
        write_cache: read < 1.0,
        measured: HddMeasured::default(),
    };
    let mut hdd = Hdd::new(&spec, seed).expect("a valid disk");
    let mut stream = random::stream(seed, "bench");
    let pages = hdd.capacity().0 / 4096;
    let mut request = move |id: u64| Request {
        id,
        offset: Bytes(stream.random_range(0..pages) * 4096),
        size: 4096,
        stream: 0,
        op: if stream.random_bool(read) { Op::Read } else { Op::Write },
    };
    let start = Instant::now();
    let mut done = Vec::new();
    for id in 0..u64::from(depth) {
        hdd.submit(Nanos::ZERO, request(id));
    }
    let (mut issued, mut completed) = (u64::from(depth), 0);
    while completed < requests {
        let now = hdd.next().expect("requests are in flight");
        hdd.advance(now, &mut done);
        for completion in done.drain(..) {
            completed += 1;
            issued += 1;
            hdd.submit(completion.at, request(issued));
        }
    }
    requests as f64 / start.elapsed().as_secs_f64()
}
