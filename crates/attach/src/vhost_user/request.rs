//! One request, as a driver lays it out in a guest's memory: nothing of it is believed.
//!
//! ```text
//! readable: type, sector (16 bytes), data of a write      writable: data of a read, status (1 byte)
//! ```
//!
//! The descriptors may cut these wherever they like, but for the order: readable before writable.
//!
//! Source: VIRTIO 1.2, sections 2.7.4 and 5.2.6.

use super::block::{BYTES_MAX, SEGMENTS};
use crate::data::SECTOR;
use drivecast_block::Op;
use virtio_bindings::virtio_blk::{
    VIRTIO_BLK_S_IOERR, VIRTIO_BLK_S_UNSUPP, VIRTIO_BLK_T_DISCARD, VIRTIO_BLK_T_FLUSH, VIRTIO_BLK_T_GET_ID,
    VIRTIO_BLK_T_IN, VIRTIO_BLK_T_OUT, VIRTIO_BLK_T_WRITE_ZEROES,
};
use virtio_queue::desc::split::Descriptor;
use vm_memory::{Address, Bytes, GuestAddress, GuestMemory, GuestMemoryMmap, Permissions};

const HEADER: usize = 16;
const RANGE: usize = 16;
/// Of a range that is made zeros: it may be discarded.
const UNMAP: u32 = 1;
/// Of descriptors: those of the data, the header and the status.
const PIECES_MAX: usize = SEGMENTS as usize + 2;

/// The status of a request that failed.
pub(super) const FAILED: u8 = VIRTIO_BLK_S_IOERR as u8;
const UNSUPPORTED: u8 = VIRTIO_BLK_S_UNSUPP as u8;

/// Bytes that lie together, at least one.
#[derive(Clone, Copy)]
struct Piece {
    at: GuestAddress,
    length: u32,
}

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Task {
    /// By the disk.
    Disk { op: Op, offset: u64, size: u32, brings: bool },
    /// The device's name is to be written.
    Name,
}

/// See the module.
pub(super) struct Request {
    readable: Vec<Piece>,
    writable: Vec<Piece>,
    status: GuestAddress,
    is_too_long: bool,
}

impl Request {
    /// Follows the descriptors; none where they do not end, are out of order, or have no place for a status.
    pub(super) fn read(
        memory: &GuestMemoryMmap,
        descriptors: impl Iterator<Item = Descriptor>,
    ) -> Option<Request> {
        let (mut readable, mut writable) = (Vec::new(), Vec::new());
        let (mut ends, mut is_too_long, mut last) = (false, false, None);
        for descriptor in descriptors {
            ends = !descriptor.has_next();
            let piece = Piece { at: descriptor.addr(), length: descriptor.len() };
            let is_writable = descriptor.is_write_only();
            if last.is_some() && !is_writable {
                return None;
            }
            if piece.length == 0 {
                continue;
            }
            last = is_writable.then_some(piece);
            is_too_long |= readable.len() + writable.len() >= PIECES_MAX;
            match (is_too_long, is_writable) {
                (true, _) => {}
                (false, true) => writable.push(piece),
                (false, false) => readable.push(piece),
            }
        }
        let last = last.filter(|_| ends)?;
        let status = last.at.checked_add(u64::from(last.length) - 1)?;
        if !memory.check_range(status, 1, Permissions::Write) {
            return None;
        }
        if let Some(piece) = writable.last_mut().filter(|_| !is_too_long) {
            piece.length -= 1;
        }
        Some(Request { readable, writable, status, is_too_long })
    }

    /// What it asks; otherwise the status with which it is refused.
    pub(super) fn task(&self, memory: &GuestMemoryMmap) -> Result<Task, u8> {
        let mut header = [0; HEADER];
        if self.is_too_long || !self.brings(memory, 0, &mut header) {
            return Err(FAILED);
        }
        let (kind, sector) = (number(&header[..4]) as u32, number(&header[8..]));
        let offset = sector.checked_mul(SECTOR).ok_or(FAILED);
        let (comes, goes) = (total(&self.readable) - HEADER as u64, total(&self.writable));
        let disk = |op, offset, size, brings| Task::Disk { op, offset, size, brings };
        match kind {
            VIRTIO_BLK_T_IN if goes <= BYTES_MAX && self.can_fill(memory) => {
                Ok(disk(Op::Read, offset?, goes as u32, false))
            }
            VIRTIO_BLK_T_OUT if comes <= BYTES_MAX => Ok(disk(Op::Write, offset?, comes as u32, true)),
            VIRTIO_BLK_T_FLUSH => Ok(disk(Op::Flush, 0, 0, false)),
            VIRTIO_BLK_T_GET_ID if self.can_fill(memory) => Ok(Task::Name),
            VIRTIO_BLK_T_DISCARD | VIRTIO_BLK_T_WRITE_ZEROES if comes == RANGE as u64 => {
                let (op, offset, size) = self.range(memory, kind == VIRTIO_BLK_T_DISCARD)?;
                Ok(disk(op, offset, size, false))
            }
            VIRTIO_BLK_T_IN
            | VIRTIO_BLK_T_OUT
            | VIRTIO_BLK_T_GET_ID
            | VIRTIO_BLK_T_DISCARD
            | VIRTIO_BLK_T_WRITE_ZEROES => Err(FAILED),
            _ => Err(UNSUPPORTED),
        }
    }

    /// The range that is to be zeros.
    fn range(&self, memory: &GuestMemoryMmap, discards: bool) -> Result<(Op, u64, u32), u8> {
        let mut range = [0; RANGE];
        if !self.brings(memory, HEADER, &mut range) {
            return Err(FAILED);
        }
        let (sectors, flags) = (number(&range[8..12]), number(&range[12..]) as u32);
        let op = match (discards, flags) {
            (true, 0) | (false, UNMAP) => Op::Discard,
            (false, 0) => Op::Write,
            _ => return Err(UNSUPPORTED),
        };
        let offset = number(&range[..8]).checked_mul(SECTOR).ok_or(FAILED)?;
        Ok((op, offset, u32::try_from(sectors * SECTOR).map_err(|_| FAILED)?))
    }

    /// Copies the data of a write.
    pub(super) fn data(&self, memory: &GuestMemoryMmap, out: &mut [u8]) -> bool {
        self.brings(memory, HEADER, out)
    }

    /// Copies what the driver brings from `from` on; false where there is less, or it lies outside memory.
    fn brings(&self, memory: &GuestMemoryMmap, from: usize, mut out: &mut [u8]) -> bool {
        let mut skip = from as u64;
        for piece in &self.readable {
            let length = u64::from(piece.length);
            if skip >= length {
                skip -= length;
                continue;
            }
            let Some(at) = piece.at.checked_add(skip) else { return false };
            let (now, later) = out.split_at_mut(((length - skip) as usize).min(out.len()));
            if memory.read_slice(now, at).is_err() {
                return false;
            }
            (out, skip) = (later, 0);
            if out.is_empty() {
                break;
            }
        }
        out.is_empty()
    }

    fn can_fill(&self, memory: &GuestMemoryMmap) -> bool {
        let lies = |piece: &Piece| memory.check_range(piece.at, piece.length as usize, Permissions::Write);
        self.writable.iter().all(lies)
    }

    /// Writes what the driver wants to have, as far as it fits; how many bytes, or none where the memory has gone.
    pub(super) fn fill(&self, memory: &GuestMemoryMmap, mut bytes: &[u8]) -> Option<u32> {
        let length = bytes.len();
        for piece in &self.writable {
            let (now, later) = bytes.split_at((piece.length as usize).min(bytes.len()));
            memory.write_slice(now, piece.at).ok()?;
            bytes = later;
        }
        Some((length - bytes.len()) as u32)
    }

    /// Says what has become of it.
    pub(super) fn finish(&self, memory: &GuestMemoryMmap, status: u8) {
        // It lay in memory when the request came; if it no longer does, there is no driver that waits.
        let _ = memory.write_obj(status, self.status);
    }
}

fn total(pieces: &[Piece]) -> u64 {
    pieces.iter().map(|piece| u64::from(piece.length)).sum()
}

/// A number of up to eight bytes, the lowest first.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |found, byte| found << 8 | u64::from(*byte))
}
