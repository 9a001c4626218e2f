//! The ring of requests between a run and the kernel.
//!
//! One thread hands over and reaps. The kernel keeps what completes until that thread enters it (`DEFER_TASKRUN`) and sets
//! a flag in shared memory (`TASKRUN_FLAG`): no interrupt falls between two requests, and a thread that watches the clock
//! sees the flag without entering. What goes together is handed over in one call. A request for which the device has no
//! place is held by a worker of the kernel's, so that handing over does not block.
//!
//! Left out: a kernel thread that polls the ring (`SQPOLL`), which takes a processor of its own, and polled completions
//! (`IOPOLL`), which few disks are set up for.

use crate::error::TargetError;
use drivecast_block::Nanos;
use io_uring::types::{SubmitArgs, Timespec};
use io_uring::{IoUring, squeue};
use std::io;
use std::os::fd::RawFd;
use std::time::{Duration, Instant};

/// Requests that are handed over at once at most; a power of two.
const ENTRIES: u32 = 1024;

/// Space for completions that have not been read yet; beyond it the kernel keeps them in a list of its own.
const COMPLETIONS: u32 = 65_536;

/// A ring, what waits to be handed over, and what the kernel has.
pub(crate) struct Ring {
    inner: IoUring,
    waiting: usize,
    outstanding: usize,
}

impl Ring {
    /// A ring for requests to this file, its number 0.
    pub(crate) fn new(file: RawFd) -> Result<Ring, TargetError> {
        let ring = IoUring::builder()
            .setup_single_issuer()
            .setup_defer_taskrun()
            .setup_taskrun_flag()
            .setup_cqsize(COMPLETIONS)
            .build(ENTRIES);
        let inner = ring.map_err(|reason| {
            let hint = match reason.raw_os_error() {
                Some(libc::ENOSYS | libc::EINVAL) => "Linux 6.1 or later is needed",
                Some(libc::EPERM | libc::EACCES) => {
                    "`sysctl kernel.io_uring_disabled` must be 0 here, and no seccomp profile may forbid it (as those of \
                     containers do)"
                }
                Some(libc::ENOMEM) => "raise the memory that may be locked: `ulimit -l unlimited`",
                _ => "see io_uring_setup(2) for this error",
            };
            TargetError::Ring { reason, hint }
        })?;
        let hint = "see io_uring_register(2) for this error";
        inner.submitter().register_files(&[file]).map_err(|reason| TargetError::Ring { reason, hint })?;
        Ok(Ring { inner, waiting: 0, outstanding: 0 })
    }

    /// Adds a request to those that go with the next [`Ring::hand_over`]. `false` where there is no space before it.
    #[inline]
    pub(crate) fn push(&mut self, entry: &squeue::Entry) -> bool {
        // SAFETY: the memory that the entry names belongs to the target and outlives the ring; the file stays open.
        let pushed = unsafe { self.inner.submission().push(entry) }.is_ok();
        self.waiting += usize::from(pushed);
        pushed
    }

    /// How many wait to be handed over.
    #[inline]
    pub(crate) fn waiting(&self) -> usize {
        self.waiting
    }

    /// Hands over what waits, and does not wait for anything.
    #[inline]
    pub(crate) fn hand_over(&mut self) -> io::Result<()> {
        while self.waiting > 0 {
            self.handed(retry(self.inner.submit())?);
        }
        Ok(())
    }

    /// Sleeps until a request completes, or so long.
    pub(crate) fn sleep(&mut self, length: Nanos) -> io::Result<()> {
        let Nanos(ns) = length;
        let time = Timespec::new().sec(ns / 1_000_000_000).nsec((ns % 1_000_000_000) as u32);
        let arguments = SubmitArgs::new().timespec(&time);
        match self.inner.submitter().submit_with_args(1, &arguments) {
            Err(error) if error.raw_os_error() == Some(libc::ETIME) => Ok(()),
            other => retry(other).map(|handed| self.handed(handed)),
        }
    }

    fn handed(&mut self, requests: usize) {
        let new = requests.min(self.waiting);
        self.waiting -= new;
        self.outstanding += new;
    }

    /// A completed request: its id, and bytes moved or an error below zero.
    #[inline]
    pub(crate) fn reap(&mut self) -> io::Result<Option<(u64, i32)>> {
        if let Some(entry) = self.inner.completion().next() {
            self.outstanding -= 1;
            return Ok(Some((entry.user_data(), entry.result())));
        }
        let queue = self.inner.submission();
        if queue.taskrun() || queue.cq_overflow() {
            drop(queue);
            let handed = retry(self.inner.submit())?;
            self.handed(handed);
        }
        Ok(None)
    }

    /// Waits for what the kernel still has, but not for ever. Whether it has nothing left.
    pub(crate) fn drain(&mut self, patience: Duration) -> bool {
        let begun = Instant::now();
        while self.outstanding > 0 && begun.elapsed() < patience {
            while matches!(self.reap(), Ok(Some(_))) {}
            if self.outstanding > 0 && self.sleep(Nanos(100_000_000)).is_err() {
                break;
            }
        }
        self.outstanding == 0
    }
}

/// A call that the kernel wants repeated counts as nothing done.
fn retry(result: io::Result<usize>) -> io::Result<usize> {
    match result {
        Err(error) if matches!(error.raw_os_error(), Some(libc::EINTR | libc::EAGAIN | libc::EBUSY)) => Ok(0),
        other => other,
    }
}
