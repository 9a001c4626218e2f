//! The bundled recording gives the figures of its README: counted by blkparse, btt and an independent reader.

use crate::writer::drain;
use drivecast_block::{Op, Record};
use drivecast_trace::{Event, Log, LogSummary, Options, Summary, convert, open, open_any};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/mariadb-oltp").join(name)
}

fn options(event: Event) -> Options {
    Options { event: Some(event), ..Options::default() }
}

fn read(event: Event) -> (Vec<Record>, Summary) {
    drain(open(&[example("mariadb-oltp.blktrace")], &options(event)).unwrap()).unwrap()
}

/// Events; reads and bytes; writes and bytes; zero length.
type Counts = (u64, (u64, u64), (u64, u64), u64);

const Q: Counts = (263_828, (180_625, 2_959_360_000), (65_860, 1_725_249_024), 17_343);
const D: Counts = (264_175, (180_625, 2_959_360_000), (66_021, 1_725_249_024), 17_529);
const C: Counts = (281_617, (180_625, 2_959_360_000), (66_021, 1_725_249_024), 34_971);

fn tallied(summary: &Summary, event: &str) -> Counts {
    let tally = summary.tally(event).expect("blktrace has all three tallies");
    (tally.events, (tally.reads, tally.read_bytes), (tally.writes, tally.write_bytes), tally.zero_length)
}

fn counted(records: &[Record]) -> Counts {
    let of = |op| {
        let data = records.iter().filter(move |record| record.op == op && record.has_data());
        data.fold((0, 0), |(count, bytes), record| (count + 1, bytes + u64::from(record.size)))
    };
    let flushes = records.iter().filter(|record| record.op == Op::Flush).count() as u64;
    (records.len() as u64, of(Op::Read), of(Op::Write), flushes)
}

#[test]
fn tallies_and_rows() {
    let (queued, summary) = read(Event::Queue);
    let (issued, _) = read(Event::Issue);
    assert_eq!(tallied(&summary, "queue"), Q);
    assert_eq!(tallied(&summary, "issue"), D);
    assert_eq!(tallied(&summary, "complete"), C);
    assert_eq!(counted(&queued), Q);
    assert_eq!(counted(&issued), D);
    assert_eq!(summary.notes, [] as [&str; 0]);
}

#[test]
fn times_and_places() {
    let (queued, _) = read(Event::Queue);
    let data: Vec<_> = queued.iter().filter(|record| record.has_data()).collect();
    let span_s = queued.last().map(|record| record.time.as_secs_f64()).unwrap();
    assert!((span_s - 240.38).abs() < 0.01, "{span_s}");
    let in_second =
        |second: u64| data.iter().filter(|record| record.time.0 / 1_000_000_000 == second).count();
    assert_eq!((0..241).map(|second| (in_second(second), second)).max(), Some((5_446, 181)));
    let accessed = |op: Option<Op>| {
        let of = data.iter().filter(|record| op.is_none_or(|op| record.op == op));
        of.flat_map(|record| record.offset / 4096..record.end().div_ceil(4096)).collect::<BTreeSet<_>>().len()
            * 4096
    };
    assert_eq!(
        (accessed(None), accessed(Some(Op::Read)), accessed(Some(Op::Write))),
        (1_066_426_368, 964_263_936, 380_837_888)
    );
    let sequential =
        data.windows(2).filter(|pair| pair[0].end() == pair[1].offset).count() as f64 / data.len() as f64;
    assert!((sequential - 0.371).abs() < 0.0005, "{sequential}");
}

#[test]
fn latencies_agree_with_btt() {
    let (issued, summary) = read(Event::Issue);
    assert_eq!(summary.rows_with_latency, summary.rows, "every request completes in the recording");
    let of_data: Vec<f64> = issued
        .iter()
        .filter(|r| r.has_data())
        .filter_map(|r| r.latency)
        .map(|latency| latency.as_secs_f64() * 1e3)
        .collect();
    let mean_ms = of_data.iter().sum::<f64>() / of_data.len() as f64;
    // btt counts a few flushes among its D2C, which are shorter.
    assert!((mean_ms / 0.4115 - 1.0).abs() < 0.005, "{mean_ms}");
    let max_ms = of_data.iter().copied().fold(0.0, f64::max);
    assert!((max_ms - 431.7).abs() < 0.05, "{max_ms}");
}

#[test]
fn parquet_gives_the_same() {
    for event in [Event::Queue, Event::Issue] {
        let directory = tempfile::TempDir::new().unwrap();
        let out = directory.path().join("trace.parquet");
        let go_on = &mut |_| ControlFlow::Continue(());
        let written = convert(&[example("")], &out, &options(event), go_on).unwrap();
        let (records, summary) = read(event);
        assert_eq!(written, LogSummary::Trace(summary.clone()));
        assert!(drain(open(&[out], &options(event)).unwrap()).unwrap() == (records, summary));
    }
}

#[test]
fn iostat_of_the_same_minutes() {
    let Log::Counters(log) = open_any(&[example("iostat.json.xz")], &Options::default()).unwrap() else {
        panic!("iostat's log is a counter log");
    };
    let sum =
        |value: fn(&drivecast_block::Sample) -> f64| log.samples().iter().map(value).sum::<f64>().round();
    assert_eq!(log.samples().len(), 240);
    assert_eq!(sum(|sample| sample.reads), 180_522.0);
    assert_eq!(sum(|sample| sample.writes + sample.flushes.unwrap_or(0.0)), 83_329.0);
    assert_eq!(sum(|sample| sample.read_bytes / 1024.0), 2_888_347.0);
    assert_eq!(sum(|sample| sample.written_bytes / 1024.0), 1_684_398.0);
    // Without flushes the writes are those of the trace, as nearly as rates of two decimals tell.
    assert!((sum(|sample| sample.writes) / Q.2.0 as f64 - 1.0).abs() < 0.002);

    let directory = tempfile::TempDir::new().unwrap();
    let out = directory.path().join("counters.parquet");
    let written =
        convert(&[example("iostat.json.xz")], &out, &Options::default(), &mut |_| ControlFlow::Continue(()));
    assert_eq!(written.unwrap(), LogSummary::Counters(log.summary().clone()));
    let Log::Counters(back) = open_any(&[out], &Options::default()).unwrap() else {
        panic!("counters stay counters")
    };
    assert_eq!(back, log);
}
