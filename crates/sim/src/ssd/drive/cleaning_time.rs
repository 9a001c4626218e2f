//! What a cleaning costs in time: the translation layer's report, turned into work for a die.

use super::batch::Batch;
use crate::ssd::backend::Backend;
use crate::ssd::ftl::{Cleaned, Sink};

/// Charges the work of a cleaning to the flash.
pub(super) struct CleaningTime<'a> {
    pub(super) backend: &'a mut Backend,
    pub(super) batch: &'a mut Batch,
    pub(super) pages_per_block: u32,
    pub(super) read_pages: u32,
}

impl Sink for CleaningTime<'_> {
    fn cleaned(&mut self, work: Cleaned<'_>) {
        let reads = rows_with_data(work.valid, self.read_pages);
        self.batch.cleaned(f64::from(work.copies) / f64::from(self.pages_per_block));
        let span = self.pages_per_block - work.copies;
        self.backend.cleaned(work.die, self.pages_per_block, work.copies, reads, span);
    }
}

/// Rows of `row_pages` in which at least one bit is set.
pub(super) fn rows_with_data(valid: &[u64], row_pages: u32) -> u32 {
    let mut rows = 0;
    let mut next = 0;
    for (i, &word) in valid.iter().enumerate() {
        let first = i as u32 * 64;
        let mut left = word;
        loop {
            let skip = next.max(first) - first;
            left = if skip < 64 { left & u64::MAX << skip } else { 0 };
            if left == 0 {
                break;
            }
            rows += 1;
            next = ((first + left.trailing_zeros()) / row_pages + 1) * row_pages;
        }
    }
    rows
}
