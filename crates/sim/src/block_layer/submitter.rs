//! Processes that submit requests, and the places that these take.
//!
//! **Model.** There are `requests` places. A process that finds none sleeps, and everything it does waits. When a place is
//! free the process that has slept longest wakes, and is granted a batch: [`BATCH`] requests within [`BATCH_TIME`], for
//! which half as many places again are open. So where n requests of processes with depth d each want places, d < 32, a
//! process does 32 requests in the time of the places, and then sleeps for a round of all the others: few requests
//! wait long, but those by a multiple of the mean.

use drivecast_block::{Completion, Nanos, Request};
use std::collections::VecDeque;

/// Requests that a process may queue after it has slept (`BLK_BATCH_REQ`).
const BATCH: u32 = 32;
/// How long it may (`BLK_BATCH_TIME`, a fiftieth of a second).
const BATCH_TIME: Nanos = Nanos(20_000_000);
/// Processes at most; streams beyond share them.
const SUBMITTERS: u32 = 1024;

#[derive(Default)]
struct Submitter {
    is_asleep: bool,
    /// Requests of the batch that are left, and until when.
    batch: u32,
    batch_until: Nanos,
    /// What it wants to submit when it wakes.
    line: VecDeque<Request>,
    /// What was done meanwhile.
    unseen: Vec<u64>,
}

/// All processes and the places.
pub(super) struct Submitters {
    requests: u32,
    taken: u32,
    submitters: Vec<Submitter>,
    /// Who sleeps, the longest first.
    asleep: VecDeque<usize>,
}

impl Submitters {
    pub(super) fn new(requests: u32) -> Submitters {
        Submitters { requests, taken: 0, submitters: Vec::new(), asleep: VecDeque::new() }
    }

    /// The process of a stream.
    pub(super) fn of(stream: u32) -> usize {
        (stream % SUBMITTERS) as usize
    }

    fn get(&mut self, submitter: usize) -> &mut Submitter {
        if self.submitters.len() <= submitter {
            self.submitters.resize_with(submitter + 1, Submitter::default);
        }
        &mut self.submitters[submitter]
    }

    /// Whether a request has a place. If not, its process sleeps, and keeps it.
    pub(super) fn enter(&mut self, now: Nanos, request: Request) -> bool {
        let submitter = Submitters::of(request.stream);
        if !self.get(submitter).is_asleep {
            if self.allocate(now, submitter) {
                return true;
            }
            self.submitters[submitter].is_asleep = true;
            self.asleep.push_back(submitter);
        }
        self.submitters[submitter].line.push_back(request);
        false
    }

    /// Takes a place, if there is one for this process.
    fn allocate(&mut self, now: Nanos, submitter: usize) -> bool {
        let Submitter { batch, batch_until, .. } = &mut self.submitters[submitter];
        let has_batch = *batch > 0 && now <= *batch_until;
        let limit = if has_batch { self.requests + self.requests / 2 } else { self.requests };
        let has_place = self.taken < limit;
        if has_place {
            self.taken += 1;
            *batch = batch.saturating_sub(1);
        }
        has_place
    }

    /// The device is done with a request of this process: its place is free, and the process sees it, if it is awake.
    pub(super) fn complete(&mut self, now: Nanos, submitter: usize, id: u64, done: &mut Vec<Completion>) {
        self.taken -= 1;
        if self.submitters[submitter].is_asleep {
            self.submitters[submitter].unseen.push(id);
        } else {
            done.push(Completion { id, at: now });
        }
    }

    /// Wakes the process that has slept longest, if there is a place for it.
    pub(super) fn wake(&mut self, now: Nanos) -> Option<usize> {
        if self.taken >= self.requests {
            return None;
        }
        let woken = self.asleep.pop_front()?;
        let submitter = &mut self.submitters[woken];
        (submitter.batch, submitter.batch_until) = (BATCH, now + BATCH_TIME);
        Some(woken)
    }

    /// The next request of a process that has woken, if it has a place; else the process sleeps again.
    pub(super) fn retry(&mut self, now: Nanos, woken: usize) -> Option<Request> {
        if self.submitters[woken].line.is_empty() {
            return None;
        }
        if !self.allocate(now, woken) {
            self.asleep.push_back(woken);
            return None;
        }
        self.submitters[woken].line.pop_front()
    }

    /// A process that has woken, and submitted all it wanted, sees what was done meanwhile.
    pub(super) fn reap(&mut self, now: Nanos, woken: usize, done: &mut Vec<Completion>) {
        let submitter = &mut self.submitters[woken];
        if submitter.line.is_empty() {
            submitter.is_asleep = false;
            done.extend(submitter.unseen.drain(..).map(|id| Completion { id, at: now }));
        }
    }
}
