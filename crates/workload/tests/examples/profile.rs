//! A trace small enough to count by hand.

use crate::properties_trace::profile;
use drivecast_block::{Nanos, Op, Record};

/// Ten records over 3.5 s: two streams, a run, an overwrite, a flush and a discard.
pub(crate) fn ten_records() -> Vec<Record> {
    let record = |time_ms, op, offset, size, stream, latency_us: Option<u64>| Record {
        time: Nanos::from_ms(time_ms),
        offset,
        size,
        stream,
        op,
        latency: latency_us.map(Nanos::from_us),
        fua: false,
    };
    vec![
        record(0, Op::Read, 0, 4096, 1, Some(100)),
        record(100, Op::Read, 4096, 4096, 1, Some(200)),
        record(200, Op::Write, 1 << 20, 8192, 2, Some(1000)),
        record(1000, Op::Flush, 0, 0, 2, Some(500_000)),
        record(1100, Op::Read, 8192, 4096, 1, Some(300)),
        record(1200, Op::Write, 1 << 20, 4096, 2, Some(400)),
        record(1300, Op::Write, (1 << 20) + 4096, 512, 2, None),
        record(2000, Op::Discard, 0, 1 << 20, 2, None),
        record(2500, Op::Write, 1 << 21, 65_536, 2, Some(2000)),
        record(3500, Op::Read, 1 << 20, 4096, 1, Some(400)),
    ]
}

#[test]
fn by_hand() {
    let found = profile(&ten_records(), Nanos(2_000_000_000));
    assert_eq!((found.requests, found.reads, found.writes), (8, 4, 4));
    assert_eq!((found.flushes, found.discards), (Some(1), Some(1)));
    assert_eq!((found.bytes_read, found.bytes_written), (16_384, 78_336));
    assert_eq!(found.duration_s, 3.5);
    assert_eq!(found.iops_mean, Some(8.0 / 3.5));
    // 0 → 4096 overall; and 8192 of stream 1 across stream 2; and the write behind the write.
    assert_eq!(found.sequential_fraction, Some(2.0 / 8.0));
    assert_eq!(found.sequential_fraction_by_stream, Some(3.0 / 8.0));
    assert_eq!(found.working_set_read_bytes, Some(4 * 4096));
    assert_eq!(found.working_set_write_bytes, Some(18 * 4096));
    assert_eq!(found.working_set_bytes, Some(21 * 4096));
    // 20 block writes; two of them, at distance two, replace a block.
    assert_eq!(found.overwrite_fraction, Some(2.0 / 20.0));
    assert_eq!(found.update_distance_bytes.map(|distance| distance.q50), Some(8192));
    assert_eq!((found.iops_peak_1s, found.iops_peak_1s_at_s), (Some(3.0), Some(0)));
    assert_eq!(found.latency_ns_mean, Some(4_400_000.0 / 7.0));
    // The flush is outstanding for half a second, with up to one other request.
    assert_eq!(found.queue_depth_max, Some(2));
    let outstanding_s = 0.5 + 4e-3;
    assert!((found.queue_depth_mean.expect("latencies") - outstanding_s / 3.5).abs() < 1e-12);
    let window = found.peak_window.expect("requests");
    assert_eq!((window.start_s, window.length_s, window.requests), (0.0, 2.0, 6));
    assert_eq!(found.write_bytes_per_day, Some(78_336.0 * 86_400.0 / 3.5));
}

#[test]
fn times_that_run_backwards_count_as_simultaneous() {
    let mut records = ten_records();
    records.swap(2, 8);
    let found = profile(&records, Nanos(2_000_000_000));
    assert_eq!(found.requests, 8);
    assert_eq!(found.duration_s, 3.5);
    let backward = found.assumptions.iter().find(|assumption| assumption.key == "interarrival");
    assert!(backward.is_some_and(|assumption| assumption.reason.contains("ran backwards")));
}
