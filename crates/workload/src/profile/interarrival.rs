//! How evenly requests arrive.
//!
//! DEFINITION. Gaps are the times between the issues of consecutive requests; `cv` is their standard deviation (of the
//! population) over their mean. The index of dispersion of counts is the variance (of the sample) over the mean of the
//! requests in bins of a width, laid from the first request on, the last incomplete bin left out (Cox and Lewis 1966).
//! Both are 1 for a Poisson process; dispersion that grows with the width is a sign of bursts of all lengths.

use super::ratio::ratio;
use drivecast_block::Nanos;
use serde::Serialize;

/// How evenly requests arrive.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Interarrival {
    /// Mean gap.
    pub mean_ns: f64,
    /// Coefficient of variation of the gaps.
    pub cv: Option<f64>,
    /// Index of dispersion of counts in bins of 10 ms.
    pub index_of_dispersion_10ms: Option<f64>,
    /// In bins of 100 ms.
    pub index_of_dispersion_100ms: Option<f64>,
    /// In bins of 1 s.
    pub index_of_dispersion_1s: Option<f64>,
}

#[derive(Default)]
pub(super) struct Gaps {
    previous: Option<Nanos>,
    gaps: u64,
    sum_ns: u128,
    /// Sum of the squares: whole numbers, so that the variance loses nothing.
    squares: u128,
    bins: [Bins; 3],
}

impl Gaps {
    #[inline]
    pub(super) fn add(&mut self, time: Nanos) {
        let Some(previous) = self.previous.replace(time) else {
            self.bins = [10_000_000, 100_000_000, 1_000_000_000].map(|width| Bins::new(time, width));
            return;
        };
        let gap = u128::from(time.since(previous).0);
        self.gaps += 1;
        self.sum_ns += gap;
        self.squares = self.squares.saturating_add(gap * gap);
        for bins in &mut self.bins {
            bins.add(time);
        }
    }

    pub(super) fn summary(&self) -> Option<Interarrival> {
        let mean_ns = ratio(self.sum_ns as f64, self.gaps as f64)?;
        let variance = (self.squares as f64 / self.gaps as f64 - mean_ns * mean_ns).max(0.0);
        let [at_10ms, at_100ms, at_1s] = self.bins.each_ref().map(Bins::dispersion);
        Some(Interarrival {
            mean_ns,
            cv: ratio(variance.sqrt(), mean_ns),
            index_of_dispersion_10ms: at_10ms,
            index_of_dispersion_100ms: at_100ms,
            index_of_dispersion_1s: at_1s,
        })
    }
}

/// Counts in bins of one width.
#[derive(Clone, Copy, Default)]
struct Bins {
    width: u64,
    /// Where the open bin ends.
    end: u64,
    count: u64,
    complete: u64,
    sum: u64,
    squares: u128,
}

impl Bins {
    /// Bins from the first request on, which they hold.
    fn new(first: Nanos, width: u64) -> Bins {
        Bins { width, end: first.0.saturating_add(width), count: 1, ..Bins::default() }
    }

    #[inline]
    fn add(&mut self, time: Nanos) {
        if time.0 >= self.end {
            let empty = (time.0 - self.end) / self.width;
            self.complete += 1 + empty;
            self.sum += self.count;
            self.squares += u128::from(self.count) * u128::from(self.count);
            self.end = self.end.saturating_add((1 + empty) * self.width);
            self.count = 0;
        }
        self.count += 1;
    }

    fn dispersion(&self) -> Option<f64> {
        if self.complete < 2 {
            return None;
        }
        let bins = self.complete as f64;
        let mean = self.sum as f64 / bins;
        let variance = (self.squares as f64 - mean * self.sum as f64) / (bins - 1.0);
        ratio(variance.max(0.0), mean)
    }
}
