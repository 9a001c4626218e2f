//! What the file, or a loop device on it, costs: reads of it past the page cache, one after another, that no device takes part in.

use crate::ping::undisturbed;
use drivecast_block::Nanos;
use std::fs::File;
use std::io::Result;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;

/// Direct I/O wants its memory so.
#[repr(align(4096))]
struct Page([u8; 4096]);

/// What a read of 4 KiB of it takes.
///
/// # Errors
/// It cannot be read.
pub fn ping(file: &Path) -> Result<Nanos> {
    let file = File::options().read(true).custom_flags(libc::O_DIRECT).open(file)?;
    let mut page = Page([0; 4096]);
    undisturbed(|| file.read_exact_at(&mut page.0, 0))
}
