//! Requests of a [`WorkloadSpec`] on a device of a capacity.
//!
//! MODEL as in [`crate::spec`]. Scattered zones are those of contiguous ones under a pseudo-random permutation of the
//! span's pieces. A uniform choice among n positions is ⌊r·n / 2⁶⁴⌋ of a 64-bit draw r (Lemire 2019,
//! without the rejection: the bias is below n / 2⁶⁴, under 10⁻⁹ for 10¹⁰ positions). Operations, sizes, zones and
//! addresses draw from streams of their own: changing the read fraction leaves sizes and addresses as they were. Nothing
//! is drawn where there is no choice, and nothing is allocated after [`Generator::new`].

mod arrival;
mod choice;
mod replay;
mod rescaled;
mod scatter;

pub use crate::spec::{ArrivalProcess, SpecError, WorkloadSpec};
pub use arrival::Arrivals;
pub use replay::Replay;
pub use rescaled::{hurried, packed, spread};

use crate::spec::{Pattern, Placement, SECTOR_BYTES};
pub(crate) use choice::Choice;
use drivecast_block::random::{Stream, stream};
use drivecast_block::{Bytes, Op};
use rand::{Rng, RngExt};
use rand_distr::Zipf;
use scatter::Scatter;

/// What a generator yields: a request without its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Io {
    /// Read, write or discard.
    pub op: Op,
    /// First byte addressed.
    pub offset: u64,
    /// Bytes addressed.
    pub size: u32,
    /// Whether it is a write with forced unit access.
    pub fua: bool,
    /// The place of its size in the line where sizes are streams; else 0.
    pub stream: u32,
}

/// The positions that a request of one size may take in one zone.
#[derive(Clone, Copy, Debug)]
struct Slot {
    base: u64,
    positions: u64,
    align: u64,
}

/// An endless source of requests within a device.
#[derive(Clone, Debug)]
pub struct Generator {
    /// For all sizes, or for each.
    ops: Box<[Choice<Op>]>,
    sizes: Choice<u32>,
    zones: Choice<()>,
    /// Slots by zone, then by size; behind the zones one row for the whole span, where discards fall.
    slots: Box<[Slot]>,
    /// Where a sequential workload continues; `None`: addresses are drawn.
    cursor: Option<u64>,
    cursor_align: u64,
    /// Of random addresses with runs, by size: which requests continue one, and the end of each; empty: none do.
    continues: Box<[Choice<bool>]>,
    ends: Box<[u64]>,
    span: u64,
    /// Popularity of the positions of each slot; empty: all alike.
    popularity: Box<[Zipf<f64>]>,
    /// Where the zones are scattered, how.
    scatter: Option<Scatter>,
    /// Whether any write has forced unit access, and which.
    forces: bool,
    forced: Choice<bool>,
    op_stream: Stream,
    forced_stream: Stream,
    size_stream: Stream,
    zone_stream: Stream,
    address_stream: Stream,
    run_stream: Stream,
}

impl Generator {
    /// A generator on the first `span_fraction` of `capacity`.
    ///
    /// # Errors
    /// [`SpecError::TooSmall`]: a zone has no aligned place for one of the sizes.
    pub fn new(spec: &WorkloadSpec, capacity: Bytes, seed: u64) -> Result<Generator, SpecError> {
        let trim = spec.trim_fraction;
        let ops = |read: f64| {
            let (reads, writes) = ((1.0 - trim) * read, (1.0 - trim) * (1.0 - read));
            Choice::new([(Op::Discard, trim), (Op::Read, reads), (Op::Write, writes)])
        };
        let own = spec.sizes.iter().map(|share| ops(share.read_fraction.unwrap_or(spec.read_fraction)));
        let sectors = (capacity.0 as f64 * spec.span_fraction) as u64 / u64::from(SECTOR_BYTES);
        let span = (sectors * u64::from(SECTOR_BYTES)).min(capacity.0);
        let scattered = spec.pattern.has_zones() && spec.placement == Placement::Scattered;
        let slots = slots(spec, capacity, span)?;
        Ok(Generator {
            ops: if spec.has_streams() { own.collect() } else { [ops(spec.read_fraction)].into() },
            sizes: Choice::new(spec.sizes.iter().map(|share| (share.size_bytes, f64::from(share.weight)))),
            zones: Choice::new(spec.zones().iter().map(|zone| ((), zone.share))),
            popularity: popularity(spec.pattern, &slots),
            slots,
            cursor: (spec.pattern == Pattern::Sequential).then_some(0),
            cursor_align: spec.align_bytes.map_or(1, u64::from),
            continues: runs(spec),
            ends: vec![0; spec.sizes.len()].into(),
            span,
            scatter: scattered.then(|| Scatter::new(span, piece(spec))),
            forces: spec.fua_fraction > 0.0,
            forced: Choice::new([(true, spec.fua_fraction), (false, 1.0 - spec.fua_fraction)]),
            op_stream: stream(seed, "workload.op"),
            forced_stream: stream(seed, "workload.fua"),
            size_stream: stream(seed, "workload.size"),
            zone_stream: stream(seed, "workload.zone"),
            address_stream: stream(seed, "workload.address"),
            run_stream: stream(seed, "workload.run"),
        })
    }

    /// The next request. There is always one, so this is no [`Iterator`].
    #[allow(
        clippy::should_implement_trait,
        reason = "endless: an Option would cost the hot loop and every caller"
    )]
    #[inline]
    pub fn next(&mut self) -> Io {
        let size_index = self.sizes.pick(&mut self.size_stream);
        let size = self.sizes.value(size_index);
        let place = size_index.min(self.ops.len() - 1);
        let (ops, stream) = (&self.ops[place], place as u32);
        let op = ops.value(ops.pick(&mut self.op_stream));
        let fua = self.forces && self.force(op);
        let zone = match op {
            Op::Discard => self.zones.len(),
            _ if self.cursor.is_some() => return Io { op, offset: self.follow(size), size, fua, stream },
            _ => self.zones.pick(&mut self.zone_stream),
        };
        let slot = self.slots[zone * self.sizes.len() + size_index];
        if !self.continues.is_empty() && op != Op::Discard {
            return Io { op, offset: self.run(size_index, slot, size), size, fua, stream };
        }
        let position = match self.popularity.get(size_index) {
            Some(zipf) if op != Op::Discard => self.address_stream.sample(zipf) as u64 - 1,
            _ => {
                let draw = u128::from(self.address_stream.next_u64());
                ((draw * u128::from(slot.positions)) >> 64) as u64
            }
        };
        let offset = slot.base + position * slot.align;
        let offset = match &self.scatter {
            Some(scatter) if op != Op::Discard => scatter.place(offset, size),
            _ => offset,
        };
        Io { op, offset, size, fua, stream }
    }

    /// Whether a request has forced unit access. Apart, since whether it is a write is a branch that no processor foresees.
    #[cold]
    fn force(&mut self, op: Op) -> bool {
        op == Op::Write && self.forced.value(self.forced.pick(&mut self.forced_stream))
    }

    /// The offset of the next request of a size of which some continue a run: they begin where the one before ended, or at the
    /// start of the span where it is used up; others begin a run anywhere. Apart, since few workloads have runs.
    #[cold]
    fn run(&mut self, size_index: usize, slot: Slot, size: u32) -> u64 {
        let continues = &self.continues[size_index];
        let is_in_run = continues.value(continues.pick(&mut self.run_stream));
        let next = self.ends[size_index].next_multiple_of(slot.align);
        let offset = match is_in_run {
            true if next + u64::from(size) <= self.span => next,
            true => 0,
            false => {
                let draw = u128::from(self.address_stream.next_u64());
                slot.base + ((draw * u128::from(slot.positions)) >> 64) as u64 * slot.align
            }
        };
        self.ends[size_index] = offset + u64::from(size);
        offset
    }

    /// The part of the device that requests fall on, from its start.
    pub fn span(&self) -> Bytes {
        Bytes(self.span)
    }

    /// The offset of the next sequential request; starts again where the span is used up.
    #[inline]
    fn follow(&mut self, size: u32) -> u64 {
        let next = self.cursor.unwrap_or(0);
        let aligned = if self.cursor_align == 1 { next } else { next.next_multiple_of(self.cursor_align) };
        let offset = if aligned + u64::from(size) <= self.span { aligned } else { 0 };
        self.cursor = Some(offset + u64::from(size));
        offset
    }
}

/// Which requests of each size continue a run, if any do.
fn runs(spec: &WorkloadSpec) -> Box<[Choice<bool>]> {
    let share_of = |share| {
        let in_order = spec.sequential_of(share);
        Choice::new([(true, in_order), (false, 1.0 - in_order)])
    };
    if spec.has_runs() { spec.sizes.iter().map(share_of).collect() } else { Box::default() }
}

/// How popular the positions of each size are, if they differ. The sampler works by rejection and inversion (Hörmann and
/// Derflinger 1996), in constant time for any number of positions.
fn popularity(pattern: Pattern, slots: &[Slot]) -> Box<[Zipf<f64>]> {
    let Pattern::Zipf { theta } = pattern else { return Box::default() };
    let sizes = slots.len() / 2; // one zone, and the row for discards
    slots[..sizes].iter().filter_map(|slot| Zipf::new(slot.positions as f64, theta).ok()).collect()
}

/// The coarsest alignment of the workload's requests.
fn grain(spec: &WorkloadSpec) -> u64 {
    spec.sizes.iter().map(|share| u64::from(spec.align_of(share.size_bytes))).max().unwrap_or(1)
}

/// The size of the pieces that are scattered: the largest request's, in whole alignments.
fn piece(spec: &WorkloadSpec) -> u64 {
    let largest = spec.sizes.iter().map(|share| u64::from(share.size_bytes)).max().unwrap_or(1);
    largest.next_multiple_of(grain(spec))
}

/// The slots of every zone and size, and of the whole span.
fn slots(spec: &WorkloadSpec, capacity: Bytes, span: u64) -> Result<Box<[Slot]>, SpecError> {
    // Zones meet on a multiple of the coarsest alignment, so that no position falls between two zones.
    let grain = grain(spec);
    let edge = |fraction: f64| match fraction {
        1.0 => span,
        _ => ((span as f64 * fraction) as u64).next_multiple_of(grain).min(span),
    };
    let mut extents: Vec<(u64, u64)> =
        spec.zones().iter().map(|zone| (edge(zone.from), edge(zone.to))).collect();
    extents.push((0, span));
    let mut slots = Vec::with_capacity(extents.len() * spec.sizes.len());
    for (from, to) in extents {
        for share in &spec.sizes {
            let align = u64::from(spec.align_of(share.size_bytes));
            let base = from.next_multiple_of(align);
            let Some(room) = to.checked_sub(base + u64::from(share.size_bytes)) else {
                return Err(SpecError::TooSmall {
                    workload: spec.to_string(),
                    capacity,
                    zone: Bytes(to - from),
                    size: Bytes(u64::from(share.size_bytes)),
                });
            };
            slots.push(Slot { base, positions: room / align + 1, align });
        }
    }
    Ok(slots.into())
}
