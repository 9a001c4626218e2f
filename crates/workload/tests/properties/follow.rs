//! Blocks followed: all of them against a slow reader, a sample against all.

use crate::properties_trace::{profile, traces};
use drivecast_block::{Nanos, Op, Record};
use drivecast_workload::profile::FollowLimits;
use drivecast_workload::{Profile, ProfileOptions, Profiler};
use proptest::prelude::*;

const MINUTE: Nanos = Nanos(60_000_000_000);

fn blocks(record: &Record) -> std::ops::RangeInclusive<u64> {
    record.offset / 4096..=(record.end() - 1) / 4096
}

/// Misses of an LRU cache by request and by block, written plainly.
fn misses(records: &[&Record], size: usize) -> (usize, usize) {
    let (mut cache, mut requests, mut all) = (Vec::new(), 0, 0);
    for record in records {
        let mut missed = 0;
        for block in blocks(record) {
            match cache.iter().position(|held| *held == block) {
                Some(at) => drop(cache.remove(at)),
                None => missed += 1,
            }
            cache.insert(0, block);
            cache.truncate(size);
        }
        requests += usize::from(missed > 0);
        all += missed;
    }
    (requests, all)
}

fn sampled(records: &[Record], limits: FollowLimits) -> Profile {
    let mut profiler = Profiler::with_limits(ProfileOptions { peak_window: MINUTE }, limits);
    records.iter().for_each(|record| profiler.push(record));
    profiler.finish()
}

/// Requests of at most 64 blocks: the slow cache is slow.
fn small(mut records: Vec<Record>) -> Vec<Record> {
    records.iter_mut().for_each(|record| record.size = record.size.min(1 << 18));
    records
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn caches_miss_as_plain_ones(records in traces()) {
        let records = small(records);
        let found = profile(&records, MINUTE).detail.miss_ratio_curves.unwrap_or_default();
        for curve in found.iter().filter(|curve| curve.cache == curve.of) {
            let enters = |record: &&Record| {
                record.has_data() && curve.cache != if record.op == Op::Read { "writes" } else { "reads" }
            };
            let entered: Vec<&Record> = records.iter().filter(enters).collect();
            for point in curve.points.iter().step_by(3) {
                let (requests, blocks) = misses(&entered, (point.size_bytes / 4096) as usize);
                let missed = if curve.by == "request" { requests } else { blocks };
                prop_assert!((point.miss_ratio - missed as f64 / curve.accesses as f64).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn any_sample_gives_a_sound_profile(records in traces(), groups_max in 1..40usize, accesses_max in 1..2000u64) {
        let limits = FollowLimits { groups_max, accesses_max, groups_min: 4 };
        let (found, all) = (sampled(&records, limits), profile(&records, MINUTE));
        // What does not stand on blocks followed is the same.
        prop_assert_eq!((found.requests, found.working_set_bytes), (all.requests, all.working_set_bytes));
        prop_assert_eq!(&found.detail.runs, &all.detail.runs);
        let Some(followed) = found.detail.followed else { return Ok(()) };
        prop_assert!(followed.rate <= 1.0 && followed.blocks <= groups_max as u64 * 16);
        prop_assert_eq!(followed.rate < 1.0, found.provenance.contains_key("miss_ratio_curves"));
        for curve in found.detail.miss_ratio_curves.unwrap_or_default() {
            let ratios: Vec<f64> = curve.points.iter().map(|point| point.miss_ratio).collect();
            prop_assert!(ratios.is_sorted_by(|a, b| a >= b) && ratios.iter().all(|ratio| (0.0..=1.0).contains(ratio)));
        }
    }
}

#[test]
fn a_sample_stands_for_all() {
    // Two passes over 400,000 blocks in an order that a multiplication scrambles, requests of one block: all distances are
    // 400,000, and every update comes after as many writes.
    const BLOCKS: u64 = 400_000;
    let record = |k: u64| Record {
        time: Nanos(k * 1000),
        offset: k % BLOCKS * 7919 % BLOCKS * 4096,
        size: 4096,
        stream: 0,
        op: Op::Write,
        latency: None,
        fua: false,
    };
    let records: Vec<Record> = (0..2 * BLOCKS).map(record).collect();
    let limits = FollowLimits { groups_max: 2000, ..FollowLimits::default() };
    let found = sampled(&records, limits);
    let followed = found.detail.followed.expect("requests");
    assert_eq!(followed.rate, 1.0 / 16.0);
    let within =
        |found: f64, expected: f64, bound: f64| assert!((found / expected - 1.0).abs() < bound, "{found}");
    // 25,000 groups at 1/16: the number followed has a deviation of 2.4 %.
    within(followed.working_set_bytes, (BLOCKS * 4096) as f64, 0.08);
    within(found.update_distance_bytes.expect("updates").q50 as f64, (BLOCKS * 4096) as f64, 0.002);
    let curves = found.detail.miss_ratio_curves.expect("requests");
    for curve in curves.iter().filter(|curve| curve.cache == "all" && curve.of == "all") {
        let at = |size: f64| {
            let point = curve.points.iter().rev().find(|point| point.size_bytes as f64 <= size);
            point.map_or(1.0, |point| point.miss_ratio)
        };
        // The hits that the sample has too few of are taken for short distances: 8 % of a half at most.
        within(at(0.85 * (BLOCKS * 4096) as f64), 1.0, 0.08);
        within(at(1.2 * (BLOCKS * 4096) as f64), 0.5, 0.1);
    }
}
