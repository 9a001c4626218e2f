//! Every refusal can be met, and says what was expected, what was found and where.

use crate::design::catalog;
use crate::host::record;
use drivecast_block::{Bytes, Nanos, Op};
use drivecast_sim::design::{Design, Resolved};
use drivecast_sim::error::SimError;
use drivecast_sim::host::Fault;
use drivecast_sim::run::{Depth, RunOptions, WearOptions, Workload, fingerprint, simulate, wear};
use drivecast_workload::WorkloadSpec;

fn resolved(line: &str) -> Resolved {
    Design::parse(line).unwrap().resolve(&catalog()).unwrap()
}

fn random(line: &str) -> Workload {
    Workload::Synthetic(WorkloadSpec::parse(line).unwrap())
}

fn refusal(design: &str, workload: &Workload, options: &RunOptions) -> String {
    simulate(&resolved(design), workload, options).unwrap_err().to_string()
}

#[test]
fn options_out_of_range() {
    let workload = random("random(4KiB)");
    let default = RunOptions::default;
    for (options, message) in [
        (
            RunOptions { speedup: 0.0, seed: 1, fill: 0.0, ..default() },
            "`speedup` must be a number above 0, found 0",
        ),
        (
            RunOptions { speedup: f64::NAN, seed: 1, fill: 0.0, ..default() },
            "`speedup` must be a number above 0, found NaN",
        ),
        (RunOptions { fill: 1.5, seed: 1, ..default() }, "`fill` must be a fraction from 0 to 1, found 1.5"),
        (
            RunOptions { depth: Some(Depth::Of(0)), seed: 1, fill: 0.0, ..default() },
            "`depth` must be at least 1, found 0",
        ),
        (
            RunOptions { requests: Some(0), seed: 1, fill: 0.0, ..default() },
            "`requests` must be at least 1, found 0",
        ),
        (
            RunOptions { duration: Some(Nanos::ZERO), seed: 1, fill: 0.0, ..default() },
            "`duration` must be above 0, found 0",
        ),
    ] {
        assert_eq!(refusal("quick-1gb", &workload, &options), message);
    }
}

#[test]
fn drives_that_cannot_be() {
    let message =
        refusal("ssd(logical=1GiB, physical=1GiB)", &random("random(4KiB)"), &RunOptions::default());
    assert!(
        message.starts_with("drive `ssd`: `logical_bytes` must be less than `physical_bytes`"),
        "{message}"
    );
    let message = refusal("hdd(capacity=300GB, rpm=10)", &random("random(4KiB)"), &RunOptions::default());
    assert!(message.starts_with("drive `hdd`: "), "{message}");
}

#[test]
fn workloads_that_do_not_fit() {
    let small = random("sequential(4KiB, span=0.0000001)");
    assert!(refusal("quick-1gb", &small, &RunOptions::default()).contains("does not fit"));
    let far = Workload::Records([record(0, Op::Write, 1 << 40, 4096)].into());
    let message = refusal("raid1(2 * quick-1gb)", &far, &RunOptions::default());
    assert!(
        message.contains("record 0 ends at byte 1099511631872, but `raid1(2 * quick-1gb)` holds 1 GiB"),
        "{message}"
    );
    let backwards = Workload::Records([record(5, Op::Read, 0, 512), record(4, Op::Read, 0, 512)].into());
    let message = refusal("quick-1gb", &backwards, &RunOptions::default());
    assert!(
        message.starts_with("record 1 was issued at 4.0 us, before its predecessor at 5.0 us"),
        "{message}"
    );
    let nothing = Workload::Records([].into());
    assert!(refusal("quick-1gb", &nothing, &RunOptions::default()).starts_with("no requests in the window"));
}

#[test]
fn wear_needs_flash_and_writes() {
    let options = WearOptions::default();
    let error =
        wear(&resolved("raid1(2 * slow-300gb)"), &random("random(4KiB, read=0)"), &options).unwrap_err();
    assert_eq!(
        error,
        SimError::NoFlash { design: "raid1(2 * slow-300gb)".to_owned(), drive: "slow-300gb".to_owned() }
    );
    let error = wear(&resolved("quick-1gb"), &random("random(4KiB, read=1)"), &options).unwrap_err();
    assert_eq!(error.to_string(), "the workload writes nothing on `quick-1gb`, so nothing wears");
    let reads = Workload::Records([record(0, Op::Read, 0, 4096)].into());
    assert!(matches!(wear(&resolved("quick-1gb"), &reads, &options), Err(SimError::NoWrites { .. })));
}

#[test]
fn faults_of_the_simulator_say_how_to_repeat_them() {
    let fault = Fault::Conservation { generated: 3, completed: 1, in_flight: 1 };
    let specification = "00ff".to_owned();
    let error = SimError::Broken { design: "x".to_owned(), seed: 7, specification, fault };
    assert_eq!(
        error.to_string(),
        "the run of `x` with seed 7 (specification 00ff) failed its own checks and was discarded: generated 3 != completed 1 + in \
         flight 1\nhint: please report it with the design, the seed and the specification"
    );
    let law = Fault::LittlesLaw { area: 2, residence: 1 };
    assert!(law.to_string().contains("area under the queue depth 2 ns"));
    let line = Design::parse("raid0(").unwrap_err();
    assert_eq!(SimError::from(line.clone()).to_string(), line.to_string());
    assert_eq!(Bytes::gib(1).to_string(), "1 GiB");
}

#[test]
fn a_drive_out_of_reserve_fails_the_run_and_says_how_to_meet_it_again() {
    let design = "ssd(logical=64MiB, spare_factor=0.3, pages_per_block=64, erase_failure_rate=0.01)";
    let workload = random("random(4KiB, read=0)");
    let worn = wear(&resolved(design), &workload, &WearOptions { seed: 5, ..WearOptions::default() });
    let options = RunOptions { seed: 5, fill: 0.0, ..RunOptions::default() };
    let simulated = simulate(&resolved(design), &workload, &options);
    for error in [worn.unwrap_err(), simulated.unwrap_err()] {
        let message = error.to_string();
        assert!(message.contains("with seed 5 (specification "), "{message}");
        assert!(message.contains("out of reserve"), "{message}");
        let SimError::Failed { specification, .. } = error else { panic!("{message}") };
        assert_eq!(specification, fingerprint(&resolved(design)));
    }
}

#[test]
fn a_member_that_fails_fails_the_array() {
    let drive = "ssd(logical=64MiB, spare_factor=0.3, pages_per_block=64, erase_failure_rate=0.01)";
    let design = format!("raid1(2 * {drive})");
    let worn = wear(&resolved(&design), &random("random(4KiB, read=0)"), &WearOptions::default());
    let message = worn.unwrap_err().to_string();
    assert!(message.contains("): member ") && message.contains(": die 0 is out of reserve"), "{message}");
    assert_ne!(fingerprint(&resolved(&design)), fingerprint(&resolved(drive)));
}
