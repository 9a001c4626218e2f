//! Parts of a play that represent more than themselves: windows of a long trace, each after what leads into it.
//!
//! MODEL. A part lasts until its end, and weighs as much as the windows that it represents; what leads into a window weighs
//! nothing. A request counts with the part that issues it (its `stream` is the part's number), whenever it completes. What the
//! device counts (busy time, pages) counts with the part in which the device notes it, which for a service is its end. So sums and histograms over the play estimate
//! those of the whole trace: Σ weight · part (Horvitz and Thompson 1952).

use drivecast_block::{Counters, Device, Nanos};

/// A part of a play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its last instant, from the start of the play.
    pub end: Nanos,
    /// How often it counts.
    pub weight: u32,
}

/// The parts of a run, as time passes; none where a run represents itself.
pub(super) struct Parts {
    parts: Box<[Part]>,
    now: usize,
    end: Nanos,
    began: Nanos,
    counters: Counters,
    length: u64,
}

impl Parts {
    pub(super) fn new(parts: &[Part]) -> Parts {
        let end = parts.first().map_or(Nanos::MAX, |part| part.end);
        let (began, counters) = (Nanos::ZERO, Counters::default());
        Parts { parts: parts.into(), now: 0, end, began, counters, length: 0 }
    }

    /// The last instant of the part that is being played.
    #[inline]
    pub(super) fn end(&self) -> Nanos {
        self.end
    }

    /// Time reaches `at`, which is in a later part.
    #[cold]
    pub(super) fn leave(&mut self, at: Nanos, device: &mut dyn Device) {
        while at > self.end {
            self.count(self.end, device);
            self.now += 1;
            self.end = self.parts.get(self.now).map_or(Nanos::MAX, |part| part.end);
        }
    }

    /// The run ends; the device's counters over all parts, and the time that they represent.
    pub(super) fn close(mut self, end: Nanos, start: Nanos, device: &mut dyn Device) -> (Counters, Nanos) {
        if self.parts.is_empty() {
            return (device.counters(), end.since(start));
        }
        self.count(end, device);
        (self.counters, Nanos(self.length))
    }

    fn count(&mut self, end: Nanos, device: &mut dyn Device) {
        let weight = u64::from(self.parts.get(self.now).map_or(0, |part| part.weight));
        self.counters.add(&device.counters(), weight);
        device.reset_counters();
        self.length += weight * end.since(self.began).0;
        self.began = end;
    }
}
