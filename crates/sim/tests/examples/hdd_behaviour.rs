//! What a disk does, case by case.

use crate::*;
use drivecast_sim::spec::SpecError;
use drivecast_sim::spec::{HddBuffer, HddZone, ReadAhead};

const MS: u64 = 1_000_000;

/// Latencies in ms of requests that come one by one, each at its time.
fn latencies(hdd: &mut Hdd, requests: &[(u64, Op, u64, u32)]) -> Vec<f64> {
    let row = |(id, (ms, op, offset, size)): (usize, &(u64, Op, u64, u32))| {
        (Nanos(ms * MS), request(id as u64, *op, *offset, *size))
    };
    let load: Vec<_> = requests.iter().enumerate().map(row).collect();
    let mut served = open_loop(hdd, &load);
    served.sort_by_key(|served| served.request.id);
    served.iter().map(Served::latency_ms).collect()
}

/// Whether 4 KiB took the controller's overhead and the link alone.
fn is_buffered(ms: f64) -> bool {
    (ms - 0.2 - 4_096e3 / 300e6).abs() < 1e-4
}

fn field_of(error: SpecError) -> String {
    error.field.into_owned()
}

#[test]
fn short_stroking_offers_the_outer_part() {
    let spec = HddSpec { partition: 0.25, ..fast_disk() };
    assert_eq!(disk(&spec).capacity(), Bytes(75_000_000_000 / 512 * 512));
    assert_eq!(disk(&spec).cylinders(), disk(&fast_disk()).cylinders(), "the arm is the same");
}

#[test]
fn a_sequential_read_after_a_pause_comes_from_the_buffer() {
    let times =
        latencies(&mut disk(&fast_disk()), &[(0, Op::Read, 0, 65_536), (50, Op::Read, 65_536, 65_536)]);
    assert!(times[0] > 0.7, "the first read turns the platters: {times:?}");
    let buffered = 0.2 + 65_536e3 / 300e6;
    assert!((times[1] - buffered).abs() < 0.001, "overhead and link, {buffered} ms: {times:?}");
}

#[test]
fn without_a_buffer_a_sequential_read_waits_for_the_platters() {
    let spec = HddSpec { cache_bytes: 0, ..fast_disk() };
    let times = latencies(&mut disk(&spec), &[(0, Op::Read, 0, 65_536), (50, Op::Read, 65_536, 65_536)]);
    assert!(times[1] > 0.7, "{times:?}");
}

#[test]
fn a_write_removes_what_was_buffered() {
    let steps = [(0, Op::Read, 0, 4_096), (50, Op::Write, 0, 65_536), (100, Op::Read, 4_096, 4_096)];
    let times = latencies(&mut disk(&fast_disk()), &steps);
    assert!(!is_buffered(times[2]), "read from the medium: {times:?}");
}

#[test]
fn cached_writes_complete_before_the_medium_and_a_flush_after() {
    let cached = HddSpec { write_cache: true, ..fast_disk() };
    let offset = 100_000_000_000;
    let steps = [(0, Op::Write, offset, 4_096), (0, Op::Flush, 0, 0), (50, Op::Read, offset, 4_096)];
    let times = latencies(&mut disk(&cached), &steps);
    assert!(is_buffered(times[0]), "overhead and link: {times:?}");
    assert!(times[1] > 2.0, "a seek over a third of the disk: {times:?}");
    assert!(is_buffered(times[2]), "written data are in the buffer: {times:?}");
    let through = latencies(&mut disk(&fast_disk()), &steps);
    assert!(through[0] > 2.0, "without write cache the write itself takes the seek: {through:?}");
}

#[test]
fn a_write_with_forced_unit_access_goes_to_the_medium() {
    let cached = HddSpec { write_cache: true, ..fast_disk() };
    let forced = Request { fua: true, ..request(0, Op::Write, 100_000_000_000, 4_096) };
    let lone =
        |spec: &HddSpec, write: Request| open_loop(&mut disk(spec), &[(Nanos::ZERO, write)])[0].completed;
    assert!(lone(&cached, forced) > Nanos::from_us(2_000), "a seek over a third of the disk");
    let through = Request { fua: false, ..forced };
    assert_eq!(lone(&cached, forced), lone(&fast_disk(), through), "as without the cache");
    assert_eq!(lone(&fast_disk(), forced), lone(&fast_disk(), through), "without the cache it is one anyway");
}

#[test]
fn a_full_write_cache_makes_writes_wait() {
    let spec = HddSpec { write_cache: true, cache_bytes: 1 << 20, queue_depth: 1, ..fast_disk() };
    let mut hdd = disk(&spec);
    let requests = uniform(&hdd, 3, Op::Write, 65_536);
    let served = closed_loop(&mut hdd, 1, 400, requests);
    let mean = |served: &[Served]| served.iter().map(Served::latency_ms).sum::<f64>() / served.len() as f64;
    assert!(mean(&served[..4]) < 0.5, "room at first: {} ms", mean(&served[..4]));
    let full = mean(&served[100..]);
    assert!((1.5..7.0).contains(&full), "then the mechanism sets the pace: {full} ms");
    assert!(hdd.counters().busy_ns > 0);
}

#[test]
fn requests_beyond_the_depth_wait_in_order() {
    let spec = HddSpec { queue_depth: 1, ..fast_disk() };
    let mut hdd = disk(&spec);
    let mut next = uniform(&hdd, 5, Op::Read, 4_096);
    let load: Vec<_> = (0..50).map(|id| (Nanos::ZERO, next(id))).collect();
    let order: Vec<u64> = open_loop(&mut hdd, &load).iter().map(|served| served.request.id).collect();
    assert!(order.into_iter().eq(0..50), "a disk that holds one command cannot reorder");
}

#[test]
fn no_request_starves() {
    let mut hdd = disk(&fast_disk());
    let mut near = random::stream(1, "near");
    let far = hdd.capacity().0 - 4_096;
    // One request at the far end against 31 that keep to the outermost hundredth.
    let served = closed_loop(&mut hdd, 32, 3_000, |id| {
        let offset = if id == 0 { far } else { near.random_range(0..700_000) * 4_096 };
        request(id, Op::Read, offset, 4_096)
    });
    let place = served.iter().position(|served| served.request.id == 0).expect("it is served");
    assert!((500..520).contains(&place), "after 16 passes for each of 32 places, not {place}");
}

#[test]
fn measured_buffers_do_what_was_measured() {
    let buffer = HddBuffer {
        segments: 4,
        write_segments: 1,
        segment_sectors: 1_024,
        read_ahead: ReadAhead::Segment,
        keeps_passing: false,
        keeps_delivered: true,
        reads_on_arrival: false,
    };
    let with = |buffer| {
        let mut spec = fast_disk();
        spec.measured.buffer = Some(buffer);
        spec
    };
    let again = [
        (0, Op::Read, 1 << 20, 4_096),
        (50, Op::Read, 1 << 20, 4_096),
        (100, Op::Read, (1 << 20) + 4_096, 4_096),
    ];
    let keeps = latencies(&mut disk(&with(buffer)), &again);
    assert!(is_buffered(keeps[1]) && is_buffered(keeps[2]), "reread and ahead: {keeps:?}");
    let forgets = latencies(&mut disk(&with(HddBuffer { keeps_delivered: false, ..buffer })), &again);
    assert!(!is_buffered(forgets[1]), "what was delivered is gone: {forgets:?}");
    let off = latencies(&mut disk(&with(HddBuffer { read_ahead: ReadAhead::Off, ..buffer })), &again);
    assert!(is_buffered(off[1]) && !is_buffered(off[2]), "nothing was read ahead: {off:?}");
}

#[test]
fn reading_on_arrival_takes_a_turn_at_most() {
    let mean = |reads_on_arrival| {
        let mut spec = fast_disk();
        spec.measured.buffer = Some(HddBuffer {
            segments: 2,
            write_segments: 0,
            segment_sectors: 2_048,
            read_ahead: ReadAhead::Off,
            keeps_passing: false,
            keeps_delivered: true,
            reads_on_arrival,
        });
        let mut hdd = disk(&spec);
        // Nearly whole tracks of the outermost zone: 977 sectors of 512 bytes.
        let mut stream = random::stream(2, "tracks");
        let requests = move |id| request(id, Op::Read, stream.random_range(0..10_000) * 977 * 512, 900 * 512);
        let served = closed_loop(&mut hdd, 1, 2_000, requests);
        served.iter().map(Served::latency_ms).sum::<f64>() / 2_000.0
    };
    let (in_order, on_arrival) = (mean(false), mean(true));
    let saved = in_order - on_arrival;
    // Half a revolution of waiting goes, up to the case that the heads come between the end and the beginning.
    assert!((1.4..2.0).contains(&saved), "saved {saved} ms of half a revolution (2 ms)");
}

#[test]
fn wrong_fields_are_named() {
    let good = fast_disk;
    let sheet = |track_ns, mean_ns, full_ns| Seek::Sheet { track_ns, mean_ns, full_ns };
    let table = |distances: &[u32], times_ns: &[u64]| Seek::Table {
        distances: distances.to_vec(),
        times_ns: times_ns.to_vec(),
    };
    let cases = [
        ("capacity_bytes", HddSpec { capacity_bytes: 0, ..good() }),
        (
            "capacity_bytes",
            HddSpec {
                outer_bytes_per_s: 1e9,
                inner_bytes_per_s: 1e9,
                capacity_bytes: 1_000_000,
                zones: 1,
                ..good()
            },
        ),
        ("partition", HddSpec { partition: 0.0, ..good() }),
        ("partition", HddSpec { partition: 1.1, ..good() }),
        ("partition", HddSpec { partition: f64::NAN, ..good() }),
        ("rpm", HddSpec { rpm: 0.0, ..good() }),
        ("surfaces", HddSpec { surfaces: 0, ..good() }),
        ("outer_bytes_per_s", HddSpec { outer_bytes_per_s: f64::INFINITY, ..good() }),
        ("inner_bytes_per_s", HddSpec { inner_bytes_per_s: 130e6, ..good() }),
        ("zones", HddSpec { zones: 0, ..good() }),
        ("queue_depth", HddSpec { queue_depth: 0, ..good() }),
        ("link_bytes_per_s", HddSpec { link_bytes_per_s: -1.0, ..good() }),
        ("cache_bytes", HddSpec { cache_bytes: 0, write_cache: true, ..good() }),
        ("head_switch_ns", HddSpec { head_switch_ns: 1_000 * MS, ..good() }),
        ("write_settle_ns", HddSpec { write_settle_ns: 100 * MS, ..good() }),
        ("seek", HddSpec { seek: sheet(0, 3 * MS, 7 * MS), ..good() }),
        ("seek", HddSpec { seek: sheet(MS, MS, 7 * MS), ..good() }),
        ("seek", HddSpec { seek: sheet(MS, 2 * MS, 7 * MS), ..good() }),
        ("seek", HddSpec { seek: sheet(MS, 900 * MS, 1_000 * MS), ..good() }),
        ("seek", HddSpec { seek: table(&[1], &[MS]), ..good() }),
        ("seek.distances", HddSpec { seek: table(&[2, 90_000], &[MS, 2 * MS]), ..good() }),
        ("seek.distances", HddSpec { seek: table(&[1, 1, 90_000], &[MS, MS, 2 * MS]), ..good() }),
        ("seek.distances", HddSpec { seek: table(&[1, 1_000], &[MS, 2 * MS]), ..good() }),
        ("seek.times_ns", HddSpec { seek: table(&[1, 90_000], &[0, 2 * MS]), ..good() }),
    ];
    for (field, spec) in cases {
        let error = Hdd::new(&spec, 0).expect_err(field);
        assert_eq!(field_of(error.clone()), field, "{error}");
    }
}

#[test]
fn measured_layouts_must_be_of_this_disk() {
    let zone = |sectors_per_track| HddZone {
        cylinders: 60_000,
        sectors_per_track,
        track_skew: 80,
        cylinder_skew: 180,
        range_cylinders: 0,
        spare_sectors: 0,
        empty_cylinders: 0,
    };
    let with = |layout: Vec<HddZone>| {
        let mut spec = fast_disk();
        spec.measured.layout = layout;
        Hdd::new(&spec, 0)
    };
    assert_eq!(with(vec![zone(977), zone(570)]).expect("agrees with the sheet").cylinders(), 120_000);
    assert_eq!(field_of(with(vec![zone(977)]).expect_err("one zone")), "measured.layout");
    assert_eq!(field_of(with(vec![zone(1_100), zone(570)]).expect_err("faster")), "outer_bytes_per_s");
    assert_eq!(field_of(with(vec![zone(977), zone(0)]).expect_err("empty zone")), "measured.layout");
}
