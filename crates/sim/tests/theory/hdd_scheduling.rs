//! SPTF and short stroking against a computed table.
//!
//! The table was computed by an independent program for disks with uniform cylinders and angles, one zone, 0.2 ms of
//! overhead and no transfer time; its queue is refilled before each choice. The measured seek curves it used are read from
//! the corpus; the Cheetah 9LP's five published points are here.

use crate::*;
use std::path::PathBuf;

/// The corpus of measured data, if there is one.
pub(crate) fn corpus(path: &str) -> Option<PathBuf> {
    let Some(root) = std::env::var_os("DRIVECAST_CORPUS") else {
        eprintln!("skipped: set DRIVECAST_CORPUS to the folder that holds {path}");
        return None;
    };
    Some(PathBuf::from(root).join(path))
}

/// A measured seek table: `distance, milliseconds` a line, other lines ignored.
pub(crate) fn seek_table(text: &str) -> Seek {
    let point = |line: &str| {
        let mut fields = line.split(',');
        let distance: u32 = fields.next()?.trim().parse().ok()?;
        let ms: f64 = fields.next()?.trim().parse().ok()?;
        Some((distance, (ms * 1e6).round() as u64))
    };
    let (distances, times_ns) = text.lines().filter_map(point).unzip();
    Seek::Table { distances, times_ns }
}

/// A disk of one zone with exactly these cylinders.
fn uniform_disk(seek: Seek, rpm: f64, cylinders: u64, surfaces: u32) -> HddSpec {
    let sectors_per_track = 300;
    let rate = (sectors_per_track * 512) as f64 * rpm / 60.0;
    HddSpec {
        capacity_bytes: cylinders * u64::from(surfaces) * sectors_per_track * 512,
        partition: 1.0,
        rpm,
        surfaces,
        outer_bytes_per_s: rate,
        inner_bytes_per_s: rate,
        zones: 1,
        seek,
        write_settle_ns: 0,
        head_switch_ns: 0,
        overhead_ns: 200_000,
        link_bytes_per_s: 1e12,
        queue_depth: 64,
        scheduler: Scheduler::Sptf,
        cache_bytes: 0,
        write_cache: false,
        measured: HddMeasured::default(),
    }
}

/// IOPS and, in ms, the mean and 0.99 quantile of latency for random single sectors.
fn measure(spec: &HddSpec, depth: u64) -> (f64, f64, f64) {
    let mut hdd = disk(spec);
    let requests = uniform(&hdd, depth, Op::Read, 512);
    let served = closed_loop(&mut hdd, depth, 60_000, requests);
    let mut latencies: Vec<f64> = served.iter().map(Served::latency_ms).collect();
    latencies.sort_by(f64::total_cmp);
    let mean = latencies.iter().sum::<f64>() / latencies.len() as f64;
    (iops(&served), mean, latencies[latencies.len() * 99 / 100])
}

/// Depths 1, 2, 4, … 64: IOPS. Shares 1, 1/2, 1/3, 1/5, 1/10 of the cylinders: IOPS at depth 1 and 16.
struct Table {
    scaling: [f64; 7],
    strokes: [(f64, f64); 5],
}

fn compare(name: &str, spec: &HddSpec, table: &Table) {
    let mut worst: f64 = 0.0;
    let mut check = |label: String, measured: f64, expected: f64| {
        let error = measured / expected - 1.0;
        println!("{name} {label}: {measured:.1} IOPS, table {expected:.1} ({:+.1} %)", 100.0 * error);
        worst = worst.max(error.abs());
    };
    for (power, expected) in table.scaling.iter().enumerate() {
        let (iops, mean, p99) = measure(spec, 1 << power);
        check(format!("depth {} (mean {mean:.1} p99 {p99:.1} ms)", 1 << power), iops, *expected);
    }
    for (share, expected) in [1.0, 0.5, 0.33, 0.2, 0.1].iter().zip(table.strokes) {
        let spec = HddSpec { partition: *share, ..spec.clone() };
        check(format!("share {share} depth 1"), measure(&spec, 1).0, expected.0);
        check(format!("share {share} depth 16"), measure(&spec, 16).0, expected.1);
    }
    assert!(worst < 0.05, "{name}: {:.1} % from the table", 100.0 * worst);
}

#[test]
fn cheetah_9lp() {
    let seek = Seek::Table {
        distances: vec![1, 10, 200, 2_200, 6_894],
        times_ns: vec![831_000, 1_448_000, 2_517_000, 5_541_000, 10_627_000],
    };
    let table = Table {
        scaling: [115.6, 137.1, 159.6, 185.8, 216.7, 252.6, 291.8],
        strokes: [(115.6, 216.7), (137.7, 255.6), (148.8, 279.0), (161.6, 309.2), (177.5, 346.2)],
    };
    compare("cheetah9LP", &uniform_disk(seek, 10_045.0, 6_962, 12), &table);
}

#[test]
fn maxtor_300g() {
    let Some(path) = corpus("disks/maxtor300g.seek") else { return };
    let seek = seek_table(&std::fs::read_to_string(path).expect("the corpus can be read"));
    let table = Table {
        scaling: [124.5, 147.5, 171.8, 201.0, 236.8, 279.0, 319.2],
        strokes: [(124.5, 236.8), (146.2, 280.2), (157.8, 302.8), (171.5, 329.5), (186.0, 362.9)],
    };
    compare("maxtor300g", &uniform_disk(seek, 10_001.0, 80_512, 8), &table);
}

#[test]
fn atlas_10k() {
    let Some(path) = corpus("disks/atlas10k.seek") else { return };
    let seek = seek_table(&std::fs::read_to_string(path).expect("the corpus can be read"));
    let table = Table {
        scaling: [113.7, 134.2, 155.4, 178.9, 205.8, 238.2, 274.0],
        strokes: [(113.7, 205.8), (134.2, 239.1), (144.3, 259.3), (155.9, 283.3), (169.3, 317.0)],
    };
    compare("atlas10k", &uniform_disk(seek, 10_025.0, 10_042, 6), &table);
}

/// The elevator knows the arm and not the platters: better than order of arrival, which knows neither, and worse than
/// positioning time, which knows both; alone in the queue all three do the same.
#[test]
fn the_elevator_lies_between_fifo_and_sptf() {
    let seek = Seek::Sheet { track_ns: 500_000, mean_ns: 5_000_000, full_ns: 10_000_000 };
    let base = uniform_disk(seek, 10_000.0, 20_000, 4);
    for depth in [1, 4, 16, 64] {
        let iops = |scheduler| measure(&HddSpec { scheduler, ..base.clone() }, depth).0;
        let (fifo, look, sptf) = (iops(Scheduler::Fifo), iops(Scheduler::Look), iops(Scheduler::Sptf));
        println!("depth {depth}: FIFO {fifo:.1}, LOOK {look:.1}, SPTF {sptf:.1} IOPS");
        if depth == 1 {
            assert!((look / fifo - 1.0).abs() < 1e-3 && (sptf / fifo - 1.0).abs() < 1e-3);
        } else {
            assert!(fifo * 1.05 < look && look * 1.05 < sptf, "{fifo} {look} {sptf}");
        }
    }
}

/// A sweep over n uniform requests covers the disk once: with n = 64 waiting the arm moves 1/65 of the way at a time, and a
/// request costs overhead + seek(N/65) + half a revolution at most a few per cent more or less.
#[test]
fn a_sweep_of_the_elevator_costs_short_seeks() {
    let cylinders = 20_000_u64;
    let seek = Seek::Sheet { track_ns: 500_000, mean_ns: 5_000_000, full_ns: 10_000_000 };
    let spec = HddSpec { scheduler: Scheduler::Look, ..uniform_disk(seek, 10_000.0, cylinders, 4) };
    let mut seconds = 0.0;
    let mut moves = 0.0;
    for seed in 0..200 {
        let mut hdd = disk(&spec);
        let mut next = uniform(&hdd, seed, Op::Read, 512);
        let batch: Vec<_> = (0..64).map(|id| (Nanos::ZERO, next(id))).collect();
        let mut places: Vec<u64> = batch.iter().map(|(_, request)| request.offset.0).collect();
        places.sort_unstable();
        let capacity = hdd.capacity().0;
        let cylinder = |offset: u64| (offset * cylinders / capacity) as u32;
        let steps = places.windows(2).map(|pair| cylinder(pair[1]) - cylinder(pair[0]));
        moves += steps.map(|step| hdd.seek_time(step).as_secs_f64()).sum::<f64>() / 63.0;
        let served = open_loop(&mut hdd, &batch);
        let order: Vec<u64> =
            served[1..].iter().map(|served| cylinder(served.request.offset.0).into()).collect();
        assert!(order.is_sorted(), "one sweep inwards");
        seconds += served[63].completed.since(served[0].completed).as_secs_f64() / 63.0;
    }
    let law = 0.2e-3 + moves / 200.0 + 3e-3;
    let error = seconds / 200.0 / law - 1.0;
    println!("LOOK, a batch of 64: {:.3} ms each, law {:.3} ms", 5.0 * seconds, 1e3 * law);
    assert!(error.abs() < 0.02, "{error}");
}
