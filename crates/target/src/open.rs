//! Opening a target past the page cache.

use crate::error::TargetError;
use std::ffi::CString;
use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// What a run does to its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reads only.
    Read,
    /// Reads and writes: what the target holds is lost.
    Write,
}

/// An open target.
#[derive(Debug)]
pub struct Opened {
    pub(crate) file: File,
    /// Its size.
    pub bytes: u64,
    /// What offsets and sizes are multiples of.
    pub sector: u32,
}

/// Where neither the file system nor the disk says.
const SECTOR: u32 = 4096;

impl Opened {
    /// Opens a file or block device that is there already. Whether it may be written to is the caller's to decide.
    ///
    /// # Errors
    /// A path that is missing, forbidden, empty, or on a file system that has no direct I/O.
    pub fn new(path: &Path, access: Access) -> Result<Opened, TargetError> {
        let refuse = |reason: String| TargetError::Open { path: path.to_owned(), reason };
        let opened = OpenOptions::new()
            .read(true)
            .write(access == Access::Write)
            .custom_flags(libc::O_DIRECT | libc::O_CLOEXEC)
            .open(path);
        let mut file = opened.map_err(|error| match error.raw_os_error() {
            Some(libc::EINVAL) => TargetError::Cached { path: path.to_owned() },
            Some(libc::ENXIO | libc::ENODEV | libc::ENOMEDIUM) => {
                refuse(format!("{error}: there is no device behind this name"))
            }
            _ => refuse(error.to_string()),
        })?;
        let bytes = file.seek(SeekFrom::End(0)).map_err(|error| refuse(error.to_string()))?;
        if bytes == 0 {
            return Err(refuse("it is empty, so no request fits".into()));
        }
        let sector = sector(path).unwrap_or(SECTOR);
        // A whole number of pages: where a larger trace is wrapped into it, requests stay as aligned as they were.
        let grain = if bytes < u64::from(SECTOR) { sector } else { sector.max(SECTOR) };
        Ok(Opened { file, bytes: bytes / u64::from(grain) * u64::from(grain), sector })
    }
}

/// The alignment that the file system or disk requires of direct I/O; none where it is not reported (before Linux 6.1).
fn sector(path: &Path) -> Option<u32> {
    let path = CString::new(path.as_os_str().as_bytes()).ok()?;
    // SAFETY: all bytes zero is a value of this plain structure.
    let mut found: libc::statx = unsafe { std::mem::zeroed() };
    // SAFETY: a string with its end, and a structure to fill, both alive over the call.
    let done = unsafe { libc::statx(libc::AT_FDCWD, path.as_ptr(), 0, libc::STATX_DIOALIGN, &raw mut found) };
    let known = done == 0 && found.stx_mask & libc::STATX_DIOALIGN != 0;
    Some(found.stx_dio_offset_align).filter(|&align| known && align > 0)
}
