//! By how much answers were late.

use hdrhistogram::Histogram;
use serde::Serialize;

/// Answers later than this count as late: below, the clock is read and the answer copied. Assumed.
pub(crate) const LATE_NS: u64 = 20_000;

const HOUR_NS: u64 = 3_600_000_000_000;

/// Counts of times up to an hour, to so many significant digits.
pub(crate) fn histogram(digits: u8) -> Histogram<u64> {
    Histogram::new_with_bounds(1, HOUR_NS, digits).expect("constant, valid bounds")
}

/// Lateness of the answers of a run, in nanoseconds of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Lateness {
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
    /// What the front costs there and back, which is taken off.
    pub transport_ns: u64,
}

/// Counts them.
pub(crate) struct Counter {
    histogram: Histogram<u64>,
    late: u64,
}

impl Counter {
    pub(crate) fn new() -> Counter {
        Counter { histogram: histogram(3), late: 0 }
    }

    #[inline]
    pub(crate) fn count(&mut self, late_ns: u64) {
        self.histogram.saturating_record(late_ns);
        self.late += u64::from(late_ns > LATE_NS);
    }

    pub(crate) fn reset(&mut self) {
        self.histogram.reset();
        self.late = 0;
    }

    pub(crate) fn summary(&self, transport_ns: u64) -> Lateness {
        let at = |quantile| self.histogram.value_at_quantile(quantile);
        Lateness {
            requests: self.histogram.len(),
            late: self.late,
            mean_ns: self.histogram.mean() as u64,
            p50_ns: at(0.5),
            p99_ns: at(0.99),
            p999_ns: at(0.999),
            max_ns: self.histogram.max(),
            transport_ns,
        }
    }
}
