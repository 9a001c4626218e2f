//! Moments at which the whole volume stalls.
//!
//! **Model.** A renewal process: exponential gaps, lognormal lengths. Work that meets a stall is finished later by its length;
//! tokens still accrue. The stalls are drawn in order from a stream of their own, so what the volume does changes nothing
//! about when they are.

use super::spread;
use crate::spec::VolumeStalls;
use drivecast_block::Nanos;
use drivecast_block::random::{self, Stream};
use rand_distr::{Distribution, Exp1};
use std::collections::VecDeque;

/// A hundred days: what is to happen later never happens, and the run says so.
pub(super) const BEYOND: Nanos = Nanos(8_640_000_000_000_000);

/// The clock of the volume's work.
#[derive(Clone, Debug)]
pub(super) struct Clock {
    stalls: Option<VolumeStalls>,
    stream: Stream,
    /// Beginning and end of the stalls drawn and not over yet.
    ahead: VecDeque<(Nanos, Nanos)>,
    /// The end of the last one drawn.
    drawn: Nanos,
    is_beyond: bool,
}

impl Clock {
    pub(super) fn new(stalls: Option<VolumeStalls>, seed: u64) -> Clock {
        let stream = random::stream(seed, "volume-stalls");
        Clock { stalls, stream, ahead: VecDeque::new(), drawn: Nanos::ZERO, is_beyond: false }
    }

    /// Forgets what is over at `now`; no earlier time may be queried afterwards.
    #[inline]
    pub(super) fn pass(&mut self, now: Nanos) {
        while self.ahead.front().is_some_and(|(_, end)| *end <= now) {
            self.ahead.pop_front();
        }
    }

    /// When work of `ns` that begins at `start` is done.
    #[inline]
    pub(super) fn after(&mut self, start: Nanos, ns: f64) -> Nanos {
        let work = ns.round() as u64;
        let end = start.0.saturating_add(work);
        if end > BEYOND.0 {
            self.is_beyond = true;
            return BEYOND;
        }
        match self.stalls {
            None => Nanos(end),
            Some(stalls) => self.around(stalls, start, Nanos(work)),
        }
    }

    /// The time itself, unless it is beyond any run.
    #[inline]
    pub(super) fn reach(&mut self, at: Nanos) -> Nanos {
        self.is_beyond |= at > BEYOND;
        at.min(BEYOND)
    }

    /// Whether anything was to happen later than anybody waits.
    pub(super) fn is_beyond(&self) -> bool {
        self.is_beyond
    }

    fn around(&mut self, stalls: VolumeStalls, start: Nanos, work: Nanos) -> Nanos {
        let (mut time, mut left) = (start, work);
        let mut index = self.ahead.partition_point(|(_, end)| *end <= start);
        loop {
            if index == self.ahead.len() {
                self.draw(stalls);
            }
            let (begin, end) = self.ahead[index];
            index += 1;
            if end <= time {
                continue;
            }
            if time + left <= begin {
                return time + left;
            }
            left = left.since(begin.since(time));
            time = end;
        }
    }

    fn draw(&mut self, stalls: VolumeStalls) {
        let gap: f64 = Exp1.sample(&mut self.stream);
        let begin = Nanos(self.drawn.0.saturating_add((gap * stalls.every_ns).round() as u64)).min(BEYOND);
        let length = spread::around(stalls.stall_ns, stalls.sigma, &mut self.stream);
        self.drawn = begin + Nanos(length.round() as u64);
        self.ahead.push_back((begin, self.drawn));
    }
}
