//! Public traces, which are not part of the project: `DRIVECAST_CORPUS` names the folder that has them.

use crate::writer::{drain, noted};
use drivecast_block::{Op, Record};
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

#[test]
fn cloudphysics_as_csv_is_the_same_trace() {
    let Some((binary, _)) = read("traces/cloudphysics/cloudPhysicsIO.vscsi") else { return };
    let Some((text, summary)) = read("traces/cloudphysics/cloudPhysicsIO.us.csv.gz") else { return };
    assert_eq!(summary.format, "cloudphysics");
    assert!(binary == text);
}

#[test]
fn arc_oltp() {
    let Some((records, summary)) = read("traces/arc/OLTP.lis.zst") else { return };
    assert_eq!(summary.format, "arc");
    let pages: Vec<u64> = records
        .iter()
        .flat_map(|record| record.offset / 4096..(record.offset + u64::from(record.size)) / 4096)
        .collect();
    let unique: std::collections::HashSet<_> = pages.iter().collect();
    assert_eq!((pages.len(), unique.len()), (914_145, 186_880));
}

/// Events of every kind: those that are counted, and those that a note says were left out.
#[test]
fn open_cas_has_all_its_events() {
    let Some((records, summary)) = read("traces/opencas/sample_trace.tar.xz") else { return };
    assert_eq!((summary.format.as_str(), summary.files.len()), ("octf", 72));
    let number = |note: &String| note.split(": ").nth(1)?.split(' ').next()?.parse::<u64>().ok();
    let others: u64 = summary
        .notes
        .iter()
        .filter(|note| note.ends_with("events about files and devices were left out"))
        .filter_map(number)
        .sum();
    let counted: u64 = summary.tallies.iter().map(|tally| tally.events).sum();
    // A file with no further event than its device says nothing of it.
    assert!(counted + others <= 193_615 && counted + others + 72 >= 193_615, "{counted} + {others}");
    assert_eq!(summary.devices.len(), 1);
    let with_latency = records.iter().filter(|record| record.latency.is_some()).count();
    assert!(with_latency as f64 / records.len() as f64 > 0.99, "{with_latency} of {}", records.len());
}

#[test]
fn text_of_blkparse_as_others_made_it() {
    let Some((records, summary)) = read("traces/blkparse/blkparse-output.txt") else { return };
    assert_eq!(summary.format, "blkparse");
    assert_eq!(summary.devices[0].device, "8:33");
    // All are D events; those of passthrough commands are left out.
    let issue = summary.tally("issue").unwrap();
    assert!(issue.events <= 677 && issue.events > 600, "{}", issue.events);
    assert_eq!(records[0].offset, 540_544 * 512);
}

#[test]
fn texts_of_simulators() {
    for (path, format, rows) in [
        ("traces/mqsim/tpcc-small.trace", "mqsim", 6_999),
        ("traces/mqsim/wsrch-small.trace", "mqsim", 24_783),
        ("traces/msps/DTRS100M.trace.gz", "mqsim", 127_043),
        ("disks/atlas10k.trace", "dixtrac", 10_000),
        ("disks/barracuda.trace", "dixtrac", 10_000),
        ("disks/cheetah4LP.trace", "dixtrac", 10_000),
    ] {
        let Some((records, summary)) = read(path) else { return };
        assert_eq!((summary.format.as_str(), records.len()), (format, rows), "{path}");
        assert!(records.iter().any(|record| record.op == Op::Read));
    }
}
