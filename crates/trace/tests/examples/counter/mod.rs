//! Counter logs, one source a file.

mod cloudwatch;
mod damage;
mod diskstats;
mod iostat;
mod kinds;
mod merges;
mod perfmon;
mod prometheus;
mod rate_tables;
mod sadf;
mod sar;
mod sources;

use drivecast_trace::{CounterLog, Log, Options, open_bytes};

/// Reads a log that lies in memory.
pub(crate) fn read_bytes(bytes: &[u8], options: &Options) -> Result<CounterLog, String> {
    read_files(vec![("log".to_owned(), bytes.to_vec())], options)
}

/// Reads a log in several files.
pub(crate) fn read_files(files: Vec<(String, Vec<u8>)>, options: &Options) -> Result<CounterLog, String> {
    match open_bytes(files, options) {
        Ok(Log::Counters(log)) => Ok(log),
        Ok(Log::Trace(_)) => panic!("a trace"),
        Err(error) => Err(error.to_string()),
    }
}

/// Reads a text as it comes.
pub(crate) fn read(text: &str) -> CounterLog {
    read_bytes(text.as_bytes(), &Options::default()).unwrap()
}

/// Options that ask for a disk.
pub(crate) fn disk(name: &str) -> Options {
    Options { disk: Some(name.to_owned()), ..Options::default() }
}

/// Whether a note has this text.
pub(crate) fn notes(log: &CounterLog, text: &str) -> bool {
    log.summary().notes.iter().any(|note| note.contains(text))
}
