//! What a plan carries.

use super::cached::{Cached, Caches};
use super::rented::{Rental, Rented};
use super::run::{Edges, Limits, Run};
use super::shape;
use crate::facts::{Design, Drive, LatencyErrors, Load, Prices, Seen};
use crate::redundancy::Level;
use crate::requirement::Requirements;
use crate::span::Span;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The form of the document.
pub const SCHEMA: u32 = 1;

/// All that the designs of a plan were judged by.
#[derive(Clone, Debug, Deserialize)]
pub struct Carried {
    /// [`SCHEMA`].
    pub schema: u32,
    /// Of random streams.
    pub seed: u64,
    /// What the plan's designs were judged by.
    pub needs: Requirements,
    /// Of the load to sustain over that of the last year.
    pub headroom_margin: f64,
    /// Whether the file system discards what is free, so that a design is as full as it must be.
    pub trimmed: bool,
    /// Whether limits must hold over all of the log, besides the peak.
    pub over_all: bool,
    /// By name.
    pub drives: BTreeMap<String, Drive>,
    /// How far latencies may be off; drives name theirs by its place.
    pub latency_errors: Vec<LatencyErrors>,
    /// Of all but drives.
    pub prices: Prices,
    /// The workload.
    pub load: Load,
    /// How cached designs are played; none where they are not.
    #[serde(default)]
    pub caches: Option<Caches>,
    /// Those that were tried.
    pub designs: Vec<Candidate>,
    /// Those that a bound ruled out before.
    pub space: Vec<Candidate>,
    /// What is rented.
    #[serde(default)]
    pub rental: Rental,
}

impl Carried {
    /// The share of a design that holds data at the end.
    #[must_use]
    pub fn fill(&self, design: &Design, drive: &Drive, needs: &Requirements) -> f64 {
        if self.trimmed {
            (needs.capacity_bytes as f64 / design.usable_bytes(drive) as f64).min(1.0)
        } else {
            1.0
        }
    }

    /// Whether the workload wears a drive: it writes, and to flash.
    #[must_use]
    pub fn wears(&self, drive: &Drive) -> bool {
        drive.is_flash && self.load.write_bytes_per_day > 0.0
    }
}

/// A design and what was seen of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Candidate {
    /// Its drive, by name.
    pub drive: String,
    /// Its shape.
    #[serde(flatten)]
    pub design: Design,
    /// What its drives did at the peak; none of a design that was not tried.
    #[serde(default)]
    pub seen: Option<Seen>,
    /// The share of it that held data in its runs.
    #[serde(default)]
    pub fill: f64,
    /// Of the peak.
    #[serde(default)]
    pub runs: Vec<Run>,
    /// Over all of the log.
    #[serde(default)]
    pub whole: Option<Run>,
    /// The most load that met the plan's limits, as a multiple of the peak.
    #[serde(default)]
    pub held: Option<f64>,
    /// The least that missed them.
    #[serde(default)]
    pub missed: Option<f64>,
    /// The same of other limits.
    #[serde(default)]
    pub under: Vec<Edges>,
    /// Whether its headroom was looked for.
    #[serde(default)]
    pub refined: bool,
    /// Of reads, at the measured peak.
    #[serde(default)]
    pub read_p99_ns: Option<Span>,
    /// Of writes, at the measured peak.
    #[serde(default)]
    pub write_p99_ns: Option<Span>,
    /// The chance of losing data that was simulated, where it was.
    #[serde(default)]
    pub simulated_loss: Option<Span>,
    /// Hours a failed drive in which the plan found the limits missed.
    #[serde(default)]
    pub missed_h: f64,
    /// Of reads and of writes with a drive lost, one after the other, where the plan simulated that.
    #[serde(default)]
    pub degraded_p99_ns: Option<f64>,
    /// Whether it does not keep up with the log's backup.
    #[serde(default)]
    pub misses_backup: bool,
    /// The cache before it, where there is one.
    #[serde(default)]
    pub cached: Option<Cached>,
    /// What it is made of, where it is rented and its drive is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rented: Option<Rented>,
}

/// Of a cache before another device: more to administrate than any level.
pub const CACHED: u32 = 7;
/// Drives that what is rented counts as among ties: it is as simple as a mirror.
pub const RENTED: u32 = 2;

impl Candidate {
    /// Drives that are bought, with those of a cache.
    #[must_use]
    pub fn drives_bought(&self) -> u32 {
        if self.rented.is_some() {
            return RENTED;
        }
        self.design.count + self.cached.as_ref().map_or(0, |cached| cached.cache.design.count)
    }

    /// How much there is to administrate.
    #[must_use]
    pub const fn complexity(&self) -> u32 {
        if self.rented.is_some() {
            return Level::Raid1.complexity();
        }
        if self.cached.is_some() { CACHED } else { self.design.level.complexity() }
    }

    /// A design that was not tried. None where its drives do not make equal groups that are large enough.
    #[must_use]
    pub fn untried(drive: String, mut design: Design) -> Option<Candidate> {
        design.line = shape::line(&drive, &design)?;
        Some(Candidate {
            drive,
            design,
            seen: None,
            fill: 0.0,
            runs: Vec::new(),
            whole: None,
            held: None,
            missed: None,
            under: Vec::new(),
            refined: false,
            read_p99_ns: None,
            write_p99_ns: None,
            simulated_loss: None,
            missed_h: 0.0,
            degraded_p99_ns: None,
            misses_backup: false,
            cached: None,
            rented: None,
        })
    }
}

impl Candidate {
    /// The same behind a cache. None where the cache's drives do not make equal groups.
    #[must_use]
    pub fn behind(mut self, cached: Cached) -> Option<Candidate> {
        self.design.line = cached.line(&self.design.line)?;
        self.cached = Some(cached);
        Some(self)
    }

    /// The same before it was tried.
    #[must_use]
    pub fn fresh(&self) -> Option<Candidate> {
        let fresh = Candidate::untried(self.drive.clone(), self.design.clone())?;
        let Some(cached) = &self.cached else { return Some(fresh) };
        Some(Candidate { design: self.design.clone(), cached: Some(cached.fresh()), ..fresh })
    }

    /// Its line without spares, which do nothing while nothing has failed.
    #[must_use]
    pub fn serving(&self) -> Option<String> {
        let Some(cached) = &self.cached else { return shape::serving(&self.drive, &self.design) };
        if self.design.spares + cached.cache.design.spares == 0 {
            return Some(self.design.line.clone());
        }
        let Design { spares, .. } = self.design;
        let slow = Design { spares: 0, count: self.design.count - spares, ..self.design.clone() };
        cached.serving(&shape::line(&self.drive, &slow)?)
    }

    /// In words, as the plan has it. None where one of its drives is not among these.
    #[must_use]
    pub fn title(&self, drives: &BTreeMap<String, Drive>) -> Option<String> {
        let own = shape::title(drives.get(&self.drive)?, &self.design);
        let Some(cached) = &self.cached else { return Some(own) };
        Some(cached.title(drives.get(&cached.cache.drive)?, &own))
    }

    /// The drives that it is made of, by name.
    pub fn drives(&self) -> impl Iterator<Item = &str> {
        let front = self.cached.as_ref().map(|cached| cached.cache.drive.as_str());
        let own = self.rented.is_none().then_some(self.drive.as_str());
        own.into_iter().chain(front)
    }

    /// What searches found, under the plan's limits and under others.
    pub fn edges(&self, then: Limits) -> impl Iterator<Item = Edges> + '_ {
        let own = Edges { limits: then, held: self.held, missed: self.missed };
        std::iter::once(own).chain(self.under.iter().copied())
    }

    /// Has its runs in order of the load, each load once.
    pub fn order_runs(&mut self) {
        self.runs.sort_unstable_by(|a, b| a.times.total_cmp(&b.times));
        self.runs.dedup_by(|a, b| a.times == b.times);
    }

    /// What was found now, with what was known before of the same design as full as it is now.
    #[must_use]
    pub fn merged(mut self, before: Candidate) -> Candidate {
        if self.fill != before.fill || before.seen.is_none() {
            return self;
        }
        if let (Some(now), Some(then)) = (&mut self.rented, before.rented) {
            if now.hours_per_day != then.hours_per_day {
                return self;
            }
            now.searched.extend(then.searched);
        }
        self.runs.extend(before.runs);
        self.order_runs();
        let limits: Vec<Limits> = self.under.iter().map(|edges| edges.limits).collect();
        self.under.extend(before.under.into_iter().filter(|edges| !limits.contains(&edges.limits)));
        self.held = self.held.max_of(before.held);
        self.missed = self.missed.min_of(before.missed);
        self.whole = self.whole.or(before.whole);
        self.simulated_loss = before.simulated_loss;
        (self.missed_h, self.degraded_p99_ns) = (before.missed_h, before.degraded_p99_ns);
        self.cached = self.cached.map(|cached| cached.merged(before.cached));
        if let (Some(seen), Some(known)) = (&mut self.seen, before.seen) {
            seen.wear = seen.wear.or(known.wear);
        }
        if before.refined && !self.refined {
            (self.read_p99_ns, self.write_p99_ns) = (before.read_p99_ns, before.write_p99_ns);
            self.refined = true;
        }
        self
    }
}

/// The larger and the smaller of two numbers that may be unknown.
trait Known {
    fn max_of(self, other: Self) -> Self;
    fn min_of(self, other: Self) -> Self;
}

impl Known for Option<f64> {
    fn max_of(self, other: Option<f64>) -> Option<f64> {
        [self, other].into_iter().flatten().reduce(f64::max)
    }

    fn min_of(self, other: Option<f64>) -> Option<f64> {
        [self, other].into_iter().flatten().reduce(f64::min)
    }
}
