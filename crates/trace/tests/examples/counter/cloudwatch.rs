//! CloudWatch's documents.

use super::{notes, read_bytes, read_files};
use drivecast_block::Nanos;
use drivecast_trace::Options;

const TIMES: &str = r#"["2026-11-21T14:05:00+00:00", "2026-11-21T14:00:00+00:00"]"#;

fn data(volume: &str, names: &[(&str, [f64; 2])]) -> String {
    let metrics = names.iter().map(|(name, [a, b])| {
        format!(r#"{{"Id": "m", "Label": "{volume}{name}", "Timestamps": {TIMES}, "Values": [{a}, {b}], "StatusCode": "Complete"}}"#)
    });
    format!(r#"{{"MetricDataResults": [{}], "Messages": []}}"#, metrics.collect::<Vec<_>>().join(", "))
}

const ALL: [(&str, [f64; 2]); 7] = [
    ("VolumeReadOps", [3000.0, 600.0]),
    ("VolumeWriteOps", [6000.0, 300.0]),
    ("VolumeReadBytes", [48_000_000.0, 9_600_000.0]),
    ("VolumeWriteBytes", [96_000_000.0, 4_800_000.0]),
    ("VolumeQueueLength", [2.5, 0.5]),
    ("VolumeTotalReadTime", [3.0, 1.2]),
    ("VolumeIdleTime", [30.0, 270.0]),
];

#[test]
fn points_in_any_order_are_counts_of_their_period() {
    let log = read_bytes(data("", &ALL).as_bytes(), &Options::default()).unwrap();
    let (first, second) = (&log.samples()[0], &log.samples()[1]);
    assert_eq!((log.summary().format.as_str(), log.samples().len()), ("cloudwatch", 2));
    assert_eq!((first.time, second.time), (Nanos::from_ms(300_000), Nanos::from_ms(600_000)));
    assert_eq!((first.reads, second.writes, second.queue_depth), (600.0, 6000.0, Some(2.5)));
    assert_eq!((second.read_latency, second.interval), (Some(Nanos::from_ms(1)), Nanos::from_ms(300_000)));
    assert!((second.utilization.unwrap() - 0.9).abs() < 1e-9);
    assert!(notes(&log, "taken as sums"));
}

#[test]
fn one_metric_a_file_and_several_volumes() {
    let statistics = |name: &str, value: f64| {
        let text = format!(
            r#"{{"Label": "{name}", "Datapoints": [{{"Timestamp": "2026-11-21T14:00:00Z", "Sum": {value}, "Unit": "Count"}},
            {{"Timestamp": "2026-11-21T14:01:00Z", "Sum": {value}, "Unit": "Count"}}]}}"#
        );
        (format!("{name}.json"), text.into_bytes())
    };
    let names = ["VolumeReadOps", "VolumeWriteOps", "VolumeReadBytes", "VolumeWriteBytes"];
    let log = read_files(names.map(|name| statistics(name, 60.0)).to_vec(), &Options::default()).unwrap();
    assert_eq!((log.samples()[1].reads, log.samples()[1].interval), (60.0, Nanos::from_ms(60_000)));
    assert_eq!(log.summary().files.len(), 4);
    let two = data("vol-1 ", &ALL) + &data("vol-2 ", &ALL.map(|(name, [a, b])| (name, [a * 2.0, b * 2.0])));
    assert_eq!(read_bytes(two.as_bytes(), &Options::default()).unwrap().summary().disk, "vol-2");
}

#[test]
fn a_metric_that_lacks_is_named() {
    let message = read_bytes(data("", &ALL[..3]).as_bytes(), &Options::default()).unwrap_err();
    assert!(message.contains("has no VolumeWriteBytes"), "{message}");
    let average = r#"{"Label": "VolumeReadOps", "Datapoints": [{"Timestamp": "2026-11-21T14:00:00Z", "Average": 1.0}]}"#;
    let message = read_bytes(average.as_bytes(), &Options::default()).unwrap_err();
    assert!(message.contains("`VolumeReadOps` has no `Sum`"), "{message}");
}

#[test]
fn a_period_without_a_point_is_left_out_or_said_to_be_idle() {
    let document = |points: &[(&str, &[u32])]| {
        let metric = |(name, at): &(&str, &[u32])| {
            let times: Vec<_> = at.iter().map(|at| format!("\"2026-11-21T14:{:02}:00Z\"", at * 5)).collect();
            let values = vec!["60"; at.len()].join(", ");
            format!(r#"{{"Label": "{name}", "Timestamps": [{}], "Values": [{values}]}}"#, times.join(", "))
        };
        format!(r#"{{"MetricDataResults": [{}]}}"#, points.iter().map(metric).collect::<Vec<_>>().join(", "))
    };
    let all: &[u32] = &[0, 1, 2, 3];
    let half = [
        ("VolumeReadOps", all),
        ("VolumeReadBytes", all),
        ("VolumeWriteOps", &[0, 1, 3]),
        ("VolumeWriteBytes", all),
    ];
    let log = read_bytes(document(&half).as_bytes(), &Options::default()).unwrap();
    assert_eq!((log.samples().len(), log.summary().duration_ns), (3, 900_000_000_000));
    assert!(
        notes(&log, "1 periods, the first ends at 2026-11-21 14:15:00, lack points"),
        "{:?}",
        log.summary().notes
    );
    let none = [half[0], half[1], half[2], ("VolumeWriteBytes", &[0, 1, 3])];
    let log = read_bytes(document(&none).as_bytes(), &Options::default()).unwrap();
    assert_eq!((log.samples().len(), log.samples()[2].writes), (4, 0.0));
    assert!(notes(&log, "taken as none of them"));
}
