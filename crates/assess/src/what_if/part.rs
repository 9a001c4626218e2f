//! A design in the parts that are judged apart, and what they come to together.
//!
//! Model. A design of one kind of drive is one part. Of a cache and what is behind it, money and power add up, bounds
//! too, since prices of all drives rise together; the life is that of the part that is worn out first; and data are lost
//! where either part loses some. What is of one part alone is a figure of that part: a sum or a product of one is itself.

use super::answer::{Moved, Parts, Side};
use super::run::Miss;
use crate::cost::Cost;
use crate::costing::Costing;
use crate::draw;
use crate::endurance::Endurance;
use crate::facts::{Design, Drive, Seen};
use crate::loss::of_any;
use crate::requirement::Requirements;
use crate::span::Span;
use crate::verdict;

/// What a part is judged by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked<'a> {
    pub(super) drive: &'a str,
    pub(super) design: &'a Design,
    pub(super) seen: &'a Seen,
    /// What is written to it, at the log's rate.
    pub(super) write_bytes_per_day: f64,
}

/// A part that was judged.
#[derive(Clone, Debug)]
pub(super) struct Part<'a> {
    /// What a missed requirement is said to be of; none where it is all of the design.
    pub(super) volume: Option<&'static str>,
    pub(super) drive: &'a Drive,
    pub(super) costing: Costing,
    pub(super) loss: Span,
    pub(super) loss_method: &'static str,
    /// That the limits on latency hold; none where that is not in doubt, or does not depend on its drives.
    pub(super) latency_chance: Option<f64>,
    /// Of a side of a cached design: the share of time in which it works at the peak, and what is written to it a day.
    pub(super) of_cache: Option<(f64, f64)>,
}

impl Part<'_> {
    /// As far as it is drawn.
    pub(super) fn drawn(&self) -> draw::Judged<'_> {
        draw::Judged {
            drive: self.drive,
            costing: &self.costing,
            loss: self.loss,
            latency_chance: self.latency_chance,
        }
    }
}

/// A figure of all parts, bound by bound.
pub(super) fn sum(parts: &[Part], of: impl Fn(&Costing) -> Span) -> Span {
    parts.iter().fold(Span::default(), |sum, part| {
        let Span { low, value, high } = of(&part.costing);
        Span::new(sum.low + low, sum.value + value, sum.high + high)
    })
}

/// Money of all parts.
pub(super) fn cost(parts: &[Part]) -> Parts {
    parts.iter().map(|part| Parts::from(part.costing.cost)).fold(Parts::default(), |sum, part| Parts {
        purchase: sum.purchase + part.purchase,
        hosting: sum.hosting + part.hosting,
        energy: sum.energy + part.energy,
        replacement: sum.replacement + part.replacement,
        labor: sum.labor + part.labor,
        loss: sum.loss + part.loss,
        outage: sum.outage + part.outage,
        expansion: sum.expansion + part.expansion,
        residual: sum.residual + part.residual,
        rent: 0.0,
    })
}

/// The life of the part that is worn out first.
pub(super) fn life<'a>(parts: &'a [Part]) -> Option<&'a Endurance> {
    let lives = parts.iter().filter_map(|part| part.costing.life.as_ref());
    lives.min_by(|a, b| a.life_years().value.total_cmp(&b.life_years().value))
}

/// The chance that any part loses data, and how it is known.
pub(super) fn lost(parts: &[Part]) -> (Span, &'static str) {
    if let [only] = parts {
        return (only.loss, only.loss_method);
    }
    let of = |bound: fn(&Span) -> f64| of_any(parts.iter().map(|part| bound(&part.loss)));
    let is_simulated = parts.iter().all(|part| part.loss_method == "simulated");
    let span = Span::new(of(|loss| loss.low), of(|loss| loss.value), of(|loss| loss.high));
    (span, if is_simulated { "simulated" } else { "closed form" })
}

/// Parts that last shorter than the years: within the tolerance, and beyond it.
pub(super) fn worn_out(parts: &[Part], needs: &Requirements) -> (Vec<Miss>, Vec<Miss>) {
    let (mut tolerated, mut missed) = (Vec::new(), Vec::new());
    for part in parts {
        let into = if part.costing.is_tolerated { &mut tolerated } else { &mut missed };
        let found = verdict::worn_out(&part.costing, needs).map(Miss::from);
        into.extend(found.map(|miss| Miss { volume: part.volume, ..miss }));
    }
    (tolerated, missed)
}

/// The sides of a cached design as the page shows them; none of another.
pub(super) fn sides(parts: &[Part]) -> Vec<Side> {
    parts
        .iter()
        .filter_map(|part| {
            let (utilization, written_bytes_per_day) = part.of_cache?;
            let Costing { total_usd, power_w, life, .. } = &part.costing;
            Some(Side {
                name: part.volume?,
                total_usd: *total_usd,
                power_w: *power_w,
                life_years: life.as_ref().map(Endurance::life_years),
                life_limit: life.as_ref().map(Endurance::limit),
                data_loss: part.loss,
                utilization,
                written_bytes_per_day,
            })
        })
        .collect()
}

/// What moves the cost of two parts: what is of a drive is of one part, what is of the load or the place moves both at
/// once. Where a part does not move with an input, it costs what it costs.
pub(super) fn moved_together(parts: &[Part], mut moves: Vec<Vec<(bool, Moved)>>) -> Vec<Moved> {
    let totals: Vec<f64> = parts.iter().map(|part| part.costing.cost.total_usd()).collect();
    let all: f64 = totals.iter().sum();
    let mut found: Vec<Moved> = Vec::new();
    for (at, of_part) in moves.iter_mut().enumerate() {
        for (is_of_drive, mut each) in of_part.drain(..) {
            let others = all - totals[at];
            if is_of_drive {
                each.name = format!("{} of the {}", each.name, parts[at].volume.unwrap_or_default());
            }
            if let Some(same) = found.iter_mut().find(|same| same.name == each.name) {
                same.total_low_usd += each.total_low_usd - totals[at];
                same.total_high_usd += each.total_high_usd - totals[at];
            } else {
                (each.total_low_usd, each.total_high_usd) =
                    (each.total_low_usd + others, each.total_high_usd + others);
                found.push(each);
            }
        }
    }
    found.sort_by(|a, b| b.swing().total_cmp(&a.swing()).then_with(|| a.name.cmp(&b.name)));
    found
}

impl From<Cost> for Parts {
    fn from(cost: Cost) -> Parts {
        Parts {
            purchase: cost.purchase_usd,
            hosting: cost.hosting_usd,
            energy: cost.energy_usd,
            replacement: cost.replacement_usd,
            labor: cost.labor_usd,
            loss: cost.loss_usd,
            outage: cost.outage_usd,
            expansion: cost.expansion_usd,
            residual: cost.residual_usd,
            rent: 0.0,
        }
    }
}
