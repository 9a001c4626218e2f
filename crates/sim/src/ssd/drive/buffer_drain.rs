//! From the write buffer to the dies, at the rate that the drive can program.
//!
//! **Model.** `write_bytes_per_s` bounds what is programmed: a row of the host's pages costs its bytes, each copied page
//! `copy_cost` pages of the host, each write command what it takes of the link besides. A row is handed to its die once what
//! went before is paid; until then it waits in the buffer. So cleaning slows the drain and not the admission: a write is
//! done in the time of the link as long as the buffer has space, and beyond the steady rate writes wait in front.

use crate::spec::SsdSpec;
use drivecast_block::Nanos;
use std::collections::VecDeque;

/// A row being filled with host data.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenRow {
    pub(super) die: usize,
    /// Its number in the buffer.
    pub(super) row: u32,
    pub(super) pages: u32,
    /// The row of the pSLC cache that it is to become, if it is to.
    pub(super) cached: Option<u32>,
}

/// Rows that wait for their turn, and what the drive has to pay before the next.
#[derive(Debug)]
pub(super) struct BufferDrain {
    /// Time of a mapping unit; 0: no limit.
    unit_ns: f64,
    copy_cost: f64,
    command_ns: f64,
    /// When the next row may go; with fractions of a nanosecond.
    free: f64,
    pub(super) rows: VecDeque<OpenRow>,
}

impl BufferDrain {
    pub(super) fn new(spec: &SsdSpec) -> BufferDrain {
        BufferDrain {
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
