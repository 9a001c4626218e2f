//! How fast disks are simulated: random 4 KiB reads from a closed loop, on one core, generator and loop included.
//!
//! Beside each figure stands a bare loop in the same run: what no simulation of a disk with a table of seek times can leave
//! out, a random place a request and, for each place in the queue, a look-up and the angle's arithmetic.

use drivecast_block::{Bytes, Device, Nanos, Op, Request, random};
use drivecast_sim::hdd::Hdd;
use drivecast_sim::spec::{HddMeasured, HddSpec, Scheduler, Seek};
use rand::RngExt;
use std::time::Instant;

fn main() {
    for (depth, read, goal) in [(1, 1.0, "2"), (32, 1.0, "1"), (32, 0.7, "-"), (1, 0.0, "-")] {
        let requests = 500_000;
        // The fastest of several short runs: what else the machine does can only slow a run down.
        let best = |one: &dyn Fn(u64) -> f64| (0..9).map(one).fold(0.0, f64::max) / 1e6;
        let rate = best(&|seed| rate(depth, read, requests, seed));
        let bare = best(&|seed| bare(depth as usize, requests, seed));
        println!(
            "hdd_requests_depth_{depth}_read_{read}: {rate:.2} M/s (goal {goal}; random 4 KiB on a 300 GB 15,000 rpm disk, \
             fastest of 9 runs of {requests} requests; bare loop of random places and positioning {bare:.2} M/s, \
             share {:.2})",
            rate / bare
        );
    }
}

/// Choices of the nearest of `depth` random places in a second of real time, each replaced when chosen.
fn bare(depth: usize, requests: u64, seed: u64) -> f64 {
    const REVOLUTION: u32 = 1 << 27;
    let cylinders = 48_000;
    let seek: Vec<u32> = (0..cylinders).map(|d| (f64::from(d).sqrt() * 1e6) as u32).collect();
    let mut stream = random::stream(seed, "bare");
    let mut place = || (stream.random_range(0..cylinders), stream.random_range(0..REVOLUTION));
    let (mut cylinder, mut angle): (Vec<u32>, Vec<u32>) = (0..depth).map(|_| place()).unzip();
    let (mut arm, mut now) = (0_u32, 0_u32);
    let start = Instant::now();
    for _ in 0..requests {
        let mut best = (0, u32::MAX);
        for i in 0..depth {
            let travel = seek[arm.abs_diff(cylinder[i]) as usize];
            let time = travel + (angle[i].wrapping_sub(now).wrapping_sub(travel) & (REVOLUTION - 1));
            if time < best.1 {
                best = (i, time);
            }
        }
        arm = cylinder[best.0];
        now = now.wrapping_add(best.1);
        (cylinder[best.0], angle[best.0]) = place();
    }
    assert!(std::hint::black_box(now) < u32::MAX);
    requests as f64 / start.elapsed().as_secs_f64()
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
        fua: false,
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
