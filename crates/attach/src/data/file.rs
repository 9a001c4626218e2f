//! A disk's data in a sparse file: what was never written takes no space. With [`Syncs`] a flush is one of the storage below, too;
//! a new file is then durable itself before it is used.

use super::syncs::Syncs;
use crate::Errno;
use std::fs::File;
use std::io::{Error, ErrorKind, Result as IoResult};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;

/// See the module.
pub(super) struct Sparse {
    file: File,
    pub(super) syncs: Option<Syncs>,
}

impl Sparse {
    /// The file at a path, made where it is not there; one of another size is refused.
    pub(super) fn new(path: &Path, size: u64, sync: bool) -> IoResult<Sparse> {
        let file =
            File::options().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)?;
        let found = file.metadata()?;
        if !found.is_file() {
            return Err(Error::new(ErrorKind::InvalidInput, "expected a regular file"));
        }
        match found.len() {
            0 => file.set_len(size)?,
            length if length == size => {}
            length => {
                let reason =
                    format!("expected a new file or one of {size} bytes, found one of {length} bytes");
                return Err(Error::new(ErrorKind::InvalidInput, reason));
            }
        }
        // SAFETY: a lock on our own descriptor; two servers of one file would destroy each other's data.
        if unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) } != 0 {
            return Err(Error::new(ErrorKind::WouldBlock, "another server has this file"));
        }
        let syncs = if sync { Some(synced(&file, path)?) } else { None };
        Ok(Sparse { file, syncs })
    }

    pub(super) fn read(&self, offset: u64, out: &mut [u8]) -> Result<(), Errno> {
        self.file.read_exact_at(out, offset).map_err(|error| Errno::of(&error))
    }

    pub(super) fn write(&self, offset: u64, bytes: &[u8]) -> Result<(), Errno> {
        self.file.write_all_at(bytes, offset).map_err(|error| Errno::of(&error))
    }

    pub(super) fn discard(&self, offset: u64, length: u64) -> Result<(), Errno> {
        let mode = libc::FALLOC_FL_PUNCH_HOLE | libc::FALLOC_FL_KEEP_SIZE;
        // SAFETY: numbers only, on our own descriptor.
        if unsafe { libc::fallocate(self.file.as_raw_fd(), mode, offset as i64, length as i64) } == 0 {
            return Ok(());
        }
        match Errno::of(&Error::last_os_error()) {
            Errno(libc::EOPNOTSUPP) => self.zero(offset, length),
            other => Err(other),
        }
    }

    /// Where the file system has no holes.
    fn zero(&self, offset: u64, length: u64) -> Result<(), Errno> {
        let zeros = [0; 1 << 16];
        let mut at = offset;
        while at < offset + length {
            let piece = (offset + length - at).min(zeros.len() as u64);
            self.write(at, &zeros[..piece as usize])?;
            at += piece;
        }
        Ok(())
    }
}

/// The file is there, of its size, after a crash; what flushes it from then on.
fn synced(file: &File, path: &Path) -> IoResult<Syncs> {
    file.sync_all()?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()?;
    Syncs::new(file.try_clone()?)
}
