//! Speed of the timed drive: simulated requests a second, and of ageing it.
//!
//! Method: a drive of 16 GiB on 20 GiB of flash, 8 channels of 4 dies, 2 planes, 4 KiB requests at depth 32 over all of it,
//! closed loop; filled and aged for three drive writes, so that garbage collection is active; best of five runs of 400,000
//! requests. `cargo bench -p drivecast-sim --bench ssd`

use drivecast_block::random::{Stream, stream};
use drivecast_block::{Bytes, Device, Nanos, Op, Request};
use drivecast_sim::spec::{GarbageCollection, SsdSpec, StreamBy, StreamSpare, WearLevelling};
use drivecast_sim::ssd::{Preload, Ssd, wear};
use rand::Rng;
use std::time::Instant;

const DEPTH: u64 = 32;
const COUNT: u64 = 400_000;

fn spec() -> SsdSpec {
    SsdSpec {
        logical_bytes: 16 << 30,
        physical_bytes: 20 << 30,
        partition: 1.0,
        mapping_bytes: 4096,
        page_bytes: 16_384,
        pages_per_block: 64,
        channels: 8,
        dies_per_channel: 4,
        planes: 2,
        read_ns: 50_000,
        program_ns: 500_000,
        erase_ns: 3_500_000,
        suspend_ns: Some(20_000),
        channel_bytes_per_s: 1.2e9,
        link_bytes_per_s: 3.2e9,
        read_bytes_per_s: None,
        write_bytes_per_s: None,
        copy_cost: 1.0,
        read_overhead_ns: 5_000,
        write_overhead_ns: 5_000,
        read_command_ns: 500,
        write_command_ns: 500,
        queue_depth: 256,
        buffer_bytes: 8 << 20,
        buffer_volatile: false,
        gc: GarbageCollection::Greedy,
        gc_choices: 10,
        gc_window: 64,
        streams: 1,
        stream_by: StreamBy::Frequency,
        stream_spare: StreamSpare::Shared,
        wear_levelling: WearLevelling::Dynamic,
        wear_spread: 50,
        compression: 1.0,
        bad_blocks: 0.0,
        erase_failure_rate: 0.0,
    }
}

fn below(random: &mut Stream, n: u64) -> u64 {
    ((u128::from(random.next_u64()) * u128::from(n)) >> 64) as u64
}

/// Random 4 KiB requests, a share of them reads.
fn make(random: &mut Stream, id: u64, pages: u64, reads: u64) -> Request {
    let op = if below(random, 100) < reads { Op::Read } else { Op::Write };
    Request { id, offset: Bytes(below(random, pages) * 4096), size: 4096, stream: 0, op }
}

fn age(ssd: &mut Ssd, random: &mut Stream) {
    let pages = ssd.capacity().0 / 4096;
    wear::fill(ssd, pages * 4096);
    (0..2 * pages).for_each(|id| ssd.age(make(random, id, pages, 0)));
    let start = Instant::now();
    (0..pages).for_each(|id| ssd.age(make(random, id, pages, 0)));
    let rate = pages as f64 / start.elapsed().as_secs_f64() / 1e6;
    println!("ssd age random 4 KiB: {rate:.1} M requests/s (one drive write, steady)");
}

fn timed(ssd: &mut Ssd, random: &mut Stream, start: Nanos, reads: u64) -> Nanos {
    let pages = ssd.capacity().0 / 4096;
    let (mut now, mut id, mut best) = (start, 0, f64::MAX);
    let mut done = Vec::new();
    for _ in 0..DEPTH {
        ssd.submit(now, make(random, id, pages, reads));
        id += 1;
    }
    for _ in 0..5 {
        let clock = Instant::now();
        let until = id + COUNT;
        while id < until {
            now = ssd.next().expect("requests are outstanding");
            done.clear();
            ssd.advance(now, &mut done);
            for _ in 0..done.len() {
                ssd.submit(now, make(random, id, pages, reads));
                id += 1;
            }
        }
        best = best.min(clock.elapsed().as_secs_f64());
    }
    let iops = (id - DEPTH) as f64 / now.since(start).as_secs_f64();
    println!(
        "ssd random 4 KiB {reads} % reads depth {DEPTH}: {:.2} M requests/s (simulated drive {iops:.0} IOPS; best of 5)",
        COUNT as f64 / best / 1e6
    );
    while let Some(next) = ssd.next() {
        now = next;
        ssd.advance(now, &mut done);
    }
    now
}

fn main() {
    let spec = spec();
    let mut ssd = Ssd::new(&spec, &Preload::whole(&spec), 1).expect("a drive that works");
    let mut random = stream(1, "requests");
    age(&mut ssd, &mut random);
    let mut now = Nanos::ZERO;
    for reads in [0, 70, 100] {
        now = timed(&mut ssd, &mut random, now, reads);
    }
}
