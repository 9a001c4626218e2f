//! Events of one kind, waiting in order of time.
//!
//! What always takes the same time ends in the order in which it began, so that a new event nearly always belongs at the
//! end of the queue: it is walked forward past the few that are later. That costs a fraction of a priority queue. Events
//! of one time are in order of their rank, of one rank in order of arrival.

use drivecast_block::Nanos;

#[derive(Clone, Copy, Debug, Default)]
struct Event<T> {
    time: Nanos,
    rank: u32,
    item: T,
}

/// A ring that grows; the slots from `head` on are taken, `len` of them.
#[derive(Debug)]
pub(super) struct EventQueue<T> {
    slots: Box<[Event<T>]>,
    head: usize,
    len: usize,
    /// The earliest time, so that it is found without a look at the ring.
    first: Nanos,
}

impl<T: Copy + Default> EventQueue<T> {
    pub(super) fn new() -> EventQueue<T> {
        EventQueue { slots: vec![Event::default(); 16].into(), head: 0, len: 0, first: Nanos::MAX }
    }

    /// The earliest time, [`Nanos::MAX`] if the queue is empty.
    #[inline]
    pub(super) fn first(&self) -> Nanos {
        self.first
    }

    /// The rank of the first event; any if there is none.
    #[inline]
    pub(super) fn rank(&self) -> u32 {
        self.slots[self.head].rank
    }

    #[inline]
    pub(super) fn push(&mut self, time: Nanos, rank: u32, item: T) {
        if self.len == self.slots.len() {
            self.grow();
        }
        let slots = &mut *self.slots;
        let mask = slots.len() - 1;
        let mut at = self.head + self.len;
        while at > self.head {
            let before = slots[(at - 1) & mask];
            if before.time < time || before.time == time && before.rank <= rank {
                break;
            }
            slots[at & mask] = before;
            at -= 1;
        }
        slots[at & mask] = Event { time, rank, item };
        self.first = self.first.min(time);
        self.len += 1;
    }

    /// Takes the first event out; its item. There must be one.
    #[inline]
    pub(super) fn pop(&mut self) -> T {
        let mask = self.slots.len() - 1;
        let item = self.slots[self.head & mask].item;
        self.head = (self.head + 1) & mask;
        self.len -= 1;
        let next = self.slots[self.head & mask].time;
        self.first = if self.len > 0 { next } else { Nanos::MAX };
        item
    }

    #[cold]
    fn grow(&mut self) {
        let mut slots = vec![Event::default(); 2 * self.slots.len()];
        for (i, slot) in slots[..self.len].iter_mut().enumerate() {
            *slot = self.slots[(self.head + i) & (self.slots.len() - 1)];
        }
        self.slots = slots.into();
        self.head = 0;
    }
}
