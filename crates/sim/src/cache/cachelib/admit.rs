//! Which of the objects that memory evicts go to flash.
//!
//! By budget: once a minute the probability is multiplied by t/o, but by no less than 0.75 and no more than 1.25, where o bytes a
//! second were written to flash since, and t would have written the budget of all days so far, and of one more, by the same
//! time tomorrow; at most 160 MiB a second. It stays from 0.001 to 10, of which 1 admits all. Draws follow a fixed sequence.

use crate::cache::index::{Index, NONE};
use crate::spec::Admission;
use drivecast_block::random::{Stream, stream};
use drivecast_block::{Bytes, Nanos};
use rand::RngExt;

const DAY_S: f64 = 86_400.0;
const MINUTE: Nanos = Nanos::from_ms(60_000);
const RATE_MAX: f64 = (160_u64 << 20) as f64;

/// The policy; see the module.
#[derive(Clone)]
pub(super) struct Admit {
    policy: Admission,
    draws: Stream,
    recent: Index,
    evicted: u32,
    budget: Budget,
}

#[derive(Clone)]
struct Budget {
    probability: f64,
    began: Option<Nanos>,
    updated: Nanos,
    written: u64,
}

impl Admit {
    pub(super) fn new(policy: Admission) -> Admit {
        let budget = Budget { probability: 1.0, began: None, updated: Nanos::ZERO, written: 0 };
        Admit { policy, draws: stream(0, "cachelib.admission"), recent: Index::new(), evicted: 0, budget }
    }

    /// Whether an object goes to flash, to which so many bytes were written so far.
    pub(super) fn admits(&mut self, now: Nanos, object: u64, written: u64) -> bool {
        match self.policy {
            Admission::All => true,
            Admission::Random(probability) => self.draws.random_bool(probability.clamp(0.0, 1.0)),
            Admission::RejectFirst(entries) => self.was_rejected(object, entries),
            Admission::Budget(a_day) => {
                self.budget.update(now, a_day, written);
                self.draws.random_bool(self.budget.probability.min(1.0))
            }
        }
    }

    /// Whether an object is among the last `entries` that were rejected; it is from now on.
    fn was_rejected(&mut self, object: u64, entries: u32) -> bool {
        if self.recent.find(object) != NONE {
            return true;
        }
        let slot = self.evicted % entries;
        if self.evicted >= entries {
            self.recent.remove(slot);
        }
        self.recent.insert(slot, object);
        // From then on every slot is in use.
        self.evicted = if self.evicted + 1 == 2 * entries { entries } else { self.evicted + 1 };
        false
    }

    /// Memory that it takes.
    pub(super) fn bytes(&self) -> usize {
        self.recent.bytes()
    }
}

impl Budget {
    fn update(&mut self, now: Nanos, Bytes(a_day): Bytes, written: u64) {
        let Some(began) = self.began else {
            (self.began, self.updated, self.written) = (Some(now), now, written);
            return;
        };
        if now.since(self.updated) < MINUTE {
            return;
        }
        let seconds = |time: Nanos| time.0 as f64 / 1e9;
        let observed = (written - self.written) as f64 / seconds(now.since(self.updated));
        self.updated = now;
        if observed < 1.0 {
            return;
        }
        let tomorrow = a_day as f64 / DAY_S * (seconds(now.since(began)) + DAY_S);
        let target = ((tomorrow - written as f64).max(0.0) / DAY_S).min(RATE_MAX);
        self.probability = (self.probability * (target / observed).clamp(0.75, 1.25)).clamp(0.001, 10.0);
        self.written = written;
    }
}
