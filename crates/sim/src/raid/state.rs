//! What the requests of an array and its work on stripes share: members, faults, stripe locks, and what is in flight.

use super::health::Health;
use super::layout::{Layout, Level};
use super::lock::StripeLocks;
use super::log::Log;
use super::members::Members;
use super::plan::Extents;
use super::rebuild::{Pace, Rebuild};
use super::stripe_cache::StripeCache;
use super::stripe_work::StripeWork;
use crate::request_slots::Slots;
use drivecast_block::{Device, Nanos, Request};

/// A request of the host in flight.
#[derive(Clone, Copy)]
struct Job {
    id: u64,
    sequence: u64,
    /// Member requests and stripes still to finish.
    remaining: u32,
}

/// What a rebuild of a mirror copies at a time: md's unit.
const REBUILD_STEP: u64 = 64 << 10;

/// See the module.
pub(super) struct State<D> {
    pub(super) layout: Layout,
    pub(super) health: Health,
    pub(super) rebuild: Option<Box<Rebuild>>,
    pub(super) log: Option<Log>,
    pub(super) members: Members<D>,
    jobs: Slots<Job>,
    pub(super) stripes: Slots<StripeWork>,
    pub(super) locks: StripeLocks,
    pub(super) cache: Option<Box<StripeCache>>,
    /// Jobs that joined the write of another, and the next that joined the same.
    pub(super) joined: Slots<(u32, Option<u32>)>,
    pub(super) rebuilt_bytes: u64,
    /// Between the parts of rebuild steps that finished.
    pub(super) rebuilding: Nanos,
    sequence: u64,
    /// Requests of the host that have just finished: their order of submission and their ids.
    pub(super) finished: Vec<(u64, u64)>,
    /// Reused by every plan.
    pub(super) extents: Extents,
    /// Reused by every release of a lock.
    pub(super) granted: Vec<u32>,
}

impl<D: Device> State<D> {
    pub(super) fn new(layout: Layout, members: Vec<D>) -> State<D> {
        State {
            layout,
            health: Health::without(layout.members(), &[]),
            rebuild: None,
            log: None,
            members: Members::new(members),
            jobs: Slots::new(),
            stripes: Slots::new(),
            locks: StripeLocks::new(),
            cache: None,
            joined: Slots::new(),
            rebuilt_bytes: 0,
            rebuilding: Nanos::ZERO,
            sequence: 0,
            finished: Vec::new(),
            extents: Extents::default(),
            granted: Vec::new(),
        }
    }

    /// Begins to rebuild `members` onto blank devices in their places.
    pub(super) fn rebuild_members(&mut self, members: &[usize], pace: Pace, from: Nanos) {
        let chunk = self.layout.chunk().0;
        let step_bytes = if self.layout.level() == Level::Raid1 { REBUILD_STEP.min(chunk) } else { chunk };
        let steps = self.layout.stripes() / self.layout.groups() as u64 * chunk / step_bytes;
        self.health.rebuild(members);
        self.rebuild = Some(Box::new(Rebuild::new(members.to_vec(), step_bytes, steps, pace, from)));
    }

    /// Takes a request of the host in; the slot of its job.
    pub(super) fn begin_job(&mut self, request: &Request) -> u32 {
        self.sequence += 1;
        self.jobs.insert(Job { id: request.id, sequence: self.sequence, remaining: 0 })
    }

    /// Notes in how many parts a job was sent. A job without any is over: returns whether it continues.
    pub(super) fn await_parts(&mut self, slot: u32, parts: u32) -> bool {
        if parts == 0 {
            self.jobs.remove(slot);
        } else {
            self.jobs.get_mut(slot).remaining = parts;
        }
        parts > 0
    }

    /// One part of a job is done.
    pub(super) fn finish_part(&mut self, slot: u32) {
        let job = self.jobs.get_mut(slot);
        job.remaining -= 1;
        if job.remaining == 0 {
            let Job { id, sequence, .. } = self.jobs.remove(slot);
            self.finished.push((sequence, id));
        }
    }
}
