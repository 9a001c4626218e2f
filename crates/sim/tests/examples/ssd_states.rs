//! Fresh, steady and idle-recovered drives, reached outside time, against the long way on the clock.

use crate::drives::{Uniform, new_drive, small, write};
use drivecast_block::{Device, Nanos};
use drivecast_sim::design::Design;
use drivecast_sim::outcome::Outcome;
use drivecast_sim::run::{RunOptions, State, Workload, drive, simulate};
use drivecast_sim::spec::{BackgroundGc, DriveSpec};
use drivecast_sim::ssd::wear;
use drivecast_workload::WorkloadSpec;
use std::collections::BTreeMap;

fn workload(line: &str) -> Workload {
    Workload::Synthetic(WorkloadSpec::parse(line).unwrap())
}

#[test]
fn steady_state_outside_time_equals_the_long_way() {
    for (line, seconds) in
        [("random(4KiB, read=0, iodepth=32)", 40.0), ("random(4KiB, read=0.7, iodepth=32)", 30.0)]
    {
        let (spec, load) = (small(), workload(line));
        let new = || new_drive(&spec);
        let measured = RunOptions { requests: Some(200_000), seed: 1, fill: 0.0, ..RunOptions::default() };

        // From empty, seven drive writes and more, before the measuring begins.
        let long = RunOptions { warmup: Nanos::from_secs_f64(seconds), ..measured.clone() };
        let long = drive(&mut new(), "long", 1.0, &load, &long).unwrap();

        let (mut ssd, pages) = (new(), spec.logical_bytes / 4096);
        let mut random = Uniform::new(2, "writes");
        wear::fill(&mut ssd, spec.logical_bytes);
        (0..5 * pages).for_each(|_| ssd.age(write(random.below(pages))));
        let direct = drive(&mut ssd, "direct", 1.0, &load, &measured).unwrap();

        let figures = |outcome: &Outcome| {
            let write = outcome.write.latency_ns.as_ref().unwrap();
            [outcome.iops, outcome.write_amplification.unwrap(), write.mean, write.q0_99 as f64]
        };
        let pairs = figures(&long).into_iter().zip(figures(&direct));
        // The dies' cleaning cycles have random phases after ageing. On the clock they move apart over tens of drive
        // writes, since rows go to the dies with the least waiting: p99 of writes then falls by up to a quarter.
        for ((name, most), (long, direct)) in
            [("IOPS", 0.01), ("WA", 0.01), ("mean", 0.01), ("p99", 0.4)].into_iter().zip(pairs)
        {
            println!("{line}: {name} {direct:.4} outside time, {long:.4} the long way");
            let error = (direct / long - 1.0).abs();
            assert!(error < most, "{name}: {direct} outside time, {long} the long way");
        }
    }
}

#[test]
fn states_of_a_drive_that_cleans_ahead() {
    let line = "ssd(logical=256MiB, spare_factor=0.2, channels=4, dies_per_channel=2, background_gc=0.5)";
    let design = Design::parse(line).and_then(|design| design.resolve(&BTreeMap::new())).unwrap();
    let load = workload("random(4KiB, read=0, iodepth=16)");
    let run = |state| {
        let options =
            RunOptions { state, requests: Some(4_000), seed: 1, fill: 0.0, ..RunOptions::default() };
        simulate(&design, &load, &options).unwrap()
    };
    let [fresh, steady, idle] = [State::Fresh, State::Steady, State::Idle].map(run);
    println!("fresh {:.0}, steady {:.0}, idle {:.0} IOPS", fresh.iops, steady.iops, idle.iops);
    assert!((idle.iops / fresh.iops - 1.0).abs() < 0.05, "{} after idle, {} fresh", idle.iops, fresh.iops);
    assert!(steady.iops < 0.6 * fresh.iops);
    assert_eq!(idle.write_amplification, Some(1.0), "no cleaning within the reserve");
}

#[test]
fn a_line_sets_what_concerns_time() {
    let line = "ssd(logical=4GiB, suspend=20us, erase_suspend=700us, suspensions_max=3, link_command=1us, half_duplex=yes, \
                background_gc=0.25, background_delay=5ms, slc_cache=1GiB, slc_dynamic=0.3, slc_program=150us, slc_read=25us, \
                slc_fold=0.5)";
    let design = Design::parse(line).and_then(|design| design.resolve(&BTreeMap::new())).unwrap();
    let drives = design.root().drives();
    let DriveSpec::Ssd(spec) = drives[0].1 else { panic!("not a solid-state drive") };
    assert_eq!(
        (spec.suspend_ns, spec.erase_suspend_ns, spec.suspensions_max),
        (Some(20_000), Some(700_000), Some(3))
    );
    assert_eq!((spec.link_command_ns, spec.link_half_duplex), (1_000, true));
    assert_eq!(spec.background_gc, Some(BackgroundGc { delay_ns: 5_000_000, reserve: 0.25 }));
    assert_eq!((spec.slc_cache_bytes, spec.slc_dynamic_share), (1 << 30, 0.3));
    assert_eq!((spec.slc_program_ns, spec.slc_read_ns, spec.slc_fold_share), (150_000, 25_000, 0.5));
}
