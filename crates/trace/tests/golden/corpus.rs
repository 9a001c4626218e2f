//! Public traces, which are not part of the project: `DRIVECAST_CORPUS` names the folder that has them.

use crate::writer::{drain, noted};
use drivecast_block::Record;
use drivecast_trace::{Options, Summary, open};
use std::path::PathBuf;

fn read(path: &str) -> Option<(Vec<Record>, Summary)> {
    let Ok(corpus) = std::env::var("DRIVECAST_CORPUS") else {
        eprintln!("skipped: set DRIVECAST_CORPUS to the folder with {path}");
        return None;
    };
    Some(drain(open(&[PathBuf::from(corpus).join(path)], &Options::default()).unwrap()).unwrap())
}

#[test]
fn cloudphysics_vscsi() {
    let Some((records, summary)) = read("traces/cloudphysics/cloudPhysicsIO.vscsi") else { return };
    let tally = summary.tally("request").unwrap();
    assert_eq!((records.len(), tally.events), (113_872, 113_872));
    assert!((tally.writes as f64 / tally.events as f64 - 0.5875).abs() < 0.00005);
    let mean_kib = (tally.read_bytes + tally.write_bytes) as f64 / tally.events as f64 / 1024.0;
    assert!((mean_kib - 36.07).abs() < 0.005, "{mean_kib}");
    assert!((summary.duration_ns as f64 / 1e9 - 7_200.09).abs() < 0.005);
}

#[test]
fn hadoop_of_forty_cpus_without_one() {
    let Some((records, summary)) = read("traces/hadoop/eternity10.blktrace.tar.xz") else { return };
    let events = |kind: &str| summary.tally(kind).unwrap().events;
    assert_eq!((events("queue"), events("issue"), events("complete")), (137_309, 137_358, 81_388));
    assert_eq!(records.len(), 137_358);
    assert!(noted(&summary, "1 of 40 per-CPU files are missing: CPU 33"), "{:?}", summary.notes);
    let queue = summary.tally("queue").unwrap();
    let mean_kib = (queue.read_bytes + queue.write_bytes) as f64 / queue.events as f64 / 1024.0;
    assert!((mean_kib - 289.5).abs() < 0.05, "{mean_kib}");
    assert!((queue.writes as f64 / queue.events as f64 - 0.0139).abs() < 0.00005);
    assert!((summary.duration_ns as f64 / 1e9 - 169.3).abs() < 0.05);
    // btt: 3.0927 ms. Completions are missing with their CPU, and each program guesses some pairs in its own way.
    let paired: Vec<f64> =
        records.iter().filter_map(|r| r.latency).map(|latency| latency.as_secs_f64() * 1e3).collect();
    let mean_ms = paired.iter().sum::<f64>() / paired.len() as f64;
    assert!((mean_ms / 3.0927 - 1.0).abs() < 0.01, "{mean_ms}");
}
