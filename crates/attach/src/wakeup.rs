//! A wakeup between threads: a descriptor that is readable once it was signalled, until it is cleared.

use std::fs::File;
use std::io::{Error, Read, Result, Write};
use std::os::fd::{AsRawFd, FromRawFd, RawFd};

/// An `eventfd(2)`.
pub(crate) struct Wakeup(File);

impl Wakeup {
    pub(crate) fn new() -> Result<Wakeup> {
        // SAFETY: the call takes no pointers.
        let descriptor = unsafe { libc::eventfd(0, libc::EFD_CLOEXEC | libc::EFD_NONBLOCK) };
        if descriptor < 0 {
            return Err(Error::last_os_error());
        }
        // SAFETY: the descriptor was opened above and has no other owner.
        Ok(Wakeup(unsafe { File::from_raw_fd(descriptor) }))
    }

    /// The same wakeup, for another thread.
    pub(crate) fn again(&self) -> Result<Wakeup> {
        self.0.try_clone().map(Wakeup)
    }

    pub(crate) fn descriptor(&self) -> RawFd {
        self.0.as_raw_fd()
    }

    pub(crate) fn signal(&self) {
        // It can only fail where 2^64 signals wait already.
        let _ = (&self.0).write(&1_u64.to_ne_bytes());
    }

    pub(crate) fn clear(&self) {
        let mut count = [0; 8];
        // Nothing to read means that it was cleared already.
        let _ = (&self.0).read(&mut count);
    }
}
