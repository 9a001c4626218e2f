//! How flash wears that is full and written at random, remembered for the designs after.
//!
//! Model. That of the plan's `cached_trial`: caches do not trim, and a log is too short to fill one, so the write amplification of a
//! side is that of its array alone, whatever the log and the other side do. One array has one, then: what the plan found is taken
//! from its designs, what is worked out in a run is remembered by its line. A run takes seconds, a whole drive several times over.

use drivecast_assess::facts::Wear;
use drivecast_assess::what_if::{Candidate, Carried, shape};
use std::cell::RefCell;

/// Arrays by the line of their drives in use.
#[derive(Default)]
pub(crate) struct WearCache(RefCell<Vec<(String, Wear)>>);

impl WearCache {
    /// Those of the cached designs that a plan carries.
    pub(crate) fn of(carried: &Carried) -> WearCache {
        let worn = WearCache::default();
        for candidate in &carried.designs {
            worn.take_in(carried, candidate);
        }
        worn
    }

    fn take_in(&self, carried: &Carried, candidate: &Candidate) -> Option<()> {
        let cached = candidate.cached.as_ref()?;
        let front = &cached.cache.drive;
        let taken = cached.taken(carried.drives.get(front)?)?;
        let before = (front, &taken, cached.seen);
        for (drive, design, seen) in [before, (&candidate.drive, &candidate.design, candidate.seen)] {
            if let Some(wear) = seen.and_then(|seen| seen.wear) {
                self.remember(shape::serving(drive, design)?, wear);
            }
        }
        Some(())
    }

    pub(crate) fn known(&self, line: &str) -> Option<Wear> {
        self.0.borrow().iter().find(|(of, _)| of == line).map(|(_, wear)| *wear)
    }

    pub(crate) fn remember(&self, line: String, wear: Wear) {
        self.0.borrow_mut().push((line, wear));
    }
}
