//! One design under what is asked: what it costs, what it misses, and what is not tried yet.

use super::answer::{Moved, Parts, State, Verdict};
use super::carried::{Candidate, Carried};
use super::run::{Limits, Miss};
use super::seen::{self, Known};
use super::settings::Settings;
use crate::costing::{Case, Costing, Name};
use crate::endurance::{Endurance, years_until};
use crate::facts::{Drive, LatencyErrors, Prices, Seen};
use crate::latency;
use crate::loss::closed;
use crate::requirement::Requirements;
use crate::span::Span;
use crate::verdict;
use drivecast_block::math::pow;
use std::collections::BTreeMap;

/// How many times the data loss of the closed form may be that of the simulation: 1.3 at most in arrays tried.
const CLOSED_FORM_SLACK: f64 = 1.5;
/// How much fuller than in its runs a design may be until they say nothing of it.
const FULLER: f64 = 1.001;
/// Untried designs that are named at once, cheapest first: those that may be tried before the next are named.
const OPEN_MAX: usize = 12;

/// What all designs are judged by.
pub(super) struct Bench<'a> {
    carried: &'a Carried,
    settings: &'a Settings,
    pub(super) needs: Requirements,
    prices: Prices,
    drives: BTreeMap<&'a str, Drive>,
    limits: Limits,
    then: Limits,
}

impl<'a> Bench<'a> {
    pub(super) fn new(carried: &'a Carried, settings: &'a Settings) -> Bench<'a> {
        let needs = settings.requirements(&carried.needs);
        let drives = &carried.drives;
        Bench {
            carried,
            settings,
            prices: settings.other_prices(&carried.prices),
            drives: drives.iter().map(|(name, each)| (name.as_str(), settings.drive(each))).collect(),
            limits: Limits::of(&needs),
            then: Limits::of(&carried.needs),
            needs,
        }
    }

    pub(super) fn drive(&self, candidate: &Candidate) -> &Drive {
        &self.drives[candidate.drive.as_str()]
    }

    fn errors(&self, candidate: &Candidate) -> Option<&LatencyErrors> {
        self.carried.latency_errors.get(self.carried.drives.get(&candidate.drive)?.latency?)
    }

    pub(super) fn verdict(&self, index: usize, candidate: &Candidate, seen: &Seen) -> (Verdict, Costing) {
        let (design, drive, needs) = (&candidate.design, self.drive(candidate), &self.needs);
        let costing =
            Case { design, drive, seen, prices: &self.prices, load: &self.carried.load, needs }.costing();
        let (data_loss, loss_method) = self.loss(candidate);
        let (speed, is_known) = self.speed(candidate, seen);
        let worn_out = verdict::worn_out(&costing, needs).map(Miss::from);
        let (tolerated, worn_out) = if costing.is_tolerated { (worn_out, None) } else { (None, worn_out) };
        let mut misses: Vec<Miss> = self.shape(candidate);
        misses.extend(speed);
        misses.extend(worn_out);
        let total_usd = costing.cost.total_usd();
        let others = [
            verdict::over_budget(total_usd, needs),
            verdict::over_power(costing.power_w.value, needs),
            verdict::too_likely(data_loss.value, needs),
        ];
        misses.extend(others.into_iter().flatten().map(Miss::from));
        let state = match (misses.is_empty(), is_known) {
            (false, _) => State::Misses,
            (true, true) => State::Fits,
            (true, false) => State::Unknown,
        };
        let (held, missed) = seen::edges(candidate, self.limits, self.then);
        let peak = self.settings.peak_times;
        let is_searched = candidate.refined
            && candidate.edges(self.then).any(|edges| edges.limits == self.limits && edges.held.is_some());
        let verdict = Verdict {
            index,
            line: design.line.clone(),
            state,
            misses,
            tolerated: tolerated.into_iter().collect(),
            total_usd: costing.total_usd,
            cost: costing.cost.into(),
            life_years: costing.life_years(),
            life_limit: costing.life.as_ref().map(Endurance::limit),
            power_w: costing.power_w,
            data_loss,
            loss_method,
            headroom: held.filter(|_| is_searched).map(|times| times / peak),
            held: held.map(|times| times / peak),
            missed: missed.map(|times| times / peak),
            read_p99_ns: candidate.read_p99_ns,
            write_p99_ns: candidate.write_p99_ns,
            latency_chance: self.chance(candidate),
            usable_bytes: design.usable_bytes(drive),
            moves: Vec::new(),
        };
        (verdict, costing)
    }

    /// What its redundancy and capacity miss.
    fn shape(&self, candidate: &Candidate) -> Vec<Miss> {
        let tolerated = candidate.design.redundancy().map_or(0, |group| group.failures);
        let usable = candidate.design.usable_bytes(self.drive(candidate));
        let found =
            [verdict::too_few_losses(tolerated, &self.needs), verdict::too_small(usable, &self.needs)];
        found.into_iter().flatten().map(Miss::from).collect()
    }

    /// The limit on latency that it misses, and whether what it meets is known.
    fn speed(&self, candidate: &Candidate, seen: &Seen) -> (Option<Miss>, bool) {
        let peak = self.settings.peak_times;
        let drive = self.drive(candidate);
        let fill = self.carried.fill(&candidate.design, drive, &self.needs);
        if fill > candidate.fill * FULLER {
            return (None, false);
        }
        if candidate.misses_backup {
            return (Some(Miss::of("backup")), true);
        }
        let mut is_known = !self.carried.wears(drive) || seen.wear.is_some();
        for load in [peak, peak * self.needs.headroom] {
            match seen::at(candidate, load, self.limits, self.then) {
                Known::Held => {}
                Known::Missed(miss) => return (Some(miss), true),
                Known::Unknown => is_known = false,
            }
        }
        if self.carried.over_all {
            // A peak that is multiplied multiplies all of the log. What is not kept up with at the peak is said above.
            let miss = candidate.whole.as_ref().map(|run| (run.times, run.miss(self.limits)));
            match miss {
                Some((times, Some(miss))) if miss.kind == "latency" && times <= peak => {
                    return (Some(Miss { over_all: true, ..miss }), true);
                }
                Some((times, None)) if times >= peak => {}
                Some((times, Some(miss))) if times >= peak && miss.kind != "latency" => {}
                _ => is_known = false,
            }
        }
        (None, is_known)
    }

    /// The chance of losing data: simulated, where nothing changed that decides it, or in closed form.
    fn loss(&self, candidate: &Candidate) -> (Span, &'static str) {
        let (needs, then) = (&self.needs, &self.carried.needs);
        let is_old = needs.years == then.years
            && needs.scrub_days == then.scrub_days
            && needs.growth_per_year == then.growth_per_year
            && needs.hours_per_day == then.hours_per_day;
        match candidate.simulated_loss {
            Some(loss) if is_old => (loss, "simulated"),
            _ => (self.closed(candidate), "closed form"),
        }
    }

    fn closed(&self, candidate: &Candidate) -> Span {
        let drive = self.drive(candidate);
        candidate.design.redundancy().map_or(Span::exactly(1.0), |group| {
            let (years, scrub_days) = (self.needs.years, self.needs.scrub_days);
            let bytes = drive.user_bytes as f64;
            closed(group, bytes, candidate.design.spares, &drive.reliability, years, scrub_days).probability
        })
    }

    /// The chance that the limits hold at the measured peak, where an interval goes beyond; none where they lie within.
    fn chance(&self, candidate: &Candidate) -> Option<f64> {
        let errors = self.errors(candidate)?;
        let ops = [
            (&errors.read, candidate.read_p99_ns, self.limits.read),
            (&errors.write, candidate.write_p99_ns, self.limits.write),
        ];
        let mut chance = None;
        for (errors, span, limit) in ops {
            let (Some(span), Some(limit)) = (span, limit) else { continue };
            let limit = limit as f64;
            if span.value > limit {
                return None;
            }
            if span.high > limit {
                chance = Some(chance.unwrap_or(1.0) * latency::chance(errors, span.value, limit));
            }
        }
        chance
    }

    pub(super) fn moves(&self, candidate: &Candidate, costing: &Costing) -> Vec<Moved> {
        costing
            .moves
            .iter()
            .map(|each| {
                let (provenance, source) = self.origin(candidate, each.name);
                Moved {
                    name: each.name.text(),
                    unit: each.name.unit(),
                    span: costing.inputs[each.name as usize],
                    provenance,
                    source,
                    total_low_usd: each.low,
                    total_high_usd: each.high,
                }
            })
            .collect()
    }

    /// How an input is known, and from where.
    fn origin(&self, candidate: &Candidate, name: Name) -> (String, String) {
        let (drive, prices) = (self.drive(candidate), &self.prices);
        let figure = match name {
            Name::DrivePrice => &drive.price,
            Name::Decline => prices.decline(drive),
            Name::Electricity => &prices.usd_per_kwh,
            Name::Pue => &prices.pue,
            Name::Residual => &prices.residual,
            Name::Slot => &prices.slot,
            Name::Enclosure => &prices.enclosure,
            Name::Controller => &prices.controller,
            Name::Cycles => {
                let [provenance, source] = drive.cycles.clone().unwrap_or_default();
                return (provenance, source);
            }
            Name::FailureRate => {
                return ("measured".into(), "the sheet's promise to what fleets report".into());
            }
            Name::Hours => return ("assumed".into(), "hours of a day that look like the log".into()),
            Name::Growth => return ("assumed".into(), "of data and load, a year".into()),
            Name::Power => return ("derived".into(), "idle to always at the peak".into()),
            Name::Amplification => return ("derived".into(), "simulated".into()),
        };
        (figure.provenance.clone(), figure.source.clone())
    }

    /// Untried designs that no bound rules out and that may cost less than the first.
    pub(super) fn open(&self, designs: &[Candidate], most_usd: f64) -> Vec<Verdict> {
        let untried = designs.iter().enumerate().filter(|(_, each)| each.seen.is_none());
        let mut found: Vec<(f64, usize)> = untried
            .map(|(index, each)| (self.least_usd(each), index))
            .filter(|(least_usd, index)| *least_usd <= most_usd && !self.is_ruled_out(&designs[*index]))
            .collect();
        found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        found.truncate(OPEN_MAX);
        found.into_iter().map(|(least_usd, index)| self.untried(index, &designs[index], least_usd)).collect()
    }

    /// What the bounds say of a design.
    fn untried(&self, index: usize, candidate: &Candidate, least_usd: f64) -> Verdict {
        let unknown = f64::NAN;
        Verdict {
            index,
            line: candidate.design.line.clone(),
            state: State::Unknown,
            misses: Vec::new(),
            tolerated: Vec::new(),
            total_usd: Span::new(least_usd, unknown, unknown),
            cost: Parts::default(),
            life_years: None,
            life_limit: None,
            power_w: Span::exactly(unknown),
            data_loss: self.closed(candidate),
            loss_method: "closed form",
            headroom: None,
            held: None,
            missed: None,
            read_p99_ns: None,
            write_p99_ns: None,
            latency_chance: None,
            usable_bytes: candidate.design.usable_bytes(self.drive(candidate)),
            moves: Vec::new(),
        }
    }

    fn is_ruled_out(&self, candidate: &Candidate) -> bool {
        let (design, drive, needs) = (&candidate.design, self.drive(candidate), &self.needs);
        !self.shape(candidate).is_empty()
            || needs.budget_usd.is_some_and(|most| self.least_usd(candidate) > most)
            || needs.power_w_max.is_some_and(|most| f64::from(design.count) * drive.idle_w > most)
            || self.closed(candidate).value > CLOSED_FORM_SLACK * needs.data_loss
            || self.wears_out(candidate)
    }

    /// By rated writes at a write amplification of 1, shared by the data drives.
    fn wears_out(&self, candidate: &Candidate) -> bool {
        let (design, needs) = (&candidate.design, &self.needs);
        let tbw = self.drive(candidate).rating.as_ref().and_then(|rating| rating.tbw_bytes);
        let data_drives = design.redundancy().map_or(1, |group| group.data_drives());
        let per_day = needs.write_bytes_per_day(&self.carried.load) / f64::from(data_drives);
        tbw.is_some_and(|tbw| years_until(tbw, per_day, needs.growth_per_year) < needs.endures_years())
    }

    /// The drives' price, less what they bring at the end unworn.
    fn least_usd(&self, candidate: &Candidate) -> f64 {
        let (drive, prices) = (self.drive(candidate), &self.prices);
        let fall = prices.decline(drive).span.value;
        let back = prices.residual.span.value * pow(1.0 - fall, self.needs.years);
        f64::from(candidate.design.count) * drive.price.span.value * (1.0 - back).max(0.0)
    }
}
