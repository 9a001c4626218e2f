//! What the drive does when nobody asks anything of it: it folds its pSLC cache, and cleans ahead.
//!
//! Once no command has been in the drive for `delay_ns`, each die that has nothing to do takes a row of the cache, as long
//! as there are any, and then cleans one block after another until its reserve of free blocks is full; the first command
//! ends that, but for the row or block at hand on each die. Until a burst has used the
//! reserve up, no die cleans: it writes (R − 1)·b pages a die, with R blocks in reserve of b pages, at the rate of a fresh
//! drive. What is cleaned early still held pages that would have been overwritten, so write amplification rises.
//!
//! Idle work has no one who waits for it. So it is no event of the drive's until a command comes, and a run does not
//! wait for it to end.

use super::super::Ftl;
use super::super::backend::Backend;
use super::super::calendar::NEVER;
use super::super::ftl::{Cleaned, Sink};
use super::super::layout::Layout;
use super::Ssd;
use super::charge::rows_with_data;
use crate::spec::{BackgroundGc, SsdSpec};

/// Idle time after which a drive with a pSLC cache folds it, where no delay is given. Assumed.
const FOLD_DELAY_NS: u64 = 1_000_000;

/// How the drive spends idle time.
#[derive(Debug)]
pub(super) struct Idle {
    delay_ns: u64,
    /// Free blocks of a die to clean for.
    reserve: usize,
    /// When cleaning ahead begins.
    pub(super) at: u64,
    /// Whether it has begun.
    pub(super) resting: bool,
}

impl Idle {
    /// A drive without the option never rests.
    pub(super) fn new(spec: &SsdSpec, layout: &Layout) -> Idle {
        let folds = spec.slc_cache_bytes > 0 || spec.slc_dynamic_share > 0.0;
        let background = match spec.background_gc {
            Some(background) => background,
            None if folds => BackgroundGc { delay_ns: FOLD_DELAY_NS, reserve: 0.0 },
            None => return Idle { delay_ns: NEVER, reserve: 0, at: NEVER, resting: false },
        };
        let geometry = &layout.geometry;
        let data = layout.written_pages.div_ceil(u64::from(geometry.dies));
        let data_blocks = data.div_ceil(u64::from(geometry.pages_per_block));
        let spare = u64::from(geometry.blocks_per_die).saturating_sub(data_blocks);
        let reserve = (spare as f64 * background.reserve) as usize;
        Idle { delay_ns: background.delay_ns, reserve, at: background.delay_ns, resting: false }
    }

    /// The last command left.
    pub(super) fn begin(&mut self, now: u64) {
        self.at = now.saturating_add(self.delay_ns);
    }

    /// A command came.
    pub(super) fn end(&mut self) {
        self.at = NEVER;
        self.resting = false;
    }
}

/// Charges a cleaning to the flash at once.
struct Ahead<'a> {
    backend: &'a mut Backend,
    now: u64,
    pages_per_block: u32,
    row_pages: u32,
}

impl Sink for Ahead<'_> {
    fn cleaned(&mut self, work: Cleaned<'_>) {
        let reads = rows_with_data(work.valid, self.row_pages);
        self.backend.cleaned_ahead(self.now, work.die, self.pages_per_block, work.copies, reads);
    }
}

impl Ssd {
    /// Begins to clean ahead.
    pub(super) fn rest(&mut self, now: u64) {
        self.idle.at = NEVER;
        self.idle.resting = true;
        for die in 0..self.backend.dies() {
            self.clean_ahead(now, die);
        }
    }

    /// Gives a die that does nothing the next row to fold or block to clean.
    pub(super) fn clean_ahead(&mut self, now: u64, die: usize) {
        let (pages_per_block, row_pages) = (self.layout.geometry.pages_per_block, self.layout.row_pages);
        while self.idle.resting && self.backend.is_idle(die) {
            if self.fold_ahead(now) {
                continue;
            }
            let mut ahead = Ahead { backend: &mut self.backend, now, pages_per_block, row_pages };
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
