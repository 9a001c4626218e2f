//! Tests of the volume, in one binary: examples, properties and theory.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "examples/volume_behaviour.rs"]
mod behaviour;
#[path = "theory/volume_buckets.rs"]
mod buckets;
#[path = "theory/volume_closed_loop.rs"]
mod closed_loop;
#[path = "examples/volume_design.rs"]
mod design;
#[path = "properties/volume_properties.rs"]
mod properties;
#[path = "theory/volume_queues.rs"]
mod queues;
mod strict;

use drivecast_block::{Bytes, Completion, Device, Nanos, Op, Request};
use drivecast_sim::outcome::Outcome;
use drivecast_sim::run::{RunOptions, Workload, drive};
use drivecast_sim::spec::{VolumeCap, VolumeCaps, VolumeFront, VolumeOp, VolumeSpec};
use drivecast_sim::volume::Volume;
use drivecast_workload::WorkloadSpec;

/// Requests that take so long on a server, all the same.
fn constant(service_ns: f64) -> VolumeOp {
    VolumeOp {
        service_ns,
        ns_per_byte: 0.0,
        sigma: 0.0,
        tail_probability: 0.0,
        tail_ns: 0.0,
        tail_sigma: 0.0,
        delay_ns: 0.0,
        parallelism: None,
    }
}

/// A volume that serves any number of requests at a time, each for so long, and allows all.
fn plain(service_ns: f64) -> VolumeSpec {
    VolumeSpec {
        capacity_bytes: 1 << 30,
        partition: 1.0,
        read: constant(service_ns),
        write: constant(service_ns),
        flush_ns: 0,
        parallelism: None,
        front: None,
        link_bytes_per_s: None,
        caps: VolumeCaps::default(),
        stalls: None,
    }
}

/// A processor that handles requests one by one.
fn one_by_one(wake_ns: f64, command_ns: f64) -> VolumeFront {
    VolumeFront {
        wake_ns,
        batch_max: 1,
        gathers: false,
        sigma: 0.0,
        read_command_ns: command_ns,
        read_ns_per_byte: 0.0,
        write_command_ns: command_ns,
        write_ns_per_byte: 0.0,
        read_tail_probability: 0.0,
        write_tail_probability: 0.0,
        tail_ns: 0.0,
        tail_sigma: 0.0,
    }
}

/// A rate without credits.
fn rate(per_s: f64) -> VolumeCap {
    VolumeCap { per_s, credits: 0.0, credits_at_start: 1.0, burst_per_s: None }
}

fn volume(spec: &VolumeSpec, seed: u64) -> Volume {
    Volume::new(spec, seed).unwrap()
}

/// A workload of one line on a volume.
fn run(spec: &VolumeSpec, line: &str, options: &RunOptions) -> Outcome {
    let workload = Workload::Synthetic(WorkloadSpec::parse(line).unwrap());
    drive(&mut volume(spec, options.seed), "volume", 1.0, &workload, options).unwrap()
}

fn requests(requests: u64, seed: u64) -> RunOptions {
    RunOptions { requests: Some(requests), seed, fill: 0.0, ..RunOptions::default() }
}

fn request(id: u64, op: Op, size: u32) -> Request {
    Request { id, offset: Bytes(0), size, stream: 0, op, fua: false }
}

/// Submits all at once and runs until all have completed: when each did, by its place.
fn at_once(device: &mut Volume, all: &[(Op, u32)]) -> Vec<Nanos> {
    let mut done: Vec<Completion> = Vec::new();
    for (id, (op, size)) in all.iter().enumerate() {
        device.submit(Nanos::ZERO, request(id as u64, *op, *size));
    }
    while let Some(at) = device.next() {
        device.advance(at, &mut done);
    }
    let mut ends = vec![Nanos::ZERO; all.len()];
    done.iter().for_each(|completion| ends[completion.id as usize] = completion.at);
    ends
}
