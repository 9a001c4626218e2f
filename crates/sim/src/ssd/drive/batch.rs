//! Cleaning in batches that hold writes up.
//!
//! **Model.** Reads go before the copies of cleaning, which fall behind; once `gc_batch_bytes` have come from the host, and
//! reads among them, the drive makes up for it: it cleans for `gc_batch_ns` and takes no more than `gc_batch_slack_bytes`
//! meanwhile. So at λ writes a second of one page, with a slack of B pages, a batch of length T is not felt below λ = B/T;
//! above, the writes of the last T − B/λ wait, at most so long, λT − B of each N that lie between two batches.
//!
//! A drive whose batches need no reads (`gc_batch_always`) and follow each other (`gc_batch_bytes` of a page) takes B + 1 pages
//! in each T: writes wait even where one is outstanding, and beyond that all but some do.
//!
//! What takes the time is to copy what is valid: where a share u of the blocks that were cleaned lately was valid, and
//! `gc_batch_valid` where a batch took `gc_batch_ns`, it takes u / `gc_batch_valid` of that. So a drive with little data on
//! it, or in a burst on what is erased already, holds nothing up.
//!
//! **Left out.** What a batch does to reads; that with less to copy the next is due later.

use crate::spec::SsdSpec;
use drivecast_block::Nanos;

/// Weight of the last block among those that were cleaned lately. Assumed: about as many as are cleaned at once.
const LATELY: f64 = 1.0 / 16.0;

/// The batch at hand, and when the next is due.
#[derive(Debug)]
pub(super) struct Batch {
    every: u64,
    length: Nanos,
    /// What its blocks have that is valid where it takes so long; 0: however much that is.
    usual: f64,
    /// The same of the blocks that were cleaned lately.
    valid: f64,
    slack: u64,
    /// Pages taken since the last batch.
    since: u64,
    /// Whether reads came since, or need not.
    reads: bool,
    always: bool,
    /// End of the batch at hand; zero: there is none.
    pub(super) until: Nanos,
    /// Pages that may still be taken during it.
    left: u64,
}

impl Batch {
    pub(super) fn new(spec: &SsdSpec) -> Batch {
        let pages = |bytes: u64| bytes / u64::from(spec.mapping_bytes);
        let (every, slack) = (pages(spec.gc_batch_bytes), pages(spec.gc_batch_slack_bytes));
        Batch {
            every,
            length: Nanos(spec.gc_batch_ns),
            usual: spec.gc_batch_valid,
            valid: 0.0,
            slack,
            since: 0,
            reads: spec.gc_batch_always,
            always: spec.gc_batch_always,
            until: Nanos::ZERO,
            left: 0,
        }
    }

    /// A block was cleaned of which this share was valid.
    #[inline]
    pub(super) fn cleaned(&mut self, valid: f64) {
        self.valid += (valid - self.valid) * if self.valid == 0.0 { 1.0 } else { LATELY };
    }

    /// How long a batch takes now.
    fn takes(&self) -> Nanos {
        if self.usual == 0.0 {
            return self.length;
        }
        Nanos((self.length.0 as f64 * self.valid / self.usual) as u64)
    }

    /// Forgets a batch that is over.
    #[inline]
    pub(super) fn end(&mut self, now: Nanos) {
        if now >= self.until {
            self.until = Nanos::ZERO;
        }
    }

    /// How many of `pages` may be taken now.
    #[inline]
    pub(super) fn allows(&self, now: Nanos, pages: u32) -> u32 {
        if now < self.until { self.left.min(u64::from(pages)) as u32 } else { pages }
    }

    /// A read came.
    #[inline]
    pub(super) fn read(&mut self) {
        self.reads = true;
    }

    /// Pages were taken.
    #[inline]
    pub(super) fn take(&mut self, now: Nanos, pages: u32) {
        if self.every == 0 {
            return;
        }
        if now < self.until {
            self.left -= u64::from(pages);
            return;
        }
        self.since += u64::from(pages);
        if self.since >= self.every && self.reads {
            self.since = 0;
            self.reads = self.always;
            self.until = now + self.takes();
            self.left = self.slack;
        }
    }
}
