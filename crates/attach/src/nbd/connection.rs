//! One client.

use super::handshake::{Export, Handshake, Step, greeting};
use super::protocol::{FLAGS, FUA, NO_HOLE, PAYLOAD_MAX, Request, command, simple_reply};
use crate::{Answer, Ask, Disk, Errno};
use drivecast_block::Op;
use drivecast_target::clock::Clock;
use std::io::{ErrorKind, Read, Result as IoResult, Write};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::net::UnixStream;

/// Read at a time.
const PIECE: usize = 256 << 10;
/// Bytes of reads not answered, and of answers not sent, beyond which a client has to wait.
const PENDING_MAX: usize = 64 << 20;

/// Where a connection is.
enum Stage {
    Negotiates(Handshake),
    Serves,
    /// No more is taken; what is asked is still answered.
    Leaves,
    Over,
}

/// See the module.
pub(super) struct Connection {
    stream: UnixStream,
    number: u32,
    is_rotational: bool,
    stage: Stage,
    /// What has come is in this from `used` to `held`.
    came: Vec<u8>,
    used: usize,
    held: usize,
    /// What is to be sent, from `sent` on.
    out: Vec<u8>,
    sent: usize,
    /// Requests at the disk, and their bytes.
    asked: usize,
    asked_bytes: usize,
}

impl Connection {
    pub(super) fn new(stream: UnixStream, number: u32, is_rotational: bool) -> IoResult<Connection> {
        stream.set_nonblocking(true)?;
        let mut connection = Connection {
            stream,
            number,
            is_rotational,
            stage: Stage::Negotiates(Handshake::default()),
            came: vec![0; PIECE],
            used: 0,
            held: 0,
            out: greeting(),
            sent: 0,
            asked: 0,
            asked_bytes: 0,
        };
        connection.send();
        Ok(connection)
    }

    pub(super) fn number(&self) -> u32 {
        self.number
    }

    pub(super) fn descriptor(&self) -> RawFd {
        self.stream.as_raw_fd()
    }

    /// What is to be polled for.
    pub(super) fn events(&self) -> i16 {
        let takes = if self.is_full() || matches!(self.stage, Stage::Leaves) { 0 } else { libc::POLLIN };
        let sends = if self.out.is_empty() { 0 } else { libc::POLLOUT };
        takes | sends
    }

    pub(super) fn is_over(&self) -> bool {
        match self.stage {
            Stage::Over => true,
            Stage::Leaves => self.asked == 0 && self.out.is_empty(),
            Stage::Negotiates(_) | Stage::Serves => false,
        }
    }

    fn is_full(&self) -> bool {
        self.asked_bytes + self.out.len() > PENDING_MAX
    }

    /// Takes what has come; whether anything has.
    pub(super) fn take(&mut self, disk: &mut Disk, clock: &Clock) -> bool {
        if !self.out.is_empty() {
            self.send();
        }
        if self.is_full() || matches!(self.stage, Stage::Leaves | Stage::Over) {
            return false;
        }
        let came = self.receive();
        if came {
            self.parse(disk, clock);
        }
        came
    }

    /// Reads what there is, as far as it fits.
    fn receive(&mut self) -> bool {
        self.make_room();
        match self.stream.read(&mut self.came[self.held..]) {
            Ok(0) => {
                self.stage = Stage::Leaves;
                false
            }
            Ok(bytes) => {
                self.held += bytes;
                true
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => false,
            Err(_) => {
                self.stage = Stage::Over;
                false
            }
        }
    }

    /// Sees to it that something fits: begins from the front again, and grows for a payload that is larger.
    fn make_room(&mut self) {
        if self.used == self.held {
            (self.used, self.held) = (0, 0);
        }
        if self.held < self.came.len() {
            return;
        }
        self.came.copy_within(self.used..self.held, 0);
        (self.used, self.held) = (0, self.held - self.used);
        if self.held == self.came.len() {
            self.came.resize(2 * self.held, 0);
        }
    }

    fn parse(&mut self, disk: &mut Disk, clock: &Clock) {
        loop {
            let came = &self.came[self.used..self.held];
            match &mut self.stage {
                Stage::Leaves | Stage::Over => return,
                Stage::Negotiates(handshake) => {
                    let export = Export { size: disk.size(), is_rotational: self.is_rotational };
                    let step = handshake.take(came, export, &mut self.out);
                    match step {
                        Step::Wait => break,
                        Step::Continue(used) => self.used += used,
                        Step::Serve(used) => {
                            self.used += used;
                            self.stage = Stage::Serves;
                        }
                        Step::Close => self.stage = Stage::Leaves,
                    }
                    self.send();
                }
                Stage::Serves => {
                    let Some((head, rest)) = came.split_first_chunk::<{ Request::BYTES }>() else { break };
                    let Some(request) = Request::read(head)
                        .filter(|request| !request.has_payload() || request.size <= PAYLOAD_MAX)
                    else {
                        self.stage = Stage::Leaves;
                        return;
                    };
                    let length = if request.has_payload() { request.size as usize } else { 0 };
                    if rest.len() < length {
                        break;
                    }
                    let from = self.used + Request::BYTES;
                    self.used = from + length;
                    self.serve(disk, clock, request, from..from + length);
                }
            }
        }
    }

    /// Hands a request to the disk, its payload being in what has come.
    fn serve(&mut self, disk: &mut Disk, clock: &Clock, request: Request, payload: std::ops::Range<usize>) {
        let Request { flags, command, cookie, offset, size } = request;
        if flags & !FLAGS != 0 {
            return self.refuse(cookie, Errno::INVALID);
        }
        let op = match command {
            command::READ => Op::Read,
            command::WRITE => Op::Write,
            command::FLUSH => Op::Flush,
            command::TRIM => Op::Discard,
            command::WRITE_ZEROES if flags & NO_HOLE == 0 => Op::Discard,
            command::WRITE_ZEROES => Op::Write,
            command::DISCONNECT => {
                self.stage = Stage::Leaves;
                return;
            }
            _ => return self.refuse(cookie, Errno::INVALID),
        };
        let fua = flags & FUA != 0 && matches!(op, Op::Write | Op::Discard);
        let (offset, size) = if op == Op::Flush { (0, 0) } else { (offset, size) };
        let ask = Ask { op, offset, size, fua, stream: self.number, ticket: cookie };
        if op == Op::Read && size > PAYLOAD_MAX {
            return self.refuse(cookie, Errno::INVALID);
        }
        let brings = (command == command::WRITE).then(|| &self.came[payload]);
        match disk.ask(clock.now(), ask, brings) {
            Ok(()) => {
                self.asked += 1;
                self.asked_bytes += if op == Op::Read { size as usize } else { 0 };
            }
            Err(error) => self.refuse(cookie, error),
        }
    }

    fn refuse(&mut self, cookie: u64, error: Errno) {
        self.out.extend(simple_reply(cookie, Some(error)));
        self.send();
    }

    /// Puts an answer behind what is to be sent.
    pub(super) fn answer(&mut self, disk: &mut Disk, answer: &Answer) {
        let Ask { op, offset, size, ticket, .. } = answer.ask;
        self.asked -= 1;
        let head = self.out.len();
        self.out.extend(simple_reply(ticket, answer.error));
        if op != Op::Read {
            return;
        }
        self.asked_bytes -= size as usize;
        if answer.error.is_some() {
            return;
        }
        let from = self.out.len();
        self.out.resize(from + size as usize, 0);
        if let Err(error) = disk.data().read(offset, &mut self.out[from..]) {
            self.out.truncate(head);
            self.out.extend(simple_reply(ticket, Some(error)));
        }
    }

    /// Sends what there is, as far as the client takes it.
    pub(super) fn send(&mut self) {
        while self.sent < self.out.len() {
            match self.stream.write(&self.out[self.sent..]) {
                Ok(bytes) => self.sent += bytes,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(_) => {
                    self.stage = Stage::Over;
                    break;
                }
            }
        }
        self.out.clear();
        self.sent = 0;
    }
}
