//! The text of the real blkparse gives the trace that the binary gives.

use crate::writer::{drain, read_ok};
use drivecast_block::Record;
use drivecast_trace::{Event, Options, open};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// The first records of the bundled recording, cut where a record ends.
fn recording(folder: &Path, bytes: usize) -> PathBuf {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/mariadb-oltp");
    for cpu in 0..2 {
        let packed = std::fs::File::open(examples.join(format!("mariadb-oltp.blktrace.{cpu}.xz"))).unwrap();
        let mut log = Vec::new();
        liblzma::read::XzDecoder::new(packed).take(bytes as u64).read_to_end(&mut log).unwrap();
        let mut end = 0;
        while let Some(record) = log.get(end..end + 48) {
            end += 48 + usize::from(u16::from_le_bytes([record[46], record[47]]));
        }
        log.truncate(end);
        std::fs::write(folder.join(format!("part.blktrace.{cpu}")), log).unwrap();
    }
    folder.join("part.blktrace")
}

/// Both programs put events of equal times in orders of their own.
fn sorted(mut records: Vec<Record>) -> Vec<Record> {
    records.sort_by_key(|r| (r.time, r.offset, r.size, r.op, r.stream, r.latency));
    records
}

#[test]
fn text_and_binary_are_one_trace() {
    let folder = TempDir::new().unwrap();
    let set = recording(folder.path(), 3 << 20);
    let Ok(output) = Command::new("blkparse").args(["-i", "part"]).current_dir(folder.path()).output() else {
        eprintln!("skipped: install blktrace to run this test");
        return;
    };
    for event in [Event::Issue, Event::Queue] {
        let options = Options { event: Some(event), ..Options::default() };
        let (binary, summary) = drain(open(std::slice::from_ref(&set), &options).unwrap()).unwrap();
        let (text, told) = read_ok(output.stdout.clone(), &options);
        assert!(binary.len() > 10_000, "{}", binary.len());
        assert_eq!(summary.tallies, told.tallies);
        let (binary, text) = (sorted(binary), sorted(text));
        let asked = |records: &[Record]| -> Vec<_> {
            records.iter().map(|r| (r.time, r.offset, r.size, r.op, r.stream)).collect()
        };
        assert!(asked(&binary) == asked(&text));
        // Of events at one time the programs take another one first, and so another partner.
        let differ = binary.iter().zip(&text).filter(|(a, b)| a.latency != b.latency).count();
        assert!(differ <= binary.len() / 10_000, "{differ}");
    }
}

#[test]
fn barriers_of_old_kernels_are_flushes_and_durable_writes() {
    let line = |letters: &str, sector: u64| {
        format!("  8,16   1  {sector}  0.{sector:09}  1234  D  {letters} {sector} + 8 [fio]\n")
    };
    let lines: String = ["WBS", "WS", "RAM", "RS", "WBM", "DS", "WFS", "FWFS", "WU"]
        .iter()
        .zip(1..)
        .map(|(letters, number)| line(letters, number * 8))
        .collect();
    let (records, _) = read_ok(lines.into_bytes(), &Options::default());
    let durable: Vec<u64> = records.iter().filter(|r| r.fua).map(|r| r.offset / 4096).collect();
    assert_eq!(durable, [1, 5, 7, 8]);
    assert_eq!(records.iter().filter(|r| r.op == drivecast_block::Op::Write).count(), 6);
}
