//! Miss-ratio curves against what is known of independent references.

use drivecast_block::random::stream;
use drivecast_workload::reuse::{Curve, Reuse, Sampling};
use rand::RngExt;

/// References drawn independently, block k with a probability as `weights[k]`.
fn independent(weights: &[f64], references: usize) -> Vec<u64> {
    let mut sum = 0.0;
    let shares: Vec<f64> = weights
        .iter()
        .map(|weight| {
            sum += weight;
            sum
        })
        .collect();
    let mut random = stream(7, "references");
    let draw = |_| {
        let drawn = random.random::<f64>() * sum;
        shares.partition_point(|share| *share < drawn) as u64
    };
    (0..references).map(draw).collect()
}

fn curve(references: &[u64], sampling: Sampling) -> Curve {
    let mut reuse = Reuse::new(sampling);
    reuse.push(references);
    reuse.curve()
}

/// The time for which a cache holds a block that is not referenced (Che, Tung and Wang 2002): as many references as have
/// `size` distinct blocks, sum (1 - exp(-p T)) = c.
fn che_time(weights: &[f64], size: f64) -> f64 {
    let all: f64 = weights.iter().sum();
    let (mut low, mut high) = (0.0, 1e12);
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        let held: f64 = weights.iter().map(|weight| 1.0 - (-weight / all * middle).exp()).sum();
        (low, high) = if held < size { (middle, high) } else { (low, middle) };
    }
    low
}

/// The miss ratio by Che's approximation: sum p exp(-p T).
fn che(weights: &[f64], size: f64) -> f64 {
    let all: f64 = weights.iter().sum();
    let time = che_time(weights, size);
    weights.iter().map(|weight| weight / all * (-weight / all * time).exp()).sum()
}

#[test]
fn uniform_references_miss_by_the_share_that_is_not_cached() {
    // Any c of n blocks are in the cache with equal probability: 1 - c / n. First references are n of the 2 M.
    const BLOCKS: u64 = 10_000;
    let references = independent(&vec![1.0; BLOCKS as usize], 2_000_000);
    let found = curve(&references, Sampling::All);
    for size in [1, 10, 100, 1000, 2500, 5000, 7500, 9000] {
        let expected = 1.0 - size as f64 / BLOCKS as f64;
        let error = found.miss_ratio(size) - expected;
        assert!(error.abs() < 0.005, "{size}: {error}");
    }
    assert!((found.miss_ratio(BLOCKS) - BLOCKS as f64 / 2e6).abs() < 1e-12);
}

#[test]
fn zipf_references_miss_as_che_says() {
    // Che's approximation is exact in the limit of many blocks; Fricker, Robert and Roberts (2012) show errors below 1 %
    // of the ratio for thousands. 2 M references after 1 M that warm the cache leave little of the first ones.
    for exponent in [0.6, 0.8, 1.0, 1.2] {
        let weights: Vec<f64> = (1..=10_000).map(|rank| f64::from(rank).powf(-exponent)).collect();
        let found = curve(&independent(&weights, 3_000_000), Sampling::All);
        for size in [10, 100, 500, 1000, 3000] {
            let (found, expected) = (found.miss_ratio(size), che(&weights, size as f64));
            assert!((found - expected).abs() < 0.005, "exponent {exponent}, {size}: {found} for {expected}");
        }
    }
}

#[test]
fn a_sample_tells_the_curve_of_all() {
    // With the correction, a sample errs by the misses of the blocks that it has too many or too few of, and by the
    // room that these take. A block with probability p misses in a share p exp(-p T) of the references and takes
    // 1 - exp(-p T) of a block, T as in Che's approximation: the variance of each is the sum of the squares times
    // (1 - R) / R at rate R, and room acts on the miss ratio by the slope of the curve.
    const BLOCKS: u32 = 200_000;
    let weights: Vec<f64> = (1..=BLOCKS).map(|rank| f64::from(rank).powf(-0.8)).collect();
    let references = independent(&weights, 4_000_000);
    let exact = curve(&references, Sampling::All);
    let all: f64 = weights.iter().sum();
    for sampling in [Sampling::Rate(0.01), Sampling::Blocks(8000)] {
        let mut reuse = Reuse::new(sampling);
        reuse.push(&references);
        let (found, rate) = (reuse.curve(), reuse.rate());
        for size in [2000u32, 5000, 20_000, 50_000, 100_000, 150_000] {
            let time = che_time(&weights, f64::from(size));
            let misses = weights.iter().map(|weight| weight / all * (-weight / all * time).exp());
            let room = weights.iter().map(|weight| 1.0 - (-weight / all * time).exp());
            let of_sample = |sum: f64| (sum * (1.0 - rate) / rate).sqrt();
            let step = u64::from(size / 10);
            let slope = (exact.miss_ratio(u64::from(size) - step) - exact.miss_ratio(u64::from(size) + step))
                / (2 * step) as f64;
            let deviation = of_sample(misses.map(|share| share * share).sum())
                + slope * of_sample(room.map(|share| share * share).sum());
            let error = found.miss_ratio(size.into()) - exact.miss_ratio(size.into());
            assert!(error.abs() < 3.0 * deviation + 0.002, "{sampling:?}, {size}: {error} for {deviation}");
        }
        let blocks = f64::from(BLOCKS);
        assert!((reuse.blocks() - blocks).abs() < 4.0 * (blocks * (1.0 - rate) / rate).sqrt());
    }
}

#[test]
fn a_cycle_misses_until_all_of_it_fits() {
    let references: Vec<u64> = (0..100_000).map(|k| k % 1000).collect();
    let found = curve(&references, Sampling::All);
    assert_eq!(found.miss_ratio(999), 1.0);
    assert!((found.miss_ratio(1000) - 0.01).abs() < 1e-12);
}
