//! The host link, with the drive's own limits behind it.
//!
//! Each way transfers go one after another at the link's rate; a half-duplex link (SATA) carries one at a time either
//! way. With the last of its data a command takes the link for its overhead besides: command, set-up and status frames
//! and their handshakes. So a link of B bytes/s carries 1/(s/B + overhead) commands of s bytes a second.
//!
//! A controller that moves fewer bytes a second than the link paces reads: after each transfer it starts the next no
//! earlier than its own rate and the command's overhead allow, which bounds throughput at 1/(s/B + overhead) for the lesser
//! B of the two and leaves the latency of a lone transfer alone. Writes are paced behind the buffer (`drive/buffer_drain.rs`).

use crate::spec::SsdSpec;
use drivecast_block::Nanos;

/// One way.
#[derive(Debug)]
struct Way {
    /// What a command takes of the link besides its data.
    command_ns: f64,
    pace_ns_per_byte: f64,
    free: Nanos,
    /// When the controller may start the next transfer; with fractions of a nanosecond.
    paced: f64,
}

#[derive(Debug)]
pub(super) struct Link {
    ns_per_byte: f64,
    half_duplex: bool,
    inbound: Way,
    outbound: Way,
}

impl Link {
    pub(super) fn new(spec: &SsdSpec) -> Link {
        let ns_per_byte = 1e9 / spec.link_bytes_per_s;
        let way = |bytes_per_s: Option<f64>, command_ns: u64| Way {
            command_ns: command_ns as f64,
            pace_ns_per_byte: bytes_per_s.map_or(0.0, |rate| 1e9 / rate),
            free: Nanos::ZERO,
            paced: 0.0,
        };
        Link {
            ns_per_byte,
            half_duplex: spec.link_half_duplex,
            inbound: way(None, spec.link_write_command_ns.unwrap_or(spec.link_command_ns)),
            outbound: way(spec.read_bytes_per_s, spec.link_command_ns),
        }
    }

    /// Reserves the link for data of the host that is ready at `now`, the last of its command or not; when it has crossed.
    #[inline]
    pub(super) fn receive(&mut self, now: Nanos, bytes: u32, last: bool) -> Nanos {
        let end = self.inbound.transfer(now, bytes, self.ns_per_byte, last);
        if self.half_duplex {
            self.outbound.free = end;
        }
        end
    }

    /// The same for data to the host.
    #[inline]
    pub(super) fn send(&mut self, now: Nanos, bytes: u32, last: bool) -> Nanos {
        let end = self.outbound.transfer(now, bytes, self.ns_per_byte, last);
        if self.half_duplex {
            self.inbound.free = end;
        }
        end
    }
}

impl Way {
    #[inline]
    fn transfer(&mut self, now: Nanos, bytes: u32, ns_per_byte: f64, last: bool) -> Nanos {
        let overhead_ns = if last { self.command_ns } else { 0.0 };
        let start = (now.max(self.free).0 as f64).max(self.paced);
        // From when it was ready, not from its start: waiting for the link costs the flash behind it nothing.
        self.paced = self.paced.max(now.0 as f64) + overhead_ns + f64::from(bytes) * self.pace_ns_per_byte;
        self.free = Nanos(round(start + overhead_ns + f64::from(bytes) * ns_per_byte));
        self.free
    }
}

/// The nearest whole number to one that is not negative; without the call that [`f64::round`] is on some machines.
#[inline]
fn round(x: f64) -> u64 {
    let whole = x as u64;
    whole + u64::from(x - whole as f64 >= 0.5)
}
