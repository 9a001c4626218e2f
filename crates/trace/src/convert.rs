//! Any log to Parquet.
//!
//! Rows stream through row groups of 2²⁰ rows, compressed with zstd. The file is written under a temporary name next to its
//! place, synced and renamed: it is there whole or not at all. Its bytes depend on the input and the version only.

use crate::error::TraceError;
use crate::open::{Log, open_any};
use crate::options::Options;
use crate::parquet::{COUNTERS_KEY, TRACE_KEY};
use crate::report::log::CounterLog;
use crate::summary::LogSummary;
use crate::table::{samples_to_batch, schema};
use crate::trace::{Progress, Trace};
use ::parquet::arrow::ArrowWriter;
use ::parquet::basic::{Compression, Encoding, ZstdLevel};
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::KeyValue;
use ::parquet::file::properties::WriterProperties;
use ::parquet::schema::types::ColumnPath;
use drivecast_block::schema::{COUNTERS, Column, TRACE};
use std::fs::File;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Rows in a row group: what a reader must hold at once.
const ROW_GROUP_ROWS: usize = 1 << 20;
/// Level 3 is zstd's own default; higher levels gain under 5 % on traces.
const ZSTD_LEVEL: i32 = 3;

/// Converts a log to a Parquet file and gives its summary. `progress` decides after every batch whether to continue.
///
/// # Errors
/// The log cannot be read, the result cannot be written, or `progress` broke off; nothing is then left behind.
pub fn convert(
    paths: &[PathBuf],
    out: &Path,
    options: &Options,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<LogSummary, TraceError> {
    match open_any(paths, options)? {
        Log::Trace(trace) => write_trace(trace, out, progress),
        Log::Counters(log) => write_counters(&log, out),
    }
}

fn write_trace(
    trace: Trace,
    out: &Path,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<LogSummary, TraceError> {
    let mut table = Table::create(out, TRACE)?;
    let mut batches = trace.batches();
    while let Some(batch) = batches.next_batch()? {
        table.write(&batch)?;
        if progress(batches.trace().progress()).is_break() {
            return Err(TraceError::Interrupted);
        }
    }
    let summary = batches.trace().summary();
    table.finish(TRACE_KEY, serde_json::to_string(&summary))?;
    Ok(LogSummary::Trace(summary))
}

fn write_counters(log: &CounterLog, out: &Path) -> Result<LogSummary, TraceError> {
    let mut table = Table::create(out, COUNTERS)?;
    table.write(&samples_to_batch(log.samples()))?;
    table.finish(COUNTERS_KEY, serde_json::to_string(log.summary()))?;
    Ok(LogSummary::Counters(log.summary().clone()))
}

/// A Parquet file in the making.
struct Table<'a> {
    out: &'a Path,
    writer: ArrowWriter<File>,
    file: NamedTempFile,
}

impl<'a> Table<'a> {
    fn create(out: &'a Path, columns: &[Column]) -> Result<Table<'a>, TraceError> {
        let directory = match out.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        // Of a fixed name: what a killed run left is found by the next, which removes it before it begins.
        let name = out.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        let prefix = format!(".{name}.drivecast");
        let mut named = tempfile::Builder::new();
        named.prefix(&prefix).rand_bytes(0).suffix(".tmp");
        // What the process's mask leaves of this, as for any new file; temporary files alone would be private.
        #[cfg(unix)]
        named.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = named.tempfile_in(directory).map_err(|error| TraceError::write(out, error))?;
        let handle = file.as_file().try_clone().map_err(|error| TraceError::write(out, error))?;
        let writer = ArrowWriter::try_new(handle, schema(columns), Some(properties()));
        Ok(Table { out, writer: writer.map_err(|error| refuse(out, error))?, file })
    }

    fn write(&mut self, batch: &arrow_array::RecordBatch) -> Result<(), TraceError> {
        self.writer.write(batch).map_err(|error| refuse(self.out, error))
    }

    fn finish(mut self, key: &str, summary: serde_json::Result<String>) -> Result<(), TraceError> {
        let json = summary.map_err(|error| TraceError::write(self.out, error.into()))?;
        self.writer.append_key_value_metadata(KeyValue::new(key.to_owned(), json));
        self.writer.close().map_err(|error| refuse(self.out, error))?;
        self.file.as_file().sync_all().map_err(|error| TraceError::write(self.out, error))?;
        self.file.persist(self.out).map_err(|error| TraceError::write(self.out, error.error))?;
        Ok(())
    }
}

pub(crate) fn properties() -> WriterProperties {
    let level = ZstdLevel::try_new(ZSTD_LEVEL).expect("level 3 lies in the range of zstd, 1 to 22");
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(level))
        .set_max_row_group_row_count(Some(ROW_GROUP_ROWS))
        .set_created_by(concat!("drivecast ", env!("CARGO_PKG_VERSION")).to_owned());
    // Times and latencies are nearly all different: differences pack better than a dictionary, and write faster.
    for column in ["time_ns", "latency_ns", "interval_ns", "offset_bytes"] {
        let path = ColumnPath::from(column);
        properties = properties
            .set_column_dictionary_enabled(path.clone(), false)
            .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED);
    }
    properties.build()
}

/// A write error of the Parquet writer: the system's own where it carries one.
fn refuse(out: &Path, error: ParquetError) -> TraceError {
    let source = match error {
        ParquetError::External(source) => match source.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    };
    TraceError::write(out, source)
}
