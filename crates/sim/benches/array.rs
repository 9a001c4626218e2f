//! Speed of whole simulations: `cargo bench -p drivecast-sim --bench array`. One line each, `name: value unit (method)`.

use drivecast_block::{Bytes, Device, Nanos, Op, Record, random};
use drivecast_sim::design::Design;
use drivecast_sim::fixed::{Fixed, Service};
use drivecast_sim::raid::{Array, Layout, Level};
use drivecast_sim::run::{RunOptions, State, WearOptions, Workload, drive, simulate, wear};
use drivecast_workload::WorkloadSpec;
use rand::RngExt;
use std::collections::BTreeMap;
use std::time::Instant;

/// 200,000 records in 60 s: 70 % reads of 16 KiB on 1 GiB.
fn window() -> Workload {
    let mut random = random::stream(1, "window");
    let each = |index: u64| Record {
        time: Nanos(index * 300_000),
        offset: random.random_range(0..65_000) * 16_384,
        size: 16_384,
        stream: 0,
        op: if random.random_bool(0.7) { Op::Read } else { Op::Write },
        latency: None,
    };
    Workload::Records((0..200_000).map(each).collect())
}

fn best(mut run: impl FnMut()) -> f64 {
    let time = |_| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64()
    };
    (0..3).map(time).fold(f64::MAX, f64::min)
}

fn main() {
    let drive_spec = "ssd(logical=100GB, spare_factor=0.28, pages_per_block=256)";
    let window = window();
    for design in [
        drive_spec.to_owned(),
        format!("raid10(8 * {drive_spec})"),
        format!("raid5(8 * {drive_spec})"),
        "raid10(8 * hdd(capacity=300GB, rpm=15000, seek_mean=3.5ms))".to_owned(),
    ] {
        let resolved =
            Design::parse(&design).and_then(|design| design.resolve(&BTreeMap::new())).expect("a valid line");
        for (name, state) in [("fresh", State::Fresh), ("steady", State::Steady)] {
            let options = RunOptions { fill: 0.5, state, ..RunOptions::default() };
            let time = best(|| drop(simulate(&resolved, &window, &options).expect("a run")));
            println!(
                "simulate {design}: {:.3} s (200,000 records over 60 s, {name} drives, best of 3)",
                time
            );
        }
        if resolved.root().has_flash() {
            let options = WearOptions { seed: 1, fill: 0.5, ..WearOptions::default() };
            let time = best(|| drop(wear(&resolved, &window, &options).expect("wear")));
            println!("wear {design}: {time:.3} s (60,000 writes, looped, best of 3)");
        }
    }
    let spec = WorkloadSpec::parse("random(4KiB, read=0.7, iodepth=64)").expect("a valid line");
    let workload = Workload::Synthetic(spec);
    let options = RunOptions { requests: Some(1_000_000), ..RunOptions::default() };
    for members in [1, 8, 24] {
        let member = |seed| {
            let service = Service::Constant(Nanos::from_us(100));
            Box::new(Fixed::new(Bytes::gib(1), 8, service, seed)) as Box<dyn Device>
        };
        let layout = Layout::new(Level::Raid0, members, Bytes::kib(64), Bytes::gib(1));
        let time = best(|| {
            let mut array = Array::new(layout, Nanos::ZERO, (0..members as u64).map(member).collect());
            drop(drive(&mut array, "fixed", 1.0, &workload, &options).expect("a run"));
        });
        println!(
            "raid0 of {members} fixed stations: {:.2} M requests/s (closed loop, iodepth 64)",
            1.0 / time
        );
    }
}
