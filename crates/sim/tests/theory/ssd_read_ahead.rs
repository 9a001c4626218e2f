//! What reading ahead does to a sequential stream, and that it does nothing to anything else.

use crate::drives::{Uniform, closed_loop, filled, request, small};
use drivecast_block::{Completion, Device, Nanos, Op};
use drivecast_sim::spec::SsdSpec;

const KIB: u64 = 1024;

fn ahead(bytes: u64) -> SsdSpec {
    SsdSpec { read_ahead_bytes: bytes, ..small() }
}

/// Reads of `size` bytes, one after another from the start, so many outstanding.
fn stream(spec: &SsdSpec, size: u32, depth: u64, requests: usize) -> Vec<Completion> {
    let make = |id: u64| request(id, Op::Read, id * u64::from(size) % spec.logical_bytes, size);
    closed_loop(&mut filled(spec), Nanos(0), depth, requests, make).0
}

fn bytes_per_s(completions: &[Completion], size: u32) -> f64 {
    let span = completions[completions.len() - 1].at.since(completions[0].at);
    (completions.len() - 1) as f64 * f64::from(size) / span.as_secs_f64()
}

#[test]
fn a_lone_stream_finds_its_data_in_the_buffer() {
    // Time enough between reads for the flash to be ahead.
    let (spec, gap) = (ahead(128 * KIB), 100_000);
    let mut ssd = filled(&spec);
    let link = (4096.0 * 1e9 / spec.link_bytes_per_s).round() as u64;
    let transfer = (4096.0 * 1e9 / spec.channel_bytes_per_s).round() as u64;
    let buffered = spec.read_command_ns + link + spec.read_overhead_ns;
    for id in 0..1_000 {
        let now = Nanos(id * gap);
        ssd.submit(now, request(id, Op::Read, id * 4096, 4096));
        let mut done = Vec::new();
        while done.is_empty() {
            let next = ssd.next().unwrap();
            ssd.advance(next, &mut done);
        }
        let took = done[0].at.since(now).0;
        if id == 0 {
            assert_eq!(took, buffered + spec.read_ns + transfer);
        }
        if id > 1 {
            assert_eq!(took, buffered, "read {id}");
        }
    }
}

#[test]
fn two_outstanding_fill_the_link_only_with_reading_ahead() {
    let slow = |bytes| SsdSpec { link_bytes_per_s: 500e6, channel_bytes_per_s: 200e6, ..ahead(bytes) };
    let without = bytes_per_s(&stream(&slow(0), 16_384, 2, 4_000), 16_384);
    let with = bytes_per_s(&stream(&slow(256 * KIB), 16_384, 2, 4_000), 16_384);
    println!("16 KiB, two outstanding: {:.0} MB/s, reading ahead {:.0}", without / 1e6, with / 1e6);
    // Without: two at a time, each t_R and a row over its channel.
    let each = slow(0).read_ns as f64 + 16_384.0 * 1e9 / 200e6 + 16_384.0 * 1e9 / 500e6 + 6_700.0;
    assert!((without / (2.0 * 16_384.0 * 1e9 / each) - 1.0).abs() < 0.05, "{without}");
    assert!((with / 500e6 - 1.0).abs() < 0.01, "{with}");
}

#[test]
fn reads_at_random_take_as_long_as_without() {
    let run = |spec: &SsdSpec| {
        let mut random = Uniform::new(8, "places");
        let mut last = 0;
        let make = |id: u64| {
            // Never where the one before ended.
            let page = loop {
                let page = random.below(spec.logical_bytes / 4096);
                if page != last + 1 {
                    break page;
                }
            };
            last = page;
            request(id, Op::Read, page * 4096, 4096)
        };
        closed_loop(&mut filled(spec), Nanos(0), 8, 5_000, make).0
    };
    let times =
        |completions: Vec<Completion>| completions.iter().map(|one| (one.id, one.at)).collect::<Vec<_>>();
    assert_eq!(times(run(&ahead(128 * KIB))), times(run(&ahead(0))));
}
