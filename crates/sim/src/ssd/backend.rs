//! The flash behind the controller: dies on channels, in time.
//!
//! A host read occupies its die for t_R, then the die's register and the channel for the transfer out. A
//! program occupies channel and register for the transfer in, then the die for t_PROG. Copies are read, cross
//! the channel to the controller (for error correction) and cross it again. A channel carries one transfer at
//! a time, host data out first, the rest in order of request. A read that finds its die programming or
//! erasing stops it after `suspend_ns`, if the drive can and the rest would take longer; else it waits.
//!
//! Left out: cache reads and cache programs (a transfer never overlaps the same die's array), reads of single
//! planes side by side, differences between lower and upper pages, read retries, command and address cycles.

use super::calendar::Calendar;
use super::die::{Cleaning, Die, Phase, READS_IN_TURN, ReadJob};
use crate::spec::SsdSpec;
use std::collections::VecDeque;

/// Error correction works on codewords; no less crosses a channel (assumed: up to 4 KiB).
const CODEWORD_BYTES: u32 = 4096;

/// What an event of the flash means to the controller.
#[derive(Clone, Copy, Debug)]
pub(super) enum Outcome {
    Nothing,
    /// Host data arrived at the controller.
    Read(ReadJob),
    /// A row of host data is in flash.
    Programmed(u32),
}

#[derive(Debug, Default)]
struct Channel {
    busy: Option<u16>,
    /// Dies with host data to send out.
    reads: VecDeque<u16>,
    /// Dies with other transfers.
    others: VecDeque<u16>,
}

#[derive(Debug)]
pub(super) struct Backend {
    read_ns: u64,
    program_ns: u64,
    erase_ns: u64,
    suspend_ns: Option<u64>,
    ns_per_byte: f64,
    page_bytes: u32,
    codeword_bytes: u32,
    row_pages: u32,
    block_pages: u64,
    dies: Vec<Die>,
    channels: Vec<Channel>,
    /// Programs and erases that wait for each die or are under way.
    loads: Vec<u32>,
    /// Dies first, channels behind them.
    calendar: Calendar,
}

impl Backend {
    pub(super) fn new(spec: &SsdSpec, row_pages: u32, block_pages: u64) -> Backend {
        let dies = spec.channels * spec.dies_per_channel;
        Backend {
            read_ns: spec.read_ns,
            program_ns: spec.program_ns,
            erase_ns: spec.erase_ns,
            suspend_ns: spec.suspend_ns,
            ns_per_byte: 1e9 / spec.channel_bytes_per_s,
            page_bytes: spec.mapping_bytes,
            codeword_bytes: spec.mapping_bytes.min(CODEWORD_BYTES),
            row_pages,
            block_pages,
            // Neighbouring dies lie on different channels, so that data written in turn uses all of them.
            dies: (0..dies).map(|die| Die::new((die % spec.channels) as u16)).collect(),
            channels: (0..spec.channels).map(|_| Channel::default()).collect(),
            loads: vec![0; dies as usize],
            calendar: Calendar::new((dies + spec.channels) as usize),
        }
    }

    pub(super) fn dies(&self) -> usize {
        self.dies.len()
    }

    /// Programs and erases that wait for a die.
    #[inline]
    pub(super) fn load(&self, die: usize) -> u32 {
        self.loads[die]
    }

    /// The earliest event, `NEVER` if there is none.
    #[inline]
    pub(super) fn next(&self) -> u64 {
        self.calendar.earliest()
    }

    /// Takes a host read.
    #[inline]
    pub(super) fn read(&mut self, now: u64, die: usize, job: ReadJob) {
        let state = &mut self.dies[die];
        state.reads.push_back(job);
        match state.phase {
            Phase::Idle => self.turn(now, die),
            Phase::Program | Phase::Erase => self.suspend(now, die),
            _ => {}
        }
    }

    /// Takes a row of `pages` host pages to program; the copies of garbage collection that thereby fall due.
    pub(super) fn program(&mut self, now: u64, die: usize, row: u32, pages: u32) -> u32 {
        let state = &mut self.dies[die];
        state.rows.push_back(row);
        let before = state.due;
        state.pay(pages);
        let after = state.due;
        self.loads[die] += 1 + after.erases - before.erases;
        self.wake(now, die);
        after.copies - before.copies
    }

    /// Takes a read of the old content of a page that a host write covers only in part.
    pub(super) fn read_old(&mut self, now: u64, die: usize) {
        self.dies[die].due.reads += 1;
        self.wake(now, die);
    }

    /// Takes note that a block of `cleaned` pages was cleaned: `copies` of them, found in `reads` rows, were
    /// copied. The work falls due over the `span` host pages for which there is room now.
    pub(super) fn cleaned(&mut self, die: usize, cleaned: u32, copies: u32, reads: u32, span: u32) {
        let state = &mut self.dies[die];
        state.erased_pages += u64::from(cleaned);
        let erases = (state.erased_pages / self.block_pages) as u32;
        state.erased_pages %= self.block_pages;
        let due = state.due.erases;
        state.owe(Cleaning { copies, reads, erases }, span);
        self.loads[die] += state.due.erases - due;
    }

    fn wake(&mut self, now: u64, die: usize) {
        if self.dies[die].phase == Phase::Idle {
            self.turn(now, die);
        }
    }

    /// Processes the earliest event.
    #[inline]
    pub(super) fn step(&mut self) -> Outcome {
        let now = self.calendar.earliest();
        let resource = self.calendar.first();
        self.calendar.clear(resource);
        match resource.checked_sub(self.dies.len()) {
            None => self.array_done(now, resource),
            Some(channel) => self.transfer_done(now, channel),
        }
    }

    fn array_done(&mut self, now: u64, die: usize) -> Outcome {
        let state = &mut self.dies[die];
        match state.phase {
            Phase::Read => {
                state.phase = Phase::ReadOut;
                state.transfer_bytes = state.job.bytes.next_multiple_of(self.codeword_bytes);
                let channel = usize::from(state.channel);
                self.channels[channel].reads.push_back(die as u16);
                self.transfer(now, channel);
                return Outcome::Nothing;
            }
            Phase::CopyRead => {
                let pages = state.due.copies.div_ceil(state.due.reads);
                state.due.reads -= 1;
                state.due.copies -= pages;
                state.held_copies += pages;
                state.phase = Phase::CopyOut;
                state.transfer_bytes = pages.max(1) * self.page_bytes;
                self.queue_transfer(now, die);
                return Outcome::Nothing;
            }
            Phase::Suspending => {}
            Phase::Program if !state.copying => {
                let row = state.row;
                self.loads[die] -= 1;
                self.turn(now, die);
                return Outcome::Programmed(row);
            }
            Phase::Erase => self.loads[die] -= 1,
            _ => {}
        }
        self.turn(now, die);
        Outcome::Nothing
    }

    fn transfer_done(&mut self, now: u64, channel: usize) -> Outcome {
        let die = usize::from(self.channels[channel].busy.expect("a transfer was under way"));
        let state = &mut self.dies[die];
        let outcome = match state.phase {
            Phase::ReadOut => {
                let job = state.job;
                self.turn(now, die);
                Outcome::Read(job)
            }
            Phase::ProgramIn => {
                self.start(now, die, Phase::Program, self.program_ns);
                Outcome::Nothing
            }
            _ => {
                self.turn(now, die);
                Outcome::Nothing
            }
        };
        self.channels[channel].busy = None;
        self.transfer(now, channel);
        outcome
    }

    /// Gives an idle die its next operation.
    fn turn(&mut self, now: u64, die: usize) {
        let row_pages = self.row_pages;
        let state = &mut self.dies[die];
        let work = state.has_work(row_pages);
        let overdue = work && state.streak >= READS_IN_TURN;
        if !overdue && let Some(job) = state.reads.pop_front() {
            state.streak += u32::from(work);
            state.job = job;
            state.phase = Phase::Read;
            self.calendar.set(die, now + self.read_ns);
            return;
        }
        state.held = overdue;
        state.streak = 0;
        if let Some((phase, left)) = state.paused.take() {
            self.start(now, die, phase, left);
        } else if state.due.reads > 0 {
            state.phase = Phase::CopyRead;
            self.calendar.set(die, now + self.read_ns);
        } else if state.held_copies >= row_pages {
            state.held_copies -= row_pages;
            state.copying = true;
            self.fill_register(now, die);
        } else if state.due.erases > 0 {
            state.due.erases -= 1;
            self.start(now, die, Phase::Erase, self.erase_ns);
        } else if let Some(row) = state.rows.pop_front() {
            state.copying = false;
            state.row = row;
            self.fill_register(now, die);
        } else {
            state.phase = Phase::Idle;
        }
    }

    fn fill_register(&mut self, now: u64, die: usize) {
        let state = &mut self.dies[die];
        state.phase = Phase::ProgramIn;
        state.transfer_bytes = self.row_pages * self.page_bytes;
        self.queue_transfer(now, die);
    }

    /// Starts a program or erase, or puts it off at once if a read waits and may go first.
    fn start(&mut self, now: u64, die: usize, phase: Phase, time: u64) {
        let state = &mut self.dies[die];
        state.phase = phase;
        state.until = now + time;
        if self.suspend_ns.is_some() && !state.held && !state.reads.is_empty() {
            state.paused = Some((phase, time));
            self.turn(now, die);
        } else {
            self.calendar.set(die, now + time);
        }
    }

    /// A read came while the die programs or erases.
    fn suspend(&mut self, now: u64, die: usize) {
        let state = &mut self.dies[die];
        let Some(suspend_ns) = self.suspend_ns else { return };
        let left = state.until - now;
        if state.held || left <= suspend_ns {
            return;
        }
        state.paused = Some((state.phase, left));
        state.phase = Phase::Suspending;
        self.calendar.set(die, now + suspend_ns);
    }

    fn queue_transfer(&mut self, now: u64, die: usize) {
        let channel = usize::from(self.dies[die].channel);
        self.channels[channel].others.push_back(die as u16);
        self.transfer(now, channel);
    }

    /// Starts the next transfer of an idle channel.
    #[inline]
    fn transfer(&mut self, now: u64, channel: usize) {
        let state = &mut self.channels[channel];
        if state.busy.is_some() {
            return;
        }
        state.busy = state.reads.pop_front().or_else(|| state.others.pop_front());
        if let Some(die) = state.busy {
            let bytes = self.dies[usize::from(die)].transfer_bytes;
            let time = (f64::from(bytes) * self.ns_per_byte).round() as u64;
            self.calendar.set(self.dies.len() + channel, now + time);
        }
    }
}
