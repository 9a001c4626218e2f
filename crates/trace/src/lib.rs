//! Logs in, columns out.
//!
//! [`open`] takes a trace of block requests in any supported format and gives its [`Record`](drivecast_block::Record)s in
//! order of time, in batches, in constant memory; [`open_any`] also takes counter logs;
//! [`convert`] writes either to Parquet, which [`open_any`] reads back. The format is detected from the content, never from the
//! name. What is missing, left out or assumed is in the notes of the [`Summary`].
//!
//! ```no_run
//! use drivecast_trace::{Options, open};
//!
//! let mut trace = open(&["examples/mariadb-oltp/mariadb-oltp.blktrace".into()], &Options::default())?;
//! let mut batch = Vec::new();
//! let mut bytes = 0;
//! while trace.fill(&mut batch)? {
//!     bytes += batch.iter().map(|record| u64::from(record.size)).sum::<u64>();
//! }
//! println!("{bytes} bytes in {} requests", trace.summary().rows);
//! # Ok::<(), drivecast_trace::TraceError>(())
//! ```
//!
//! A format is a file in `format/` (requests) or `counter/` (counters) with a [`Description`] and a decoder; `registry.rs`
//! lists them, `detect.rs` tries them, `stream.rs` brings one file into order, `merge.rs` several; `pair.rs` gives block
//! events their latency, `report/` turns counters into samples.

mod archive;
mod convert;
mod counter;
mod decompress;
mod description;
mod detect;
mod error;
mod event;
mod field;
#[cfg(unix)]
mod fifo;
mod foreign;
mod format;
mod known;
mod lines;
mod merge;
mod open;
mod options;
mod packed;
mod pair;
mod parquet;
mod paths;
mod processes;
mod registry;
mod report;
mod rows;
mod source;
mod stream;
mod summary;
mod table;
mod trace;

pub use convert::convert;
pub use description::{Content, Description, Measure};
pub use error::{Detail, Place, TraceError};
pub use open::{Log, open, open_any, open_bytes};
pub use options::{DeviceNumber, Event, Options};
pub use packed::{pack, unpack};
pub use parquet::{COUNTERS_KEY, TRACE_KEY};
pub use registry::FORMATS;
pub use report::log::CounterLog;
pub use rows::BATCH_RECORDS;
pub use summary::{
    CounterSummary, DeviceSummary, DiskSummary, FileSummary, IntervalOrigin, LogSummary, Merged,
    ProcessSummary, SUMMARY_SCHEMA_VERSION, Summary, Tally,
};
pub use table::{Batches, records_to_batch, samples_to_batch, schema};
pub use trace::{Progress, Trace};
