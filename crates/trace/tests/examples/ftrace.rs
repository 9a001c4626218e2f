//! The kernel's trace buffer: one stretch of I/O on a loop device, recorded twice at once.
//!
//! `loop.blk.txt` is what the `blk` tracer printed, `loop.events.txt` what the `block:` events printed, while fio wrote a file on
//! a small ext4.

use crate::writer::{drain, trace};
use drivecast_block::{Op, Record};
use drivecast_trace::{Event, Options, Summary};

const TRACER: &str = include_str!("../data/loop.blk.txt");
const EVENTS: &str = include_str!("../data/loop.events.txt");

fn read(text: &str, event: Event) -> (Vec<Record>, Summary) {
    let options = Options { event: Some(event), ..Options::default() };
    drain(trace(&[("log", text.as_bytes().to_vec())], &options).unwrap()).unwrap()
}

#[test]
fn tracer_and_events_tell_the_same() {
    let (issued, summary) = read(TRACER, Event::Issue);
    assert_eq!(summary.format, "ftrace");
    assert_eq!(summary.devices[0].device, "7:0");
    assert_eq!(issued.len(), 32);
    assert_eq!(issued.iter().filter(|record| record.op == Op::Flush).count(), 2);
    assert!(issued.iter().all(|record| record.latency.is_some()), "{issued:?}");
    for event in [Event::Issue, Event::Queue] {
        let (traced, summary) = read(TRACER, event);
        let (events, told) = read(EVENTS, event);
        let asked = |records: &[Record]| -> Vec<_> {
            records.iter().map(|r| (r.op, r.offset, r.size, r.stream, r.fua)).collect()
        };
        assert_eq!(asked(&traced), asked(&events));
        // The journal's commit asks for forced unit access; the device has none, so it is issued as a write and a flush.
        let forced: Vec<u64> = traced.iter().filter(|r| r.fua).map(|r| r.offset / 512).collect();
        assert_eq!(forced, if event == Event::Queue { vec![32_788] } else { vec![] });
        assert_eq!(summary.tallies[..2], told.tallies[..2]);
        // Each takes its own time stamp, a microsecond or two apart.
        for (a, b) in traced.iter().zip(&events) {
            assert!(
                a.latency.unwrap_or_default().0.abs_diff(b.latency.unwrap_or_default().0) < 20_000,
                "{a:?} {b:?}"
            );
        }
    }
}
