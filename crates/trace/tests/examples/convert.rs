//! Parquet out and in.

use crate::writer::{C, D, FUA, Q, READ, WRITE, drain, event, little};
use arrow_array::{ArrayRef, Int64Array, RecordBatch, RecordBatchReader, StringArray};
use drivecast_block::schema::TRACE;
use drivecast_block::{Nanos, Op};
use drivecast_trace::{Event, LogSummary, Options, TraceError, convert, open};
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::slice::from_ref;
use std::sync::Arc;
use tempfile::TempDir;

fn log(directory: &Path) -> PathBuf {
    let pair = |index: u64| {
        let sector = index * 8 % 4096;
        [
            event(index * 100, READ | Q, sector, 4096),
            event(index * 100 + 5, READ | D, sector, 4096),
            event(index * 100 + 90, READ | C, sector, 4096),
        ]
    };
    let path = directory.join("log");
    fs::write(&path, little(&(0..100_000).flat_map(pair).collect::<Vec<_>>())).unwrap();
    path
}

fn go_on(_: drivecast_trace::Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

#[test]
fn parquet_tells_what_its_source_told() {
    let directory = TempDir::new().unwrap();
    let (from, out) = (log(directory.path()), directory.path().join("log.parquet"));
    let mut rows = 0;
    let summary = convert(from_ref(&from), &out, &Options::default(), &mut |progress| {
        rows = progress.rows;
        assert!(progress.bytes <= progress.total_bytes);
        ControlFlow::Continue(())
    });
    assert_eq!(rows, 100_000);
    let source = drain(open(from_ref(&from), &Options::default()).unwrap()).unwrap();
    let back = drain(open(from_ref(&out), &Options::default()).unwrap()).unwrap();
    assert_eq!(source, back);
    assert_eq!(summary.unwrap(), LogSummary::Trace(back.1));
    let again = directory.path().join("again.parquet");
    convert(from_ref(&out), &again, &Options::default(), &mut go_on).unwrap();
    assert_eq!(fs::read(&out).unwrap(), fs::read(&again).unwrap(), "Parquet of Parquet is the same file");
    let other = Options { event: Some(Event::Queue), ..Options::default() };
    let error = open(&[out], &other).err().expect("only one event is in the file").to_string();
    assert!(error.contains("converted with the event `issue`"), "{error}");
}

#[test]
fn forced_unit_access_stays_with_its_writes() {
    let directory = TempDir::new().unwrap();
    let (from, out) = (directory.path().join("log"), directory.path().join("log.parquet"));
    let events =
        [event(0, WRITE | FUA | D, 0, 4096), event(5, WRITE | D, 8, 4096), event(9, READ | FUA | D, 0, 512)];
    fs::write(&from, little(&events)).unwrap();
    convert(from_ref(&from), &out, &Options::default(), &mut go_on).unwrap();
    let (records, _) = drain(open(from_ref(&out), &Options::default()).unwrap()).unwrap();
    assert_eq!(records.iter().map(|record| record.fua).collect::<Vec<_>>(), [true, false, false]);
}

#[test]
fn nothing_is_left_behind() {
    let directory = TempDir::new().unwrap();
    let (from, place) = (log(directory.path()), TempDir::new().unwrap());
    let out = place.path().join("log.parquet");
    let broken = convert(from_ref(&from), &out, &Options::default(), &mut |_| ControlFlow::Break(()));
    assert!(matches!(broken, Err(TraceError::Interrupted)));
    let mut bytes = fs::read(&from).unwrap();
    bytes[48 * 250_000] = 0;
    fs::write(&from, bytes).unwrap();
    assert!(matches!(
        convert(from_ref(&from), &out, &Options::default(), &mut go_on),
        Err(TraceError::Record { .. })
    ));
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
    let nowhere = convert(
        &[log(directory.path())],
        Path::new("/nonexistent/x.parquet"),
        &Options::default(),
        &mut go_on,
    );
    assert!(matches!(nowhere, Err(TraceError::Write { .. })));
}

#[test]
fn tables_carry_meaning_and_units() {
    let directory = TempDir::new().unwrap();
    let mut batches = open(&[log(directory.path())], &Options::default()).unwrap().batches();
    let schema = batches.schema();
    for column in TRACE {
        let field = schema.field_with_name(column.name).unwrap();
        assert_eq!(field.metadata()["doc"], column.doc);
    }
    assert_eq!(schema.field_with_name("latency_ns").unwrap().metadata()["unit"], "ns");
    assert_eq!(schema.field_with_name("size_bytes").unwrap().metadata()["unit"], "B");
    let first = batches.next().unwrap().unwrap();
    assert_eq!((first.schema(), first.num_rows()), (schema, 65_536));
    assert_eq!(batches.map(|batch| batch.unwrap().num_rows()).sum::<usize>(), 100_000 - 65_536);
}

/// Writes a table as another program would.
fn foreign(columns: Vec<(&str, ArrayRef)>) -> (TempDir, PathBuf) {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("foreign");
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let file = fs::File::create(&path).unwrap();
    let mut writer = parquet::arrow::ArrowWriter::try_new(file, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    (directory, path)
}

fn integers(values: &[i64]) -> ArrayRef {
    Arc::new(Int64Array::from(values.to_vec()))
}

#[test]
fn columns_from_elsewhere_are_a_trace() {
    let columns = |times: &[i64], ops: [&str; 2]| {
        foreign(vec![
            ("op", Arc::new(StringArray::from(ops.to_vec())) as ArrayRef),
            ("time_ns", integers(times)),
            ("offset_bytes", integers(&[0, 512])),
            ("size_bytes", integers(&[512, 0])),
            ("stream", integers(&[1, 2])),
        ])
    };
    let read = |path: PathBuf| drain(open(&[path], &Options::default())?);
    let (_keep, path) = columns(&[0, 5], ["read", "flush"]);
    let (records, summary) = read(path).unwrap();
    assert_eq!((records[1].op, records[1].time, records[1].latency), (Op::Flush, Nanos(5), None));
    assert_eq!(summary.tally("request").map(|tally| (tally.reads, tally.zero_length)), Some((1, 1)));
    let (_keep, path) = columns(&[5, 0], ["read", "flush"]);
    assert!(read(path).unwrap_err().to_string().contains("sort the rows by `time_ns`"));
    let (_keep, path) = columns(&[0, -5], ["read", "flush"]);
    assert!(read(path).unwrap_err().to_string().contains("`time_ns` has values that are no UInt64"));
    let (_keep, path) = columns(&[0, 5], ["read", "erase"]);
    assert!(read(path).unwrap_err().to_string().contains("found `erase`"));
    let (_keep, path) = foreign(vec![("x", integers(&[1]))]);
    let error = read(path).unwrap_err().to_string();
    assert!(error.contains("found the columns x") && error.contains("time_ns, op"), "{error}");
}
