//! Saturated arrays of equal members: IOPS = N · I / (R + p · W) with p the member I/Os of a write, within 3 %.

use crate::station::array;
use drivecast_block::{Bytes, Nanos};
use drivecast_sim::fixed_service::Service;
use drivecast_sim::raid::Level;
use drivecast_sim::run::{RunOptions, Workload, drive};
use drivecast_workload::WorkloadSpec;

/// IOPS of an array of members that do 10,000 each.
fn iops(level: Level, members: usize, read: f64, iodepth: u32) -> f64 {
    let mut device = array(level, members, Bytes::kib(64), Service::Exponential(Nanos::from_us(100)));
    let line = format!("random(4KiB, read={read}, iodepth={iodepth})");
    let workload = Workload::Synthetic(WorkloadSpec::parse(&line).unwrap());
    let options = RunOptions {
        requests: Some(100_000),
        warmup: Nanos::from_ms(20),
        seed: 1,
        fill: 0.0,
        ..RunOptions::default()
    };
    let outcome = drive(&mut device, "fixed", 1.0, &workload, &options).unwrap();
    assert!(!outcome.saturated);
    outcome.iops
}

#[test]
fn the_formula_holds_at_saturation() {
    for (level, cost) in [
        (Level::Raid0, 1.0),
        (Level::Raid1, 8.0),
        (Level::Raid10, 2.0),
        (Level::Raid5, 4.0),
        (Level::Raid6, 6.0),
    ] {
        for read in [1.0, 0.7, 0.0] {
            // Enough outstanding that no member runs dry: with random placement that needs several hundred a member.
            let iops = iops(level, 8, read, 4096);
            let theory = 8.0 * 10_000.0 / (read + cost * (1.0 - read));
            let error = (iops / theory - 1.0).abs();
            assert!(error < 0.03, "{} read={read}: {iops:.0} IOPS, theory {theory:.0}", level.name());
        }
    }
}

#[test]
fn mirrored_reads_scale_with_the_members() {
    for members in [2, 4, 8] {
        let iops = iops(Level::Raid10, members, 1.0, 1024);
        assert!((iops / (members as f64 * 10_000.0) - 1.0).abs() < 0.03, "{members}: {iops:.0}");
    }
}
