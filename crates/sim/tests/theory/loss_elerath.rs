//! Groups of eight disks over ten years with Weibull failures, rebuilds and scrubs, against figures of a program written
//! apart after Elerath and Pecht (2007): characteristic life 461,386 h with shape 1.12, rebuilds of 6 h and a Weibull of 12 h
//! and shape 2, a latent defect every 9,259 h on each drive, at most one at a time.

use crate::chain::{chain_spec, options};
use drivecast_sim::loss::{Cause, Clock, Delay, Growth, Sectors, Spec, lose};

/// Mean of a Weibull of shape 3 over its scale.
const MEAN_OF_SHAPE_3: f64 = 0.892_979_511_569_249;

fn groups(latent_per_h: f64, scrub_mean_h: Option<f64>) -> Spec {
    let latent_per_h = Growth::constant(latent_per_h);
    // Our scrub finds an error after half its period on average.
    let scrub_h = scrub_mean_h.map(|mean| 2.0 * mean);
    Spec {
        causes: vec![Cause { clock: Clock::Age, scale: 461_386.0, shape: 1.12, share: 1.0 }],
        rebuild: Delay { min_h: 6.0, scale_h: 12.0, shape: 2.0 },
        sectors: Sectors { latent_per_h, uber: Growth::constant(0.0), scrub_h, bytes: 4096.0 },
        ..chain_spec(8, 1, 1.0, 1.0)
    }
}

#[test]
fn double_failures_of_a_thousand_groups() {
    let found = lose(&groups(0.0, None), &options(0.002)).unwrap();
    let per_thousand = 1000.0 * found.failure_probability.value;
    // 0.256 of that program, from few events: its other runs of the same groups print 0.24 to 0.27.
    assert!((0.24..0.275).contains(&per_thousand), "{per_thousand}");
}

#[test]
fn latent_defects_by_scrub() {
    for (scale_h, expected) in [(12.0, 16.21), (48.0, 45.26), (168.0, 135.52), (336.0, 251.12)] {
        let mean_h = 6.0 + scale_h * MEAN_OF_SHAPE_3;
        // At most one defect a drive: one with a defect for `mean_h` of every 9,259 h and `mean_h`.
        let found = lose(&groups(1.0 / (9259.0 + mean_h), Some(mean_h)), &options(0.002)).unwrap();
        let per_thousand = 1000.0 * found.unreadable_rebuilds.value;
        println!("scrub {scale_h} h: {per_thousand:.2} for {expected}");
        // That program counted the events of 100,000 groups.
        let error = 1.0 / f64::sqrt(100.0 * expected);
        assert!((per_thousand / expected - 1.0).abs() < 0.01 + 2.0 * error, "{per_thousand} for {expected}");
    }
}
