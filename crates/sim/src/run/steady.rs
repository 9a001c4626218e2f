//! Flash and caches before the clock starts: the workload over and over until they have settled.
//!
//! A cache takes in what the workload itself asks of it: a trace once from beginning to end, reads included, or requests that are
//! made until the share of hits has settled. So it starts as it is left by what it is about to see: no block is met for the first
//! time but those that did not fit. Without that (`fresh`) it starts empty; a real one lies in between.
//!
//! For flash, the footprint is written once. Then, unless every drive has flash for more than [`AMPLE`] times what is written on
//! it, where write amplification is 1 within a thousandth (α/(α + W(-αe^-α)) at α = 8), [`crate::ssd::wear`] continues
//! until it finds a steady state.

use super::options::State;
use crate::design::Unit;
use crate::host::{Recorded, Requests};
use crate::ssd::wear::{self, Options};
use drivecast_block::{Bytes, Counters, Device, Op, Request};
use drivecast_workload::{Generator, WorkloadSpec};

/// Flash over written pages beyond which cleaning finds empty blocks.
const AMPLE: u64 = 8;
/// Write amplification may still drift by this share when a timed run begins, and half its interval is no wider.
const TOLERANCE: f64 = 0.01;
/// Drive writes of a window of made-up requests, which are of one kind at all times; a trace is not.
const WINDOW: f64 = 0.5;
/// Windows after which a timed run begins regardless. Assumed.
const WINDOWS_MAX: usize = 100;
/// Mapping units up to this size are rewritten whole by nearly all writes.
const UNIT_BYTES: u64 = 4096;
/// Writes whose sizes represent all.
const SAMPLE: u32 = 1024;
/// A cache is warm once its share of hits differs by less than this from window to window.
const WARM_TOLERANCE: f64 = 0.002;
/// Pieces of a window: half the cache, but at least so many, for chance.
const WARM_PIECES_MIN: u64 = 1 << 16;
/// Windows after which it counts as warm regardless. Assumed.
const WARM_WINDOWS_MAX: usize = 64;
/// Share of a drive write after which drives that took over the state of another are no longer in step: by then each die has
/// opened several blocks. Assumed.
const APART: f64 = 0.25;
/// Size of the writes that fill a span in order.
const FILL_BYTES: u64 = 1 << 20;

/// Where requests come from.
enum From<'a> {
    /// A trace, again from the start at its end.
    Recorded { all: Recorded<'a>, at: Recorded<'a>, passes: u64 },
    /// A span in order, then a generator.
    Generated { span: Bytes, filled: u64, generator: Box<Generator> },
}

/// The writes and discards of a workload, and its reads where there is a cache: once over the footprint, then without end.
pub(super) struct Writes<'a> {
    from: From<'a>,
    with_reads: bool,
}

impl<'a> Writes<'a> {
    /// Those of a trace; none if it does nothing of the kind.
    pub(super) fn recorded(all: Recorded<'a>, with_reads: bool) -> Option<Writes<'a>> {
        let mut look = all.clone();
        let counts = |request: &Request| request.op == Op::Write || (with_reads && request.op == Op::Read);
        let is_any = std::iter::from_fn(|| look.next()).any(|request| counts(&request));
        let from = From::Recorded { at: all.clone(), all, passes: 0 };
        is_any.then_some(Writes { from, with_reads })
    }

    /// Those of a generator; none if it does nothing of the kind.
    pub(super) fn generated(
        generator: Generator,
        spec: &WorkloadSpec,
        with_reads: bool,
    ) -> Option<Writes<'a>> {
        let is_any = with_reads || (spec.writes() && spec.trim_fraction < 1.0);
        let span = generator.span();
        let from = From::Generated { span, filled: 0, generator: Box::new(generator) };
        is_any.then_some(Writes { from, with_reads })
    }

    /// Whether the first pass, which writes every page of the footprint, is still under way.
    fn is_filling(&self) -> bool {
        match &self.from {
            From::Recorded { passes, .. } => *passes == 0,
            From::Generated { span, filled, .. } => *filled < span.0,
        }
    }

    /// The same without the first pass over the footprint.
    pub(super) fn beyond_fill(mut self) -> Writes<'a> {
        match &mut self.from {
            From::Recorded { passes, .. } => *passes = 1,
            From::Generated { span, filled, .. } => *filled = span.0,
        }
        self
    }

    /// Writes the footprint: that of a trace through the caches, a span past them.
    pub(super) fn fill(&mut self, unit: &mut Unit) {
        let device = match self.from {
            From::Recorded { .. } => unit,
            From::Generated { .. } => unit.behind_caches(),
        };
        while self.is_filling() {
            let request = self.next();
            if request.end() <= device.capacity().0 {
                device.age(request);
            }
        }
    }

    /// The next request.
    pub(super) fn next(&mut self) -> Request {
        let with_reads = self.with_reads;
        match &mut self.from {
            From::Recorded { all, at, passes } => loop {
                match at.next() {
                    Some(request) if matches!(request.op, Op::Write | Op::Discard) => return request,
                    Some(request) if with_reads && request.op == Op::Read => return request,
                    Some(_) => {}
                    None => {
                        *at = all.clone();
                        *passes += 1;
                    }
                }
            },
            From::Generated { span, filled, .. } if *filled < span.0 => {
                let size = FILL_BYTES.min(span.0 - *filled) as u32;
                let request =
                    Request { id: 0, offset: Bytes(*filled), size, stream: 0, op: Op::Write, fua: false };
                *filled += u64::from(size);
                request
            }
            From::Generated { generator, .. } => loop {
                match Requests::next(generator.as_mut()) {
                    Some(request) if with_reads || request.op != Op::Read => return request,
                    _ => {}
                }
            },
        }
    }
}

/// Lets the caches of a unit take in requests until their share of hits no longer changes. What a trace leaves is settled.
fn warm(unit: &mut Unit, writes: &mut Writes) {
    let blocks: u64 = unit.caches().iter().map(|cache| cache.sizes().cache.0 / UNIT_BYTES).sum();
    if blocks == 0 || matches!(writes.from, From::Recorded { .. }) {
        return;
    }
    let pieces_min = (blocks / 2).max(WARM_PIECES_MIN);
    let mut before = f64::NAN;
    for _ in 0..WARM_WINDOWS_MAX {
        let found = hit_ratio(unit, writes, pieces_min);
        if (found - before).abs() < WARM_TOLERANCE {
            return;
        }
        before = found;
    }
}

/// The share of hits among so many pieces, or more.
fn hit_ratio(unit: &mut Unit, writes: &mut Writes, pieces_min: u64) -> f64 {
    let counted = |unit: &Unit| {
        let cache = unit.counters().cache;
        (cache.reads + cache.writes, cache.read_hits + cache.write_hits)
    };
    let (before, mut after) = (counted(unit), counted(unit));
    while after.0 - before.0 < pieces_min {
        for _ in 0..SAMPLE {
            unit.age(writes.next());
        }
        let found = counted(unit);
        if found.0 == after.0 {
            break;
        }
        after = found;
    }
    (after.1 - before.1) as f64 / (after.0 - before.0).max(1) as f64
}

/// Writes the footprint of a unit, of whose drives so many age alike, and brings its flash to steady state if the state is to
/// be that; `written` bytes are distinct. Counters of the flash drives in between, and how they wear.
pub(super) fn precondition(
    unit: &mut Unit,
    alike: usize,
    writes: &mut Writes,
    written: Bytes,
    state: State,
) -> (Vec<Counters>, Option<wear::Wear>) {
    unit.aged_alike(alike, |unit| writes.fill(unit));
    let filled = unit.flash().iter().map(|ssd| ssd.counters()).collect();
    if state == State::LaidOut {
        return (filled, None);
    }
    let wear = unit.aged_alike(alike, |unit| settle(unit, writes, written));
    if alike > 1 && wear.is_some() {
        let bytes = (written.0 as f64 * once_over(unit, writes) * APART) as u64;
        let mut carried = 0;
        while carried < bytes {
            let request = writes.next();
            carried += u64::from(request.size);
            unit.age(request);
        }
    }
    (filled, wear)
}

/// Brings the flash of a unit, its footprint written, to where the workload's writes keep it; `written` bytes are distinct.
/// Nothing is to be done where it is ample.
fn settle(unit: &mut Unit, writes: &mut Writes, written: Bytes) -> Option<wear::Wear> {
    warm(unit, writes);
    let ample = |ssd: &&crate::ssd::Ssd| ssd.ftl().physical_pages() >= AMPLE * ssd.layout().written_pages;
    if unit.flash().iter().all(ample) { None } else { measure(unit, writes, written) }
}

/// Writes until the flash is steady, and how it wears then; nothing if it is not written.
pub(super) fn measure(unit: &mut Unit, writes: &mut Writes, written: Bytes) -> Option<wear::Wear> {
    let share = if matches!(writes.from, From::Recorded { .. }) { 1.0 } else { WINDOW };
    let window_bytes = (rewritten(unit, written.0) as f64 * once_over(unit, writes) * share) as u64;
    let options = Options { window_bytes, tolerance: TOLERANCE, windows_max: WINDOWS_MAX };
    wear::measure(unit, || writes.next(), &options)
}

/// Bytes that requests carry while the flash is rewritten about once: `written` ones are distinct. Of flash under a cache alone,
/// as many as the cache, which is warm, holds: a trace may be far smaller than it.
fn rewritten(unit: &mut Unit, written: u64) -> u64 {
    let held: u64 = unit.caches().iter().map(|cache| cache.cached()[0].0).sum();
    if held > 0 && unit.behind_caches().flash().is_empty() { held } else { written.max(held) }
}

/// Bytes to write for each byte of data until each mapping unit has been written about once: fewer than one where writes
/// are smaller than a large unit, since each still rewrites all of it.
fn once_over(unit: &mut Unit, writes: &mut Writes) -> f64 {
    let mapped = unit.flash().iter().map(|ssd| ssd.capacity().0 / ssd.layout().capacity_pages).max();
    let Some(mapped) = mapped.filter(|&bytes| bytes > UNIT_BYTES) else { return 1.0 };
    let mut bytes = 0;
    for _ in 0..SAMPLE {
        let request = writes.next();
        bytes += u64::from(request.size);
        unit.age(request);
    }
    (bytes as f64 / SAMPLE as f64 / mapped as f64).min(1.0)
}
