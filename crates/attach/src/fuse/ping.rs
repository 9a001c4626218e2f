//! What the front itself costs: reads of the file, one after another, that no device takes part in.

use drivecast_block::Nanos;
use std::fs::File;
use std::io::Result;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::Instant;

/// Reads of 4 KiB by which it is measured, after as many again to warm up.
const PINGS: usize = 1000;

/// The median time of a read of the file.
///
/// # Errors
/// It cannot be read.
pub fn ping(file: &Path) -> Result<Nanos> {
    let file = File::open(file)?;
    let mut bytes = [0; 4096];
    let mut times = (0..2 * PINGS)
        .map(|_| {
            let start = Instant::now();
            file.read_exact_at(&mut bytes, 0)?;
            Ok(start.elapsed().as_nanos() as u64)
        })
        .collect::<Result<Vec<u64>>>()?;
    let measured = &mut times[PINGS..];
    measured.sort_unstable();
    Ok(Nanos(measured[PINGS / 2]))
}
