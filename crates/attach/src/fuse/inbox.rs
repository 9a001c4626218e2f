//! What passes from the thread that reads `/dev/fuse` to the one that serves the disk.
//!
//! A queue, and a descriptor that is readable as long as there is something in it: it is written and drained under the lock
//! of the queue, and only where the queue was empty, so a burst costs one system call.

use std::cell::Cell;
use std::io;
use std::os::fd::RawFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use drivecast_block::Op;
use drivecast_target::clock::Punctual;
use fuser::{ReplyData, ReplyEmpty, ReplyWrite};

use crate::Errno;
use crate::wakeup::Wakeup;

/// Of `linux/prctl.h`; the crate `libc` has it for other C libraries only.
const PR_SET_IO_FLUSHER: libc::c_int = 57;

/// The reply that a request waits for.
pub(super) enum Reply {
    /// The bytes read.
    Data(ReplyData),
    /// How many bytes were written.
    Written(ReplyWrite),
    /// That it is done.
    Done(ReplyEmpty),
}

impl Reply {
    /// Refuses the request, as a system call is refused.
    pub(super) fn refuse(self, error: Errno) {
        let error = fuser::Errno::from_i32(error.0);
        match self {
            Reply::Data(reply) => reply.error(error),
            Reply::Written(reply) => reply.error(error),
            Reply::Done(reply) => reply.error(error),
        }
    }
}

/// A request that lies within the disk.
pub(super) struct Asked {
    pub(super) op: Op,
    pub(super) offset: u64,
    pub(super) size: u32,
    pub(super) fua: bool,
    /// What a write brings.
    pub(super) data: Vec<u8>,
    pub(super) reply: Reply,
}

#[derive(Default)]
struct Queue {
    waiting: Vec<Asked>,
    is_closed: bool,
}

/// Requests in the order of their arrival.
pub(super) struct Inbox {
    queue: Mutex<Queue>,
    /// Whether something waits, for a thread that looks often.
    has_any: AtomicBool,
    wakeup: Wakeup,
}

impl Inbox {
    pub(super) fn new() -> io::Result<Inbox> {
        let wakeup = Wakeup::new()?;
        Ok(Inbox { queue: Mutex::default(), has_any: AtomicBool::new(false), wakeup })
    }

    /// The descriptor that is readable while requests wait.
    pub(super) fn wakeup(&self) -> RawFd {
        self.wakeup.descriptor()
    }

    /// Puts a request in; refuses it where none is taken any more.
    pub(super) fn put(&self, asked: Asked) {
        serves_block_io();
        let mut queue = self.queue();
        if queue.is_closed {
            return asked.reply.refuse(Errno::SHUT_DOWN);
        }
        if queue.waiting.is_empty() {
            self.wakeup.signal();
        }
        queue.waiting.push(asked);
        self.has_any.store(true, Ordering::Release);
    }

    /// Moves what waits to `taken`, which is empty.
    pub(super) fn take(&self, taken: &mut Vec<Asked>) {
        if !self.has_any.load(Ordering::Acquire) {
            return;
        }
        let mut queue = self.queue();
        self.wakeup.clear();
        self.has_any.store(false, Ordering::Relaxed);
        std::mem::swap(taken, &mut queue.waiting);
    }

    /// Refuses what waits and all that comes.
    pub(super) fn close(&self) {
        let mut queue = self.queue();
        queue.is_closed = true;
        for asked in queue.waiting.drain(..) {
            asked.reply.refuse(Errno::SHUT_DOWN);
        }
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Has the kernel never wait, when this thread allocates memory, for pages to be written to the very disk that it serves.
pub(super) fn serves_block_io() {
    thread_local!(static IS_SET: Cell<bool> = const { Cell::new(false) });
    if !IS_SET.replace(true) {
        // A request that waits here for the processor is not yet issued, so its wait would not count as lateness: this thread
        // has precedence as the one that serves the disk.
        let _: Punctual = Punctual::begin();
        // SAFETY: it sets a flag of the calling thread. Where we lack the right, only root's loop devices are at risk, and
        // whoever makes those has it.
        unsafe { libc::prctl(PR_SET_IO_FLUSHER, 1, 0, 0, 0) };
    }
}
