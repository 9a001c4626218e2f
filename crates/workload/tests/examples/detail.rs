//! What only single requests tell, of traces small enough to count by hand.

use crate::examples_profile::ten_records;
use crate::properties_trace::profile;
use drivecast_block::{Nanos, Op, Record};
use drivecast_workload::Profile;

const BLOCK: u64 = 4096;

fn request(second: u64, op: Op, block: u64, blocks: u32) -> Record {
    let time = Nanos(second * 1_000_000_000);
    Record {
        time,
        offset: block * BLOCK,
        size: blocks * BLOCK as u32,
        stream: 0,
        op,
        latency: None,
        fua: false,
    }
}

fn of(records: &[Record]) -> Profile {
    profile(records, Nanos(60_000_000_000))
}

/// The miss ratio at a size in blocks, of a curve named by its cache, whose misses, and what counts.
fn miss_ratio(found: &Profile, names: (&str, &str, &str), blocks: u64) -> f64 {
    let curves = found.detail.miss_ratio_curves.as_ref().expect("requests");
    let curve = curves.iter().find(|curve| (curve.cache, curve.of, curve.by) == names).expect("the curve");
    let point = curve.points.iter().rev().find(|point| point.size_bytes <= blocks * BLOCK);
    // Sevenths are not exact.
    point.map_or(1.0, |point| (point.miss_ratio * 42e6).round() / 42e6)
}

#[test]
fn a_request_hits_when_all_its_blocks_do() {
    // 0 1 | 0 | 0 1 2 | write 1: block distances none none, 2, 1 2 none, 2.
    let records = [
        request(0, Op::Read, 0, 2),
        request(1, Op::Read, 0, 1),
        request(2, Op::Read, 0, 3),
        request(3, Op::Write, 1, 1),
    ];
    let found = of(&records);
    let at = |names, sizes: [u64; 2]| sizes.map(|blocks| miss_ratio(&found, names, blocks));
    assert_eq!(at(("all", "all", "block"), [1, 2]), [6.0 / 7.0, 3.0 / 7.0]);
    assert_eq!(at(("all", "reads", "block"), [1, 2]), [5.0 / 6.0, 0.5]);
    assert_eq!(at(("all", "all", "request"), [1, 2]), [1.0, 0.5]);
    assert_eq!(at(("all", "writes", "request"), [1, 2]), [1.0, 0.0]);
    // A cache of the writes alone has never seen the block.
    assert_eq!(at(("writes", "writes", "block"), [1, 2]), [1.0, 1.0]);
}

#[test]
fn what_follows_what() {
    let ops = [(0, Op::Write), (1, Op::Read), (3, Op::Read), (6, Op::Write), (10, Op::Write)];
    let found = of(&ops.map(|(second, op)| request(second, op, 7, 1)));
    let rows = found.detail.succession.expect("repeated accesses");
    let seconds = |ns: f64| (ns / 1e9).round();
    let told: Vec<_> =
        rows.iter().map(|r| (r.access, r.after, r.fraction, seconds(r.interval_ns.mean))).collect();
    let expected =
        [("read", "read", 2.0), ("write", "read", 3.0), ("read", "write", 1.0), ("write", "write", 4.0)];
    assert_eq!(told, expected.map(|(access, after, interval)| (access, after, 0.25, interval)));
    let updates = found.detail.update_interval_ns.expect("two updates");
    assert_eq!((seconds(updates.mean), updates.max), (5.0, 6_000_000_000));
    assert_eq!(found.detail.writes_per_block.map(|writes| writes.max), Some(3));
}

#[test]
fn runs_jumps_and_alignment() {
    // Two streams of three requests each, interleaved, and one request apart.
    let blocks = [0, 1000, 1, 1001, 2, 1002, 5000];
    let records: Vec<Record> = (0..).zip(blocks).map(|(k, block)| request(k, Op::Read, block, 1)).collect();
    let detail = of(&records).detail;
    let runs = detail.runs.expect("requests");
    assert_eq!((runs.runs, runs.requests.max, runs.requests.mean), (3, 3, 7.0 / 3.0));
    assert_eq!((runs.interleave[0], runs.interleave[1]), (0.0, 4.0 / 7.0));
    let seek = detail.seek.expect("jumps");
    assert_eq!((seek.forward_fraction, seek.distance_bytes.max), (Some(4.0 / 6.0), 3997 * BLOCK));
    let rows = detail.alignment.expect("requests");
    let at = |boundary| rows.iter().find(|row| row.boundary_bytes == boundary).expect("a row");
    assert_eq!((at(4096).request_fraction, at(8192).offset_fraction), (Some(1.0), Some(5.0 / 7.0)));
    assert_eq!(at(8192).request_fraction, Some(0.0));
}

#[test]
fn streams_and_latency_by_class() {
    let detail = of(&ten_records()).detail;
    let streams = detail.streams.expect("requests");
    let told: Vec<_> =
        streams.iter().map(|row| (row.stream, row.reads, row.writes, row.bytes_written)).collect();
    assert_eq!(told, [(Some(1), 4, 0, 0), (Some(2), 0, 4, 78_336)]);
    assert_eq!(streams[0].latency_ns_mean, Some(250_000.0));
    let sizes = detail.latency_by_size.expect("latencies");
    let told: Vec<_> = sizes.iter().map(|row| (row.op, row.size_bytes_max, row.requests)).collect();
    let expected = [("read", 4096, 4), ("write", 4096, 1), ("write", 8192, 1), ("write", 65_536, 1)];
    assert_eq!(told, expected.map(|(op, size, requests)| (op, Some(size), requests)));
    // The flush is outstanding when the second read and write of the first second come.
    let depths = detail.latency_by_depth.expect("latencies");
    let told: Vec<_> = depths.iter().map(|row| (row.op, row.depth_max, row.requests)).collect();
    let expected = [("read", 1, 3), ("read", 2, 1), ("write", 1, 2), ("write", 2, 1)];
    assert_eq!(told, expected.map(|(op, depth, requests)| (op, Some(depth), requests)));
}

#[test]
fn the_day_repeats() {
    // 36 requests an hour from 8 to 16 o'clock, 4 at night, for three days.
    let hour = |hour: u64| {
        let count = if (8..16).contains(&(hour % 24)) { 36 } else { 4 };
        (0..count).map(move |k| request(hour * 3600 + k * 3600 / count, Op::Read, k, 1))
    };
    let mut records: Vec<Record> = (0..72).flat_map(hour).collect();
    assert_eq!(of(&records[..20]).detail.diurnal, None);
    records.push(request(72 * 3600, Op::Read, 0, 1));
    let found = of(&records).detail.diurnal.expect("three days");
    assert!((found.day_fraction.expect("two days and more") - 1.0).abs() < 1e-9);
    assert_eq!((found.hours[8].read_iops, found.hours[7].read_iops), (0.01, 4.0 / 3600.0));
}

#[test]
fn the_working_set_grows_and_rests() {
    let seconds = (0..100).chain(0..100).collect::<Vec<u64>>();
    let record = |(k, block): (usize, &u64)| request(k as u64, Op::Write, *block, 1);
    let records: Vec<Record> = seconds.iter().enumerate().map(record).collect();
    let rows = of(&records).detail.working_set_growth.expect("counted");
    let last = rows[rows.len() - 1];
    assert_eq!(
        (last.touched_bytes, last.written_bytes, last.moved_bytes),
        (100 * BLOCK, 100 * BLOCK, 200 * BLOCK)
    );
    let half = rows.iter().find(|row| row.time_s >= 101.0).expect("a row");
    assert_eq!(half.touched_bytes, 100 * BLOCK);
    assert!(rows.windows(2).all(|pair| pair[0].touched_bytes <= pair[1].touched_bytes));
}
