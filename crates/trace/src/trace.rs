//! A trace that is being read.

use crate::error::TraceError;
use crate::rows::Rows;
use crate::summary::{SUMMARY_SCHEMA_VERSION, Summary};
use drivecast_block::Record;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A trace: records in order of time, pulled in batches, in constant memory.
pub struct Trace {
    rows: Box<dyn Rows>,
    format: &'static str,
    strict: bool,
    files: Opened,
    counted: Counted,
}

/// The files of a trace: how much of them has been read, and what there is to say about them.
pub(crate) struct Opened {
    pub(crate) read: Arc<AtomicU64>,
    pub(crate) total_bytes: u64,
    pub(crate) notes: Vec<String>,
    /// What is missing among them.
    pub(crate) losses: Vec<String>,
    /// Units and codes, as they were understood.
    pub(crate) coding: Option<String>,
}

/// What was given out so far.
#[derive(Default)]
struct Counted {
    rows: u64,
    with_latency: u64,
    duration_ns: u64,
    complete: bool,
}

/// How far the reading of a log is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Bytes of the files read, before decompression.
    pub bytes: u64,
    /// Bytes of the files, before decompression.
    pub total_bytes: u64,
    /// Rows given out.
    pub rows: u64,
}

impl Trace {
    pub(crate) fn new(format: &'static str, rows: Box<dyn Rows>, strict: bool, files: Opened) -> Trace {
        Trace { rows, format, strict, files, counted: Counted::default() }
    }

    /// Clears `batch` and fills it with up to [`BATCH_RECORDS`](crate::BATCH_RECORDS) records in order of time; false at the end.
    ///
    /// # Errors
    /// The next record cannot be read or is not what the format asks for.
    pub fn fill(&mut self, batch: &mut Vec<Record>) -> Result<bool, TraceError> {
        batch.clear();
        self.rows.fill(batch)?;
        self.counted.rows += batch.len() as u64;
        self.counted.with_latency += batch.iter().filter(|record| record.latency.is_some()).count() as u64;
        match batch.last() {
            Some(last) => self.counted.duration_ns = last.time.0,
            None => self.end()?,
        }
        Ok(!batch.is_empty())
    }

    /// All has been read; a strict reader does not take a log that lacks anything.
    fn end(&mut self) -> Result<(), TraceError> {
        self.counted.complete = true;
        if !self.strict {
            return Ok(());
        }
        let losses = [self.files.losses.clone(), self.rows.losses()].concat();
        match losses.is_empty() {
            true => Ok(()),
            false => Err(TraceError::Incomplete { losses: losses.join("; ") }),
        }
    }

    /// What has been seen so far; complete once [`Trace::fill`] gave false. Of Parquet: what was written into it.
    pub fn summary(&self) -> Summary {
        if let Some(summary) = self.rows.stored() {
            return summary.clone();
        }
        let mut summary = Summary {
            schema_version: SUMMARY_SCHEMA_VERSION,
            format: self.format.to_owned(),
            coding: self.files.coding.clone(),
            files: Vec::new(),
            hash: String::new(),
            event: None,
            rows: self.counted.rows,
            rows_with_latency: self.counted.with_latency,
            duration_ns: self.counted.duration_ns,
            tallies: Vec::new(),
            devices: Vec::new(),
            processes: Vec::new(),
            disks: Vec::new(),
            assumed_times: false,
            notes: [&self.files.notes[..], &self.files.losses[..]].concat(),
            complete: self.counted.complete,
        };
        self.rows.describe(&mut summary);
        summary
    }

    /// The name of the files' format.
    pub fn format(&self) -> &'static str {
        self.format
    }

    /// How far the reading is.
    pub fn progress(&self) -> Progress {
        let bytes = self.files.read.load(Ordering::Relaxed);
        Progress { bytes, total_bytes: self.files.total_bytes, rows: self.counted.rows }
    }
}
