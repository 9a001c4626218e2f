//! The members of an array, and how commands reach them.
//!
//! Without a controller a command reaches its member at once. With one it goes out when a processor has built it, and then
//! only if the member has fewer than the controller's limit; the rest wait in order.
//!
//! The members' next times are kept in a flat list and searched linearly: with up to 24 members that is a few cache lines.
//! Most events of a member concern nobody else, so members go on one after the other until one of them gives something back.

use super::layout::Extent;
use crate::controller::{ParityWork, Processor};
use crate::slab::Slab;
use drivecast_block::{Bytes, Completion, Counters, Device, Nanos, Op, Request};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// Marks commands behind others: what a cache brings to a member piecemeal. Of these a member has only so many at a time, and
/// one goes out only when the member has no other, or as many others as a full queue have gone before it.
pub(super) const BEHIND: u64 = 1 << 61;

/// What becomes due by itself, not at a member.
#[derive(Clone, Copy)]
enum Action {
    /// A command goes out to a member.
    Send(usize, Request),
    /// Whoever has this id goes on.
    Wake(u64),
}

/// The controller's part.
struct Dispatch {
    processor: Processor,
    /// Commands at each member.
    inside: Vec<u32>,
    /// Commands that wait for their member.
    waiting: Vec<VecDeque<Request>>,
    /// The same of commands that are marked as behind others.
    behind: Vec<Behind>,
}

/// A member's commands that are marked as behind others.
#[derive(Clone, Default)]
struct Behind {
    inside: u32,
    /// Others that the member has given back while one of these waited.
    passed: u32,
    waiting: VecDeque<Request>,
}

pub(super) struct Members<D> {
    devices: Vec<D>,
    /// When each member next has something to do; `Nanos::MAX` when idle.
    due: Vec<Nanos>,
    /// The member that is due first, and when.
    first: usize,
    first_due: Nanos,
    outstanding: Vec<u32>,
    last_end: Vec<u64>,
    serial: u64,
    dispatch: Option<Box<Dispatch>>,
    actions: Slab<Action>,
    agenda: BinaryHeap<Reverse<(Nanos, u64, u32)>>,
    sequence: u64,
}

impl<D: Device> Members<D> {
    pub(super) fn new(devices: Vec<D>) -> Members<D> {
        let count = devices.len();
        Members {
            devices,
            due: vec![Nanos::MAX; count],
            first: 0,
            first_due: Nanos::MAX,
            outstanding: vec![0; count],
            last_end: vec![0; count],
            serial: 0,
            dispatch: None,
            actions: Slab::new(),
            agenda: BinaryHeap::new(),
            sequence: 0,
        }
    }

    pub(super) fn run_by(&mut self, processor: Processor) {
        let count = self.devices.len();
        let waiting = (0..count).map(|_| VecDeque::new()).collect();
        let behind = vec![Behind::default(); count];
        self.dispatch = Some(Box::new(Dispatch { processor, inside: vec![0; count], waiting, behind }));
    }

    pub(super) fn processor(&mut self) -> Option<&mut Processor> {
        self.dispatch.as_mut().map(|dispatch| &mut dispatch.processor)
    }

    pub(super) fn devices(&self) -> &[D] {
        &self.devices
    }

    /// When the next member, or something on the agenda, is due.
    #[inline]
    pub(super) fn earliest(&self) -> Nanos {
        self.first_due.min(self.agenda_due())
    }

    #[inline]
    fn agenda_due(&self) -> Nanos {
        self.agenda.peek().map_or(Nanos::MAX, |Reverse((at, ..))| *at)
    }

    /// Searches for the member that is due first.
    #[inline]
    fn search(&mut self) {
        (self.first, self.first_due) = (0, Nanos::MAX);
        for (member, due) in self.due.iter().enumerate() {
            if *due < self.first_due {
                (self.first, self.first_due) = (member, *due);
            }
        }
    }

    /// How much it costs to read from a member at `offset`: requests ahead, then the way of the heads.
    #[inline]
    pub(super) fn cost(&self, member: usize, offset: u64) -> (u32, u64) {
        (self.outstanding[member], self.last_end[member].abs_diff(offset))
    }

    /// Where the last request to a member ended.
    pub(super) fn last_end(&self, member: usize) -> u64 {
        self.last_end[member]
    }

    /// Sends one request to a member. Its id holds the owner's, and a serial number that makes it unique.
    #[inline]
    pub(super) fn send(&mut self, now: Nanos, owner: u64, op: Op, stream: u32, extent: Extent) {
        let Extent { member, offset, size } = extent;
        self.serial = (self.serial + 1) & 0x1fff_ffff;
        let request = Request { id: owner | self.serial << 32, offset: Bytes(offset), size, stream, op };
        self.outstanding[member] += 1;
        self.last_end[member] = offset + u64::from(size);
        let Some(dispatch) = &mut self.dispatch else { return self.submit(now, member, request) };
        let bytes = if matches!(op, Op::Read | Op::Write) { u64::from(size) } else { 0 };
        let at = dispatch.processor.member_command(now, bytes);
        self.plan(at, Action::Send(member, request));
    }

    /// Lets whoever has this id go on at `at`: it comes back from [`Members::advance`].
    pub(super) fn wake(&mut self, at: Nanos, id: u64) {
        self.plan(at, Action::Wake(id));
    }

    /// When parity work that could begin at `now` is done; none where it takes no time.
    pub(super) fn parity(&mut self, now: Nanos, work: ParityWork) -> Option<Nanos> {
        let done = self.processor()?.parity(now, work);
        (done > now).then_some(done)
    }

    fn plan(&mut self, at: Nanos, action: Action) {
        self.sequence += 1;
        self.agenda.push(Reverse((at, self.sequence, self.actions.insert(action))));
    }

    #[inline]
    fn submit(&mut self, now: Nanos, member: usize, request: Request) {
        self.devices[member].submit(now, request);
        let due = self.devices[member].next().unwrap_or(Nanos::MAX);
        self.due[member] = due;
        if due < self.first_due {
            (self.first, self.first_due) = (member, due);
        }
    }

    /// Processes events in their order up to and including `until`, but none after the first time at which something is
    /// given back or wakes, which is appended; the time of the last event. There is one at or before `until`.
    pub(super) fn run(&mut self, until: Nanos, arrived: &mut Vec<Completion>) -> Nanos {
        let mut now = self.earliest();
        loop {
            self.advance(now, arrived);
            let next = self.earliest();
            if !arrived.is_empty() || next > until {
                return now;
            }
            now = next;
        }
    }

    /// Lets every member due at `now` advance, then does what the agenda says; appends what has completed.
    fn advance(&mut self, now: Nanos, arrived: &mut Vec<Completion>) {
        while self.first_due <= now {
            let member = self.first;
            let before = arrived.len();
            self.devices[member].advance(now, arrived);
            self.outstanding[member] -= (arrived.len() - before) as u32;
            self.due[member] = self.devices[member].next().unwrap_or(Nanos::MAX);
            self.admit(now, member, &arrived[before..]);
            self.search();
        }
        while let Some(Reverse((at, _, slot))) =
            self.agenda.peek().copied().filter(|Reverse((at, ..))| *at <= now)
        {
            self.agenda.pop();
            match self.actions.remove(slot) {
                Action::Wake(id) => arrived.push(Completion { id, at }),
                Action::Send(member, request) => self.dispatch(now, member, request),
            }
        }
    }

    /// A command is built: to the member, or behind those that wait for it.
    fn dispatch(&mut self, now: Nanos, member: usize, request: Request) {
        let Some(dispatch) = &mut self.dispatch else { return };
        if request.id & BEHIND == 0 {
            return self.enter(now, member, request);
        }
        dispatch.behind[member].waiting.push_back(request);
        self.follow(now, member);
    }

    /// A command that may: to the member, or behind those that wait for it.
    fn enter(&mut self, now: Nanos, member: usize, request: Request) {
        let Some(dispatch) = &mut self.dispatch else { return };
        if dispatch.inside[member] >= dispatch.processor.member_queue_depth() {
            dispatch.waiting[member].push_back(request);
            return;
        }
        dispatch.inside[member] += 1;
        self.submit(now, member, request);
    }

    /// A member has given back commands: as many may follow.
    fn admit(&mut self, now: Nanos, member: usize, arrived: &[Completion]) {
        let Some(dispatch) = &mut self.dispatch else { return };
        dispatch.inside[member] -= arrived.len() as u32;
        for completion in arrived {
            let Some(dispatch) = &mut self.dispatch else { return };
            if let Some(request) = dispatch.waiting[member].pop_front() {
                dispatch.inside[member] += 1;
                self.submit(now, member, request);
            }
            let Some(dispatch) = &mut self.dispatch else { return };
            let behind = &mut dispatch.behind[member];
            if completion.id & BEHIND != 0 {
                behind.inside -= 1;
            } else if !behind.waiting.is_empty() {
                behind.passed += 1;
            }
        }
        self.follow(now, member);
    }

    /// Lets commands enter that are behind others, while there is room for them and their turn has come.
    fn follow(&mut self, now: Nanos, member: usize) {
        while let Some(dispatch) = &mut self.dispatch {
            let (inside, most) = (dispatch.inside[member], dispatch.processor.member_queue_depth());
            let behind = &mut dispatch.behind[member];
            let turn = inside == behind.inside || behind.passed >= most;
            if !turn || behind.inside >= dispatch.processor.destage_depth() {
                return;
            }
            let Some(request) = behind.waiting.pop_front() else { return };
            behind.inside += 1;
            behind.passed = 0;
            self.enter(now, member, request);
        }
    }

    pub(super) fn age(&mut self, member: usize, request: Request) {
        self.devices[member].age(request);
    }

    /// The members' counters: sums, busy time the mean.
    pub(super) fn counters(&self) -> Counters {
        let mut sum = Counters::default();
        for counters in self.devices.iter().map(Device::counters) {
            for op in Op::ALL {
                sum.submitted[op as usize] += counters.submitted[op as usize];
                sum.completed[op as usize] += counters.completed[op as usize];
            }
            sum.read_bytes += counters.read_bytes;
            sum.written_bytes += counters.written_bytes;
            sum.flash_host_pages += counters.flash_host_pages;
            sum.flash_copied_pages += counters.flash_copied_pages;
            sum.flash_programmed_pages += counters.flash_programmed_pages;
            sum.flash_erases += counters.flash_erases;
            sum.rebuilt_bytes += counters.rebuilt_bytes;
            sum.busy_ns += counters.busy_ns;
        }
        sum.busy_ns /= self.devices.len() as u64;
        sum
    }

    /// Leaves all members idle until they have nothing more to do on their own.
    pub(super) fn idle(&mut self) {
        self.devices.iter_mut().for_each(Device::idle);
    }

    pub(super) fn reset_counters(&mut self) {
        self.devices.iter_mut().for_each(Device::reset_counters);
    }

    /// Why a member has failed, and which.
    pub(super) fn fault(&self) -> Option<String> {
        let mut faults = self.devices.iter().enumerate();
        faults.find_map(|(index, device)| Some(format!("member {index}: {}", device.fault()?)))
    }
}
