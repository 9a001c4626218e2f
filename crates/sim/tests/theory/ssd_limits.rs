//! What bounds a drive's throughput, one limit at a time, and the wait for a single die.

use crate::drives::{Uniform, closed_loop, filled, request, settled_rate, small, write};
use drivecast_block::{Device, Nanos, Op};
use drivecast_sim::host::{Arriving, Limits, run};
use drivecast_sim::outcome::Outcome;
use drivecast_sim::run::{RunOptions, Workload, drive};
use drivecast_sim::spec::SsdSpec;
use drivecast_workload::{Arrivals, Generator, WorkloadSpec};

/// Flash and controller that take next to no time.
fn instant() -> SsdSpec {
    SsdSpec {
        read_ns: 100,
        program_ns: 100,
        erase_ns: 100,
        read_command_ns: 0,
        write_command_ns: 0,
        channel_bytes_per_s: 1e12,
        link_bytes_per_s: 560e6,
        ..small()
    }
}

/// Requests a second at depth 32, every `reads`th of two a read.
fn throughput(spec: &SsdSpec, size: u32, reads: [bool; 2]) -> f64 {
    let mut random = Uniform::new(4, "throughput");
    let places = spec.logical_bytes / u64::from(size);
    let make = |id: u64| {
        let op = if reads[(id % 2) as usize] { Op::Read } else { Op::Write };
        request(0, op, random.below(places) * u64::from(size), size)
    };
    settled_rate(&closed_loop(&mut filled(spec), Nanos(0), 32, 20_000, make).0)
}

#[test]
fn a_command_takes_the_link_for_its_data_and_its_overhead() {
    for (size, overhead) in [(4096, 0), (4096, 1_200), (65_536, 1_200)] {
        let spec = SsdSpec { link_command_ns: overhead, ..instant() };
        let expected = 1e9 / (f64::from(size) / spec.link_bytes_per_s * 1e9 + overhead as f64);
        for reads in [true, false] {
            let found = throughput(&spec, size, [reads; 2]);
            assert!((found / expected - 1.0).abs() < 0.01, "{size} B, {overhead} ns: {found} of {expected}");
        }
    }
}

#[test]
fn a_command_takes_its_overhead_of_the_controller_too() {
    for (size, rate) in [(4096, 250e6), (65_536, 250e6), (4096, 1e9)] {
        let spec = SsdSpec { link_command_ns: 5_000, read_bytes_per_s: Some(rate), ..instant() };
        let expected = 1.0 / (f64::from(size) / rate.min(spec.link_bytes_per_s) + 5e-6);
        let found = throughput(&spec, size, [true; 2]);
        assert!((found / expected - 1.0).abs() < 0.01, "{size} B, {rate} B/s: {found} of {expected}");
    }
}

#[test]
fn a_write_may_take_the_link_for_less_than_a_read() {
    let spec = SsdSpec { link_command_ns: 12_000, link_write_command_ns: Some(4_000), ..instant() };
    for (read, overhead) in [(true, 12e-6), (false, 4e-6)] {
        let expected = 1.0 / (4096.0 / spec.link_bytes_per_s + overhead);
        let found = throughput(&spec, 4096, [read; 2]);
        assert!((found / expected - 1.0).abs() < 0.01, "reads {read}: {found} of {expected}");
    }
}

#[test]
fn a_half_duplex_link_carries_reads_and_writes_in_turn() {
    let both = instant();
    let turns = SsdSpec { link_half_duplex: true, ..both.clone() };
    let alone = throughput(&both, 65_536, [true; 2]);
    let (mixed, shared) =
        (throughput(&both, 65_536, [true, false]), throughput(&turns, 65_536, [true, false]));
    println!("65,536 B: reads {alone:.0}/s; mixed {mixed:.0}/s full duplex, {shared:.0}/s half duplex");
    assert!((shared / alone - 1.0).abs() < 0.01);
    assert!(mixed > 1.8 * alone);
}

#[test]
fn a_channel_bounds_the_dies_behind_it() {
    let spec = SsdSpec {
        channels: 1,
        dies_per_channel: 8,
        channel_bytes_per_s: 100e6,
        read_ns: 10_000,
        read_command_ns: 0,
        ..small()
    };
    let (found, expected) = (throughput(&spec, 4096, [true; 2]), 100e6 / 4096.0);
    assert!((found / expected - 1.0).abs() < 1e-3, "{found} of {expected}");
}

#[test]
fn commands_pass_the_controller_one_by_one() {
    let spec = SsdSpec { read_command_ns: 11_000, link_bytes_per_s: 1e12, ..instant() };
    let (found, expected) = (throughput(&spec, 4096, [true; 2]), 1e9 / 11_000.0);
    assert!((found / expected - 1.0).abs() < 1e-3, "{found} of {expected}");
}

#[test]
fn reads_wait_for_a_single_die_as_in_m_d_1() {
    // Poisson arrivals, one server, constant service s: W = s (1 + ρ/(2 (1 − ρ))). The die is held for t_R and the transfer.
    let spec = SsdSpec {
        channels: 1,
        dies_per_channel: 1,
        logical_bytes: 32 << 20,
        physical_bytes: 40 << 20,
        read_command_ns: 0,
        queue_depth: 1 << 20,
        ..small()
    };
    let transfer = 4096.0 * 1e9 / spec.channel_bytes_per_s;
    let service = spec.read_ns as f64 + transfer;
    let rest = spec.read_overhead_ns as f64 + 4096.0 * 1e9 / spec.link_bytes_per_s;
    for rho in [0.3, 0.6, 0.8] {
        let rate = rho * 1e9 / service;
        let workload = WorkloadSpec::parse(&format!("random(4KiB, read=1, rate={rate})")).unwrap();
        let options = RunOptions { requests: Some(400_000), seed: 1, fill: 0.0, ..RunOptions::default() };
        let mut ssd = filled(&spec);
        let outcome: Outcome = drive(&mut ssd, "die", 1.0, &Workload::Synthetic(workload), &options).unwrap();
        let mean = outcome.read.latency_ns.unwrap().mean;
        let expected = rest + service * (1.0 + rho / (2.0 * (1.0 - rho)));
        println!("ρ {rho}: {mean:.0} ns, M/D/1 {expected:.0} ns");
        assert!((mean / expected - 1.0).abs() < 0.015, "ρ {rho}: {mean} against {expected}");
    }
}

#[test]
fn what_is_in_the_drive_obeys_little_law() {
    // Checked by the host to the nanosecond in every run; here against a count of its own, with all that takes turns.
    let spec = SsdSpec { suspend_ns: Some(20_000), link_half_duplex: true, link_command_ns: 900, ..small() };
    let workload = WorkloadSpec::parse("random(4KiB, read=0.7, rate=20000)").unwrap();
    let mut ssd = filled(&spec);
    let pages = spec.logical_bytes / 4096;
    let mut random = Uniform::new(6, "age");
    (0..pages).for_each(|_| ssd.age(write(random.below(pages))));
    let generator = Generator::new(&workload, ssd.capacity(), 1).unwrap();
    let source = Arriving::new(generator, None, Arrivals::new(20_000.0, 1), Nanos(1_000_000_000), Nanos::MAX);
    let measured = run(&mut ssd, source, Limits::default()).unwrap();
    assert_eq!(measured.recorder.area(), measured.recorder.residence());
    assert_eq!(measured.generated, measured.recorder.completed() + measured.in_flight);
}
