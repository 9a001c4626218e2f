//! Which member reads and writes one request needs.
//!
//! A write to a parity array is planned stripe by stripe. Three ways lead to the new parity:
//!
//! - *full stripe*: every byte under the parity range is new: no reads;
//! - *read-modify-write*: read the old data and the old parity of the range, write both anew;
//! - *reconstruct-write*: read the rest of the stripe's data in the range, write data and parity.
//!
//! The plan takes the way with fewer reads (the writes are the same), reconstruct-write on a tie, as Linux md does
//! (`handle_stripe_dirtying`). Parity is read and written only where it changes: the union of the written ranges
//! within the chunk, which is one run, or two when a write covers the end of one chunk and the beginning of the next.
//! So a small write costs 2 reads and 2 writes on RAID 5 and 3 and 3 on RAID 6, once there are enough members that
//! reading the rest of the stripe is not cheaper (4 and 6).

use super::health::Health;
use super::layout::{Extent, Layout, Piece};
use super::log::Log;
use super::processor::ParityWork;
use std::ops::Range;

/// The member I/Os of one request, adjacent ones on one member joined (as the block layer's plug does).
#[derive(Default)]
pub struct Extents {
    list: Vec<Extent>,
    last: Vec<usize>,
}

impl Extents {
    /// Empty again, for members `0..members`.
    pub fn clear(&mut self, members: usize) {
        self.list.clear();
        self.last.clear();
        self.last.resize(members, usize::MAX);
    }

    /// Appends an extent, or lengthens the last one on the same member that it continues.
    pub fn push(&mut self, extent: Extent) {
        let last = &mut self.last[extent.member];
        if let Some(before) = self.list.get_mut(*last)
            && before.offset + u64::from(before.size) == extent.offset
            && let Some(size) = before.size.checked_add(extent.size)
        {
            before.size = size;
            return;
        }
        *last = self.list.len();
        self.list.push(extent);
    }

    /// Appends an extent, unless it is there already.
    pub(super) fn push_once(&mut self, extent: Extent) {
        if !self.list.contains(&extent) {
            self.push(extent);
        }
    }

    /// Keeps only those of which `wanted` holds; nothing is to be appended afterwards.
    pub(super) fn retain(&mut self, wanted: impl Fn(&Extent) -> bool) {
        self.list.retain(wanted);
    }

    /// The member I/Os, in order of appending.
    pub fn as_slice(&self) -> &[Extent] {
        &self.list
    }
}

/// Where the data of a range lie; with copies, the first copy of each.
pub fn data(layout: &Layout, offset: u64, size: u32, out: &mut Extents) {
    out.clear(layout.members());
    for piece in layout.pieces(offset, size) {
        out.push(layout.extent(piece));
    }
}

/// The part of a request that falls into one stripe of a parity array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StripeRange {
    /// The stripe.
    pub stripe: u64,
    /// First byte within the stripe's user data.
    pub start: u64,
    /// First byte behind.
    pub end: u64,
}

impl StripeRange {
    /// The stripes that `size` bytes from `offset` touch.
    pub fn split(layout: &Layout, offset: u64, size: u32) -> impl Iterator<Item = StripeRange> + use<> {
        let width = layout.stripe_bytes();
        let end = offset + u64::from(size);
        (offset / width..end.div_ceil(width)).map(move |stripe| StripeRange {
            stripe,
            start: offset.saturating_sub(stripe * width),
            end: (end - stripe * width).min(width),
        })
    }

    /// Both ranges, which meet, of the same stripe.
    pub(super) fn joined(&self, other: &StripeRange) -> StripeRange {
        StripeRange { start: self.start.min(other.start), end: self.end.max(other.end), ..*self }
    }

    /// Whether the whole stripe is written.
    pub fn is_full(&self, layout: &Layout) -> bool {
        self.start == 0 && self.end == layout.stripe_bytes()
    }

    /// The part of data chunk `index` that the range covers; may be empty.
    pub(super) fn part(&self, layout: &Layout, index: usize) -> Range<u64> {
        let chunk = layout.chunk().0;
        let base = index as u64 * chunk;
        let start = self.start.clamp(base, base + chunk) - base;
        let end = self.end.clamp(base, base + chunk) - base;
        start..end
    }

    /// The runs within the chunk where parity changes: one, or two (else the second is empty).
    fn parity(&self, layout: &Layout) -> [Range<u64>; 2] {
        let chunk = layout.chunk().0;
        let (first, last) = (self.start / chunk, (self.end - 1) / chunk);
        let (from, to) = (self.start % chunk, (self.end - 1) % chunk + 1);
        match last - first {
            0 => [from..to, 0..0],
            1 if to < from => [0..to, from..chunk],
            _ => [0..chunk, 0..0],
        }
    }

    /// The least run that holds every change of parity: what the write locks.
    pub fn span(&self, layout: &Layout) -> Range<u64> {
        let [low, high] = self.parity(layout);
        low.start..if high.is_empty() { low.end } else { high.end }
    }

    /// The reads before the write: of the way with fewer of them.
    pub fn reads(&self, layout: &Layout, out: &mut Extents) {
        self.reads_without(layout, |_| false, out);
    }

    /// The same, where some need not be read.
    pub(super) fn reads_without(
        &self,
        layout: &Layout,
        is_there: impl Fn(&Extent) -> bool,
        out: &mut Extents,
    ) {
        self.reconstruct(layout, out);
        out.retain(|extent| !is_there(extent));
        let reconstruct = out.list.len();
        if reconstruct == 0 {
            return;
        }
        self.writes(layout, out);
        out.retain(|extent| !is_there(extent));
        if reconstruct <= out.list.len() {
            self.reconstruct(layout, out);
            out.retain(|extent| !is_there(extent));
        }
    }

    /// The writes, of data and parity. What they replace is what read-modify-write reads first.
    pub fn writes(&self, layout: &Layout, out: &mut Extents) {
        out.clear(layout.members());
        for index in 0..layout.data_chunks() {
            self.emit(layout, index, self.part(layout, index), out);
        }
        for which in 0..layout.level().parities() {
            let member = layout.parity_member(self.stripe, which);
            for run in self.parity(layout).into_iter().filter(|run| !run.is_empty()) {
                let offset = layout.stripe_offset(self.stripe) + run.start;
                out.push(Extent { member, offset, size: (run.end - run.start) as u32 });
            }
        }
    }

    /// What computing its parity takes, with `read_bytes` read for it: they enter with the new data.
    pub fn work(&self, layout: &Layout, read_bytes: u64) -> ParityWork {
        ParityWork {
            span_bytes: self.parity(layout).iter().map(|run| run.end - run.start).sum(),
            source_bytes: self.end - self.start + read_bytes,
            parities: layout.level().parities(),
        }
    }

    /// Bytes of data and parity that the writes are.
    pub fn written_bytes(&self, layout: &Layout) -> u64 {
        let span: u64 = self.parity(layout).iter().map(|run| run.end - run.start).sum();
        self.end - self.start + span * layout.level().parities() as u64
    }

    /// The data under the changing parity that the write does not bring itself.
    pub(super) fn reconstruct(&self, layout: &Layout, out: &mut Extents) {
        out.clear(layout.members());
        for index in 0..layout.data_chunks() {
            let new = self.part(layout, index);
            for run in self.parity(layout) {
                if new.is_empty() {
                    self.emit(layout, index, run, out);
                } else {
                    self.emit(layout, index, run.start..run.end.min(new.start), out);
                    self.emit(layout, index, run.start.max(new.end)..run.end, out);
                }
            }
        }
    }

    fn emit(&self, layout: &Layout, index: usize, run: Range<u64>, out: &mut Extents) {
        if !run.is_empty() {
            let size = (run.end - run.start) as u32;
            out.push(layout.extent(Piece { stripe: self.stripe, index, start: run.start, size }));
        }
    }
}

/// Calls `each` for every extent that a write changes on the members, copies and parity included.
pub fn written(layout: &Layout, offset: u64, size: u32, out: &mut Extents, mut each: impl FnMut(Extent)) {
    if layout.level().parities() > 0 {
        for write in StripeRange::split(layout, offset, size) {
            write.writes(layout, out);
            out.as_slice().iter().copied().for_each(&mut each);
        }
    } else {
        data(layout, offset, size, out);
        for extent in out.as_slice() {
            for copy in 0..layout.copies() {
                each(Extent { member: extent.member + copy, ..*extent });
            }
        }
    }
}

/// Calls `each` for every extent that a write under parity appends to the log.
pub fn logged(
    layout: &Layout,
    offset: u64,
    size: u32,
    log: &mut Log,
    health: &Health,
    mut each: impl FnMut(Extent),
) {
    for write in StripeRange::split(layout, offset, size) {
        each(log.append(write.written_bytes(layout), |member| health.is_there(member)));
    }
}

/// Calls `each` for every extent that a discard frees on the members. On parity arrays only whole stripes are passed on:
/// parity must stay true, so md (with discards enabled) drops the rest.
pub fn discarded(layout: &Layout, offset: u64, size: u32, out: &mut Extents, mut each: impl FnMut(Extent)) {
    if layout.level().parities() == 0 {
        return written(layout, offset, size, out, each);
    }
    let stripes = StripeRange::split(layout, offset, size)
        .filter(|range| range.is_full(layout))
        .map(|range| range.stripe);
    let chunk = layout.chunk().0;
    out.clear(layout.members());
    for stripe in stripes {
        for member in layout.stripe_members(stripe) {
            out.push(Extent { member, offset: layout.stripe_offset(stripe), size: chunk as u32 });
        }
    }
    out.as_slice().iter().copied().for_each(&mut each);
}
