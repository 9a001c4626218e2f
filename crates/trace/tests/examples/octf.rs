//! OCTF: protocol-buffer events.

use crate::writer::{octf_event, read_ok, refused};
use drivecast_block::{Nanos, Op, Record};
use drivecast_trace::Options;

const DEVICE: u64 = 259 << 20 | 2;

#[test]
fn requests_flushes_and_completions() {
    let log = [
        octf_event(1_000, 3, &[(1, DEVICE)]),
        octf_event(2_000, 2, &[(1, 80), (2, 8), (4, DEVICE), (5, 1)]),
        octf_event(2_500, 2, &[(1, 160), (2, 16), (4, DEVICE), (5, 2)]),
        octf_event(2_600, 2, &[(4, DEVICE), (5, 2), (6, 1)]),
        octf_event(3_000, 5, &[(1, 160), (2, 16), (4, DEVICE)]),
        octf_event(4_000, 5, &[(1, 80), (2, 8), (4, DEVICE)]),
        octf_event(5_000, 5, &[(4, DEVICE)]),
    ];
    let (records, summary) = read_ok(log.concat(), &Options::default());
    let row = |time, op, offset, size, latency| Record {
        time: Nanos(time),
        offset,
        size,
        stream: 0,
        op,
        latency: Some(Nanos(latency)),
        fua: false,
    };
    assert_eq!(summary.format, "octf");
    assert_eq!(
        records,
        [
            row(0, Op::Read, 80 * 512, 4096, 2_000),
            row(500, Op::Write, 160 * 512, 8192, 500),
            row(600, Op::Flush, 0, 0, 2_400)
        ]
    );
    let complete = summary.tally("complete").unwrap();
    assert_eq!((complete.reads, complete.writes, complete.zero_length), (1, 1, 1));
    assert_eq!(summary.devices[0].device, "259:2");
}

#[test]
fn a_damaged_message_is_refused_with_its_place() {
    let mut log = octf_event(1_000, 2, &[(1, 80), (2, 8), (4, DEVICE), (5, 1)]).repeat(20);
    let length = log.len() / 20;
    log[10 * length] = 0x7f;
    log[10 * length + 1] = 0xff;
    assert!(refused(log).contains(&format!("byte {}", 10 * length)));
}
