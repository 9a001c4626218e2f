//! What the file costs: reads of it, one after another, that no device takes part in.

use crate::ping::median;
use drivecast_block::Nanos;
use std::fs::File;
use std::io::Result;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// The median time of a read of 4 KiB of the file.
///
/// # Errors
/// It cannot be read.
pub fn ping(file: &Path) -> Result<Nanos> {
    let file = File::open(file)?;
    let mut bytes = [0; 4096];
    median(|| file.read_exact_at(&mut bytes, 0))
}
