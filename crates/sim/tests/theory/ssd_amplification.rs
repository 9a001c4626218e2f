//! Uniform random writes against the mean field (greedy) and the Lambert-W closed form (FIFO), within 1 %.

use crate::closed_forms::{fifo, greedy};
use crate::drives::Uniform;
use drivecast_sim::spec::GarbageCollection;
use drivecast_sim::ssd::{Ftl, Geometry};

const SPARE_FACTORS: [f64; 8] = [0.07, 0.1, 0.15, 0.2, 0.28, 0.3, 0.4, 0.5];

/// Steady write amplification, and what α really is: the block that is kept free holds no data.
fn simulate(geometry: Geometry, spare_factor: f64, policy: GarbageCollection) -> (f64, f64) {
    let data = ((1.0 - spare_factor) * geometry.pages() as f64) as u64;
    let mut ftl = Ftl::new(geometry, data, data, 8, policy).unwrap();
    let mut random = Uniform::new(1, "writes");
    let mut batch = vec![0; 1024];
    (0..data).for_each(|lpn| ftl.write(lpn, &mut ()));
    let mut write = |ftl: &mut Ftl, drives: u64| {
        for _ in 0..drives * data / 1024 {
            batch.iter_mut().for_each(|lpn| *lpn = random.below(data));
            ftl.write_batch(&batch, &mut ());
        }
    };
    write(&mut ftl, 6);
    let before = ftl.stats();
    write(&mut ftl, 6);
    ftl.audit().unwrap();
    let in_use = u64::from(geometry.dies * (geometry.blocks_per_die - 1) * geometry.pages_per_block);
    (ftl.stats().since(&before).write_amplification(), in_use as f64 / data as f64)
}

fn check(geometry: Geometry, policy: GarbageCollection, theory: impl Fn(f64) -> f64, tolerance: f64) {
    for spare_factor in SPARE_FACTORS {
        let (found, alpha) = simulate(geometry, spare_factor, policy);
        let expected = theory(alpha);
        let error = found / expected - 1.0;
        println!(
            "{geometry:?} S_f {spare_factor} {policy:?}: {found:.4}, theory {expected:.4}, {:+.2} %",
            100.0 * error
        );
        assert!(error.abs() < tolerance, "S_f {spare_factor}: {found} against {expected}");
    }
}

#[test]
fn greedy_with_64_pages_a_block() {
    let geometry = Geometry { dies: 1, blocks_per_die: 2048, pages_per_block: 64 };
    check(geometry, GarbageCollection::Greedy, |alpha| greedy(alpha, 64), 0.01);
}

#[test]
fn greedy_with_256_pages_a_block() {
    let geometry = Geometry { dies: 1, blocks_per_die: 1024, pages_per_block: 256 };
    check(geometry, GarbageCollection::Greedy, |alpha| greedy(alpha, 256), 0.01);
}

#[test]
fn greedy_with_a_block_size_that_is_no_power_of_two() {
    let geometry = Geometry { dies: 1, blocks_per_die: 1024, pages_per_block: 200 };
    check(geometry, GarbageCollection::Greedy, |alpha| greedy(alpha, 200), 0.01);
}

#[test]
fn greedy_on_many_dies() {
    let geometry = Geometry { dies: 8, blocks_per_die: 256, pages_per_block: 256 };
    check(geometry, GarbageCollection::Greedy, |alpha| greedy(alpha, 256), 0.01);
}

#[test]
fn fifo_against_its_closed_form() {
    let geometry = Geometry { dies: 1, blocks_per_die: 2048, pages_per_block: 256 };
    check(geometry, GarbageCollection::Fifo, fifo, 0.01);
}
