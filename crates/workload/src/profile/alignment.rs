//! Alignment: on which boundaries requests begin and end.
//!
//! DEFINITION. For each operation and each power of two from 512 B to 1 MiB, the share of the requests whose offset is a
//! multiple of it, and of those whose size is one as well. A trace that counts in sectors has nothing below 512 B.

use super::ratio::ratio;
use drivecast_block::{Op, Record};
use serde::Serialize;

/// 512 B.
const SHIFT_MIN: u32 = 9;
/// 512 B to 1 MiB.
const BOUNDARIES: usize = 12;

/// How many requests of an operation keep to a boundary.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Alignment {
    /// `read` or `write`.
    pub op: &'static str,
    /// The boundary.
    pub boundary_bytes: u64,
    /// Share of the requests that begin on it.
    pub offset_fraction: Option<f64>,
    /// Share of the requests that begin and end on it.
    pub request_fraction: Option<f64>,
}

/// Requests by the largest boundary they are aligned to, of one operation; entry 0 holds those aligned to none.
#[derive(Clone, Copy, Default)]
struct Counts {
    offsets: [u64; BOUNDARIES + 1],
    requests: [u64; BOUNDARIES + 1],
}

#[derive(Default)]
pub(super) struct Boundaries {
    reads: Counts,
    writes: Counts,
}

impl Boundaries {
    #[inline]
    pub(super) fn add(&mut self, record: &Record) {
        let counts = if record.op == Op::Read { &mut self.reads } else { &mut self.writes };
        counts.offsets[class(record.offset)] += 1;
        counts.requests[class(record.offset | u64::from(record.size))] += 1;
    }

    pub(super) fn rows(&self) -> Vec<Alignment> {
        let of = |op: Op, counts: Counts| {
            let all = counts.offsets.iter().sum::<u64>() as f64;
            (1..=BOUNDARIES).map(move |least| Alignment {
                op: op.name(),
                boundary_bytes: 1 << (SHIFT_MIN as usize + least - 1),
                offset_fraction: ratio(counts.offsets[least..].iter().sum::<u64>() as f64, all),
                request_fraction: ratio(counts.requests[least..].iter().sum::<u64>() as f64, all),
            })
        };
        let rows = of(Op::Read, self.reads).chain(of(Op::Write, self.writes));
        rows.filter(|row| row.offset_fraction.is_some()).collect()
    }
}

#[inline(always)]
fn class(number: u64) -> usize {
    let zeros = number.trailing_zeros().min(SHIFT_MIN + BOUNDARIES as u32 - 1);
    (zeros + 1).saturating_sub(SHIFT_MIN) as usize
}
