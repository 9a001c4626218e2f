//! The flash behind the controller: dies on channels, in time.
//!
//! A host read occupies its die for t_R, then the die's register and the channel for the transfer out. A
//! program occupies channel and register for the transfer in, then the die for t_PROG. Copies are read, cross
//! the channel to the controller (for error correction) and cross it again. A channel carries one transfer at
//! a time, host data out first, the rest in order of request. A read that finds its die programming or
//! erasing stops it, if the drive can and the rest would take longer; else it waits. Between two pulses of a program there is a
//! point at which it can be stopped; the time to the next is exponential with mean `suspend_wait_ns`, and stopping takes
//! `suspend_ns`. The types of page of a word line are read in times that differ by `read_type_spread`; a read that does not
//! decode (`read_retry_rate`) is repeated, as often as it takes.
//!
//! Left out: cache reads and cache programs (a transfer never overlaps the same die's array), reads of single
//! planes side by side, command and address cycles.

use super::calendar::Calendar;
use super::die::{Cleaning, Die, Phase, READS_IN_TURN, ReadJob, Row};
use super::events::EventQueue;
use super::read_time::ReadTimes;
use crate::spec::SsdSpec;
use crate::ssd::Policy;
use drivecast_block::Nanos;
use drivecast_block::random::{Stream, stream};
use rand::RngExt;
use rand_distr::Exp1;
use std::collections::VecDeque;

/// Error correction works on codewords; no less crosses a channel (assumed: up to 4 KiB).
const CODEWORD_BYTES: u32 = 4096;

/// Bits a cell of the main flash, and so by how much a block in the cache's mode is smaller. Assumed: most drives with a
/// cache have three.
const BITS_PER_CELL: u64 = 3;

/// What an event of the flash means to the controller.
#[derive(Clone, Copy, Debug)]
pub(super) enum Outcome {
    Nothing,
    /// Host data arrived at the controller.
    Read(ReadJob),
    /// A row of host data is in flash, on a die.
    Programmed(u32, u32),
    /// A die has nothing more to do.
    Idle(u32),
}

/// A bus. Nothing overtakes a read on it, so the end of a read's transfer is known as soon as the array is done.
#[derive(Debug, Default)]
struct Channel {
    /// When the transfers taken on so far are over.
    free: Nanos,
    /// How many of them are not over.
    taken: u32,
    /// Dies with transfers that let reads go first.
    others: VecDeque<u16>,
}

#[derive(Debug)]
pub(super) struct Backend {
    read_times: ReadTimes,
    program_time: Nanos,
    erase_time: Nanos,
    slc_program_time: Nanos,
    program_suspend: Option<Nanos>,
    erase_suspend: Option<Nanos>,
    /// Mean time until a program or erase can be stopped.
    suspend_wait: f64,
    suspend_waits: Stream,
    /// Whether several append points share a die.
    several_points: bool,
    /// Whether no program may be suspended now.
    holding: bool,
    suspensions_max: u32,
    ns_per_byte: f64,
    page_bytes: u32,
    codeword_bytes: u32,
    /// Time on the channel of a codeword, and of a row.
    codeword_time: Nanos,
    row_time: Nanos,
    row_pages: u32,
    block_pages: u64,
    dies: Vec<Die>,
    channels: Vec<Channel>,
    /// Programs and erases that wait for each die or are under way.
    loads: Vec<u32>,
    /// Array reads: all take the same time.
    reading: EventQueue<u32>,
    /// Transfers, ranked by channel.
    transfers: EventQueue<u32>,
    /// Programs, erases and suspensions, by die.
    calendar: Calendar,
}

impl Backend {
    pub(super) fn new(spec: &SsdSpec, row_pages: u32, block_pages: u64, seed: u64) -> Backend {
        let dies = spec.channels * spec.dies_per_channel;
        let ns_per_byte = 1e9 / spec.channel_bytes_per_s;
        let codeword_bytes = spec.mapping_bytes.min(CODEWORD_BYTES);
        let time = |bytes: u32| Nanos((f64::from(bytes) * ns_per_byte).round() as u64);
        Backend {
            read_times: ReadTimes::new(spec, seed),
            program_time: Nanos(spec.program_ns),
            erase_time: Nanos(spec.erase_ns),
            slc_program_time: Nanos(spec.slc_program_ns),
            program_suspend: spec.suspend_ns.map(Nanos),
            erase_suspend: spec.erase_suspend_ns.or(spec.suspend_ns).map(Nanos),
            suspend_wait: spec.suspend_wait_ns as f64,
            suspend_waits: stream(seed, "ssd.suspend"),
            several_points: Policy::of(spec, seed).append_points() > 1,
            holding: false,
            suspensions_max: spec.suspensions_max.unwrap_or(u32::MAX),
            ns_per_byte,
            page_bytes: spec.mapping_bytes,
            codeword_bytes,
            codeword_time: time(codeword_bytes),
            row_time: time(row_pages * spec.mapping_bytes),
            row_pages,
            block_pages,
            // Neighbouring dies lie on different channels, so that data written in turn uses all of them.
            dies: (0..dies).map(|die| Die::new((die % spec.channels) as u16)).collect(),
            channels: (0..spec.channels).map(|_| Channel::default()).collect(),
            loads: vec![0; dies as usize],
            reading: EventQueue::new(),
            transfers: EventQueue::new(),
            calendar: Calendar::new(dies as usize),
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

    /// The earliest event, [`Nanos::MAX`] if there is none.
    #[inline]
    pub(super) fn next(&self) -> Nanos {
        self.calendar.earliest().min(self.reading.first()).min(self.transfers.first())
    }

    /// Takes a host read.
    #[inline]
    pub(super) fn read(&mut self, now: Nanos, die: usize, job: ReadJob) {
        let state = &mut self.dies[die];
        match state.phase {
            Phase::Idle if !state.has_work(self.row_pages) => {
                state.job = job;
                let time = self.read_times.of(job.page);
                self.read_array(now, die, Phase::Read, time);
            }
            Phase::Idle => {
                state.reads.push_back(job);
                self.turn(now, die);
            }
            Phase::Program | Phase::Erase => {
                state.reads.push_back(job);
                self.suspend(now, die);
            }
            _ => state.reads.push_back(job),
        }
    }

    /// Takes a row of `pages` host pages to program; the copies of garbage collection that become due with it.
    pub(super) fn program(&mut self, now: Nanos, die: usize, row: Row, pages: u32) -> u32 {
        let state = &mut self.dies[die];
        state.rows.push_back(row);
        let erases = state.due.erases;
        state.pay(pages);
        self.loads[die] += 1 + state.due.erases - erases;
        let copies = std::mem::take(&mut state.fallen_copies);
        self.wake(now, die);
        copies
    }

    /// Takes a row of host data to program in the pSLC cache.
    pub(super) fn program_cached(&mut self, now: Nanos, die: usize, row: u32) {
        self.dies[die].rows.push_back(Row::Cached(row));
        self.loads[die] += 1;
        self.wake(now, die);
    }

    /// Takes note that a row of the pSLC cache is folded: it is read, and with as many as a block holds erased.
    pub(super) fn fold(&mut self, now: Nanos, die: usize) {
        let state = &mut self.dies[die];
        state.folds += 1;
        state.folded_pages += u64::from(self.row_pages);
        let block = (self.block_pages / BITS_PER_CELL).max(1);
        let erases = (state.folded_pages / block) as u32;
        state.folded_pages %= block;
        state.due.erases += erases;
        self.loads[die] += erases;
        self.wake(now, die);
    }

    /// Takes a read of the old content of a page that a host write covers only in part.
    pub(super) fn read_old(&mut self, now: Nanos, die: usize) {
        self.dies[die].due.reads += 1;
        self.wake(now, die);
    }

    /// Takes note that a block of `cleaned` pages was cleaned: `copies` of them, found in `reads` rows, were
    /// copied. The work falls due over the `span` host pages for which there is space now.
    pub(super) fn cleaned(&mut self, die: usize, cleaned: u32, copies: u32, reads: u32, span: u32) {
        let erases = self.erases(die, cleaned);
        let state = &mut self.dies[die];
        let due = state.due.erases;
        state.owe(Cleaning { copies, reads, erases }, span, self.several_points);
        self.loads[die] += state.due.erases - due;
    }

    /// Takes note of a cleaning ahead of need, whose work is due at once.
    pub(super) fn cleaned_ahead(&mut self, now: Nanos, die: usize, cleaned: u32, copies: u32, reads: u32) {
        let erases = self.erases(die, cleaned);
        self.dies[die].add_due(Cleaning { copies, reads, erases });
        self.loads[die] += erases;
        self.wake(now, die);
    }

    /// Erases of blocks of the specified size that cleaned pages come to.
    fn erases(&mut self, die: usize, cleaned: u32) -> u32 {
        let state = &mut self.dies[die];
        state.erased_pages += u64::from(cleaned);
        let erases = (state.erased_pages / self.block_pages) as u32;
        state.erased_pages %= self.block_pages;
        erases
    }

    /// Whether a die does nothing.
    #[inline]
    pub(super) fn is_idle(&self, die: usize) -> bool {
        self.dies[die].phase == Phase::Idle
    }

    fn wake(&mut self, now: Nanos, die: usize) {
        if self.dies[die].phase == Phase::Idle {
            self.turn(now, die);
        }
    }

    /// Processes the earliest event; of one time those of the dies before those of the channels, each in their order.
    #[inline]
    pub(super) fn step(&mut self) -> Outcome {
        let (read, array) = (self.reading.first(), self.calendar.earliest());
        let transfer = self.transfers.first();
        if transfer < read.min(array) {
            let die = self.transfers.pop() as usize;
            return self.transfer_done(transfer, die);
        }
        if read < array || read == array && (self.reading.rank() as usize) < self.calendar.first() {
            let die = self.reading.pop() as usize;
            self.read_done(read, die);
            return Outcome::Nothing;
        }
        let die = self.calendar.first();
        self.calendar.clear(die);
        self.array_done(array, die)
    }

    #[inline]
    fn read_array(&mut self, now: Nanos, die: usize, phase: Phase, time: Nanos) {
        self.dies[die].phase = phase;
        self.reading.push(now + time, die as u32, die as u32);
    }

    /// Suspends no program from now on, or those that may be again.
    pub(super) fn hold(&mut self, holding: bool) {
        self.holding = holding;
    }

    /// An array read is over: what it found wants the channel.
    #[inline]
    fn read_done(&mut self, now: Nanos, die: usize) {
        let state = &mut self.dies[die];
        if state.phase == Phase::Read {
            state.phase = Phase::ReadOut;
            let time = match state.job.bytes {
                bytes if bytes <= self.codeword_bytes && bytes > 0 => self.codeword_time,
                bytes => self.transfer_time(bytes.next_multiple_of(self.codeword_bytes)),
            };
            self.transfer(now, die, time);
            return;
        }
        if state.phase == Phase::FoldRead {
            state.phase = Phase::CopyOut;
            self.queue_transfer(now, die, self.row_time);
            return;
        }
        let pages = state.due.copies.div_ceil(state.due.reads);
        state.due.reads -= 1;
        state.due.copies -= pages;
        state.held_copies += pages;
        state.phase = Phase::CopyOut;
        let time = self.transfer_time(pages.max(1) * self.page_bytes);
        self.queue_transfer(now, die, time);
    }

    /// A program, an erase or a suspension is over.
    fn array_done(&mut self, now: Nanos, die: usize) -> Outcome {
        let state = &self.dies[die];
        let mut outcome = Outcome::Nothing;
        match state.phase {
            Phase::Program if !state.copying => {
                if let Row::Main(row) | Row::Cached(row) = state.row {
                    outcome = Outcome::Programmed(row, die as u32);
                }
                self.loads[die] -= 1;
            }
            Phase::Erase => self.loads[die] -= 1,
            _ => {}
        }
        self.turn(now, die);
        match outcome {
            Outcome::Nothing => self.rest(die),
            outcome => outcome,
        }
    }

    /// What it means that a die has turned to what comes next.
    fn rest(&self, die: usize) -> Outcome {
        if self.is_idle(die) { Outcome::Idle(die as u32) } else { Outcome::Nothing }
    }

    #[inline]
    fn transfer_done(&mut self, now: Nanos, die: usize) -> Outcome {
        let state = &self.dies[die];
        let channel = usize::from(state.channel);
        let outcome = match state.phase {
            Phase::ReadOut => {
                let job = state.job;
                self.turn(now, die);
                Outcome::Read(job)
            }
            Phase::ProgramIn => {
                let cached = !state.copying && matches!(state.row, Row::Cached(_));
                let time = if cached { self.slc_program_time } else { self.program_time };
                self.start(now, die, Phase::Program, time);
                Outcome::Nothing
            }
            _ => {
                self.turn(now, die);
                self.rest(die)
            }
        };
        let bus = &mut self.channels[channel];
        bus.taken -= 1;
        if bus.taken == 0
            && let Some(next) = bus.others.pop_front()
        {
            let next = usize::from(next);
            self.transfer(now, next, self.dies[next].transfer);
        }
        outcome
    }

    /// Gives an idle die its next operation.
    #[inline]
    fn turn(&mut self, now: Nanos, die: usize) {
        let row_pages = self.row_pages;
        let state = &mut self.dies[die];
        let work = state.has_work(row_pages);
        let overdue = work && state.streak >= READS_IN_TURN;
        if !overdue && let Some(job) = state.reads.pop_front() {
            state.streak += u32::from(work);
            state.job = job;
            let time = self.read_times.of(job.page);
            self.read_array(now, die, Phase::Read, time);
            return;
        }
        if work {
            self.work(now, die, overdue);
        } else {
            state.held = false;
            state.streak = 0;
            state.phase = Phase::Idle;
        }
    }

    /// Gives a die that has work, and no read before it, the next piece.
    fn work(&mut self, now: Nanos, die: usize, overdue: bool) {
        let row_pages = self.row_pages;
        let state = &mut self.dies[die];
        state.held = overdue;
        state.streak = 0;
        if let Some((phase, left)) = state.paused.take() {
            self.start(now, die, phase, left);
        } else if state.due.reads > 0 {
            self.read_array(now, die, Phase::CopyRead, self.read_times.mean);
        } else if state.folds > 0 {
            state.folds -= 1;
            self.read_array(now, die, Phase::FoldRead, self.read_times.cached);
        } else if state.held_copies >= row_pages {
            state.held_copies -= row_pages;
            state.copying = true;
            self.fill_register(now, die);
        } else if state.due.erases > 0 {
            state.due.erases -= 1;
            state.suspensions = 0;
            self.start(now, die, Phase::Erase, self.erase_time);
        } else if let Some(row) = state.rows.pop_front() {
            state.copying = false;
            state.row = row;
            self.fill_register(now, die);
        }
    }

    fn fill_register(&mut self, now: Nanos, die: usize) {
        let state = &mut self.dies[die];
        state.phase = Phase::ProgramIn;
        state.suspensions = 0;
        self.queue_transfer(now, die, self.row_time);
    }

    /// What it takes to stop a program or an erase; none if it cannot be stopped.
    fn suspend_time(&self, phase: Phase) -> Option<Nanos> {
        match phase {
            Phase::Erase => self.erase_suspend,
            _ if self.holding => None,
            _ => self.program_suspend,
        }
    }

    /// Starts a program or erase, or puts it off at once if a read waits and may go first.
    fn start(&mut self, now: Nanos, die: usize, phase: Phase, time: Nanos) {
        let may_wait = self.suspend_time(phase).is_some();
        let state = &mut self.dies[die];
        state.phase = phase;
        state.until = now + time;
        if may_wait && !state.held && !state.reads.is_empty() {
            state.paused = Some((phase, time));
            self.turn(now, die);
        } else {
            self.calendar.set(die, now + time);
        }
    }

    /// A read came while the die programs or erases.
    fn suspend(&mut self, now: Nanos, die: usize) {
        let Some(suspend) = self.suspend_time(self.dies[die].phase) else { return };
        let state = &self.dies[die];
        if state.held || state.suspensions >= self.suspensions_max {
            return;
        }
        let runs_on = self.runs_on();
        let state = &mut self.dies[die];
        let left = state.until - now;
        if left <= runs_on + suspend {
            return;
        }
        state.suspensions += 1;
        state.paused = Some((state.phase, left - runs_on));
        state.phase = Phase::Suspending;
        self.calendar.set(die, now + runs_on + suspend);
    }

    /// How long a program or erase runs on before it comes to where it can be stopped.
    fn runs_on(&mut self) -> Nanos {
        if self.suspend_wait == 0.0 {
            return Nanos::ZERO;
        }
        let unit: f64 = self.suspend_waits.sample(Exp1);
        Nanos((unit * self.suspend_wait) as u64)
    }

    /// Requests the channel, behind the reads.
    fn queue_transfer(&mut self, now: Nanos, die: usize, time: Nanos) {
        let state = &mut self.dies[die];
        let bus = &mut self.channels[usize::from(state.channel)];
        if bus.taken > 0 {
            state.transfer = time;
            bus.others.push_back(die as u16);
        } else {
            self.transfer(now, die, time);
        }
    }

    /// Reserves the channel for a transfer behind those taken on.
    #[inline]
    fn transfer(&mut self, now: Nanos, die: usize, time: Nanos) {
        let channel = self.dies[die].channel;
        let bus = &mut self.channels[usize::from(channel)];
        bus.taken += 1;
        bus.free = bus.free.max(now) + time;
        self.transfers.push(bus.free, channel.into(), die as u32);
    }

    fn transfer_time(&self, bytes: u32) -> Nanos {
        Nanos((f64::from(bytes) * self.ns_per_byte).round() as u64)
    }
}
