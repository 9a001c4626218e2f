//! The file system of one file: `disk`, of the disk's size, for its owner only.
//!
//! Represented: what a block device answers. A read or a write that crosses the end is cut short there, a read behind it
//! finds the end of the file, a write behind it is ENOSPC, and what is not a multiple of a sector is EINVAL. `fsync` is a
//! flush, `O_DSYNC` and `O_SYNC` on a write are forced unit access, a hole that is punched is a discard. Zeros to be
//! written (`FALLOC_FL_ZERO_RANGE`) are refused, so that the kernel writes them and their time is that of writes.
//! Left out: all that a disk has not (names, times, truncation, attributes, locks): ENOSYS, EPERM or ENOENT.

use std::ffi::OsStr;
use std::io;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use drivecast_block::Op;
use fuser::{
    Errno, FileAttr, FileHandle, FileType, Filesystem, FopenFlags, Generation, INodeNo, InitFlags,
    KernelConfig, LockOwner, OpenFlags, ReplyAttr, ReplyData, ReplyDirectory, ReplyEmpty, ReplyEntry,
    ReplyOpen, ReplyStatfs, ReplyWrite, Request, WriteFlags,
};

use super::inbox::{Asked, Inbox, Reply};

/// The name of the file.
pub const NAME: &str = "disk";

/// Every offset and size is a multiple of it.
const SECTOR: u64 = 512;
const FILE: INodeNo = INodeNo(2);
/// Nothing of the file system ever changes.
const FOREVER: Duration = Duration::from_secs(1 << 30);
/// Largest request; the kernel splits larger ones.
const REQUEST_BYTES_MAX: u32 = 1 << 20;
/// Requests in flight; the queue of a loop device is 128 deep, so no request waits for another to be answered.
const IN_FLIGHT_MAX: u16 = 4096;

/// The file system; requests for data go to the inbox, all others are answered at once.
pub(super) struct Tree {
    size: u64,
    user: u32,
    group: u32,
    inbox: Arc<Inbox>,
}

impl Tree {
    pub(super) fn new(size: u64, inbox: Arc<Inbox>) -> Tree {
        // SAFETY: neither call can fail.
        let (user, group) = unsafe { (libc::geteuid(), libc::getegid()) };
        Tree { size, user, group, inbox }
    }

    fn attributes(&self, node: INodeNo) -> FileAttr {
        let file = node == FILE;
        let size = if file { self.size } else { 0 };
        FileAttr {
            ino: node,
            size,
            blocks: size / 512,
            atime: UNIX_EPOCH,
            mtime: UNIX_EPOCH,
            ctime: UNIX_EPOCH,
            crtime: UNIX_EPOCH,
            kind: if file { FileType::RegularFile } else { FileType::Directory },
            perm: if file { 0o600 } else { 0o700 },
            nlink: if file { 1 } else { 2 },
            uid: self.user,
            gid: self.group,
            rdev: 0,
            blksize: 4096,
            flags: 0,
        }
    }

    /// How much of a request lies before the end of the disk, or why it is refused.
    fn within(&self, offset: u64, size: u64) -> Result<u32, i32> {
        if !offset.is_multiple_of(SECTOR) || !size.is_multiple_of(SECTOR) {
            return Err(libc::EINVAL);
        }
        let size = size.min(self.size.saturating_sub(offset));
        u32::try_from(size).map_err(|_| libc::EINVAL)
    }
}

impl Filesystem for Tree {
    fn init(&mut self, _request: &Request, config: &mut KernelConfig) -> io::Result<()> {
        // Without it, one thread has one request in flight, whatever depth it asks with.
        config
            .add_capabilities(InitFlags::FUSE_ASYNC_DIO)
            .map_err(|_| io::Error::other("the kernel's FUSE has no asynchronous direct I/O"))?;
        // Where one of these is above the kernel's own bound, that bound holds.
        let _ = config.set_max_background(IN_FLIGHT_MAX).or_else(|most| config.set_max_background(most));
        let _ = config
            .set_congestion_threshold(IN_FLIGHT_MAX)
            .or_else(|most| config.set_congestion_threshold(most));
        let _ = config.set_max_write(REQUEST_BYTES_MAX).or_else(|most| config.set_max_write(most));
        Ok(())
    }

    fn lookup(&self, _request: &Request, _parent: INodeNo, name: &OsStr, reply: ReplyEntry) {
        if name == NAME {
            reply.entry(&FOREVER, &self.attributes(FILE), Generation(0));
        } else {
            reply.error(Errno::ENOENT);
        }
    }

    fn getattr(&self, _request: &Request, node: INodeNo, _handle: Option<FileHandle>, reply: ReplyAttr) {
        reply.attr(&FOREVER, &self.attributes(node));
    }

    fn readdir(
        &self,
        _request: &Request,
        _node: INodeNo,
        _handle: FileHandle,
        offset: u64,
        mut reply: ReplyDirectory,
    ) {
        let entries = [
            (INodeNo::ROOT, FileType::Directory, "."),
            (INodeNo::ROOT, FileType::Directory, ".."),
            (FILE, FileType::RegularFile, NAME),
        ];
        for (next, (node, kind, name)) in (1..).zip(entries) {
            if next > offset && reply.add(node, next, kind, name) {
                break;
            }
        }
        reply.ok();
    }

    /// A loop device takes from it in what units it may discard.
    fn statfs(&self, _request: &Request, _node: INodeNo, reply: ReplyStatfs) {
        reply.statfs(self.size / 4096, 0, 0, 1, 0, 4096, 255, 4096);
    }

    fn open(&self, _request: &Request, node: INodeNo, _flags: OpenFlags, reply: ReplyOpen) {
        if node == FILE {
            // Past the page cache, and writes not one after another. No flush on `close`: where this process is killed with
            // the file open, the kernel closes that before `/dev/fuse`, and would wait for an answer that never comes.
            let how = FopenFlags::FOPEN_DIRECT_IO
                | FopenFlags::FOPEN_PARALLEL_DIRECT_WRITES
                | FopenFlags::FOPEN_NOFLUSH;
            reply.opened(FileHandle(0), how);
        } else {
            reply.error(Errno::EISDIR);
        }
    }

    fn read(
        &self,
        _request: &Request,
        _node: INodeNo,
        _handle: FileHandle,
        offset: u64,
        size: u32,
        _flags: OpenFlags,
        _owner: Option<LockOwner>,
        reply: ReplyData,
    ) {
        match self.within(offset, u64::from(size)) {
            Ok(0) => reply.data(&[]),
            Ok(size) => {
                let reply = Reply::Data(reply);
                self.inbox.put(Asked { op: Op::Read, offset, size, fua: false, data: Vec::new(), reply });
            }
            Err(errno) => reply.error(Errno::from_i32(errno)),
        }
    }

    fn write(
        &self,
        _request: &Request,
        _node: INodeNo,
        _handle: FileHandle,
        offset: u64,
        data: &[u8],
        _write: WriteFlags,
        flags: OpenFlags,
        _owner: Option<LockOwner>,
        reply: ReplyWrite,
    ) {
        match self.within(offset, data.len() as u64) {
            Ok(0) if data.is_empty() => reply.written(0),
            Ok(0) => reply.error(Errno::ENOSPC),
            Ok(size) => {
                let fua = flags.0 & libc::O_DSYNC != 0;
                let data = data.get(..size as usize).unwrap_or(data).to_vec();
                self.inbox.put(Asked {
                    op: Op::Write,
                    offset,
                    size,
                    fua,
                    data,
                    reply: Reply::Written(reply),
                });
            }
            Err(errno) => reply.error(Errno::from_i32(errno)),
        }
    }

    /// Each `close` asks this; a disk does not hear of it.
    fn flush(
        &self,
        _request: &Request,
        _node: INodeNo,
        _handle: FileHandle,
        _owner: LockOwner,
        reply: ReplyEmpty,
    ) {
        reply.ok();
    }

    fn fsync(
        &self,
        _request: &Request,
        _node: INodeNo,
        _handle: FileHandle,
        _only_data: bool,
        reply: ReplyEmpty,
    ) {
        let reply = Reply::Done(reply);
        self.inbox.put(Asked { op: Op::Flush, offset: 0, size: 0, fua: false, data: Vec::new(), reply });
    }

    fn fallocate(
        &self,
        _request: &Request,
        _node: INodeNo,
        _handle: FileHandle,
        offset: u64,
        length: u64,
        mode: i32,
        reply: ReplyEmpty,
    ) {
        if mode != libc::FALLOC_FL_PUNCH_HOLE | libc::FALLOC_FL_KEEP_SIZE {
            return reply.error(Errno::EOPNOTSUPP);
        }
        match self.within(offset, length) {
            Ok(0) => reply.ok(),
            Ok(size) => {
                let reply = Reply::Done(reply);
                self.inbox.put(Asked { op: Op::Discard, offset, size, fua: false, data: Vec::new(), reply });
            }
            Err(errno) => reply.error(Errno::from_i32(errno)),
        }
    }
}
