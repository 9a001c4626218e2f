//! Miss counts that others have published of public traces, which are not part of the project: `DRIVECAST_CORPUS` names the
//! folder that has them.

use drivecast_block::{Nanos, Op, Record};
use drivecast_workload::eviction::{Accesses, By, Collector, Counts, EverySize, Eviction, Limits, play};
use std::path::PathBuf;
use std::process::Command;

const MIB: u64 = 1 << 20;

fn corpus(path: &str) -> Option<PathBuf> {
    let Ok(corpus) = std::env::var("DRIVECAST_CORPUS") else {
        eprintln!("skipped: set DRIVECAST_CORPUS to the folder with {path}");
        return None;
    };
    Some(PathBuf::from(corpus).join(path))
}

fn collected(by: By, records: impl Iterator<Item = Record>) -> Accesses {
    let mut collector = Collector::new(by, Limits::default());
    records.for_each(|record| collector.push(&record));
    collector.finish()
}

fn record(op: Op, offset: u64, size: u32) -> Record {
    Record { time: Nanos(0), offset, size, stream: 0, op, fua: false, latency: None }
}

/// A trace of a virtual disk: records of 32 B.
fn cloud_physics() -> Option<Accesses> {
    let path = corpus("traces/cloudphysics/cloudPhysicsIO.vscsi")?;
    let bytes = std::fs::read(path).expect("the trace is there");
    let records = bytes.chunks_exact(32).map(|row| {
        let word = |at: usize| u32::from_le_bytes(row[at..at + 4].try_into().expect("four bytes"));
        let lbn = u64::from_le_bytes(row[16..24].try_into().expect("eight bytes"));
        let op = if word(12) as u16 == 0x28 { Op::Read } else { Op::Write };
        record(op, lbn * 512, word(4))
    });
    Some(collected(By::Object, records))
}

/// The pages of a database: lines of `start_page pages ignored request`.
fn oltp() -> Option<Accesses> {
    let path = corpus("traces/arc/OLTP.lis.zst")?;
    let unpacked = Command::new("zstd").args(["-dcq"]).arg(path).output();
    let text = String::from_utf8(unpacked.expect("zstd is installed").stdout).expect("the trace is text");
    let records = text.lines().map(|line| {
        let mut fields = line.split_ascii_whitespace().map(|field| field.parse::<u64>().expect("a number"));
        let (first, count) = (fields.next().expect("a page"), fields.next().expect("a count"));
        record(Op::Read, first * 4096, count as u32 * 4096)
    });
    Some(collected(By::Block, records))
}

fn misses(counts: Counts) -> f64 {
    counts.read_misses + counts.write_misses
}

#[test]
fn objects_of_a_virtual_disk() {
    let Some(accesses) = cloud_physics() else { return };
    assert_eq!((accesses.requests(), accesses.objects()), (113_872.0, 48_974.0));
    let published = [
        (Eviction::Lru, [93_374, 89_783, 83_572, 81_722, 72_494, 72_104, 71_972, 71_704]),
        (Eviction::Fifo, [93_403, 89_386, 84_387, 84_025, 72_498, 72_228, 72_182, 72_140]),
        (Eviction::Clock, [93_313, 89_775, 83_411, 81_328, 74_815, 72_283, 71_927, 64_456]),
        (Eviction::Arc, [90_252, 85_861, 78_168, 74_297, 67_381, 65_685, 64_439, 64_772]),
        (Eviction::S3Fifo, [89_307, 82_387, 77_041, 76_791, 71_300, 70_343, 70_455, 70_355]),
        (Eviction::Sieve, [91_699, 86_720, 78_578, 76_707, 69_945, 66_221, 64_445, 64_376]),
        (Eviction::Belady, [79_256, 70_724, 65_481, 61_594, 59_645, 57_599, 50_873, 48_974]),
    ];
    for (eviction, expected) in published {
        let found = (1..=8).map(|size| misses(play(&accesses, eviction, size * 128 * MIB, 0)));
        let expected: Vec<f64> = expected.into_iter().map(f64::from).collect();
        assert_eq!(found.collect::<Vec<f64>>(), expected, "{}", eviction.name());
    }
}

#[test]
fn objects_of_a_virtual_disk_where_details_differ() {
    let Some(accesses) = cloud_physics() else { return };
    // The program draws from the low 20 bits of a congruential generator, which meet each of its 2^20 places once before
    // any comes again: that is not quite at random, and what stays longest hits a little more often. What LIRS remembers is
    // bounded in other ways.
    let published = [
        (Eviction::Random, 0.025, [92_444, 88_637, 84_247, 79_875, 75_206, 71_042, 67_096, 63_182]),
        (Eviction::Lirs, 0.0061, [89_819, 79_237, 73_143, 70_363, 68_405, 64_494, 58_640, 53_924]),
    ];
    for (eviction, tolerance, expected) in published {
        for (size, expected) in (1..).zip(expected.map(f64::from)) {
            let found = misses(play(&accesses, eviction, size * 128 * MIB, 0));
            let error = found / expected - 1.0;
            assert!(error.abs() < tolerance, "{} {size}: {found} for {expected}", eviction.name());
        }
    }
}

#[test]
fn pages_of_a_database() {
    let Some(accesses) = oltp() else { return };
    let every = EverySize::of(&accesses);
    let published = [
        (1000, 0.6717, 0.6105),
        (2000, 0.5753, 0.5392),
        (5000, 0.4635, 0.4475),
        (10_000, 0.3930, 0.3813),
        (15_000, 0.3537, 0.3460),
    ];
    for (pages, lru, arc) in published {
        let miss_ratio = |counts: Counts| misses(counts) / accesses.requests();
        let found = [
            miss_ratio(every.at(pages * 4096)),
            miss_ratio(play(&accesses, Eviction::Lru, pages * 4096, 0)),
            miss_ratio(play(&accesses, Eviction::Arc, pages * 4096, 0)),
        ];
        for (found, expected) in found.into_iter().zip([lru, lru, arc]) {
            assert!((found - expected).abs() <= 0.00005, "{pages} pages: {found} for {expected}");
        }
    }
}
