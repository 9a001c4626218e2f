//! What the drive does when it has no commands: it folds its pSLC cache, and cleans ahead.
//!
//! Once no command has been in the drive for `delay_ns`, each die that has nothing to do takes a row of the cache, as long
//! as there are any, and then cleans one block after another until its reserve of free blocks is full; the first command
//! ends that, but for the row or block at hand on each die. Until a burst has used the
//! reserve up, no die cleans: it writes (R − 1)·b pages a die, with R blocks in reserve of b pages, at the rate of a fresh
//! drive. What is cleaned early still held pages that would have been overwritten, so write amplification rises.
//!
//! Nothing waits for idle work. So it is no event of the drive until a command comes, and a run does not wait for it to
//! end.

use super::Ssd;
use super::cleaning_time::rows_with_data;
use crate::ssd::Ftl;
use crate::ssd::backend::Backend;
use crate::ssd::ftl::{Cleaned, Sink};
use drivecast_block::Nanos;

/// Charges a cleaning to the flash at once.
struct ChargeNow<'a> {
    backend: &'a mut Backend,
    now: Nanos,
    pages_per_block: u32,
    read_pages: u32,
}

impl Sink for ChargeNow<'_> {
    fn cleaned(&mut self, work: Cleaned<'_>) {
        let reads = rows_with_data(work.valid, self.read_pages);
        self.backend.cleaned_ahead(self.now, work.die, self.pages_per_block, work.copies, reads);
    }
}

impl Ssd {
    /// Begins to clean ahead.
    pub(super) fn rest(&mut self, now: Nanos) {
        self.idle.at = Nanos::MAX;
        self.idle.resting = true;
        for die in 0..self.backend.dies() {
            self.clean_ahead(now, die);
        }
    }

    /// Gives a die that does nothing the next row to fold or block to clean.
    pub(super) fn clean_ahead(&mut self, now: Nanos, die: usize) {
        let (pages_per_block, read_pages) = (self.layout.geometry.pages_per_block, self.layout.read_pages);
        while self.idle.resting && self.backend.is_idle(die) {
            if self.fold_ahead(now) {
                continue;
            }
            let mut ahead = ChargeNow { backend: &mut self.backend, now, pages_per_block, read_pages };
            if !self.ftl.clean_ahead(die, self.idle.reserve, &mut ahead) {
                return;
            }
        }
    }

    /// Does at once, outside time, all that the drive does in idle time.
    pub(super) fn rest_outside_time(&mut self) {
        while self.fold_outside_time() {}
        let reserve = self.idle.reserve;
        let fill = |ftl: &mut Ftl, die| while ftl.clean_ahead(die, reserve, &mut ()) {};
        (0..self.backend.dies()).for_each(|die| fill(&mut self.ftl, die));
    }
}
