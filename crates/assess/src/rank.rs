//! The order of the designs that fit, where prices, lives and latencies are known between bounds only.
//!
//! Model. What is not known is drawn for all designs at once ([`draw`](crate::draw)). A design is the cheapest with the
//! share of the draws in which it fits and none that fits costs less. Designs that cost no more than the cheapest in a
//! fifth of the draws ([`TIED`]), and at the likely prices no more than [`TIED_TIMES`] as much, are tied with it. Within a
//! tie an administrator's order decides: limits that hold while a drive is missing, fewer drives (in steps of 1.5 times), a
//! simpler level (copies before parity); then, among those that cost at most [`LITTLE_TIMES`] the cheapest of them, fewer
//! drives at all, p99 while degraded, headroom, p99 and loss of data in steps of two, three, 1.25 and three times from the
//! best, since smaller differences are within their intervals, then a drive that was measured. Then those that are left are ranked likewise. Of a design
//! of several volumes costs add up in each draw, it fits where each volume does, and data are lost where any loses some,
//! 1 − Π (1 − p). What is rented has no life and no chance of its limit on latency.

use crate::draw::{DRAWS, Draw, Judged};
use crate::span::Span;
use drivecast_block::math::ln;
use std::cmp::Ordering;

/// Share of the draws from which on a design is tied with the cheapest.
pub const TIED: f64 = 0.2;
/// Times the cheapest's cost that a tied design costs at most: scenarios search no further either (assumed).
pub const TIED_TIMES: f64 = 1.3;
/// Times the cheapest of as many drives at as simple a level that is little more, for what is better of it (assumed).
pub const LITTLE_TIMES: f64 = 1.15;
/// One drive of four less is no reason to pay for larger ones: their bays and failures have their price already.
const DRIVES_FACTOR: f64 = 1.5;
const LOSS_FACTOR: f64 = 3.0;
const HEADROOM_FACTOR: f64 = 3.0;
const P99_FACTOR: f64 = 1.25;
const DEGRADED_FACTOR: f64 = 2.0;

/// What was drawn of a design.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// What it costs over the years, at the likely values.
    pub total_usd: f64,
    /// In each draw.
    pub costs_usd: Vec<f64>,
    /// In which draws it fits.
    pub holds: Vec<bool>,
}

/// A design that fits, with what it is ranked by.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// As it is written.
    pub line: &'a str,
    /// What it costs.
    pub drawn: &'a Drawn,
    /// That are bought; what is rented counts as a mirror.
    pub drives: u32,
    /// As of [`Level::complexity`](crate::redundancy::Level::complexity).
    pub complexity: u32,
    /// Whether the latency of its drive was measured.
    pub measured: bool,
    /// The chance that it loses data; infinite where none is known.
    pub loss: f64,
    /// None where it was not looked for.
    pub headroom: Option<f64>,
    /// Of reads and of writes, one after the other.
    pub p99_ns: f64,
    /// The same with a drive lost; none where that was not simulated: then it speaks against nothing.
    pub degraded_p99_ns: Option<f64>,
    /// Whether it is known to miss the limits while a drive is missing or rebuilt, or is lost with its instance.
    pub misses_degraded: bool,
}

/// Where an entry comes out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// Its place among the entries.
    pub at: usize,
    /// From 1: designs of one tier are tied on cost.
    pub tier: u32,
    /// The share of the draws in which it fits and none that fits costs less.
    pub chance_cheapest: f64,
}

impl Drawn {
    /// Of parts that all must hold, each with how long it must last; data are lost where any part loses some.
    #[must_use]
    pub fn bought(parts: &[(Judged, f64)], data_loss: f64, draw: &mut Draw) -> Drawn {
        let (mut costs, mut holds, mut whole) = (vec![0.0; DRAWS], vec![true; DRAWS], vec![1.0; DRAWS]);
        let mut total_usd = 0.0;
        for (judged, endures_years) in parts {
            total_usd += judged.costing.cost.total_usd();
            costs.iter_mut().zip(draw.costs(judged)).for_each(|(sum, cost)| *sum += cost);
            holds.iter_mut().zip(draw.holds(judged, *endures_years)).for_each(|(all, holds)| *all &= holds);
            whole.iter_mut().zip(draw.losses(judged)).for_each(|(all, loss)| *all *= 1.0 - loss.min(1.0));
        }
        if let [(only, _)] = parts {
            // A small chance loses its digits on the way through 1 − p.
            holds.iter_mut().zip(draw.losses(only)).for_each(|(all, loss)| *all &= loss <= data_loss);
        } else {
            holds.iter_mut().zip(whole).for_each(|(all, whole)| *all &= 1.0 - whole <= data_loss);
        }
        Drawn { total_usd, costs_usd: costs, holds }
    }

    /// Of volumes by the month; without a price it is never the cheapest.
    #[must_use]
    pub fn rented(provider: &str, cost_usd: Option<Span>, draw: &mut Draw) -> Drawn {
        let costs_usd =
            cost_usd.map_or_else(|| vec![f64::INFINITY; DRAWS], |cost_usd| draw.rents(provider, cost_usd));
        let total_usd = cost_usd.map_or(f64::INFINITY, |span| span.value);
        Drawn { total_usd, costs_usd, holds: vec![cost_usd.is_some(); DRAWS] }
    }
}

/// Where each comes out, best first.
#[must_use]
pub fn standings(entries: &[Entry]) -> Vec<Standing> {
    let cheapest = chances(entries);
    let entry = |at: &usize| &entries[*at];
    let mut by_cost: Vec<usize> = (0..entries.len()).collect();
    by_cost.sort_by(|a, b| {
        let (a, b) = (entry(a), entry(b));
        a.drawn.total_usd.total_cmp(&b.drawn.total_usd).then_with(|| a.line.cmp(b.line))
    });
    let mut found = Vec::with_capacity(entries.len());
    let mut tier = 0;
    while let Some(first) = by_cost.first() {
        tier += 1;
        let reference = &entry(first).drawn.costs_usd;
        let most_usd = TIED_TIMES * entry(first).drawn.total_usd;
        let (tied, rest): (Vec<usize>, Vec<usize>) = by_cost.iter().partition(|at| {
            let drawn = entry(at).drawn;
            drawn.total_usd <= most_usd && share_below(&drawn.costs_usd, reference) >= TIED
        });
        found.extend(best_first(&tied, &|at| &entries[at]).into_iter().map(|at| Standing {
            at,
            tier,
            chance_cheapest: cheapest[at],
        }));
        by_cost = rest;
    }
    found
}

/// The share of the draws in which each is the cheapest that holds; of equals the first.
fn chances(entries: &[Entry]) -> Vec<f64> {
    let mut counts = vec![0_u32; entries.len()];
    let mut least = vec![(f64::INFINITY, usize::MAX); DRAWS];
    for (at, entry) in entries.iter().enumerate() {
        for (least, (cost, holds)) in
            least.iter_mut().zip(entry.drawn.costs_usd.iter().zip(&entry.drawn.holds))
        {
            if *holds && (*cost < least.0 || least.1 == usize::MAX) {
                *least = (*cost, at);
            }
        }
    }
    least.iter().filter(|(_, at)| *at != usize::MAX).for_each(|(_, at)| counts[*at] += 1);
    counts.into_iter().map(|count| f64::from(count) / DRAWS as f64).collect()
}

fn share_below(costs: &[f64], reference: &[f64]) -> f64 {
    costs.iter().zip(reference).filter(|(cost, reference)| cost <= reference).count() as f64 / DRAWS as f64
}

/// Orders designs that are tied on cost as an administrator would; headroom, p99 and loss in steps from the best.
fn best_first<'a>(tied: &[usize], entry: &dyn Fn(usize) -> &'a Entry<'a>) -> Vec<usize> {
    let least =
        |value: &dyn Fn(&Entry) -> f64| tied.iter().map(|at| value(entry(*at))).fold(f64::INFINITY, f64::min);
    let headroom = |entry: &Entry| entry.headroom.filter(|times| *times != 0.0).unwrap_or(1.0);
    let (least_loss, least_p99) = (least(&|entry| entry.loss), least(&|entry| entry.p99_ns));
    let least_degraded = least(&|entry| entry.degraded_p99_ns.unwrap_or(f64::INFINITY));
    let most_headroom = tied.iter().map(|at| headroom(entry(*at))).fold(0.0, f64::max);
    let fewest = least(&|entry| f64::from(entry.drives));
    let built = |of: &Entry| (steps(f64::from(of.drives), fewest, DRIVES_FACTOR), of.complexity);
    let alike_usd = |of: &Entry| {
        let alike = tied.iter().map(|at| entry(*at));
        let alike = alike.filter(|each| built(each) == built(of));
        alike.map(|each| each.drawn.total_usd).fold(f64::INFINITY, f64::min)
    };
    let key = |entry: &Entry| {
        [
            if entry.misses_degraded { 1.0 } else { 0.0 },
            built(entry).0,
            f64::from(entry.complexity),
            if entry.drawn.total_usd <= LITTLE_TIMES * alike_usd(entry) { 0.0 } else { 1.0 },
            f64::from(entry.drives),
            steps(entry.degraded_p99_ns.unwrap_or(0.0), least_degraded, DEGRADED_FACTOR),
            steps(most_headroom, headroom(entry), HEADROOM_FACTOR),
            steps(entry.p99_ns, least_p99, P99_FACTOR),
            steps(entry.loss, least_loss, LOSS_FACTOR),
            if entry.measured { 0.0 } else { 1.0 },
            entry.drawn.total_usd,
        ]
    };
    let mut order: Vec<_> = tied.iter().map(|at| (key(entry(*at)), *at)).collect();
    order.sort_by(|(a, first), (b, second)| {
        let steps = a.iter().zip(b).map(|(a, b)| a.total_cmp(b));
        let decided = steps.fold(Ordering::Equal, Ordering::then);
        decided.then_with(|| entry(*first).line.cmp(entry(*second).line))
    });
    order.into_iter().map(|(_, at)| at).collect()
}

/// How many times one figure is larger than another by a factor, in whole steps.
fn steps(more: f64, less: f64, factor: f64) -> f64 {
    if more <= less {
        0.0
    } else if less > 0.0 && more.is_finite() {
        (ln(more / less) / ln(factor)).floor()
    } else {
        f64::INFINITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(usd: f64) -> Drawn {
        let costs_usd = (0..DRAWS).map(|at| usd + (at % 10) as f64).collect();
        Drawn { total_usd: usd, costs_usd, holds: vec![true; DRAWS] }
    }

    fn entry<'a>(line: &'a str, drawn: &'a Drawn, loss: f64) -> Entry<'a> {
        Entry {
            line,
            drawn,
            drives: 2,
            complexity: 1,
            measured: true,
            loss,
            headroom: None,
            p99_ns: 1.0,
            degraded_p99_ns: None,
            misses_degraded: false,
        }
    }

    #[test]
    fn of_tied_designs_the_safer_comes_first() {
        let (a, mut b, c) = (drawn(100.0), drawn(101.0), drawn(1100.0));
        // In two of ten draws `b` costs no more than `a`.
        b.costs_usd = (0..DRAWS).map(|at| 101.0 + ((at + 2) % 10) as f64).collect();
        let entries = [entry("a", &a, 1e-4), entry("b", &b, 1e-6), entry("c", &c, 1e-9)];
        let order: Vec<(usize, u32)> = standings(&entries).iter().map(|each| (each.at, each.tier)).collect();
        assert_eq!(order, [(1, 1), (0, 1), (2, 2)]);
    }

    #[test]
    fn of_tied_designs_the_one_of_fewer_drives_comes_first() {
        let (six, two) = (drawn(0.0), drawn(0.0));
        let mut entries = [entry("six", &six, 1e-9), entry("two", &two, 1e-4)];
        (entries[0].drives, entries[0].complexity) = (6, 4);
        assert_eq!(standings(&entries)[0].at, 1);
        (entries[0].drives, entries[0].complexity, entries[1].complexity) = (2, 0, 1);
        assert_eq!(standings(&entries)[0].at, 0, "a simpler level");
        entries[0].misses_degraded = true;
        assert_eq!(standings(&entries)[0].at, 1, "and limits that hold with a drive lost before either");
    }

    #[test]
    fn one_drive_of_four_less_is_worth_a_little_and_half_of_them_more() {
        let (cheap, dear) = (drawn(100.0), Drawn { total_usd: 120.0, ..drawn(100.0) });
        let mut entries = [entry("more", &cheap, 1e-4), entry("fewer", &dear, 1e-4)];
        (entries[0].drives, entries[1].drives) = (4, 3);
        assert_eq!(standings(&entries)[0].at, 0, "20 % for one drive of four");
        entries[0].drives = 6;
        assert_eq!(standings(&entries)[0].at, 1, "20 % for half of the drives");
        let near = Drawn { total_usd: 110.0, ..drawn(100.0) };
        (entries[0].drives, entries[1].drawn) = (4, &near);
        assert_eq!(standings(&entries)[0].at, 1, "10 % for one drive of four");
    }

    #[test]
    fn more_headroom_is_worth_a_little_more_money_and_fewer_drives_are_worth_more() {
        let (cheap, dear) = (drawn(100.0), Drawn { total_usd: 120.0, ..drawn(100.0) });
        let mut entries = [entry("cheap", &cheap, 1e-4), entry("dear", &dear, 1e-4)];
        (entries[0].headroom, entries[1].headroom) = (Some(3.0), Some(40.0));
        assert_eq!(standings(&entries)[0].at, 0);
        entries[0].drives = 3;
        assert_eq!(standings(&entries)[0].at, 1);
        let little = Drawn { total_usd: 109.0, ..drawn(100.0) };
        (entries[0].drives, entries[1].drawn) = (2, &little);
        assert_eq!(standings(&entries)[0].at, 1);
    }

    #[test]
    fn of_tied_designs_the_one_that_is_fast_while_degraded_comes_before_headroom() {
        let (a, b) = (drawn(0.0), drawn(0.0));
        let mut entries = [entry("a", &a, 1e-4), entry("b", &b, 1e-4)];
        (entries[0].degraded_p99_ns, entries[0].headroom) = (Some(1.9), Some(30.0));
        assert_eq!(standings(&entries)[0].at, 0, "within what is known of it");
        entries[1].degraded_p99_ns = Some(0.9);
        assert_eq!(standings(&entries)[0].at, 1);
    }

    #[test]
    fn only_what_holds_is_the_cheapest() {
        let (mut first, other) = (drawn(0.0), drawn(100.0));
        first.holds = (0..DRAWS).map(|at| at % 4 == 0).collect();
        let entries = [entry("a", &first, 0.0), entry("b", &other, 0.0)];
        let chances: Vec<f64> = standings(&entries).iter().map(|each| each.chance_cheapest).collect();
        assert_eq!(chances, [0.25, 0.75]);
    }

    #[test]
    fn no_entries_have_no_order() {
        assert!(standings(&[]).is_empty());
    }
}
