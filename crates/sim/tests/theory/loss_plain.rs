//! The weighted simulation against the plain one, where losses are common enough to be waited for: all that the chain
//! leaves out, Weibulls, wear, scrubs, spares, delays and planned replacement.

use crate::chain::{chain_spec, options};
use crate::plain;
use drivecast_sim::loss::{Cause, Clock, Delay, Growth, Replacement, Sectors, Slot, Spec, lose};

/// Compares all means, within four standard errors of the plain ones, and 0.5 % for the tables.
fn compare(name: &str, spec: &Spec, missions: u64) {
    let plain = plain::run(spec, missions, 3);
    let found = lose(spec, &options(0.003)).unwrap();
    let count = missions as f64;
    let chances = [
        ("any", plain.any, found.probability.value),
        ("failed", plain.failed, found.failure_probability.value),
        ("unreadable", plain.unreadable, found.unreadable_probability.value),
    ];
    for (which, times, ours) in chances {
        let theirs = times as f64 / count;
        let error = (theirs * (1.0 - theirs) / count).sqrt();
        println!("{name}, {which}: plain {theirs:.5} ± {error:.5}, weighted {ours:.5}");
        assert!(
            (ours - theirs).abs() <= 4.0 * error + 0.005 * theirs,
            "{name}, {which}: {ours} for {theirs} ± {error}"
        );
    }
    // Few losses carry most bytes: their number is what the mean is uncertain by.
    let (bytes, error) = (plain.bytes / count, 4.0 / (plain.failed as f64).sqrt());
    println!("{name}, bytes: plain {bytes:e}, weighted {:e}", found.lost_bytes.value);
    assert!(
        (found.lost_bytes.value / bytes - 1.0).abs() < error,
        "{name}: {} bytes for {bytes}",
        found.lost_bytes.value
    );
    let degraded = plain.degraded_h / count / spec.hours;
    let error = (found.degraded_fraction.value - degraded).abs();
    // The plain time ends with the loss, the other with the mission's weight: the same.
    assert!(error <= 0.03 * degraded, "{name}: degraded {} for {degraded}", found.degraded_fraction.value);
}

fn sectors(latent_per_h: f64, uber: f64, scrub_h: Option<f64>) -> Sectors {
    let latent_per_h = Growth { new: 0.5 * latent_per_h, worn: latent_per_h, shape: 1.0 };
    Sectors {
        latent_per_h,
        uber: Growth { new: uber, worn: 10.0 * uber, shape: 1.0 },
        scrub_h,
        bytes: 4096.0,
    }
}

fn wearing(rate_per_h: f64, wear: f64, first: Option<f64>) -> Slot {
    Slot { age_h: 0.0, wear, wear_per_h: vec![(0.0, rate_per_h)], replace_first_at: first }
}

#[test]
fn weibulls_rebuilds_spares_and_operators() {
    let spec = Spec {
        causes: vec![
            Cause { clock: Clock::Age, scale: 4e5, shape: 0.6, share: 1.0 },
            Cause { clock: Clock::Age, scale: 4e3, shape: 1.0, share: 0.02 },
            Cause { clock: Clock::Age, scale: 1.5e5, shape: 1.0, share: 1.0 },
            Cause { clock: Clock::Age, scale: 9e4, shape: 4.0, share: 1.0 },
        ],
        rebuild: Delay { min_h: 20.0, scale_h: 100.0, shape: 2.0 },
        operator: Delay::exponential(300.0),
        spares: 1,
        ..chain_spec(8, 1, 1e5, 1.0)
    };
    compare("one parity", &spec, 100_000);
    let two = Spec { failures: 2, spares: 0, drives: 10, ..spec };
    compare("two parities", &two, 100_000);
}

#[test]
fn latent_errors_with_and_without_scrubbing() {
    let spec = Spec {
        rebuild: Delay::fixed(24.0),
        sectors: sectors(1e-5, 1e-16, Some(2000.0)),
        slots: vec![wearing(1.2e-5, 0.0, None); 5],
        ..chain_spec(5, 1, 2e5, 1.0)
    };
    compare("scrubbed", &spec, 100_000);
    compare("never scrubbed", &Spec { sectors: sectors(2e-6, 1e-16, None), ..spec.clone() }, 100_000);
    compare(
        "two parities",
        &Spec {
            failures: 2,
            causes: vec![Cause { clock: Clock::Age, scale: 4e4, shape: 1.0, share: 1.0 }],
            rebuild: Delay::fixed(500.0),
            ..spec
        },
        100_000,
    );
}

#[test]
fn wear_and_planned_replacement() {
    let causes = vec![
        Cause { clock: Clock::Age, scale: 3e5, shape: 1.0, share: 1.0 },
        Cause { clock: Clock::Wear, scale: 1.6, shape: 5.0, share: 1.0 },
    ];
    let worn = Spec {
        causes,
        rebuild: Delay::fixed(100.0),
        sectors: sectors(1e-6, 1e-16, Some(700.0)),
        slots: vec![wearing(1.8e-5, 0.0, None); 6],
        ..chain_spec(6, 1, 1e5, 1.0)
    };
    compare("worn out together", &worn, 100_000);
    let slots =
        (0..6).map(|index| wearing(1e-5 + 2e-6 * f64::from(index), 0.1 * f64::from(index), None)).collect();
    compare("worn apart", &Spec { slots, ..worn.clone() }, 100_000);
    let slots = (0..6).map(|index| wearing(1.8e-5, 0.0, Some(1.0 - 0.15 * f64::from(index)))).collect();
    let staggered = Spec { slots, replace_at: Some(1.0), ..worn };
    compare("staggered and pulled", &staggered, 100_000);
    compare("staggered and copied", &Spec { replacement: Replacement::Copied, ..staggered }, 100_000);
}
