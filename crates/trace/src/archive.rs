//! tar archives: the members of a set, without unpacking.
//!
//! A merge needs all members at once, and a compressed archive can only be read from front to back. So a compressed archive is
//! decompressed once into an anonymous temporary file; a plain one is read where it is. Members are then
//! ranges of that file. Headers of every dialect (ustar, GNU, PAX) are read by the `tar` crate; members that are no
//! regular files are skipped.

use crate::decompress::{Compression, Input};
use crate::error::{Place, TraceError};
use crate::source::{Bytes, Source};
use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

const BLOCK_BYTES: u64 = 512;
/// The most that the headers of one member take, long names and PAX records included: they are read into memory.
const HEADERS_BYTES_MAX: u64 = 1 << 20;
const MAGIC_AT: usize = 257;

/// Whether content starts with a tar header.
pub(crate) fn detect(head: &[u8]) -> bool {
    head.get(MAGIC_AT..MAGIC_AT + 5).is_some_and(|magic| magic == b"ustar")
}

/// The regular files in the archive; `None` where it is no archive.
pub(crate) fn members(source: &Source) -> Result<Option<Vec<Source>>, TraceError> {
    let unread = || Arc::new(AtomicU64::new(0));
    let mut preview = Input::open(&source.preview(), unread())?;
    if !detect(preview.head()?) {
        return Ok(None);
    }
    let file = match (preview.compression(), &source.bytes) {
        (Compression::Plain, Bytes::File(path)) => File::open(path).map_err(|error| source.refuse(error))?,
        _ => unpack(&mut Input::open(source, unread())?, source)?,
    };
    list(source, &Arc::new(file)).map(Some)
}

fn unpack(input: &mut Input, source: &Source) -> Result<File, TraceError> {
    let mut file = tempfile::tempfile().map_err(|error| TraceError::write(&std::env::temp_dir(), error))?;
    let mut buffer = vec![0; 256 * 1024];
    loop {
        let read = input.fill(&mut buffer)?;
        file.write_all(&buffer[..read]).map_err(|error| TraceError::write(&std::env::temp_dir(), error))?;
        if read < buffer.len() {
            break;
        }
    }
    if input.cut() {
        return Err(broken(
            source,
            input.bytes(),
            "the end of the archive",
            "the end of the compressed file",
        ));
    }
    Ok(file)
}

fn list(source: &Source, file: &Arc<File>) -> Result<Vec<Source>, TraceError> {
    let end = file.metadata().map_err(|error| source.refuse(error))?.len();
    let (mut members, mut at) = (Vec::new(), 0);
    let left = Cell::new(HEADERS_BYTES_MAX);
    file.as_ref().rewind().map_err(|error| source.refuse(error))?;
    let mut archive = tar::Archive::new(Headers { file, left: &left });
    for entry in archive.entries_with_seek().map_err(|error| source.refuse(error))? {
        let entry = entry.map_err(|error| broken(source, at, "a tar header", &error.to_string()))?;
        left.set(HEADERS_BYTES_MAX);
        let (start, length) = (entry.raw_file_position(), entry.size());
        at = next(start, length).filter(|_| length <= end.saturating_sub(start)).ok_or_else(|| {
            let header = entry.raw_header_position();
            broken(source, header, "a member inside the archive", "a size beyond its end")
        })?;
        if entry.header().entry_type().is_file() {
            let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
            let name = format!("{}/{}", source.name, path.trim_start_matches("./"));
            members.push(Source { name, bytes: Bytes::Part { file: file.clone(), start, length } });
        }
    }
    // Without its end mark the archive was cut off, and members may be missing.
    match end.checked_sub(at) {
        Some(rest) if rest >= BLOCK_BYTES => Ok(members),
        _ => Err(broken(source, at, "the end mark of the archive", "the end of the file")),
    }
}

/// Where the header behind a member is.
fn next(start: u64, length: u64) -> Option<u64> {
    start.checked_add(length)?.checked_next_multiple_of(BLOCK_BYTES)
}

/// The file as the headers are read from it; contents are passed over by seeking.
struct Headers<'a> {
    file: &'a File,
    /// Bytes that may still be read for this member.
    left: &'a Cell<u64>,
}

impl Read for Headers<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        let left = self.left.get().checked_sub(read as u64);
        self.left.set(left.ok_or_else(|| io::Error::other("headers of more than 1 MiB"))?);
        Ok(read)
    }
}

impl Seek for Headers<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

fn broken(source: &Source, at: u64, expected: &str, found: &str) -> TraceError {
    TraceError::Record {
        file: source.name.clone(),
        at: Place::Byte(at),
        expected: expected.to_owned(),
        found: found.to_owned(),
        hint: "the archive is damaged; fetch it again".to_owned(),
    }
}
