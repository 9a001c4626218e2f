//! How blktrace files are read: byte order, payloads, order, what is left out, what is refused.

use crate::writer::{
    C, D, DISCARD, FLUSH, NOTIFY, PASSTHROUGH, Q, READ, WRITE, blktrace, drain, event, little, noted,
    read_ok, refused, trace,
};
use drivecast_block::{Nanos, Op};
use drivecast_trace::{DeviceNumber, Options};

#[test]
fn both_byte_orders_and_payloads_read_alike() {
    let mut events = vec![
        event(1_000, READ | D, 8, 4096),
        event(1_500, NOTIFY, 0, 0),
        event(2_000, WRITE | D, 64, 512),
        event(3_000, READ | C, 8, 4096),
        event(4_000, WRITE | C, 64, 512),
    ];
    events[1].payload = 16;
    events[2].payload = 8;
    let (records, _) = read_ok(blktrace(&events, false), &Options::default());
    assert_eq!(records, read_ok(blktrace(&events, true), &Options::default()).0);
    assert_eq!(records.len(), 2);
    assert_eq!(
        (records[0].time, records[0].offset, records[0].size, records[0].op),
        (Nanos(0), 4096, 4096, Op::Read)
    );
    assert_eq!((records[1].time, records[1].latency), (Nanos(1_000), Some(Nanos(2_000))));
    assert_eq!(records[1].stream, 7);
}

#[test]
fn discards_and_passthrough_are_told_apart() {
    let events = [
        event(0, WRITE | DISCARD | D, 0, 1 << 20),
        event(10, READ | PASSTHROUGH | D, 0, 36),
        event(20, WRITE | DISCARD | C, 0, 1 << 20),
    ];
    let (records, summary) = read_ok(little(&events), &Options::default());
    assert_eq!((records.len(), records[0].op, records[0].latency), (1, Op::Discard, Some(Nanos(20))));
    assert!(noted(&summary, "1 events of passthrough commands"));
    assert_eq!(summary.tally("issue").map(|tally| (tally.events, tally.discard_bytes)), Some((1, 1 << 20)));
}

#[test]
fn files_are_merged_by_time_and_ties_by_file() {
    let one = little(&[event(5, READ | D, 1, 512), event(9, READ | D, 3, 512)]);
    let two = little(&[event(5, READ | D, 2, 512), event(7, READ | D, 4, 512)]);
    let (records, summary) =
        drain(trace(&[("t.0", one), ("t.1", two)], &Options::default()).unwrap()).unwrap();
    assert_eq!(records.iter().map(|record| record.offset / 512).collect::<Vec<_>>(), [1, 2, 4, 3]);
    assert_eq!(summary.files.len(), 2);
    assert!(noted(&summary, "no completions"));
}

#[test]
fn local_disorder_is_put_right() {
    let times = [10, 30, 20, 40, 15, 50];
    let events: Vec<_> = times.iter().map(|&time| event(time, READ | D, time, 512)).collect();
    let (records, summary) = read_ok(little(&events), &Options::default());
    assert_eq!(records.iter().map(|record| record.time.0).collect::<Vec<_>>(), [0, 5, 10, 20, 30, 40]);
    assert!(!noted(&summary, "records late"));
}

#[test]
fn a_record_later_than_the_window_is_counted() {
    let mut events: Vec<_> =
        (0..30_000).map(|index| event(1_000 + index * 10, READ | D, index, 512)).collect();
    events.push(event(1_500, READ | D, 99_999, 512));
    let (records, summary) = read_ok(little(&events), &Options::default());
    assert_eq!(records.len(), 30_001);
    assert!(records.is_sorted_by_key(|record| record.time));
    assert!(noted(&summary, "1 records came more than 1024 records late"), "{:?}", summary.notes);
}

#[test]
fn one_device_can_be_chosen() {
    let mut events =
        vec![event(100, READ | D, 0, 512), event(200, READ | D, 8, 512), event(300, READ | C, 0, 512)];
    events[1].device = 259 << 20 | 1;
    let (records, summary) = read_ok(little(&events), &Options::default());
    assert_eq!(records.len(), 2);
    assert!(noted(&summary, "several devices share this trace: 8:16 (2 events), 259:1 (1 events)"));
    let only = |major, minor| Options { device: Some(DeviceNumber { major, minor }), ..Options::default() };
    let (records, summary) = read_ok(little(&events), &only(259, 1));
    assert_eq!((records.len(), records[0].time, records[0].offset), (1, Nanos(100), 4096));
    assert!(!noted(&summary, "several devices"));
    let error = crate::writer::read(little(&events), &only(1, 2)).unwrap_err().to_string();
    assert!(error.contains("has no events of device 1:2") && error.contains("8:16, 259:1"), "{error}");
}

#[test]
fn a_cut_tail_is_a_note_and_damage_an_error() {
    let bytes = little(&[event(0, READ | D, 0, 512), event(10, READ | D, 8, 512)]);
    let (records, summary) = read_ok(bytes[..70].to_vec(), &Options::default());
    assert_eq!(records.len(), 1);
    assert!(noted(&summary, "cut off at byte 48: an unfinished record of 22 bytes"), "{:?}", summary.notes);
    let mut broken = [bytes.clone(), bytes].concat();
    broken[96] = 0;
    let error = refused(broken);
    assert!(error.contains("byte 96") && error.contains("00 74 61 65"), "{error}");
}

#[test]
fn impossible_records_are_refused_with_their_place() {
    let good = event(0, READ | D, 0, 512);
    let refuse = |bad| refused(little(&[good, bad]));
    let odd = refuse(event(1, READ | D, 0, 100));
    assert!(odd.contains("byte 48") && odd.contains("multiple of 512") && odd.contains("100 bytes"), "{odd}");
    let far = refuse(event(1, READ | D, 1 << 56, 512));
    assert!(far.contains("sector below 2^55"), "{far}");
    let back = refused(little(&[event(100_000_000_000, READ | D, 0, 512), event(5, READ | D, 0, 512)]));
    assert!(back.contains("100000000000 ns") && back.contains("two recordings"), "{back}");
}

#[test]
fn zero_length_requests_that_are_no_flush_are_left_out() {
    let events = [event(0, READ | Q, 0, 0), event(1, WRITE | FLUSH | Q, 0, 0), event(2, READ | Q, 0, 512)];
    let options = Options { event: Some(drivecast_trace::Event::Queue), ..Options::default() };
    let (records, summary) = read_ok(little(&events), &options);
    assert_eq!(records.iter().map(|record| record.op).collect::<Vec<_>>(), [Op::Flush, Op::Read]);
    assert!(noted(&summary, "1 requests of no bytes"));
    assert_eq!(summary.tally("queue").map(|tally| tally.zero_length), Some(2));
}

#[test]
fn the_wrong_event_is_pointed_out() {
    let (records, summary) = read_ok(little(&[event(0, READ | Q, 0, 512)]), &Options::default());
    assert!(records.is_empty());
    assert!(noted(&summary, "no issue events were recorded, but 1 queue events; choose the event `queue`"));
}

#[test]
fn missing_sequence_numbers_are_reported() {
    let mut bytes = little(&[event(0, READ | D, 0, 512); 5]);
    // 1, 3, 2 is a swap; from 4 to 8 three are missing.
    for (record, sequence) in [1_u32, 3, 2, 4, 8].into_iter().enumerate() {
        bytes[record * 48 + 4..record * 48 + 8].copy_from_slice(&sequence.to_le_bytes());
    }
    let (_, summary) = read_ok(bytes, &Options::default());
    assert!(noted(&summary, "3 records are missing by their sequence numbers"), "{:?}", summary.notes);
}
