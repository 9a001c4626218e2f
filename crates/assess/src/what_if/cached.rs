//! A cache before slower drives, as a candidate has it.
//!
//! A candidate's own drives are those behind, and it has its cache besides. How both are judged says `sides`.

use super::shape;
use crate::facts::{Design, Drive, Seen};
use crate::span::Span;
use serde::{Deserialize, Serialize};

/// What misses of either side are said to be of.
pub const SIDES: [&str; 2] = ["cache", "disks"];
/// Of the flash that a cache takes: with less written, more spare changes nothing.
const PARTITION_MIN: f64 = 0.05;
/// Modes in which a block may be newer in the cache than behind it.
const WRITE_BACK: [&str; 4] = ["writeback", "writeonly", "wb", "wo"];

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

/// How cached designs are played.
#[derive(Clone, Debug, Deserialize)]
pub struct Caches {
    /// By the host, read and written, at the log's rate.
    pub moved_bytes_per_day: f64,
    /// What flash that is full is written like.
    pub worn_by: String,
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
        let mut taken = Design { partition, ..front.clone() };
        taken.line = shape::line(&self.cache.drive, &taken)?;
        Some(taken)
    }

    /// The design as it is written on the command line, before a slow side. None where its drives make no array.
    #[must_use]
    pub fn line(&self, slow: &str) -> Option<String> {
        Some(self.written(&shape::line(&self.cache.drive, &self.cache.design)?, slow))
    }

    /// The same without spares, which do nothing while nothing has failed.
    pub(super) fn serving(&self, slow: &str) -> Option<String> {
        let front = &self.cache.design;
        let serving = Design { spares: 0, count: front.in_use(), ..front.clone() };
        Some(self.written(&shape::line(&self.cache.drive, &serving)?, slow))
    }

    fn written(&self, fast: &str, slow: &str) -> String {
        let options = if self.options.is_empty() { String::new() } else { format!(", {}", self.options) };
        let Cached { policy, mode, .. } = self;
        format!("cache(fast={fast}, slow={slow}, policy={policy}, mode={mode}{options})")
    }

    /// The same of a design that is not tried yet.
    #[must_use]
    pub(super) fn fresh(&self) -> Cached {
        Cached { seen: None, simulated_loss: None, hit_ratio: None, ..self.clone() }
    }

    /// The design in words, as the plan has it.
    #[must_use]
    pub fn title(&self, drive: &Drive, slow: &str) -> String {
        format!("{slow}, behind a cache of {}", shape::title(drive, &self.cache.design))
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
