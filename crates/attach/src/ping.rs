//! What a front itself costs: something small that is asked of it, one after another, in which no device takes part.
//!
//! ```text
//! c = least of SPELLS of the 10th percentile of PINGS times of a read − PING
//! ```
//!
//! The disk answers such a read after [`PING`], as a fast drive does: one that is answered at once often finds its program still awake, and
//! a program that waits for a drive is always woken, which takes 3 µs more (measured).
//!
//! Low, and not the median: answers leave c/2 early, so a c that other work on the machine has raised would have the disk faster
//! than its design, and nothing would show it. A c that is too low is late by that, which is seen. A tenth of the
//! reads meet no other work even where all processors are busy; the least of all would be one lucky read. Other work
//! comes in spells of milliseconds, so reads are timed in spells that lie apart, and the best counts: of one spell alone a loop
//! device on an idle machine had 31 µs once for 8 to 11 (measured).
//!
//! Left out: work that never pauses, which raises it all the same.

use drivecast_block::Nanos;
use std::io::Result;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long a disk that has not started takes for a read.
pub(crate) const PING: Nanos = Nanos(50_000);

/// Times of a spell that count, after some more to warm up.
const PINGS: usize = 100;
const WARM_UP: usize = 20;
/// Spells, and how far they lie apart: all of them take a sixth of a second. Assumed.
const SPELLS: usize = 8;
const APART: Duration = Duration::from_millis(10);

/// What `once` takes where nothing comes between.
pub(crate) fn undisturbed(mut once: impl FnMut() -> Result<()>) -> Result<Nanos> {
    let mut least = spell(&mut once)?;
    for _ in 1..SPELLS {
        sleep(APART);
        least = least.min(spell(&mut once)?);
    }
    Ok(least)
}

fn spell(once: &mut impl FnMut() -> Result<()>) -> Result<Nanos> {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads that take long in the first spell alone.
    fn disturbed_at_first() -> impl FnMut() -> Result<()> {
        let mut reads = 0;
        move || {
            reads += 1;
            sleep(if reads <= WARM_UP + PINGS {
                Duration::from_millis(2)
            } else {
                Duration::from_micros(50)
            });
            Ok(())
        }
    }

    #[test]
    fn a_spell_of_other_work_does_not_count() {
        assert!(spell(&mut disturbed_at_first()).expect("nothing fails") >= Nanos(1_900_000));
        assert!(undisturbed(disturbed_at_first()).expect("nothing fails") < Nanos(1_000_000));
    }
}
