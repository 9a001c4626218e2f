//! The members of an array, and how commands reach them.
//!
//! Without a controller a command reaches its member at once. With one it goes out when a processor has built it, and then
//! only if the member has fewer than the controller's limit; the rest wait in order.
//!
//! The members' next times are in a flat list and searched linearly: with up to 24 members that is a few cache lines.
//! Most events of a member concern no other, so members advance one after the other until one of them completes a request.

use super::layout::Extent;
use super::processor::{ParityWork, Processor};
use crate::request_slots::Slots;
use drivecast_block::{Bytes, Completion, Counters, Device, Nanos, Op, Request};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// When a command goes to its member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Priority {
    /// As soon as the member may take one more.
    Foreground,
    /// In the background: what a cache writes out in parts. A member has only so many of these at a time, and the next
    /// goes out only when the member has no other command, or has completed a full queue of others meanwhile.
    Background,
}

/// What members are to do for a request, wherever it leads.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Order {
    pub(super) op: Op,
    pub(super) stream: u32,
    pub(super) fua: bool,
}

impl Order {
    /// What the request itself is.
    pub(super) fn of(request: &Request) -> Order {
        let Request { op, stream, fua, .. } = *request;
        Order { op, stream, fua }
    }
}

/// What waits for a member request, or for a delay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// The host's job in this slot.
    Job(u32),
    /// The work on a stripe in this slot.
    Stripe(u32),
    /// The same, whose parity has been computed.
    Parity(u32),
}

/// A request sent to a member, whose id is its slot.
#[derive(Clone, Copy)]
struct Sent {
    owner: Owner,
    priority: Priority,
}

/// What becomes due in the array, not at a member.
#[derive(Clone, Copy)]
enum Action {
    /// A command goes out to a member.
    Send(usize, Request),
    /// A delay is over.
    Wake(Owner),
}

/// The controller's part.
struct Dispatch {
    processor: Processor,
    /// Commands at each member.
    inside: Vec<u32>,
    /// Commands that wait for their member.
    waiting: Vec<VecDeque<Request>>,
    /// The same of background commands.
    background: Vec<Background>,
}

/// A member's background commands.
#[derive(Clone, Default)]
struct Background {
    inside: u32,
    /// Foreground commands that the member has completed while one of these waited.
    passed: u32,
    waiting: VecDeque<Request>,
}

pub(super) struct Members<D> {
    devices: Vec<D>,
    /// When each member next has something to do; `Nanos::MAX` when idle.
    due: Vec<Nanos>,
    /// The member that is due first, and when; when the next of the others is.
    first: usize,
    first_due: Nanos,
    second_due: Nanos,
    outstanding: Vec<u32>,
    last_end: Vec<u64>,
    sent: Slots<Sent>,
    dispatch: Option<Box<Dispatch>>,
    actions: Slots<Action>,
    agenda: BinaryHeap<Reverse<(Nanos, u64, u32)>>,
    sequence: u64,
    completed: Vec<Completion>,
}

impl<D: Device> Members<D> {
    pub(super) fn new(devices: Vec<D>) -> Members<D> {
        let count = devices.len();
        Members {
            devices,
            due: vec![Nanos::MAX; count],
            first: 0,
            first_due: Nanos::MAX,
            second_due: Nanos::MAX,
            outstanding: vec![0; count],
            last_end: vec![0; count],
            sent: Slots::new(),
            dispatch: None,
            actions: Slots::new(),
            agenda: BinaryHeap::new(),
            sequence: 0,
            completed: Vec::new(),
        }
    }

    pub(super) fn run_by(&mut self, processor: Processor) {
        let count = self.devices.len();
        let waiting = (0..count).map(|_| VecDeque::new()).collect();
        let background = vec![Background::default(); count];
        self.dispatch = Some(Box::new(Dispatch { processor, inside: vec![0; count], waiting, background }));
    }

    pub(super) fn processor(&mut self) -> Option<&mut Processor> {
        self.dispatch.as_mut().map(|dispatch| &mut dispatch.processor)
    }

    pub(super) fn devices(&self) -> &[D] {
        &self.devices
    }

    pub(super) fn devices_mut(&mut self) -> &mut [D] {
        &mut self.devices
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

    /// Searches for the member that is due first, and when the others are.
    #[inline]
    fn search(&mut self) {
        (self.first, self.first_due, self.second_due) = (0, Nanos::MAX, Nanos::MAX);
        for (member, due) in self.due.iter().enumerate() {
            if *due < self.first_due {
                self.second_due = self.first_due;
                (self.first, self.first_due) = (member, *due);
            } else {
                self.second_due = self.second_due.min(*due);
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

    /// Sends one request to a member.
    #[inline]
    pub(super) fn send(
        &mut self,
        now: Nanos,
        owner: Owner,
        priority: Priority,
        order: Order,
        extent: Extent,
    ) {
        let Extent { member, offset, size } = extent;
        let Order { op, stream, fua } = order;
        let id = self.sent.insert(Sent { owner, priority }).into();
        let request = Request { id, offset: Bytes(offset), size, stream, op, fua };
        self.outstanding[member] += 1;
        self.last_end[member] = offset + u64::from(size);
        let Some(dispatch) = &mut self.dispatch else { return self.submit(now, member, request) };
        let bytes = if matches!(op, Op::Read | Op::Write) { u64::from(size) } else { 0 };
        let at = dispatch.processor.member_command(now, bytes);
        self.plan(at, Action::Send(member, request));
    }

    /// Returns `owner` from [`Members::run`] at `at`.
    pub(super) fn wake(&mut self, at: Nanos, owner: Owner) {
        self.plan(at, Action::Wake(owner));
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
        if member == self.first {
            // A request may also put off what a member would have done in idle time.
            self.search();
        } else if due < self.first_due {
            self.second_due = self.first_due;
            (self.first, self.first_due) = (member, due);
        } else {
            self.second_due = self.second_due.min(due);
        }
    }

    /// Processes events in their order up to and including `until`, but none after the first time at which a request
    /// completes or a delay ends, whose owners are appended; the time of the last event. There is one at or before `until`.
    pub(super) fn run(&mut self, until: Nanos, arrived: &mut Vec<Owner>) -> Nanos {
        loop {
            let now = if self.first_due <= self.agenda_due() {
                self.run_first(until, arrived)
            } else {
                self.agenda_due()
            };
            self.follow_up(now, arrived);
            if !arrived.is_empty() || self.earliest() > until {
                return now;
            }
        }
    }

    /// Lets the member that is due first run on alone, up to where another or the agenda is due; the time of its last event.
    #[inline]
    fn run_first(&mut self, until: Nanos, arrived: &mut Vec<Owner>) -> Nanos {
        let (member, due) = (self.first, self.first_due);
        // At equal times the member that comes first in the list is first, hence strictly before the others.
        let alone = until.min(self.agenda_due()).min(Nanos(self.second_due.0.saturating_sub(1))).max(due);
        let now = self.devices[member].run(alone, &mut self.completed).max(due);
        self.advanced(now, member, arrived);
        now
    }

    /// A member has processed its events up to `now`.
    #[inline]
    fn advanced(&mut self, now: Nanos, member: usize, arrived: &mut Vec<Owner>) {
        self.outstanding[member] -= self.completed.len() as u32;
        self.due[member] = self.devices[member].next().unwrap_or(Nanos::MAX);
        self.complete(now, member, arrived);
        self.search();
    }

    /// Lets every member due at `now` advance, then does what the agenda says; appends the owners of what has completed.
    fn follow_up(&mut self, now: Nanos, arrived: &mut Vec<Owner>) {
        while self.first_due <= now {
            let member = self.first;
            self.devices[member].advance(now, &mut self.completed);
            self.advanced(now, member, arrived);
        }
        while let Some(Reverse((_, _, slot))) =
            self.agenda.peek().copied().filter(|Reverse((at, ..))| *at <= now)
        {
            self.agenda.pop();
            match self.actions.remove(slot) {
                Action::Wake(owner) => arrived.push(owner),
                Action::Send(member, request) => self.dispatch(now, member, request),
            }
        }
    }

    /// A command is built: to the member, or behind those that wait for it.
    fn dispatch(&mut self, now: Nanos, member: usize, request: Request) {
        let Some(dispatch) = &mut self.dispatch else { return };
        match self.sent.get_mut(request.id as u32).priority {
            Priority::Foreground => self.enter(now, member, request),
            Priority::Background => {
                dispatch.background[member].waiting.push_back(request);
                self.follow(now, member);
            }
        }
    }

    /// A command whose turn it is: to the member, or behind those that wait for it.
    fn enter(&mut self, now: Nanos, member: usize, request: Request) {
        let Some(dispatch) = &mut self.dispatch else { return };
        if dispatch.inside[member] >= dispatch.processor.member_queue_depth() {
            dispatch.waiting[member].push_back(request);
            return;
        }
        dispatch.inside[member] += 1;
        self.submit(now, member, request);
    }

    /// A member has completed commands: appends their owners, and lets as many follow.
    #[inline]
    fn complete(&mut self, now: Nanos, member: usize, arrived: &mut Vec<Owner>) {
        if self.dispatch.is_none() {
            for completion in self.completed.drain(..) {
                arrived.push(self.sent.remove(completion.id as u32).owner);
            }
            return;
        }
        let mut completed = std::mem::take(&mut self.completed);
        self.admit(now, member, &completed, arrived);
        completed.clear();
        self.completed = completed;
    }

    /// The same with a controller.
    fn admit(&mut self, now: Nanos, member: usize, completed: &[Completion], arrived: &mut Vec<Owner>) {
        let Some(dispatch) = &mut self.dispatch else { return };
        dispatch.inside[member] -= completed.len() as u32;
        for completion in completed {
            let Sent { owner, priority } = self.sent.remove(completion.id as u32);
            arrived.push(owner);
            let Some(dispatch) = &mut self.dispatch else { return };
            if let Some(request) = dispatch.waiting[member].pop_front() {
                dispatch.inside[member] += 1;
                self.submit(now, member, request);
            }
            let Some(dispatch) = &mut self.dispatch else { return };
            let background = &mut dispatch.background[member];
            if priority == Priority::Background {
                background.inside -= 1;
            } else if !background.waiting.is_empty() {
                background.passed += 1;
            }
        }
        self.follow(now, member);
    }

    /// Lets background commands enter, as many as may and as far as their turn has come.
    fn follow(&mut self, now: Nanos, member: usize) {
        while let Some(dispatch) = &mut self.dispatch {
            let (inside, most) = (dispatch.inside[member], dispatch.processor.member_queue_depth());
            let background = &mut dispatch.background[member];
            let turn = inside == background.inside || background.passed >= most;
            if !turn || background.inside >= dispatch.processor.destage_depth() {
                return;
            }
            let Some(request) = background.waiting.pop_front() else { return };
            background.inside += 1;
            background.passed = 0;
            self.enter(now, member, request);
        }
    }

    pub(super) fn age(&mut self, member: usize, request: Request) {
        self.devices[member].age(request);
    }

    /// The members' counters: sums, busy time the mean.
    pub(super) fn counters(&self) -> Counters {
        let mut sum = Counters::default();
        self.devices.iter().for_each(|device| sum.add(&device.counters(), 1));
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
