//! Open traffic on the stations: M/D/1, M/G/1 with a set-up time, M/M/1's cousin M/G/1, and lognormal quantiles.

use crate::{one_by_one, plain, run};
use drivecast_block::Nanos;
use drivecast_sim::run::RunOptions;
use drivecast_sim::spec::{VolumeOp, VolumeSpec};

/// Mean latency of Poisson reads at this rate over eight runs, with the half-width of its 95 % interval.
fn mean_ns(spec: &VolumeSpec, per_s: f64) -> (f64, f64) {
    const STUDENT_T_7: f64 = 2.365;
    let line = format!("random(4KiB, read=1, rate={per_s}iops)");
    let one = |seed| {
        let options = RunOptions {
            seed,
            requests: Some(200_000),
            warmup: Nanos::from_ms(500),
            ..RunOptions::default()
        };
        run(spec, &line, &options).read.latency_ns.unwrap().mean
    };
    let runs: Vec<f64> = (1..=8).map(one).collect();
    let mean = runs.iter().sum::<f64>() / 8.0;
    let variance = runs.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 7.0;
    (mean, STUDENT_T_7 * (variance / 8.0).sqrt())
}

fn close(name: &str, (mean, half_width): (f64, f64), theory: f64) {
    // Twice the interval: of so many comparisons at 95 % one in some runs would fail by chance otherwise.
    assert!(
        (mean - theory).abs() < 2.0 * half_width.max(theory * 1e-4),
        "{name}: {mean} ± {half_width}, theory {theory}"
    );
    assert!(half_width < 0.05 * theory, "{name}: the interval ± {half_width} says nothing");
}

#[test]
fn one_server_of_constant_time() {
    let spec = VolumeSpec { parallelism: Some(1), ..plain(100_000.0) };
    for rho in [0.3, 0.6, 0.8] {
        let theory = 100_000.0 * (1.0 + rho / (2.0 * (1.0 - rho)));
        close("M/D/1", mean_ns(&spec, rho * 1e4), theory);
    }
}

#[test]
fn one_server_of_lognormal_time() {
    // Pollaczek and Khinchine: the wait is λ E[S²] / 2 (1 − ρ), E[S] = m exp(σ²/2), E[S²] = m² exp(2σ²).
    let (median, sigma): (f64, f64) = (100_000.0, 0.6);
    let op = VolumeOp { sigma, ..plain(median).read };
    let spec = VolumeSpec { read: op, parallelism: Some(1), ..plain(median) };
    let (first, second) = (median * (sigma * sigma / 2.0).exp(), (median * sigma.powi(2).exp()).powi(2));
    for rho in [0.3, 0.6] {
        let per_ns = rho / first;
        let theory = first + per_ns * second / (2.0 * (1.0 - rho));
        close("M/G/1", mean_ns(&spec, per_ns * 1e9), theory);
    }
}

#[test]
fn a_front_that_has_to_wake_up() {
    // Welch 1964: E[W] = λ E[S²] / 2 (1 − ρ) + (2 D + λ D²) / 2 (1 + λ D) for a set-up time D, S and D constant here.
    let (service, wake) = (50_000.0_f64, 80_000.0_f64);
    let spec = VolumeSpec { front: Some(one_by_one(wake, service)), ..plain(20_000.0) };
    for rho in [0.2, 0.5, 0.8] {
        let rate = rho / service;
        let waits = rate * service * service / (2.0 * (1.0 - rho))
            + (2.0 * wake + rate * wake * wake) / (2.0 * (1.0 + rate * wake));
        close("M/D/1 with set-up", mean_ns(&spec, rate * 1e9), waits + service + 20_000.0);
    }
}

#[test]
fn quantiles_of_a_lone_request() {
    // Depth 1: delay + (service + bytes / rate) exp(σ z) + bytes / link; the histogram keeps three digits.
    let op = VolumeOp { ns_per_byte: 2.0, sigma: 0.5, delay_ns: 30_000.0, ..plain(70_000.0).read };
    let spec = VolumeSpec { read: op, link_bytes_per_s: Some(1e9), ..plain(70_000.0) };
    let options = RunOptions { requests: Some(400_000), seed: 1, fill: 0.0, ..RunOptions::default() };
    let latency = run(&spec, "random(16KiB, read=1, iodepth=1)", &options).read.latency_ns.unwrap();
    let median = 70_000.0 + 2.0 * 16_384.0;
    let others = 30_000.0 + 16_384.0;
    for (found, z, within) in [
        (latency.q0_5, 0.0, 0.005),
        (latency.q0_9, 1.281_552, 0.005),
        (latency.q0_99, 2.326_348, 0.01),
        (latency.q0_999, 3.090_232, 0.03),
    ] {
        let theory = others + median * f64::exp(0.5 * z);
        assert!((found as f64 / theory - 1.0).abs() < within, "z {z}: {found} of {theory}");
    }
    let mean = others + median * 0.125_f64.exp();
    assert!((latency.mean / mean - 1.0).abs() < 0.005, "{} of {mean}", latency.mean);
}

#[test]
fn a_tail_is_as_frequent_as_it_says() {
    let op = VolumeOp { tail_probability: 0.002, tail_ns: 5e6, ..plain(100_000.0).read };
    let spec = VolumeSpec { read: op, ..plain(100_000.0) };
    let options = RunOptions { requests: Some(200_000), seed: 1, fill: 0.0, ..RunOptions::default() };
    let outcome = run(&spec, "random(4KiB, read=1, iodepth=1)", &options);
    let slow: u64 =
        outcome.latencies.iter().filter(|row| row.latency_ns > 1_000_000).map(|row| row.count).sum();
    // 400 expected, a binomial's deviation is 20.
    assert!(slow.abs_diff(400) < 80, "{slow}");
    let latency = outcome.read.latency_ns.unwrap();
    assert!((latency.mean / 110_000.0 - 1.0).abs() < 0.02, "{}", latency.mean);
    assert_eq!(latency.max, 5_100_000);
}
