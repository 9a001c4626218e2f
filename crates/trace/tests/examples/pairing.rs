//! How requests find their completions.

use crate::writer::{C, D, FLUSH, FUA, Q, READ, WRITE, event, little, noted, read_ok};
use drivecast_trace::{Event, Options};

fn latencies(event: Event, events: &[crate::writer::Event]) -> Vec<Option<u64>> {
    let options = Options { event: Some(event), ..Options::default() };
    read_ok(little(events), &options).0.iter().map(|record| record.latency.map(|latency| latency.0)).collect()
}

#[test]
fn partial_completions_add_up() {
    let events = [
        event(0, READ | D, 0, 4096),
        event(10, READ | C, 0, 1024),
        event(20, READ | C, 2, 1024),
        event(30, READ | C, 4, 2048),
    ];
    assert_eq!(latencies(Event::Issue, &events), [Some(30)]);
    assert_eq!(latencies(Event::Issue, &events[..3]), [None]);
}

#[test]
fn one_completion_ends_all_requests_merged_into_it() {
    let events = [
        event(0, WRITE | Q, 8, 4096),
        event(1, WRITE | Q, 16, 4096),
        event(2, WRITE | Q, 0, 4096),
        event(5, WRITE | D, 0, 12288),
        event(50, WRITE | C, 0, 12288),
    ];
    assert_eq!(latencies(Event::Queue, &events), [Some(50), Some(49), Some(48)]);
    assert_eq!(latencies(Event::Issue, &events), [Some(45)]);
}

#[test]
fn a_split_request_ends_with_its_last_part_in_any_order() {
    let events = [
        event(0, READ | Q, 0, 8192),
        event(1, READ | D, 0, 4096),
        event(2, READ | D, 8, 4096),
        event(10, READ | C, 8, 4096),
        event(30, READ | C, 0, 4096),
    ];
    assert_eq!(latencies(Event::Queue, &events), [Some(30)]);
    assert_eq!(latencies(Event::Issue, &events), [Some(29), Some(8)]);
}

#[test]
fn directions_and_devices_do_not_mix() {
    let mut events = [
        event(0, READ | D, 0, 512),
        event(1, WRITE | D, 0, 512),
        event(2, READ | D, 0, 512),
        event(10, WRITE | C, 0, 512),
        event(20, READ | C, 0, 512),
    ];
    events[2].device = 1;
    assert_eq!(latencies(Event::Issue, &events), [Some(20), Some(9), None]);
}

#[test]
fn a_lost_completion_does_not_shift_those_that_follow() {
    let events = [
        event(0, READ | D, 0, 512),
        event(1_000_000, READ | D, 0, 512),
        event(1_000_100, READ | C, 0, 512),
        event(2_000_000, READ | D, 0, 512),
        event(2_000_100, READ | C, 0, 512),
    ];
    assert_eq!(latencies(Event::Issue, &events), [None, Some(100), Some(100)]);
}

#[test]
fn a_row_waits_thirty_seconds() {
    let late = |end: u64| {
        let events =
            [event(0, READ | D, 0, 512), event(end - 1, WRITE | D, 8, 512), event(end, READ | C, 0, 512)];
        let options = Options::default();
        read_ok(little(&events), &options)
    };
    assert_eq!(late(29_000_000_000).0[0].latency.map(|latency| latency.0), Some(29_000_000_000));
    // The file is read in one piece: the row leaves at the first event after its time.
    let (records, summary) = late(59_000_000_000);
    assert_eq!((records.len(), records[0].latency), (2, None));
    assert!(noted(&summary, "1 completions belong to no request"), "{:?}", summary.notes);
}

#[test]
fn flushes_end_where_the_kernel_says_so() {
    // A flush, and a FUA write on a drive without FUA: flush, data, flush.
    let events = [
        event(0, WRITE | FLUSH | Q, 0, 0),
        event(5, READ | FLUSH | D, 0, 0),
        event(100, READ | FLUSH | C, 0, 0),
        event(110, WRITE | C, 0, 0),
        event(200, WRITE | FLUSH | FUA | Q, 64, 4096),
        event(205, READ | FLUSH | D, 0, 0),
        event(300, READ | FLUSH | C, 0, 0),
        event(305, WRITE | D, 64, 4096),
        event(350, WRITE | C, 64, 4096),
        event(355, READ | FLUSH | D, 0, 0),
        event(450, READ | FLUSH | C, 0, 0),
        event(460, WRITE | C, 64, 0),
    ];
    assert_eq!(latencies(Event::Queue, &events), [Some(110), Some(150)]);
    assert_eq!(latencies(Event::Issue, &events), [Some(95), Some(95), Some(45), Some(95)]);
    let forced = |event| {
        let options = Options { event: Some(event), ..Options::default() };
        read_ok(little(&events), &options).0.iter().filter(|record| record.fua).count()
    };
    assert_eq!((forced(Event::Queue), forced(Event::Issue)), (1, 0), "issued as a write and a flush");
}
