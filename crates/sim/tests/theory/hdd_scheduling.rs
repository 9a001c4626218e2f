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
