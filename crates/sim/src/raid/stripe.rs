//! The work on stripes: writes under parity, reads of what is missing, and rebuilding, step by step.
//!
//! All three read first, compute, then write. A write under parity reads what it replaces, logs if there is a log, and
//! writes data and parity; a read of a missing chunk reads the others and computes; a rebuild step does the same and writes
//! the result. Writes and rebuild steps hold a claim on their part of the stripe ([`super::lock`]). With a stripe cache
//! ([`super::stripe_cache`]) writes join, and what is there is not read again.

use super::degraded::DegradedStripe;
use super::layout::Extent;
use super::members::{Order, Owner, Priority};
use super::plan::{Extents, StripeRange};
use super::processor::ParityWork;
use super::state::State;
use super::stripe_work::{MemberSet, Phase, Purpose, StripeWork};
use drivecast_block::{Device, Nanos, Op};
use std::ops::Range;

impl<D: Device> State<D> {
    /// Begins the work on a stripe, now or when its turn comes.
    pub(super) fn work_on_stripe(&mut self, now: Nanos, work: StripeWork) {
        let StripeWork { purpose, range, .. } = work;
        let slot = self.stripes.insert(work);
        if let Some(cache) = self.cache.as_mut().filter(|_| matches!(purpose, Purpose::Write(_))) {
            cache.note(range.stripe, slot);
        }
        if !self.holds_claim(purpose) || self.locks.claim(slot, range.stripe, self.claimed(purpose, &range)) {
            self.start_stripe(now, slot);
        }
    }

    /// Whether the work must not meet other work: mirrors have nothing to keep in step, reads change nothing.
    fn holds_claim(&self, purpose: Purpose) -> bool {
        self.layout.level().parities() > 0 && !matches!(purpose, Purpose::Read(_))
    }

    fn claimed(&self, purpose: Purpose, range: &StripeRange) -> Range<u64> {
        match purpose {
            Purpose::Rebuild(_) => 0..self.layout.chunk().0,
            Purpose::Write(_) | Purpose::Read(_) => range.span(&self.layout),
        }
    }

    /// Sends one request for each planned extent; how many.
    fn send_all(&mut self, now: Nanos, slot: u32, op: Op, extents: &Extents) -> u32 {
        let StripeWork { order, priority, .. } = *self.stripes.get_mut(slot);
        for extent in extents.as_slice() {
            self.members.send(now, Owner::Stripe(slot), priority, Order { op, ..order }, *extent);
        }
        extents.as_slice().len() as u32
    }

    /// Sends the reads that a stripe needs, or, if it needs none, continues at once.
    fn start_stripe(&mut self, now: Nanos, slot: u32) {
        let StripeWork { purpose, range, .. } = *self.stripes.get_mut(slot);
        let mut extents = std::mem::take(&mut self.extents);
        let stripe = DegradedStripe { range, layout: &self.layout, health: &self.health };
        let mut contents = MemberSet::NONE;
        match purpose {
            Purpose::Write(_) => {
                contents = self.cached(&range);
                stripe.reads_without(contents, &mut extents);
            }
            Purpose::Read(_) => stripe.reads(&mut extents),
            Purpose::Rebuild(step) => self.rebuild_reads(step, &stripe, &mut extents),
        }
        let count = self.send_all(now, slot, Op::Read, &extents);
        let read_bytes = extents.as_slice().iter().map(|extent| u64::from(extent.size)).sum::<u64>();
        if self.cache.is_some() {
            contents.add_whole(&self.layout, &range, &extents);
        }
        self.extents = extents;
        let stripe = self.stripes.get_mut(slot);
        stripe.phase = Phase::Reading;
        stripe.remaining = count;
        stripe.read_bytes += read_bytes;
        stripe.contents = contents;
        stripe.joined = false;
        if count == 0 {
            self.compute_stripe(now, slot);
        }
    }

    fn rebuild_reads(&self, step: u64, stripe: &DegradedStripe<'_>, out: &mut Extents) {
        let Some(rebuild) = &self.rebuild else { return };
        if self.layout.level().parities() > 0 {
            stripe.everything(0..self.layout.chunk().0, out);
            return;
        }
        out.clear(self.layout.members());
        let (offset, size) = (step * rebuild.step_bytes, rebuild.step_bytes as u32);
        let copies = self.layout.copies();
        for member in &rebuild.members {
            let copy = |copy: usize| Extent { member: member / copies * copies + copy, offset, size };
            let source = (0..copies).map(copy).find(|copy| self.health.has(*copy));
            source.into_iter().for_each(|source| out.push_once(source));
        }
    }

    /// All that parity is made of is there: computes it, then continues.
    fn compute_stripe(&mut self, now: Nanos, slot: u32) {
        let StripeWork { purpose, range, read_bytes, .. } = *self.stripes.get_mut(slot);
        self.stripes.get_mut(slot).phase = Phase::Computing;
        let chunk = self.layout.chunk().0;
        let work = match purpose {
            _ if self.layout.level().parities() == 0 => return self.follow_parity(now, slot),
            Purpose::Write(_) => range.work(&self.layout, read_bytes),
            Purpose::Read(_) => {
                let stripe = DegradedStripe { range, layout: &self.layout, health: &self.health };
                let lost = stripe.lost_span();
                ParityWork { span_bytes: lost.end - lost.start, source_bytes: read_bytes, parities: 1 }
            }
            Purpose::Rebuild(_) => ParityWork { span_bytes: chunk, source_bytes: read_bytes, parities: 1 },
        };
        match self.members.parity(now, work) {
            Some(at) => self.members.wake(at, Owner::Parity(slot)),
            None => self.follow_parity(now, slot),
        }
    }

    /// Parity is there: logs or writes it, or has read all that was wanted.
    pub(super) fn follow_parity(&mut self, now: Nanos, slot: u32) {
        match self.stripes.get_mut(slot).purpose {
            Purpose::Read(_) => self.finish_stripe(now, slot),
            Purpose::Write(_) if self.log.is_some() => self.log_stripe(now, slot),
            Purpose::Write(_) | Purpose::Rebuild(_) => self.write_stripe(now, slot),
        }
    }

    fn log_stripe(&mut self, now: Nanos, slot: u32) {
        let StripeWork { order, priority, range, .. } = *self.stripes.get_mut(slot);
        let bytes = range.written_bytes(&self.layout);
        let health = &self.health;
        let Some(log) = &mut self.log else { return };
        let extent = log.append(bytes, |member| health.is_there(member));
        let stripe = self.stripes.get_mut(slot);
        stripe.phase = Phase::Logging;
        stripe.remaining = 1;
        self.members.send(now, Owner::Stripe(slot), priority, Order { op: Op::Write, ..order }, extent);
    }

    fn write_stripe(&mut self, now: Nanos, slot: u32) {
        let StripeWork { purpose, range, .. } = *self.stripes.get_mut(slot);
        let mut extents = std::mem::take(&mut self.extents);
        let stripe = DegradedStripe { range, layout: &self.layout, health: &self.health };
        match (purpose, &self.rebuild) {
            (Purpose::Rebuild(step), Some(rebuild)) => {
                extents.clear(self.layout.members());
                let members = self.layout.stripe_members(range.stripe);
                let (offset, size) = (step * rebuild.step_bytes, rebuild.step_bytes as u32);
                let spares = rebuild.members.iter().filter(|member| members.contains(member));
                spares.for_each(|member| extents.push(Extent { member: *member, offset, size }));
            }
            _ if self.health.is_whole() => range.writes(&self.layout, &mut extents),
            _ => stripe.writes(&mut extents),
        }
        let remaining = self.send_all(now, slot, Op::Write, &extents);
        let mut contents = self.stripes.get_mut(slot).contents;
        if self.cache.is_some() {
            contents.add_whole(&self.layout, &range, &extents);
        }
        self.extents = extents;
        let stripe = self.stripes.get_mut(slot);
        stripe.contents = contents;
        stripe.phase = Phase::Writing;
        stripe.remaining = remaining;
    }

    /// One member request of a stripe's work is done.
    pub(super) fn arrive_at_stripe(&mut self, now: Nanos, slot: u32) {
        let stripe = self.stripes.get_mut(slot);
        stripe.remaining -= 1;
        if stripe.remaining > 0 {
            return;
        }
        match stripe.phase {
            Phase::Reading if stripe.joined => {
                let StripeWork { range, contents, .. } = *stripe;
                self.keep(&range, contents);
                self.start_stripe(now, slot);
            }
            Phase::Reading => self.compute_stripe(now, slot),
            Phase::Logging => self.write_stripe(now, slot),
            Phase::Writing => self.finish_stripe(now, slot),
            Phase::Claiming | Phase::Computing => unreachable!("nothing is under way"),
        }
    }

    fn finish_stripe(&mut self, now: Nanos, slot: u32) {
        let StripeWork { purpose, range, contents, jobs, .. } = self.stripes.remove(slot);
        match purpose {
            Purpose::Write(job) => {
                self.keep(&range, contents);
                self.finish_part(job);
                self.finish_joined(jobs);
            }
            Purpose::Read(job) => self.finish_part(job),
            Purpose::Rebuild(step) => self.finish_rebuild_part(now, step, range.stripe),
        }
        if !self.holds_claim(purpose) {
            return;
        }
        let mut granted = std::mem::take(&mut self.granted);
        self.locks.release(slot, &mut granted);
        for waiting in granted.drain(..) {
            self.start_stripe(now, waiting);
        }
        self.granted = granted;
    }

    /// Begins the rebuild step that is due: one stripe of each group that lacks a member.
    pub(super) fn begin_rebuild_step(&mut self, now: Nanos) {
        let Some(rebuild) = &mut self.rebuild else { return };
        let groups = self.layout.groups();
        let size = self.layout.group_members();
        let lacks = |members: &[usize], group| members.iter().any(|member| member / size == group);
        let parts = (0..groups).filter(|group| lacks(&rebuild.members, *group)).count() as u32;
        let step = rebuild.begin(now, parts);
        for group in 0..groups {
            if self.rebuild.as_ref().is_some_and(|rebuild| lacks(&rebuild.members, group)) {
                let stripe = step * groups as u64 + group as u64;
                let range = StripeRange { stripe, start: 0, end: self.layout.stripe_bytes() };
                let order = Order { op: Op::Write, stream: 0, fua: false };
                let purpose = Purpose::Rebuild(step);
                self.work_on_stripe(now, StripeWork::new(purpose, order, Priority::Foreground, range));
            }
        }
    }

    fn finish_rebuild_part(&mut self, now: Nanos, step: u64, stripe: u64) {
        let Some(rebuild) = &mut self.rebuild else { return };
        let members = self.layout.stripe_members(stripe);
        let spares = rebuild.members.iter().filter(|member| members.contains(member)).count();
        self.rebuilt_bytes += rebuild.step_bytes * spares as u64;
        self.rebuilding += rebuild.finish_part(now, step);
        self.health.restore(&rebuild.members, rebuild.mark());
    }
}

/// What the stripe cache does.
impl<D: Device> State<D> {
    /// Makes part of the host's write one with a write that it continues, or begins it on its own.
    pub(super) fn write_stripe_part(
        &mut self,
        now: Nanos,
        job: u32,
        priority: Priority,
        order: Order,
        range: StripeRange,
    ) {
        let work = StripeWork::new(Purpose::Write(job), order, priority, range);
        let cache = self.cache.as_deref();
        let Some(slot) = cache.and_then(|cache| cache.joined_by(&work, self.stripes.slots(), &self.layout))
        else {
            return self.work_on_stripe(now, work);
        };
        let jobs = self.stripes.get_mut(slot).jobs;
        let jobs = Some(self.joined.insert((job, jobs)));
        let stripe = self.stripes.get_mut(slot);
        stripe.jobs = jobs;
        stripe.range = stripe.range.joined(&range);
        stripe.joined = true;
    }

    /// The members of which the cache has all bytes under the range's changes of parity.
    fn cached(&self, range: &StripeRange) -> MemberSet {
        let cache = self.cache.as_deref();
        cache.map_or(MemberSet::NONE, |cache| cache.contents(range.stripe, &range.span(&self.layout)))
    }

    fn keep(&mut self, range: &StripeRange, contents: MemberSet) {
        if let Some(cache) = &mut self.cache {
            cache.keep(range.stripe, &range.span(&self.layout), contents);
        }
    }

    /// The writes that joined one are done with it.
    fn finish_joined(&mut self, mut jobs: Option<u32>) {
        while let Some(at) = jobs {
            let (job, next) = self.joined.remove(at);
            self.finish_part(job);
            jobs = next;
        }
    }
}
