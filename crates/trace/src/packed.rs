//! Records as bytes, for another process that is to play the same requests: the Parquet of a trace, in memory.
//!
//! Unlike a log that is read, they come back as they were: nothing is sorted, shifted or left out.

use crate::convert::properties;
use crate::parquet;
use crate::rows::BATCH_RECORDS;
use crate::table::{records_to_batch, schema};
use ::parquet::arrow::ArrowWriter;
use ::parquet::errors::ParquetError;
use drivecast_block::Record;
use drivecast_block::schema::TRACE;

/// Packs records; equal records are equal bytes.
///
/// # Panics
/// Memory refuses to be written to.
pub fn pack(records: &[Record]) -> Vec<u8> {
    let schema = schema(TRACE);
    let written = || -> Result<Vec<u8>, ParquetError> {
        let mut writer = ArrowWriter::try_new(Vec::new(), schema.clone(), Some(properties()))?;
        for part in records.chunks(BATCH_RECORDS) {
            writer.write(&records_to_batch(&schema, part))?;
        }
        writer.into_inner()
    };
    written().expect("a vector takes all bytes")
}

/// The records that were packed.
///
/// # Errors
/// The bytes are not such records, in words.
pub fn unpack(packed: Vec<u8>) -> Result<Vec<Record>, String> {
    parquet::records(packed.into()).map_err(|error| format!("packed requests are damaged: {error}"))
}
