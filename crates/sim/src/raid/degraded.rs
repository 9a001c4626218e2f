//! What requests need of a stripe in which a member is missing.
//!
//! What a missing chunk held is the exclusive or of the others and P, or follows from Q: so reading it takes as many of the
//! other chunks as the stripe has data, N − 1 on RAID 5 of N. A write has three ways, of which the one with fewest reads is taken:
//!
//! - *read-modify-write*, if it writes no missing chunk: old data and the parity that is there;
//! - *reconstruct-write*, if it brings all that the missing chunk holds under the changing parity;
//! - else everything that is there, under the changing parity, is read.
//!
//! With no parity left in the stripe, data are written as they come.

use super::health::Health;
use super::layout::{Extent, Layout, Piece};
use super::plan::{Extents, StripeRange};
use super::stripe_work::MemberSet;
use std::ops::Range;

/// A range of a stripe, and what of the stripe is missing.
pub(super) struct DegradedStripe<'a> {
    pub(super) range: StripeRange,
    pub(super) layout: &'a Layout,
    pub(super) health: &'a Health,
}

impl DegradedStripe<'_> {
    fn is_lost(&self, member: usize) -> bool {
        self.health.is_lost(self.layout, self.range.stripe, member)
    }

    fn lost_data(&self) -> impl Iterator<Item = usize> {
        let stripe = self.range.stripe;
        (0..self.layout.data_chunks())
            .filter(move |index| self.is_lost(self.layout.data_member(stripe, *index)))
    }

    /// The parities that are there, by their members.
    fn parities(&self) -> impl Iterator<Item = usize> {
        let members = (0..self.layout.level().parities())
            .map(|which| self.layout.parity_member(self.range.stripe, which));
        members.filter(|member| !self.is_lost(*member))
    }

    /// Whether any chunk of the stripe is missing.
    pub(super) fn is_degraded(&self) -> bool {
        self.layout.stripe_members(self.range.stripe).any(|member| self.is_lost(member))
    }

    /// The least run that holds what the range covers of missing chunks; may be empty.
    pub(super) fn lost_span(&self) -> Range<u64> {
        let parts = self.lost_data().map(|index| self.range.part(self.layout, index));
        parts
            .filter(|run| !run.is_empty())
            .reduce(|a, b| a.start.min(b.start)..a.end.max(b.end))
            .unwrap_or(0..0)
    }

    /// The reads that yield the range, missing chunks included.
    pub(super) fn reads(&self, out: &mut Extents) {
        let lost = self.lost_span();
        let parities = if lost.is_empty() { 0 } else { self.lost_data().count() };
        out.clear(self.layout.members());
        for index in self.present_data() {
            let own = self.range.part(self.layout, index);
            let run = match (own.is_empty(), lost.is_empty()) {
                (true, _) => lost.clone(),
                (_, true) => own,
                _ => own.start.min(lost.start)..own.end.max(lost.end),
            };
            self.emit_data(index, run, out);
        }
        for member in self.parities().take(parities) {
            self.emit(member, lost.clone(), out);
        }
    }

    /// The reads before the range is written, but for members that are there.
    pub(super) fn reads_without(&self, there: MemberSet, out: &mut Extents) {
        let is_there = |extent: &Extent| there.has(self.layout.place(extent.member));
        if self.health.is_whole() || !self.is_degraded() {
            return self.range.reads_without(self.layout, is_there, out);
        }
        self.reads_before_write(out);
        out.retain(|extent| !is_there(extent));
    }

    /// The reads before the range is written, of a stripe that lacks a chunk.
    fn reads_before_write(&self, out: &mut Extents) {
        let (write, layout) = (&self.range, self.layout);
        out.clear(layout.members());
        if self.parities().next().is_none() {
            return;
        }
        let span = write.span(layout);
        let covers = |run: &Range<u64>| run.start <= span.start && span.end <= run.end;
        let runs: Vec<Range<u64>> = self.lost_data().map(|index| write.part(layout, index)).collect();
        let reconstructs = runs.iter().all(covers).then(|| {
            write.reconstruct(layout, out);
            self.keep_present(out)
        });
        let modifies = runs.iter().all(Range::is_empty).then(|| {
            write.writes(layout, out);
            self.keep_present(out)
        });
        match (reconstructs, modifies) {
            (Some(reads), modify) if reads == 0 || modify.is_none_or(|modify| reads <= modify) => {
                write.reconstruct(layout, out);
                self.keep_present(out);
            }
            (_, Some(_)) => {}
            (_, None) => self.everything(span, out),
        }
    }

    /// The writes that are left of a whole stripe's.
    pub(super) fn writes(&self, out: &mut Extents) {
        self.range.writes(self.layout, out);
        self.keep_present(out);
    }

    /// All that is there of the stripe, for rebuilding the rest.
    pub(super) fn everything(&self, run: Range<u64>, out: &mut Extents) {
        out.clear(self.layout.members());
        for index in self.present_data() {
            self.emit_data(index, run.clone(), out);
        }
        for member in self.parities() {
            self.emit(member, run.clone(), out);
        }
    }

    fn present_data(&self) -> impl Iterator<Item = usize> {
        let stripe = self.range.stripe;
        (0..self.layout.data_chunks())
            .filter(move |index| !self.is_lost(self.layout.data_member(stripe, *index)))
    }

    /// Takes out what lies on missing members; how much is left.
    fn keep_present(&self, out: &mut Extents) -> usize {
        out.retain(|extent| !self.is_lost(extent.member));
        out.as_slice().len()
    }

    fn emit_data(&self, index: usize, run: Range<u64>, out: &mut Extents) {
        if !run.is_empty() {
            let size = (run.end - run.start) as u32;
            out.push(self.layout.extent(Piece { stripe: self.range.stripe, index, start: run.start, size }));
        }
    }

    fn emit(&self, member: usize, run: Range<u64>, out: &mut Extents) {
        let offset = self.layout.stripe_offset(self.range.stripe) + run.start;
        out.push(Extent { member, offset, size: (run.end - run.start) as u32 });
    }
}
