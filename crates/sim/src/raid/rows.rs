//! The work on rows: writes under parity, reads of what is missing, and rebuilding, step by step.
//!
//! All three read first, compute, then write: a write under parity reads what it replaces, logs if there is a log, and writes
//! data and parity; a read of a missing chunk reads the others and computes; a rebuild step does the same and writes the
//! result. Writes and rebuild steps hold a claim on their part of the row ([`super::lock`]).

use super::array::Array;
use super::degraded::DegradedRow;
use super::layout::Extent;
use super::plan::{Extents, RowWrite};
use crate::controller::ParityWork;
use drivecast_block::{Device, Nanos, Op};
use std::ops::Range;

/// Marks member requests that belong to a [`RowWork`] rather than straight to a request of the host.
pub(super) const OF_ROW: u64 = 1 << 63;
/// Marks the parity of a [`RowWork`]: it has been computed.
pub(super) const OF_PARITY: u64 = 1 << 62;

/// What a row is worked on for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// A write of the host's job of this slot.
    Write(u32),
    /// A read of the host's job of this slot, of a row that lacks what it wants.
    Read(u32),
    /// A rebuild step of this number.
    Rebuild(u64),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Reading,
    Logging,
    Writing,
}

/// One row being worked on.
#[derive(Clone, Copy)]
pub(super) struct RowWork {
    purpose: Purpose,
    stream: u32,
    /// Marks its member requests as behind others, or not.
    behind: u64,
    touched: RowWrite,
    remaining: u32,
    /// Bytes read, which go into parity.
    read_bytes: u64,
    phase: Phase,
}

impl<D: Device> Array<D> {
    /// Begins the work on a row, now or when its turn comes.
    pub(super) fn work_on_row(&mut self, now: Nanos, purpose: Purpose, stream: u32, touched: RowWrite) {
        let (behind, phase) = (self.behind, Phase::Reading);
        let work = RowWork { purpose, stream, behind, touched, remaining: 0, read_bytes: 0, phase };
        let slot = self.rows.insert(work);
        if !self.holds_claim(purpose) || self.locks.claim(slot, touched.row, self.claimed(purpose, &touched))
        {
            self.start_row(now, slot);
        }
    }

    /// Whether the work must not meet other work: mirrors have nothing to keep in step, reads change nothing.
    fn holds_claim(&self, purpose: Purpose) -> bool {
        self.layout.level().parities() > 0 && !matches!(purpose, Purpose::Read(_))
    }

    fn claimed(&self, purpose: Purpose, touched: &RowWrite) -> Range<u64> {
        match purpose {
            Purpose::Rebuild(_) => 0..self.layout.chunk().0,
            Purpose::Write(_) | Purpose::Read(_) => touched.span(&self.layout),
        }
    }

    /// Sends one request for each planned extent; how many.
    fn send_all(&mut self, now: Nanos, slot: u32, op: Op, extents: &Extents) -> u32 {
        let RowWork { stream, behind, .. } = *self.rows.get_mut(slot);
        for extent in extents.as_slice() {
            self.members.send(now, u64::from(slot) | OF_ROW | behind, op, stream, *extent);
        }
        extents.as_slice().len() as u32
    }

    /// Sends the reads that a row needs, or, if it needs none, goes on.
    fn start_row(&mut self, now: Nanos, slot: u32) {
        let RowWork { purpose, touched, .. } = *self.rows.get_mut(slot);
        let mut extents = std::mem::take(&mut self.extents);
        let row = DegradedRow { touched, layout: &self.layout, health: &self.health };
        match purpose {
            Purpose::Write(_) if self.health.is_whole() || !row.is_degraded() => {
                touched.reads(&self.layout, &mut extents);
            }
            Purpose::Write(_) => row.reads_before_write(&mut extents),
            Purpose::Read(_) => row.reads(&mut extents),
            Purpose::Rebuild(step) => self.rebuild_reads(step, &row, &mut extents),
        }
        let count = self.send_all(now, slot, Op::Read, &extents);
        let read_bytes = extents.as_slice().iter().map(|extent| u64::from(extent.size)).sum();
        self.extents = extents;
        let row = self.rows.get_mut(slot);
        row.remaining = count;
        row.read_bytes = read_bytes;
        if count == 0 {
            self.compute_row(now, slot);
        }
    }

    fn rebuild_reads(&self, step: u64, row: &DegradedRow<'_>, out: &mut Extents) {
        let Some(rebuild) = &self.rebuild else { return };
        if self.layout.level().parities() > 0 {
            row.everything(0..self.layout.chunk().0, out);
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

    /// All that parity is made of is there: computes it, then goes on.
    fn compute_row(&mut self, now: Nanos, slot: u32) {
        let RowWork { purpose, touched, read_bytes, .. } = *self.rows.get_mut(slot);
        let chunk = self.layout.chunk().0;
        let work = match purpose {
            _ if self.layout.level().parities() == 0 => return self.follow_parity(now, slot),
            Purpose::Write(_) => touched.work(&self.layout, read_bytes),
            Purpose::Read(_) => {
                let row = DegradedRow { touched, layout: &self.layout, health: &self.health };
                let lost = row.lost_span();
                ParityWork { span_bytes: lost.end - lost.start, source_bytes: read_bytes, parities: 1 }
            }
            Purpose::Rebuild(_) => ParityWork { span_bytes: chunk, source_bytes: read_bytes, parities: 1 },
        };
        match self.members.parity(now, work) {
            Some(at) => self.members.wake(at, u64::from(slot) | OF_PARITY),
            None => self.follow_parity(now, slot),
        }
    }

    /// Parity is there: logs or writes it, or has read all that was wanted.
    pub(super) fn follow_parity(&mut self, now: Nanos, slot: u32) {
        match self.rows.get_mut(slot).purpose {
            Purpose::Read(_) => self.finish_row(now, slot),
            Purpose::Write(_) if self.log.is_some() => self.log_row(now, slot),
            Purpose::Write(_) | Purpose::Rebuild(_) => self.write_row(now, slot),
        }
    }

    fn log_row(&mut self, now: Nanos, slot: u32) {
        let RowWork { stream, behind, touched, .. } = *self.rows.get_mut(slot);
        let bytes = touched.written_bytes(&self.layout);
        let health = &self.health;
        let Some(log) = &mut self.log else { return };
        let extent = log.append(bytes, |member| health.is_there(member));
        let row = self.rows.get_mut(slot);
        row.phase = Phase::Logging;
        row.remaining = 1;
        self.members.send(now, u64::from(slot) | OF_ROW | behind, Op::Write, stream, extent);
    }

    fn write_row(&mut self, now: Nanos, slot: u32) {
        let RowWork { purpose, touched, .. } = *self.rows.get_mut(slot);
        let mut extents = std::mem::take(&mut self.extents);
        let row = DegradedRow { touched, layout: &self.layout, health: &self.health };
        match (purpose, &self.rebuild) {
            (Purpose::Rebuild(step), Some(rebuild)) => {
                extents.clear(self.layout.members());
                let members = self.layout.row_members(touched.row);
                let (offset, size) = (step * rebuild.step_bytes, rebuild.step_bytes as u32);
                let spares = rebuild.members.iter().filter(|member| members.contains(member));
                spares.for_each(|member| extents.push(Extent { member: *member, offset, size }));
            }
            _ if self.health.is_whole() => touched.writes(&self.layout, &mut extents),
            _ => row.writes(&mut extents),
        }
        let remaining = self.send_all(now, slot, Op::Write, &extents);
        self.extents = extents;
        let row = self.rows.get_mut(slot);
        row.phase = Phase::Writing;
        row.remaining = remaining;
    }

    /// One member request of a row's work is done.
    pub(super) fn arrive_at_row(&mut self, now: Nanos, slot: u32) {
        let row = self.rows.get_mut(slot);
        row.remaining -= 1;
        if row.remaining > 0 {
            return;
        }
        match row.phase {
            Phase::Reading => self.compute_row(now, slot),
            Phase::Logging => self.write_row(now, slot),
            Phase::Writing => self.finish_row(now, slot),
        }
    }

    fn finish_row(&mut self, now: Nanos, slot: u32) {
        let RowWork { purpose, touched, .. } = self.rows.remove(slot);
        match purpose {
            Purpose::Write(job) | Purpose::Read(job) => self.finish_part(job),
            Purpose::Rebuild(step) => self.finish_rebuild_part(now, step, touched.row),
        }
        if !self.holds_claim(purpose) {
            return;
        }
        let mut granted = std::mem::take(&mut self.granted);
        self.locks.release(slot, &mut granted);
        for waiting in granted.drain(..) {
            self.start_row(now, waiting);
        }
        self.granted = granted;
    }

    /// Begins the rebuild step that is due: one row of each group that lacks a member.
    pub(super) fn begin_rebuild_step(&mut self, now: Nanos) {
        let Some(rebuild) = &mut self.rebuild else { return };
        let groups = self.layout.groups();
        let size = self.layout.group_members();
        let lacks = |members: &[usize], group| members.iter().any(|member| member / size == group);
        let parts = (0..groups).filter(|group| lacks(&rebuild.members, *group)).count() as u32;
        let step = rebuild.begin(now, parts);
        for group in 0..groups {
            if self.rebuild.as_ref().is_some_and(|rebuild| lacks(&rebuild.members, group)) {
                let row = step * groups as u64 + group as u64;
                let touched = RowWrite { row, start: 0, end: self.layout.row_bytes() };
                self.work_on_row(now, Purpose::Rebuild(step), 0, touched);
            }
        }
    }

    fn finish_rebuild_part(&mut self, now: Nanos, step: u64, row: u64) {
        let Some(rebuild) = &mut self.rebuild else { return };
        let members = self.layout.row_members(row);
        let spares = rebuild.members.iter().filter(|member| members.contains(member)).count();
        self.rebuilt_bytes += rebuild.step_bytes * spares as u64;
        rebuild.finish_part(now, step);
        self.health.restore(&rebuild.members, rebuild.mark());
    }
}
