//! VSCSI, versions 1 and 2.

use crate::writer::{noted, read_ok, refused, vscsi};
use drivecast_block::{Nanos, Op, Record};
use drivecast_trace::Options;

fn record(time_us: u64, op: Op, offset: u64, size: u32) -> Record {
    Record { time: Nanos(time_us * 1000), offset, size, stream: 0, op, latency: None, fua: false }
}

#[test]
fn version_one() {
    let records = [
        record(5_000, Op::Write, 512, 512),
        record(5_100, Op::Read, 1 << 40, 65536),
        record(5_200, Op::Flush, 0, 0),
    ];
    let (read, summary) = read_ok(vscsi(&records, 1), &Options::default());
    assert_eq!(summary.format, "vscsi");
    assert_eq!(read[1], Record { time: Nanos(100_000), ..records[1] });
    assert_eq!((read.len(), read[2].op), (3, Op::Flush));
    assert_eq!(
        summary.tally("request").map(|tally| (tally.reads, tally.writes, tally.zero_length)),
        Some((1, 1, 1))
    );
}

#[test]
fn version_two_has_response_times() {
    let records = [Record { latency: Some(Nanos(750_000)), ..record(1, Op::Read, 0, 512) }];
    let (read, summary) = read_ok(vscsi(&records, 2), &Options::default());
    assert_eq!(read[0].latency, Some(Nanos(750_000)));
    assert!(noted(&summary, "assumed to be in microseconds"));
}

#[test]
fn other_commands_and_empty_requests_are_counted() {
    let mut bytes =
        vscsi(&[record(1, Op::Read, 0, 512), record(2, Op::Read, 0, 512), record(3, Op::Read, 0, 0)], 1);
    bytes[32 + 12] = 0x12;
    let (read, summary) = read_ok(bytes, &Options::default());
    assert_eq!(read.len(), 1);
    assert!(noted(&summary, "1 commands other than") && noted(&summary, "1 reads or writes of no bytes"));
}

#[test]
fn impossible_records_are_refused_with_their_place() {
    let records: Vec<_> = (0..200).map(|index| record(index, Op::Read, index * 512, 512)).collect();
    let with = |at: usize, bytes: &[u8]| {
        let mut all = vscsi(&records, 1);
        all[150 * 32 + at..150 * 32 + at + bytes.len()].copy_from_slice(bytes);
        refused(all)
    };
    let far = with(16, &u64::MAX.to_le_bytes());
    assert!(far.contains("byte 4800") && far.contains("address below 2^64"), "{far}");
    assert!(with(24, &u64::MAX.to_le_bytes()).contains("a time below 2^64 ns"));
    assert!(with(12, &[0xff]).contains("a SCSI command"));
    assert!(with(14, &[0, 9]).contains("version 1"));
    assert!(with(4, &100_u32.to_le_bytes()).contains("multiple of 512"));
}
