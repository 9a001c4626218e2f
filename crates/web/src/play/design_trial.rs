//! A design tried out as a plan tries it: the peak, the required headroom, all of the log, wear.
//!
//! Model. That of the plan's `trial`: each run decides all loads on one side of it, and the first limit that is missed ends
//! the try-out. What fits is worth a closer look, which takes longer: [`refine`](super::refine). Runs of a cached design are long: one
//! that misses is broken off, so that this is said at once, and all else of it is for the closer look.

use super::trial::{Trial, UNEQUAL, seen, worked};
use crate::Session;
use crate::request::members;
use drivecast_assess::Seen;
use drivecast_assess::facts::Design;
use drivecast_assess::what_if::{Cached, Candidate, Settings};
use drivecast_sim::design::Resolved;
use drivecast_sim::outcome::Outcome;
use drivecast_sim::run::RunOptions;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The members of the call, of designs with these parts.
#[derive(Deserialize)]
#[serde(bound = "P: DeserializeOwned")]
pub(super) struct TryOut<P> {
    /// Its place among the designs that the report carries.
    #[serde(default)]
    pub(super) index: Option<usize>,
    /// Or its parts.
    #[serde(default)]
    pub(super) design: Option<P>,
    pub(super) settings: Settings,
}

#[derive(Deserialize)]
struct Parts {
    drive: String,
    #[serde(flatten)]
    design: Design,
    #[serde(default)]
    cached: Option<Cached>,
}

/// What was found, with the design in words; `add` and `refine` take it.
#[derive(Serialize)]
pub(super) struct Tried<D> {
    pub(super) index: Option<usize>,
    pub(super) design: D,
    /// Whether it meets the limits on latency.
    pub(super) fits: bool,
    /// Whether `refine` finds more of it: how far it reaches, or all but that it misses.
    pub(super) more: bool,
    #[serde(flatten)]
    pub(super) candidate: Candidate,
}

#[derive(Serialize)]
pub(super) struct Described {
    #[serde(flatten)]
    design: Design,
    drive: String,
    title: String,
    usable_bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    cached: Option<Cached>,
}

impl Tried<Described> {
    /// A design with its shape in words.
    pub(super) fn of(
        index: Option<usize>,
        candidate: Candidate,
        fits: bool,
        session: &Session,
    ) -> Result<Self, String> {
        let drives = &session.judge()?.carried().drives;
        let drive = drives.get(&candidate.drive).ok_or("no such drive in this report")?;
        let design = Described {
            title: candidate.title(drives).ok_or("no such drive in this report")?,
            usable_bytes: candidate.design.usable_bytes(drive),
            design: candidate.design.clone(),
            drive: candidate.drive.clone(),
            cached: candidate.cached.clone(),
        };
        let more = !candidate.refined && (fits || candidate.seen.is_none());
        Ok(Tried { index, design, fits, more, candidate })
    }
}

pub(super) fn try_out(session: &Session, request: &Value) -> Result<Tried<Described>, String> {
    let asked: TryOut<Parts> = members(request)?;
    let judge = session.judge()?;
    let fresh = match (asked.index, asked.design) {
        (Some(index), _) => {
            let known = judge.designs().get(index).ok_or("no such design in this report")?;
            known.fresh()
        }
        (None, Some(parts)) => made(parts),
        (None, None) => return Err("a try-out names a design, by `index` or by `design`".to_owned()),
    };
    let fresh = fresh.ok_or(UNEQUAL)?;
    let mut trial = Trial::of(session, fresh, &asked.settings.completed(judge.carried())?)?;
    let fits = trial.try_out()?;
    Tried::of(asked.index, trial.into_found(), fits, session)
}

fn made(parts: Parts) -> Option<Candidate> {
    let design = Candidate::untried(parts.drive, parts.design)?;
    match parts.cached {
        Some(cached) => design.behind(cached),
        None => Some(design),
    }
}

impl Trial<'_> {
    fn try_out(&mut self) -> Result<bool, String> {
        let design = self.design("drives")?;
        let mut peak = None;
        if self.found.cached.is_some() {
            for times in self.asked() {
                let outcome = self.within(&design, times, 1.0)?;
                if outcome.given_up.is_some() {
                    self.found.fill = self.fill;
                    self.missed(times);
                    return Ok(false);
                }
                self.found.runs.push(seen(times, &outcome));
                peak = peak.or(Some(outcome).filter(|_| times == 1.0));
            }
        }
        self.examine(&design, peak)
    }

    /// All of a try-out; the measured peak is played where it was not.
    pub(super) fn examine(&mut self, design: &Resolved, peak: Option<Outcome>) -> Result<bool, String> {
        let peak = peak.map_or_else(|| self.at(design, 1.0), Ok)?;
        self.found.fill = self.fill;
        let worked = worked(&peak);
        let runs = [peak];
        (self.found.read_p99_ns, self.found.write_p99_ns) = self.p99s(&runs);
        let fits = self.fits(design)?;
        if self.found.cached.is_some() {
            return self.saw_sides(design, &runs[0], fits);
        }
        let wear = if fits { self.wear(design)? } else { None };
        self.found.seen = Some(Seen { worked, wear, ..Seen::default() });
        Ok(fits)
    }

    /// The loads that must hold, as multiples of the measured peak.
    fn asked(&self) -> [f64; 2] {
        [self.peak, self.peak * self.needs.headroom]
    }

    fn missed(&mut self, times: f64) {
        self.found.missed = Some(self.found.missed.map_or(times, |missed| missed.min(times)));
    }

    /// Whether it meets the limits at the peak, at the required headroom and over all of the log.
    fn fits(&mut self, design: &Resolved) -> Result<bool, String> {
        for times in self.asked() {
            let known = self.found.runs.iter().find(|run| run.times == times).copied();
            let outcome = match known {
                Some(run) => run,
                None => seen(times, &self.at(design, times)?),
            };
            if outcome.miss(self.limits).is_some() {
                self.missed(times);
                return Ok(false);
            }
            self.found.held = Some(self.found.held.map_or(times, |held| held.max(times)));
        }
        if !self.carried.over_all {
            return Ok(true);
        }
        let outcome = self.play(design, RunOptions { window: None, ..self.options(self.peak) })?;
        let whole = seen(self.peak, &outcome);
        self.found.whole = Some(whole);
        self.over_log = Some(outcome);
        Ok(whole.miss(self.limits).is_none_or(|miss| miss.kind != "latency"))
    }
}
