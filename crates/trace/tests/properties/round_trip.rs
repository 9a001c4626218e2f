//! What is written in a format is read back equal, from one file or several, and through Parquet.

use crate::writer::{D, READ, WRITE, drain, event, little, msr, read, trace, vscsi};
use drivecast_block::{Nanos, Op, Record};
use drivecast_trace::{Options, convert, open};
use proptest::prelude::*;
use std::ops::ControlFlow;

/// Records as every format can hold them: whole sectors, times in steps of 1 µs, from zero.
fn records(latency: bool) -> impl Strategy<Value = Vec<Record>> {
    let one = (0..5_000_u64, any::<bool>(), 0..1_u64 << 40, 1..2048_u32, 0..1_000_000_u64);
    proptest::collection::vec(one, 1..200).prop_map(move |list| {
        let mut time = 0;
        let mut records: Vec<Record> = Vec::new();
        for (step, is_read, sector, sectors, waited) in list {
            time += if records.is_empty() { 0 } else { step * 1000 };
            records.push(Record {
                time: Nanos(time),
                offset: sector * 512,
                size: sectors * 512,
                stream: 0,
                op: if is_read { Op::Read } else { Op::Write },
                latency: latency.then_some(Nanos(waited * 1000)),
                fua: false,
            });
        }
        records
    })
}

fn issued(records: &[Record]) -> Vec<u8> {
    let action = |op| D | if op == Op::Read { READ } else { WRITE };
    let events: Vec<_> =
        records.iter().map(|r| event(1_000_000 + r.time.0, action(r.op), r.offset / 512, r.size)).collect();
    little(&events)
}

/// Times in microseconds, places in sectors.
fn table(records: &[Record], separator: &str) -> String {
    let line = |record: &Record| {
        let op = if record.op == Op::Read { "R" } else { "W" };
        let latency = record.latency.unwrap_or(Nanos(0)).0;
        let fields =
            [record.offset / 512, u64::from(record.size) / 512, latency].map(|field| field.to_string());
        format!(
            "{}.{:03}{separator}{op}{separator}{}\n",
            record.time.0 / 1000,
            record.time.0 % 1000,
            fields.join(separator)
        )
    };
    records.iter().map(line).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn vscsi_one(list in records(false)) {
        prop_assert_eq!(read(vscsi(&list, 1), &Options::default()).unwrap().0, list);
    }

    #[test]
    fn vscsi_two(list in records(true)) {
        prop_assert_eq!(read(vscsi(&list, 2), &Options::default()).unwrap().0, list);
    }

    #[test]
    fn tables(list in records(true)) {
        for (mapping, text) in [
            ("time=1:us,op=2:R/W,offset=3:512,size=4:512,latency=5:ns", table(&list, ",")),
            ("sep=space,time=1:us,op=2,offset=3:512,size=4:512,latency=5:ns", table(&list, "  ")),
            ("sep=;,time=at:us,op=what:r/w,offset=LBA:512,size=n:512,latency=took:ns", format!("at;what;lba;n;took\n{}", table(&list, ";"))),
        ] {
            let options = Options { csv: Some(mapping.to_owned()), ..Options::default() };
            prop_assert_eq!(&read(text.into_bytes(), &options).unwrap().0, &list);
        }
    }

    #[test]
    fn octf_events(list in records(false)) {
        let (found, summary) = read(crate::writer::octf(&list), &Options::default()).unwrap();
        prop_assert_eq!(found.len(), list.len());
        let complete = summary.tally("complete").unwrap();
        prop_assert_eq!(complete.events as usize, list.len());
        for (found, written) in found.iter().zip(&list) {
            prop_assert_eq!((found.time, found.offset, found.size, found.op), (written.time, written.offset, written.size, written.op));
        }
    }

    #[test]
    fn msr_cambridge(list in records(true)) {
        prop_assert_eq!(read(msr(&list), &Options::default()).unwrap().0, list);
    }

    #[test]
    fn blktrace(list in records(false)) {
        let expected: Vec<_> = list.iter().map(|record| Record { stream: 7, ..*record }).collect();
        prop_assert_eq!(read(issued(&list), &Options::default()).unwrap().0, expected);
    }

    #[test]
    fn any_split_over_files_merges_back(list in records(true), cpus in proptest::collection::vec(0..4_usize, 200)) {
        let mut parts = [const { Vec::new() }; 4];
        for (record, cpu) in list.iter().zip(cpus) {
            parts[cpu].push(*record);
        }
        let files: Vec<_> =
            parts.iter().filter(|part| !part.is_empty()).map(|part| ("part.csv", msr(part))).collect();
        let (merged, _) = drain(trace(&files, &Options::default()).unwrap()).unwrap();
        prop_assert!(merged.is_sorted_by_key(|record| record.time));
        let sorted = |mut all: Vec<Record>| {
            all.sort_by_key(|r| (r.time, r.offset, r.size, r.op, r.latency));
            all
        };
        prop_assert_eq!(sorted(merged), sorted(list));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(30) })]

    #[test]
    fn parquet(list in records(true)) {
        let directory = tempfile::TempDir::new().unwrap();
        let (from, out) = (directory.path().join("log"), directory.path().join("out"));
        std::fs::write(&from, msr(&list)).unwrap();
        convert(&[from], &out, &Options::default(), &mut |_| ControlFlow::Continue(())).unwrap();
        prop_assert_eq!(drain(open(&[out], &Options::default()).unwrap()).unwrap().0, list);
    }
}
