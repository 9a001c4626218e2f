//! By how much answers were late: of all kinds together, and of each.

use drivecast_block::Op;
use hdrhistogram::Histogram;
use serde::Serialize;

/// Answers later than this count as late: below, the clock is read and the answer copied. Assumed.
pub(crate) const LATE_NS: u64 = 20_000;

const HOUR_NS: u64 = 3_600_000_000_000;

/// Counts of times up to an hour, within 1 %: 37 KB, which the thread that serves the disk soon has at zero.
pub(crate) fn histogram() -> Histogram<u64> {
    Histogram::new_with_bounds(1, HOUR_NS, 2).expect("constant, valid bounds")
}

/// Lateness of answers, in nanoseconds of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Late {
    /// Answers.
    pub requests: u64,
    /// Those later than 20 us.
    pub late: u64,
    /// The mean over all answers; zero is in time, and so below.
    pub mean_ns: u64,
    /// The median.
    pub p50_ns: u64,
    /// 99 of 100 are not later.
    pub p99_ns: u64,
    /// 999 of 1,000 are not later.
    pub p999_ns: u64,
    /// The latest.
    pub max_ns: u64,
}

/// Lateness of the answers of a run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Lateness {
    /// Of all, discards among them.
    #[serde(flatten)]
    pub all: Late,
    /// Of reads; none where none were answered, and so below.
    pub read: Option<Late>,
    /// Of writes.
    pub write: Option<Late>,
    /// Of flushes.
    pub flush: Option<Late>,
    /// What the front costs there and back, which is taken off.
    pub transport_ns: u64,
}

/// Counts them.
pub(crate) struct Counter {
    all: Tally,
    /// Of reads, writes and flushes.
    kinds: [Tally; 3],
}

impl Counter {
    pub(crate) fn new() -> Counter {
        Counter { all: Tally::new(), kinds: std::array::from_fn(|_| Tally::new()) }
    }

    #[inline]
    pub(crate) fn count(&mut self, op: Op, late_ns: u64) {
        self.all.count(late_ns);
        if let Some(kind) = self.kinds.get_mut(op as usize) {
            kind.count(late_ns);
        }
    }

    pub(crate) fn reset(&mut self) {
        self.all.reset();
        self.kinds.iter_mut().for_each(Tally::reset);
    }

    pub(crate) fn summary(&self, transport_ns: u64) -> Lateness {
        let of_kind = |tally: &Tally| Some(tally.summary()).filter(|late| late.requests > 0);
        let [read, write, flush] = self.kinds.each_ref().map(of_kind);
        Lateness { all: self.all.summary(), read, write, flush, transport_ns }
    }
}

struct Tally {
    histogram: Histogram<u64>,
    late: u64,
}

impl Tally {
    fn new() -> Tally {
        Tally { histogram: histogram(), late: 0 }
    }

    #[inline]
    fn count(&mut self, late_ns: u64) {
        self.histogram.saturating_record(late_ns);
        self.late += u64::from(late_ns > LATE_NS);
    }

    fn reset(&mut self) {
        self.histogram.reset();
        self.late = 0;
    }

    fn summary(&self) -> Late {
        let at = |quantile| self.histogram.value_at_quantile(quantile);
        Late {
            requests: self.histogram.len(),
            late: self.late,
            mean_ns: self.histogram.mean() as u64,
            p50_ns: at(0.5),
            p99_ns: at(0.99),
            p999_ns: at(0.999),
            max_ns: self.histogram.max(),
        }
    }
}
