//! One hypervisor: its messages, and when it is heard.
//!
//! The crate `vhost` reads a message with calls that block until all of it is there, and the thread that would wait has a disk
//! to serve. So a message is peeked at, and read once it is there and its answer fits into the socket.

use super::device::Device;
use super::requests::Requests;
use crate::Disk;
use crate::wakeup::Wakeup;
use drivecast_target::clock::Clock;
use std::io::Result as IoResult;
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use vhost::vhost_user::BackendReqHandler;
use vhost::vhost_user::message::{FrontendReq, MAX_MSG_SIZE};

const HEADER: usize = 12;
/// Of messages that are heard in one turn.
const MESSAGES: usize = 16;
/// Of turns in which the thread looks into the rings, one asks for messages, for that is a call of the system.
const TURNS: u32 = 64;
/// How long a message may take to come as a whole.
const PATIENCE: Duration = Duration::from_secs(1);
/// Messages that change the ground under requests in flight.
const UPHEAVALS: [FrontendReq; 5] = [
    FrontendReq::GET_VRING_BASE,
    FrontendReq::SET_MEM_TABLE,
    FrontendReq::RESET_OWNER,
    FrontendReq::RESET_DEVICE,
    FrontendReq::SET_FEATURES,
];

/// What is there to be read.
enum Heard {
    Nothing,
    Part,
    /// A message, of this kind.
    Whole(u32),
    Closed,
}

/// See the module.
pub(super) struct Connection {
    stream: UnixStream,
    handler: BackendReqHandler<Mutex<Device>>,
    device: Arc<Mutex<Device>>,
    /// Rung where a request came while the thread was about to sleep.
    wakeup: Wakeup,
    turns: u32,
    /// Whether the thread has slept, so that drivers kick.
    has_slept: bool,
    /// Whether a message waits for the requests in flight; nothing is taken meanwhile.
    holds: bool,
    partial_since: Option<Instant>,
    is_over: bool,
}

impl Connection {
    pub(super) fn new(stream: UnixStream, size: u64) -> IoResult<Connection> {
        stream.set_nonblocking(false)?;
        let device = Arc::new(Mutex::new(Device::new(size)));
        Ok(Connection {
            handler: BackendReqHandler::from_stream(stream.try_clone()?, Arc::clone(&device)),
            stream,
            device,
            wakeup: Wakeup::new()?,
            turns: 0,
            has_slept: true,
            holds: false,
            partial_since: None,
            is_over: false,
        })
    }

    pub(super) fn device(&self) -> MutexGuard<'_, Device> {
        self.device.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    /// The thread is about to sleep.
    pub(super) fn watch(&mut self, watched: &mut Vec<libc::pollfd>) {
        let entry = |fd| libc::pollfd { fd, events: libc::POLLIN, revents: 0 };
        self.has_slept = true;
        if self.holds {
            // An answer that is due wakes the thread.
            return;
        }
        watched.extend([entry(self.stream.as_raw_fd()), entry(self.wakeup.descriptor())]);
        let mut device = self.device();
        let Device { memory, rings, .. } = &mut *device;
        for (kick, waits) in rings.iter_mut().filter_map(|ring| ring.rest(memory)) {
            watched.push(entry(kick));
            if waits {
                self.wakeup.signal();
            }
        }
    }

    /// Takes what has come: messages and requests.
    pub(super) fn take(&mut self, disk: &mut Disk, clock: &Clock, requests: &mut Requests) -> bool {
        self.turns = self.turns.wrapping_add(1);
        let has_slept = std::mem::take(&mut self.has_slept);
        let mut came = false;
        if has_slept || self.holds || self.turns.is_multiple_of(TURNS) {
            came = self.listen(requests.is_empty());
        }
        if self.holds || self.is_over {
            return came;
        }
        let mut device = self.device();
        if has_slept {
            self.wakeup.clear();
            device.wake();
        }
        came |= requests.take(disk, clock, &mut device);
        device.interrupt();
        came
    }

    /// Does what the hypervisor says; whether it says anything.
    fn listen(&mut self, is_quiet: bool) -> bool {
        self.holds = false;
        for turn in 0..MESSAGES {
            let mut heard = peek(&self.stream);
            if matches!(heard, Heard::Whole(_)) && !takes_answers(&self.stream) {
                heard = Heard::Part;
            }
            match heard {
                Heard::Whole(kind) if !is_quiet && UPHEAVALS.iter().any(|one| *one as u32 == kind) => {
                    self.holds = true;
                }
                Heard::Whole(_) => {
                    self.partial_since = None;
                    self.is_over = self.handler.handle_request().is_err();
                    self.device().settle();
                    if !self.is_over {
                        continue;
                    }
                }
                Heard::Part => {
                    let since = *self.partial_since.get_or_insert_with(Instant::now);
                    self.is_over = since.elapsed() > PATIENCE;
                }
                Heard::Closed => self.is_over = true,
                Heard::Nothing => self.partial_since = None,
            }
            return turn > 0;
        }
        true
    }
}

/// What is there, which stays there.
fn peek(stream: &UnixStream) -> Heard {
    let mut there = [0_u8; HEADER + MAX_MSG_SIZE];
    let flags = libc::MSG_PEEK | libc::MSG_DONTWAIT;
    // SAFETY: a buffer of this length. Descriptors that come with the message stay with it.
    let found = unsafe { libc::recv(stream.as_raw_fd(), there.as_mut_ptr().cast(), there.len(), flags) };
    let Ok(length) = usize::try_from(found) else {
        let error = std::io::Error::last_os_error().kind();
        let is_none = matches!(error, std::io::ErrorKind::WouldBlock | std::io::ErrorKind::Interrupted);
        return if is_none { Heard::Nothing } else { Heard::Closed };
    };
    let field = |at: usize| u32::from_ne_bytes([there[at], there[at + 1], there[at + 2], there[at + 3]]);
    match length {
        0 => Heard::Closed,
        1..HEADER => Heard::Part,
        // One that is longer than any is refused by its header.
        _ if field(8) as usize > MAX_MSG_SIZE || length >= HEADER + field(8) as usize => {
            Heard::Whole(field(0))
        }
        _ => Heard::Part,
    }
}

/// Whether an answer can be written without waiting.
fn takes_answers(stream: &UnixStream) -> bool {
    let mut asked = libc::pollfd { fd: stream.as_raw_fd(), events: libc::POLLOUT, revents: 0 };
    // SAFETY: one entry, which outlives the call.
    unsafe { libc::poll(&raw mut asked, 1, 0) == 1 }
}
