//! sar's records as `sadf -j` prints them.

use super::read;
use drivecast_block::Nanos;
use drivecast_trace::{IntervalOrigin, Merged};

#[test]
fn records_have_their_interval() {
    let record = |time: &str, tps: f64| {
        format!(
            r#"{{"timestamp": {{"date": "2026-11-21", "time": "{time}", "utc": 1, "interval": 10}}, "disk": [
            {{"disk-device": "vda", "tps": {tps}, "rd_sec": 480.00, "wr_sec": 1440.00, "rkB": 240.00, "wkB": 720.00,
              "avgrq-sz": 10.0, "areq-sz": 5.0, "avgqu-sz": 0.03, "aqu-sz": 0.03, "await": 1.5, "util-percent": 4.0}}]}}"#
        )
    };
    let log = read(&format!(
        r#"{{"sysstat": {{"hosts": [{{"nodename": "vm", "file-date": "2026-11-21", "statistics": [{}, {}]}}]}}}}"#,
        record("23:59:55", 8.0),
        record("23:59:59", 4.0)
    ));
    let first = &log.samples()[0];
    assert_eq!(
        (log.summary().format.as_str(), log.summary().interval_origin),
        ("sadf", IntervalOrigin::Measured)
    );
    assert_eq!((first.reads, first.writes, first.written_bytes), (20.0, 60.0, 7200.0 * 1024.0));
    assert_eq!(
        (first.read_latency, first.write_latency),
        (Some(Nanos::from_us(1500)), Some(Nanos::from_us(1500)))
    );
    assert_eq!((log.samples()[1].time, first.interval), (Nanos::from_ms(20_000), Nanos::from_ms(10_000)));
    assert_eq!(log.summary().merged, [Merged::Latency, Merged::Requests]);
}
