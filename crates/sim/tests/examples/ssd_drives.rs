//! Drives and workloads that the tests share.

use drivecast_block::random::{Stream, stream};
use drivecast_block::{Bytes, Completion, Device, Nanos, Op, Request};
use drivecast_sim::spec::{GarbageCollection, SsdSpec, StreamBy, StreamSpare, WearLevelling};
use drivecast_sim::ssd::{Preload, Ssd, wear};
use rand::Rng;

/// A drive of 256 MiB on 320 MiB of flash: 8 dies of 40 blocks of 256 pages of 4 KiB.
pub(crate) fn small() -> SsdSpec {
    SsdSpec {
        logical_bytes: 256 << 20,
        physical_bytes: 320 << 20,
        partition: 1.0,
        mapping_bytes: 4096,
        page_bytes: 16_384,
        pages_per_block: 64,
        channels: 4,
        dies_per_channel: 2,
        planes: 1,
        read_ns: 50_000,
        program_ns: 400_000,
        erase_ns: 3_000_000,
        suspend_ns: None,
        read_types: 1,
        read_type_spread: 0.0,
        read_retry_rate: 0.0,
        worn_retry_rate: 0.0,
        wear: 0.0,
        data_age: 1.0,
        pages_per_program: 1,
        suspend_wait_ns: 0,
        write_jitter_ns: 0,
        full_holds_reads: false,
        full_queues_reads: false,
        gc_batch_bytes: 0,
        gc_batch_always: false,
        gc_batch_ns: 0,
        gc_batch_valid: 0.0,
        gc_batch_slack_bytes: 0,
        flush_ns: None,
        erase_suspend_ns: None,
        suspensions_max: None,
        link_command_ns: 0,
        link_write_command_ns: None,
        read_ahead_bytes: 0,
        link_half_duplex: false,
        background_gc: None,
        slc_cache_bytes: 0,
        slc_dynamic_share: 0.0,
        slc_program_ns: 0,
        slc_read_ns: 0,
        slc_fold_share: 0.0,
        channel_bytes_per_s: 800e6,
        link_bytes_per_s: 3.2e9,
        read_bytes_per_s: None,
        write_bytes_per_s: None,
        copy_cost: 1.0,
        read_overhead_ns: 6_000,
        write_overhead_ns: 4_000,
        read_command_ns: 700,
        write_command_ns: 900,
        queue_depth: 64,
        buffer_bytes: 1 << 20,
        buffer_volatile: false,
        write_through: false,
        gc: GarbageCollection::Greedy,
        gc_choices: 10,
        gc_window: 64,
        streams: 1,
        stream_by: StreamBy::Frequency,
        stream_spare: StreamSpare::Shared,
        wear_levelling: WearLevelling::Dynamic,
        wear_spread: 50,
        compression: 1.0,
        bad_blocks: 0.0,
        erase_failure_rate: 0.0,
    }
}

/// A drive that nothing was written to, and that is to hold all it can.
pub(crate) fn new_drive(spec: &SsdSpec) -> Ssd {
    Ssd::new(spec, &Preload::whole(spec), 1).expect("a drive that can be")
}

/// One of which every page was written once.
pub(crate) fn filled(spec: &SsdSpec) -> Ssd {
    let mut ssd = new_drive(spec);
    wear::fill(&mut ssd, spec.logical_bytes);
    ssd
}

/// Uniform random numbers.
pub(crate) struct Uniform(Stream);

impl Uniform {
    pub(crate) fn new(seed: u64, name: &str) -> Uniform {
        Uniform(stream(seed, name))
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.0.next_u64()) * u128::from(n)) >> 64) as u64
    }
}

pub(crate) fn request(id: u64, op: Op, offset: u64, size: u32) -> Request {
    Request { id, offset: Bytes(offset), size, stream: 0, op, fua: false }
}

/// A 4 KiB write of a page.
pub(crate) fn write(page: u64) -> Request {
    request(0, Op::Write, page * 4096, 4096)
}

/// Keeps `depth` requests outstanding until `count` are done, each from `make`; returns the completions with
/// the submission time of each request by its number.
pub(crate) fn closed_loop(
    device: &mut dyn Device,
    start: Nanos,
    depth: u64,
    count: usize,
    mut make: impl FnMut(u64) -> Request,
) -> (Vec<Completion>, Vec<Nanos>) {
    let (mut submitted, mut completions) = (Vec::new(), Vec::new());
    let mut now = start;
    let mut submit = |device: &mut dyn Device, now, submitted: &mut Vec<Nanos>| {
        let id = submitted.len() as u64;
        submitted.push(now);
        device.submit(now, Request { id, ..make(id) });
    };
    for _ in 0..depth {
        submit(device, now, &mut submitted);
    }
    while completions.len() < count {
        now = device.next().expect("requests are outstanding");
        let before = completions.len();
        device.advance(now, &mut completions);
        for _ in before..completions.len() {
            submit(device, now, &mut submitted);
        }
    }
    (completions, submitted)
}

/// Requests a second.
pub(crate) fn rate(completions: &[Completion]) -> f64 {
    let span = completions[completions.len() - 1].at.since(completions[0].at);
    (completions.len() - 1) as f64 / span.as_secs_f64()
}

/// Requests a second, the first fifth left out.
pub(crate) fn settled_rate(completions: &[Completion]) -> f64 {
    rate(&completions[completions.len() / 5..])
}

/// Lets a device finish what it has.
pub(crate) fn drain(device: &mut dyn Device, completions: &mut Vec<Completion>) {
    while let Some(now) = device.next() {
        device.advance(now, completions);
    }
}

/// Submits one request and returns its latency.
pub(crate) fn latency(device: &mut dyn Device, now: Nanos, request: Request) -> u64 {
    let mut completions = Vec::new();
    device.submit(now, request);
    drain(device, &mut completions);
    assert_eq!(completions.len(), 1);
    completions[0].at.since(now).0
}
