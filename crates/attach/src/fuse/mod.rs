//! The front of a file: a file system by FUSE with one file, `disk`, for programs and loop devices that need one.
//!
//! ```text
//! program -> (file system -> loop device ->) FUSE -> reader thread -> inbox -> the thread that serves the disk
//!    ^                                                                                |
//!    +-------------------------------- written to /dev/fuse <-------------------------+
//! ```
//!
//! The crate `fuser` reads requests in a thread of its own, and mounts: by `mount(2)` as root, else by `fusermount3`.
//! Requests are answered in whatever order they are complete, to any depth (`FUSE_ASYNC_DIO`, and a limit of requests in
//! the background that is never reached); nothing is cached on the way (`FOPEN_DIRECT_IO`).
//!
//! Left out: the kernel holds a lock of the file over an `fsync`, so a write that comes meanwhile waits until the flush is
//! complete; a disk would take it. Reads do not wait.
//!
//! Source: `include/uapi/linux/fuse.h` and `fs/fuse/file.c` of Linux.

mod inbox;
mod ping;
mod tree;

pub use ping::ping;
pub use tree::NAME;

use std::collections::HashMap;
use std::io::Result as IoResult;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use drivecast_block::Op;
use drivecast_target::clock::Clock;
use fuser::{BackgroundSession, Config, MountOption, Session};

use crate::{Answer, Ask, Disk, Errno, Front};
use inbox::{Asked, Inbox, Reply};
use tree::Tree;

/// A mounted file. Dropping it unmounts, and refuses what still waits.
pub struct Fuse {
    inbox: Arc<Inbox>,
    taken: Vec<Asked>,
    /// Requests that the disk has, by their tickets.
    waiting: HashMap<u64, Reply>,
    ticket: u64,
    /// Answers that are to be sent, each with where its data are in `bytes`.
    ready: Vec<(Reply, Result<Range<usize>, Errno>)>,
    bytes: Vec<u8>,
    /// Unmounts when it is dropped.
    session: Option<BackgroundSession>,
}

impl Fuse {
    /// The file of a disk of `size` bytes in `directory`, which is empty.
    ///
    /// # Errors
    /// It cannot be mounted there.
    pub fn new(directory: &Path, size: u64) -> IoResult<Fuse> {
        let inbox = Arc::new(Inbox::new()?);
        let mut config = Config::default();
        config.mount_options = vec![
            MountOption::FSName("drivecast".to_owned()),
            MountOption::Subtype("drivecast".to_owned()),
            MountOption::NoSuid,
            MountOption::NoDev,
            MountOption::NoExec,
        ];
        let session = Session::new(Tree::new(size, Arc::clone(&inbox)), directory, &config)?.spawn()?;
        Ok(Fuse {
            inbox,
            taken: Vec::new(),
            waiting: HashMap::new(),
            ticket: 0,
            ready: Vec::new(),
            bytes: Vec::new(),
            session: Some(session),
        })
    }

    fn ask(&mut self, disk: &mut Disk, clock: &Clock, asked: Asked) {
        let Asked { op, offset, size, fua, data, reply } = asked;
        let ask = Ask { op, offset, size, fua, stream: 0, ticket: self.ticket + 1 };
        match disk.ask(clock.now(), ask, Some(&data)) {
            Ok(()) => {
                self.ticket = ask.ticket;
                self.waiting.insert(ask.ticket, reply);
            }
            Err(error) => reply.refuse(error),
        }
    }
}

impl Front for Fuse {
    fn watch(&mut self, watched: &mut Vec<libc::pollfd>) {
        watched.push(libc::pollfd { fd: self.inbox.wakeup(), events: libc::POLLIN, revents: 0 });
    }

    fn take(&mut self, disk: &mut Disk, clock: &Clock) -> bool {
        let mut taken = std::mem::take(&mut self.taken);
        self.inbox.take(&mut taken);
        if taken.is_empty() {
            self.taken = taken;
            return false;
        }
        inbox::serves_block_io();
        for asked in taken.drain(..) {
            self.ask(disk, clock, asked);
        }
        self.taken = taken;
        true
    }

    fn answer(&mut self, disk: &mut Disk, answer: &Answer) {
        let Ask { op, offset, size, ticket, .. } = answer.ask;
        let Some(reply) = self.waiting.remove(&ticket) else { return };
        let from = self.bytes.len();
        let outcome = match (answer.error, op) {
            (Some(error), _) => Err(error),
            (None, Op::Read) => {
                self.bytes.resize(from + size as usize, 0);
                disk.data().read(offset, &mut self.bytes[from..])
            }
            (None, _) => Ok(()),
        };
        self.ready.push((reply, outcome.map(|()| from..from + size as usize)));
    }

    fn send(&mut self) {
        for (reply, outcome) in self.ready.drain(..) {
            match (outcome, reply) {
                (Err(error), reply) => reply.refuse(error),
                (Ok(data), Reply::Data(reply)) => reply.data(&self.bytes[data]),
                (Ok(data), Reply::Written(reply)) => reply.written(data.len() as u32),
                (Ok(_), Reply::Done(reply)) => reply.ok(),
            }
        }
        self.bytes.clear();
    }
}

impl Drop for Fuse {
    fn drop(&mut self) {
        self.inbox.close();
        // What the disk has not answered fails with its reply. Only then, for an unmount waits for requests.
        self.waiting.clear();
        // A file that is still open stays until it is closed; all that is asked of it fails. Its reader ends with it.
        drop(self.session.take());
    }
}
