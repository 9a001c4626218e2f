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

const EMPTY_HINT: &str = "was the recording stopped before anything was written?";
const DAMAGED_HINT: &str = "fetch or record it again";
const INCOMPLETE_HINT: &str = "without `--strict` this is a note";
const DISK_FULL_HINT: &str = "free space there or choose another place with `-o`";

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
    #[error("`{file}` is empty\nhint: {EMPTY_HINT}")]
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
        "`{file}` is damaged {compression}: {source} (after {after_bytes} decompressed bytes)\nhint: {DAMAGED_HINT}"
    )]
    Damaged {
        /// The file.
        file: String,
        /// The compression.
        compression: &'static str,
        /// How much could be decompressed.
        after_bytes: u64,
        /// The decoder's reason.
        source: io::Error,
    },
    /// An option asks for what the log does not have.
    #[error("`{file}` has no {requested}\nhint: {hint}")]
    Absent {
        /// The file.
        file: String,
        /// What was requested.
        requested: String,
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
    #[error("the log is not whole: {losses}\nhint: {INCOMPLETE_HINT}")]
    Incomplete {
        /// What is missing.
        losses: String,
    },
    /// A Parquet file could not be read.
    #[error("cannot read Parquet from `{file}`: {message}")]
    Parquet {
        /// The file.
        file: String,
        /// The reader's reason.
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
    /// The disk is full; nothing is left behind.
    #[error("no room left for `{path}`: the disk is full\nhint: {DISK_FULL_HINT}")]
    DiskFull {
        /// The path.
        path: String,
    },
    /// The caller stopped it; nothing is left behind.
    #[error("interrupted")]
    Interrupted,
}

/// What an error reports, by field; absent where it does not apply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Detail<'a> {
    /// The file or path.
    pub path: Option<&'a str>,
    /// Where in it.
    pub at: Option<Place>,
    /// The option of the command line.
    pub option: Option<&'static str>,
    /// What would have been accepted.
    pub expected: Option<&'a str>,
    /// What is there.
    pub found: Option<&'a str>,
    /// What to do.
    pub hint: Option<&'a str>,
}

impl TraceError {
    /// The error by field, for callers that do more than show its text.
    pub fn detail(&self) -> Detail<'_> {
        match self {
            TraceError::NotFound { path, hint } => {
                Detail { path: Some(path), hint: Some(hint), ..Detail::default() }
            }
            TraceError::Foreign { file, looked_for: expected, first_bytes: found, hint }
            | TraceError::Set { path: file, expected, found, hint } => Detail {
                path: Some(file),
                expected: Some(expected),
                found: Some(found),
                hint: Some(hint),
                ..Detail::default()
            },
            TraceError::Record { file, at, expected, found, hint } => Detail {
                path: Some(file),
                at: Some(*at),
                expected: Some(expected),
                found: Some(found),
                hint: Some(hint),
                ..Detail::default()
            },
            TraceError::Absent { file, requested, hint } => {
                Detail { path: Some(file), expected: Some(requested), hint: Some(hint), ..Detail::default() }
            }
            TraceError::Ambiguous { file, doubt, hint } => {
                Detail { path: Some(file), found: Some(doubt), hint: Some(hint), ..Detail::default() }
            }
            TraceError::Choice { option, expected, found, hint } => Detail {
                option: Some(option),
                expected: Some(expected),
                found: Some(found),
                hint: Some(hint),
                ..Detail::default()
            },
            TraceError::Incomplete { losses } => {
                Detail { found: Some(losses), hint: Some(INCOMPLETE_HINT), ..Detail::default() }
            }
            TraceError::Damaged { file, after_bytes, .. } => Detail {
                path: Some(file),
                at: Some(Place::Byte(*after_bytes)),
                hint: Some(DAMAGED_HINT),
                ..Detail::default()
            },
            TraceError::Parquet { file, message } => {
                Detail { path: Some(file), found: Some(message), ..Detail::default() }
            }
            TraceError::Empty { file } => {
                Detail { path: Some(file), hint: Some(EMPTY_HINT), ..Detail::default() }
            }
            TraceError::DiskFull { path } => {
                Detail { path: Some(path), hint: Some(DISK_FULL_HINT), ..Detail::default() }
            }
            TraceError::Read { file: path, .. } | TraceError::Write { path, .. } => {
                Detail { path: Some(path), ..Detail::default() }
            }
            TraceError::Interrupted => Detail::default(),
        }
    }

    /// A write error; a full disk is its own variant.
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
