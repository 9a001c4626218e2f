//! A RAID controller as a device between the host and an array; also software RAID, whose controller is the host itself.
//!
//! Model: a host command waits until fewer than `queue_depth` are in work, takes `host_command_ns` of a processor, and becomes
//! the array's requests. Every member command takes `member_command_ns` of a processor and waits for a place at its
//! member. A stripe whose parity changes takes `stripe_ns` of a processor for each `stripe_bytes` of a chunk, then its sources
//! run through the parity engine (or through a processor, in software). Data cross the link to the host once, each way by
//! itself, and the memory once on the way in and once on the way out; parity's sources and results cross it again.
//!
//! All stations serve in order of arrival ([`Processor`]). Time in one request adds up: command, transfer and members follow
//! each other; link and memory run at the same time. The port to a member is not a station: a drive falls back to the
//! port's rate when it is connected, as SATA and SAS links do (the design sees to it).
//!
//! While `coalesce_from` commands or more are in work the controller holds completions back for `coalesce_ns`, to interrupt the
//! host once for several.
//!
//! With a cache ([`cache`]) a write completes when it is in the controller's memory, and goes to the members later.
//!
//! Left out: how many completions share an interrupt, read-ahead, caching of reads, patrol reads and consistency checks.

mod cache;

use crate::raid::{Array, Pipe, Priority, Processor};
use crate::request_slots::Slots;
use crate::spec::ControllerSpec;
pub(crate) use cache::Cache;
use drivecast_block::{Bytes, Completion, Counters, Device, Nanos, Op, Request};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// A host command in work.
#[derive(Clone, Copy)]
struct Command {
    request: Request,
    sequence: u64,
    stage: Stage,
}

/// What happens to a command at its next event.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// It has been taken in, with its data: on to the cache or the array.
    Taken,
    /// The host has it back.
    Done,
}

/// What a request to the array is for; its slot is the request's id.
#[derive(Clone, Copy)]
enum Purpose {
    /// The command in this slot.
    Command(u32),
    /// A write of the cache line that is leaving in this slot.
    Destage(u32),
}

/// Lines of a cache are stripes of the array up to this size, else chunks: one write carries a line whole.
const LINE_BYTES_MAX: u64 = 64 << 20;
/// The size of lines where the array has no stripes, for a mirror's chunk is its whole member.
const LINE_BYTES: u64 = 1 << 20;

/// A controller with its array; see the module.
pub struct Controller<D = Box<dyn Device>> {
    array: Array<D>,
    queue_depth: u32,
    coalesce: Nanos,
    coalesce_from: usize,
    from_host: Pipe,
    to_host: Pipe,
    cache: Option<Cache>,
    /// Writes that wait for space in the cache.
    blocked: VecDeque<u32>,
    /// Flushes that wait for a cache without a battery, each with its mark.
    flushes: VecDeque<(u64, u32)>,
    commands: Slots<Command>,
    /// Requests at the array.
    sent: Slots<Purpose>,
    waiting: VecDeque<(u64, Request)>,
    /// When a command's next stage begins, its place in the order of submission, its slot.
    agenda: BinaryHeap<Reverse<(Nanos, u64, u32)>>,
    sequence: u64,
    arrived: Vec<Completion>,
}

impl<D: Device> Controller<D> {
    /// A controller of this specification, which has been checked, before an array that was made for it.
    pub fn new(spec: &ControllerSpec, array: Array<D>) -> Controller<D> {
        let layout = array.layout();
        let line_bytes = match layout.stripe_bytes() {
            stripe if stripe <= LINE_BYTES_MAX => stripe,
            _ => layout.chunk().0.min(LINE_BYTES),
        };
        Controller {
            cache: spec.cache.map(|cache| Cache::new(cache, line_bytes)),
            blocked: VecDeque::new(),
            flushes: VecDeque::new(),
            array: array.run_by(Processor::new(spec)),
            queue_depth: spec.queue_depth,
            coalesce: Nanos(spec.coalesce_ns),
            coalesce_from: spec.coalesce_from as usize,
            from_host: Pipe::new(spec.host_bytes_per_s),
            to_host: Pipe::new(spec.host_bytes_per_s),
            commands: Slots::new(),
            sent: Slots::new(),
            waiting: VecDeque::new(),
            agenda: BinaryHeap::new(),
            sequence: 0,
            arrived: Vec::new(),
        }
    }

    /// The array behind it.
    pub fn array(&self) -> &Array<D> {
        &self.array
    }

    /// The same, to be changed before anything is in work.
    pub(crate) fn array_mut(&mut self) -> &mut Array<D> {
        &mut self.array
    }

    /// What is in the cache, if there is one.
    pub(crate) fn cache(&self) -> Option<&Cache> {
        self.cache.as_ref()
    }

    /// Has the cache hold that.
    pub(crate) fn resume_cache(&mut self, cache: Option<Cache>) {
        self.cache = cache;
    }

    fn processor(&mut self) -> &mut Processor {
        self.array.processor().expect("a controller's array has its processor")
    }

    /// Takes a command in.
    fn take(&mut self, now: Nanos, sequence: u64, request: Request) {
        let slot = self.commands.insert(Command { request, sequence, stage: Stage::Taken });
        let mut taken = self.processor().host_command(now);
        if request.op == Op::Write {
            let size = u64::from(request.size);
            taken = taken.max(self.from_host.pass(now, size)).max(self.processor().cross_memory(now, size));
        }
        self.agenda.push(Reverse((taken, sequence, slot)));
    }

    /// The array is done with a command: data go to the host.
    fn answer(&mut self, now: Nanos, slot: u32) {
        let command = self.commands.get_mut(slot);
        command.stage = Stage::Done;
        let Command { request, sequence, .. } = *command;
        let mut at = now;
        if request.op == Op::Read {
            let size = u64::from(request.size);
            at = self.to_host.pass(now, size).max(self.processor().cross_memory(now, size));
        }
        if self.commands.len() >= self.coalesce_from {
            at += self.coalesce;
        }
        self.agenda.push(Reverse((at, sequence, slot)));
    }

    /// Begins the next stage of the command that is due first.
    fn proceed(&mut self, done: &mut Vec<Completion>) {
        let Some(Reverse((now, _, slot))) = self.agenda.pop() else { return };
        let Command { request, stage, .. } = *self.commands.get_mut(slot);
        match stage {
            Stage::Taken => self.dispose(now, slot, request),
            Stage::Done => {
                self.commands.remove(slot);
                done.push(Completion { id: request.id, at: now });
                if let Some((sequence, request)) = self.waiting.pop_front() {
                    self.take(now, sequence, request);
                }
            }
        }
    }

    /// Serves a command from the cache, or sends it to the array.
    fn dispose(&mut self, now: Nanos, slot: u32, request: Request) {
        let Some(cache) = &mut self.cache else { return self.pass_on(now, slot, request) };
        let Request { op, size, .. } = request;
        match op {
            Op::Read if cache.holds(request.offset.0, size) => self.answer(now, slot),
            Op::Write if cache.takes(size) && (!request.fua || cache.is_durable()) => {
                self.blocked.push_back(slot);
                self.work(now);
            }
            Op::Flush if cache.is_durable() => self.answer(now, slot),
            Op::Flush => {
                self.flushes.push_back((cache.mark(), slot));
                self.work(now);
            }
            Op::Read | Op::Write | Op::Discard => self.pass_on(now, slot, request),
        }
    }

    fn pass_on(&mut self, now: Nanos, slot: u32, request: Request) {
        let id = self.sent.insert(Purpose::Command(slot)).into();
        self.array.submit(now, Request { id, ..request });
    }

    /// Admits writes to the cache while there is space, writes lines out while there is reason, and sends on the flushes that
    /// waited for them.
    fn work(&mut self, now: Nanos) {
        let Some(mut cache) = self.cache.take() else { return };
        while let Some(slot) = self.blocked.front().copied() {
            let Request { offset, size, .. } = self.commands.get_mut(slot).request;
            if !cache.has_space(size) {
                break;
            }
            cache.write(offset.0, size);
            self.blocked.pop_front();
            self.answer(now, slot);
        }
        let pressed = !self.blocked.is_empty() || !self.flushes.is_empty();
        let (array, sent, line_bytes) = (&mut self.array, &mut self.sent, cache.line_bytes());
        let mut send = |line: u32, offset, size| {
            let id = sent.insert(Purpose::Destage(line)).into();
            let request = Request { id, offset: Bytes(offset), size, stream: 0, op: Op::Write, fua: false };
            let is_whole = u64::from(size) == line_bytes;
            array.submit_with(
                now,
                request,
                if is_whole { Priority::Foreground } else { Priority::Background },
            );
        };
        while cache.destage(pressed, &mut send) {}
        while let Some((mark, slot)) =
            self.flushes.front().copied().filter(|(mark, _)| cache.is_clean_to(*mark))
        {
            let _ = mark;
            self.flushes.pop_front();
            let request = self.commands.get_mut(slot).request;
            self.pass_on(now, slot, request);
        }
        self.cache = Some(cache);
    }

    /// The array is done with a request.
    fn finish(&mut self, now: Nanos, id: u64) {
        match self.sent.remove(id as u32) {
            Purpose::Command(slot) => self.answer(now, slot),
            Purpose::Destage(line) => {
                if let Some(cache) = &mut self.cache {
                    cache.written(line);
                }
                self.work(now);
            }
        }
    }

    /// Processes events up to `until`, those of the array before its own of the same time, and none after the first time at
    /// which a command is done if `stops` is set; the time of the last event.
    fn process(&mut self, until: Nanos, stops: bool, done: &mut Vec<Completion>) -> Nanos {
        let (before, mut last) = (done.len(), until);
        loop {
            let (array, own) = (self.array.next().unwrap_or(Nanos::MAX), self.agenda_next());
            let at = array.min(own);
            if at > until || at == Nanos::MAX || (stops && done.len() > before && at > last) {
                return last;
            }
            if own < array {
                last = own;
                self.proceed(done);
                continue;
            }
            // After a command is done what is left of its time; else to where the controller has something to do.
            let until = if stops && done.len() > before { at } else { own.min(until) };
            let mut arrived = std::mem::take(&mut self.arrived);
            last = self.array.run(until, &mut arrived);
            for completion in arrived.drain(..) {
                self.finish(last, completion.id);
            }
            self.arrived = arrived;
        }
    }

    fn agenda_next(&self) -> Nanos {
        self.agenda.peek().map_or(Nanos::MAX, |Reverse((at, ..))| *at)
    }
}

impl<D: Device> Device for Controller<D> {
    fn capacity(&self) -> Bytes {
        self.array.capacity()
    }

    fn submit(&mut self, now: Nanos, request: Request) {
        self.sequence += 1;
        if self.commands.len() < self.queue_depth as usize {
            self.take(now, self.sequence, request);
        } else {
            self.waiting.push_back((self.sequence, request));
        }
    }

    fn next(&self) -> Option<Nanos> {
        let array = self.array.next().unwrap_or(Nanos::MAX);
        Some(array.min(self.agenda_next())).filter(|at| *at < Nanos::MAX)
    }

    fn age(&mut self, request: Request) {
        if let Some(cache) =
            self.cache.as_mut().filter(|cache| request.op == Op::Write && cache.takes(request.size))
        {
            cache.age(request.offset.0, request.size);
        }
        self.array.age(request);
    }

    fn idle(&mut self) {
        self.array.idle();
    }

    fn advance(&mut self, now: Nanos, done: &mut Vec<Completion>) {
        self.process(now, false, done);
    }

    fn run(&mut self, until: Nanos, done: &mut Vec<Completion>) -> Nanos {
        self.process(until, true, done)
    }

    #[inline]
    fn expect(&self, request: &Request) {
        self.array.expect(request);
    }

    fn counters(&self) -> Counters {
        self.array.counters()
    }

    fn reset_counters(&mut self) {
        self.array.reset_counters();
    }

    fn fault(&self) -> Option<String> {
        self.array.fault()
    }
}
