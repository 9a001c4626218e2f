//! Speed of the timed drive: simulated requests a second through the real host loop, generator and recorder.
//!
//! Method: a drive of 16 GiB on 20 GiB of flash, 8 channels of 4 dies, 2 planes, 4 KiB requests at depth 32 over all of it,
//! closed loop; filled and aged for three drive writes, so that garbage collection is active; best of five laps of 400,000
//! requests. Beside each stands what a bare loop does in the same run: the same requests drawn, each given to one of 32
//! dies that serve in order of arrival for a constant time, the next completion found in a heap; no channels, planes,
//! link, controller, buffer, map or statistics. `cargo bench -p drivecast-sim --bench ssd`

use drivecast_block::random::{Stream, stream};
use drivecast_block::{Bytes, Device, Op, Request};
use drivecast_sim::host::{Closed, Limits, Requests, run};
use drivecast_sim::spec::SsdSpec;
use drivecast_sim::ssd::{Preload, Ssd, wear};
use drivecast_workload::{Generator, WorkloadSpec};
use rand::Rng;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Instant;

const DEPTH: u32 = 32;
const COUNT: u64 = 400_000;
const RUNS: u64 = 5;
const DIES: usize = 32;

/// Fields that are not given have their defaults.
fn spec() -> SsdSpec {
    serde_json::from_str(
        r#"{
            "logical_bytes": 17179869184, "physical_bytes": 21474836480, "page_bytes": 16384, "pages_per_block": 64,
            "channels": 8, "dies_per_channel": 4, "planes": 2, "read_ns": 50000, "program_ns": 500000,
            "erase_ns": 3500000, "suspend_ns": 20000, "channel_bytes_per_s": 1.2e9, "link_bytes_per_s": 3.2e9,
            "read_overhead_ns": 5000, "write_overhead_ns": 5000, "read_command_ns": 500, "write_command_ns": 500,
            "queue_depth": 256, "buffer_bytes": 8388608
        }"#,
    )
    .expect("a valid specification")
}

fn below(random: &mut Stream, n: u64) -> u64 {
    ((u128::from(random.next_u64()) * u128::from(n)) >> 64) as u64
}

fn age(ssd: &mut Ssd, random: &mut Stream, print: bool) {
    let pages = ssd.capacity().0 / 4096;
    let mut write = || {
        let offset = Bytes(below(random, pages) * 4096);
        ssd.age(Request { id: 0, offset, size: 4096, stream: 0, op: Op::Write, fua: false });
    };
    (0..2 * pages).for_each(|_| write());
    let start = Instant::now();
    (0..pages).for_each(|_| write());
    let rate = pages as f64 / start.elapsed().as_secs_f64() / 1e6;
    if print {
        println!("ssd age random 4 KiB: {rate:.1} M requests/s (one drive write, steady)");
    }
}

/// Requests of a generator; takes the time whenever `COUNT` of them have been drawn.
struct Laps {
    generator: Generator,
    left: u64,
    clock: Instant,
    best_s: f64,
}

impl Laps {
    fn new(generator: Generator) -> Laps {
        Laps { generator, left: COUNT, clock: Instant::now(), best_s: f64::MAX }
    }

    /// Requests a second in the fastest lap.
    fn rate(&self) -> f64 {
        COUNT as f64 / self.best_s
    }
}

impl Requests for &mut Laps {
    #[inline]
    fn next(&mut self) -> Option<Request> {
        self.left -= 1;
        if self.left == 0 {
            self.left = COUNT;
            self.best_s = self.best_s.min(self.clock.elapsed().as_secs_f64());
            self.clock = Instant::now();
        }
        Requests::next(&mut self.generator)
    }
}

/// The whole drive: simulated requests a second, and its own rate in simulated time.
fn timed(ssd: &mut Ssd, workload: &WorkloadSpec) -> (f64, f64) {
    let limits = Limits { completions: Some(RUNS * COUNT), ..Limits::default() };
    let mut laps = Laps::new(Generator::new(workload, ssd.capacity(), 1).expect("a workload that fits"));
    let measured = run(ssd, Closed::new(&mut laps, DEPTH), limits).expect("a run that holds");
    (laps.rate(), (RUNS * COUNT) as f64 / measured.end.as_secs_f64())
}

/// The bare loop.
fn bare(generator: Generator, service_ns: u64) -> f64 {
    let mut free = [0_u64; DIES];
    let mut events = BinaryHeap::new();
    let mut now = 0;
    let mut laps = Laps::new(generator);
    for _ in 0..RUNS * COUNT {
        if events.len() == DEPTH as usize {
            let Reverse(next) = events.pop().expect("requests are outstanding");
            now = next;
        }
        let request = Requests::next(&mut &mut laps).expect("a generator does not end");
        let die = (request.offset.0 / 4096).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 59;
        let end = now.max(free[die as usize]) + service_ns;
        free[die as usize] = end;
        events.push(Reverse(end));
    }
    std::hint::black_box(now);
    laps.rate()
}

fn main() {
    let spec = spec();
    for reads in [0, 70, 100] {
        let mut ssd = Ssd::new(&spec, &Preload::whole(&spec), 1).expect("a drive that works");
        wear::fill(&mut ssd, spec.logical_bytes);
        age(&mut ssd, &mut stream(1, "requests"), reads == 0);
        let line = format!("random(4KiB, read={}, iodepth={DEPTH})", f64::from(reads) / 100.0);
        let workload = WorkloadSpec::parse(&line).expect("a valid line");
        let generator = Generator::new(&workload, ssd.capacity(), 1).expect("a workload that fits");
        let (rate, iops) = timed(&mut ssd, &workload);
        let bare = bare(generator, spec.read_ns);
        println!(
            "ssd random 4 KiB {reads} % reads depth {DEPTH}: {:.2} M requests/s (best of {RUNS}; bare loop {:.1} M, \
             ratio {:.2}; simulated drive {iops:.0} IOPS)",
            rate / 1e6,
            bare / 1e6,
            rate / bare
        );
    }
}
