//! Why a target cannot be used.

use std::path::{Path, PathBuf};

const CACHED_HINT: &str = "choose a directory on the disk itself";

/// What can go wrong before the first request. What goes wrong later is the device's fault, and ends the run.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    /// The path cannot be opened.
    #[error("cannot open `{}`: {reason}", path.display())]
    Open {
        /// The target.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The path is on a file system that does not pass the page cache by.
    #[error("cannot open `{}`: its file system has no direct I/O (tmpfs, for one)\nhint: {CACHED_HINT}", path.display())]
    Cached {
        /// The target.
        path: PathBuf,
    },
    /// The kernel gives no ring.
    #[error("io_uring is not to be had here: {reason}\nhint: {hint}")]
    Ring {
        /// What the kernel said.
        reason: std::io::Error,
        /// What to do.
        hint: &'static str,
    },
    /// More than the kernel moves at once.
    #[error("a request of {bytes} bytes is larger than 1 GiB, the most that is played in one piece")]
    Large {
        /// Bytes of the request.
        bytes: u32,
    },
    /// No memory for the data of the largest request.
    #[error("no memory for requests of {bytes} bytes")]
    Memory {
        /// Bytes of the largest request.
        bytes: usize,
    },
}

impl TargetError {
    /// The target, where the error names it.
    pub fn path(&self) -> Option<&Path> {
        match self {
            TargetError::Open { path, .. } | TargetError::Cached { path } => Some(path),
            _ => None,
        }
    }

    /// What to do about it, where the message ends with that.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            TargetError::Cached { .. } => Some(CACHED_HINT),
            TargetError::Ring { hint, .. } => Some(hint),
            _ => None,
        }
    }
}
