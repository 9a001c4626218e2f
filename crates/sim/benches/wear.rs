//! Speed of wear: host page writes a second through the translation layer, uniform random, in steady state, beside a loop
//! that does nothing but the same number of dependent random memory accesses.
//!
//! Method: 16 GiB of flash, 4 KiB pages, one die, greedy; filled, then three drive writes to steady state, then the best of
//! seven runs of half a drive write each. `cargo bench -p drivecast-sim --bench wear`

use drivecast_block::random::{Stream, stream};
use drivecast_sim::design::Design;
use drivecast_sim::run::{self, WearOptions, Workload};
use drivecast_sim::spec::GarbageCollection;
use drivecast_sim::ssd::{Ftl, Geometry};
use drivecast_workload::WorkloadSpec;
use rand::Rng;
use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::Instant;

const PAGES: u64 = 4 << 20;

fn below(random: &mut Stream, n: u64) -> u64 {
    ((u128::from(random.next_u64()) * u128::from(n)) >> 64) as u64
}

/// Million calls a second, the best of seven runs of `count` calls.
fn best_of_seven(count: u64, mut run: impl FnMut()) -> f64 {
    let mut best = f64::MAX;
    for _ in 0..7 {
        let start = Instant::now();
        run();
        best = best.min(start.elapsed().as_secs_f64());
    }
    count as f64 / best / 1e6
}

fn wear(spare_factor: f64, pages_per_block: u32) -> f64 {
    let blocks_per_die = (PAGES / u64::from(pages_per_block)) as u32;
    let geometry = Geometry { dies: 1, blocks_per_die, pages_per_block };
    let data = ((1.0 - spare_factor) * PAGES as f64) as u64;
    let mut ftl =
        Ftl::new(geometry, data, data, 8, GarbageCollection::Greedy).expect("a geometry that works");
    let mut random = stream(1, "writes");
    let mut batch = vec![0; 4096];
    let mut write = |ftl: &mut Ftl, count: u64| {
        for _ in 0..count / 4096 {
            batch.iter_mut().for_each(|lpn| *lpn = below(&mut random, data));
            ftl.write_batch(&batch, &mut ());
        }
    };
    (0..data).for_each(|lpn| ftl.write(lpn, &mut ()));
    write(&mut ftl, 3 * data);
    let before = ftl.stats();
    let rate = best_of_seven(data / 2, || write(&mut ftl, data / 2));
    let amplification = ftl.stats().since(&before).write_amplification();
    let bytes = ftl.memory_bytes() as f64 / ftl.physical_pages() as f64;
    println!(
        "wear S_f {spare_factor} b {pages_per_block}: {rate:.1} M host page writes/s \
         (WA {amplification:.3}, {bytes:.2} bytes a physical page; best of 7)"
    );
    rate
}

/// Each access needs the one before: the rate that memory alone allows a loop without lookahead.
fn dependent_accesses() -> f64 {
    let mut next: Vec<u32> = (0..PAGES as u32).collect();
    let mut random = stream(1, "shuffle");
    for i in (1..PAGES).rev() {
        // Sattolo's shuffle: one cycle through all.
        next.swap(i as usize, below(&mut random, i) as usize);
    }
    let count = PAGES / 2;
    let mut at = 0;
    let rate = best_of_seven(count, || {
        for _ in 0..count {
            at = next[at as usize];
        }
        black_box(at);
    });
    println!("dependent random accesses to as large a map: {rate:.1} M/s (best of 7)");
    rate
}

/// A drive of 7.68 TB, worn by random writes until its write amplification is known to half a per cent, by scaling.
fn scaled() {
    let line = "ssd(logical=7680GB, physical=8TiB, channels=16, dies_per_channel=8, planes=4, page=16KiB, pages_per_block=1024, \
                buffer=64MiB)";
    let design = Design::parse(line).and_then(|design| design.resolve(&BTreeMap::new())).expect("a design");
    let workload = Workload::Synthetic(WorkloadSpec::parse("random(4KiB, read=0)").expect("a workload"));
    let start = Instant::now();
    let found = run::wear(&design, &workload, &WearOptions::default()).expect("a wear run");
    println!(
        "wear of 7.68 TB by scaling: {:.2} s (random 4 KiB writes; WA {:.3}, scaled to {:.5}; one run)",
        start.elapsed().as_secs_f64(),
        found.write_amplification,
        found.scale
    );
}

fn main() {
    let limit = dependent_accesses();
    for spare_factor in [0.07, 0.2, 0.28] {
        let rate = wear(spare_factor, 256);
        println!("of the dependent accesses: {:.2} at S_f {spare_factor} (ratio, same run)", rate / limit);
    }
    wear(0.2, 64);
    scaled();
}
