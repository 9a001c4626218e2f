//! Miss counts against closed forms.

use drivecast_block::random::stream;
use drivecast_block::{Nanos, Op, Record};
use drivecast_workload::eviction::{Accesses, By, Collector, Eviction, Limits, PARTS, play};
use rand::RngExt;

const BLOCK: u64 = 4096;

fn collected(blocks: impl Iterator<Item = u64>, limits: Limits) -> Accesses {
    let mut collector = Collector::new(By::Block, limits);
    for block in blocks {
        let (time, offset, size) = (Nanos(0), block * BLOCK, BLOCK as u32);
        collector.push(&Record { time, offset, size, stream: 0, op: Op::Read, fua: false, latency: None });
    }
    collector.finish()
}

fn miss_ratio(accesses: &Accesses, eviction: Eviction, blocks: u64) -> f64 {
    let counts = play(accesses, eviction, blocks * BLOCK, 1);
    counts.read_misses / counts.reads
}

/// Blocks drawn independently, block k with a probability as `weights[k]`.
fn independent(weights: &[f64], references: usize) -> impl Iterator<Item = u64> {
    let mut sum = 0.0;
    let shares: Vec<f64> = weights
        .iter()
        .map(|weight| {
            sum += weight;
            sum
        })
        .collect();
    let mut random = stream(7, "references");
    (0..references).map(move |_| {
        let drawn = random.random::<f64>() * sum;
        shares.partition_point(|share| *share < drawn) as u64
    })
}

#[test]
fn a_cycle_larger_than_the_cache() {
    // LRU, FIFO and CLOCK evict what comes next. The optimum keeps c - 1 of n blocks for each round of n - 1 references; LIRS
    // keeps its 99 % for ever. First references are 1 in 100.
    let (blocks, rounds, size) = (1000, 100, 600);
    let accesses = collected((0..blocks * rounds).map(|at| at % blocks), Limits::default());
    for eviction in [Eviction::Lru, Eviction::Fifo, Eviction::Clock] {
        assert_eq!(miss_ratio(&accesses, eviction, size), 1.0, "{}", eviction.name());
    }
    let first = 1.0 / rounds as f64;
    let hits = |ratio: f64| 1.0 - (1.0 - first) * ratio;
    let optimum = hits((size - 1) as f64 / (blocks - 1) as f64);
    assert!((miss_ratio(&accesses, Eviction::Belady, size) - optimum).abs() < 0.001);
    let lirs = hits(0.99 * size as f64 / blocks as f64);
    assert!((miss_ratio(&accesses, Eviction::Lirs, size) - lirs).abs() < 0.001);
}

#[test]
fn fifo_and_random_miss_alike() {
    // Of independent references, FIFO and random eviction have the same miss ratio (On the Complexity of Analysis of Replacement
    // Policies, 1973): sum p / (1 + p T), with T such that sum p T / (1 + p T) = c, in the limit of many blocks.
    for exponent in [0.7, 1.0] {
        let weights: Vec<f64> = (1..=5000).map(|rank| f64::from(rank).powf(-exponent)).collect();
        let sum: f64 = weights.iter().sum();
        let accesses = collected(independent(&weights, 2_000_000), Limits::default());
        for size in [100, 500, 2000] {
            let (mut low, mut high) = (0.0, 1e9);
            for _ in 0..100 {
                let time = (low + high) / 2.0;
                let held: f64 = weights.iter().map(|weight| 1.0 / (1.0 + sum / (weight * time))).sum();
                (low, high) = if held < size as f64 { (time, high) } else { (low, time) };
            }
            let expected: f64 = weights.iter().map(|weight| weight / sum / (1.0 + weight / sum * low)).sum();
            for eviction in [Eviction::Fifo, Eviction::Random] {
                let found = miss_ratio(&accesses, eviction, size);
                assert!((found - expected).abs() < 0.004, "{} {size}: {found}", eviction.name());
            }
        }
    }
}

#[test]
fn a_sample_tells_what_all_would() {
    // Samples of an eighth, each of other blocks: their mean lies where all references lead, by their own spread.
    let weights: Vec<f64> = (1..=40_000).map(|rank| f64::from(rank).powf(-0.7)).collect();
    let all = collected(independent(&weights, 1_000_000), Limits::default());
    for eviction in [Eviction::Lru, Eviction::Arc, Eviction::S3Fifo, Eviction::Sieve, Eviction::Belady] {
        let expected = miss_ratio(&all, eviction, 8000);
        let parts: Vec<f64> = (0..PARTS).map(|part| miss_ratio(&all.part(part), eviction, 8000)).collect();
        let mean = parts.iter().sum::<f64>() / f64::from(PARTS);
        let spread =
            (parts.iter().map(|part| (part - mean).powi(2)).sum::<f64>() / f64::from(PARTS - 1)).sqrt();
        let error = mean - expected;
        assert!(
            spread < 0.02 && error.abs() < 3.5 * spread / f64::from(PARTS).sqrt() + 0.002,
            "{}: {error}",
            eviction.name()
        );
    }
}
