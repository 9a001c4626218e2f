//! Completely fair queueing: the device belongs to one process at a time.
//!
//! **Model.** Each process has a queue, served by address upwards and round again. One queue is active, for a slice of
//! 100 ms, or of 300 ms over the queues that have requests, whichever is less; or until it is empty. While others have
//! requests it may have [`QUANTUM`] at the device at a time. Then the queue with the least key follows, whose key is when it
//! came plus [`OFFSET`] for each queue that had requests then.
//!
//! So processes that keep more than 8 requests waiting have the device in turns, with 8 of its places used: a drive that
//! needs 32 for its full rate loses a fifth, and with j processes of depth d most requests take d/x, and d of each slice
//! (j − 1) slices.
//!
//! **Left out.** Idling for a process that may come back (`slice_idle`: Linux does not on drives without rotation), groups,
//! classes, the preference for requests behind the head by little.

use super::waiting::{Sweep, Waiting};
use drivecast_block::Nanos;

/// Requests of one process at the device while others wait (`quantum`).
const QUANTUM: u32 = 8;
/// A slice, and what a round of slices should take (`slice_sync`, `target_latency`).
const SLICE: Nanos = Nanos(100_000_000);
const ROUND: Nanos = Nanos(300_000_000);
/// What each queue before puts into a key: the slice of the highest priority less that of the usual one.
const OFFSET: Nanos = Nanos(80_000_000);
/// When the oldest request of a queue goes first in a slice (`fifo_expire_sync`).
const LATE: Nanos = Nanos(125_000_000);

#[derive(Default)]
struct Queue {
    sweep: Sweep,
    at_device: u32,
    /// Whether it has its turn, or waits for it.
    is_busy: bool,
    key: Nanos,
}

#[derive(Default)]
pub(super) struct Cfq {
    queues: Vec<Queue>,
    /// Queues that are busy.
    busy: u64,
    active: Option<usize>,
    slice_end: Nanos,
    /// Whether the active queue has not been served in its slice.
    is_new: bool,
}

impl Cfq {
    pub(super) fn push(&mut self, waiting: Waiting) {
        let submitter = waiting.submitter;
        if self.queues.len() <= submitter {
            self.queues.resize_with(submitter + 1, Queue::default);
        }
        let queue = &mut self.queues[submitter];
        queue.sweep.push(waiting);
        if !queue.is_busy {
            queue.is_busy = true;
            queue.key = waiting.at + Nanos(OFFSET.0 * self.busy);
            self.busy += 1;
        }
    }

    pub(super) fn complete(&mut self, submitter: usize) {
        self.queues[submitter].at_device -= 1;
    }

    pub(super) fn pop(&mut self, now: Nanos) -> Option<Waiting> {
        let active = self.select(now)?;
        let others_wait = self.busy > 1;
        let queue = &mut self.queues[active];
        if others_wait && queue.at_device >= QUANTUM {
            return None;
        }
        let late = queue.sweep.oldest().filter(|&index| self.is_new && queue.sweep.is_late(now, index, LATE));
        let next = late.or_else(|| queue.sweep.ahead()).or_else(|| queue.sweep.lowest())?;
        self.is_new = false;
        queue.at_device += 1;
        Some(queue.sweep.take(next))
    }

    /// The queue whose turn it is.
    fn select(&mut self, now: Nanos) -> Option<usize> {
        if let Some(active) = self.active {
            let queue = &mut self.queues[active];
            if !queue.sweep.is_empty() && now < self.slice_end {
                return self.active;
            }
            self.active = None;
            if queue.sweep.is_empty() {
                queue.is_busy = false;
                self.busy -= 1;
            } else {
                queue.key = now + Nanos(OFFSET.0 * (self.busy - 1));
            }
        }
        let busy = (0..self.queues.len()).filter(|&index| self.queues[index].is_busy);
        self.active = busy.min_by_key(|&index| self.queues[index].key);
        self.slice_end = now + SLICE.min(Nanos(ROUND.0 / self.busy.max(1)));
        self.is_new = true;
        self.active
    }
}
