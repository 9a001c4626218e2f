//! Tests of the rotating disk, in one binary: examples, properties and theory.

#[path = "examples/hdd_behaviour.rs"]
mod behaviour;
#[path = "theory/hdd_cache.rs"]
mod cache;
#[path = "theory/hdd_destage.rs"]
mod destage;
#[path = "properties/hdd_properties.rs"]
mod properties;
#[path = "theory/hdd_scheduling.rs"]
mod scheduling;
#[path = "theory/hdd_theory.rs"]
mod theory;

use drivecast_block::{Bytes, Completion, Device, Nanos, Op, Request, random};
use drivecast_sim::hdd::Hdd;
use drivecast_sim::spec::{HddMeasured, HddSpec, Scheduler, Seek};
use rand::RngExt;

/// A 15,000 rpm disk as its data sheet tells of it.
fn fast_disk() -> HddSpec {
    HddSpec {
        capacity_bytes: 300_000_000_000,
        partition: 1.0,
        rpm: 15_000.0,
        surfaces: 8,
        outer_bytes_per_s: 125e6,
        inner_bytes_per_s: 73e6,
        zones: 16,
        seek: Seek::Sheet { track_ns: 200_000, mean_ns: 3_500_000, full_ns: 7_400_000 },
        write_settle_ns: 400_000,
        head_switch_ns: 300_000,
        overhead_ns: 200_000,
        link_bytes_per_s: 300e6,
        queue_depth: 32,
        scheduler: Scheduler::Sptf,
        cache_bytes: 16 << 20,
        write_cache: false,
        measured: HddMeasured::default(),
    }
}

fn disk(spec: &HddSpec) -> Hdd {
    Hdd::new(spec, 7).expect("a valid disk")
}

fn request(id: u64, op: Op, offset: u64, size: u32) -> Request {
    Request { id, offset: Bytes(offset), size, stream: 0, op, fua: false }
}

/// A request and what became of it.
#[derive(Clone, Copy, Debug)]
struct Served {
    request: Request,
    submitted: Nanos,
    completed: Nanos,
}

impl Served {
    fn latency_ms(&self) -> f64 {
        self.completed.since(self.submitted).0 as f64 / 1e6
    }
}

/// Keeps `depth` requests outstanding until `count` have completed; in order of completion.
fn closed_loop(hdd: &mut Hdd, depth: u64, count: usize, mut next: impl FnMut(u64) -> Request) -> Vec<Served> {
    let mut issued: Vec<(Request, Nanos)> = Vec::new();
    let mut served = Vec::with_capacity(count);
    let mut done: Vec<Completion> = Vec::new();
    for id in 0..depth {
        issued.push((next(id), Nanos::ZERO));
        hdd.submit(Nanos::ZERO, issued[id as usize].0);
    }
    while served.len() < count {
        let now = hdd.next().expect("requests are in flight");
        hdd.advance(now, &mut done);
        for completion in done.drain(..) {
            let (request, submitted) = issued[completion.id as usize];
            served.push(Served { request, submitted, completed: completion.at });
            let id = issued.len() as u64;
            issued.push((next(id), completion.at));
            hdd.submit(completion.at, issued[id as usize].0);
        }
    }
    served
}

/// Submits each request at its time and runs until all have completed; in order of completion.
fn open_loop(hdd: &mut Hdd, requests: &[(Nanos, Request)]) -> Vec<Served> {
    let mut served = Vec::with_capacity(requests.len());
    let mut done: Vec<Completion> = Vec::new();
    let mut run = |hdd: &mut Hdd, to: Nanos| {
        while let Some(at) = hdd.next().filter(|at| *at <= to) {
            hdd.advance(at, &mut done);
        }
        served.extend(done.drain(..).map(|completion| {
            let (submitted, request) = requests[completion.id as usize];
            Served { request, submitted, completed: completion.at }
        }));
    };
    for (at, request) in requests {
        run(hdd, *at);
        hdd.submit(*at, *request);
    }
    run(hdd, Nanos::MAX);
    served
}

/// Random requests of `size` bytes, uniform over the disk.
fn uniform(hdd: &Hdd, seed: u64, op: Op, size: u32) -> impl FnMut(u64) -> Request + use<> {
    let mut stream = random::stream(seed, "uniform");
    let blocks = hdd.capacity().0 / u64::from(size);
    move |id| request(id, op, stream.random_range(0..blocks) * u64::from(size), size)
}

fn iops(served: &[Served]) -> f64 {
    let last = served.last().expect("some were served").completed;
    served.len() as f64 / last.as_secs_f64()
}

fn megabytes_per_s(served: &[Served]) -> f64 {
    let bytes: u64 = served.iter().map(|s| u64::from(s.request.size)).sum();
    bytes as f64 / 1e6 / served.last().expect("some were served").completed.as_secs_f64()
}
