//! Numbers of the protocol, and its request.

use crate::Errno;

pub(super) const MAGIC: u64 = 0x4e42_444d_4147_4943;
pub(super) const OPTION_MAGIC: u64 = 0x4948_4156_454f_5054;
pub(super) const OPTION_REPLY_MAGIC: u64 = 0x0003_e889_0455_65a9;
pub(super) const REQUEST_MAGIC: u32 = 0x2560_9513;
pub(super) const REPLY_MAGIC: u32 = 0x6744_6698;

/// Both sides: the newer handshake; no zeroes behind its end.
pub(super) const FIXED_NEWSTYLE: u16 = 1;
pub(super) const NO_ZEROES: u16 = 2;

pub(super) mod option {
    pub(crate) const EXPORT_NAME: u32 = 1;
    pub(crate) const ABORT: u32 = 2;
    pub(crate) const LIST: u32 = 3;
    pub(crate) const INFO: u32 = 6;
    pub(crate) const GO: u32 = 7;
}

pub(super) mod reply {
    pub(crate) const ACK: u32 = 1;
    pub(crate) const SERVER: u32 = 2;
    pub(crate) const INFO: u32 = 3;
    pub(crate) const UNSUPPORTED: u32 = (1 << 31) + 1;
    pub(crate) const INVALID: u32 = (1 << 31) + 3;
    pub(crate) const UNKNOWN: u32 = (1 << 31) + 6;
    pub(crate) const TOO_BIG: u32 = (1 << 31) + 9;
}

pub(super) mod info {
    pub(crate) const EXPORT: u16 = 0;
    pub(crate) const BLOCK_SIZE: u16 = 3;
}

pub(super) mod command {
    pub(crate) const READ: u16 = 0;
    pub(crate) const WRITE: u16 = 1;
    pub(crate) const DISCONNECT: u16 = 2;
    pub(crate) const FLUSH: u16 = 3;
    pub(crate) const TRIM: u16 = 4;
    pub(crate) const WRITE_ZEROES: u16 = 6;
}

pub(super) const FUA: u16 = 1;
pub(super) const NO_HOLE: u16 = 2;
/// Flags of requests that were offered.
pub(super) const FLAGS: u16 = FUA | NO_HOLE;

/// Of a read or write.
pub(super) const PAYLOAD_MAX: u32 = 32 << 20;
pub(super) const PREFERRED_BLOCK: u32 = 4096;

/// What the disk can: flags, flush, forced unit access, trim, zeroes, several connections; and whether it turns.
pub(super) const fn abilities(is_rotational: bool) -> u16 {
    let sound = 1 | 1 << 2 | 1 << 3 | 1 << 5 | 1 << 6 | 1 << 8;
    if is_rotational { sound | 1 << 4 } else { sound }
}

/// A request, but for its payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) flags: u16,
    pub(super) command: u16,
    pub(super) cookie: u64,
    pub(super) offset: u64,
    pub(super) size: u32,
}

impl Request {
    /// Bytes of it.
    pub(super) const BYTES: usize = 28;

    /// Reads one; none where it does not begin as one does.
    pub(super) fn read(bytes: &[u8; Request::BYTES]) -> Option<Request> {
        let (magic, rest) = bytes.split_first_chunk::<4>()?;
        let (flags, rest) = rest.split_first_chunk::<2>()?;
        let (command, rest) = rest.split_first_chunk::<2>()?;
        let (cookie, rest) = rest.split_first_chunk::<8>()?;
        let (offset, rest) = rest.split_first_chunk::<8>()?;
        let (size, _) = rest.split_first_chunk::<4>()?;
        (u32::from_be_bytes(*magic) == REQUEST_MAGIC).then(|| Request {
            flags: u16::from_be_bytes(*flags),
            command: u16::from_be_bytes(*command),
            cookie: u64::from_be_bytes(*cookie),
            offset: u64::from_be_bytes(*offset),
            size: u32::from_be_bytes(*size),
        })
    }

    /// Whether data follow.
    pub(super) fn has_payload(&self) -> bool {
        self.command == command::WRITE
    }
}

/// A simple reply, before the data of a read.
pub(super) fn simple_reply(cookie: u64, error: Option<Errno>) -> [u8; 16] {
    let mut bytes = [0; 16];
    bytes[..4].copy_from_slice(&REPLY_MAGIC.to_be_bytes());
    bytes[4..8].copy_from_slice(&error.map_or(0, number).to_be_bytes());
    bytes[8..].copy_from_slice(&cookie.to_be_bytes());
    bytes
}

/// An error's number in the protocol, which has few.
fn number(error: Errno) -> u32 {
    match error.0 {
        libc::EPERM
        | libc::EIO
        | libc::ENOMEM
        | libc::EINVAL
        | libc::ENOSPC
        | libc::EOVERFLOW
        | libc::ENOTSUP
        | libc::ESHUTDOWN => error.0 as u32,
        _ => libc::EIO as u32,
    }
}
