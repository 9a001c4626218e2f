//! A controller's stations as closed forms: each, made the narrowest, sets the rate; with none narrow, times add up.

use crate::station::MEMBER;
use drivecast_block::{Bytes, Device, Nanos, Op, Request};
use drivecast_sim::controller::Controller;
use drivecast_sim::fixed_service::{FixedService, Service};
use drivecast_sim::outcome::Outcome;
use drivecast_sim::raid::{Array, Layout, Level};
use drivecast_sim::run::{RunOptions, Workload, drive};
use drivecast_sim::spec::ControllerSpec;
use drivecast_workload::WorkloadSpec;

/// A controller that costs nothing and limits nothing.
pub(crate) fn free() -> ControllerSpec {
    ControllerSpec {
        cores: 1,
        host_command_ns: 0,
        member_command_ns: 0,
        stripe_ns: 0,
        stripe_bytes: None,
        stripe_cache_bytes: None,
        stripe_threads: None,
        xor_bytes_per_s: 1e15,
        q_bytes_per_s: 1e15,
        parity_on_cores: false,
        host_bytes_per_s: None,
        memory_bytes_per_s: None,
        port_bytes_per_s: None,
        queue_depth: 1 << 20,
        member_queue_depth: 1 << 20,
        port_read_ns: 0,
        port_write_ns: 0,
        coalesce_ns: 0,
        coalesce_from: 0,
        cache: None,
        block_layer: None,
    }
}

/// An array of 8 members that take 100 us for anything, behind a controller.
pub(crate) fn array(spec: &ControllerSpec, level: Level, servers: usize) -> Controller {
    let service = Service::Constant(Nanos::from_us(100));
    let member = |seed| Box::new(FixedService::new(MEMBER, servers, service, seed)) as Box<dyn Device>;
    let layout = Layout::new(level, 8, Bytes::kib(64), MEMBER);
    Controller::new(spec, Array::new(layout, Nanos::ZERO, (0..8).map(member).collect()))
}

fn run(spec: &ControllerSpec, level: Level, line: &str) -> Outcome {
    let workload = Workload::Synthetic(WorkloadSpec::parse(line).unwrap());
    let options = RunOptions {
        requests: Some(40_000),
        warmup: Nanos::from_ms(20),
        seed: 1,
        fill: 0.0,
        ..RunOptions::default()
    };
    drive(&mut array(spec, level, usize::MAX), "array", 1.0, &workload, &options).unwrap()
}

fn close(found: f64, theory: f64, what: &str) {
    assert!((found / theory - 1.0).abs() < 0.01, "{what}: {found:.0}, theory {theory:.0}");
}

#[test]
fn processors_set_the_rate() {
    // 2 cores, 4 us a host command, 3 us a member command, 5 us a stripe: a small write on RAID 5 is 4 member commands.
    let spec = ControllerSpec {
        cores: 2,
        host_command_ns: 4000,
        member_command_ns: 3000,
        stripe_ns: 5000,
        ..free()
    };
    let reads = "random(4KiB, read=1, iodepth=512)";
    let writes = "random(4KiB, read=0, iodepth=512)";
    for (level, line, ns) in [
        (Level::Raid0, reads, 7000.0),
        (Level::Raid10, writes, 10_000.0),
        (Level::Raid5, writes, 21_000.0),
        (Level::Raid6, writes, 27_000.0),
    ] {
        close(run(&spec, level, line).iops, 2e9 / ns, level.name());
    }
}

#[test]
fn stripes_have_threads_of_their_own_in_software() {
    let spec = ControllerSpec {
        cores: 16,
        host_command_ns: 1000,
        stripe_ns: 5000,
        stripe_bytes: Some(4096),
        stripe_threads: Some(1),
        parity_on_cores: true,
        xor_bytes_per_s: 1e10,
        q_bytes_per_s: 1e10,
        ..free()
    };
    // 16 KiB: 4 stripes, and 3 sources (old data, new data, old parity) of 16 KiB.
    let iops = run(&spec, Level::Raid5, "random(16KiB, read=0, iodepth=512)").iops;
    close(iops, 1e9 / (20_000.0 + 3.0 * 16_384.0 / 10.0), "raid5");
    // RAID 6 has 4 sources, twice.
    let iops = run(&spec, Level::Raid6, "random(16KiB, read=0, iodepth=512)").iops;
    close(iops, 1e9 / (20_000.0 + 2.0 * 4.0 * 16_384.0 / 10.0), "raid6");
}

#[test]
fn links_memory_and_parity_set_the_rate() {
    let rate = |spec: ControllerSpec, level, line: &str| run(&spec, level, line).throughput_bytes_per_s;
    let host = |read| {
        rate(
            ControllerSpec { host_bytes_per_s: Some(1e9), ..free() },
            Level::Raid0,
            &format!("random(64KiB, read={read}, iodepth=256)"),
        )
    };
    close(host(1.0), 1e9, "reads on the link");
    close(host(0.0), 1e9, "writes on the link");
    close(host(0.5), 2e9, "both ways at once");
    let memory = ControllerSpec { memory_bytes_per_s: Some(1e9), ..free() };
    close(rate(memory.clone(), Level::Raid0, "random(64KiB, read=1, iodepth=256)"), 0.5e9, "in and out");
    // A copy each: in once, out twice.
    close(rate(memory.clone(), Level::Raid10, "random(64KiB, read=0, iodepth=256)"), 1e9 / 3.0, "mirror");
    // Full stripes: 7 in from the host, 7 through parity with 1 result, 8 out to the members.
    close(rate(memory, Level::Raid5, "sequential(448KiB, read=0, iodepth=64)"), 7e9 / 23.0, "full stripes");
    let xor = ControllerSpec { xor_bytes_per_s: 1e9, ..free() };
    close(rate(xor.clone(), Level::Raid5, "sequential(448KiB, read=0, iodepth=64)"), 1e9, "full stripes");
    close(rate(xor, Level::Raid5, "random(16KiB, read=0, iodepth=512)"), 1e9 / 3.0, "read-modify-write");
}

#[test]
fn queues_set_the_rate() {
    // No more than 16 in work at 100 us each; no more than 2 at each of 8 members.
    let host = ControllerSpec { queue_depth: 16, ..free() };
    close(run(&host, Level::Raid0, "random(4KiB, read=1, iodepth=512)").iops, 160_000.0, "host queue");
    let member = ControllerSpec { member_queue_depth: 2, ..free() };
    close(run(&member, Level::Raid0, "random(4KiB, read=1, iodepth=4096)").iops, 160_000.0, "member queues");
}

#[test]
fn times_add_up_when_nothing_waits() {
    let spec = ControllerSpec {
        host_command_ns: 4000,
        member_command_ns: 3000,
        stripe_ns: 5000,
        host_bytes_per_s: Some(1e9),
        ..free()
    };
    let latency = |level, op| {
        let mut device = array(&spec, level, usize::MAX);
        device.submit(
            Nanos::ZERO,
            Request { id: 9, offset: Bytes(0), size: 16_000, stream: 0, op, fua: false },
        );
        let mut done = Vec::new();
        while let Some(at) = device.next() {
            device.advance(at, &mut done);
        }
        assert_eq!((done.len(), done[0].id), (1, 9));
        done[0].at.0
    };
    // Command, member command, member, 16 us on the link.
    assert_eq!(latency(Level::Raid0, Op::Read), 4000 + 3000 + 100_000 + 16_000);
    // The command and its data arrive together; two copies go out one after the other on one processor.
    assert_eq!(latency(Level::Raid10, Op::Write), 16_000 + 6000 + 100_000);
    // Two commands read, parity, two commands write.
    assert_eq!(latency(Level::Raid5, Op::Write), 16_000 + 6000 + 100_000 + 5000 + 6000 + 100_000);
}
