//! md's stripe cache: writes in order join to whole stripes, and what was read or written just before is not read again.
//!
//! MODEL. A write of part of a stripe reads first ([`super::plan`]), which the cache spares in two ways:
//!
//! - *joining*: a write that continues one of the same stripe, which has not yet all that it reads first, becomes part of
//!   it. A stripe that is whole by then reads no more.
//! - *contents*: what was read or written of a stripe stays, so many bytes of each member, and is not read again.
//!
//! Contents are runs of heights within the chunks of a stripe, each with the members whose bytes are there. They are found
//! by a hash of the stripe, four runs to a bucket, and last until as many bytes of each member as the cache holds have come
//! after them. No allocation, but for what joins.
//!
//! Source: Linux `drivers/md/raid5.c` (`add_stripe_bio`, `handle_stripe_dirtying`) and `Documentation/admin-guide/md.rst`
//! (`stripe_cache_size`). A test has what md itself did, counted in a virtual machine (`theory/stripe_cache.rs`).
//!
//! Left out: writes that are not synchronous, which md has wait for the reads under way (`IO_THRESHOLD`), so that more join;
//! writes that wait for a free stripe; joining across a gap, or to other heights once a write has its claim; a group's
//! members from the 64th on.

use super::layout::Layout;
use super::stripe_work::{MemberSet, Phase, Purpose, StripeWork};
use std::ops::Range;

const NONE: u32 = u32::MAX;
const BUCKETS_LOG2: u32 = 8;
const RUNS: usize = 4;

/// What the cache has of a stripe between two heights.
#[derive(Clone, Copy)]
struct Run {
    stripe: u64,
    start: u64,
    end: u64,
    members: MemberSet,
    /// Bytes of a member that had come when this did.
    came: u64,
}

const EMPTY: Run = Run { stripe: u64::MAX, start: 0, end: 0, members: MemberSet::NONE, came: 0 };

/// See the module.
pub(super) struct StripeCache {
    buckets: Vec<[Run; RUNS]>,
    bytes: u64,
    /// Bytes of a member that have come so far.
    came: u64,
    /// The last write that began or waits, by a hash of its stripe; it may be over.
    latest: Vec<u32>,
}

impl StripeCache {
    /// An empty cache that holds `bytes` of each member.
    pub(super) fn new(bytes: u64) -> StripeCache {
        let buckets = 1 << BUCKETS_LOG2;
        StripeCache { buckets: vec![[EMPTY; RUNS]; buckets], bytes, came: 0, latest: vec![NONE; buckets] }
    }

    /// The write, of those in these slots, that another continues, and that it may still join.
    pub(super) fn joined_by(&self, work: &StripeWork, slots: &[StripeWork], layout: &Layout) -> Option<u32> {
        let slot = self.latest[bucket(work.range.stripe)];
        let earlier = slots.get(slot as usize)?;
        let (before, after) = (earlier.range, work.range);
        let is_same = before.stripe == after.stripe
            && (earlier.priority, earlier.order) == (work.priority, work.order)
            && matches!(earlier.purpose, Purpose::Write(_))
            && matches!(earlier.phase, Phase::Claiming | Phase::Reading);
        if !is_same || before.end != after.start && after.end != before.start {
            return None;
        }
        // Its claim is made.
        (before.joined(&after).span(layout) == before.span(layout)).then_some(slot)
    }

    /// Notes a write of a stripe that begins or waits.
    pub(super) fn note(&mut self, stripe: u64, slot: u32) {
        self.latest[bucket(stripe)] = slot;
    }

    /// The members of which all bytes between these heights of a stripe are there.
    pub(super) fn contents(&self, stripe: u64, span: &Range<u64>) -> MemberSet {
        let (mut covered, mut members) = (0, MemberSet::ALL);
        for run in self.buckets[bucket(stripe)].iter().filter(|run| run.stripe == stripe) {
            let overlap = run.end.min(span.end).saturating_sub(run.start.max(span.start));
            if overlap > 0 && self.came - run.came < self.bytes {
                covered += overlap;
                members = members.and(run.members);
            }
        }
        if covered == span.end - span.start { members } else { MemberSet::NONE }
    }

    /// Keeps the bytes of `members` between these heights of a stripe.
    pub(super) fn keep(&mut self, stripe: u64, span: &Range<u64>, members: MemberSet) {
        self.came += span.end - span.start;
        let mut kept = Run { stripe, start: span.start, end: span.end, members, came: self.came };
        let runs = &mut self.buckets[bucket(stripe)];
        for run in runs.iter_mut().filter(|run| run.stripe == stripe) {
            let touches = run.start <= kept.end && kept.start <= run.end;
            if touches && run.members == kept.members {
                (kept.start, kept.end) = (run.start.min(kept.start), run.end.max(kept.end));
                *run = EMPTY;
            } else if run.start < kept.end && kept.start < run.end {
                // What is left of it on the longer side.
                let (below, above) = (run.start..kept.start.max(run.start), kept.end.min(run.end)..run.end);
                let rest = if below.end - below.start > above.end - above.start { below } else { above };
                *run = if rest.is_empty() { EMPTY } else { Run { start: rest.start, end: rest.end, ..*run } };
            }
        }
        if let Some(oldest) = runs.iter_mut().min_by_key(|run| run.came) {
            *oldest = kept;
        }
    }
}

fn bucket(stripe: u64) -> usize {
    (stripe.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - BUCKETS_LOG2)) as usize
}
