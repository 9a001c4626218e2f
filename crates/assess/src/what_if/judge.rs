//! All designs of a plan, judged under other requirements and prices.

use super::answer::{Judged, Place, State, Verdict};
use super::bench::Bench;
use super::carried::{Candidate, Carried};
use super::part::Part;
use super::proposal::Proposed;
use super::settings::Settings;
use crate::draw::{self, Draw};
use crate::pareto::{compared, front};
use crate::rank::{Drawn, Entry, standings};
use crate::span::Span;

/// Designs that say what moves their cost, best first.
const DETAILED: usize = 30;

/// A plan that is asked again and again.
#[derive(Debug)]
pub struct Judge {
    carried: Carried,
    designs: Vec<Candidate>,
    draw: Draw,
}

impl Judge {
    /// Of what a plan carries.
    #[must_use]
    pub fn new(mut carried: Carried) -> Judge {
        let mut designs = std::mem::take(&mut carried.designs);
        designs.append(&mut carried.space);
        let draw = Draw::new(carried.seed);
        Judge { carried, designs, draw }
    }

    /// What it was made of; its designs are with the judge.
    #[must_use]
    pub const fn carried(&self) -> &Carried {
        &self.carried
    }

    /// All designs, by their place.
    #[must_use]
    pub fn designs(&self) -> &[Candidate] {
        &self.designs
    }

    /// Takes a design that was tried, with what was known of it before; returns its place.
    ///
    /// # Errors
    /// Its drive is not of the plan.
    pub fn add(&mut self, tried: Candidate) -> Result<usize, String> {
        if let Some(rented) = &tried.rented {
            self.carried.rental.name(rented)?;
        }
        if let Some(unknown) = tried.drives().find(|name| !self.carried.drives.contains_key(*name)) {
            return Err(format!("no drive `{unknown}` in this plan"));
        }
        let at = self.designs.iter().position(|each| each.design.line == tried.design.line);
        if let Some(at) = at {
            let before = self.designs[at].clone();
            self.designs[at] = tried.merged(before);
            return Ok(at);
        }
        self.designs.push(tried);
        Ok(self.designs.len() - 1)
    }

    /// Judges all designs.
    ///
    /// # Errors
    /// A setting is out of its bounds.
    pub fn judge(&mut self, settings: Settings) -> Result<Judged, String> {
        let settings = settings.completed(&self.carried)?;
        let (at, proposed) = self.propose(&settings)?;
        let bench = Bench::new(&self.carried, &settings);
        let mut verdicts = Vec::new();
        let mut parts = Vec::new();
        for (index, candidate) in self.designs.iter().enumerate() {
            if let Some(seen) = &candidate.seen {
                let (verdict, of) = bench.verdict(index, candidate, seen);
                verdicts.push(verdict);
                parts.push(of);
            } else if let Some(verdict) = bench.broken_off(index, candidate) {
                verdicts.push(verdict);
                parts.push(Vec::new());
            }
        }
        let order = self.order(&bench, &verdicts, &parts);
        for place in order.iter().take(DETAILED) {
            let of = verdicts.iter().position(|each| each.index == place.index);
            if let Some(at) = of {
                verdicts[at].moves = bench.moves(&parts[at]);
            }
        }
        let first = order.first().and_then(|first| verdicts.iter().find(|each| each.index == first.index));
        let most_usd = first.map_or(f64::INFINITY, |first| first.total_usd.value);
        verdicts.extend(bench.open(&self.designs, &at, most_usd));
        let given = bench.given();
        Ok(Judged { settings, designs: verdicts, order, given, proposed })
    }

    /// Takes in what kinds of volumes propose under these settings, each under a place of its own from then on.
    fn propose(&mut self, settings: &Settings) -> Result<(Vec<usize>, Vec<Proposed>), String> {
        let Judge { carried, designs, .. } = self;
        let needs = settings.requirements(&carried.needs);
        let (mut at, mut proposed) = (Vec::new(), Vec::new());
        for candidate in carried.rental.proposed(&needs, settings.peak_times, designs) {
            let known = designs.iter().position(|each| each.design.line == candidate.design.line);
            let index = known.unwrap_or_else(|| {
                designs.push(candidate);
                designs.len() - 1
            });
            proposed.push(Proposed { index, design: carried.rental.described(&designs[index])? });
            at.push(index);
        }
        Ok((at, proposed))
    }

    /// Whether limits are known to be missed with a drive lost, or all is lost with the instance that it is inside of.
    fn misses_degraded(&self, bench: &Bench, candidate: &Candidate) -> bool {
        let is_inside = candidate.rented.as_ref().is_some_and(|rented| self.carried.rental.is_inside(rented));
        bench.is_as_planned() && candidate.missed_h > 0.0 || bench.needs.drive_losses > 0 && is_inside
    }

    fn order(&self, bench: &Bench, verdicts: &[Verdict], parts: &[Vec<Part>]) -> Vec<Place> {
        let mut draw = self.draw.clone();
        let fits: Vec<(&Verdict, &Vec<Part>)> =
            verdicts.iter().zip(parts).filter(|(each, _)| each.state == State::Fits).collect();
        let drawn: Vec<Drawn> = fits
            .iter()
            .map(|(verdict, parts)| {
                if let Some(rented) = &self.designs[verdict.index].rented {
                    let cost_usd = Some(verdict.total_usd).filter(|usd| usd.value.is_finite());
                    return Drawn::rented(self.carried.rental.vendor(rented), cost_usd, &mut draw);
                }
                let endures_years = bench.needs.endures_years();
                let judged: Vec<(draw::Judged, f64)> =
                    parts.iter().map(|part| (part.drawn(), endures_years)).collect();
                Drawn::bought(&judged, bench.needs.data_loss, &mut draw)
            })
            .collect();
        let entries: Vec<Entry> = fits
            .iter()
            .zip(&drawn)
            .map(|((verdict, _), drawn)| Entry {
                line: &verdict.line,
                drawn,
                drives: self.designs[verdict.index].drives_bought(),
                complexity: self.designs[verdict.index].complexity(),
                measured: self
                    .carried
                    .drives
                    .get(&self.designs[verdict.index].drive)
                    .is_some_and(|drive| drive.measured),
                // No chance is known of what goes with its instance.
                loss: Some(verdict.data_loss.value).filter(|loss| !loss.is_nan()).unwrap_or(f64::INFINITY),
                headroom: verdict.headroom,
                p99_ns: p99_ns(verdict),
                misses_degraded: self.misses_degraded(bench, &self.designs[verdict.index]),
                degraded_p99_ns: self.designs[verdict.index]
                    .degraded_p99_ns
                    .filter(|_| bench.is_as_planned()),
            })
            .collect();
        let places = standings(&entries);
        let costs: Vec<_> = places
            .iter()
            .map(|place| {
                let of = fits[place.at].0;
                let p99 = |span: Option<Span>| span.map(|span| span.value);
                let life = of.life_years.map(|span| span.value);
                compared(of.total_usd.value, p99(of.read_p99_ns), p99(of.write_p99_ns), life)
            })
            .collect();
        let leading = front(&costs);
        places
            .iter()
            .zip(leading)
            .map(|(place, pareto)| Place {
                index: fits[place.at].0.index,
                tier: place.tier,
                chance_cheapest: place.chance_cheapest,
                pareto,
            })
            .collect()
    }
}

fn p99_ns(verdict: &Verdict) -> f64 {
    let sum: f64 =
        [verdict.read_p99_ns, verdict.write_p99_ns].into_iter().flatten().map(|span| span.value).sum();
    if sum > 0.0 { sum } else { 1.0 }
}
