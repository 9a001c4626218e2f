//! Which format a file is in, told from its content alone.

use crate::counter;
use crate::decompress::Input;
use crate::error::{TraceError, show_bytes};
use crate::format::{blktrace, msr, vscsi};
use crate::parquet;
use crate::summary::Format;

/// Bytes looked at.
pub(crate) const HEAD_BYTES: usize = 16 * 1024;

/// A format with what its reader must know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detected {
    Blktrace(blktrace::Order),
    Vscsi(vscsi::Version),
    Msr,
    Counters(counter::Kind),
    Parquet,
}

impl Detected {
    pub(crate) fn format(self) -> Format {
        match self {
            Detected::Blktrace(_) => Format::Blktrace,
            Detected::Vscsi(_) => Format::Vscsi,
            Detected::Msr => Format::Msr,
            Detected::Counters(kind) => kind.format(),
            Detected::Parquet => Format::Parquet,
        }
    }
}

/// The format of a file.
pub(crate) fn detect(input: &mut Input) -> Result<Detected, TraceError> {
    let file = input.name.clone();
    let head = input.peek(HEAD_BYTES)?;
    if head.is_empty() {
        return Err(TraceError::Empty { file });
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
    if let Some(kind) = counter::detect(head) {
        return Ok(Detected::Counters(kind));
    }
    if msr::detect(head) {
        return Ok(Detected::Msr);
    }
    Err(foreign(file, head))
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
    let traces = [
        "blktrace (records that start with 07 74 61 65 or 65 61 74 07)",
        "VSCSI (32- or 40-byte records with version 1 or 2 and SCSI commands)",
        "MSR Cambridge CSV (Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime)",
        "Parquet (PAR1)",
    ];
    let endings = ["each also compressed with gzip, xz or zstd, blktrace sets also in a tar archive"];
    let looked_for: Vec<_> = traces.into_iter().chain(counter::looked_for()).chain(endings).collect();
    let hint = if head.starts_with(b"Linux ") {
        "this looks like the text of sar, or of iostat without disks; record with `iostat -x -d -y -t -o JSON 1`, or export with `sadf -j -- -d`"
    } else if head.iter().take(512).all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace()) {
        "this is text; give the binary files where it is the output of blkparse, or convert it to Parquet with the columns time_ns, op, offset_bytes, size_bytes, stream"
    } else {
        "convert it to Parquet with the columns time_ns, op, offset_bytes, size_bytes, stream"
    };
    TraceError::Foreign {
        file,
        looked_for: looked_for.join("; "),
        first_bytes: show_bytes(head),
        hint: hint.to_owned(),
    }
}
