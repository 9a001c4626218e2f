//! Which format a file is in, told from its content alone.

use crate::counter;
use crate::decompress::Input;
use crate::error::{TraceError, show_bytes};
use crate::format::registry::{self, DESCRIPTIONS, Description, Verdict};
use crate::format::{blktrace, octf, vscsi};
use crate::options::Options;
use crate::parquet;
use crate::summary::Format;

/// Bytes looked at.
pub(crate) const HEAD_BYTES: usize = 16 * 1024;

/// A format with what its reader must know.
#[derive(Clone, Copy)]
pub(crate) enum Detected {
    Blktrace(blktrace::Order),
    Vscsi(vscsi::Version),
    Octf,
    Text(&'static Description),
    /// A table whose columns the caller tells.
    Mapped,
    Counters(&'static counter::registry::CounterDescription),
    Parquet,
}

impl Detected {
    pub(crate) fn format(self) -> Format {
        match self {
            Detected::Blktrace(_) => Format::Blktrace,
            Detected::Vscsi(_) => Format::Vscsi,
            Detected::Octf => Format::Octf,
            Detected::Text(description) => description.format,
            Detected::Mapped => Format::Csv,
            Detected::Counters(description) => description.format,
            Detected::Parquet => Format::Parquet,
        }
    }
}

/// The format of a file.
pub(crate) fn detect(input: &mut Input, options: &Options) -> Result<Detected, TraceError> {
    let (file, name) = (input.name.clone(), input.base_name.clone());
    let head = input.peek(HEAD_BYTES)?;
    if head.is_empty() {
        return Err(TraceError::Empty { file });
    }
    if let Some(chosen) = chosen(options, head)? {
        return Ok(chosen);
    }
    match blktrace::detect(head) {
        Some((order, blktrace::VERSION)) if head.len() >= blktrace::RECORD_BYTES => {
            return Ok(Detected::Blktrace(order));
        }
        Some((_, blktrace::VERSION)) => return Err(too_short(file, head)),
        Some((_, version)) => return Err(unknown_version(file, version)),
        None => {}
    }
    if head.starts_with(parquet::MAGIC) {
        return Ok(Detected::Parquet);
    }
    if let Some(version) = vscsi::detect(head) {
        return Ok(Detected::Vscsi(version));
    }
    if let Some(description) = counter::registry::detect(head) {
        return Ok(Detected::Counters(description));
    }
    if octf::detect(head) {
        return Ok(Detected::Octf);
    }
    text(&file, &name, head)?.ok_or_else(|| foreign(file, head))
}

/// What the caller says that it is.
fn chosen(options: &Options, head: &[u8]) -> Result<Option<Detected>, TraceError> {
    if options.csv.is_some() {
        return Ok(Some(Detected::Mapped));
    }
    let Some(format) = options.format else { return Ok(None) };
    if let Some(description) = counter::registry::named(format, head) {
        return Ok(Some(Detected::Counters(description)));
    }
    match registry::describe(format) {
        Some(description) if !description.is_binary() => Ok(Some(Detected::Text(description))),
        _ => Err(TraceError::Choice {
            option: "--format",
            expected: "a text format; binary ones are told by their first bytes".to_owned(),
            found: format!("`{}`", format.name()),
            hint: "leave `--format` out".to_owned(),
        }),
    }
}

/// The text format that fits; a doubt where several do, or one does not tell all.
fn text(file: &str, name: &str, head: &[u8]) -> Result<Option<Detected>, TraceError> {
    let mut fitting = Vec::new();
    let mut doubts = Vec::new();
    for description in DESCRIPTIONS {
        match registry::fits(description, name, head) {
            Verdict::No => {}
            Verdict::Yes => fitting.push(*description),
            Verdict::Doubtful { doubt, hint } => doubts.push((doubt, hint)),
        }
    }
    let doubtful = |doubt: String, hint: String| TraceError::Doubtful { file: file.to_owned(), doubt, hint };
    match (&fitting[..], doubts.into_iter().next()) {
        ([description], _) => Ok(Some(Detected::Text(description))),
        ([], None) => Ok(None),
        ([], Some((doubt, hint))) => Err(doubtful(doubt.into_owned(), hint.to_owned())),
        (several, _) => {
            let names = |quote: &str| {
                several.iter().map(|one| format!("`{quote}{}`", one.format.name())).collect::<Vec<_>>()
            };
            Err(doubtful(
                format!("the first lines fit the formats {}", names("").join(" and ")),
                format!("say which: {}", names("--format ").join(" or ")),
            ))
        }
    }
}

fn too_short(file: String, head: &[u8]) -> TraceError {
    TraceError::Record {
        file,
        at: crate::error::Place::Byte(0),
        expected: format!("a whole blktrace record of {} bytes", blktrace::RECORD_BYTES),
        found: format!("{} bytes", head.len()),
        hint: "the recording was cut off inside its first record".to_owned(),
    }
}

fn unknown_version(file: String, version: u32) -> TraceError {
    TraceError::Record {
        file,
        at: crate::error::Place::Byte(0),
        expected: format!("blktrace version {}", blktrace::VERSION),
        found: format!("version {version}"),
        hint: "record it with a blktrace that writes version 7".to_owned(),
    }
}

fn foreign(file: String, head: &[u8]) -> TraceError {
    let traces = DESCRIPTIONS.iter().map(|description| description.format.name());
    let counters = counter::registry::COUNTERS.iter().map(|description| description.format.name());
    let mut names: Vec<_> = traces.chain(counters).collect();
    names.dedup();
    let printable = |byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    let hint = if head.starts_with(b"Linux ") {
        "this looks like the text of sar, or of iostat without disks; record with `iostat -x -d -y -t -o JSON 1`, or export with `sadf -j -- -d`"
    } else if head.iter().take(512).all(printable) {
        "this is text: if it has a column for each of time, operation, offset and size, say which they are: `--csv 'time=ts:us,op=type:R/W,offset=lba:512,size=len:1'`"
    } else {
        "convert it to Parquet with the columns time_ns, op, offset_bytes, size_bytes, stream"
    };
    TraceError::Foreign {
        file,
        looked_for: format!(
            "{}, parquet; also behind gzip, xz, zstd, lz4, bzip2 and tar (`drivecast formats` describes them)",
            names.join(", ")
        ),
        first_bytes: show_bytes(head),
        hint: hint.to_owned(),
    }
}
