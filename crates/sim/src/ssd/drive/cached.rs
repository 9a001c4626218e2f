//! The pSLC cache in time: rows programmed fast, and folded to the main flash.
//!
//! A row of the cache takes `slc_program_ns` on its die. Folding a row takes an array read of `slc_read_ns` and the way
//! over the channel on the die that holds it, and its share of the rows it is written to, as host writes do; with as many
//! pages as a block holds in this mode, the block is erased. When the cache is full each row written brings one folded,
//! so that writes continue at the rate of both together: per row slc_program + slc_read + program and three transfers.
//!
//! Approximation: the program of a folded row does not wait for the reads that fetch it; both load their dies.

use super::Ssd;
use super::buffer_drain::OpenRow;
use crate::ssd::die::Row;
use crate::ssd::slc::Slc;
use drivecast_block::Nanos;

impl Ssd {
    /// Begins a row in the cache, if there is space in it, or can be made.
    pub(super) fn open_cached(&mut self, now: Nanos) -> Option<OpenRow> {
        let mut slc = self.slc.take()?;
        while !slc.has_space(self.ftl.live_pages()) && self.fold(now, &mut slc) {}
        let open = slc.has_space(self.ftl.live_pages()).then(|| {
            let die = self.choose_die();
            let row = self.buffer.open_row();
            let cached = slc.begin(die);
            slc.open = Some(cached);
            OpenRow { die, row, pages: 0, cached: Some(cached) }
        });
        self.slc = Some(slc);
        open
    }

    /// Puts a page into a row of the cache; how many the row has now.
    pub(super) fn put_cached(&mut self, open: &OpenRow, cached: u32, page: u64) -> u32 {
        if let Some(slc) = &mut self.slc {
            slc.put(cached, open.pages, page);
        }
        self.ftl.discard(page);
        self.buffer.put_cached(open.row, cached)
    }

    /// Sends a row of the cache to its die, and folds what falls due with it.
    pub(super) fn issue_cached(&mut self, now: Nanos, open: &OpenRow) {
        self.backend.program_cached(now, open.die, open.row);
        let Some(mut slc) = self.slc.take() else { return };
        slc.open = None;
        for _ in 0..slc.due() {
            self.fold(now, &mut slc);
        }
        self.slc = Some(slc);
    }

    /// Folds the oldest row, if there is one.
    fn fold(&mut self, now: Nanos, slc: &mut Slc) -> bool {
        let Some(die) = slc.fold() else { return false };
        self.backend.fold(now, die);
        for &page in slc.folding() {
            let (die, pages) = self.folded_row.take().unwrap_or_else(|| (self.choose_die(), 0));
            self.write_main(die, page);
            if pages + 1 < self.layout.row_pages {
                self.folded_row = Some((die, pages + 1));
            } else {
                let copies = self.backend.program(now, die, Row::Folded, pages + 1);
                self.drain.charge(now, 0, copies + pages + 1);
            }
        }
        true
    }

    /// Folds a row in idle time.
    pub(super) fn fold_ahead(&mut self, now: Nanos) -> bool {
        let Some(mut slc) = self.slc.take() else { return false };
        let folded = self.fold(now, &mut slc);
        self.slc = Some(slc);
        folded
    }

    /// Folds a row outside time.
    pub(super) fn fold_outside_time(&mut self) -> bool {
        let Some(slc) = &mut self.slc else { return false };
        let folded = slc.fold().is_some();
        if folded {
            slc.folding().iter().for_each(|&page| self.ftl.write(page, &mut ()));
        }
        folded
    }

    /// Writes a page outside time.
    pub(super) fn age_page(&mut self, page: u64) {
        let (dies, live) = (self.backend.dies(), self.ftl.live_pages());
        let Some(slc) = &mut self.slc else { return self.ftl.write(page, &mut ()) };
        let aligned = slc.is_aligned();
        if aligned && !slc.has_space(live) {
            while self.slc.as_ref().is_some_and(|slc| !slc.has_space(self.ftl.live_pages()))
                && self.fold_outside_time()
            {}
        }
        let live = self.ftl.live_pages();
        let Some(slc) = &mut self.slc else { return };
        if slc.age(page, live, dies) {
            self.ftl.discard(page);
            for _ in 0..if aligned { slc.due() } else { 0 } {
                self.fold_outside_time();
            }
        } else {
            slc.discard(page);
            self.ftl.write(page, &mut ());
        }
    }
}
