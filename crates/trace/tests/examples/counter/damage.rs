//! Counter logs as users have them: with gaps, steps of the clock, files that overlap, damaged lines. Each is reported with its
//! place and its extent, and refused where the reader is strict.

use super::{notes, read_bytes, read_files};
use drivecast_trace::{CounterLog, Options};

const HEADING: &str = "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\H\\PhysicalDisk(0 C:)\\Disk Reads/sec\",\"\\\\H\\PhysicalDisk(0 C:)\\Disk Writes/sec\",\
\"\\\\H\\PhysicalDisk(0 C:)\\Disk Read Bytes/sec\",\"\\\\H\\PhysicalDisk(0 C:)\\Disk Write Bytes/sec\"\n";

fn line(second: u32, reads: u32) -> String {
    let (hour, minute, second) = (10 + second / 3600, second / 60 % 60, second % 60);
    format!("\"11/21/2026 {hour:02}:{minute:02}:{second:02}.000\",\"{reads}\",\"10\",\"4096\",\"4096\"\n")
}

fn perfmon(seconds: impl Iterator<Item = u32>) -> String {
    seconds.fold(HEADING.to_owned(), |log, second| log + &line(second, 100 + second % 7))
}

fn reads(log: &CounterLog) -> Vec<f64> {
    log.samples().iter().map(|sample| sample.reads).collect()
}

/// The log without `--strict`, which must refuse it with the same words.
fn noted(text: &str, note: &str) -> CounterLog {
    let log = read_bytes(text.as_bytes(), &Options::default()).unwrap();
    assert!(notes(&log, note), "{:?}", log.summary().notes);
    let strict = Options { strict: true, ..Options::default() };
    let message = read_bytes(text.as_bytes(), &strict).unwrap_err();
    assert!(message.starts_with("the log is not whole: ") && message.contains(note), "{message}");
    log
}

#[test]
fn a_whole_log_is_whole() {
    let strict = Options { strict: true, ..Options::default() };
    assert_eq!(read_bytes(perfmon(0..60).as_bytes(), &strict).unwrap().samples().len(), 60);
}

#[test]
fn a_figure_beyond_every_counter_is_refused() {
    let log = perfmon(0..3).replace("\"102\"", "\"1e308\"");
    assert!(read_bytes(log.as_bytes(), &Options::default()).unwrap_err().contains("1e308"));
}

#[test]
fn a_gap_has_its_place_and_length() {
    let log = noted(
        &perfmon((0..20).chain(620..640)),
        "the recording pauses 1 times, for up to 601.000 s before line 22 (2026-11-21 10:10:20)",
    );
    assert_eq!(log.samples().len(), 40);
}

#[test]
fn a_clock_that_steps_back_has_its_place() {
    let again = (10..30).fold(perfmon(0..20), |log, second| log + &line(second, 50));
    let log = noted(
        &again,
        "the clock does not advance in 1 places, at line 22 (2026-11-21 10:00:10) it steps back by 9.000 s",
    );
    assert_eq!(log.samples().len(), 40);
}

#[test]
fn files_that_overlap_are_joined_in_order_and_counted_once() {
    let files = |ranges: [std::ops::Range<u32>; 2]| {
        ranges.map(|range| (format!("{}.csv", range.start), perfmon(range).into_bytes())).to_vec()
    };
    let whole = read_bytes(perfmon(0..60).as_bytes(), &Options::default()).unwrap();
    for ranges in [[0..40, 30..60], [30..60, 0..40]] {
        let log = read_files(files(ranges), &Options::default()).unwrap();
        assert_eq!(reads(&log), reads(&whole));
        assert_eq!(log.summary().disks, whole.summary().disks);
        let note = "10 reports repeat earlier ones, with the same times and figures, the first at 30.csv, line 2 (2026-11-21 10:00:30)";
        assert!(notes(&log, note), "{:?}", log.summary().notes);
    }
    let apart = read_files(files([30..60, 0..30]), &Options { strict: true, ..Options::default() }).unwrap();
    assert_eq!(reads(&apart), reads(&whole));
}

#[test]
fn one_log_behind_itself_is_counted_once() {
    let log = noted(&perfmon(0..60).repeat(2), "60 reports repeat earlier ones");
    assert_eq!(log.samples().len(), 60);
}

#[test]
fn an_hour_that_the_clock_has_twice_is_kept() {
    let quiet = (0..3600).step_by(60).fold(HEADING.to_owned(), |log, second| log + &line(second, 0));
    let again = (0..3600).step_by(60).fold(quiet, |log, second| log + &line(second, 5));
    let log = noted(&again, "the clock does not advance in 1 places");
    assert_eq!(log.samples().len(), 120);
}

#[test]
fn a_few_damaged_lines_are_skipped_and_named() {
    let mut text = perfmon(0..150);
    text += "\"11/21/2026 10:02:30.000\",\"what\",\"10\",\"4096\",\"4096\"\n";
    text += &line(151, 5);
    let log = noted(&text, "log: 1 of 153 lines could not be read and were skipped, the first is line 152");
    assert_eq!(log.samples().len(), 151);
    let short = perfmon(0..20) + "\"11/21/2026 10:02:30.000\",\"what\",\"10\",\"4096\",\"4096\"\n";
    let message = read_bytes(short.as_bytes(), &Options::default()).unwrap_err();
    assert!(message.starts_with("`log`, line 22: expected a time and a number or a blank"), "{message}");
}

#[test]
fn snapshots_that_start_anew_have_their_line_and_time() {
    let snapshot =
        |time: u32, count: u32| format!("{time}\n 8 0 sda {count} 0 {count} 0 {count} 0 {count} 0 0 0 0\n");
    let text: String =
        [(0, 50), (1, 60), (2, 5), (3, 15)].map(|(s, n)| snapshot(1_795_362_720 + s, n)).concat();
    let log = noted(
        &text,
        "totals started anew (a reboot, or a disk that went away) 1 times, first in line 5 (2026-11-22 15:52:02)",
    );
    assert_eq!(reads(&log), [10.0, 10.0]);
}

#[test]
fn a_disk_that_is_missing_from_some_reports() {
    let report = |second: u32, disk: &str| {
        format!("11/21/26 14:00:{second:02}\nDevice r/s w/s rkB/s wkB/s\nsda 0 0 0 0\n{disk}\n")
    };
    let text = format!("{}{}{}", report(1, "sdb 9 9 9 9\n"), report(2, ""), report(3, "sdb 9 9 9 9\n"));
    noted(&text, "1 of 3 reports have no figures of `sdb`, the first at line 7 (2026-11-21 14:00:02)");
}
