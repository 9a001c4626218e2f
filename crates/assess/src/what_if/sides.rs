//! A cache before slower drives, judged side by side.
//!
//! Model. That of the plan's `cached_trial`: a candidate's own drives are those behind, and it has its cache besides. Each
//! side is judged for what the cache sent it: bytes and time at the peak for its power, bytes written over the log for the
//! life of its flash. With write-back the cache alone has what was written until it is cleaned, so data are lost where either
//! side loses some, and the design tolerates what the weaker side does; else a lost cache loses nothing. What a run says of
//! latency is of the whole. Before one: where a share m of the reads misses, p99 is at least (0.99 − (1 − m)) / m of a turn.

use super::bench::Bench;
use super::cached::{Cached, SIDES};
use super::carried::Candidate;
use super::part::{Asked, Part};
use crate::facts::{Drive, Seen};
use crate::span::Span;

/// Of the reads: so many may be later than p99.
const LATE: f64 = 0.01;

impl Bench<'_> {
    /// Both sides, each judged for what the cache sent it.
    pub(super) fn sides(&self, candidate: &Candidate, cached: &Cached, behind: &Seen) -> Vec<Part<'_>> {
        let front = self.front(cached);
        let taken = cached.taken(front).unwrap_or_else(|| cached.cache.design.clone());
        let before = Seen { held: behind.held, ..cached.seen.unwrap_or_default() };
        let chance = self.chance(candidate);
        let [to_cache, to_disks] = cached.written_bytes_per_day;
        let (lost, how) = self.known_loss(candidate.simulated_loss, self.drive(candidate), &candidate.design);
        let (cache_lost, cache_how) = self.cache_loss(cached);
        let sides = [
            (front, &*cached.cache.drive, &taken, &before, to_cache, cache_lost, cache_how),
            (self.drive(candidate), &*candidate.drive, &candidate.design, behind, to_disks, lost, how),
        ];
        let named = SIDES.into_iter().zip(sides);
        named
            .map(|(name, (of, drive, design, seen, write_bytes_per_day, loss, loss_method))| Part {
                volume: Some(name),
                drive: of,
                costing: self.costing(&Asked { drive, design, seen, write_bytes_per_day }),
                loss,
                loss_method,
                latency_chance: chance.filter(|_| of.is_flash),
                of_cache: Some((seen.worked.utilization, write_bytes_per_day)),
            })
            .collect()
    }

    /// What the cache's drives lose; nothing where what is behind has all data.
    pub(super) fn cache_loss(&self, cached: &Cached) -> (Span, &'static str) {
        if !cached.is_write_back() {
            return (Span::exactly(0.0), "closed form");
        }
        self.known_loss(cached.simulated_loss, self.front(cached), &cached.cache.design)
    }

    /// Whether how each side wears is known, as far as it is written to.
    pub(super) fn are_sides_worn(&self, cached: &Cached, behind: &Drive, seen: &Seen) -> bool {
        let [to_cache, to_disks] = cached.written_bytes_per_day;
        let known = |drive: &Drive, written: f64, seen: Option<&Seen>| {
            !drive.is_flash || written <= 0.0 || seen.is_some_and(|seen| seen.wear.is_some())
        };
        known(self.front(cached), to_cache, cached.seen.as_ref()) && known(behind, to_disks, Some(seen))
    }

    /// Whether more reads miss the cache than may be as slow as a turn.
    pub(super) fn misses_too_often(&self, candidate: &Candidate, cached: &Cached) -> bool {
        let (Some(turn_ns), Some([again, new]), Some(limit)) =
            (cached.turn_ns, cached.read_misses, self.needs.p99_read_ns)
        else {
            return false;
        };
        let limit = limit as f64;
        if limit >= turn_ns {
            return false;
        }
        let size = cached.size_bytes(self.front(cached)) as f64;
        let data = self.needs.capacity_bytes.min(candidate.design.usable_bytes(self.drive(candidate))) as f64;
        let found = (again + new * (1.0 - size / data).max(0.0)).min(1.0);
        found > (LATE / (1.0 - limit / turn_ns)).min(1.0)
    }

    /// The drive of the cache.
    pub(super) fn front(&self, cached: &Cached) -> &Drive {
        self.named(&cached.cache.drive)
    }
}
