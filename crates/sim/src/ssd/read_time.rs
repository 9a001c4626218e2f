//! How long array reads take.
//!
//! The flash pages of a word line (lower, middle, upper) take times that lie evenly around the mean, `read_type_spread` of it
//! either way. A read that does not decode is repeated, and so is each repetition: their number is geometric. Its mean is
//! r/(1 - r) of a new drive's `read_retry_rate` plus `wear` x `data_age` times that of `worn_retry_rate`: raw errors grow about
//! linearly with the cycles (Schroeder and others, FAST 2016); that they do so with the age of the data is assumed. Left out:
//! pages and blocks worse than others, read levels that a drive learns.

use super::die::PageType;
use crate::spec::SsdSpec;
use drivecast_block::Nanos;
use drivecast_block::random::{Stream, stream};
use rand::RngExt;

/// Times of the reads of a drive.
#[derive(Debug)]
pub(super) struct ReadTimes {
    /// Of the main flash, over all types.
    pub(super) mean: Nanos,
    /// Of the pSLC cache.
    pub(super) cached: Nanos,
    by_type: Vec<Nanos>,
    retry_rate: f64,
    retries: Stream,
}

/// The share of reads that is repeated, at this wear and age.
fn retry_rate(spec: &SsdSpec) -> f64 {
    let repetitions = |rate: f64| rate / (1.0 - rate);
    let mean =
        repetitions(spec.read_retry_rate) + spec.wear * spec.data_age * repetitions(spec.worn_retry_rate);
    mean / (1.0 + mean)
}

impl ReadTimes {
    pub(super) fn new(spec: &SsdSpec, seed: u64) -> ReadTimes {
        let last = f64::from(spec.read_types - 1);
        let place = |page: u32| if last > 0.0 { 2.0 * f64::from(page) / last - 1.0 } else { 0.0 };
        let time = |page| spec.read_ns as f64 * (1.0 + spec.read_type_spread * place(page));
        ReadTimes {
            mean: Nanos(spec.read_ns),
            cached: Nanos(spec.slc_read_ns),
            by_type: (0..spec.read_types).map(|page| Nanos(time(page).round() as u64)).collect(),
            retry_rate: retry_rate(spec),
            retries: stream(seed, "ssd.retry"),
        }
    }

    /// That of a host read, repetitions included.
    #[inline]
    pub(super) fn of(&mut self, page: PageType) -> Nanos {
        let PageType::Main(page) = page else { return self.cached };
        let once = self.by_type[usize::from(page)];
        let mut time = once;
        while self.retry_rate > 0.0 && self.retries.random::<f64>() < self.retry_rate {
            time += once;
        }
        time
    }
}
