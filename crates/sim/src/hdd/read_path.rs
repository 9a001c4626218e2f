//! Reads: from the buffer, from what is being read ahead, or from the medium.
//!
//! **Model.** After a read the heads continue over the sectors behind it until the segment is full (or the track ends, as
//! measured), or until they are needed elsewhere. Reading ahead costs no event: where it has come to follows from the
//! time. A read that begins where it has come, or will have come when the controller is ready, joins the stream and has its
//! data when they have passed; one that begins in the buffer and ends beyond waits for the rest alone. A disk that keeps
//! whatever comes by has, if nothing disturbs it for a revolution and it stays on the track, the track's beginning as well.
//!
//! A read from the medium completes when its last sector has crossed the link. Data cross while they are read, so that
//! this is the later of "first sector read, then everything over the link" and "last sector read, then that one". What the
//! buffer has of it crosses before.

use super::disk::{Hdd, Stream, Work};
use super::geometry::{Place, SECTOR};
use super::queue::Command;
use crate::spec::ReadAhead;
use drivecast_block::{Nanos, Op};

impl Hdd {
    pub(super) fn read(&mut self, now: Nanos, mut command: Command) {
        let Command { lba, end, .. } = command;
        command.ready = now + self.overhead(Op::Read, |overheads| overheads.read_hit);
        self.complete_track(now);
        if self.written.holds(lba, end) || self.segments.holds(lba, end) {
            return self.read_buffer(&command);
        }
        let is_free = matches!(self.work, Work::Idle | Work::Choosing);
        if is_free && !self.is_overdue() && self.join(now, &command) {
            return;
        }
        command.ready = now + self.overhead(Op::Read, |overheads| overheads.read_miss);
        if let Some(segment) = self.segments.at(lba) {
            command.lba = self.segments.end(segment);
            command.crossed = command.ready + self.link((command.lba - lba) * SECTOR);
        }
        self.commands.push(command, &self.mechanism);
    }

    fn read_buffer(&mut self, command: &Command) {
        let at = self.transfer(command.ready, (command.end - command.lba) * SECTOR);
        self.finish(at, command);
    }

    /// Serves a read from what is being read ahead, if it begins within reach.
    fn join(&mut self, now: Nanos, command: &Command) -> bool {
        let Some(stream) = self.stream else { return false };
        let Command { lba, end, ready, .. } = *command;
        let come = self.come(stream, ready);
        let is_whole = self.segments.end(stream.segment) == stream.lba;
        let is_within = lba <= come && self.segments.touches(stream.segment, lba.min(stream.lba));
        if !is_whole || !is_within || (come == stream.limit && end > come) {
            return false;
        }
        if end <= come {
            self.read_buffer(command);
            return true;
        }
        let place = self.mechanism.geometry.locate(stream.lba);
        let first = self.mechanism.position(place, 0, stream.at, stream.at);
        let read = first + self.pass(stream.lba, place, end);
        self.read_until(now, read, Work::Read { segment: stream.segment, from: stream.lba, end });
        let at = (ready + self.link((end - lba) * SECTOR)).max(read + self.link(SECTOR));
        self.finish(at, command);
        true
    }

    /// Carries out a read from where the heads are.
    pub(super) fn read_medium(&mut self, now: Nanos, command: &Command) {
        let Command { lba, end, .. } = *command;
        let place = self.mechanism.geometry.locate(lba);
        let on_track = self.mechanism.on_track(place, 0, now);
        let mut first = self.mechanism.position(place, 0, now, now);
        let passed = self.passed(place, first.since(on_track));
        let mut read = first + self.pass(lba, place, end);
        let turn = self.mechanism.turn_within(place, end - lba, on_track, first);
        if let Some(turned) = turn.filter(|_| self.reads_on_arrival) {
            (first, read) = (on_track, turned);
        }
        let segment = self.segments.window(lba);
        self.read_until(now, read, Work::Read { segment, from: lba - passed, end });
        let sector = Nanos(read.since(first).0 / (end - lba));
        let crosses = (first + sector).max(command.crossed);
        let at = (crosses + self.link((end - lba) * SECTOR)).max(read + self.link(SECTOR));
        self.finish(at, command);
    }

    /// Sectors of the track that the buffer keeps because they came by on the way to `place`.
    fn passed(&self, place: Place, wait: Nanos) -> u64 {
        if self.keeps_passing { self.mechanism.geometry.passed(place, wait.0 as f64) } else { 0 }
    }

    /// Begins a read that ends at `read`, and reads ahead from there.
    fn read_until(&mut self, now: Nanos, read: Nanos, work: Work) {
        self.begin(now, read, work);
        let Work::Read { segment, end, .. } = work else { return };
        let limit = self.limit(segment, end);
        let track = self.mechanism.geometry.track(end - 1);
        let stays = self.keeps_passing && limit == track.end;
        let front_at = read + Nanos(self.mechanism.rotation.period_ns as u64);
        let front = if stays { track.start } else { end };
        self.stream = Some(Stream { lba: end, at: read, limit, segment, front, front_at });
        self.next_in_line = Some((Op::Read, end, read));
    }

    /// Where reading ahead from `lba` into a segment stops.
    fn limit(&self, segment: usize, lba: u64) -> u64 {
        let full = self.sectors.min(lba + self.segments.sectors);
        let track_of = |lba: u64| self.mechanism.geometry.track(lba.min(self.sectors - 1));
        match self.read_ahead {
            ReadAhead::Off => lba,
            ReadAhead::Segment => full,
            ReadAhead::Track => full.min(track_of(lba - 1).end),
            ReadAhead::NextTrack => {
                let track = track_of(lba);
                let goes_onward = self.segments.start(segment) < track.start;
                full.min(if goes_onward { track_of(track.end).end } else { track.end })
            }
        }
    }

    /// The sector that reading ahead has come to.
    fn come(&self, stream: Stream, at: Nanos) -> u64 {
        if stream.lba >= stream.limit || at <= stream.at {
            return stream.lba;
        }
        let place = self.mechanism.geometry.locate(stream.lba);
        let first = self.mechanism.arrival(place, 0, stream.at, stream.at);
        self.mechanism.geometry.reach(stream.lba, at.since(first).0 as f64, stream.limit)
    }

    /// Takes in the beginning of a track that has come by whole.
    fn complete_track(&mut self, now: Nanos) {
        let Some(stream) = self.stream.as_mut().filter(|stream| now >= stream.front_at) else { return };
        if stream.front < stream.lba {
            self.segments.extend(stream.segment, stream.front, stream.lba);
            stream.front = stream.lba;
        }
    }

    /// What is being overwritten is not read ahead, nor what lies behind it.
    pub(super) fn overwrite(&mut self, lba: u64, end: u64) {
        self.segments.remove(lba, end);
        if let Some(stream) = self.stream.as_mut().filter(|stream| lba < stream.limit && stream.lba < end) {
            stream.limit = lba.max(stream.lba);
        }
        if let Some(stream) = self.stream.as_mut().filter(|stream| lba < stream.lba) {
            stream.front = stream.lba;
        }
    }

    /// Stops reading ahead: the segment keeps what has come, and the heads are where that led them.
    pub(super) fn leave_stream(&mut self, now: Nanos) {
        self.complete_track(now);
        let Some(stream) = self.stream.take() else { return };
        let come = self.come(stream, now);
        if come > stream.lba {
            self.segments.extend(stream.segment, stream.lba, come);
            self.mechanism.settle_at(come - 1);
        }
    }
}
