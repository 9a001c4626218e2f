//! Rebuilding: from one end of the members to the other, what is missing is computed and written to the spares.
//!
//! Model: steps of a chunk (64 KiB on RAID 1, which has none), in order; at most 2 MiB of each member are under way, as in md
//! (`RESYNC_WINDOW`). A step reads the chunk's place on all members of the group that are there (one copy of a mirror),
//! computes what is missing, and writes it. Under parity it locks its row against writes. What lies below the first
//! unfinished step is served as if nothing had failed.
//!
//! [`Pace`]: a rate bounds the bytes a second on each spare, so that rebuilding C bytes takes at least C / rate; with a share s
//! the rebuild goes 2 MiB at a time, and rests (1 − s)/s times as long as each took.

use drivecast_block::Nanos;
use std::collections::VecDeque;

/// Bytes of each member under way at a time.
const WINDOW_BYTES: u64 = 2 << 20;

/// How fast a rebuild may go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pace {
    /// Bytes a second written to each spare, at most.
    Rate(f64),
    /// Share of the time in which a rebuild step is under way, in (0, 1].
    Share(f64),
}

/// A rebuild under way.
pub(super) struct Rebuild {
    /// The members being rebuilt, each now a spare.
    pub(super) members: Vec<usize>,
    pub(super) step_bytes: u64,
    steps: u64,
    pace: Pace,
    /// When it began.
    from: Nanos,
    /// The first step not begun.
    next: u64,
    /// Parts left of the steps begun, from the first not finished on.
    window: VecDeque<u32>,
    /// Steps that may begin before others finish.
    places: u64,
    /// Steps finished whose places are not yet given back.
    done: u64,
    /// When the present burst began, and from when the next step may begin.
    begun: Nanos,
    rested: Nanos,
    /// When a part was last done.
    last: Nanos,
}

impl Rebuild {
    /// A rebuild of `members` in so many steps of so many bytes, from a time on.
    pub(super) fn new(members: Vec<usize>, step_bytes: u64, steps: u64, pace: Pace, from: Nanos) -> Rebuild {
        Rebuild {
            members,
            step_bytes,
            steps,
            pace,
            from,
            next: 0,
            window: VecDeque::new(),
            places: (WINDOW_BYTES / step_bytes).max(1),
            done: 0,
            begun: from,
            rested: from,
            last: from,
        }
    }

    /// Whether every step is done.
    pub(super) fn is_over(&self) -> bool {
        self.next == self.steps && self.window.is_empty()
    }

    /// When the next step may begin.
    pub(super) fn due(&self) -> Nanos {
        if self.next == self.steps || self.places == 0 {
            return Nanos::MAX;
        }
        match self.pace {
            Pace::Rate(rate) => {
                let bytes = (self.next + 1) * self.step_bytes;
                self.rested.max(self.from + Nanos::from_secs_f64(bytes as f64 / rate))
            }
            Pace::Share(_) => self.rested,
        }
    }

    /// Begins the next step, of so many parts: its number.
    pub(super) fn begin(&mut self, now: Nanos, parts: u32) -> u64 {
        if self.window.is_empty() {
            self.begun = now;
        }
        self.places -= 1;
        self.window.push_back(parts);
        self.next += 1;
        self.next - 1
    }

    /// A part of a step is done: the time since the last one.
    pub(super) fn finish_part(&mut self, now: Nanos, step: u64) -> Nanos {
        self.finish_step_of(now, step);
        now.since(std::mem::replace(&mut self.last, now))
    }

    fn finish_step_of(&mut self, now: Nanos, step: u64) {
        let first = self.next - self.window.len() as u64;
        let parts = &mut self.window[(step - first) as usize];
        *parts -= 1;
        if *parts > 0 {
            return;
        }
        self.done += 1;
        while self.window.front() == Some(&0) {
            self.window.pop_front();
        }
        match self.pace {
            Pace::Rate(_) => {
                self.places += std::mem::take(&mut self.done);
                self.rested = now;
            }
            Pace::Share(share) if self.window.is_empty() => {
                self.places += std::mem::take(&mut self.done);
                let rest = now.since(self.begun).0 as f64 * (1.0 - share) / share;
                self.rested = now + Nanos(rest as u64);
            }
            Pace::Share(_) => {}
        }
    }

    /// How far the members are rebuilt; none: wholly.
    pub(super) fn mark(&self) -> Option<u64> {
        let finished = self.next - self.window.len() as u64;
        (finished < self.steps).then_some(finished * self.step_bytes)
    }
}
