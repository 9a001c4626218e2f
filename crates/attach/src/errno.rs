//! Errors as a disk gives them to a program.

use std::fmt;

/// The system's number of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Errno(pub i32);

impl Errno {
    /// The medium, or the array, has failed.
    pub const IO: Errno = Errno(libc::EIO);
    /// A request that no disk of this size and sector takes.
    pub const INVALID: Errno = Errno(libc::EINVAL);
    /// A write beyond the end, or one that does not fit into the backing store.
    pub const NO_SPACE: Errno = Errno(libc::ENOSPC);
    /// The server is going away.
    pub const SHUT_DOWN: Errno = Errno(libc::ESHUTDOWN);

    /// That of an error of the system; of any other, [`Errno::IO`]. A quota that is used up is a full disk to a program.
    pub fn of(error: &std::io::Error) -> Errno {
        match error.raw_os_error() {
            Some(libc::EDQUOT) => Errno::NO_SPACE,
            number => number.map_or(Errno::IO, Errno),
        }
    }
}

impl fmt::Display for Errno {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        std::io::Error::from_raw_os_error(self.0).fmt(out)
    }
}
