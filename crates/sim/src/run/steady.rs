//! Flash before the clock starts: the workload's writes over and over until write amplification has settled.
//!
//! The footprint is written once. Then, unless every drive has flash for more than [`AMPLE`] times what is written on
//! it, where write amplification is 1 within a thousandth (α/(α + W(-αe^-α)) at α = 8), [`crate::ssd::wear`] continues
//! until it finds a steady state.

use crate::design::Unit;
use crate::host::{Recorded, Requests};
use crate::ssd::wear::{self, Options};
use drivecast_block::{Bytes, Device, Op, Request};
use drivecast_workload::{Generator, WorkloadSpec};

/// Flash over written pages beyond which cleaning finds empty blocks.
const AMPLE: u64 = 8;
/// Write amplification may still drift by this share when a timed run begins.
const TOLERANCE: f64 = 0.02;
/// Windows after which a timed run begins regardless. Assumed.
const WINDOWS_MAX: usize = 32;
/// Mapping units up to this size are rewritten whole by nearly all writes.
const UNIT_BYTES: u64 = 4096;
/// Writes whose sizes represent all.
const SAMPLE: u32 = 1024;
/// Size of the writes that fill a span in order.
const FILL_BYTES: u64 = 1 << 20;

/// The writes and discards of a workload: once over the footprint, then without end.
pub(super) enum Writes<'a> {
    /// Those of a trace, again from the start at its end.
    Recorded { all: Recorded<'a>, at: Recorded<'a>, passes: u64 },
    /// A span in order, then a generator's.
    Generated { span: Bytes, filled: u64, generator: Box<Generator> },
}

impl<'a> Writes<'a> {
    /// Those of a trace; none if it writes nothing.
    pub(super) fn recorded(all: Recorded<'a>) -> Option<Writes<'a>> {
        let mut look = all.clone();
        let writes = std::iter::from_fn(|| look.next()).any(|request| request.op == Op::Write);
        writes.then(|| Writes::Recorded { at: all.clone(), all, passes: 0 })
    }

    /// Those of a generator; none if it writes nothing.
    pub(super) fn generated(generator: Generator, spec: &WorkloadSpec) -> Option<Writes<'a>> {
        let writes = spec.writes() && spec.trim_fraction < 1.0;
        writes.then(|| Writes::Generated {
            span: generator.span(),
            filled: 0,
            generator: Box::new(generator),
        })
    }

    /// Whether the first pass, which writes every page of the footprint, is still under way.
    fn is_filling(&self) -> bool {
        match self {
            Writes::Recorded { passes, .. } => *passes == 0,
            Writes::Generated { span, filled, .. } => *filled < span.0,
        }
    }

    /// Writes the footprint.
    pub(super) fn fill(&mut self, device: &mut dyn Device) {
        while self.is_filling() {
            device.age(self.next());
        }
    }

    /// The next write or discard.
    pub(super) fn next(&mut self) -> Request {
        match self {
            Writes::Recorded { all, at, passes } => loop {
                match at.next() {
                    Some(request) if matches!(request.op, Op::Write | Op::Discard) => return request,
                    Some(_) => {}
                    None => {
                        *at = all.clone();
                        *passes += 1;
                    }
                }
            },
            Writes::Generated { span, filled, .. } if *filled < span.0 => {
                let size = FILL_BYTES.min(span.0 - *filled) as u32;
                let request =
                    Request { id: 0, offset: Bytes(*filled), size, stream: 0, op: Op::Write, fua: false };
                *filled += u64::from(size);
                request
            }
            Writes::Generated { generator, .. } => loop {
                match Requests::next(generator.as_mut()) {
                    Some(request) if request.op != Op::Read => return request,
                    _ => {}
                }
            },
        }
    }
}

/// Brings the flash of a unit, its footprint written, to where the workload's writes keep it; `written` bytes are distinct.
pub(super) fn settle(unit: &mut Unit, writes: &mut Writes, written: Bytes) {
    let ample = |ssd: &&crate::ssd::Ssd| ssd.ftl().physical_pages() >= AMPLE * ssd.layout().written_pages;
    if !unit.flash().iter().all(ample) {
        let window_bytes = (written.0 as f64 * once_over(unit, writes)) as u64;
        let options = Options { window_bytes, tolerance: TOLERANCE, windows_max: WINDOWS_MAX };
        wear::measure(unit, || writes.next(), &options);
    }
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
