//! Pieces that are sent at once and lie next to each other go to their device as one request.
//!
//! As the kernel does: a cache cuts a request at its blocks, and the block layer below joins the cuts again, in front or
//! behind, while its queue is plugged, up to `max_sectors_kb`. So a write of 64 KiB that is cached in 4 KiB blocks costs an array behind
//! one write, not sixteen. Left out: merging with what waits in a device's queue since earlier.

use super::index::NONE;
use super::io::{Io, Side};
use drivecast_block::{CacheCounters, Op};

/// Bytes of a request that is merged, at most: the kernel's `max_sectors_kb` by default.
const BYTES_MAX: u32 = 1280 << 10;

/// A request on its way, and the piece that was merged last.
#[derive(Clone, Copy)]
struct Staged {
    io: Io,
    last: u32,
}

/// What is merged, by device; see the module.
#[derive(Default)]
pub(super) struct Merge {
    staged: [Option<Staged>; 2],
    /// By side and the handle of a piece: that of the next one of the same request.
    next: [Vec<u32>; 2],
}

fn joins(io: &Io, piece: &Io) -> bool {
    let moves_data = matches!(piece.op, Op::Read | Op::Write);
    let is_alike = io.op == piece.op && io.fua == piece.fua && io.stream == piece.stream;
    let touches =
        io.offset + u64::from(io.size) == piece.offset || piece.offset + u64::from(piece.size) == io.offset;
    moves_data && is_alike && touches && io.size.saturating_add(piece.size) <= BYTES_MAX
}

impl Merge {
    /// Takes a piece; the request that it does not join, which is complete then. Counts those that join.
    #[inline]
    pub(super) fn take(&mut self, piece: Io, counters: &mut CacheCounters) -> Option<Io> {
        let side = piece.side as usize;
        let next = &mut self.next[side];
        if next.len() <= piece.id as usize {
            next.resize(piece.id as usize + 1, NONE);
        }
        next[piece.id as usize] = NONE;
        let staged = &mut self.staged[side];
        if let Some(Staged { io, last }) = staged.as_mut().filter(|staged| joins(&staged.io, &piece)) {
            next[*last as usize] = piece.id;
            *last = piece.id;
            io.offset = io.offset.min(piece.offset);
            io.size += piece.size;
            match piece.side {
                Side::Fast => counters.ssd_merged += 1,
                Side::Slow => counters.disk_merged += 1,
            }
            return None;
        }
        staged.replace(Staged { io: piece, last: piece.id }).map(|complete| complete.io)
    }

    /// The request of a device that no piece joins any more.
    #[inline]
    pub(super) fn rest(&mut self, side: Side) -> Option<Io> {
        self.staged[side as usize].take().map(|complete| complete.io)
    }

    /// The piece after this one of a request that is done; [`NONE`] after the last.
    #[inline]
    pub(super) fn next(&self, side: Side, id: u32) -> u32 {
        self.next[side as usize][id as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::{BYTES_MAX, Merge};
    use crate::cache::index::NONE;
    use crate::cache::io::{Io, Side};
    use drivecast_block::{CacheCounters, Op};

    fn piece(id: u32, op: Op, block: u64, blocks: u32) -> Io {
        Io::own(Side::Slow, op, block * 4096, blocks * 4096, id)
    }

    fn pieces(merge: &Merge, io: Io) -> Vec<u32> {
        let next = |id: &u32| Some(merge.next(io.side, *id)).filter(|id| *id != NONE);
        std::iter::successors(Some(io.id), next).collect()
    }

    #[test]
    fn neighbours_are_one_request_in_front_and_behind() {
        let mut merge = Merge::default();
        let taken = [piece(7, Op::Write, 10, 1), piece(3, Op::Write, 11, 2), piece(5, Op::Write, 9, 1)];
        let mut counters = CacheCounters::default();
        assert!(taken.into_iter().all(|piece| merge.take(piece, &mut counters).is_none()));
        assert_eq!((counters.disk_merged, counters.ssd_merged), (2, 0));
        let io = merge.rest(Side::Slow).unwrap();
        assert_eq!((io.offset, io.size), (9 * 4096, 4 * 4096));
        assert_eq!(pieces(&merge, io), [7, 3, 5]);
        assert!(merge.rest(Side::Slow).is_none() && merge.rest(Side::Fast).is_none());
    }

    #[test]
    fn other_operations_gaps_and_too_much_are_requests_of_their_own() {
        let (mut merge, mut counters) = (Merge::default(), CacheCounters::default());
        let apart = [
            piece(0, Op::Write, 10, 1),
            piece(1, Op::Read, 11, 1),
            piece(2, Op::Read, 13, 1),
            piece(3, Op::Read, 14, BYTES_MAX / 4096),
            Io { fua: true, ..piece(4, Op::Read, 12, 1) },
            piece(5, Op::Flush, 0, 0),
            piece(6, Op::Flush, 0, 0),
        ];
        let complete: Vec<u32> =
            apart.into_iter().filter_map(|piece| merge.take(piece, &mut counters)).map(|io| io.id).collect();
        assert_eq!(complete, [0, 1, 2, 3, 4, 5]);
        assert_eq!(merge.rest(Side::Slow).map(|io| io.id), Some(6));
    }
}
