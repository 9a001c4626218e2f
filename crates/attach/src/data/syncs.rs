//! The real storage under a file of data, flushed on a thread of its own.
//!
//! Model. What is to be durable gets the next number when it comes; what was written before is in the file then. The thread takes all
//! numbers there are, calls `fdatasync(2)` once, and says the last of them. So each waits at most for the call that runs when it
//! comes, which may not cover it, and the next; the thread that serves the disk waits for neither.
//!
//! A call that fails ends it: the kernel reports a page that it could not write once, and may have dropped it, so a later call that
//! succeeds proves nothing.

use crate::Errno;
use crate::wakeup::Wakeup;
use std::fs::File;
use std::io::Result as IoResult;
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;

/// See the module.
pub(super) struct Syncs {
    last: u64,
    /// Dropped to end the thread.
    numbers: Option<Sender<u64>>,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    /// Up to this number all is durable; the largest of all where nothing more is tried.
    done: AtomicU64,
    /// Why; 0 before.
    failure: AtomicI32,
    /// Rung when something is done.
    wakeup: OnceLock<Wakeup>,
}

impl Syncs {
    /// For a file, whose lock is held until the thread has ended.
    pub(super) fn new(file: File) -> IoResult<Syncs> {
        let shared = Arc::new(Shared::default());
        let (numbers, received) = channel();
        let of_thread = Arc::clone(&shared);
        let run = move || of_thread.run(&file, &received);
        let thread = std::thread::Builder::new().name("attach-sync".to_owned()).spawn(run)?;
        Ok(Syncs { last: 0, numbers: Some(numbers), shared, thread: Some(thread) })
    }

    /// Rings this from now on.
    pub(super) fn wake(&self, wakeup: Wakeup) {
        // A second server of one disk there is not.
        let _ = self.shared.wakeup.set(wakeup);
    }

    /// All that is in the file is to be durable; the number of that.
    pub(super) fn ask(&mut self) -> u64 {
        self.last += 1;
        // After a failure there is no one to take it, and its number is done.
        let _ = self.numbers.as_ref().map(|numbers| numbers.send(self.last));
        self.last
    }

    /// Up to which number there is nothing to wait for.
    pub(super) fn done(&self) -> u64 {
        self.shared.done.load(Ordering::Acquire)
    }

    /// Why nothing can be made durable any more.
    pub(super) fn failure(&self) -> Option<Errno> {
        let number = self.shared.failure.load(Ordering::Acquire);
        (number != 0).then_some(Errno(number))
    }
}

impl Shared {
    fn run(&self, file: &File, numbers: &Receiver<u64>) {
        while let Ok(first) = numbers.recv() {
            let last = numbers.try_iter().last().unwrap_or(first);
            let synced = file.sync_data();
            if let Err(error) = &synced {
                self.failure.store(Errno::of(error).0, Ordering::Release);
            }
            self.done.store(if synced.is_ok() { last } else { u64::MAX }, Ordering::Release);
            if let Some(wakeup) = self.wakeup.get() {
                wakeup.signal();
            }
            if synced.is_err() {
                return;
            }
        }
    }
}

impl Drop for Syncs {
    fn drop(&mut self) {
        self.numbers = None;
        let _ = self.thread.take().map(JoinHandle::join);
    }
}
