//! What can go wrong between a path and a column, with the place, what was expected, what was found and what to do.

use std::fmt;
use std::io;

/// Where in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Offset from the start of the decompressed file.
    Byte(u64),
    /// Line of a text file, counted from 1.
    Line(u64),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Byte(byte) => write!(f, "byte {byte}"),
            Place::Line(line) => write!(f, "line {line}"),
        }
    }
}

/// Why a log could not be opened, read or converted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TraceError {
    /// Nothing lies at the path, neither a file nor a set of per-CPU files.
    #[error("no such file: `{path}`\nhint: {hint}")]
    NotFound {
        /// The path as given.
        path: String,
        /// What was tried, or what lies near.
        hint: String,
    },
    /// The operating system refused to open or read.
    #[error("cannot read `{file}`: {source}")]
    Read {
        /// The file.
        file: String,
        /// The reason.
        source: io::Error,
    },
    /// The file has no bytes.
    #[error("`{file}` is empty\nhint: was the recording stopped before anything was written?")]
    Empty {
        /// The file.
        file: String,
    },
    /// No known format fits the content.
    #[error(
        "`{file}` is in no known format\n  looked for: {looked_for}\n  first bytes: {first_bytes}\nhint: {hint}"
    )]
    Foreign {
        /// The file.
        file: String,
        /// The formats tried and what each would have shown.
        looked_for: String,
        /// The first bytes, in hexadecimal and as text.
        first_bytes: String,
        /// What to do.
        hint: String,
    },
    /// The paths do not make one log.
    #[error("`{path}`: expected {expected}, found {found}\nhint: {hint}")]
    Set {
        /// The path.
        path: String,
        /// What would have been one log.
        expected: String,
        /// What is there.
        found: String,
        /// What to do.
        hint: String,
    },
    /// A record that cannot be.
    #[error("`{file}`, {at}: expected {expected}, found {found}\nhint: {hint}")]
    Record {
        /// The file.
        file: String,
        /// Where the record starts.
        at: Place,
        /// What the format asks for.
        expected: String,
        /// What is there.
        found: String,
        /// What to do.
        hint: String,
    },
    /// The compressed file is damaged.
    #[error(
        "`{file}` is damaged {compression}: {source} (after {after_bytes} decompressed bytes)\nhint: fetch or record it again"
    )]
    Damaged {
        /// The file.
        file: String,
        /// The compression.
        compression: &'static str,
        /// How much could be decompressed.
        after_bytes: u64,
        /// What the decoder said.
        source: io::Error,
    },
    /// An option asks for what the log does not have.
    #[error("`{file}` has no {asked}\nhint: {hint}")]
    Absent {
        /// The file.
        file: String,
        /// What was asked for.
        asked: String,
        /// What there is instead.
        hint: String,
    },
    /// The content fits several formats, or a format with doubt.
    #[error("`{file}`: {doubt}\nhint: {hint}")]
    Ambiguous {
        /// The file.
        file: String,
        /// What the content does not settle.
        doubt: String,
        /// The flag that settles it.
        hint: String,
    },
    /// An option cannot be understood.
    #[error("{option}: expected {expected}, found {found}\nhint: {hint}")]
    Choice {
        /// The option.
        option: &'static str,
        /// What it may be.
        expected: String,
        /// What it was.
        found: String,
        /// What to do.
        hint: String,
    },
    /// A strict reader found that something is missing or had to be skipped.
    #[error("the log is not whole: {losses}\nhint: without `--strict` this is a note")]
    Incomplete {
        /// What is missing.
        losses: String,
    },
    /// A Parquet file could not be read.
    #[error("cannot read Parquet from `{file}`: {message}")]
    Parquet {
        /// The file.
        file: String,
        /// What the reader said.
        message: String,
    },
    /// The result could not be written; nothing is left behind.
    #[error("cannot write `{path}`: {source}")]
    Write {
        /// The path.
        path: String,
        /// The reason.
        source: io::Error,
    },
    /// No room for the result; nothing is left behind.
    #[error(
        "no room left for `{path}`: the disk is full\nhint: free space there or choose another place with `-o`"
    )]
    DiskFull {
        /// The path.
        path: String,
    },
    /// The caller asked to stop; nothing is left behind.
    #[error("interrupted")]
    Interrupted,
}

impl TraceError {
    /// A write error, a full disk told apart.
    pub(crate) fn write(path: &std::path::Path, source: io::Error) -> TraceError {
        let path = path.display().to_string();
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => TraceError::DiskFull { path },
            _ => TraceError::Write { path, source },
        }
    }
}

/// The first bytes of a file as people can read them: hexadecimal, then text with dots for what is not printable.
pub(crate) fn show_bytes(bytes: &[u8]) -> String {
    let head = &bytes[..bytes.len().min(16)];
    let hex: Vec<String> = head.iter().map(|byte| format!("{byte:02x}")).collect();
    let text: String =
        head.iter().map(|&byte| if (32..127).contains(&byte) { char::from(byte) } else { '.' }).collect();
    format!("{} ({text})", hex.join(" "))
}
