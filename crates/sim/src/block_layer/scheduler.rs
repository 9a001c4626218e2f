//! The choice of the request that the device gets next.

use super::cfq::Cfq;
use super::deadline::Deadline;
use super::waiting::Waiting;
use crate::spec::BlockScheduler;
use drivecast_block::Nanos;
use std::collections::VecDeque;

/// A scheduler with what waits in it.
pub(super) enum Scheduler {
    Fifo(VecDeque<Waiting>),
    Deadline(Deadline),
    Cfq(Cfq),
}

impl Scheduler {
    pub(super) fn new(kind: BlockScheduler) -> Scheduler {
        match kind {
            BlockScheduler::Fifo => Scheduler::Fifo(VecDeque::new()),
            BlockScheduler::Deadline => Scheduler::Deadline(Deadline::default()),
            BlockScheduler::Cfq => Scheduler::Cfq(Cfq::default()),
        }
    }

    pub(super) fn push(&mut self, waiting: Waiting) {
        match self {
            Scheduler::Fifo(line) => line.push_back(waiting),
            Scheduler::Deadline(deadline) => deadline.push(waiting),
            Scheduler::Cfq(cfq) => cfq.push(waiting),
        }
    }

    /// The next for the device; none where nothing waits, or may go before something else is done.
    pub(super) fn pop(&mut self, now: Nanos) -> Option<Waiting> {
        match self {
            Scheduler::Fifo(line) => line.pop_front(),
            Scheduler::Deadline(deadline) => deadline.pop(now),
            Scheduler::Cfq(cfq) => cfq.pop(now),
        }
    }

    /// The device is done with a request of this submitter.
    pub(super) fn complete(&mut self, submitter: usize) {
        if let Scheduler::Cfq(cfq) = self {
            cfq.complete(submitter);
        }
    }
}
