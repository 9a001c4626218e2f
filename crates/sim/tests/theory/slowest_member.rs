//! The slowest member rules: a request that needs N members is as late as the latest of them, 1 - (1 - F)^N of its
//! distribution (Intel 329903: an array is as slow as its slowest drive at that moment).

use crate::station::MEMBER;
use drivecast_block::{Bytes, Device, Nanos};
use drivecast_sim::fixed_service::{FixedService, Service};
use drivecast_sim::raid::{Array, Layout, Level};
use drivecast_sim::run::{RunOptions, Workload, drive};
use drivecast_workload::WorkloadSpec;

#[test]
fn quantiles_of_a_stripe_are_those_of_the_latest_of_n() {
    for members in [1, 2, 8] {
        let mean_ns = 100_000.0;
        let service = Service::Exponential(Nanos(mean_ns as u64));
        let member = |seed| Box::new(FixedService::new(MEMBER, usize::MAX, service, seed)) as Box<dyn Device>;
        let layout = Layout::new(Level::Raid0, members, Bytes::kib(64), MEMBER);
        let mut device = Array::new(layout, Nanos::ZERO, (0..members as u64).map(member).collect());
        let line = format!("sequential({}KiB, read=1, iodepth=1)", 64 * members);
        let workload = Workload::Synthetic(WorkloadSpec::parse(&line).unwrap());
        let options = RunOptions { requests: Some(200_000), seed: 1, fill: 0.0, ..RunOptions::default() };
        let outcome = drive(&mut device, "stripe", 1.0, &workload, &options).unwrap();
        let found = outcome.read.latency_ns.unwrap();
        // P(max < t) = (1 - exp(-t/m))^N = q.
        let theory = |q: f64| -mean_ns * (1.0 - q.powf(1.0 / members as f64)).ln();
        for (q, value) in [(0.5, found.q0_5), (0.9, found.q0_9), (0.99, found.q0_99), (0.999, found.q0_999)] {
            let error = value as f64 / theory(q) - 1.0;
            assert!(error.abs() < 0.03, "{members} members, q{q}: {value}, theory {:.0}", theory(q));
        }
    }
}
