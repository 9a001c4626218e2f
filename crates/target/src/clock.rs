//! The clock of a run.

use drivecast_block::Nanos;
use std::time::Instant;

/// How long before a request is due the clock is watched instead of slept to. A sleeping thread wakes 50 to 60 µs late where the
/// processor has to leave a state of rest first (measured; the kernel's own slack is set to nothing).
pub const SPIN: Nanos = Nanos(100_000);

/// Nanoseconds since the run began.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock(Instant);

impl Clock {
    /// Begins now.
    pub(crate) fn begin() -> Clock {
        Clock(Instant::now())
    }

    #[inline]
    pub(crate) fn now(self) -> Nanos {
        Nanos(self.0.elapsed().as_nanos() as u64)
    }
}

/// Lets this thread's sleeps end as exactly as the kernel can.
pub(crate) fn sleep_exactly() {
    // SAFETY: sets a number of the calling thread; no memory is involved. Where it is refused, sleeps are 50 µs less exact.
    unsafe { libc::prctl(libc::PR_SET_TIMERSLACK, 1_u64) };
}
