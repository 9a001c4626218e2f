//! One direction of the host link, with the controller's own limit behind it.
//!
//! Transfers go one after another at the link's rate. A controller that moves fewer bytes a second than the
//! link paces them: after each it starts the next no earlier than its own rate allows, which bounds
//! throughput and leaves the latency of a lone transfer alone.

#[derive(Debug)]
pub(super) struct Link {
    ns_per_byte: f64,
    pace_ns_per_byte: f64,
    free: u64,
    /// When the controller may start the next transfer; the fraction of a nanosecond is kept.
    paced: f64,
}

impl Link {
    pub(super) fn new(bytes_per_s: f64, controller_bytes_per_s: Option<f64>) -> Link {
        let ns_per_byte = 1e9 / bytes_per_s;
        let pace = controller_bytes_per_s.map_or(0.0, |rate| 1e9 / rate);
        Link { ns_per_byte, pace_ns_per_byte: pace.max(ns_per_byte), free: 0, paced: 0.0 }
    }

    /// Reserves the link for a transfer that is ready at `now`; returns its end.
    #[inline]
    pub(super) fn transfer(&mut self, now: u64, bytes: u32) -> u64 {
        let start = (now.max(self.free) as f64).max(self.paced);
        self.paced = start + f64::from(bytes) * self.pace_ns_per_byte;
        self.free = (start + f64::from(bytes) * self.ns_per_byte).round() as u64;
        self.free
    }
}
