//! What a front itself costs: something small that is asked of it, one after another, in which no device takes part.

use drivecast_block::Nanos;
use std::io::Result;
use std::time::Instant;

/// Times that count, after as many again to warm up.
const PINGS: usize = 1000;

/// The median time of `once`.
pub(crate) fn median(mut once: impl FnMut() -> Result<()>) -> Result<Nanos> {
    let mut timed = || -> Result<u64> {
        let begun = Instant::now();
        once()?;
        Ok(begun.elapsed().as_nanos() as u64)
    };
    let mut times: Vec<u64> = (0..2 * PINGS).map(|_| timed()).collect::<Result<_>>()?;
    let measured = &mut times[PINGS..];
    measured.sort_unstable();
    Ok(Nanos(measured[PINGS / 2]))
}
