//! A cache before slower drives, judged side by side.
//!
//! Model. That of the plan's `cached_trial`: a candidate's own drives are those behind, and it has its cache besides. Each
//! side is judged for what the cache sent it: bytes and time at the peak for its power, bytes written over the log for the
//! life of its flash. With write-back the cache alone has what was written until it is cleaned, so data are lost where either
//! side loses some, and the design tolerates what the weaker side does; else a lost cache loses nothing. What a run says of
//! latency is of the whole. Before one: where a share m of the reads misses, p99 is at least (0.99 − (1 − m)) / m of a turn.

use super::bench::Bench;
use super::carried::{self, Candidate};
use super::part::{Asked, Part};
use crate::facts::{Design, Drive, Seen};
use crate::span::Span;
use serde::{Deserialize, Serialize};

/// What misses of either side are said to be of.
pub const SIDES: [&str; 2] = ["cache", "disks"];
/// Of the flash that a cache takes: with less written, more spare changes nothing.
const PARTITION_MIN: f64 = 0.05;
/// Modes in which a block may be newer in the cache than behind it.
const WRITE_BACK: [&str; 4] = ["writeback", "writeonly", "wb", "wo"];
/// Of the reads: so many may be later than p99.
const LATE: f64 = 0.01;

/// The cache of a design, and what was seen of its drives; the rest of the candidate is of what is behind.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Cached {
    /// Its drives.
    pub cache: Front,
    /// What it is managed by.
    pub policy: String,
    /// What it does with writes.
    pub mode: String,
    /// Other arguments of the line, as they are written.
    #[serde(default)]
    pub options: String,
    /// What it takes of its drives, if not all.
    #[serde(default)]
    pub size_bytes: Option<u64>,
    /// At the peak; none of a design that was not tried.
    #[serde(default)]
    pub seen: Option<Seen>,
    /// To the cache's drives and to those behind, a day at the log's rate.
    #[serde(default)]
    pub written_bytes_per_day: [f64; 2],
    /// The chance that the cache's drives lose data, where it was simulated.
    #[serde(default)]
    pub simulated_loss: Option<Span>,
    /// Share of the requests that the warm cache served.
    #[serde(default)]
    pub hit_ratio: Option<f64>,
    /// Shares of the reads that an LRU cache of its size misses: what it has met before, and what is new.
    #[serde(default)]
    pub read_misses: Option<[f64; 2]>,
    /// Of what is behind.
    #[serde(default)]
    pub turn_ns: Option<f64>,
}

/// The drives of a cache.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Front {
    /// By name.
    pub drive: String,
    /// Their shape.
    #[serde(flatten)]
    pub design: Design,
}

impl Cached {
    /// Whether the cache alone may have what was written.
    #[must_use]
    pub fn is_write_back(&self) -> bool {
        WRITE_BACK.contains(&self.mode.as_str())
    }

    /// What the cache takes of its drives.
    #[must_use]
    pub fn size_bytes(&self, drive: &Drive) -> u64 {
        self.size_bytes.unwrap_or_else(|| self.cache.design.usable_bytes(drive))
    }

    /// Its drives as far as the cache takes them: the rest is spare to their flash. None where they make no array.
    #[must_use]
    pub fn taken(&self, drive: &Drive) -> Option<Design> {
        let front = &self.cache.design;
        let share = self.size_bytes(drive) as f64 / front.usable_bytes(drive) as f64;
        let partition = front.partition * share.max(PARTITION_MIN);
        Some(Candidate::untried(self.cache.drive.clone(), Design { partition, ..front.clone() })?.design)
    }

    /// The design as it is written on the command line, before a slow side. None where its drives make no array.
    #[must_use]
    pub fn line(&self, slow: &str) -> Option<String> {
        let fast = Candidate::untried(self.cache.drive.clone(), self.cache.design.clone())?.design.line;
        let options = if self.options.is_empty() { String::new() } else { format!(", {}", self.options) };
        let Cached { policy, mode, .. } = self;
        Some(format!("cache(fast={fast}, slow={slow}, policy={policy}, mode={mode}{options})"))
    }

    /// The design in words, as the plan has it.
    #[must_use]
    pub fn title(&self, drive: &Drive, slow: &str) -> String {
        format!("{slow}, behind a cache of {}", carried::title(drive, &self.cache.design))
    }

    /// With what was known before of the same design as full as it is now.
    #[must_use]
    pub(super) fn merged(mut self, before: Option<Cached>) -> Cached {
        let Some(before) = before else { return self };
        self.simulated_loss = before.simulated_loss;
        self.read_misses = self.read_misses.or(before.read_misses);
        self.turn_ns = self.turn_ns.or(before.turn_ns);
        if let (Some(seen), Some(known)) = (&mut self.seen, before.seen) {
            seen.wear = seen.wear.or(known.wear);
        }
        self
    }
}

impl Bench<'_> {
    /// Both sides, each judged for what the cache sent it.
    pub(super) fn sides(&self, candidate: &Candidate, cached: &Cached, behind: &Seen) -> Vec<Part<'_>> {
        let front = self.front(cached);
        let taken = cached.taken(front).unwrap_or_else(|| cached.cache.design.clone());
        let before = cached.seen.unwrap_or_default();
        let chance = self.chance(candidate);
        let [to_cache, to_disks] = cached.written_bytes_per_day;
        let (lost, how) = self.known_loss(candidate.simulated_loss, candidate);
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
        let front = Candidate::untried(cached.cache.drive.clone(), cached.cache.design.clone());
        front.map_or((Span::exactly(1.0), "closed form"), |front| {
            self.known_loss(cached.simulated_loss, &front)
        })
    }

    /// Whether how each side wears is known, as far as it is written to.
    pub(super) fn is_wear_known(&self, cached: &Cached, behind: &Drive, seen: &Seen) -> bool {
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
