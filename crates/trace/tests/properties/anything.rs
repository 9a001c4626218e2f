//! No bytes make the reader panic, hang or break its promises.

use crate::writer::{self, C, D, READ, event, little, vscsi};
use drivecast_block::{Nanos, Op, Record};
use drivecast_trace::{CounterSummary, Log, Options, Summary, open_bytes};
use proptest::prelude::*;

/// Reads whatever it is; the records of a trace are in order and end within 64 bits.
fn read_any(bytes: Vec<u8>) {
    if let Ok(Log::Trace(mut trace)) = open_bytes(vec![("log".to_owned(), bytes)], &Options::default()) {
        let (mut batch, mut latest) = (Vec::new(), Nanos::ZERO);
        while let Ok(true) = trace.fill(&mut batch) {
            for record in &batch {
                assert!(record.time >= latest && record.offset.checked_add(u64::from(record.size)).is_some());
                latest = record.time;
            }
        }
        let _ = trace.summary();
    }
}

fn valid() -> impl Strategy<Value = Vec<u8>> {
    let blktrace = || {
        let pair = |index: u64| {
            [event(index, READ | D, index * 8, 4096), event(index + 3, READ | C, index * 8, 4096)]
        };
        little(&(0..50).flat_map(pair).collect::<Vec<_>>())
    };
    let records: Vec<_> = (0..50)
        .map(|index| Record {
            time: Nanos(index * 1000),
            offset: index * 512,
            size: 512,
            stream: 0,
            op: Op::Read,
            latency: None,
        })
        .collect();
    let iostat = br#"{"sysstat": {"hosts": [{"statistics": [{"timestamp": "10:00:00", "disk": [{"disk_device": "a", "r/s": 1.0, "w/s": 1.0,
        "rkB/s": 1.0, "wkB/s": 1.0}]}]}]}}"#;
    prop_oneof![
        Just(blktrace()),
        Just(vscsi(&records, 1)),
        Just(vscsi(&records, 2)),
        Just(writer::msr(&records)),
        Just(iostat.to_vec()),
        Just(zstd::encode_all(&blktrace()[..], 1).unwrap()),
        Just(parquet_of(blktrace())),
    ]
}

fn parquet_of(bytes: Vec<u8>) -> Vec<u8> {
    let directory = tempfile::TempDir::new().unwrap();
    let (from, out) = (directory.path().join("log"), directory.path().join("log.parquet"));
    std::fs::write(&from, bytes).unwrap();
    drivecast_trace::convert(
        &[from],
        &out,
        &Options::default(),
        &mut |_| std::ops::ControlFlow::Continue(()),
    )
    .unwrap();
    std::fs::read(out).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        read_any(bytes);
    }

    #[test]
    fn valid_files_with_some_bytes_changed(
        mut bytes in valid(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        for (index, byte) in changes {
            let at = index.index(bytes.len());
            bytes[at] = byte;
        }
        read_any(bytes);
    }

    #[test]
    fn valid_files_cut_anywhere(bytes in valid(), cut in any::<prop::sample::Index>()) {
        read_any(bytes[..cut.index(bytes.len())].to_vec());
    }

    #[test]
    fn any_summary(text in "\\PC{0,200}") {
        let _ = Summary::from_json(&text);
        let _ = CounterSummary::from_json(&text);
    }
}
