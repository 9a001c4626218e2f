//! The Hurst parameter of processes whose parameter is known.

use crate::properties_trace::profile;
use drivecast_block::random::stream;
use drivecast_block::{Nanos, Op, Record};
use drivecast_workload::{Arrivals, profile::Hurst};
use rand::RngExt;
use rand_distr::StandardNormal;
use std::f64::consts::TAU;

/// Complex numbers, as pairs.
type Complex = (f64, f64);

/// The discrete Fourier transform of a power of two of values.
fn transform(values: &[Complex]) -> Vec<Complex> {
    if values.len() == 1 {
        return values.to_vec();
    }
    let half = |from: usize| transform(&values.iter().skip(from).step_by(2).copied().collect::<Vec<_>>());
    let (even, odd) = (half(0), half(1));
    let turned = |k: usize| {
        let (sin, cos) = (-TAU * k as f64 / values.len() as f64).sin_cos();
        (odd[k].0 * cos - odd[k].1 * sin, odd[k].0 * sin + odd[k].1 * cos)
    };
    let first = (0..odd.len()).map(|k| (even[k].0 + turned(k).0, even[k].1 + turned(k).1));
    let second = (0..odd.len()).map(|k| (even[k].0 - turned(k).0, even[k].1 - turned(k).1));
    first.chain(second).collect()
}

/// Fractional Gaussian noise of unit variance, exact (Davies and Harte 1987).
fn noise(hurst: f64, length: usize, seed: u64) -> Vec<f64> {
    let covariance = |lag: usize| {
        let power = |lag: f64| lag.abs().powf(2.0 * hurst);
        let lag = lag as f64;
        (power(lag + 1.0) - 2.0 * power(lag) + power(lag - 1.0)) / 2.0
    };
    let circle = (0..2 * length).map(|k| (covariance(k.min(2 * length - k)), 0.0));
    let spectrum = transform(&circle.collect::<Vec<_>>());
    let mut random = stream(seed, "noise");
    let mut normal = || random.sample::<f64, _>(StandardNormal);
    let scaled = |(value, _): &Complex| {
        let scale = (value.max(0.0) / (2 * length) as f64).sqrt();
        (scale * normal(), scale * normal())
    };
    let drawn: Vec<Complex> = spectrum.iter().map(scaled).collect();
    transform(&drawn).iter().take(length).map(|(real, _)| *real).collect()
}

fn hurst(times: impl Iterator<Item = Nanos>) -> Hurst {
    let read =
        |time| Record { time, offset: 0, size: 4096, stream: 0, op: Op::Read, latency: None, fua: false };
    let records: Vec<Record> = times.map(read).collect();
    profile(&records, Nanos(1_000_000_000)).detail.hurst.expect("long enough")
}

#[test]
fn poisson_arrivals_have_a_half() {
    let found = hurst(Arrivals::new(4000.0, 3).take(600_000));
    for estimate in [found.wavelet, found.variance] {
        assert!((estimate.value - 0.5).abs() < 0.03, "{found:?}");
    }
    assert!(found.wavelet.low <= 0.5 && 0.5 <= found.wavelet.high, "{found:?}");
}

#[test]
fn fractional_noise_has_its_own() {
    for (seed, parameter) in [(1, 0.6), (2, 0.75), (3, 0.9)] {
        // Counts a millisecond, far enough from zero that none is cut off.
        let counts =
            noise(parameter, 1 << 15, seed).into_iter().map(|z| (16.0 + 4.0 * z).round().max(0.0) as u64);
        let times = counts.enumerate().flat_map(|(ms, count)| {
            (0..count).map(move |k| Nanos(ms as u64 * 1_000_000 + k * 1_000_000 / count))
        });
        let found = hurst(times);
        // Of 2^15 values the standard error is near 0.01; the variance is pulled down by the mean that is taken out.
        assert!((found.wavelet.value - parameter).abs() < 0.04, "{parameter}: {found:?}");
        assert!(
            found.wavelet.low - 0.02 <= parameter && parameter <= found.wavelet.high + 0.02,
            "{parameter}: {found:?}"
        );
        assert!((found.variance.value - parameter).abs() < 0.1, "{parameter}: {found:?}");
    }
}
