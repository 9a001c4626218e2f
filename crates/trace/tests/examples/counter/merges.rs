//! Requests that were joined to a neighbour before the disk saw them, in every format that counts them.

use super::read;

/// Sums of the reads and writes that a log says were joined.
fn joined(text: &str) -> (Option<f64>, Option<f64>) {
    let log = read(text);
    let sum = |of: fn(&drivecast_block::Sample) -> Option<f64>| log.samples().iter().map(of).sum();
    (sum(|sample| sample.reads_merged), sum(|sample| sample.writes_merged))
}

#[test]
fn iostat_counts_them_by_the_second() {
    let head = "Linux 6.1.0 (db1)  11/21/2026  _x86_64_  (2 CPU)\n";
    let report = |time: &str| {
        format!(
            "\n11/21/2026 02:38:{time} PM\nDevice r/s rkB/s rrqm/s %rrqm r_await w/s wkB/s wrqm/s %wrqm w_await aqu-sz %util\n\
             sda 120.00 15360.00 30.00 20.00 0.50 80.00 40960.00 320.00 80.00 1.20 0.18 9.60\n"
        )
    };
    let log = format!("{head}{}{}", report("43"), report("53"));
    assert_eq!(joined(&log), (Some(600.0), Some(6400.0)));
    let json = r#"{"sysstat": {"hosts": [{"statistics": [
        {"timestamp": "2026-11-21T14:38:43", "disk": [{"disk_device": "sda", "r/s": 9, "w/s": 8, "rkB/s": 7, "wkB/s": 6, "rrqm/s": 3, "wrqm/s": 4}]},
        {"timestamp": "2026-11-21T14:38:45", "disk": [{"disk_device": "sda", "r/s": 9, "w/s": 8, "rkB/s": 7, "wkB/s": 6, "rrqm/s": 5, "wrqm/s": 6}]}
    ]}]}}"#;
    assert_eq!(joined(json), (Some(16.0), Some(20.0)));
}

#[test]
fn totals_of_them_are_subtracted() {
    let log = "1795362720\n 8 0 sda 100 40 800 9 200 700 1600 9 0 9 9\n1795362730\n 8 0 sda 110 45 880 9 220 760 1920 9 0 9 9\n";
    assert_eq!(joined(log), (Some(5.0), Some(60.0)));
    let point = |name: &str, values: [u32; 2]| {
        format!(
            r#"{{"metric": {{"__name__": "node_disk_{name}_total", "device": "sda"}}, "values": [[1795362720, "{}"], [1795362735, "{}"]]}}"#,
            values[0], values[1]
        )
    };
    let series = [
        point("reads_completed", [10, 30]),
        point("writes_completed", [20, 60]),
        point("read_bytes", [4096, 8192]),
        point("written_bytes", [4096, 8192]),
    ];
    let answer = |series: &[String]| {
        format!(
            r#"{{"status": "success", "data": {{"resultType": "matrix", "result": [{}]}}}}"#,
            series.join(", ")
        )
    };
    assert_eq!(joined(&answer(&series)), (None, None), "not counted is not none");
    let merges = [point("reads_merged", [7, 9]), point("writes_merged", [1, 100])];
    assert_eq!(joined(&answer(&[&series[..], &merges[..]].concat())), (Some(2.0), Some(99.0)));
}

#[test]
fn collectl_counts_them_by_the_second() {
    let log = "#Date Time [DSK:sda]Name [DSK:sda]Reads [DSK:sda]RMerge [DSK:sda]RKBytes [DSK:sda]Writes [DSK:sda]WMerge [DSK:sda]WKBytes\n\
               20261121 14:38:43 sda 120 3 1920 80 10 640\n20261121 14:38:44 sda 240 4 3840 160 20 1280\n";
    assert_eq!(joined(log), (Some(7.0), Some(30.0)));
}
