//! What a device made of others has finished, and its host does not know yet.
//!
//! A request is known to be finished `overhead` after the last of its parts. [`Finishes`] is a device that has events of its own and
//! finishes requests by them: how it advances, and how far it runs alone, is the same for all.

use drivecast_block::{Completion, Nanos};
use std::collections::VecDeque;

/// Finished requests, not yet handed out: in order of time.
pub(crate) struct CompletionQueue {
    overhead: Nanos,
    queue: VecDeque<Completion>,
}

impl CompletionQueue {
    /// Nothing finished; every request will be known to be so `overhead` later.
    pub(crate) const fn new(overhead: Nanos) -> CompletionQueue {
        CompletionQueue { overhead, queue: VecDeque::new() }
    }

    /// Notes that the last part of a request is done.
    #[inline]
    pub(crate) fn finish(&mut self, now: Nanos, id: u64) {
        self.queue.push_back(Completion { id, at: now + self.overhead });
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// When the first of them is known.
    #[inline]
    pub(crate) fn next(&self) -> Option<Nanos> {
        self.queue.front().map(|completion| completion.at)
    }

    /// Hands out what is known by `now`.
    fn hand_out(&mut self, now: Nanos, done: &mut Vec<Completion>) {
        while let Some(completion) = self.queue.front().filter(|completion| completion.at <= now) {
            done.push(*completion);
            self.queue.pop_front();
        }
    }
}

/// A device with events of its own, by which requests are finished.
pub(crate) trait Finishes {
    /// What it has finished.
    fn ready(&mut self) -> &mut CompletionQueue;

    /// Processes events up to `until`, and none after the first time at which a request is finished if `stops` is set; the time
    /// of the last event, if there was one.
    fn process(&mut self, until: Nanos, stops: bool) -> Option<Nanos>;

    /// Its [`drivecast_block::Device::advance`].
    #[inline]
    fn advance_to(&mut self, now: Nanos, done: &mut Vec<Completion>) {
        self.process(now, false);
        self.ready().hand_out(now, done);
    }

    /// Its [`drivecast_block::Device::run`].
    #[inline]
    fn run_to(&mut self, until: Nanos, done: &mut Vec<Completion>) -> Nanos {
        if let Some(at) = self.ready().next() {
            // Finished, but for the overhead: events up to then come first.
            let at = at.min(until);
            self.advance_to(at, done);
            return at;
        }
        let last = self.process(until, true);
        let at = self.ready().next().unwrap_or(until);
        let Some(last) = last.filter(|last| at > *last) else {
            self.ready().hand_out(at, done);
            return at;
        };
        last
    }
}
