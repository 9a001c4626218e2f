//! The front of network block devices, on a Unix socket: what fio's `nbd` engine, libnbd, QEMU and `nbd-client` speak.
//!
//! The fixed newstyle handshake and simple replies, in whatever order requests are complete; flush, forced unit access, trim
//! and zeroes; several connections see one disk, and a flush on one is a flush of all. Without TLS: the socket belongs to its
//! owner alone (mode 0600). A client that breaks the protocol loses its connection, and no other.
//!
//! Source: the NBD project's `doc/proto.md`.

mod connection;
mod handshake;
mod ping;
mod protocol;

pub use ping::ping;

use crate::{Answer, Disk, Front};
use connection::Connection;
use drivecast_target::clock::Clock;
use std::fs::{Permissions, remove_file, set_permissions};
use std::io::Result as IoResult;
use std::os::fd::AsRawFd;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};

/// Turns for each look at new clients, which then wait a few hundred microseconds of a busy loop.
const TURNS: u32 = 256;
/// Clients at a time. More wait to be taken.
const CONNECTIONS_MAX: usize = 64;

/// A socket and its clients.
pub struct Nbd {
    listener: UnixListener,
    path: PathBuf,
    connections: Vec<Connection>,
    /// The number of the next connection.
    next: u32,
    is_rotational: bool,
    turns: u32,
}

impl Nbd {
    /// A socket at `path`, which is not there yet.
    ///
    /// # Errors
    /// It cannot be made there.
    pub fn new(path: &Path, is_rotational: bool) -> IoResult<Nbd> {
        let listener = UnixListener::bind(path)?;
        let socket = Nbd {
            listener,
            path: path.to_owned(),
            connections: Vec::new(),
            next: 0,
            is_rotational,
            turns: 0,
        };
        set_permissions(path, Permissions::from_mode(0o600))?;
        socket.listener.set_nonblocking(true)?;
        Ok(socket)
    }

    /// Whether a client waits. To accept where none does makes a socket all the same, which the kernel frees in batches: of a busy loop
    /// these took 16 to 90 µs, a hundred times a second (measured).
    fn is_called(&self) -> bool {
        let mut watched = libc::pollfd { fd: self.listener.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        // SAFETY: a list of one entry, which outlives the call.
        unsafe { libc::poll(&raw mut watched, 1, 0) == 1 }
    }

    /// Takes clients that wait.
    fn accept(&mut self) -> bool {
        let mut came = false;
        while self.connections.len() < CONNECTIONS_MAX && self.is_called() {
            let Ok((stream, _)) = self.listener.accept() else { break };
            if let Ok(connection) = Connection::new(stream, self.next, self.is_rotational) {
                self.connections.push(connection);
                self.next += 1;
                came = true;
            }
        }
        came
    }
}

impl Front for Nbd {
    fn is_direct(&self) -> bool {
        true
    }

    fn watch(&mut self, watched: &mut Vec<libc::pollfd>) {
        let entry = |fd, events| libc::pollfd { fd, events, revents: 0 };
        if self.connections.len() < CONNECTIONS_MAX {
            watched.push(entry(self.listener.as_raw_fd(), libc::POLLIN));
        }
        watched.extend(
            self.connections.iter().map(|connection| entry(connection.descriptor(), connection.events())),
        );
    }

    fn take(&mut self, disk: &mut Disk, clock: &Clock) -> bool {
        // A new client can wait some turns of a busy loop: to look costs a call of the system.
        self.turns = self.turns.wrapping_add(1);
        let looks = self.connections.is_empty() || self.turns.is_multiple_of(TURNS);
        let mut came = looks && self.accept();
        for connection in &mut self.connections {
            came |= connection.take(disk, clock);
        }
        self.connections.retain(|connection| !connection.is_over());
        came
    }

    fn answer(&mut self, disk: &mut Disk, answer: &Answer) {
        let to = answer.ask.stream;
        if let Some(connection) = self.connections.iter_mut().find(|connection| connection.number() == to) {
            connection.answer(disk, answer);
        }
    }

    fn send(&mut self) {
        self.connections.iter_mut().for_each(Connection::send);
    }
}

impl Drop for Nbd {
    fn drop(&mut self) {
        // Whoever has removed it already has done what is to be done.
        let _ = remove_file(&self.path);
    }
}
