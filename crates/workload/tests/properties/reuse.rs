//! The curve of one pass against an LRU cache of each size.

use drivecast_workload::reuse::{Reuse, Sampling};
use proptest::prelude::*;

/// Misses of an LRU cache, written plainly.
fn misses(references: &[u64], size: usize) -> usize {
    let mut cache: Vec<u64> = Vec::new();
    let mut misses = 0;
    for block in references {
        match cache.iter().position(|held| held == block) {
            Some(at) => {
                cache.remove(at);
            }
            None => misses += 1,
        }
        cache.insert(0, *block);
        cache.truncate(size);
    }
    misses
}

fn references() -> impl Strategy<Value = Vec<u64>> {
    let block = prop_oneof![3 => 0..8u64, 2 => 0..200u64, 1 => any::<u64>()];
    prop::collection::vec(block, 0..600)
}

proptest! {
    #[test]
    fn every_size_misses_as_a_cache_of_that_size(references in references(), parts in 1..4usize) {
        let mut reuse = Reuse::new(Sampling::All);
        references.chunks(references.len() / parts + 1).for_each(|part| reuse.push(part));
        let curve = reuse.curve();
        for size in [1, 2, 3, 5, 8, 13, 50, 100, 200, 1000] {
            let expected = match references.len() {
                0 => 1.0,
                all => misses(&references, size) as f64 / all as f64,
            };
            prop_assert!((curve.miss_ratio(size as u64) - expected).abs() < 1e-12, "size {}", size);
        }
    }

    #[test]
    fn time_is_compacted_without_a_trace(seed in any::<u64>(), blocks in 1..3000u64) {
        // More accesses than the first slots hold, several times over, of blocks whose order the seed scrambles.
        let reference = |k: u64| (k.wrapping_mul(seed | 1) >> 7) % blocks;
        let references: Vec<u64> = (0..20_000).map(reference).collect();
        let mut reuse = Reuse::new(Sampling::All);
        reuse.push(&references);
        let size = (blocks / 3 + 1) as usize;
        let found = reuse.curve().miss_ratio(size as u64);
        prop_assert!((found - misses(&references, size) as f64 / 20_000.0).abs() < 1e-12);
    }

    #[test]
    fn a_sampled_curve_is_one(references in references(), rate in 0.0..1.0f64, most in 1..50usize) {
        for sampling in [Sampling::Rate(rate), Sampling::Blocks(most)] {
            let mut reuse = Reuse::new(sampling);
            reuse.push(&references);
            let points = reuse.curve().points;
            prop_assert!(points.windows(2).all(|pair| pair[0].blocks < pair[1].blocks && pair[0].miss_ratio > pair[1].miss_ratio));
            prop_assert!(points.iter().all(|point| (0.0..1.0).contains(&point.miss_ratio)));
        }
    }
}
