//! Opening a log: which files, which format, which reader.

use crate::counter::CounterLog;
use crate::decompress::Input;
use crate::detect::{Detected, detect};
use crate::error::TraceError;
use crate::format::{blktrace, msr, vscsi};
use crate::merge::Merge;
use crate::options::{Event, Options};
use crate::pair::Pair;
use crate::parquet;
use crate::paths::{Files, resolve};
use crate::source::{Bytes, Source};
use crate::stream::{Decode, Stream};
use crate::trace::{BATCH_RECORDS, BlockRows, RequestRows, Rows, Trace};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// A log of either kind.
pub enum Log {
    /// Requests.
    Trace(Trace),
    /// Counters.
    Counters(CounterLog),
}

/// Opens a trace: a file, the prefix of a set of per-CPU files, a directory or tar archive with one set, or all files
/// of a set.
///
/// # Errors
/// Nothing there, nothing readable, no known format, or a counter log.
pub fn open(paths: &[PathBuf], options: &Options) -> Result<Trace, TraceError> {
    match open_any(paths, options)? {
        Log::Trace(trace) => Ok(trace),
        Log::Counters(log) => Err(TraceError::Set {
            path: shown(paths),
            expected: "a trace, which has a record for each request".to_owned(),
            found: format!("a counter log ({})", log.summary().format.name()),
            hint: "record the requests too: `blktrace -d <device> -o -`".to_owned(),
        }),
    }
}

/// Opens a trace or a counter log, whichever it is.
///
/// # Errors
/// Nothing there, nothing readable, no known format; a counter log that cannot be read whole.
pub fn open_any(paths: &[PathBuf], options: &Options) -> Result<Log, TraceError> {
    if paths.is_empty() {
        return Err(TraceError::NotFound { path: String::new(), hint: "give at least one path".to_owned() });
    }
    open_files(resolve(paths)?, options)
}

/// Opens a log that lies in memory, each file with its name.
///
/// # Errors
/// As of [`open_any`].
pub fn open_bytes(files: Vec<(String, Vec<u8>)>, options: &Options) -> Result<Log, TraceError> {
    let sources =
        files.into_iter().map(|(name, bytes)| Source { name, bytes: Bytes::Memory(bytes.into()) }).collect();
    open_files(Files { sources, notes: Vec::new() }, options)
}

fn shown(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(" ")
}

/// A file with its format.
struct Found {
    source: Source,
    input: Input,
    detected: Detected,
}

fn open_files(files: Files, options: &Options) -> Result<Log, TraceError> {
    let read = Arc::new(AtomicU64::new(0));
    let Files { sources, mut notes } = files;
    let (mut found, mut total_bytes) = (Vec::new(), 0);
    let many = sources.len() > 1;
    for source in sources {
        total_bytes += source.length()?;
        let mut input = Input::open(&source, read.clone())?;
        match detect(&mut input) {
            Ok(detected) => found.push(Found { source, input, detected }),
            // A CPU that did nothing leaves an empty file.
            Err(TraceError::Empty { .. }) if many => notes.push(format!("{} is empty", source.base_name())),
            Err(error) => return Err(error),
        }
    }
    let detected = same_format(&found)?;
    let rows = match detected {
        Detected::Blktrace(_) => Rows::Blktrace(Box::new(block_rows(found, options))),
        Detected::Vscsi(_) => Rows::Vscsi(RequestRows::new(merge(found, |detected| match detected {
            Detected::Vscsi(version) => Some(vscsi::Vscsi::new(version)),
            _ => None,
        }))),
        Detected::Msr => Rows::Msr(RequestRows::new(merge(found, |_| Some(msr::Msr::default())))),
        Detected::Counters(kind) => {
            let files = if kind.takes_many() { found } else { vec![single(found)?] };
            let inputs = files.into_iter().map(|file| file.input).collect();
            return kind.read(inputs, options).map(Log::Counters);
        }
        Detected::Parquet => match parquet::open(&single(found)?.source, options, BATCH_RECORDS)? {
            parquet::Content::Trace(rows) => Rows::Parquet(rows),
            parquet::Content::Counters(log) => return Ok(Log::Counters(log)),
        },
    };
    Ok(Log::Trace(Trace::new(rows, read, total_bytes, notes)))
}

fn same_format(found: &[Found]) -> Result<Detected, TraceError> {
    let Some(first) = found.first() else {
        return Err(TraceError::Empty { file: "every file of the set".to_owned() });
    };
    match found.iter().find(|other| other.detected.format() != first.detected.format()) {
        None => Ok(first.detected),
        Some(other) => Err(TraceError::Set {
            path: other.source.name.clone(),
            expected: format!("{} as in `{}`", first.detected.format().name(), first.source.name),
            found: other.detected.format().name().to_owned(),
            hint: "give the files of one log only".to_owned(),
        }),
    }
}

fn single(found: Vec<Found>) -> Result<Found, TraceError> {
    match <[Found; 1]>::try_from(found) {
        Ok([file]) => Ok(file),
        Err(found) => Err(TraceError::Set {
            path: found.iter().map(|file| file.source.name.as_str()).collect::<Vec<_>>().join(" "),
            expected: "one file of this format".to_owned(),
            found: format!("{} files", found.len()),
            hint: "give one at a time".to_owned(),
        }),
    }
}

fn merge<D: Decode>(found: Vec<Found>, decoder: impl Fn(Detected) -> Option<D>) -> Merge<D> {
    let streams = found
        .into_iter()
        .filter_map(|file| decoder(file.detected).map(|decoder| Stream::new(file.input, decoder)))
        .collect();
    Merge::new(streams)
}

fn block_rows(found: Vec<Found>, options: &Options) -> BlockRows {
    let event = options.event.unwrap_or(Event::Issue);
    let merge = merge(found, |detected| match detected {
        Detected::Blktrace(order) => Some(blktrace::Blktrace::new(order)),
        _ => None,
    });
    let only = options.device.map(|device| device.raw());
    BlockRows { merge, pair: Pair::new(event, only), event, device: options.device, ended: false }
}
