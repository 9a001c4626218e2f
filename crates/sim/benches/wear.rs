//! Speed of wear.
use drivecast_sim::{
    spec::GarbageCollection,
    ssd::{Ftl, Geometry},
};
use rand::Rng;
use std::time::Instant;
fn main() {
    let a: Vec<f64> = std::env::args().skip(1).filter_map(|x| x.parse().ok()).collect();
    let (sf, b, blocks, dies, drives) = (a[0], a[1] as u32, a[2] as u32, a[3] as u32, a[4]);
    let policy = if a.len() > 5 { GarbageCollection::Fifo } else { GarbageCollection::Greedy };
    let g = Geometry { dies, blocks_per_die: blocks, pages_per_block: b };
    let u = ((1.0 - sf) * g.pages() as f64) as u64;
    let mut ftl = Ftl::new(g, u, u, 4, policy).unwrap();
    let mut rng = drivecast_block::random::stream(1, "w");
    for l in 0..u {
        ftl.write(l, &mut ());
    }
    let mut batch = vec![0u64; 4096];
    let mut go = |ftl: &mut Ftl, n: u64| {
        for _ in 0..n / 4096 {
            for x in &mut batch {
                *x = (u128::from(rng.next_u64()) * u as u128 >> 64) as u64;
            }
            ftl.write_batch(&batch, &mut ());
        }
    };
    go(&mut ftl, (drives * u as f64) as u64);
    let s0 = ftl.stats();
    let t = Instant::now();
    let n = (drives * u as f64) as u64 / 4096 * 4096;
    go(&mut ftl, n);
    let dt = t.elapsed().as_secs_f64();
    println!(
        "sf {sf} b {b} T {blocks} D {dies}: WA {:.4}  {:.2} M writes/s  {:.2} B/page",
        ftl.stats().since(&s0).write_amplification(),
        n as f64 / dt / 1e6,
        ftl.memory_bytes() as f64 / g.pages() as f64
    );
}
