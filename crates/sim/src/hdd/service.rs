//! What the mechanism does next.
//!
//! **Model.** The mechanism is at each moment idle, at work, or waiting for the controller to choose:
//!
//! - when a command ends or comes to an idle disk, the controller takes its overhead to choose the next one, and whatever
//!   arrives meanwhile takes part in the choice (`queue` says how it chooses);
//! - a command that continues the last transfer (same direction, next sector) starts at once, without that overhead;
//! - cached data go to the medium as soon as there is no command (destage). No command has to be decoded, so there is no
//!   overhead. While a flush or a write waits, commands and cached data take turns.
//!
//! Destage follows the elevator over all that is cached, whatever orders the commands: a cache sorts its entries by
//! address. With E entries in a full cache a sweep over the N cylinders serves 1.5·E of them (what comes by has waited 2/3
//! of a sweep in the mean; Little's law), so under sustained random writes each takes about
//!
//! ```text
//! max(seek(N / 1.5·E), head switch) + write settling + half a revolution + transfer
//! ```
//!
//! Without the cache it takes a seek to a random place instead, the controller's overhead, and the same half revolution.
//!
//! Once begun, positioning and transfer are not interrupted; reading ahead may be, at any moment.

use super::disk::{Hdd, Work};
use super::geometry::Place;
use super::queue::{Command, PASSES_PER_COMMAND, Queue};
use crate::spec::Scheduler;
use drivecast_block::{Nanos, Op};
use std::cmp::Ordering;

impl Hdd {
    pub(super) fn begin(&mut self, now: Nanos, until: Nanos, work: Work) {
        (self.started, self.until, self.work) = (now, until.max(now), work);
    }

    /// When the mechanism next has something to do.
    pub(super) fn turn(&self) -> Option<Nanos> {
        (!matches!(self.work, Work::Idle)).then_some(self.until)
    }

    /// The mechanism ends what it was doing.
    pub(super) fn end_work(&mut self, now: Nanos) {
        match self.work {
            Work::Choosing => return self.choose(now),
            Work::Read { segment, from, end } => {
                self.segments.extend(segment, from, end);
                self.segments.deliver(segment, end);
            }
            Work::Idle | Work::Write => {}
            Work::Destage { sectors } => {
                self.written.release(sectors);
                self.fill_cache(now);
                while let Some(flush) = self.written.flushed() {
                    self.finish(now.max(flush.ready), &flush);
                }
            }
        }
        self.counters.busy_ns += now.since(self.started).0;
        self.proceed(now);
    }

    /// Starts the next work: at once with what continues at `now`, else after the controller's choice.
    pub(super) fn proceed(&mut self, now: Nanos) {
        if let Some(index) = self.continuing(now) {
            self.serve(now, index);
        } else if let Some(command) = self.commands.first() {
            let overhead = match command.op {
                Op::Write => self.overhead(Op::Write, |overheads| overheads.write_miss),
                _ => self.overhead(Op::Read, |overheads| overheads.read_miss),
            };
            self.begin(now, now + overhead, Work::Choosing);
        } else if self.written.queue.is_empty() {
            self.work = Work::Idle;
        } else {
            self.destage(now);
        }
    }

    /// A command that continues where the medium is at this moment.
    fn continuing(&self, now: Nanos) -> Option<usize> {
        let (op, lba, _) = self.next_in_line.filter(|(.., at)| *at == now)?;
        let index = self.commands.iter().position(|c| c.lba == lba && c.op == op && c.ready <= now)?;
        let is_next = match self.scheduler {
            Scheduler::Sptf | Scheduler::Look => !self.is_overdue(),
            Scheduler::Fifo => self.commands.oldest() == Some(index),
        };
        is_next.then_some(index)
    }

    /// Chooses among commands, or takes a turn for cached data.
    fn choose(&mut self, now: Nanos) {
        self.leave_stream(now);
        self.mechanism.is_settled &= self.is_in_succession;
        if self.written.is_wanted() && !self.is_turn_of_commands {
            return self.destage(now);
        }
        self.passes += 1;
        let index = match self.is_overdue() {
            true => self.commands.oldest(),
            false => self.scheduled(now),
        };
        self.is_inward = index.map_or(self.is_inward, |index| self.leads_inward(&self.commands, index));
        if let Some(index) = index {
            self.serve(now, index);
        }
    }

    /// The command that the disk's scheduler takes next.
    fn scheduled(&self, now: Nanos) -> Option<usize> {
        match self.scheduler {
            Scheduler::Fifo => self.commands.oldest(),
            Scheduler::Sptf => self.commands.nearest(&self.mechanism, self.mechanism.rotation.angle(now)),
            Scheduler::Look => self.elevator(&self.commands, |_| true),
        }
    }

    /// The eligible command that an elevator takes next: the nearest ahead of the arm, else the nearest behind it.
    fn elevator(&self, queue: &Queue, is_eligible: impl Fn(&Command) -> bool) -> Option<usize> {
        let ahead = |is_inward: bool| queue.ahead(self.mechanism.cylinder, is_inward, &is_eligible);
        ahead(self.is_inward).or_else(|| ahead(!self.is_inward))
    }

    /// Whether the arm moves inwards to serve a command; as before if it stays.
    fn leads_inward(&self, queue: &Queue, index: usize) -> bool {
        match queue.cylinder(index).cmp(&self.mechanism.cylinder) {
            Ordering::Less => false,
            Ordering::Equal => self.is_inward,
            Ordering::Greater => true,
        }
    }

    /// Whether the oldest command was passed over too often.
    pub(super) fn is_overdue(&self) -> bool {
        let oldest = self.commands.oldest().map(|oldest| self.commands.get(oldest).passes);
        oldest.is_some_and(|passes| self.passes - passes > PASSES_PER_COMMAND * self.queue_depth as u64)
    }

    /// Brings cached data to the medium: the next of the elevator, of those that a flush waits for if one does.
    fn destage(&mut self, now: Nanos) {
        self.leave_stream(now);
        self.is_turn_of_commands = true;
        let before = self.written.flushes.front().map_or(u64::MAX, |flush| flush.order);
        let index = self.elevator(&self.written.queue, |command| command.order < before);
        let Some(index) = index else { return };
        self.is_inward = self.leads_inward(&self.written.queue, index);
        let command = self.written.queue.take(index);
        let end = self.put(now, command.ready, &command);
        self.begin(now, end, Work::Destage { sectors: command.end - command.lba });
    }

    /// Carries out a command of the host.
    fn serve(&mut self, now: Nanos, index: usize) {
        self.is_turn_of_commands = false;
        let command = self.commands.take(index);
        if command.op == Op::Read {
            return self.read_medium(now, &command);
        }
        let end = self.put(now, command.ready, &command);
        self.begin(now, end, Work::Write);
        self.finish(end, &command);
    }

    /// Positions for a write and passes over its sectors; its end.
    fn put(&mut self, now: Nanos, ready: Nanos, command: &Command) -> Nanos {
        let place = self.mechanism.geometry.locate(command.lba);
        let first = self.mechanism.position(place, self.mechanism.write_settle, now, ready);
        let end = first + self.pass(command.lba, place, command.end);
        self.next_in_line = Some((Op::Write, command.end, end));
        end
    }

    pub(super) fn pass(&mut self, lba: u64, place: Place, end: u64) -> Nanos {
        Nanos(self.mechanism.pass(lba, place, end - lba).round() as u64)
    }
}
