//! Opening a log: which files, which format, which reader.

use crate::counter::{self, CounterLog};
use crate::decompress::Input;
use crate::detect::{Detected, detect};
use crate::error::TraceError;
use crate::format::blktrace::{self, BlockEvent};
use crate::format::{octf, registry, vscsi};
use crate::lines::{Lines, ReadLine};
use crate::merge::Merge;
use crate::options::{Event, Options};
use crate::pair::Pair;
use crate::parquet;
use crate::paths::{Files, resolve};
use crate::rows::{BlockRows, RequestRows, Rows};
use crate::source::{Bytes, Source};
use crate::stream::{Decode, Stream};
use crate::trace::{BATCH_RECORDS, Opened, Trace};
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
    open_files(resolve(paths, options)?, options)
}

/// Opens a log that lies in memory, each file with its name.
///
/// # Errors
/// As of [`open_any`].
pub fn open_bytes(files: Vec<(String, Vec<u8>)>, options: &Options) -> Result<Log, TraceError> {
    let sources =
        files.into_iter().map(|(name, bytes)| Source { name, bytes: Bytes::Memory(bytes.into()) }).collect();
    open_files(Files { sources, ..Files::default() }, options)
}

fn shown(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(" ")
}

/// A file with its format.
pub(crate) struct Found {
    pub(crate) source: Source,
    pub(crate) input: Input,
    pub(crate) detected: Detected,
}

fn open_files(files: Files, options: &Options) -> Result<Log, TraceError> {
    let read = Arc::new(AtomicU64::new(0));
    let Files { sources, mut notes, losses } = files;
    let (mut found, mut total_bytes) = (Vec::new(), 0);
    let many = sources.len();
    for source in sources {
        total_bytes += source.length()?;
        let mut input = Input::open_one_of(&source, read.clone(), many)?;
        match detect(&mut input, options) {
            Ok(detected) => found.push(Found { source, input, detected }),
            // A CPU that did nothing leaves an empty file.
            Err(TraceError::Empty { .. }) if many > 1 => {
                notes.push(format!("{} is empty", source.base_name()))
            }
            Err(error) => return Err(error),
        }
    }
    let detected = same_format(&found)?;
    let format = detected.format();
    let (mut coding, mapping) = (None, options.csv.as_deref());
    let rows: Box<dyn Rows> = match detected {
        Detected::Blktrace(_) => blktrace_rows(found, options)?,
        Detected::Octf => block_events(merge(found, |_| Some(octf::Octf::default())), options, Event::Queue)?,
        Detected::Vscsi(_) => {
            let decoder = |detected| match detected {
                Detected::Vscsi(version) => Some(vscsi::Vscsi::new(version)),
                _ => None,
            };
            Box::new(RequestRows::new(merge(found, decoder), options.stream()?))
        }
        Detected::Text(description) => {
            coding = registry::coding(description.mapping());
            registry::open(description, found, options)?
        }
        Detected::Mapped => {
            coding = registry::coding(mapping);
            registry::open_mapped(found, mapping.unwrap_or_default(), options)?
        }
        Detected::Counters(_) => {
            let files = found.into_iter().filter_map(|file| match file.detected {
                Detected::Counters(description) => Some((description, file.input)),
                _ => None,
            });
            return counter::read(files.collect(), options).map(Log::Counters);
        }
        Detected::Parquet => match parquet::open(&single(found)?.source, options, BATCH_RECORDS)? {
            parquet::Content::Trace(rows) => rows,
            parquet::Content::Counters(log) => return Ok(Log::Counters(log)),
        },
    };
    let opened = Opened { read, total_bytes, notes, losses, coding };
    Ok(Log::Trace(Trace::new(format, rows, options.strict, opened)))
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

pub(crate) fn merge<D: Decode>(
    found: Vec<Found>,
    mut decoder: impl FnMut(Detected) -> Option<D>,
) -> Merge<D> {
    let streams = found
        .into_iter()
        .filter_map(|file| decoder(file.detected).map(|decoder| Stream::new(file.input, decoder)))
        .collect();
    Merge::new(streams)
}

fn blktrace_rows(found: Vec<Found>, options: &Options) -> Result<Box<dyn Rows>, TraceError> {
    let decoder = |detected| match detected {
        Detected::Blktrace(order) => Some(blktrace::Blktrace::new(order)),
        _ => None,
    };
    block_events(merge(found, decoder), options, Event::Issue)
}

/// Block events in text.
pub(crate) fn block_rows<R: ReadLine<Item = BlockEvent> + Send + 'static>(
    found: Vec<Found>,
    options: &Options,
    usual: Event,
    reader: impl Fn() -> R,
) -> Result<Box<dyn Rows>, TraceError> {
    block_events(merge(found, |_| Some(Lines::new(reader(), None, options.strict))), options, usual)
}

/// Block events, the `usual` ones as rows where the caller does not choose.
fn block_events<D: Decode<Item = BlockEvent> + Send + 'static>(
    merge: Merge<D>,
    options: &Options,
    usual: Event,
) -> Result<Box<dyn Rows>, TraceError> {
    let event = options.event.unwrap_or(usual);
    let device = options.device()?;
    let pair = Pair::new(event, device.map(|device| device.raw()));
    Ok(Box::new(BlockRows { merge, pair, event, device, ended: false }))
}
