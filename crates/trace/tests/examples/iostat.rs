//! iostat's JSON.

use drivecast_block::{Nanos, Sample};
use drivecast_trace::{CounterLog, IntervalOrigin, Log, Options, open_bytes};

fn read(text: &str, options: &Options) -> Result<CounterLog, String> {
    match open_bytes(vec![("iostat.json".to_owned(), text.as_bytes().to_vec())], options) {
        Ok(Log::Counters(log)) => Ok(log),
        Ok(Log::Trace(_)) => panic!("a trace"),
        Err(error) => Err(error.to_string()),
    }
}

fn log(reports: &[String]) -> String {
    format!(r#"{{"sysstat": {{"hosts": [{{"nodename": "vm", "statistics": [{}]}}]}}}}"#, reports.join(", "))
}

fn disk(name: &str, reads: f64) -> String {
    format!(
        r#"{{"disk_device": "{name}", "r/s": {reads:.2}, "w/s": 30.00, "f/s": 10.00, "rkB/s": 64.00, "wkB/s": 80.00,
           "r_await": 0.50, "w_await": 2.00, "aqu-sz": 0.18, "util": 14.00, "new": [1]}}"#
    )
}

fn report(stamp: Option<&str>, disks: &[String]) -> String {
    let stamp = stamp.map(|stamp| format!(r#""timestamp": "{stamp}", "#)).unwrap_or_default();
    format!(r#"{{{stamp}"avg-cpu": {{"user": 1.0}}, "disk": [{}]}}"#, disks.join(", "))
}

#[test]
fn rates_become_counts_and_flushes_leave_the_writes() {
    let text = log(&[report(None, &[disk("sda", 16.0)]), report(None, &[disk("sda", 0.0)])]);
    let read = read(&text, &Options { interval: Some(Nanos::from_ms(500)), ..Options::default() }).unwrap();
    let first = Sample {
        time: Nanos::from_ms(500),
        interval: Nanos::from_ms(500),
        disk: "sda".to_owned(),
        reads: 8.0,
        writes: 10.0,
        flushes: Some(5.0),
        read_bytes: 32.0 * 1024.0,
        written_bytes: 40.0 * 1024.0,
        queue_depth: Some(0.048),
        read_latency: Some(Nanos::from_us(500)),
        write_latency: Some(Nanos::from_us(2000)),
        utilization: Some(0.14),
        ..Sample::default()
    };
    assert_eq!(read.samples()[0], first);
    assert_eq!((read.samples()[1].time, read.samples()[1].read_latency), (Nanos::from_ms(1000), None));
    assert_eq!(read.summary().interval_origin, IntervalOrigin::Given);
}

#[test]
fn the_interval_comes_from_time_stamps() {
    let stamped = |stamps: &[&str]| {
        let reports: Vec<_> = stamps.iter().map(|stamp| report(Some(stamp), &[disk("sda", 1.0)])).collect();
        read(&log(&reports), &Options::default()).unwrap()
    };
    let jitter =
        stamped(&["11/21/26 23:59:50", "11/21/26 23:59:55", "11/22/26 00:00:01", "11/22/26 00:00:05"]);
    assert_eq!(
        (jitter.summary().interval_ns, jitter.summary().interval_origin),
        (5_000_000_000, IntervalOrigin::Measured)
    );
    let noon = stamped(&["11/21/2026 11:59:50 AM", "11/21/2026 12:00:00 PM", "11/21/2026 12:00:10 PM"]);
    assert_eq!(noon.summary().interval_ns, 10_000_000_000);
    let gap = stamped(&["2026-11-21T10:00:00+0100", "2026-11-21T10:00:10+0100", "2026-11-21T10:01:00+0100"]);
    assert_eq!(gap.samples().iter().map(|s| s.interval.0 / 1_000_000_000).collect::<Vec<_>>(), [50, 10, 50]);
    let alone = [report(None, &[disk("sda", 1.0)])];
    let refused = read(&log(&alone), &Options::default()).unwrap_err();
    assert!(refused.to_string().contains("the average since boot"), "a single report says nothing of a time");
    let twice = [report(None, &[disk("sda", 1.0)]), report(None, &[disk("sda", 1.0)])];
    let none = read(&log(&twice), &Options::default()).unwrap();
    assert_eq!(
        (none.summary().interval_ns, none.summary().interval_origin),
        (1_000_000_000, IntervalOrigin::Assumed)
    );
    assert!(none.summary().notes.iter().any(|note| note.contains("average since boot")));
}

#[test]
fn the_busiest_disk_is_taken_or_the_one_asked_for() {
    let text = log(&[report(None, &[disk("sda", 1.0), disk("sdb", 9.0)]), report(None, &[disk("sda", 2.0)])]);
    assert_eq!(read(&text, &Options::default()).unwrap().summary().disk, "sda");
    let asked = Options { disk: Some("sdb".to_owned()), skip_first: false, ..Options::default() };
    let idle: Vec<f64> = read(&text, &asked).unwrap().samples().iter().map(|sample| sample.reads).collect();
    assert_eq!(idle, [9.0, 0.0], "a report without the disk, and no disk at rest anywhere");
    let missing = Options { disk: Some("sdz".to_owned()), ..Options::default() };
    assert!(read(&text, &missing).unwrap_err().contains("hint: it has sda, sdb"));
    let skipped = read(&text, &Options { skip_first: true, ..Options::default() }).unwrap();
    assert_eq!(
        (skipped.samples().len(), skipped.samples()[0].reads, skipped.samples()[0].time),
        (1, 2.0, Nanos::from_ms(1000))
    );
}

#[test]
fn a_cut_log_gives_its_whole_reports() {
    let text = log(&[report(None, &[disk("sda", 1.0)]), report(None, &[disk("sda", 2.0)])]);
    let cut = read(&text[..text.len() - 40], &Options::default()).unwrap();
    assert_eq!(cut.samples().len(), 1);
    assert!(cut.summary().notes.iter().any(|note| note.contains("cut off")), "{:?}", cut.summary().notes);
}

#[test]
fn what_is_no_extended_report_is_refused() {
    let plain = log(&[r#"{"disk": [{"disk_device": "sda", "tps": 1.0}]}"#.to_owned()]);
    assert!(read(&plain, &Options::default()).unwrap_err().contains("report 1 of disk `sda` without them"));
    assert!(read(&log(&[]), &Options::default()).unwrap_err().contains("no report of a disk"));
    let broken = log(&[report(None, &[disk("sda", 1.0)])]).replace("\"r/s\":", "\"r/s\"");
    assert!(read(&broken, &Options::default()).unwrap_err().contains("line 1"));
}
