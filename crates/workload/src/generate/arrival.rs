//! Arrivals at a rate: gaps are exponential with mean 1 / rate, independent of each other (Poisson; Kingman 1993), or all
//! 1 / rate.

use crate::spec::ArrivalProcess;
use drivecast_block::Nanos;
use drivecast_block::random::{Stream, stream};
use rand::RngExt;
use rand_distr::Exp1;

/// The endless times of arrivals, rising from zero.
#[derive(Clone, Debug)]
pub struct Arrivals {
    process: ArrivalProcess,
    gap_ns_mean: f64,
    now: Nanos,
    /// The part of a nanosecond not yet spent, so that rounding does not add up.
    carry_ns: f64,
    random: Stream,
}

impl Arrivals {
    /// Poisson arrivals at `rate_iops` requests a second, which must be above zero (as in a checked workload).
    pub fn new(rate_iops: f64, seed: u64) -> Arrivals {
        Arrivals::of(ArrivalProcess::Poisson, rate_iops, seed)
    }

    /// The arrivals of a process, as [`Arrivals::new`].
    pub fn of(process: ArrivalProcess, rate_iops: f64, seed: u64) -> Arrivals {
        let random = stream(seed, "workload.arrival");
        Arrivals { process, gap_ns_mean: 1e9 / rate_iops, now: Nanos::ZERO, carry_ns: 0.0, random }
    }
}

impl Iterator for Arrivals {
    type Item = Nanos;

    #[inline]
    fn next(&mut self) -> Option<Nanos> {
        let unit: f64 = match self.process {
            ArrivalProcess::Poisson => self.random.sample(Exp1),
            ArrivalProcess::Fixed => 1.0,
        };
        let gap_ns = unit * self.gap_ns_mean + self.carry_ns;
        let whole = gap_ns as u64;
        self.carry_ns = gap_ns - whole as f64;
        self.now = Nanos(self.now.0.saturating_add(whole));
        Some(self.now)
    }
}
