//! A RAID controller as a device between the host and an array; also software RAID, whose controller is the host itself.
//!
//! Model: a host command waits until fewer than `queue_depth` are in work, takes `host_command_ns` of a processor, and becomes
//! the array's requests. Every member command takes `member_command_ns` of a processor and waits for a place at its
//! member. A row whose parity changes takes `stripe_ns` of a processor a stripe, then its sources run through the parity engine
//! (or through a processor, in software). Data cross the link to the host once, each way by itself, and the memory once
//! on the way in and once on the way out; parity's sources and results cross it again.
//!
//! All stations serve in order of asking ([`processor`]). Time in one request adds up: command, transfer and members follow
//! each other; link and memory run at the same time. The port to a member is not a station: a drive falls back to the
//! port's rate when it is connected, as SATA and SAS links do (the design sees to it).
//!
//! With a cache ([`cache`]) a write completes when it is in the controller's memory, and goes to the members later.
//!
//! Left out: interrupt coalescing, read-ahead, caching of reads, patrol reads and consistency checks.

mod processor;

pub use processor::{ParityWork, Processor};

use crate::raid::Array;
use crate::slab::Slab;
use crate::spec::ControllerSpec;
use drivecast_block::{Bytes, Completion, Counters, Device, Nanos, Op, Request};
use processor::Pipe;
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
    /// It has been taken in, with its data: on to the array.
    Taken,
    /// The host has it back.
    Done,
}

/// A controller with its array; see the module.
pub struct Controller<D = Box<dyn Device>> {
    array: Array<D>,
    queue_depth: u32,
    from_host: Pipe,
    to_host: Pipe,
    commands: Slab<Command>,
    waiting: VecDeque<(u64, Request)>,
    /// When a command's next stage begins, its place in the order of submission, its slot.
    agenda: BinaryHeap<Reverse<(Nanos, u64, u32)>>,
    sequence: u64,
    arrived: Vec<Completion>,
}

impl<D: Device> Controller<D> {
    /// A controller of this specification, which has been checked, before an array that was made for it.
    #[must_use]
    pub fn new(spec: &ControllerSpec, array: Array<D>) -> Controller<D> {
        Controller {
            array: array.run_by(Processor::new(spec)),
            queue_depth: spec.queue_depth,
            from_host: Pipe::new(spec.host_bytes_per_s),
            to_host: Pipe::new(spec.host_bytes_per_s),
            commands: Slab::new(),
            waiting: VecDeque::new(),
            agenda: BinaryHeap::new(),
            sequence: 0,
            arrived: Vec::new(),
        }
    }

    /// The array behind it.
    #[must_use]
    pub fn array(&self) -> &Array<D> {
        &self.array
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
        self.agenda.push(Reverse((at, sequence, slot)));
    }

    /// Begins the next stage of the command that is due first.
    fn proceed(&mut self, done: &mut Vec<Completion>) {
        let Some(Reverse((now, _, slot))) = self.agenda.pop() else { return };
        let Command { request, stage, .. } = *self.commands.get_mut(slot);
        match stage {
            Stage::Taken => self.array.submit(now, Request { id: u64::from(slot), ..request }),
            Stage::Done => {
                self.commands.remove(slot);
                done.push(Completion { id: request.id, at: now });
                if let Some((sequence, request)) = self.waiting.pop_front() {
                    self.take(now, sequence, request);
                }
            }
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
        self.array.age(request);
    }

    fn advance(&mut self, now: Nanos, done: &mut Vec<Completion>) {
        while let Some(at) = self.next().filter(|at| *at <= now) {
            if self.array.next().is_none_or(|next| next > at) {
                self.proceed(done);
                continue;
            }
            let mut arrived = std::mem::take(&mut self.arrived);
            self.array.advance(at, &mut arrived);
            for completion in arrived.drain(..) {
                self.answer(at, completion.id as u32);
            }
            self.arrived = arrived;
        }
    }

    fn counters(&self) -> Counters {
        self.array.counters()
    }

    fn reset_counters(&mut self) {
        self.array.reset_counters();
    }
}
