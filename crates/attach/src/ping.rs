//! What a front itself costs: something small that is asked of it, one after another, in which no device takes part.
//!
//! ```text
//! c = 10th percentile of the times of a read − PING
//! ```
//!
//! The disk answers such a read after [`PING`], as a fast drive does: one that is answered at once often finds its program still awake, and
//! a program that waits for a drive is always woken, which takes 3 µs more (measured).
//!
//! Low, and not the median: answers leave c/2 early, so a c that other work on the machine has raised would have the disk faster
//! than its design, and nothing would show it. A c that is too low is late by that, which is seen. A tenth of the
//! reads meet no other work even where all processors are busy; the least of all would be one lucky read.

use drivecast_block::Nanos;
use std::io::Result;
use std::time::Instant;

/// How long a disk that has not started takes for a read.
pub(crate) const PING: Nanos = Nanos(50_000);

/// Times that count, after some more to warm up.
const PINGS: usize = 500;
const WARM_UP: usize = 100;

/// What `once` takes where nothing comes between.
pub(crate) fn undisturbed(mut once: impl FnMut() -> Result<()>) -> Result<Nanos> {
    let mut timed = || -> Result<u64> {
        let begun = Instant::now();
        once()?;
        Ok(begun.elapsed().as_nanos() as u64)
    };
    let mut times: Vec<u64> = (0..WARM_UP + PINGS).map(|_| timed()).collect::<Result<_>>()?;
    let measured = &mut times[WARM_UP..];
    measured.sort_unstable();
    Ok(Nanos(measured[PINGS / 10].saturating_sub(PING.0)))
}
