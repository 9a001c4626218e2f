//! tar archives: the members of a set, without unpacking.
//!
//! A merge needs all members at once, and a compressed archive can only be read from front to back. So a compressed archive is
//! decompressed once into an anonymous temporary file; a plain one is read where it lies. Members are then
//! ranges of that file. Headers: POSIX ustar, 512 bytes, with the GNU base-256 size; other member kinds are skipped.

use crate::decompress::{Compression, Input};
use crate::error::{Place, TraceError};
use crate::source::{Bytes, Source};
use std::fs::File;
use std::io::Write;
use std::os::unix::fs::FileExt;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

const BLOCK_BYTES: usize = 512;
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
    let mut members = Vec::new();
    let mut at = 0;
    while at + BLOCK_BYTES as u64 <= end {
        let mut header = [0; BLOCK_BYTES];
        file.read_exact_at(&mut header, at).map_err(|error| source.refuse(error))?;
        if header == [0; BLOCK_BYTES] {
            return Ok(members);
        }
        if !detect(&header) {
            return Err(broken(source, at, "a tar header", &crate::error::show_bytes(&header)));
        }
        let start = at + BLOCK_BYTES as u64;
        let length = size(&header[124..136])
            .filter(|&length| length <= end - start)
            .ok_or_else(|| broken(source, at, "a member inside the archive", "a size beyond its end"))?;
        if matches!(header[156], b'0' | 0) {
            let name = format!("{}/{}", source.name, member_name(&header));
            members.push(Source { name, bytes: Bytes::Part { file: file.clone(), start, length } });
        }
        at = start + length.next_multiple_of(BLOCK_BYTES as u64);
    }
    // Without its end mark the archive was cut off, and members may be missing.
    Err(broken(source, at, "the end mark of the archive", "the end of the file"))
}

/// Octal text, or base 256 where the first bit is set.
fn size(field: &[u8]) -> Option<u64> {
    if field[0] & 0x80 != 0 {
        return (field[1..4].iter().all(|&byte| byte == 0))
            .then(|| field[4..].iter().fold(0, |value, &byte| value << 8 | u64::from(byte)));
    }
    let text = std::str::from_utf8(field).ok()?.trim_matches(|c| c == ' ' || c == '\0');
    u64::from_str_radix(text, 8).ok()
}

fn member_name(header: &[u8; BLOCK_BYTES]) -> String {
    let text = |range: std::ops::Range<usize>| {
        let bytes = header[range].split(|&byte| byte == 0).next().unwrap_or_default();
        String::from_utf8_lossy(bytes).into_owned()
    };
    text(0..100).trim_start_matches("./").to_owned()
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
