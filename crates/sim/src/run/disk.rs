//! A design as a disk of some size, ready for a program to use, and what comes out of its use.
//!
//! Model. The disk is the first `size` bytes of the design. Of these every byte holds data and has been written over at random in
//! 4 KiB until write amplification was steady ([`State::Steady`]); the rest of each drive holds data up to `fill`, which
//! stay as they are. Flash beyond [`PAGES_MAX`] pages is simulated in part, as for a synthetic workload; the addresses of the disk are then
//! taken modulo what is simulated, so that runs of addresses stay runs.

use super::options::check_fill;
use super::steady::{self, Writes};
use super::{RunOptions, State, label};
use crate::cache::Cached;
use crate::design::{Contents, Footprints, Resolved, Unit};
use crate::error::SimError;
use crate::host::Measured;
use crate::outcome::Outcome;
use drivecast_block::{Bytes, Device, Nanos, Op, Request};
use drivecast_workload::{Generator, WorkloadSpec};

/// Flash pages of 4 KiB that a disk simulates whole, over all its drives: they take seconds to bring to steady state, and
/// about half a gigabyte.
const PAGES_MAX: u64 = 32 << 20;
const PAGE: u64 = 4096;
/// Size of the writes by which the disk's place on the drives is found.
const PIECE: u64 = 1 << 30;
/// What leaves a disk in steady state.
const WRITTEN: &str = "random(4KiB, read=0)";
/// Pace of what caches are aged with; what they are left with does not depend on it.
const PACE: Nanos = Nanos::from_ms(1);

/// How a disk is made.
#[derive(Clone, Debug)]
pub struct DiskOptions {
    /// Its size; none: all of the design.
    pub size: Option<Bytes>,
    /// Where its flash starts from.
    pub state: State,
    /// At least this share of each drive holds data.
    pub fill: f64,
    /// Seed of all that is random.
    pub seed: u64,
}

/// A design that is ready to be used.
pub struct Disk {
    /// The device. Addresses are to be taken modulo its capacity, where that is below `size`.
    pub unit: Unit,
    /// Bytes that the program sees.
    pub size: Bytes,
}

impl Disk {
    /// Builds the design as a disk.
    ///
    /// # Errors
    /// A design that cannot be built, or a size beyond it.
    pub fn new(design: &Resolved, options: &DiskOptions) -> Result<Disk, SimError> {
        check_fill(options.fill)?;
        let capacity = design.capacity();
        let size = options.size.unwrap_or(capacity);
        if size > capacity || size < Bytes(PAGE) {
            let found = size.0.to_string();
            return Err(SimError::Option {
                option: "size",
                expected: "from 4 KiB to the capacity of the design",
                found,
            });
        }
        let size = Bytes(size.0 / PAGE * PAGE);
        let contents = contents(design, size, options.fill);
        let mut unit = design.build(&contents, options.seed)?;
        let is_aged = design.root().has_flash() || design.root().has_cache();
        if options.state != State::Fresh && is_aged {
            let span = size.min(unit.capacity());
            let written = contents.written(unit.capacity()).min(span);
            age(&mut unit, design.root().alike(&contents), options, span, written)?;
        }
        unit.restart();
        unit.reset_counters();
        Ok(Disk { unit, size })
    }

    /// The outcome of its use.
    pub fn outcome(&self, design: &Resolved, seed: u64, measured: &Measured) -> Outcome {
        let label = label(design, &self.unit, &RunOptions { seed, ..RunOptions::default() });
        let outcome = Outcome::new(label, measured);
        let write_cache = design.root().write_cache().filter(|_| outcome.write.requests > 0);
        let cache = Cached::of(&self.unit.caches(), &measured.counters, outcome.duration_s);
        Outcome { credits: self.unit.credits(), write_cache, cache, ..outcome }
    }
}

/// What the disk finds and leaves on the drives.
fn contents(design: &Resolved, size: Bytes, fill: f64) -> Contents {
    let drives: u64 = design.root().drives().iter().map(|(_, spec)| spec.usable().0).sum();
    let copies = drives as f64 / design.capacity().0.max(1) as f64;
    let pages = (size.0 as f64 * copies) as u64 / PAGE;
    if pages > PAGES_MAX && design.root().has_flash() {
        return Contents::Span { span: 1.0, fill, write_bytes: PAGE };
    }
    let mut at = 0;
    let writes = std::iter::from_fn(|| {
        let length = PIECE.min(size.0 - at);
        let request =
            Request { id: 0, offset: Bytes(at), size: length as u32, stream: 0, op: Op::Write, fua: false };
        at += length;
        (length > 0).then_some(request)
    });
    let footprints: Footprints = design.footprints(writes);
    Contents::Footprints { footprints, fill }
}

/// Writes the disk full, and then over and over.
fn age(
    unit: &mut Unit,
    alike: usize,
    options: &DiskOptions,
    span: Bytes,
    written: Bytes,
) -> Result<(), SimError> {
    let spec = WorkloadSpec::parse(WRITTEN)?;
    let has_cache = !unit.caches().is_empty();
    unit.each_cache(&mut |cache| cache.set_pace(PACE));
    let generator = Generator::new(&spec, span, options.seed)?;
    let Some(mut writes) = Writes::generated(generator, &spec, has_cache) else { return Ok(()) };
    steady::precondition(unit, alike, &mut writes, written, options.state);
    if options.state == State::Idle {
        unit.idle();
    }
    Ok(())
}
