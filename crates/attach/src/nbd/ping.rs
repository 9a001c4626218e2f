//! What the socket costs: a client's reads, one after another, that no device takes part in.
//!
//! The client does what libnbd does, and QEMU: it sends, polls until something has come, and receives the reply and the data each with
//! a call of its own.

use super::protocol::{OPTION_MAGIC, REQUEST_MAGIC, command, option};
use crate::ping::undisturbed;
use drivecast_block::Nanos;
use std::io::{Error, ErrorKind, Read, Result, Write};
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

const SIZE: u32 = 4096;
const PATIENCE: Duration = Duration::from_secs(10);

/// What a read over the socket takes.
///
/// # Errors
/// The server does not answer as one.
pub fn ping(socket: &Path) -> Result<Nanos> {
    let mut stream = UnixStream::connect(socket)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.read_exact(&mut [0; 18])?;
    let mut hello = 3_u32.to_be_bytes().to_vec();
    hello.extend(OPTION_MAGIC.to_be_bytes());
    hello.extend(option::EXPORT_NAME.to_be_bytes());
    hello.extend(0_u32.to_be_bytes());
    stream.write_all(&hello)?;
    stream.read_exact(&mut [0; 10])?;
    let mut cookie = 0;
    let found = undisturbed(|| {
        cookie += 1;
        read(&mut stream, cookie)
    })?;
    stream.write_all(&request(command::DISCONNECT, 0, 0))?;
    Ok(found)
}

fn request(command: u16, cookie: u64, size: u32) -> [u8; 28] {
    let mut bytes = [0; 28];
    bytes[..4].copy_from_slice(&REQUEST_MAGIC.to_be_bytes());
    bytes[6..8].copy_from_slice(&command.to_be_bytes());
    bytes[8..16].copy_from_slice(&cookie.to_be_bytes());
    bytes[24..].copy_from_slice(&size.to_be_bytes());
    bytes
}

/// Reads once.
fn read(stream: &mut UnixStream, cookie: u64) -> Result<()> {
    stream.write_all(&request(command::READ, cookie, SIZE))?;
    await_data(stream);
    let mut reply = [0; 16];
    stream.read_exact(&mut reply)?;
    if reply[4..8] != [0; 4] || reply[8..] != cookie.to_be_bytes() {
        return Err(Error::new(ErrorKind::InvalidData, "the disk does not answer a read"));
    }
    stream.read_exact(&mut [0; SIZE as usize])
}

/// Polls as a client does. Whatever ends that, a signal too, the read that follows waits, and no longer than [`PATIENCE`].
fn await_data(stream: &UnixStream) {
    let mut watched = libc::pollfd { fd: stream.as_raw_fd(), events: libc::POLLIN, revents: 0 };
    // SAFETY: a list of one entry, which outlives the call.
    unsafe { libc::poll(&raw mut watched, 1, PATIENCE.as_millis() as libc::c_int) };
}
