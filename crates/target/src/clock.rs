//! The clock of a run, and the thread that watches it.

use drivecast_block::Nanos;
use std::time::Instant;

/// How long before a request is due the clock is watched instead of slept to. A sleeping thread wakes 50 to 60 µs late where the
/// processor has to leave a state of rest first (measured; the kernel's own slack is set to nothing).
pub const SPIN: Nanos = Nanos(100_000);

/// Nanoseconds since the run began.
#[derive(Clone, Copy, Debug)]
pub struct Clock(Instant);

impl Clock {
    /// Begins now.
    pub fn begin() -> Clock {
        Clock(Instant::now())
    }

    /// How long that is ago.
    #[must_use]
    #[inline]
    pub fn now(self) -> Nanos {
        Nanos(self.0.elapsed().as_nanos() as u64)
    }
}

/// What a thread was before it became punctual, so that it can be that again.
pub struct Punctual {
    slack_ns: libc::c_int,
    nice: libc::c_int,
}

impl Punctual {
    /// Lets this thread's sleeps end as exactly as the kernel can, and gives it precedence over ordinary threads where that
    /// is allowed. Where either is denied, requests are issued later on a busy machine, which their lag shows.
    ///
    /// Not a real-time class: a thread that spins in one would keep the kernel's own workers, which complete its requests,
    /// from the processor.
    pub fn begin() -> Punctual {
        // SAFETY: these read and set numbers of the calling thread (0); no memory is involved.
        unsafe {
            let was = Punctual {
                slack_ns: libc::prctl(libc::PR_GET_TIMERSLACK),
                nice: libc::getpriority(libc::PRIO_PROCESS, 0),
            };
            libc::prctl(libc::PR_SET_TIMERSLACK, 1_u64);
            libc::setpriority(libc::PRIO_PROCESS, 0, -20);
            was
        }
    }

    /// The thread as it was.
    pub fn end(self) {
        // SAFETY: as above.
        unsafe {
            libc::prctl(libc::PR_SET_TIMERSLACK, self.slack_ns.max(1) as libc::c_ulong);
            libc::setpriority(libc::PRIO_PROCESS, 0, self.nice);
        }
    }
}
