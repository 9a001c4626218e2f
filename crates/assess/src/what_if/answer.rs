//! What a plan answers when it is asked again.

use super::proposal::Proposed;
use super::run::Miss;
use super::settings::Settings;
use crate::facts::Figure;
use crate::span::Span;
use serde::Serialize;
use std::collections::BTreeMap;

/// Whether a design meets what is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// All of it.
    Fits,
    /// Not all of it.
    Misses,
    /// It takes a simulation to know.
    Unknown,
}

/// A design under what is asked.
#[derive(Clone, Debug, Serialize)]
pub struct Verdict {
    /// Its place: those of the plan that were tried, those of its space, then those that were added.
    pub index: usize,
    /// As it is written.
    pub line: String,
    /// Whether it fits.
    pub state: State,
    /// What it misses, what ends the simulation first comes first.
    pub misses: Vec<Miss>,
    /// What it misses within a tolerance.
    pub tolerated: Vec<Miss>,
    /// Over the years, in dollars.
    pub total_usd: Span,
    /// The same in parts.
    pub cost: Parts,
    /// None where writing wears nothing out.
    pub life_years: Option<Span>,
    /// What ends it.
    pub life_limit: Option<&'static str>,
    /// Whether it meets all that is known of it, and only how its flash wears is not: life and replacements are to come.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub life_is_open: bool,
    /// Whether it is known to miss a limit on latency, and all else is to come.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub rest_is_open: bool,
    /// Of the array.
    pub power_w: Span,
    /// The chance of losing data over the years.
    pub data_loss: Span,
    /// `simulated` or `closed form`.
    pub loss_method: &'static str,
    /// As a multiple of the peak asked; none where it was not searched for.
    pub headroom: Option<f64>,
    /// The most load that is known to hold, as a multiple of the peak asked.
    pub held: Option<f64>,
    /// The least that is known to miss.
    pub missed: Option<f64>,
    /// Of reads, at `p99_times`.
    pub read_p99_ns: Option<Span>,
    /// Of writes, at `p99_times`.
    pub write_p99_ns: Option<Span>,
    /// The load of both, as a multiple of the measured peak: that of the peak asked where it was played, else 1.
    pub p99_times: f64,
    /// The chance that the limits on latency hold at that load, where it is in doubt.
    pub latency_chance: Option<f64>,
    /// Capacity that holds data.
    pub usable_bytes: u64,
    /// The rent of a month; none of what is bought.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub monthly_usd: Option<f64>,
    /// Of a cached design: the cache, then what is behind.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sides: Vec<Side>,
    /// What moves its cost, of the best.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<Moved>,
}

impl Verdict {
    /// Of a design that is to be tried out, with the least that it costs.
    #[must_use]
    pub fn open(index: usize, line: String, least_usd: f64) -> Verdict {
        let unknown = Span::exactly(f64::NAN);
        Verdict {
            index,
            line,
            state: State::Unknown,
            misses: Vec::new(),
            tolerated: Vec::new(),
            total_usd: Span { low: least_usd, ..unknown },
            cost: Parts::default(),
            life_years: None,
            life_limit: None,
            life_is_open: false,
            rest_is_open: false,
            power_w: unknown,
            data_loss: unknown,
            loss_method: "closed form",
            headroom: None,
            held: None,
            missed: None,
            read_p99_ns: None,
            write_p99_ns: None,
            p99_times: 1.0,
            latency_chance: None,
            usable_bytes: 0,
            monthly_usd: None,
            sides: Vec::new(),
            moves: Vec::new(),
        }
    }
}

/// Money over the years, in dollars.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Parts {
    /// At the start.
    pub purchase: f64,
    /// Of the purchase: bays, shelves, adapters and the controller.
    pub hosting: f64,
    /// At the site's meter.
    pub energy: f64,
    /// Of worn-out and failed drives.
    pub replacement: f64,
    /// Of technicians who replace drives.
    pub labor: f64,
    /// That losses of data are expected to cost.
    pub loss: f64,
    /// That service beyond the limits is expected to cost, while drives are replaced.
    pub outage: f64,
    /// That is expected to be bought because load or data grow faster than planned.
    pub expansion: f64,
    /// What is got back at the end.
    pub residual: f64,
    /// Of what is rented, all of it.
    pub rent: f64,
}

/// One side of a cached design.
#[derive(Clone, Debug, Serialize)]
pub struct Side {
    /// `cache` or `disks`.
    pub name: &'static str,
    /// Over the years, in dollars.
    pub total_usd: Span,
    /// Of its array.
    pub power_w: Span,
    /// None where writing wears nothing out.
    pub life_years: Option<Span>,
    /// What ends it.
    pub life_limit: Option<&'static str>,
    /// The chance that it loses data that nothing else has.
    pub data_loss: Span,
    /// Share of time in which a drive works at the peak.
    pub utilization: f64,
    /// By the cache, at the log's rate.
    pub written_bytes_per_day: f64,
}

/// An input of the cost, moved over its bounds.
#[derive(Clone, Debug, Serialize)]
pub struct Moved {
    /// The input.
    pub name: String,
    /// Of its bounds.
    pub unit: &'static str,
    /// Its bounds.
    #[serde(flatten)]
    pub span: Span,
    /// How it is known.
    pub provenance: String,
    /// From where.
    pub source: String,
    /// The cost with the input at its low end.
    pub total_low_usd: f64,
    /// The cost with the input at its high end.
    pub total_high_usd: f64,
}

impl Moved {
    /// How much the cost moves.
    #[must_use]
    pub const fn swing(&self) -> f64 {
        (self.total_high_usd - self.total_low_usd).abs()
    }
}

/// Where a design that fits comes out.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Place {
    /// Which.
    pub index: usize,
    /// From 1: designs of one tier are tied on cost.
    pub tier: u32,
    /// The share of the draws in which it is the cheapest that fits.
    pub chance_cheapest: f64,
    /// Whether no other is better in cost, latency or life and no worse in the rest.
    pub pareto: bool,
}

/// The whole answer.
#[derive(Clone, Debug, Serialize)]
pub struct Judged {
    /// What was asked, completed.
    pub settings: Settings,
    /// Designs that were tried, here or in the plan; then the cheapest of those that were not, may cost less than the
    /// first, and are ruled out by no bound.
    pub designs: Vec<Verdict>,
    /// Those that fit, best first.
    pub order: Vec<Place>,
    /// Prices other than those of the plan, with what they were: of drives by name, and `usd_per_kwh`.
    pub given: BTreeMap<String, Figure>,
    /// What is rented, and proposed under these settings: designs that the plan does not have.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub proposed: Vec<Proposed>,
}
