//! Answers of Prometheus.

use super::{disk, notes, read_bytes, read_files};
use drivecast_block::Nanos;
use drivecast_trace::Options;

fn series(name: &str, labels: &str, points: &[(u32, f64)]) -> String {
    let points: Vec<_> = points.iter().map(|(time, value)| format!(r#"[{time}, "{value}"]"#)).collect();
    format!(r#"{{"metric": {{"__name__": "{name}", {labels}}}, "values": [{}]}}"#, points.join(", "))
}

fn answer(series: &[String]) -> String {
    format!(
        r#"{{"status": "success", "data": {{"resultType": "matrix", "result": [{}]}}}}"#,
        series.join(", ")
    )
}

const SDA: &str = r#""device": "sda", "instance": "db1:9100""#;

fn node(labels: &str, at: &[u32], factor: f64) -> Vec<String> {
    let names = [
        ("reads_completed_total", 100.0),
        ("writes_completed_total", 50.0),
        ("read_bytes_total", 409_600.0),
        ("written_bytes_total", 819_200.0),
        ("read_time_seconds_total", 0.2),
        ("io_time_weighted_seconds_total", 5.0),
    ];
    let points = |each: f64| {
        at.iter()
            .map(|time| (1_795_000_000 + time * 10, 7.0 + each * factor * f64::from(*time)))
            .collect::<Vec<_>>()
    };
    names.iter().map(|(name, each)| series(&format!("node_disk_{name}"), labels, &points(*each))).collect()
}

#[test]
fn growth_between_points_of_several_answers() {
    // The second answer repeats the last point of the first.
    let files = [answer(&node(SDA, &[0, 1], 1.0)), answer(&node(SDA, &[1, 2], 1.0))];
    let files = files.map(|text| ("part.json".to_owned(), text.into_bytes())).to_vec();
    let log = read_files(files.clone(), &Options::default()).unwrap();
    let one = &log.samples()[1];
    assert_eq!(
        (log.summary().format.as_str(), log.samples().len(), log.summary().disk.as_str()),
        ("prometheus", 2, "sda")
    );
    assert_eq!((one.reads, one.writes, one.read_bytes), (100.0, 50.0, 409_600.0));
    assert_eq!((one.time, one.interval), (Nanos::from_ms(20_000), Nanos::from_ms(10_000)));
    assert_eq!((one.read_latency, one.write_latency), (Some(Nanos::from_ms(2)), None));
    assert!((one.queue_depth.unwrap() - 0.5).abs() < 1e-9);
    let whole: Vec<u8> = files.into_iter().flat_map(|(_, bytes)| bytes).collect();
    assert_eq!(read_bytes(&whole, &Options::default()).unwrap().samples(), log.samples());
}

#[test]
fn instances_are_told_apart_and_the_busiest_taken() {
    let other = SDA.replace("db1", "db2");
    let text = answer(&[node(SDA, &[0, 1], 1.0), node(&other, &[0, 1], 3.0)].concat());
    let log = read_bytes(text.as_bytes(), &Options::default()).unwrap();
    assert_eq!((log.summary().disk.as_str(), log.samples()[0].reads), ("sda db2:9100", 300.0));
    assert_eq!(read_bytes(text.as_bytes(), &disk("db1:9100")).unwrap().samples()[0].reads, 100.0);
    let message = read_bytes(text.as_bytes(), &disk("sdz")).unwrap_err();
    assert!(
        message.contains("has no disk `sdz`") && message.contains("sda db1:9100, sda db2:9100"),
        "{message}"
    );
}

#[test]
fn a_reboot_a_gap_and_half_a_matrix() {
    let text = answer(&node(SDA, &[0, 1, 2, 3, 4, 40, 41], 1.0));
    let log = read_bytes(text.as_bytes(), &Options::default()).unwrap();
    assert_eq!(log.samples().len(), 5);
    assert!(notes(&log, "1 gaps between the points"));
    let reset = node(SDA, &[0, 1, 2], 1.0);
    let fell = reset
        .iter()
        .map(|series| series.replace("[1795000010", "[1795000010, \"999999999\"], [1"))
        .collect::<Vec<_>>();
    let log = read_bytes(answer(&fell).as_bytes(), &Options::default()).unwrap();
    assert!(notes(&log, "totals started anew") || notes(&log, "gaps"), "{:?}", log.summary().notes);
    let mut half = node(SDA, &[0, 1, 2], 1.0);
    half.remove(2);
    let message = read_bytes(answer(&half).as_bytes(), &Options::default()).unwrap_err();
    assert!(message.contains("has no disk with two points of reads, writes, bytes read"), "{message}");
}

#[test]
fn windows_has_latencies_for_a_queue() {
    let labels = r#""volume": "D:", "instance": "sql1:9182""#;
    let names = [
        ("reads_total", 10.0),
        ("writes_total", 30.0),
        ("read_bytes_total", 1.0),
        ("write_bytes_total", 1.0),
        ("read_latency_seconds_total", 4.0),
        ("write_latency_seconds_total", 6.0),
    ];
    let series: Vec<_> = names
        .iter()
        .map(|(name, each)| series(&format!("windows_logical_disk_{name}"), labels, &[(0, 0.0), (20, *each)]))
        .collect();
    let log = read_bytes(answer(&series).as_bytes(), &Options::default()).unwrap();
    assert_eq!((log.summary().disk.as_str(), log.samples()[0].queue_depth), ("D:", Some(0.5)));
    assert_eq!(log.samples()[0].write_latency, Some(Nanos::from_ms(200)));
}

#[test]
fn answers_that_are_none() {
    let error = r#"{"status": "error", "errorType": "bad_data", "error": "parse error"}"#;
    assert!(read_bytes(error.as_bytes(), &Options::default()).unwrap_err().contains("parse error"));
    let instant = r#"{"status": "success", "data": {"resultType": "vector", "result": []}}"#;
    assert!(read_bytes(instant.as_bytes(), &Options::default()).unwrap_err().contains("instant query"));
    let whole = answer(&node(SDA, &[0, 1], 1.0));
    let message = read_bytes(&whole.as_bytes()[..whole.len() - 9], &Options::default()).unwrap_err();
    assert!(message.contains("cut off; export it again"), "{message}");
}
