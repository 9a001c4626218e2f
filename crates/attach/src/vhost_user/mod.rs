//! The front of guests: a virtio block device by vhost-user, on a Unix socket, for QEMU, Cloud Hypervisor and others.
//!
//! ```text
//! guest: virtio_blk -> ring in its memory --------> the thread that serves the disk
//!                         ^                               |
//!                         +---- data, status, interrupt --+
//! hypervisor: features, memory, rings, by messages on the socket (`device.rs`)
//! ```
//!
//! The guest's memory is mapped here. While the thread is awake it looks into the rings themselves, and asks the driver not to
//! kick; before it sleeps it asks for kicks again. What the front costs is taken as 0: it can only be measured in a guest, and
//! what a guest adds to a request is part of running in one. One hypervisor at a time, with up to [`block::RINGS`] rings; it may
//! leave, and connect anew. A ring is stopped, and memory exchanged, once what the rings have asked is answered. A driver that
//! breaks the rules loses its request, or its ring; a hypervisor that does, its connection.
//!
//! Left out: packed rings, migration, and recovery of requests in flight. Data pass through a buffer of our own, for a guest
//! may change its memory at any moment. The hypervisor is trusted to leave the file of that memory as long as it said; the
//! socket belongs to its owner alone (mode 0600).
//!
//! Sources: QEMU's `docs/interop/vhost-user.rst`; Virtual I/O Device (VIRTIO) 1.2, sections 2.7 and 5.2.

mod block;
mod connection;
mod device;
mod request;
mod requests;
mod ring;

use crate::{Answer, Disk, Front};
use connection::Connection;
use drivecast_target::clock::Clock;
use requests::Requests;
use std::fs::{Permissions, remove_file, set_permissions};
use std::io::Result as IoResult;
use std::os::fd::AsRawFd;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};

/// A socket, and the hypervisor that uses it.
pub struct VhostUser {
    listener: UnixListener,
    path: PathBuf,
    connection: Option<Connection>,
    requests: Requests,
}

impl VhostUser {
    /// A socket at `path`, which is not there yet.
    ///
    /// # Errors
    /// It cannot be made there.
    pub fn new(path: &Path) -> IoResult<VhostUser> {
        let listener = UnixListener::bind(path)?;
        let front =
            VhostUser { listener, path: path.to_owned(), connection: None, requests: Requests::default() };
        set_permissions(path, Permissions::from_mode(0o600))?;
        front.listener.set_nonblocking(true)?;
        Ok(front)
    }

    /// Takes a hypervisor that waits.
    fn accept(&mut self, disk: &Disk) -> bool {
        let Ok((stream, _)) = self.listener.accept() else { return false };
        self.connection = Connection::new(stream, disk.size()).ok();
        self.connection.is_some()
    }
}

impl Front for VhostUser {
    fn watch(&mut self, watched: &mut Vec<libc::pollfd>) {
        match &mut self.connection {
            Some(connection) => connection.watch(watched),
            None => {
                let fd = self.listener.as_raw_fd();
                watched.push(libc::pollfd { fd, events: libc::POLLIN, revents: 0 });
            }
        }
    }

    fn take(&mut self, disk: &mut Disk, clock: &Clock) -> bool {
        let Some(connection) = &mut self.connection else { return self.accept(disk) };
        let came = connection.take(disk, clock, &mut self.requests);
        if connection.is_over() {
            self.connection = None;
            self.requests.forget();
        }
        came
    }

    fn answer(&mut self, disk: &mut Disk, answer: &Answer) {
        if let Some(connection) = &mut self.connection {
            self.requests.answer(disk, answer, &mut connection.device());
        }
    }

    fn send(&mut self) {
        if let Some(connection) = &mut self.connection {
            connection.device().interrupt();
        }
    }
}

impl Drop for VhostUser {
    fn drop(&mut self) {
        // Whoever has removed it already has done what is to be done.
        let _ = remove_file(&self.path);
    }
}
