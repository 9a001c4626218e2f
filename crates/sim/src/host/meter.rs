//! What is measured of a device that a program uses, when it likes: the recorder of a run, without a source.

use super::{Measured, Recorder};
use drivecast_block::{Counters, Nanos, Op};

/// Gathers the requests of a device in use. Times never decrease.
pub struct Meter {
    recorder: Recorder,
    now: Nanos,
    in_flight: u64,
    generated: u64,
}

impl Default for Meter {
    fn default() -> Meter {
        let recorder = Recorder::new(Nanos::ZERO, None, 0, &[]);
        Meter { recorder, now: Nanos::ZERO, in_flight: 0, generated: 0 }
    }
}

impl Meter {
    /// A request is issued.
    pub fn issue(&mut self, at: Nanos) {
        self.pass(at);
        self.in_flight += 1;
        self.generated += 1;
    }

    /// A request issued at `issued` completes.
    pub fn complete(&mut self, op: Op, size: u32, issued: Nanos, at: Nanos) {
        let at = self.pass(at);
        self.in_flight -= 1;
        self.recorder.complete(op, size, 0, issued.min(at), at);
    }

    /// How many are in flight.
    pub fn in_flight(&self) -> u64 {
        self.in_flight
    }

    /// What was measured up to `end`, on a device with these counters, which has failed for this reason if there is one.
    #[must_use]
    pub fn finish(mut self, end: Nanos, counters: Counters, fault: Option<String>) -> Measured {
        let end = self.pass(end);
        Measured {
            counters,
            length: end,
            generated: self.generated,
            in_flight: self.in_flight,
            end,
            saturated: false,
            fault,
            given_up: None,
            recorder: self.recorder,
        }
    }

    /// Lets time pass; the later of the two.
    fn pass(&mut self, at: Nanos) -> Nanos {
        let at = at.max(self.now);
        self.recorder.pass(self.now, at, self.in_flight);
        self.now = at;
        at
    }
}
