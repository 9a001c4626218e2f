//! md's stripe cache against md itself.
//!
//! The figures are what Linux 6.1 did, counted by `/sys/block/*/stat` of the members: RAID 6 of eight and RAID 5 of four null
//! block devices in a virtual machine, chunks of 512 KiB, without a bitmap, its stripe cache of 256 pages, under fio with
//! direct writes through libaio.

use crate::controller::free;
use crate::station::MEMBER;
use drivecast_block::{Bytes, Device, Nanos};
use drivecast_sim::controller::Controller;
use drivecast_sim::fixed_service::{FixedService, Service};
use drivecast_sim::raid::{Array, Layout, Level};
use drivecast_sim::run::{RunOptions, Workload, drive};
use drivecast_sim::spec::ControllerSpec;
use drivecast_workload::WorkloadSpec;

/// Bytes that the members of an array read and write for a byte of the host.
fn moved(level: Level, members: u64, line: &str) -> [f64; 2] {
    let service = Service::Constant(Nanos::from_ms(4));
    let capacity = Bytes(64 * MEMBER.0);
    let member = |seed| Box::new(FixedService::new(capacity, 1, service, seed)) as Box<dyn Device>;
    let layout = Layout::new(level, members as usize, Bytes::kib(512), capacity);
    let spec = ControllerSpec { stripe_cache_bytes: Some(1 << 20), ..free() };
    let mut array =
        Controller::new(&spec, Array::new(layout, Nanos::ZERO, (0..members).map(member).collect()));
    let workload = Workload::Synthetic(WorkloadSpec::parse(line).unwrap());
    let options = RunOptions { requests: Some(2000), seed: 1, fill: 0.0, ..RunOptions::default() };
    let outcome = drive(&mut array, "array", 1.0, &workload, &options).unwrap();
    let host = outcome.host_written_bytes as f64;
    [outcome.device_read_bytes, outcome.device_written_bytes].map(|bytes| bytes.unwrap() as f64 / host)
}

#[track_caller]
fn close(found: f64, counted: f64, within: f64) {
    assert!((found / counted - 1.0).abs() < within, "{found:.2}, md {counted:.2}");
}

#[test]
fn writes_that_wait_for_each_other() {
    for (level, members, line, [read, written]) in [
        (Level::Raid6, 8, "sequential(1MiB, read=0, iodepth=1)", [0.67, 2.00]),
        (Level::Raid6, 8, "sequential(64KiB, read=0, iodepth=1)", [1.17, 3.00]),
        (Level::Raid6, 8, "random(1MiB, align=1MiB, read=0, iodepth=1)", [2.05, 2.05]),
        (Level::Raid6, 8, "random(4KiB, read=0, iodepth=1)", [3.00, 3.00]),
        (Level::Raid5, 4, "sequential(1MiB, read=0, iodepth=1)", [0.51, 1.70]),
        (Level::Raid5, 4, "sequential(64KiB, read=0, iodepth=1)", [0.67, 2.00]),
        (Level::Raid5, 4, "random(1MiB, align=1MiB, read=0, iodepth=1)", [1.00, 1.68]),
        (Level::Raid5, 4, "random(4KiB, read=0, iodepth=1)", [2.00, 2.01]),
    ] {
        let found = moved(level, members, line);
        close(found[0], read, 0.03);
        close(found[1], written, 0.03);
    }
}

/// With several outstanding a stripe reads what its first request lacks, as with one. md reads less the slower its
/// processor is, since more join before it looks at the stripe.
#[test]
fn writes_in_order_that_join() {
    for (level, members, depth, [read, written], alone) in [
        (Level::Raid6, 8, 8, [0.17, 1.40], 0.67),
        (Level::Raid6, 8, 32, [0.13, 1.40], 0.67),
        (Level::Raid5, 4, 4, [0.26, 1.44], 0.51),
        (Level::Raid5, 4, 8, [0.23, 1.47], 0.51),
        (Level::Raid5, 4, 32, [0.22, 1.44], 0.51),
    ] {
        let found = moved(level, members, &format!("sequential(1MiB, read=0, iodepth={depth})"));
        close(found[1], written, 0.1);
        close(found[0], alone, 0.03);
        assert!(found[0] > read, "reads {:.2}, md {read:.2}", found[0]);
    }
}

/// A random write gains nothing.
#[test]
fn random_writes_are_as_without() {
    let [read, written] = moved(Level::Raid6, 8, "random(4KiB, read=0, iodepth=32)");
    close(read, 3.0, 0.02);
    close(written, 3.0, 0.02);
}
