//! The drives of an array under uniform requests are written as one alone is: they take over its steady state, and are as if
//! the array had been aged. Requests with an alignment of their own, though it is the same, have the array aged.

use crate::whole::synthetic;
use drivecast_sim::design::{Design, Resolved};
use drivecast_sim::run::{RunOptions, SteadyStates, WearOptions, simulate_kept, wear};
use std::collections::BTreeMap;

const SSD: &str = "ssd(logical=256MiB, spare_factor=0.2, channels=2, dies_per_channel=2, pages_per_block=64)";
const UNIFORM: &str = "random(16KiB, read=0.5, rate=500iops)";

fn resolved(line: &str) -> Resolved {
    Design::parse(&line.replace('$', SSD)).unwrap().resolve(&BTreeMap::new()).unwrap()
}

#[test]
fn an_array_amplifies_writes_as_one_of_its_drives_alone() {
    // Of large requests a member's pieces are of two sizes, and each rewrites the same place in the array only.
    for (size, bound) in [("16KiB", 0.01), ("12KiB", 0.01), ("128KiB", 0.015), ("1MiB", 0.035)] {
        let uniform = UNIFORM.replace("16KiB", size);
        let aged_whole = uniform.replace("read=", &format!("align={size}, read="));
        for line in
            ["raid0(3 * $)", "raid10(4 * $)", "raid5(4 * $)", "raid6(5 * $)", "raid50(6 * $, groups=2)"]
        {
            let design =
                resolved(&line.replace('$', &SSD.replace("256MiB", "1GiB").replace("block=64", "block=256")));
            let of = |load: &str| wear(&design, &synthetic(load), &WearOptions::default()).unwrap();
            let (by_one, whole) = (of(&uniform), of(&aged_whole));
            let off = by_one.write_amplification / whole.write_amplification - 1.0;
            assert!(off.abs() < bound, "{line}, {size}: {:.2} % off", 100.0 * off);
            assert_eq!(by_one.parity_factor, whole.parity_factor, "{line}");
            // One member of the array, aged for all, has more or less than its share of requests that begin where stripes do.
            let is_small = size != "1MiB";
            assert!(!is_small || (by_one.rounding_factor - whole.rounding_factor).abs() < 0.01, "{line}");
        }
    }
}

#[test]
fn a_member_is_as_fast_as_a_drive_alone_under_its_share_of_the_load() {
    let options = RunOptions { requests: Some(40_000), ..RunOptions::default() };
    let twice = UNIFORM.replace("500iops", "1000iops");
    let of = |line: &str, load: &str| {
        simulate_kept(&resolved(line), &synthetic(load), &options, &SteadyStates::new(0))
            .unwrap()
            .read
            .latency_ns
            .unwrap()
    };
    let (alone, striped) = (of("$", UNIFORM), of("raid0(2 * $)", &twice));
    for (drive, member) in [(alone.q0_5, striped.q0_5), (alone.q0_99, striped.q0_99)] {
        assert!(
            (member as f64 / drive as f64 - 1.0).abs() < 0.05,
            "{drive} ns alone, {member} ns in an array"
        );
    }
}

#[test]
fn a_drive_and_an_array_share_a_steady_state_whatever_the_share_of_reads() {
    let load = synthetic("random(12KiB, read=0.0005, rate=500iops)");
    let (kept, options) =
        (SteadyStates::new(1 << 30), RunOptions { requests: Some(2_000), ..RunOptions::default() });
    for line in ["$", "raid1(2 * $)"] {
        let design =
            resolved(&line.replace('$', &SSD.replace("256MiB", "8GiB").replace("block=64", "block=1024")));
        let of = |kept: &SteadyStates| simulate_kept(&design, &load, &options, kept).unwrap();
        assert_eq!(of(&kept), of(&SteadyStates::new(0)), "{line}");
    }
    assert_eq!(kept.preconditioned(), 1);
}

#[test]
fn arrays_of_one_drive_share_its_steady_state() {
    let (kept, options) =
        (SteadyStates::new(1 << 30), RunOptions { requests: Some(100), ..RunOptions::default() });
    for (line, ages) in [
        ("raid0(2 * $)", 1),
        ("raid10(4 * $)", 1),
        ("$", 1),
        ("raid5(4 * $)", 2),
        ("raid50(8 * $, groups=2)", 2),
    ] {
        simulate_kept(&resolved(line), &synthetic(UNIFORM), &options, &kept).unwrap();
        assert_eq!(kept.preconditioned(), ages, "{line}");
    }
}
