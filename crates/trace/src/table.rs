//! Records and samples as Arrow tables, by the column lists of [`drivecast_block::schema`].
//!
//! `op` is a dictionary of text (`uint8` keys): it costs one byte a row in memory and in Python, reads as a categorical
//! in polars, as text in DuckDB, and needs no list of codes to be understood. Each field carries its meaning (`doc`) and its
//! `unit` as metadata.

use crate::error::TraceError;
use crate::rows::BATCH_RECORDS;
use crate::trace::Trace;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, UInt8Type, UInt32Type, UInt64Type};
use arrow_array::{
    Array, ArrayRef, BooleanArray, DictionaryArray, Float64Array, RecordBatch, RecordBatchReader,
    StringArray, UInt8Array, UInt32Array, UInt64Array,
};
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use drivecast_block::schema::{COUNTERS, Column, Kind, TRACE};
use drivecast_block::{Nanos, Op, Record, Sample};
use std::collections::HashMap;
use std::sync::Arc;

/// The Arrow schema of a table.
pub fn schema(columns: &[Column]) -> SchemaRef {
    Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()))
}

fn field(column: &Column) -> Field {
    let mut metadata = HashMap::from([("doc".to_owned(), column.doc.to_owned())]);
    if let Some(unit) = unit(column.name) {
        metadata.insert("unit".to_owned(), unit.to_owned());
    }
    Field::new(column.name, data_type(column.kind), column.nullable).with_metadata(metadata)
}

/// The unit is the last word of a name.
fn unit(name: &str) -> Option<&'static str> {
    match name.rsplit('_').next() {
        Some("ns") => Some("ns"),
        Some("bytes") => Some("B"),
        _ => None,
    }
}

fn data_type(kind: Kind) -> DataType {
    match kind {
        Kind::U64 => DataType::UInt64,
        Kind::U32 => DataType::UInt32,
        Kind::Op => DataType::Dictionary(Box::new(DataType::UInt8), Box::new(DataType::Utf8)),
        Kind::F64 => DataType::Float64,
        Kind::Text => DataType::Utf8,
        Kind::Bool => DataType::Boolean,
    }
}

/// Records as a table with the columns of [`TRACE`].
///
/// # Panics
/// `schema` is not that of [`TRACE`].
pub fn records_to_batch(schema: &SchemaRef, records: &[Record]) -> RecordBatch {
    let names: ArrayRef = Arc::new(StringArray::from_iter_values(Op::ALL.iter().map(|op| op.name())));
    let codes = UInt8Array::from_iter_values(records.iter().map(|record| record.op as u8));
    let columns: Vec<ArrayRef> = vec![
        Arc::new(UInt64Array::from_iter_values(records.iter().map(|record| record.time.0))),
        Arc::new(DictionaryArray::<UInt8Type>::new(codes, names)),
        Arc::new(UInt64Array::from_iter_values(records.iter().map(|record| record.offset))),
        Arc::new(UInt32Array::from_iter_values(records.iter().map(|record| record.size))),
        Arc::new(UInt32Array::from_iter_values(records.iter().map(|record| record.stream))),
        Arc::new(
            records.iter().map(|record| record.latency.map(|latency| latency.0)).collect::<UInt64Array>(),
        ),
        Arc::new(records.iter().map(|record| Some(record.fua)).collect::<BooleanArray>()),
    ];
    RecordBatch::try_new(schema.clone(), columns).expect("the columns are built for this schema")
}

/// Appends the rows of a table that has the columns of [`TRACE`], in any order and of any types that hold their values;
/// `latency_ns` and `fua` may be missing. Gives a message where it cannot.
pub(crate) fn batch_to_records(table: &RecordBatch, records: &mut Vec<Record>) -> Result<(), String> {
    let time = integers(table, "time_ns")?;
    let offset = integers(table, "offset_bytes")?;
    let size = narrow(table, "size_bytes")?;
    let stream = narrow(table, "stream")?;
    let (keys, ops) = operations(table)?;
    let latency = table.column_by_name("latency_ns").map(|_| integers(table, "latency_ns")).transpose()?;
    let fua = table.column_by_name("fua").map(|_| column(table, "fua", &DataType::Boolean)).transpose()?;
    let fua = fua.as_ref().map(|column| column.as_boolean());
    for (name, nulls) in
        [("time_ns", time.null_count()), ("offset_bytes", offset.null_count())].into_iter().chain([
            ("size_bytes", size.null_count()),
            ("stream", stream.null_count()),
            ("op", keys.null_count()),
        ])
    {
        if nulls > 0 {
            return Err(format!("column `{name}` has missing values"));
        }
    }
    records.reserve(table.num_rows());
    for row in 0..table.num_rows() {
        let op = ops.get(usize::from(keys.value(row))).ok_or("column `op` has a key without a value")?;
        records.push(Record {
            time: Nanos(time.value(row)),
            offset: offset.value(row),
            size: size.value(row),
            stream: stream.value(row),
            op: *op,
            fua: fua.is_some_and(|column| column.is_valid(row) && column.value(row)),
            latency: latency
                .as_ref()
                .filter(|column| column.is_valid(row))
                .map(|column| Nanos(column.value(row))),
        });
    }
    Ok(())
}

fn column(table: &RecordBatch, name: &str, wanted: &DataType) -> Result<ArrayRef, String> {
    let column = table.column_by_name(name).ok_or_else(|| format!("column `{name}` is missing"))?;
    if column.data_type() == wanted {
        return Ok(column.clone());
    }
    let cast = cast(column, wanted).map_err(|error| format!("column `{name}`: {error}"))?;
    // A value that does not fit becomes null in the cast.
    match cast.null_count() == column.null_count() {
        true => Ok(cast),
        false => Err(format!("column `{name}` has values that are no {wanted}")),
    }
}

fn integers(table: &RecordBatch, name: &str) -> Result<UInt64Array, String> {
    Ok(column(table, name, &DataType::UInt64)?.as_primitive::<UInt64Type>().clone())
}

fn narrow(table: &RecordBatch, name: &str) -> Result<UInt32Array, String> {
    Ok(column(table, name, &DataType::UInt32)?.as_primitive::<UInt32Type>().clone())
}

/// The keys of column `op` and what each means.
fn operations(table: &RecordBatch) -> Result<(UInt8Array, Vec<Op>), String> {
    let column = column(table, "op", &data_type(Kind::Op))?;
    let dictionary = column.as_dictionary::<UInt8Type>();
    let names = dictionary.values().as_string::<i32>();
    let ops = names
        .iter()
        .map(|name| {
            let name = name.unwrap_or_default();
            Op::ALL.into_iter().find(|op| op.name() == name).ok_or_else(|| {
                format!("column `op`: expected `read`, `write`, `flush` or `discard`, found `{name}`")
            })
        })
        .collect::<Result<_, _>>()?;
    Ok((dictionary.keys().clone(), ops))
}

/// Samples as a table with the columns of [`COUNTERS`].
pub fn samples_to_batch(samples: &[Sample]) -> RecordBatch {
    let floats = |value: fn(&Sample) -> Option<f64>| -> ArrayRef {
        Arc::new(samples.iter().map(value).collect::<Float64Array>())
    };
    let times = |value: fn(&Sample) -> Option<Nanos>| -> ArrayRef {
        Arc::new(samples.iter().map(|sample| value(sample).map(|nanos| nanos.0)).collect::<UInt64Array>())
    };
    let columns: Vec<ArrayRef> = vec![
        times(|sample| Some(sample.time)),
        times(|sample| Some(sample.interval)),
        Arc::new(StringArray::from_iter_values(samples.iter().map(|sample| sample.disk.as_str()))),
        floats(|sample| Some(sample.reads)),
        floats(|sample| Some(sample.writes)),
        floats(|sample| sample.flushes),
        floats(|sample| Some(sample.read_bytes)),
        floats(|sample| Some(sample.written_bytes)),
        floats(|sample| sample.queue_depth),
        times(|sample| sample.read_latency),
        times(|sample| sample.write_latency),
        floats(|sample| sample.utilization),
        floats(|sample| sample.reads_merged),
        floats(|sample| sample.writes_merged),
    ];
    RecordBatch::try_new(schema(COUNTERS), columns).expect("the columns are built for this schema")
}

/// Appends the rows of a table that has the columns of [`COUNTERS`]; those of merges may be missing, as in older files. Gives a message where it cannot.
pub(crate) fn batch_to_samples(table: &RecordBatch, samples: &mut Vec<Sample>) -> Result<(), String> {
    let floats = |name: &str| -> Result<Float64Array, String> {
        Ok(column(table, name, &DataType::Float64)?.as_primitive::<Float64Type>().clone())
    };
    let whole = |column: &UInt64Array, row: usize| column.is_valid(row).then(|| Nanos(column.value(row)));
    let float = |column: &Float64Array, row: usize| column.is_valid(row).then(|| column.value(row));
    let (time, interval) = (integers(table, "time_ns")?, integers(table, "interval_ns")?);
    let (reads, writes, flushes) = (floats("reads")?, floats("writes")?, floats("flushes")?);
    let (read_bytes, written_bytes) = (floats("read_bytes")?, floats("written_bytes")?);
    let (depth, utilization) = (floats("queue_depth")?, floats("utilization")?);
    let (read_latency, write_latency) =
        (integers(table, "read_latency_ns")?, integers(table, "write_latency_ns")?);
    let maybe = |name: &str| table.column_by_name(name).map(|_| floats(name)).transpose();
    let (reads_merged, writes_merged) = (maybe("reads_merged")?, maybe("writes_merged")?);
    let disk = column(table, "disk", &DataType::Utf8)?;
    let disk = disk.as_string::<i32>();
    for row in 0..table.num_rows() {
        samples.push(Sample {
            time: Nanos(time.value(row)),
            interval: Nanos(interval.value(row)),
            disk: disk.value(row).to_owned(),
            reads: reads.value(row),
            writes: writes.value(row),
            flushes: float(&flushes, row),
            read_bytes: read_bytes.value(row),
            written_bytes: written_bytes.value(row),
            reads_merged: reads_merged.as_ref().and_then(|column| float(column, row)),
            writes_merged: writes_merged.as_ref().and_then(|column| float(column, row)),
            queue_depth: float(&depth, row),
            read_latency: whole(&read_latency, row),
            write_latency: whole(&write_latency, row),
            utilization: float(&utilization, row),
        });
    }
    Ok(())
}

/// A trace as a stream of Arrow tables of up to [`BATCH_RECORDS`] rows.
pub struct Batches {
    trace: Trace,
    schema: SchemaRef,
    records: Vec<Record>,
}

impl Trace {
    /// The rest of the trace as Arrow tables.
    #[must_use]
    pub fn batches(self) -> Batches {
        Batches { trace: self, schema: schema(TRACE), records: Vec::with_capacity(BATCH_RECORDS) }
    }
}

impl Batches {
    /// The trace, to ask for its summary.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// The next table, with the error of the trace as it is; `None` at the end.
    ///
    /// # Errors
    /// The trace cannot be read on.
    pub fn next_batch(&mut self) -> Result<Option<RecordBatch>, TraceError> {
        Ok(self.trace.fill(&mut self.records)?.then(|| records_to_batch(&self.schema, &self.records)))
    }
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_batch().map_err(|error| ArrowError::ExternalError(Box::new(error))).transpose()
    }
}

impl RecordBatchReader for Batches {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}
