//! The logs of the real fio, where it is installed.

use crate::writer::drain;
use drivecast_block::{Op, Record};
use drivecast_trace::{Options, open};
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// Runs fio on a file of 4 MiB in a folder; false where there is no fio.
fn run(folder: &Path) -> bool {
    let arguments = [
        "--name=job",
        "--filename=./data",
        "--filesize=4m",
        "--rw=randrw",
        "--bs=4k",
        "--number_ios=200",
        "--ioengine=psync",
        "--fsync=50",
        "--write_iolog=io.log",
        "--write_lat_log=x",
        "--write_bw_log=x",
        "--write_iops_log=x",
        "--log_offset=1",
        "--thinktime=100us",
    ];
    match Command::new("fio").args(arguments).current_dir(folder).output() {
        Ok(output) => {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            true
        }
        Err(_) => {
            eprintln!("skipped: install fio to run this test");
            false
        }
    }
}

fn read(path: &Path) -> Vec<Record> {
    drain(open(&[path.to_owned()], &Options::default()).unwrap()).unwrap().0
}

#[test]
fn all_logs_of_one_run_tell_the_same_requests() {
    let folder = TempDir::new().unwrap();
    if !run(folder.path()) {
        return;
    }
    let place = |record: &Record| (record.op, record.offset, record.size);
    let data = |records: &[Record]| -> Vec<_> {
        let mut all: Vec<_> = records.iter().filter(|record| record.op != Op::Flush).map(place).collect();
        all.sort();
        all
    };
    let asked = read(&folder.path().join("io.log"));
    assert!(asked.iter().any(|record| record.op == Op::Flush), "fio was asked for fsync");
    assert!(asked.is_sorted_by_key(|record| record.time));
    for name in ["x_lat.1.log", "x_clat.1.log", "x_bw.1.log", "x_iops.1.log"] {
        assert_eq!(data(&read(&folder.path().join(name))), data(&asked), "{name}");
    }
    let latencies = read(&folder.path().join("x_lat.1.log"));
    assert!(latencies.iter().all(|record| record.latency.is_some_and(|latency| latency.0 > 0)));
    // Both logs have the requests at the same times, to the millisecond of the latency log.
    let last =
        |records: &[Record]| records.iter().rfind(|record| record.op != Op::Flush).unwrap().time.0 as i64;
    assert!((last(&latencies) - last(&asked)).abs() < 3_000_000 + asked[0].time.0 as i64);
}
