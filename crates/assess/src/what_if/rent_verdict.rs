//! What becomes of a rented design under what is asked.

use super::answer::{Parts, State, Verdict};
use super::bench::{Bench, FULLER};
use super::carried::Candidate;
use super::known_loads::{self, Known};
use super::rented::{Rental, Rented};
use super::run::Miss;
use super::settings::Settings;
use crate::rental::over_years;
use crate::requirement::Requirements;
use crate::span::Span;
use crate::verdict;

impl Bench<'_> {
    /// A rented design that was played.
    pub(super) fn rented(&self, index: usize, candidate: &Candidate, rented: &Rented) -> Verdict {
        let (speed, is_known) = self.rented_speed(candidate, rented);
        let open = self.rented_untried(index, candidate, rented);
        let mut misses = self.rented_shape(candidate, rented);
        misses.extend(speed);
        misses.extend(self.rented_money(&open));
        let state = match (misses.is_empty(), is_known) {
            (false, _) => State::Misses,
            (true, true) => State::Fits,
            (true, false) => State::Unknown,
        };
        let (held, missed) = known_loads::edges(candidate, self.limits, self.then);
        let peak = self.settings.peak_times;
        let searched = |edges: super::run::Edges| edges.limits == self.limits && edges.held.is_some();
        let is_searched = candidate.refined && candidate.edges(self.then).any(searched);
        Verdict {
            state,
            misses,
            total_usd: self.rent_span(open.cost.rent),
            headroom: held.filter(|_| is_searched && state == State::Fits).map(|times| times / peak),
            held: held.map(|times| times / peak),
            missed: missed.map(|times| times / peak),
            read_p99_ns: candidate.read_p99_ns,
            write_p99_ns: candidate.write_p99_ns,
            ..open
        }
    }

    /// One that was not: its rent is known all the same.
    pub(super) fn rented_untried(&self, index: usize, candidate: &Candidate, rented: &Rented) -> Verdict {
        let (rental, design) = (&self.carried.rental, &candidate.design);
        let monthly_usd =
            rental.month(rented, design.count).map(|month| month.usd() * self.settings.prices.rent_times);
        let rent = monthly_usd.map_or(f64::NAN, |usd| over_years(usd, self.needs.years));
        let loss = rental.lost(rented, design, self.needs.years).unwrap_or(f64::NAN);
        Verdict {
            cost: Parts { rent, ..Parts::default() },
            monthly_usd,
            data_loss: Span::exactly(loss),
            loss_method: "closed form",
            life_limit: Some("none"),
            usable_bytes: rental.usable_bytes(rented, design),
            ..Verdict::open(index, design.line.clone(), rent)
        }
    }

    fn rent_span(&self, rent: f64) -> Span {
        let [low, high] = self.carried.rental.bounds;
        Span::new(rent * low, rent, rent * high)
    }

    /// What its size misses, and its redundancy where it goes with its instance.
    pub(super) fn rented_shape(&self, candidate: &Candidate, rented: &Rented) -> Vec<Miss> {
        let (rental, design) = (&self.carried.rental, &candidate.design);
        let tolerated = design.redundancy().map_or(0, |group| group.failures);
        let of_drives =
            rental.is_inside(rented).then(|| verdict::too_few_losses(tolerated, &self.needs)).flatten();
        let too_small = verdict::too_small(rental.usable_bytes(rented, design), &self.needs);
        of_drives.into_iter().chain(too_small).map(Miss::from).collect()
    }

    /// What its rent misses, and what its provider says of data that are lost.
    fn rented_money(&self, open: &Verdict) -> Vec<Miss> {
        let rental = &self.carried.rental;
        let spent = verdict::over_budget(open.cost.rent, &self.needs);
        let lossy = verdict::too_likely(open.data_loss.value, &self.needs)
            .filter(|_| loss_counts(rental, self.settings, &self.carried.needs));
        spent.into_iter().chain(lossy).map(Miss::from).collect()
    }

    /// Whether it may be tried: neither too small nor too dear.
    pub(super) fn rented_is_ruled_out(&self, candidate: &Candidate, rented: &Rented) -> bool {
        let open = self.rented_untried(0, candidate, rented);
        !self.rented_shape(candidate, rented).is_empty() || !self.rented_money(&open).is_empty()
    }

    /// The limit on latency that it misses, and whether what it meets is known.
    fn rented_speed(&self, candidate: &Candidate, rented: &Rented) -> (Option<Miss>, bool) {
        let usable = self.carried.rental.usable_bytes(rented, &candidate.design);
        let fill = (self.needs.capacity_bytes as f64 / usable as f64).min(1.0);
        let is_other_day = rented.hours_per_day.is_some_and(|hours| hours != self.needs.hours_per_day);
        if fill > candidate.fill * FULLER || is_other_day {
            return (None, false);
        }
        match self.at_loads(candidate) {
            Known::Missed(miss) => (Some(miss), true),
            found => (None, found == Known::Held),
        }
    }
}

/// Whether somebody asks for less loss of data than the plan's default.
fn loss_counts(rental: &Rental, settings: &Settings, then: &Requirements) -> bool {
    rental.loss_is_given || settings.data_loss != then.data_loss
}
