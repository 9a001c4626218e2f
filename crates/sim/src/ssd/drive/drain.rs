//! From the write buffer to the dies, at the rate that the drive can program.
//!
//! **Model.** `write_bytes_per_s` bounds what is programmed: a row of the host's pages costs its bytes, each copied page
//! `copy_cost` pages of the host, each write command what it takes of the link besides. A row is handed to its die once what
//! went before is paid; until then it waits in the buffer. So cleaning slows the drain and not the admission: a write is
//! done in the time of the link as long as the buffer has space, and beyond the steady rate writes wait in front.

use super::Ssd;
use super::state::OpenRow;
use crate::spec::SsdSpec;
use crate::ssd::die::Row;
use drivecast_block::Nanos;
use std::collections::VecDeque;

/// Rows that wait for their turn, and what the drive has to pay before the next.
#[derive(Debug)]
pub(super) struct Drain {
    /// Time of a mapping unit; 0: no limit.
    unit_ns: f64,
    copy_cost: f64,
    command_ns: f64,
    /// When the next row may go; with fractions of a nanosecond.
    free: f64,
    rows: VecDeque<OpenRow>,
}

impl Drain {
    pub(super) fn new(spec: &SsdSpec) -> Drain {
        Drain {
            unit_ns: spec.write_bytes_per_s.map_or(0.0, |rate| f64::from(spec.mapping_bytes) * 1e9 / rate),
            copy_cost: spec.copy_cost,
            command_ns: spec.link_write_command_ns.unwrap_or(spec.link_command_ns) as f64,
            free: 0.0,
            rows: VecDeque::new(),
        }
    }

    /// When the next row is due; [`Nanos::MAX`] if none waits.
    #[inline]
    pub(super) fn due(&self) -> Nanos {
        if self.rows.is_empty() { Nanos::MAX } else { Nanos(self.free.ceil() as u64) }
    }

    /// A write command has arrived.
    #[inline]
    pub(super) fn command(&mut self, now: Nanos) {
        if self.unit_ns > 0.0 {
            self.pay(now, self.command_ns);
        }
    }

    /// Charges pages of the host, and the copies that fell due with them.
    pub(super) fn charge(&mut self, now: Nanos, pages: u32, copies: u32) {
        if self.unit_ns == 0.0 {
            return;
        }
        self.pay(now, (f64::from(pages) + f64::from(copies) * self.copy_cost) * self.unit_ns);
    }

    fn pay(&mut self, now: Nanos, ns: f64) {
        self.free = self.free.max(now.0 as f64) + ns;
    }
}

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
