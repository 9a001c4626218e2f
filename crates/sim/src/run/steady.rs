//! Steady state without a clock: the workload's writes over and over until write amplification has settled.
//!
//! After one pass over the footprint, batches of one footprint's worth of pages each are written. Write amplification is
//! *steady* when the mean of the last two batches lies within 1 % of the mean of the two before; it is *ample*, and 1, when
//! four footprints were written without erasing a block: then there is flash for more than four times the
//! data, where even cleaning in turn has a write amplification below 1.02 (theory: α/(α + W(-αe^-α)) at α = 4).
//! After [`BATCHES_MAX`] batches it stops, steady or not.

use crate::host::{Recorded, Requests};
use drivecast_block::{Bytes, Device, Op, Request};
use drivecast_workload::{Generator, WorkloadSpec};

/// Batches before giving up. Assumed; uniform random writes settle in 3 to 6.
const BATCHES_MAX: usize = 24;
/// Two halves of a window agree within this share.
const TOLERANCE: f64 = 0.01;
/// Requests between two looks at the counters.
const STRIDE: u32 = 64;
/// Size of the writes that fill a span in order.
const FILL_BYTES: u64 = 1 << 20;

/// Flash that can be aged: a device, or the drives of one.
pub(super) trait Flash {
    /// Applies a write or discard.
    fn age(&mut self, request: Request);
    /// What has been done so far.
    fn pages(&self) -> Pages;
}

/// Work of flash, in pages.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Pages {
    pub(super) host: u64,
    pub(super) copied: u64,
    pub(super) erases: u64,
}

impl Pages {
    pub(super) fn since(self, before: Pages) -> Pages {
        Pages {
            host: self.host - before.host,
            copied: self.copied - before.copied,
            erases: self.erases - before.erases,
        }
    }

    pub(super) fn write_amplification(self) -> f64 {
        if self.host == 0 { 1.0 } else { (self.host + self.copied) as f64 / self.host as f64 }
    }
}

impl Flash for dyn Device + '_ {
    fn age(&mut self, request: Request) {
        Device::age(self, request);
    }

    fn pages(&self) -> Pages {
        let counters = self.counters();
        Pages {
            host: counters.flash_host_pages,
            copied: counters.flash_copied_pages,
            erases: counters.flash_erases,
        }
    }
}

/// The writes and discards of a workload: once over the footprint, then without end.
pub(super) enum Writes<'a> {
    /// Those of a trace, again from the start at its end.
    Recorded { all: Recorded<'a>, at: Recorded<'a>, passes: u64 },
    /// A span in order, then a generator's.
    Generated { span: Bytes, filled: u64, generator: Box<Generator> },
    /// None at all.
    None,
}

impl<'a> Writes<'a> {
    pub(super) fn recorded(all: Recorded<'a>) -> Writes<'a> {
        let mut look = all.clone();
        match std::iter::from_fn(|| look.next()).any(|request| request.op == Op::Write) {
            true => Writes::Recorded { at: all.clone(), all, passes: 0 },
            false => Writes::None,
        }
    }

    pub(super) fn generated(generator: Generator, spec: &WorkloadSpec) -> Writes<'a> {
        match spec.read_fraction < 1.0 && spec.trim_fraction < 1.0 {
            true => Writes::Generated { span: generator.span(), filled: 0, generator: Box::new(generator) },
            false => Writes::None,
        }
    }

    /// Whether there is nothing to write.
    pub(super) fn is_empty(&self) -> bool {
        matches!(self, Writes::None)
    }

    /// Whether the first pass, which writes every page of the footprint, is still under way.
    fn is_filling(&self) -> bool {
        match self {
            Writes::Recorded { passes, .. } => *passes == 0,
            Writes::Generated { span, filled, .. } => *filled < span.0,
            Writes::None => false,
        }
    }

    /// The next write or discard.
    pub(super) fn next(&mut self) -> Option<Request> {
        match self {
            Writes::None => None,
            Writes::Recorded { all, at, passes } => loop {
                match at.next() {
                    Some(request) if matches!(request.op, Op::Write | Op::Discard) => return Some(request),
                    Some(_) => {}
                    None => {
                        *at = all.clone();
                        *passes += 1;
                    }
                }
            },
            Writes::Generated { span, filled, .. } if *filled < span.0 => {
                let size = FILL_BYTES.min(span.0 - *filled) as u32;
                let request = Request { id: 0, offset: Bytes(*filled), size, stream: 0, op: Op::Write };
                *filled += u64::from(size);
                Some(request)
            }
            Writes::Generated { generator, .. } => loop {
                let io = generator.next();
                if io.op != Op::Read {
                    return Some(Request {
                        id: 0,
                        offset: Bytes(io.offset),
                        size: io.size,
                        stream: 0,
                        op: io.op,
                    });
                }
            },
        }
    }
}

/// How settling ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Settled {
    /// Whether write amplification is steady (or ample).
    pub(super) steady: bool,
    /// Whether there is flash to spare without cleaning.
    pub(super) ample: bool,
    /// Pages of a batch.
    pub(super) batch: u64,
}

/// Writes one batch of at least `pages` pages.
pub(super) fn batch(flash: &mut (impl Flash + ?Sized), writes: &mut Writes, pages: u64) -> Pages {
    let before = flash.pages();
    loop {
        for _ in 0..STRIDE {
            if let Some(request) = writes.next() {
                flash.age(request);
            }
        }
        let done = flash.pages().since(before);
        // A workload that writes nothing to flash (empty, or to disks) ends at once.
        if done.host >= pages || done.host == 0 {
            return done;
        }
    }
}

/// Ages `flash` by `writes` until its write amplification has settled; `footprint` pages are distinct.
pub(super) fn settle(flash: &mut (impl Flash + ?Sized), writes: &mut Writes, footprint: u64) -> Settled {
    while writes.is_filling() {
        if let Some(request) = writes.next() {
            flash.age(request);
        }
    }
    let mut settled = Settled { steady: false, ample: false, batch: footprint.max(1) };
    let mut seen: Vec<f64> = Vec::new();
    while seen.len() < BATCHES_MAX {
        let done = batch(flash, writes, settled.batch);
        if done.host == 0 {
            return settled;
        }
        seen.push(done.write_amplification());
        settled.ample = seen.len() >= 4 && flash.pages().erases == 0;
        settled.steady = settled.ample || (done.erases > 0 && is_steady(&seen));
        if settled.steady {
            break;
        }
    }
    settled
}

fn is_steady(seen: &[f64]) -> bool {
    let [.., a, b, c, d] = seen else { return false };
    ((c + d) - (a + b)).abs() <= TOLERANCE * (a + b)
}
