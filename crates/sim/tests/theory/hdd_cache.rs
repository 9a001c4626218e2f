//! What the buffer, the write cache and the layout promise, against arithmetic.

use crate::*;
use drivecast_sim::spec::{HddBuffer, HddOverhead, HddOverheads, HddZone, ReadAhead, SurfaceOrder};

const MS: u64 = 1_000_000;
const TURN: u64 = 4 * MS;

/// The fast disk, all of it one zone of 977 sectors a track with spares at the end of each cylinder.
fn spared(spare_sectors: u32, surface_order: SurfaceOrder) -> HddSpec {
    let mut spec = HddSpec { inner_bytes_per_s: 125e6, ..fast_disk() };
    spec.measured.surface_order = surface_order;
    spec.measured.layout = vec![HddZone {
        cylinders: 90_000,
        sectors_per_track: 977,
        track_skew: 74,
        cylinder_skew: 172,
        range_cylinders: 1,
        spare_sectors,
        empty_cylinders: 0,
    }];
    spec
}

#[test]
fn a_write_cache_absorbs_a_burst_and_then_keeps_the_pace_of_the_medium() {
    let spec = HddSpec { write_cache: true, ..fast_disk() };
    let size = 64 << 10;
    let mut hdd = disk(&spec);
    let served = closed_loop(&mut hdd, 1, 20_000, |id| request(id, Op::Write, id * size, size as u32));
    let hit = 0.2 + size as f64 / 300e6 * 1e3;
    for served in &served[..64] {
        assert!((served.latency_ms() - hit).abs() < 1e-3, "{} ms for {hit}", served.latency_ms());
    }
    let late = &served[10_000..];
    let span = late[late.len() - 1].completed.since(late[0].completed).as_secs_f64();
    let rate = (late.len() - 1) as f64 * size as f64 / span / 1e6;
    // Skews of a head switch (7 times) and of a switch with settling in eight tracks of 977 sectors.
    let media = 977.0 * 512.0 * 250.0 / 1e6 * (8.0 * 977.0) / (8.0 * 977.0 + 7.0 * 74.0 + 171.0);
    println!("cached sequential writes: {rate:.2} MB/s, media rate less skew {media:.2}");
    assert!((rate / media - 1.0).abs() < 0.01, "{rate} MB/s for {media}");
}

#[test]
fn an_idle_disk_empties_its_cache() {
    let spec = HddSpec { write_cache: true, ..fast_disk() };
    let mut hdd = disk(&spec);
    let mut load: Vec<_> = {
        let mut next = uniform(&hdd, 1, Op::Write, 4_096);
        (0..50).map(|id| (Nanos::ZERO, next(id))).collect()
    };
    load.push((Nanos(1_000 * MS), request(50, Op::Flush, 0, 0)));
    let served = open_loop(&mut hdd, &load);
    let flush = served.last().expect("all are served");
    assert_eq!(flush.request.op, Op::Flush);
    assert!(flush.latency_ms() < 0.21, "nothing is left to flush: {} ms", flush.latency_ms());
}

#[test]
fn spares_pass_like_data_and_surfaces_may_turn_back() {
    for order in [SurfaceOrder::Forward, SurfaceOrder::Serpentine] {
        for spares in [0, 400, 900] {
            let mut hdd = disk(&spared(spares, order));
            let size = 256 << 10;
            let rate = megabytes_per_s(&closed_loop(&mut hdd, 8, 4_000, |id| {
                request(id, Op::Read, id * size, size as u32)
            }));
            let cylinder = 8.0 * 977.0;
            let (data, passed) = (cylinder - f64::from(spares), cylinder + 7.0 * 74.0 + 172.0);
            let expected = 977.0 * 512.0 * 250.0 / 1e6 * data / passed;
            println!("{order:?}, {spares} spares: {rate:.2} MB/s, expected {expected:.2}");
            assert!((rate / expected - 1.0).abs() < 0.01, "{spares} spares: {rate} MB/s for {expected}");
        }
    }
}

#[test]
fn a_command_after_a_rest_costs_what_one_of_the_other_kind_costs() {
    let each = |after_read_ns, after_write_ns| HddOverhead { after_read_ns, after_write_ns };
    let mut spec = HddSpec { write_cache: true, ..fast_disk() };
    spec.measured.overheads = Some(HddOverheads {
        read_hit: each(MS, 2 * MS),
        read_miss: each(3 * MS, 4 * MS),
        write_hit: each(5 * MS, 6 * MS),
        write_miss: each(7 * MS, 8 * MS),
    });
    let link = Nanos((4_096.0_f64 / 300e6 * 1e9).ceil() as u64);
    let at = |ms: u64, id: u64| (Nanos(ms * MS), request(id, Op::Write, id << 20, 4_096));
    // Two at a distance of more than a revolution, then one close upon the second.
    let served = open_loop(&mut disk(&spec), &[at(0, 0), at(100, 1), at(106, 2)]);
    let times: Vec<u64> = served.iter().map(|s| s.completed.since(s.submitted).0).collect();
    assert_eq!(times, [5 * MS + link.0, 5 * MS + link.0, 6 * MS + link.0]);
}

#[test]
fn a_disk_at_rest_has_the_whole_track_that_it_keeps() {
    let mut spec = spared(0, SurfaceOrder::Forward);
    spec.measured.buffer = Some(HddBuffer {
        segments: 4,
        write_segments: 0,
        segment_sectors: 2_048,
        read_ahead: ReadAhead::Track,
        keeps_passing: true,
        keeps_delivered: true,
        reads_on_arrival: false,
    });
    let hit = 0.2 + 4_096.0 / 300e6 * 1e3;
    for (pause, is_hit) in [(2 * TURN, true), (0, false)] {
        // The first read finds the heads on the track but far round: hardly anything passes on the way for half of the phases.
        let hits = (0..40).filter(|seed| {
            let mut hdd = Hdd::new(&spec, *seed).expect("a valid disk");
            let first = open_loop(&mut hdd, &[(Nanos::ZERO, request(0, Op::Read, 900 * 512, 4_096))])[0];
            let load = [(first.completed + Nanos(pause), request(0, Op::Read, 0, 4_096))];
            open_loop(&mut hdd, &load)[0].latency_ms() < hit + 1e-3
        });
        let hits = hits.count();
        assert!(if is_hit { hits == 40 } else { hits < 20 }, "{hits} of 40 after {pause} ns");
    }
}

#[test]
fn a_head_settles_anew_after_a_rest() {
    let spec = HddSpec { cache_bytes: 0, head_switch_ns: 2 * MS, queue_depth: 1, ..fast_disk() };
    let mean = |pause: u64| {
        let mut hdd = disk(&spec);
        let mut now = Nanos::ZERO;
        let mut phase = random::stream(3, "phase");
        let times = (0..4_000).map(|_| {
            let served = open_loop(&mut hdd, &[(now, request(0, Op::Read, 0, 512))])[0];
            now = served.completed + Nanos(pause + phase.random_range(0..TURN));
            served.latency_ms()
        });
        times.sum::<f64>() / 4_000.0
    };
    let (rested, busy) = (mean(2 * TURN), mean(0));
    println!("the same sector at random phases: {busy:.3} ms at once, {rested:.3} ms after a rest");
    assert!((rested - busy - 2.0).abs() < 0.1, "{rested} ms after a rest, {busy} ms at once");
}
