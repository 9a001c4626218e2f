//! Why a target cannot be used.

use std::path::PathBuf;

/// What can go wrong before the first request.
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
    /// No memory for the data of the largest request.
    #[error("no memory for requests of {bytes} bytes")]
    Memory {
        /// Bytes of the largest request.
        bytes: usize,
    },
}
