//! Rows on their way from the buffer to their dies.

use super::Ssd;
use crate::ssd::die::Row;
use drivecast_block::Nanos;

impl Ssd {
    /// The open row is full, or forced out: it waits for its turn.
    pub(super) fn issue(&mut self, now: Nanos) {
        let Some(open) = self.open_row.take() else { return };
        self.buffer.issue(open.row);
        self.drain.rows.push_back(open);
        self.drain_rows(now);
    }

    /// Hands the rows whose turn it is to their dies.
    pub(super) fn drain_rows(&mut self, now: Nanos) {
        while self.drain.due() <= now {
            let Some(open) = self.drain.rows.pop_front() else { return };
            let copies = match open.cached {
                Some(_) => {
                    self.issue_cached(now, &open);
                    0
                }
                None => self.backend.program(now, open.die, Row::Main(open.row), open.pages),
            };
            self.drain.charge(now, open.pages, copies);
        }
    }
}
