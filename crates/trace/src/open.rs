//! Opening a log: which files, which format, which reader.

use crate::decompress::Input;
use crate::description::{Description, Reading, Stored};
use crate::detect::detect;
use crate::error::TraceError;
use crate::format::mapped;
use crate::options::Options;
use crate::paths::{Files, resolve};
use crate::report::joined_logs::join;
use crate::report::log::CounterLog;
use crate::source::{Bytes, Source};
use crate::trace::{Opened, Trace};
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
            found: format!("a counter log ({})", log.summary().format),
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
struct Found {
    source: Source,
    input: Input,
    format: &'static Description,
}

fn open_files(files: Files, options: &Options) -> Result<Log, TraceError> {
    let read = Arc::new(AtomicU64::new(0));
    let Files { sources, mut notes, losses } = files;
    let losses = if options.whole_set { Vec::new() } else { losses };
    let (mut found, mut total_bytes) = (Vec::new(), 0);
    let many = sources.len();
    for source in sources {
        total_bytes += source.length()?;
        let mut input = Input::open_one_of(&source, read.clone(), many)?;
        match detect(&mut input, options) {
            Ok(format) => found.push(Found { source, input, format }),
            // A CPU that did nothing leaves an empty file.
            Err(TraceError::Empty { .. }) if many > 1 => {
                if !options.whole_set {
                    notes.push(format!("{} is empty", source.base_name()));
                }
            }
            Err(error) => return Err(error),
        }
    }
    let format = same_format(&found)?;
    let inputs = |found: Vec<Found>| found.into_iter().map(|file| file.input).collect();
    let (rows, coding) = match &format.reading {
        Reading::Binary(open) | Reading::PerCpu(open) | Reading::Text(open) => {
            (open(inputs(found), options)?, None)
        }
        Reading::Table(table) => match &options.csv {
            Some(given) => (mapped::open_given(given, inputs(found), options)?, mapped::coding(given)),
            None => mapped::open(table, inputs(found), options)?,
        },
        Reading::Each(_) | Reading::Together(_) => return counters(found, options).map(Log::Counters),
        Reading::Parquet(open) => match open(&single(found)?.source, options)? {
            Stored::Trace(rows) => (rows, None),
            Stored::Counters(log) => return Ok(Log::Counters(*log)),
        },
    };
    let opened = Opened { read, total_bytes, notes, losses, coding };
    Ok(Log::Trace(Trace::new(format.name, rows, options.strict, opened)))
}

/// Reads a counter log whole: each file by its own description, for the forms of a format may be mixed.
fn counters(found: Vec<Found>, options: &Options) -> Result<CounterLog, TraceError> {
    let (mut logs, mut inputs, mut together) = (Vec::with_capacity(found.len()), Vec::new(), None);
    for Found { mut input, format, .. } in found {
        input.hold();
        match format.reading {
            Reading::Each(read) => logs.push(read(input, options)?),
            Reading::Together(read) => {
                together = Some(read);
                inputs.push(input);
            }
            _ => {}
        }
    }
    match together {
        Some(read) => read(inputs, options),
        None => join(logs, options),
    }
}

fn same_format(found: &[Found]) -> Result<&'static Description, TraceError> {
    let Some(first) = found.first() else {
        return Err(TraceError::Empty { file: "every file of the set".to_owned() });
    };
    match found.iter().find(|other| other.format != first.format) {
        None => Ok(first.format),
        Some(other) => Err(TraceError::Set {
            path: other.source.name.clone(),
            expected: format!("{} as in `{}`", first.format.name, first.source.name),
            found: other.format.name.to_owned(),
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
