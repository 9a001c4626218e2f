//! Processes are named by the formats that have their names, and stay so in Parquet.

use crate::writer::{D, Event, NOTIFY, READ, drain, event, little, trace};
use drivecast_trace::{Log, Options, ProcessSummary, Summary, convert, open_any};

fn named(summary: &Summary) -> Vec<(u32, &str)> {
    summary.processes.iter().map(|ProcessSummary { stream, name }| (*stream, name.as_str())).collect()
}

fn of_text(text: &str) -> Summary {
    drain(trace(&[("log", text.as_bytes().to_vec())], &Options::default()).unwrap()).unwrap().1
}

/// A file in which process 7 calls itself so, twice.
fn noted(names: [&[u8]; 2]) -> Vec<u8> {
    let note = Event { payload: 16, ..event(0, NOTIFY, 0, 0) };
    let mut file = little(&[note, event(10, READ | D, 8, 4096), note, event(20, READ | D, 16, 4096)]);
    // Notes have no sequence number; then their payload is the name, with zeroes behind it.
    for (at, name) in [(0, names[0]), (48 + 16 + 48, names[1])] {
        file[at + 4..at + 8].fill(0);
        file[at + 48..at + 64].fill(0);
        file[at + 48..at + 48 + name.len()].copy_from_slice(name);
    }
    file
}

#[test]
fn notes_of_blktrace() {
    let file = noted([b"bash", b"ib_log_writer"]);
    let (records, summary) = drain(trace(&[("t", file)], &Options::default()).unwrap()).unwrap();
    assert_eq!(records.len(), 2);
    assert_eq!(named(&summary), [(7, "ib_log_writer")], "the last of its names");
}

#[test]
fn a_name_that_is_no_text_is_shown_as_it_can_be() {
    let file = noted([b"a\xff", b"a\xff"]);
    let (_, summary) = drain(trace(&[("t", file)], &Options::default()).unwrap()).unwrap();
    assert_eq!(named(&summary), [(7, "a\u{fffd}")]);
}

#[test]
fn text_of_blkparse() {
    let text = "  8,16   0        1     0.000000000   101  Q  WS 8 + 8 [postgres: walwri]\n  \
                8,16   0        2     0.000001000   102  D   R 16 + 8 [kworker/0:1]\n  \
                8,16   0        3     0.000002000   102  C   R 16 + 8 [0]\n";
    assert_eq!(named(&of_text(text)), [(101, "postgres: walwri"), (102, "kworker/0:1")]);
}

#[test]
fn text_of_ftrace() {
    let text = "# tracer: blk\n#\n  my-sqld x-13084   [001] d..1. 25916.110208:   7,0    Q  RM 8742 + 2 [fio]\n  \
                jbd2/sda-8-9 (    9) [001] d..1. 25916.110215:   7,0    D  RM 8742 + 2 [fio]\n";
    assert_eq!(named(&of_text(text)), [(9, "jbd2/sda-8"), (13_084, "my-sqld x")]);
}

#[test]
fn text_of_biosnoop() {
    let text = "TIME(s)     COMM           PID    DISK      T SECTOR     BYTES   LAT(ms)\n\
                1.0    ib log   1   sda     R 8   4096   0.50\n";
    assert_eq!(named(&of_text(text)), [(1, "ib log")]);
}

#[test]
fn no_more_than_a_few_thousand_are_remembered() {
    let line = |pid: u32| format!("  8,16 0 1 0.000000000 {pid} Q R 8 + 8 [p{pid}]\n");
    let text: String = (1..10_000).map(line).collect();
    assert_eq!(of_text(&text).processes.len(), 4096);
}

#[test]
fn parquet_has_them_too() {
    let folder = tempfile::TempDir::new().unwrap();
    let (log, out) = (folder.path().join("log.blktrace.0"), folder.path().join("log.parquet"));
    std::fs::write(&log, noted([b"bash", b"mariadbd"])).unwrap();
    convert(&[log], &out, &Options::default(), &mut |_| std::ops::ControlFlow::Continue(())).unwrap();
    let Log::Trace(read) = open_any(&[out], &Options::default()).unwrap() else { panic!("a trace") };
    assert_eq!(named(&drain(read).unwrap().1), [(7, "mariadbd")]);
}
