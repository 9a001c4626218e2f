//! Generated requests against the distributions they are to follow. Bounds are five standard deviations at a fixed seed:
//! a right generator fails one such check in two million.

use drivecast_block::{Bytes, Op};
use drivecast_workload::{ArrivalProcess, Arrivals, Generator, Io, WorkloadSpec};

const DRAWS: usize = 400_000;

fn draw(line: &str, capacity: Bytes) -> Vec<Io> {
    let spec = WorkloadSpec::parse(line).expect("the line is valid");
    let mut generator = Generator::new(&spec, capacity, 7).expect("the device is large enough");
    (0..DRAWS).map(|_| generator.next()).collect()
}

/// Whether the share of `n` draws lies within five binomial standard deviations of `expected`.
#[track_caller]
fn assert_share(ios: &[Io], expected: f64, holds: impl Fn(&Io) -> bool) {
    let n = ios.len() as f64;
    let share = ios.iter().filter(|io| holds(io)).count() as f64 / n;
    let bound = 5.0 * (expected * (1.0 - expected) / n).sqrt();
    assert!((share - expected).abs() <= bound, "expected {expected} ± {bound}, found {share}");
}

#[test]
fn operations_follow_their_shares() {
    let ios = draw("random(4KiB, read=0.7, trim=0.1)", Bytes::gib(1));
    assert_share(&ios, 0.1, |io| io.op == Op::Discard);
    assert_share(&ios, 0.63, |io| io.op == Op::Read);
    assert_share(&ios, 0.27, |io| io.op == Op::Write);
    assert_share(&draw("random(4KiB, read=1)", Bytes::gib(1)), 1.0, |io| io.op == Op::Read);
    assert_share(&draw("random(4KiB, read=0)", Bytes::gib(1)), 1.0, |io| io.op == Op::Write);
}

#[test]
fn forced_unit_access_has_its_share_of_the_writes_and_changes_nothing_else() {
    let forced = draw("random(4KiB, read=0.5, fua=0.2)", Bytes::gib(1));
    assert_share(&forced, 0.1, |io| io.fua && io.op == Op::Write);
    assert!(forced.iter().all(|io| !io.fua || io.op == Op::Write));
    let plain = draw("random(4KiB, read=0.5)", Bytes::gib(1));
    let alike = |(a, b): (&Io, &Io)| Io { fua: false, ..*a } == *b;
    assert!(forced.iter().zip(&plain).all(alike), "its draws come from a stream of their own");
    assert!(draw("random(4KiB, read=0, fua=1)", Bytes::gib(1)).iter().all(|io| io.fua));
}

#[test]
fn the_hot_part_gets_its_share() {
    let ios = draw("hotcold(4KiB, hot=0.2, share=0.8, read=0, placement=contiguous)", Bytes::gib(1));
    let edge = (0.2 * Bytes::gib(1).0 as f64) as u64;
    assert_share(&ios, 0.8, |io| io.offset < edge);
    // Uniform within either part: half of each below its middle, to one block in 52,429.
    let (hot, cold): (Vec<Io>, Vec<Io>) = ios.iter().partition(|io| io.offset < edge);
    assert_share(&hot, 0.5, |io| io.offset < edge / 2);
    assert_share(&cold, 0.5, |io| io.offset < edge + (Bytes::gib(1).0 - edge) / 2);
}

#[test]
fn scattered_zones_are_met_everywhere_and_get_their_share() {
    let ios = draw("hotcold(4KiB, hot=0.2, share=0.8, read=0)", Bytes::gib(1));
    for quarter in 0..4u64 {
        assert_share(&ios, 0.25, |io| io.offset >> 28 == quarter);
    }
    // One piece in five is hot, and gets four times as much as its share: 52,429 pieces get 0.8 of the requests.
    let mut counts = vec![0u32; 1 << 18];
    ios.iter().for_each(|io| counts[(io.offset >> 12) as usize] += 1);
    let hot: std::collections::HashSet<u64> =
        draw("hotcold(4KiB, hot=0.2, share=1, read=0)", Bytes::gib(1)).iter().map(|io| io.offset).collect();
    assert!(hot.len() <= 52_429, "{}", hot.len());
    let neighbours = hot.iter().filter(|offset| hot.contains(&(**offset + 4096))).count();
    // One piece in five is hot, also of those next to a hot one.
    let share = neighbours as f64 / hot.len() as f64;
    assert!((share - 0.2).abs() < 0.01, "{share}");
}

#[test]
fn zipf_follows_its_law() {
    let places = |theta: &str| {
        let mut counts = vec![0u32; 256];
        let ios = draw(&format!("zipf(4KiB, theta={theta}, read=0)"), Bytes::mib(1));
        ios.iter().for_each(|io| counts[(io.offset >> 12) as usize] += 1);
        counts.sort_unstable_by(|a, b| b.cmp(a));
        counts
    };
    let counts = places("1");
    let harmonic: f64 = (1..=256).map(|rank| 1.0 / f64::from(rank)).sum();
    for rank in [1usize, 2, 10] {
        let expected = DRAWS as f64 / harmonic / rank as f64;
        let found = f64::from(counts[rank - 1]);
        assert!((found / expected - 1.0).abs() < 0.05, "rank {rank}: {found} of {expected}");
    }
    let even = places("0");
    assert!(f64::from(even[0]) < 1.25 * DRAWS as f64 / 256.0, "{}", even[0]);
}

#[test]
fn fixed_arrivals_are_equally_far_apart() {
    let times: Vec<u64> =
        Arrivals::of(ArrivalProcess::Fixed, 3_000.0, 1).take(9_001).map(|time| time.0).collect();
    assert!(times.windows(2).all(|pair| (333_333..=333_334).contains(&(pair[1] - pair[0]))));
    assert!(times[9_000].abs_diff(3_000_333_333) <= 1, "rounding does not add up: {}", times[9_000]);
}

#[test]
fn random_addresses_are_uniform() {
    // Pearson's statistic over 64 equal bins: mean 63, variance 126.
    let mut bins = [0f64; 64];
    draw("random(4KiB)", Bytes::gib(1)).iter().for_each(|io| bins[(io.offset >> 24) as usize] += 1.0);
    let expected = DRAWS as f64 / 64.0;
    let statistic: f64 = bins.iter().map(|count| (count - expected).powi(2) / expected).sum();
    assert!((statistic - 63.0).abs() < 5.0 * 126f64.sqrt(), "chi-square {statistic}");
}

#[test]
fn every_block_of_a_small_device_is_reached() {
    let mut seen = [false; 64];
    draw("hotcold(4KiB, hot=0.3, share=0.5)", Bytes::kib(256))
        .iter()
        .for_each(|io| seen[(io.offset >> 12) as usize] = true);
    assert!(seen.iter().all(|seen| *seen));
}

#[test]
fn jesd219_follows_its_tables() {
    let spec = WorkloadSpec::parse("jesd219").expect("a built-in name");
    assert!((spec.write_mean_bytes() / 1024.0 - 7.635).abs() < 1e-9, "the mean of the published table");
    let capacity = Bytes::gib(1).0;
    let ios = draw("jesd219(placement=contiguous)", Bytes(capacity));
    assert_share(&ios, 0.4, |io| io.op == Op::Read);
    assert_share(&ios, 0.67, |io| io.size == 4096);
    assert_share(&ios, 0.03, |io| io.size == 65_536);
    assert_share(&ios, 0.5, |io| io.offset < capacity / 20);
    assert_share(&ios, 0.8, |io| io.offset < capacity / 5);
}

#[test]
fn sequential_requests_follow_each_other_and_wrap() {
    let ios = draw("sequential(128KiB, read=0)", Bytes::mib(10));
    for (k, io) in ios.iter().enumerate() {
        assert_eq!(io.offset, (k as u64 % 80) * 131_072);
    }
}

#[test]
fn runs_of_each_size_have_their_share_geometric_lengths_and_begin_anywhere() {
    let line = "random(16KiB[read=1, sequential=0.9], 3 * 64KiB[read=0, sequential=0.5])";
    let ios = draw(line, Bytes::gib(1));
    for (size, share) in [(16_384, 0.9), (65_536, 0.5)] {
        let of_size: Vec<_> = ios.iter().filter(|io| io.size == size).collect();
        let goes_on: Vec<bool> =
            of_size.windows(2).map(|pair| pair[1].offset == pair[0].offset + u64::from(size)).collect();
        let n = goes_on.len() as f64;
        let found = goes_on.iter().filter(|on| **on).count() as f64 / n;
        assert!((found - share).abs() < 4.0 * (share * (1.0 - share) / n).sqrt(), "{size}: {found}");
        // A request that continues a run is followed by another as often as any: run lengths are memoryless.
        let again = goes_on.windows(2).filter(|pair| pair[0] && pair[1]).count() as f64 / (n * found);
        assert!(
            (again - share).abs() < 5.0 * (share * (1.0 - share) / (n * found)).sqrt(),
            "{size}: {again}"
        );
        let starts = of_size.iter().skip(1).zip(&goes_on).filter(|(_, on)| !**on).map(|(io, _)| io.offset);
        let (sum, count) = starts.fold((0.0, 0.0), |(sum, count), at| (sum + at as f64, count + 1.0));
        let middle = sum / count / f64::from(1 << 30);
        assert!((middle - 0.5).abs() < 4.0 * (1.0 / 12.0 / count).sqrt(), "{size}: {middle}");
    }
    assert!(ios.iter().all(|io| (io.size == 16_384) == (io.op == Op::Read)));
}

#[test]
fn poisson_gaps_are_exponential() {
    // Kolmogorov-Smirnov: sup |F_n - F| stays below 1.95 / sqrt(n) with probability 0.999.
    let times: Vec<u64> = Arrivals::new(1850.0, 3).take(100_001).map(|time| time.0).collect();
    let mut gaps: Vec<f64> = times.windows(2).map(|pair| (pair[1] - pair[0]) as f64).collect();
    gaps.sort_by(f64::total_cmp);
    let n = gaps.len() as f64;
    let distance = gaps.iter().enumerate().map(|(k, gap)| {
        let exact = 1.0 - (-gap * 1850.0 / 1e9).exp();
        (exact - k as f64 / n).abs().max((exact - (k + 1) as f64 / n).abs())
    });
    let distance = distance.fold(0.0, f64::max);
    assert!(distance < 1.95 / n.sqrt(), "distance {distance}");
}

#[test]
fn poisson_counts_keep_their_rate_when_gaps_are_shorter_than_a_nanosecond() {
    let last = Arrivals::new(1e9, 3).take(1_000_000).last().expect("the process is endless");
    assert!((last.0 as f64 / 1e6 - 1.0).abs() < 0.005, "a million at 1e9 iops took {last}");
}
