//! I/O on one of the two devices of a cache, and what it is made from.

use drivecast_block::{Bytes, Op, Request};

/// One of the two devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// The one that caches.
    Fast,
    /// The one that is cached.
    Slow,
}

/// What a policy handles as one: a request, or the part of it that lies in one block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// The request that it belongs to.
    pub(super) job: u32,
    pub(super) op: Op,
    pub(super) offset: u64,
    pub(super) size: u32,
    pub(super) stream: u32,
    pub(super) fua: bool,
}

/// An I/O on one of the devices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Io {
    pub(crate) side: Side,
    pub(super) op: Op,
    pub(super) offset: u64,
    pub(super) size: u32,
    pub(super) stream: u32,
    pub(super) fua: bool,
    /// The policy's own handle; on one device unique among the I/Os in flight.
    pub(super) id: u32,
}

impl Io {
    /// One on the cache's own account: no stream's, and in no hurry to be on the medium.
    pub(super) fn own(side: Side, op: Op, offset: u64, size: u32, id: u32) -> Io {
        Io { side, op, offset, size, stream: 0, fua: false, id }
    }

    /// The I/O as its device is given it.
    #[inline]
    pub(crate) fn request(&self) -> Request {
        let Io { op, offset, size, stream, fua, id, .. } = *self;
        Request { id: id.into(), offset: Bytes(offset), size, stream, op, fua }
    }
}

impl Piece {
    /// The piece itself, on one device at another place.
    pub(super) fn on(&self, side: Side, offset: u64, id: u32) -> Io {
        let Piece { op, size, stream, fua, .. } = *self;
        Io { side, op, offset, size, stream, fua, id }
    }
}
