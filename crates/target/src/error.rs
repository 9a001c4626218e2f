//! Why a target cannot be used.

use std::path::PathBuf;

/// What can go wrong before the first request. What goes wrong later is the device's fault, and ends the run.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    /// The path cannot be opened past the page cache.
    #[error("cannot open `{}`: {reason}", path.display())]
    Open {
        /// The target.
        path: PathBuf,
        /// Why, and what to do.
        reason: String,
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
