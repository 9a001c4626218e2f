//! One direction of the host link, with the drive's own limit behind it.
//!
//! Transfers go one after another at the link's rate. A controller that moves fewer bytes a second than the
//! link paces them: after each it starts the next no earlier than its own rate allows, which bounds
//! throughput and leaves the latency of a lone transfer alone. For writes that rate is what the flash may be programmed
//! with at once (power, mostly), so copies of garbage collection draw on it too: a drive that takes B bytes/s in
//! sequence takes B / WA at random.

#[derive(Debug)]
pub(super) struct Link {
    ns_per_byte: f64,
    pace_ns_per_byte: f64,
    limited: bool,
    free: u64,
    /// When the controller may start the next transfer; the fraction of a nanosecond is kept.
    paced: f64,
}

impl Link {
    pub(super) fn new(bytes_per_s: f64, controller_bytes_per_s: Option<f64>) -> Link {
        let ns_per_byte = 1e9 / bytes_per_s;
        let pace = controller_bytes_per_s.map_or(0.0, |rate| 1e9 / rate);
        let limited = controller_bytes_per_s.is_some();
        Link { ns_per_byte, pace_ns_per_byte: pace.max(ns_per_byte), limited, free: 0, paced: 0.0 }
    }

    /// Takes `bytes` from the rate behind the link for work of the drive's own.
    #[inline]
    pub(super) fn charge(&mut self, now: u64, bytes: f64) {
        if self.limited && bytes > 0.0 {
            self.paced = self.paced.max(now as f64) + bytes * self.pace_ns_per_byte;
        }
    }

    /// Reserves the link for a transfer that is ready at `now`; returns its end.
    #[inline]
    pub(super) fn transfer(&mut self, now: u64, bytes: u32) -> u64 {
        let start = (now.max(self.free) as f64).max(self.paced);
        self.paced = start + f64::from(bytes) * self.pace_ns_per_byte;
        self.free = round(start + f64::from(bytes) * self.ns_per_byte);
        self.free
    }
}

/// The nearest whole number to one that is not negative; without the call that [`f64::round`] is on some machines.
#[inline]
fn round(x: f64) -> u64 {
    let whole = x as u64;
    whole + u64::from(x - whole as f64 >= 0.5)
}
