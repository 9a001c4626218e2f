//! How fast volumes are simulated: random 4 KiB requests from a closed loop, on one core, generator and host included.
//!
//! Beside each figure stands a station of known behaviour in the same run, [`FixedService`]: one heap of events and one draw a
//! request, which no queue of parallel servers can leave out.

use drivecast_block::{Bytes, Device, Nanos};
use drivecast_sim::fixed_service::{FixedService, Service};
use drivecast_sim::run::{RunOptions, Workload, drive};
use drivecast_sim::spec::{VolumeCap, VolumeCaps, VolumeFront, VolumeOp, VolumeSpec, VolumeStalls};
use drivecast_sim::volume::Volume;
use drivecast_workload::WorkloadSpec;
use std::time::Instant;

const REQUESTS: u64 = 500_000;

fn main() {
    let op = VolumeOp {
        service_ns: 500_000.0,
        ns_per_byte: 1.0,
        sigma: 0.3,
        tail_probability: 0.0005,
        tail_ns: 1e7,
        tail_sigma: 0.7,
        delay_ns: 50_000.0,
        parallelism: None,
    };
    let cap =
        |per_s| VolumeCap { per_s, credits: 5.4e6, credits_at_start: 1.0, burst_per_s: Some(10.0 * per_s) };
    let capped = VolumeSpec {
        capacity_bytes: 1 << 40,
        partition: 1.0,
        read: op,
        write: op,
        flush_ns: 0,
        parallelism: Some(64),
        front: None,
        link_bytes_per_s: Some(2e9),
        caps: VolumeCaps { iops: Some(cap(3000.0)), bytes: Some(cap(125e6)), ..VolumeCaps::default() },
        stalls: None,
    };
    let front = VolumeFront {
        wake_ns: 30_000.0,
        batch_max: 128,
        gathers: false,
        sigma: 0.2,
        read_command_ns: 8_600.0,
        read_ns_per_byte: 0.4,
        write_command_ns: 10_000.0,
        write_ns_per_byte: 0.4,
        read_tail_probability: 2e-4,
        write_tail_probability: 0.0,
        tail_ns: 2e6,
        tail_sigma: 0.0,
    };
    let stalls = VolumeStalls { every_ns: 1e8, stall_ns: 4e6, sigma: 0.3 };
    let virtual_disk = VolumeSpec {
        front: Some(front),
        stalls: Some(stalls),
        caps: VolumeCaps::default(),
        ..capped.clone()
    };
    for (name, spec) in [("capped", capped), ("virtual_disk", virtual_disk)] {
        for depth in [1, 32, 256] {
            let best = |one: &dyn Fn(u64) -> f64| (0..7).map(one).fold(0.0, f64::max) / 1e6;
            let rate =
                best(&|seed| rate(&mut Volume::new(&spec, seed).expect("a valid volume"), depth, seed));
            let service = Service::Exponential(Nanos::from_us(500));
            let bare = best(&|seed| {
                self::rate(&mut FixedService::new(Bytes::gib(1024), 64, service, seed), depth, seed)
            });
            println!(
                "volume_requests_{name}_depth_{depth}: {rate:.2} M/s (random 4 KiB, 70 % reads; fastest of 7 runs of {REQUESTS} \
                 requests; station of 64 servers {bare:.2} M/s, share {:.2})",
                rate / bare
            );
        }
    }
}

/// Requests simulated in a second of real time.
fn rate(device: &mut dyn Device, depth: u32, seed: u64) -> f64 {
    let line = format!("random(4KiB, read=0.7, iodepth={depth})");
    let workload = Workload::Synthetic(WorkloadSpec::parse(&line).expect("a valid line"));
    let options = RunOptions { requests: Some(REQUESTS), seed, fill: 0.0, ..RunOptions::default() };
    let start = Instant::now();
    let outcome = drive(device, "volume", 1.0, &workload, &options).expect("a sound run");
    assert!(outcome.completed >= REQUESTS);
    REQUESTS as f64 / start.elapsed().as_secs_f64()
}
