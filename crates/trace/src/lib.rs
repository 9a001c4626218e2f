//! Logs in, columns out.
//!
//! [`open`] takes a trace of block requests in any supported format and gives its [`Record`](drivecast_block::Record)s in
//! order of time, in batches, in constant memory; [`open_any`] also takes counter logs and says which it found;
//! [`convert`] writes either to Parquet, which [`open_any`] reads back. The format is told from the content, never from the
//! name. What is missing, left out or assumed stands in the notes of the [`Summary`].
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
//! A format is a file in `format/` (requests) or `counter/` (counters) with a `detect` and a decoder; `detect.rs` asks them
//! in turn, `stream.rs` brings one file into order, `merge.rs` several; `pair.rs` gives block events their latency.

mod archive;
mod convert;
mod counter;
mod decompress;
mod detect;
mod error;
mod field;
mod format;
mod lines;
mod merge;
mod open;
mod options;
mod pair;
mod parquet;
mod paths;
mod rows;
mod source;
mod stream;
mod summary;
mod table;
mod trace;

pub use convert::convert;
pub use counter::CounterLog;
pub use counter::registry::{COUNTERS, CounterDescription, Measure};
pub use error::{Place, TraceError};
pub use format::registry::{DESCRIPTIONS, Description};
pub use open::{Log, open, open_any, open_bytes};
pub use options::{DeviceNumber, Event, Options};
pub use parquet::{COUNTERS_KEY, TRACE_KEY};
pub use summary::{
    CounterSummary, DeviceSummary, DiskSummary, FileSummary, Format, IntervalOrigin, LogSummary, Merged,
    SUMMARY_SCHEMA_VERSION, Summary, Tally,
};
pub use table::{Batches, records_to_batch, samples_to_batch, schema};
pub use trace::{BATCH_RECORDS, Progress, Trace};
