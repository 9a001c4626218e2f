//! Drives in steady state that serve the runs after: the same bytes as drives aged anew, and one preconditioning for all.

use crate::design::catalog;
use crate::whole::{synthetic, trace};
use drivecast_block::{Nanos, Op};
use drivecast_sim::design::{Design, Resolved};
use drivecast_sim::host::Within;
use drivecast_sim::outcome::{OfOp, Outcome};
use drivecast_sim::run::{Depth, RunOptions, State, SteadyStates, Workload, simulate, simulate_kept};
use drivecast_sim::spec::{ControllerSpec, DriveSpec, SsdSpec, WearLevelling};
use std::collections::BTreeMap;

/// Memory for all that a test keeps.
const AMPLE: usize = 1 << 30;

/// The catalog's drives, and a few that keep other things: a pSLC cache, streams, wear levelling, erasures that fail.
fn drives() -> BTreeMap<String, DriveSpec> {
    let mut drives = catalog();
    let small = "ssd(logical=128MiB, spare_factor=0.2, channels=2, dies_per_channel=2, pages_per_block=64)";
    let small = Design::parse(small).unwrap().resolve(&drives).unwrap();
    let DriveSpec::Ssd(quick) = small.root().drives()[0].1.clone() else { panic!("an SSD is flash") };
    drives.insert("quick".to_owned(), DriveSpec::Ssd(quick.clone()));
    let cached = DriveSpec::Ssd(SsdSpec {
        slc_cache_bytes: 8 << 20,
        slc_program_ns: 100_000,
        slc_read_ns: 20_000,
        slc_fold_share: 0.5,
        ..quick.clone()
    });
    let levelled = DriveSpec::Ssd(SsdSpec {
        streams: 2,
        wear_levelling: WearLevelling::Static,
        wear_spread: 4,
        erase_failure_rate: 1e-5,
        ..quick
    });
    drives.insert("cached".to_owned(), cached);
    drives.insert("levelled".to_owned(), levelled);
    drives
}

/// A controller with a cache of 16 MiB.
fn controller() -> ControllerSpec {
    let cache = r#"{"bytes": 16777216, "battery": true, "destage_above": 0.3, "destage_stripes": 8, "destage_depth": 2}"#;
    let spec = format!(
        r#"{{"cores": 1, "host_command_ns": 5000, "member_command_ns": 3000, "xor_bytes_per_s": 1e9,
            "q_bytes_per_s": 1e9, "queue_depth": 64, "member_queue_depth": 16, "cache": {cache}}}"#
    );
    serde_json::from_str(&spec).unwrap()
}

fn resolved(line: &str) -> Resolved {
    let controllers = BTreeMap::from([("with-cache".to_owned(), controller())]);
    Design::parse(line).unwrap().resolve_with(&drives(), &controllers).unwrap()
}

fn json(outcome: &Outcome) -> String {
    serde_json::to_string(outcome).unwrap()
}

#[test]
fn runs_from_kept_drives_give_the_bytes_of_runs_from_drives_aged_anew() {
    let trace = trace(4_000);
    let at_depth = |depth| synthetic(&format!("random(8KiB, read=0.5, iodepth={depth})"));
    let designs = [
        "quick",
        "cached",
        "levelled",
        "quick[partition=0.7]",
        "raid1(2 * cached)",
        "raid10(4 * quick)",
        "raid5(3 * levelled, spares=0, log=yes)",
        "raid6(5 * quick, spares=1, degraded=1, rebuild=20MB/s)",
        "raid0(2 * raid5(3 * quick))",
        "raid5(4 * quick, controller=with-cache)",
        "slow-300gb",
    ];
    for design in designs.map(resolved) {
        let kept = SteadyStates::new(AMPLE);
        for state in [State::Steady, State::Idle, State::LaidOut, State::Fresh] {
            let base = RunOptions { requests: Some(1_000), fill: 0.3, state, ..RunOptions::default() };
            let runs = [
                (&trace, base.clone()),
                (&trace, RunOptions { speedup: 20.0, ..base.clone() }),
                (&trace, RunOptions { depth: Some(Depth::Of(8)), ..base.clone() }),
                (&at_depth(1), base.clone()),
                (&at_depth(32), base.clone()),
                (&at_depth(32), RunOptions { seed: 7, ..base.clone() }),
                (&at_depth(32), RunOptions { fill: 0.9, ..base }),
            ];
            for (workload, options) in &runs {
                let anew = simulate(&design, workload, options).unwrap();
                let again = simulate_kept(&design, workload, options, &kept).unwrap();
                assert!(json(&anew) == json(&again), "{}: {options:?}", design.line());
            }
        }
        // Steady, at rest from there, and laid out: each for the trace, and for three kinds of random writes.
        let flash = design.root().has_flash();
        assert_eq!(kept.preconditioned(), if flash { 8 } else { 0 }, "{}", design.line());
    }
}

#[test]
fn flash_of_other_times_takes_up_the_same_steady_state() {
    let mut slow = drives();
    for spec in slow.values_mut() {
        if let DriveSpec::Ssd(ssd) = spec {
            (ssd.read_ns, ssd.program_ns, ssd.erase_ns) =
                (2 * ssd.read_ns, 3 * ssd.program_ns, 2 * ssd.erase_ns);
        }
    }
    let load = synthetic("random(8KiB, read=0.5, iodepth=8)");
    let options = RunOptions { requests: Some(3_000), ..RunOptions::default() };
    for line in ["quick", "raid1(2 * cached)"] {
        let kept = SteadyStates::new(AMPLE);
        let typical = simulate_kept(&resolved(line), &load, &options, &kept).unwrap();
        let slow = Design::parse(line).unwrap().resolve(&slow).unwrap();
        let again = simulate_kept(&slow, &load, &options, &kept).unwrap();
        assert_eq!(json(&again), json(&simulate(&slow, &load, &options).unwrap()));
        assert_ne!(json(&again), json(&typical));
        assert_eq!(kept.preconditioned(), 1);
    }
}

#[test]
fn what_is_kept_stays_within_its_memory() {
    let load = synthetic("random(8KiB, read=0.5)");
    let options = |seed| RunOptions { requests: Some(100), seed, ..RunOptions::default() };
    let design = resolved("quick");
    let none = SteadyStates::new(0);
    // Of a drive of 39,000 pages at six bytes there is room for one.
    let of_one = SteadyStates::new(300_000);
    for (kept, preconditioned) in [(&none, 4), (&of_one, 3)] {
        for seed in [1, 2, 2, 1] {
            simulate_kept(&design, &load, &options(seed), kept).unwrap();
        }
        assert_eq!(kept.preconditioned(), preconditioned);
    }
}

#[test]
fn a_run_is_given_up_exactly_where_its_quantile_is_missed() {
    let trace = trace(20_000);
    let rate = synthetic("random(8KiB, read=0.5, rate=2000iops)");
    let design = resolved("raid1(2 * quick)");
    for workload in [&trace, &rate] {
        let duration = Some(Nanos::from_secs_f64(10.0));
        let whole = RunOptions { speedup: 8.0, duration, ..RunOptions::default() };
        let whole = match workload {
            Workload::Records(_) => whole,
            _ => RunOptions { speedup: 1.0, ..whole },
        };
        let outcome = simulate(&design, workload, &whole).unwrap();
        let p99 = |of: &OfOp| of.latency_ns.as_ref().unwrap().q0_99;
        let (read, write) = (p99(&outcome.read), p99(&outcome.write));
        for (share, missed) in [(0.5, true), (0.9, true), (1.0, false), (1.5, false)] {
            for (op, found) in [(Op::Read, read), (Op::Write, write)] {
                let limit = |of| (op == of).then_some(Nanos((found as f64 * share) as u64));
                let within = Within { quantile: 0.99, read: limit(Op::Read), write: limit(Op::Write) };
                let options = RunOptions { within: Some(within), ..whole.clone() };
                let run = simulate(&design, workload, &options).unwrap();
                if let Some(name) = run.given_up {
                    assert!(missed && name == op.name() && run.completed < outcome.completed);
                } else {
                    assert_eq!(json(&run), json(&outcome), "a run that is not given up is whole");
                }
                assert!(!missed || share > 0.5 || run.given_up.is_some(), "{name:?}", name = op.name());
            }
        }
    }
}
