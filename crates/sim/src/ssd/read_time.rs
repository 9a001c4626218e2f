//! How long array reads take.
//!
//! The flash pages of a word line (lower, middle, upper) take times that lie evenly around the mean, `read_type_spread` of it
//! either way. A read that does not decode, with chance `read_retry_rate`, is repeated, and so is each repetition.

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

impl ReadTimes {
    pub(super) fn new(spec: &SsdSpec, seed: u64) -> ReadTimes {
        let last = f64::from(spec.read_types - 1);
        let place = |page: u32| if last > 0.0 { 2.0 * f64::from(page) / last - 1.0 } else { 0.0 };
        let time = |page| spec.read_ns as f64 * (1.0 + spec.read_type_spread * place(page));
        ReadTimes {
            mean: Nanos(spec.read_ns),
            cached: Nanos(spec.slc_read_ns),
            by_type: (0..spec.read_types).map(|page| Nanos(time(page).round() as u64)).collect(),
            retry_rate: spec.read_retry_rate,
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
