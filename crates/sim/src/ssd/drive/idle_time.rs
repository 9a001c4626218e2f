//! When a drive is idle, and for how much free flash it then cleans.

use crate::spec::{BackgroundGc, SsdSpec};
use crate::ssd::layout::Layout;
use drivecast_block::Nanos;

/// Idle time after which a drive with a pSLC cache folds it, where no delay is given. Assumed.
const FOLD_DELAY: Nanos = Nanos::from_ms(1);

/// How the drive spends idle time.
#[derive(Debug)]
pub(super) struct Idle {
    delay: Nanos,
    /// Free blocks of a die to clean for.
    pub(super) reserve: usize,
    /// When cleaning ahead begins.
    pub(super) at: Nanos,
    /// Whether it has begun.
    pub(super) resting: bool,
}

impl Idle {
    /// A drive without the option never rests.
    pub(super) fn new(spec: &SsdSpec, layout: &Layout) -> Idle {
        let folds = spec.slc_cache_bytes > 0 || spec.slc_dynamic_share > 0.0;
        let background = match spec.background_gc {
            Some(background) => background,
            None if folds => BackgroundGc { delay_ns: FOLD_DELAY.0, reserve: 0.0 },
            None => return Idle { delay: Nanos::MAX, reserve: 0, at: Nanos::MAX, resting: false },
        };
        let geometry = &layout.geometry;
        let data = layout.written_pages.div_ceil(u64::from(geometry.dies));
        let data_blocks = data.div_ceil(u64::from(geometry.pages_per_block));
        let spare = u64::from(geometry.blocks_per_die).saturating_sub(data_blocks);
        let reserve = (spare as f64 * background.reserve) as usize;
        let delay = Nanos(background.delay_ns);
        Idle { delay, reserve, at: delay, resting: false }
    }

    /// The last command left.
    pub(super) fn begin(&mut self, now: Nanos) {
        self.at = Nanos(now.0.saturating_add(self.delay.0));
    }

    /// A command came.
    pub(super) fn end(&mut self) {
        self.at = Nanos::MAX;
        self.resting = false;
    }
}
