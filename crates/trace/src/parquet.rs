//! Parquet: what a log becomes, and one more format that can be read.
//!
//! Columns are those of [`drivecast_block::schema`]; the summary of the log is in the key-value metadata, as
//! JSON, under `drivecast.trace` or `drivecast.counters`. So a Parquet file holds everything that its source held. A
//! file with the same columns from elsewhere (polars, DuckDB) is a trace too: its summary is then counted anew.

use crate::description::{Content, Description, Evidence, Reading, Stored, Verdict};
use crate::error::TraceError;
use crate::options::Options;
use crate::report::log::CounterLog;
use crate::rows::{BATCH_RECORDS, Rows};
use crate::source::{Bytes as SourceBytes, Source};
use crate::summary::{CounterSummary, FileSummary, Summary, Tally};
use crate::table::{batch_to_records, batch_to_samples, schema};
use ::parquet::arrow::ProjectionMask;
use ::parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::FileMetaData;
use ::parquet::file::reader::ChunkReader;
use arrow_array::RecordBatch;
use arrow_schema::{DataType, Field, Schema};
use bytes::Bytes;
use drivecast_block::schema::{COUNTERS, Column, TRACE};
use drivecast_block::{Nanos, Record};
use std::fs::File;
use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Metadata key of a trace's summary.
pub const TRACE_KEY: &str = "drivecast.trace";
/// Metadata key of a counter log's summary.
pub const COUNTERS_KEY: &str = "drivecast.counters";
/// The first and last bytes of a Parquet file.
const MAGIC: &[u8] = b"PAR1";

pub(crate) static FORMAT: Description = Description {
    name: "parquet",
    title: "Parquet with our columns",
    detected_by: "`PAR1` at the start",
    content: Content::Requests { row: "a row", stream: "as written", latency: "as written, may be absent" },
    sample: "binary: `PAR1`",
    evidence: Evidence::Signature,
    fits: |head| Verdict::from(head.bytes.starts_with(MAGIC)),
    reading: Reading::Parquet(open),
};

/// A trace in Parquet.
struct ParquetRows {
    file: String,
    reader: ParquetRecordBatchReader,
    stored: Option<Summary>,
    described: FileSummary,
    tally: Tally,
    latest: Nanos,
}

/// Opens a Parquet file of ours or with our columns.
fn open(source: &Source, options: &Options) -> Result<Stored, TraceError> {
    match &source.bytes {
        SourceBytes::File(path) => {
            let file = File::open(path).map_err(|error| source.refuse(error))?;
            read(source, options, file)
        }
        // Parquet is read from its end; a pipe is copied to a file first.
        SourceBytes::Pipe(_) => {
            let mut file = tempfile::tempfile().map_err(|error| source.refuse(error))?;
            let mut raw = source.read(Arc::default(), Arc::default())?;
            std::io::copy(&mut raw, &mut file).map_err(|error| source.refuse(error))?;
            read(source, options, file)
        }
        SourceBytes::Memory(_) | SourceBytes::Part { .. } => {
            let mut content = Vec::new();
            let mut raw = source.read(Arc::default(), Arc::default())?;
            raw.read_to_end(&mut content).map_err(|error| source.refuse(error))?;
            read(source, options, Bytes::from(content))
        }
    }
}

/// Runs a call into the Parquet library, which answers some damaged files by a panic: that is an error of the file.
fn guarded<T>(call: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(result) => result.map_err(|error| error.to_string()),
        Err(_) => Err("the file is damaged".to_owned()),
    }
}

/// A reader of the file. Types come from the Parquet schema, not from the Arrow schema that writers embed: that one is a
/// second description, which a damaged file can contradict. Only `op` is requested as a dictionary, where it is text.
fn builder<T: ChunkReader + 'static>(file: T) -> Result<ParquetRecordBatchReaderBuilder<T>, ParquetError> {
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let metadata = ArrowReaderMetadata::load(&file, options.clone())?;
    let ours = schema(TRACE);
    let fields =
        metadata.schema().fields().iter().map(|field| match (field.name().as_str(), field.data_type()) {
            ("op", DataType::Utf8) => ours.field_with_name("op").map_or_else(
                |_| field.clone(),
                |op| Arc::new(Field::new("op", op.data_type().clone(), field.is_nullable())),
            ),
            _ => field.clone(),
        });
    let wanted = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    let typed = ArrowReaderMetadata::try_new(metadata.metadata().clone(), options.with_schema(wanted));
    Ok(ParquetRecordBatchReaderBuilder::new_with_metadata(file, typed.unwrap_or(metadata)))
}

fn refuse(source: &Source, error: impl std::fmt::Display) -> TraceError {
    TraceError::Parquet { file: source.name.clone(), message: error.to_string() }
}

fn read<T: ChunkReader + 'static>(source: &Source, options: &Options, file: T) -> Result<Stored, TraceError> {
    let builder = guarded(|| builder(file)).map_err(|error| refuse(source, error))?;
    let has = |columns: &[Column]| {
        columns
            .iter()
            .filter(|column| !column.nullable)
            .all(|c| builder.schema().column_with_name(c.name).is_some())
    };
    let rows = u64::try_from(builder.metadata().file_metadata().num_rows()).unwrap_or(0);
    if has(TRACE) {
        let stored = stored(source, builder.metadata().file_metadata(), TRACE_KEY, Summary::from_json)?
            .filter(|summary| summary.rows == rows);
        check_event(source, options, stored.as_ref())?;
        let described = describe(source, stored.as_ref())?;
        let reader = guarded(|| project(builder, TRACE)).map_err(|error| refuse(source, error))?;
        let (file, tally) = (source.name.clone(), Tally::new("request"));
        let rows = ParquetRows { file, reader, stored, described, tally, latest: Nanos::ZERO };
        return Ok(Stored::Trace(Box::new(rows)));
    }
    if has(COUNTERS) {
        let stored =
            stored(source, builder.metadata().file_metadata(), COUNTERS_KEY, CounterSummary::from_json)?;
        let reader = guarded(|| project(builder, COUNTERS)).map_err(|error| refuse(source, error))?;
        return counters(source, options, stored, reader).map(|log| Stored::Counters(Box::new(log)));
    }
    let found: Vec<_> = builder.schema().fields().iter().map(|field| field.name().as_str()).collect();
    let names = |columns: &[Column]| columns.iter().map(|column| column.name).collect::<Vec<_>>().join(", ");
    Err(TraceError::Set {
        path: source.name.clone(),
        expected: format!(
            "Parquet with the columns of a trace ({}) or a counter log ({})",
            names(TRACE),
            names(COUNTERS)
        ),
        found: format!("the columns {}", found.join(", ")),
        hint: "rename and convert its columns; the units stand in their names".to_owned(),
    })
}

/// Records of a Parquet file in memory, as they are in it. Gives a message where they are no such records.
pub(crate) fn records(content: Bytes) -> Result<Vec<Record>, String> {
    let mut reader = guarded(|| project(builder(content)?, TRACE))?;
    let mut records = Vec::new();
    while let Some(table) = next(&mut reader)? {
        batch_to_records(&table, &mut records)?;
    }
    Ok(records)
}

fn project<T: ChunkReader + 'static>(
    builder: ParquetRecordBatchReaderBuilder<T>,
    columns: &[Column],
) -> ::parquet::errors::Result<ParquetRecordBatchReader> {
    let mask = ProjectionMask::columns(builder.parquet_schema(), columns.iter().map(|column| column.name));
    builder.with_projection(mask).with_batch_size(BATCH_RECORDS).build()
}

fn next(reader: &mut ParquetRecordBatchReader) -> Result<Option<RecordBatch>, String> {
    guarded(|| reader.next().transpose().map_err(ParquetError::from))
}

fn stored<S>(
    source: &Source,
    metadata: &FileMetaData,
    key: &str,
    parse: fn(&str) -> Result<S, String>,
) -> Result<Option<S>, TraceError> {
    let pair = metadata.key_value_metadata().and_then(|pairs| pairs.iter().find(|pair| pair.key == key));
    let Some(json) = pair.and_then(|pair| pair.value.as_deref()) else { return Ok(None) };
    parse(json).map(Some).map_err(|error| refuse(source, format!("metadata `{key}`: {error}")))
}

/// A Parquet file holds the rows of one event; the other event cannot be had from it.
fn check_event(source: &Source, options: &Options, stored: Option<&Summary>) -> Result<(), TraceError> {
    let held = stored.and_then(|summary| summary.event);
    match (options.event, held) {
        (Some(requested), Some(held)) if requested != held => Err(TraceError::Absent {
            file: source.name.clone(),
            requested: format!("{} events", requested.name()),
            hint: format!("it was converted with the event `{}`; convert the recording again", held.name()),
        }),
        _ => Ok(()),
    }
}

/// The file itself, where no summary describes its source.
fn describe(source: &Source, stored: Option<&Summary>) -> Result<FileSummary, TraceError> {
    let name = source.base_name().to_owned();
    if stored.is_some() {
        return Ok(FileSummary { name, bytes: 0, hash: String::new() });
    }
    let mut hasher = blake3::Hasher::new();
    let raw = source.read(Arc::default(), Arc::default())?;
    hasher.update_reader(raw).map_err(|error| source.refuse(error))?;
    Ok(FileSummary { name, bytes: source.length()?, hash: hasher.finalize().to_string() })
}

fn counters(
    source: &Source,
    options: &Options,
    stored: Option<CounterSummary>,
    mut reader: ParquetRecordBatchReader,
) -> Result<CounterLog, TraceError> {
    let mut samples = Vec::new();
    while let Some(table) = next(&mut reader).map_err(|error| refuse(source, error))? {
        batch_to_samples(&table, &mut samples).map_err(|error| refuse(source, error))?;
    }
    let Some(summary) = stored else {
        return Err(refuse(source, format!("metadata `{COUNTERS_KEY}` is missing")));
    };
    if let Some(disk) = options.disk.as_ref().filter(|disk| **disk != summary.disk) {
        return Err(TraceError::Absent {
            file: source.name.clone(),
            requested: format!("samples of disk `{disk}`"),
            hint: format!("it was converted for disk `{}`; convert the log again", summary.disk),
        });
    }
    Ok(CounterLog::new(samples, summary))
}

impl Rows for ParquetRows {
    fn stored(&self) -> Option<&Summary> {
        self.stored.as_ref()
    }

    fn fill(&mut self, batch: &mut Vec<Record>) -> Result<(), TraceError> {
        while batch.is_empty() {
            let Some(table) = next(&mut self.reader).map_err(|error| self.refuse(error))? else {
                return Ok(());
            };
            batch_to_records(&table, batch).map_err(|error| self.refuse(error))?;
        }
        self.check(batch)
    }

    fn describe(&self, summary: &mut Summary) {
        summary.format = FORMAT.name.to_owned();
        summary.files = vec![self.described.clone()];
        summary.hash = self.described.hash.clone();
        summary.tallies = vec![self.tally.clone()];
    }

    fn losses(&self) -> Vec<String> {
        Vec::new()
    }
}

impl ParquetRows {
    /// A file from elsewhere need not keep the promises of a trace.
    fn check(&mut self, batch: &[Record]) -> Result<(), TraceError> {
        for record in batch {
            if record.time < self.latest {
                return Err(self.refuse(format!(
                    "times run backwards: {} ns after {} ns; sort the rows by `time_ns`",
                    record.time.0, self.latest.0
                )));
            }
            if record.offset.checked_add(u64::from(record.size)).is_none() {
                return Err(self.refuse(format!("a request at {} ns ends beyond 2^64 bytes", record.time.0)));
            }
            self.latest = record.time;
            if self.stored.is_none() {
                self.tally.add(record.op, record.size);
            }
        }
        Ok(())
    }

    fn refuse(&self, error: impl std::fmt::Display) -> TraceError {
        TraceError::Parquet { file: self.file.clone(), message: error.to_string() }
    }
}
