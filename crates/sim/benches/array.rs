//! Speed of arrays and of whole simulations: `cargo bench -p drivecast-sim --bench array`. One line each,
//! `name: value unit (method)`.
//!
//! RAID 10 of 8 timed drives: the drive of the `ssd` bench, scaled to 2^19 pages each, as `simulate` scales eight drives that a
//! workload covers; 4 KiB requests at depth 256 over the whole array, closed loop, after each drive has been filled and
//! written over twice at random, so that garbage collection is steady; best of five runs of 400,000 host requests. Beside it
//! the same array of stations that cost next to nothing, which is what the array layer alone takes, and one such drive
//! alone at depth 32: a write on RAID 10 is two of its writes.

use drivecast_block::random::Stream;
use drivecast_block::{Bytes, Device, Nanos, Op, Record, Request, random};
use drivecast_sim::design::Design;
use drivecast_sim::fixed_service::{FixedService, Service};
use drivecast_sim::host::{self, Closed, Limits, Requests};
use drivecast_sim::raid::{Array, Layout, Level};
use drivecast_sim::run::{self, RunOptions, State, WearOptions, Workload, drive, simulate};
use drivecast_sim::spec::{DriveSpec, SsdSpec};
use drivecast_sim::ssd::{Layout as FlashLayout, Preload, Ssd, wear};
use drivecast_workload::WorkloadSpec;
use rand::{Rng, RngExt};
use std::collections::BTreeMap;
use std::time::Instant;

/// 200,000 records in 60 s: 70 % reads of 16 KiB on 1 GiB.
fn window() -> Workload {
    let mut random = random::stream(1, "window");
    let each = |index: u64| Record {
        time: Nanos(index * 300_000),
        offset: random.random_range(0..65_000) * 16_384,
        size: 16_384,
        stream: 0,
        op: if random.random_bool(0.7) { Op::Read } else { Op::Write },
        latency: None,
        fua: false,
    };
    Workload::Records((0..200_000).map(each).collect())
}

fn best(mut run: impl FnMut()) -> f64 {
    let time = |_| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64()
    };
    (0..3).map(time).fold(f64::MAX, f64::min)
}

const COUNT: u64 = 400_000;
const DRIVE_PAGES: u64 = 1 << 19;

/// The drive of the `ssd` bench.
fn ssd_spec() -> SsdSpec {
    let line = "ssd(logical=16GiB, physical=20GiB, page=16KiB, pages_per_block=64, channels=8, dies_per_channel=4, \
                planes=2, read=50us, program=500us, erase=3500us, suspend=20us, channel_throughput=1.2GB/s, \
                link_throughput=3.2GB/s, read_overhead=5us, write_overhead=5us, read_command=500ns, \
                write_command=500ns, queue_depth=256, buffer=8MiB, buffer_volatile=no, gc=greedy)";
    let design =
        Design::parse(line).and_then(|design| design.resolve(&BTreeMap::new())).expect("a valid line");
    match design.root().drives()[0].1 {
        DriveSpec::Ssd(spec) => spec.clone(),
        DriveSpec::Hdd(_) | DriveSpec::Volume(_) => unreachable!("the line is of flash"),
    }
}

fn below(random: &mut Stream, n: u64) -> u64 {
    ((u128::from(random.next_u64()) * u128::from(n)) >> 64) as u64
}

/// Random 4 KiB requests, a share of them reads.
fn make(random: &mut Stream, id: u64, pages: u64, reads: u64) -> Request {
    let op = if below(random, 100) < reads { Op::Read } else { Op::Write };
    Request { id, offset: Bytes(below(random, pages) * 4096), size: 4096, stream: 0, op, fua: false }
}

/// Random requests; takes the time whenever `COUNT` of them have been drawn.
struct Laps {
    random: Stream,
    pages: u64,
    reads: u64,
    drawn: u64,
    clock: Instant,
    best_s: f64,
}

impl Requests for &mut Laps {
    #[inline]
    fn next(&mut self) -> Option<Request> {
        self.drawn += 1;
        if self.drawn.is_multiple_of(COUNT) {
            self.best_s = self.best_s.min(self.clock.elapsed().as_secs_f64());
            self.clock = Instant::now();
        }
        let (drawn, pages, reads) = (self.drawn, self.pages, self.reads);
        Some(make(&mut self.random, drawn, pages, reads))
    }
}

/// Host requests a second, best of five laps.
fn requests_per_s(device: &mut dyn Device, reads: u64, depth: u32) -> f64 {
    let pages = device.capacity().0 / 4096;
    let random = random::stream(1, "requests");
    let mut laps = Laps { random, pages, reads, drawn: 0, clock: Instant::now(), best_s: f64::MAX };
    let limits = Limits { completions: Some(5 * COUNT), ..Limits::default() };
    host::run(device, Closed::new(&mut laps, depth), limits).expect("a run that holds");
    COUNT as f64 / laps.best_s
}

/// A device filled, then written over twice at random.
fn aged<D: Device>(mut device: D) -> D {
    let pages = device.capacity().0 / 4096;
    wear::fill(&mut device, pages * 4096);
    let mut random = random::stream(1, "age");
    (0..2 * pages).for_each(|id| device.age(make(&mut random, id, pages, 0)));
    device
}

fn raid10() {
    let spec = ssd_spec();
    let whole = Preload::whole(&spec);
    let scale = FlashLayout::scale_to(&spec, DRIVE_PAGES, &whole).expect("a drive that works");
    let member = |seed| Ssd::scaled(&spec, scale, &whole, 4096, seed).expect("a drive that works");
    for reads in [0, 70, 100] {
        let members: Vec<Ssd> = (0..8).map(member).collect();
        let layout = Layout::new(Level::Raid10, 8, Bytes::kib(64), members[0].capacity());
        let mut array = aged(Array::new(layout, Nanos::ZERO, members));
        let flash = requests_per_s(&mut array, reads, 256);
        let alone = requests_per_s(&mut aged(member(0)), reads, 32);
        let service = Service::Constant(Nanos::from_us(100));
        let station = |seed| FixedService::new(array.capacity(), 64, service, seed);
        let bare = Array::new(layout, Nanos::ZERO, (0..8).map(station).collect());
        let bare = requests_per_s(&mut { bare }, reads, 256);
        println!(
            "raid10 of 8 ssd random 4 KiB {reads} % reads depth 256: {:.2} M requests/s (array layer alone {:.2} M, \
             one drive alone {:.2} M; best of 5)",
            flash / 1e6,
            bare / 1e6,
            alone / 1e6
        );
    }
}

fn main() {
    raid10();
    let drive_spec = "ssd(logical=100GB, spare_factor=0.28, pages_per_block=256)";
    let window = window();
    for design in [
        drive_spec.to_owned(),
        format!("raid10(8 * {drive_spec})"),
        format!("raid5(8 * {drive_spec})"),
        "raid10(8 * hdd(capacity=300GB, rpm=15000, seek_mean=3.5ms))".to_owned(),
    ] {
        let resolved =
            Design::parse(&design).and_then(|design| design.resolve(&BTreeMap::new())).expect("a valid line");
        for (name, state) in [("fresh", State::Fresh), ("steady", State::Steady)] {
            let options = RunOptions { fill: 0.5, state, seed: 1, ..RunOptions::default() };
            let time = best(|| drop(simulate(&resolved, &window, &options).expect("a run")));
            println!(
                "simulate {design}: {:.3} s (200,000 records over 60 s, {name} drives, best of 3)",
                time
            );
        }
        if resolved.root().has_flash() {
            let options = WearOptions { seed: 1, fill: 0.5, ..WearOptions::default() };
            let time = best(|| drop(run::wear(&resolved, &window, &options).expect("wear")));
            println!("wear {design}: {time:.3} s (60,000 writes, looped, best of 3)");
        }
    }
    let spec = WorkloadSpec::parse("random(4KiB, read=0.7, iodepth=64)").expect("a valid line");
    let workload = Workload::Synthetic(spec);
    let options = RunOptions { requests: Some(1_000_000), seed: 1, fill: 0.0, ..RunOptions::default() };
    for members in [1, 8, 24] {
        let member = |seed| {
            let service = Service::Constant(Nanos::from_us(100));
            Box::new(FixedService::new(Bytes::gib(1), 8, service, seed)) as Box<dyn Device>
        };
        let layout = Layout::new(Level::Raid0, members, Bytes::kib(64), Bytes::gib(1));
        let time = best(|| {
            let mut array = Array::new(layout, Nanos::ZERO, (0..members as u64).map(member).collect());
            drop(drive(&mut array, "fixed", 1.0, &workload, &options).expect("a run"));
        });
        println!(
            "raid0 of {members} fixed stations: {:.2} M requests/s (closed loop, iodepth 64)",
            1.0 / time
        );
    }
}
