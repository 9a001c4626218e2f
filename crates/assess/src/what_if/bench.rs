//! One design under what is asked: what it costs, what it misses, and what is not tried yet.

use super::answer::{Moved, State, Verdict};
use super::cached::SIDES;
use super::carried::{Candidate, Carried};
use super::known_loads::{self, Known};
use super::part::{self, Asked, Part};
use super::run::{Limits, Miss};
use super::settings::Settings;
use crate::costing::{Case, Costing, Name};
use crate::endurance::{Endurance, years_until};
use crate::facts::{Design, Drive, Figure, LatencyErrors, Load, Prices, Seen};
use crate::latency::{self, DriveErrors};
use crate::loss::{closed, of_any};
use crate::requirement::Requirements;
use crate::sensitivity::Move;
use crate::span::Span;
use crate::verdict;
use drivecast_block::math::pow;
use std::collections::BTreeMap;

/// How many times the data loss of the closed form may be that of the simulation: 1.3 at most in arrays tried.
const CLOSED_FORM_SLACK: f64 = 1.5;
/// How much fuller than in its runs a design may be until they say nothing of it.
pub(super) const FULLER: f64 = 1.001;
/// Untried designs that are named at once, cheapest first: those that may be tried before the next are named.
const OPEN_MAX: usize = 12;

/// What all designs are judged by.
pub(super) struct Bench<'a> {
    pub(super) carried: &'a Carried,
    pub(super) settings: &'a Settings,
    pub(super) needs: Requirements,
    prices: Prices,
    drives: BTreeMap<&'a str, Drive>,
    pub(super) limits: Limits,
    pub(super) then: Limits,
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

    /// Whether the peak and its limits are those of the plan.
    pub(super) fn is_as_planned(&self) -> bool {
        self.limits == self.then && self.settings.peak_times == 1.0
    }

    pub(super) fn drive(&self, candidate: &Candidate) -> &Drive {
        self.named(&candidate.drive)
    }

    pub(super) fn named(&self, name: &str) -> &Drive {
        &self.drives[name]
    }

    /// Of the drives that most requests meet: a cache's, where there is one.
    fn errors(&self, candidate: &Candidate) -> Option<&LatencyErrors> {
        let drive = candidate.cached.as_ref().map_or(&candidate.drive, |cached| &cached.cache.drive);
        self.carried.latency_errors.get(self.carried.drives.get(drive)?.latency?)
    }

    pub(super) fn verdict<'b>(
        &'b self,
        index: usize,
        candidate: &Candidate,
        seen: &Seen,
    ) -> (Verdict, Vec<Part<'b>>) {
        if let Some(rented) = &candidate.rented {
            return (self.rented(index, candidate, rented), Vec::new());
        }
        let needs = &self.needs;
        let is_searched = candidate.refined
            && candidate.edges(self.then).any(|edges| edges.limits == self.limits && edges.held.is_some());
        let (held, missed) = known_loads::edges(candidate, self.limits, self.then);
        let peak = self.settings.peak_times;
        let (held, missed) = (held.map(|times| times / peak), missed.map(|times| times / peak));
        let (speed, is_known) = self.speed(candidate);
        let missed_h = if self.is_as_planned() { candidate.missed_h } else { 0.0 };
        let seen = &Seen { held: held.filter(|_| speed.is_none()), missed_h, ..*seen };
        let parts = self.parts(candidate, seen);
        let (data_loss, loss_method) = part::lost(&parts);
        let (total_usd, power_w) =
            (part::sum(&parts, |costing| costing.total_usd), part::sum(&parts, |costing| costing.power_w));
        let mut misses: Vec<Miss> = self.shape(candidate);
        misses.extend(speed);
        let (tolerated, worn_out) = part::worn_out(&parts, needs);
        misses.extend(worn_out);
        let others = [
            verdict::over_budget(parts.iter().map(|part| part.costing.cost.planned_usd()).sum(), needs),
            verdict::over_power(power_w.value, needs),
            verdict::too_likely(data_loss.value, needs),
        ];
        misses.extend(others.into_iter().flatten().map(Miss::from));
        let is_worn = self.is_wear_known(candidate, seen);
        let state = match (misses.is_empty(), is_known && is_worn) {
            (false, _) => State::Misses,
            (true, true) => State::Fits,
            (true, false) => State::Unknown,
        };
        let life_is_open = misses.is_empty() && is_known && !is_worn;
        let (p99_times, p99) = self.p99(candidate);
        let life = part::life(&parts);
        let verdict = Verdict {
            index,
            line: candidate.design.line.clone(),
            state,
            misses,
            tolerated,
            total_usd,
            cost: part::cost(&parts),
            life_years: life.map(Endurance::life_years),
            life_limit: life.map(Endurance::limit),
            life_is_open,
            rest_is_open: false,
            power_w,
            data_loss,
            loss_method,
            headroom: held.filter(|_| is_searched),
            held,
            missed,
            read_p99_ns: p99[0],
            write_p99_ns: p99[1],
            p99_times,
            latency_chance: self.chance(candidate),
            usable_bytes: candidate.design.usable_bytes(self.drive(candidate)),
            monthly_usd: None,
            sides: part::sides(&parts),
            moves: Vec::new(),
        };
        (verdict, parts)
    }

    /// A design in parts that are judged apart: a cache and what is behind it; else the design.
    fn parts<'b>(&'b self, candidate: &Candidate, seen: &Seen) -> Vec<Part<'b>> {
        if let Some(cached) = &candidate.cached {
            return self.sides(candidate, cached, seen);
        }
        let (drive, latency_chance) = (self.drive(candidate), self.chance(candidate));
        let (loss, loss_method) = self.known_loss(candidate.simulated_loss, drive, &candidate.design);
        let asked = Asked {
            drive: &candidate.drive,
            design: &candidate.design,
            seen,
            write_bytes_per_day: self.carried.load.write_bytes_per_day,
        };
        let costing = self.costing(&asked);
        vec![Part { volume: None, drive, costing, loss, loss_method, latency_chance, of_cache: None }]
    }

    pub(super) fn costing(&self, asked: &Asked) -> Costing {
        let load = Load { write_bytes_per_day: asked.write_bytes_per_day, ..self.carried.load };
        let drive = &self.drives[asked.drive];
        let Asked { design, seen, .. } = *asked;
        Case { design, drive, seen, prices: &self.prices, load: &load, needs: &self.needs }.costing()
    }

    /// What its redundancy and capacity miss.
    fn shape(&self, candidate: &Candidate) -> Vec<Miss> {
        let tolerates = |design: &Design| design.redundancy().map_or(0, |group| group.failures);
        let own = tolerates(&candidate.design);
        let front = candidate.cached.as_ref().filter(|cached| cached.is_write_back());
        let tolerated = front.map_or(own, |cached| own.min(tolerates(&cached.cache.design)));
        let too_few = verdict::too_few_losses(tolerated, &self.needs).map(Miss::from);
        let usable = candidate.design.usable_bytes(self.drive(candidate));
        let too_small = verdict::too_small(usable, &self.needs).map(Miss::from);
        let too_few = too_few.map(|miss| Miss { volume: front.map(|_| SIDES[0]), ..miss });
        too_few.into_iter().chain(too_small).collect()
    }

    /// Whether how its flash wears is known, as far as it is written to.
    fn is_wear_known(&self, candidate: &Candidate, seen: &Seen) -> bool {
        let drive = self.drive(candidate);
        match &candidate.cached {
            Some(cached) => self.are_sides_worn(cached, drive, seen),
            None => !self.carried.wears(drive) || seen.wear.is_some(),
        }
    }

    /// The limit on latency that it misses, and whether what it meets is known.
    fn speed(&self, candidate: &Candidate) -> (Option<Miss>, bool) {
        let peak = self.settings.peak_times;
        let drive = self.drive(candidate);
        let fill = self.carried.fill(&candidate.design, drive, &self.needs);
        if fill > candidate.fill * FULLER {
            return (None, false);
        }
        if candidate.misses_backup {
            return (Some(Miss::of("backup")), true);
        }
        let mut is_known = match self.at_loads(candidate) {
            Known::Missed(miss) => return (Some(miss), true),
            found => found == Known::Held,
        };
        if self.carried.over_all {
            // A peak that is multiplied multiplies all of the log. What it falls behind of at the peak is said above.
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

    /// What the runs say of the peak and of the required headroom together.
    pub(super) fn at_loads(&self, candidate: &Candidate) -> Known {
        let peak = self.settings.peak_times;
        let mut found = Known::Held;
        for load in [peak, peak * self.needs.headroom] {
            match known_loads::at(candidate, load, self.limits, self.then) {
                Known::Held => {}
                Known::Unknown => found = Known::Unknown,
                missed @ Known::Missed(_) => return missed,
            }
        }
        found
    }

    /// The chance of losing data: simulated, where nothing changed that decides it, or in closed form.
    pub(super) fn known_loss(
        &self,
        simulated: Option<Span>,
        drive: &Drive,
        design: &Design,
    ) -> (Span, &'static str) {
        let (needs, then) = (&self.needs, &self.carried.needs);
        let is_old = needs.years == then.years
            && needs.scrub_days == then.scrub_days
            && needs.growth_per_year == then.growth_per_year
            && needs.hours_per_day == then.hours_per_day;
        match simulated {
            Some(loss) if is_old => (loss, "simulated"),
            _ => (self.closed(drive, design), "closed form"),
        }
    }

    /// Of a cache and what is behind, too.
    fn closed_of_all(&self, candidate: &Candidate) -> Span {
        let own = self.closed(self.drive(candidate), &candidate.design);
        let Some(cached) = &candidate.cached else { return own };
        let (before, _) = self.cache_loss(cached);
        let any = |bound: fn(&Span) -> f64| of_any([bound(&before), bound(&own)]);
        Span::new(any(|loss| loss.low), any(|loss| loss.value), any(|loss| loss.high))
    }

    fn closed(&self, drive: &Drive, design: &Design) -> Span {
        design.redundancy().map_or(Span::exactly(1.0), |group| {
            let (years, scrub_days) = (self.needs.years, self.needs.scrub_days);
            let bytes = drive.user_bytes as f64;
            closed(group, bytes, design.spares, &drive.reliability, years, scrub_days).probability
        })
    }

    /// The p99 of reads and of writes at the peak asked, where that load was played, or else at the measured peak; and the load
    /// that they are of. The bounds of another peak are those of the model alone: flash times were not varied there.
    fn p99(&self, candidate: &Candidate) -> (f64, [Option<Span>; 2]) {
        let peak = self.settings.peak_times;
        let Some(run) = candidate.runs.iter().find(|run| run.times == peak && peak != 1.0) else {
            return (1.0, [candidate.read_p99_ns, candidate.write_p99_ns]);
        };
        let errors = self.errors(candidate);
        let of = |value: f64, errors: Option<&[DriveErrors]>| {
            errors.map_or(Span::exactly(value), |errors| latency::bounds(errors, value))
        };
        let read = run.read_p99_ns.map(|value| of(value, errors.map(|each| each.read.as_slice())));
        let write = run.write_p99_ns.map(|value| of(value, errors.map(|each| each.write.as_slice())));
        (peak, [read, write])
    }

    /// The chance that the limits hold, where an interval goes beyond; none where they lie within.
    pub(super) fn chance(&self, candidate: &Candidate) -> Option<f64> {
        let (_, [read, write]) = self.p99(candidate);
        let errors = self.errors(candidate)?;
        let ops = [(&errors.read, read, self.limits.read), (&errors.write, write, self.limits.write)];
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

    /// The prices that are not those of the plan, by drive, and that of electricity.
    pub(super) fn given(&self) -> BTreeMap<String, Figure> {
        let drives =
            self.drives.iter().map(|(name, drive)| (*name, &drive.price, &self.carried.drives[*name].price));
        let energy = ("usd_per_kwh", &self.prices.usd_per_kwh, &self.carried.prices.usd_per_kwh);
        let given = drives.chain([energy]).filter(|(_, now, before)| now != before);
        given.map(|(name, now, _)| (name.to_owned(), now.clone())).collect()
    }

    pub(super) fn moves(&self, parts: &[Part]) -> Vec<Moved> {
        let of = |part: &Part| -> Vec<(bool, Moved)> {
            let moves = part.costing.moves.iter();
            moves.map(|each| (!each.name.is_of_load(), self.moved(part, each))).collect()
        };
        match parts {
            [only] => of(only).into_iter().map(|(_, moved)| moved).collect(),
            _ => part::moved_together(parts, parts.iter().map(of).collect()),
        }
    }

    fn moved(&self, part: &Part, each: &Move<Name>) -> Moved {
        let (provenance, source) = self.origin(part.drive, each.name);
        Moved {
            name: each.name.text().to_owned(),
            unit: each.name.unit(),
            span: part.costing.inputs[each.name as usize],
            provenance,
            source,
            total_low_usd: each.low,
            total_high_usd: each.high,
        }
    }

    /// How an input is known, and from where.
    fn origin(&self, drive: &Drive, name: Name) -> (String, String) {
        let prices = &self.prices;
        let figure = match name {
            Name::DrivePrice => &drive.price,
            Name::Decline => prices.decline(drive),
            Name::Electricity => &prices.usd_per_kwh,
            Name::Pue => &prices.pue,
            Name::Residual => &prices.residual,
            Name::Slot => prices.slot(drive),
            Name::Adapter => &prices.adapter,
            Name::Enclosure => &prices.enclosure,
            Name::Controller => &prices.controller,
            Name::Visit => &prices.visit,
            Name::Outage => &prices.outage,
            Name::DataValue => &prices.data_value,
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

    /// A cached design whose run was broken off, so that no more is known of it than that it misses.
    pub(super) fn broken_off(&self, index: usize, candidate: &Candidate) -> Option<Verdict> {
        candidate.cached.as_ref().filter(|_| candidate.seen.is_none())?;
        let (miss, _) = self.speed(candidate);
        Some(Verdict {
            state: State::Misses,
            misses: vec![miss?],
            rest_is_open: true,
            ..self.untried(index, candidate, self.least_usd(candidate))
        })
    }

    /// Untried designs that no bound rules out and that may cost less than the first.
    pub(super) fn open(&self, designs: &[Candidate], proposed: &[usize], most_usd: f64) -> Vec<Verdict> {
        let is_meant = |(at, each): &(usize, &Candidate)| {
            each.seen.is_none()
                && self.broken_off(*at, each).is_none()
                && (proposed.contains(at) || !each.rented.as_ref().is_some_and(|rented| rented.search))
        };
        let untried = designs.iter().enumerate().filter(is_meant);
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
        if let Some(rented) = &candidate.rented {
            return self.rented_untried(index, candidate, rented);
        }
        Verdict {
            data_loss: self.closed_of_all(candidate),
            p99_times: self.settings.peak_times,
            usable_bytes: candidate.design.usable_bytes(self.drive(candidate)),
            ..Verdict::open(index, candidate.design.line.clone(), least_usd)
        }
    }

    fn is_ruled_out(&self, candidate: &Candidate) -> bool {
        if let Some(rented) = &candidate.rented {
            return self.rented_is_ruled_out(candidate, rented);
        }
        let needs = &self.needs;
        let idle_w: f64 = self.drives_of(candidate).map(|(drive, count)| count * drive.idle_w).sum();
        !self.shape(candidate).is_empty()
            || needs.budget_usd.is_some_and(|most| self.least_usd(candidate) > most)
            || needs.power_w_max.is_some_and(|most| idle_w > most)
            || self.closed_of_all(candidate).value > CLOSED_FORM_SLACK * needs.data_loss
            || self.wears_out(candidate)
            || candidate.cached.as_ref().is_some_and(|cached| self.misses_too_often(candidate, cached))
    }

    /// What it is made of, and how many of each are bought.
    fn drives_of<'b>(&'b self, candidate: &'b Candidate) -> impl Iterator<Item = (&'b Drive, f64)> {
        let front = candidate.cached.as_ref();
        let front = front.map(|cached| (self.front(cached), f64::from(cached.cache.design.count)));
        front.into_iter().chain([(self.drive(candidate), f64::from(candidate.design.count))])
    }

    /// By rated writes at a write amplification of 1, shared by the data drives.
    fn wears_out(&self, candidate: &Candidate) -> bool {
        let hours = self.needs.hours_per_day / 24.0;
        if let Some(cached) = &candidate.cached {
            let written = cached.written_bytes_per_day[0] * hours;
            return self.is_worn_out(self.front(cached), &cached.cache.design, written);
        }
        let written = self.needs.write_bytes_per_day(&self.carried.load);
        self.is_worn_out(self.drive(candidate), &candidate.design, written)
    }

    fn is_worn_out(&self, drive: &Drive, design: &Design, bytes_per_day: f64) -> bool {
        let needs = &self.needs;
        let tbw = drive.rating.as_ref().and_then(|rating| rating.tbw_bytes);
        let per_day = bytes_per_day / f64::from(design.redundancy().map_or(1, |group| group.data_drives()));
        tbw.is_some_and(|tbw| years_until(tbw, per_day, needs.growth_per_year) < needs.endures_years())
    }

    /// The price of drives and bays, less what the drives bring at the end unworn.
    fn least_usd(&self, candidate: &Candidate) -> f64 {
        if let Some(rented) = &candidate.rented {
            return self.rented_untried(0, candidate, rented).cost.rent;
        }
        let prices = &self.prices;
        let usd = |(drive, count): (&Drive, f64)| {
            let fall = prices.decline(drive).span.value;
            let back = prices.residual.span.value * pow(1.0 - fall, self.needs.years);
            count * (drive.price.span.value * (1.0 - back).max(0.0) + prices.slot(drive).span.value)
        };
        self.drives_of(candidate).map(usd).sum()
    }
}
