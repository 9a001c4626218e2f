//! What is not known of designs, drawn [`DRAWS`] times for all of them at once: what they share is one draw for all.
//!
//! Model. Of the variance of a drive's price half is the market's, a quarter its class's, a quarter its own (assumed:
//! what flash and disks cost moves all drives on sale); growth, hours, energy and the decline of prices are common;
//! failure rates, write amplification and rated cycles are each drive's own. An input moves cost, and life, as
//! [`costing`](crate::costing) found: by so much at either end of its bounds, which are taken for the 10th and 90th
//! percentile, in proportion between and beyond; moves add up. Rents of a provider rise and fall together, since they
//! differ by region. A limit on latency holds with the chance that its interval leaves, for all designs of a drive at
//! once. Data loss lies between its bounds in logarithms, by one draw for all: its main assumption is one.

use crate::costing::{Costing, Name};
use crate::facts::Drive;
use crate::latency::quantile;
use crate::sensitivity::Move;
use crate::span::Span;
use drivecast_block::math::{exp, ln};
use drivecast_block::random::stream;
use libm::{cos, sin};
use rand::Rng;
use std::collections::HashMap;
use std::f64::consts::TAU;
use std::sync::Arc;

/// How often.
pub const DRAWS: usize = 2000;
/// Share of a price's standard deviation that is the market's, √½; its class and itself have half each of the rest.
const MARKET: f64 = std::f64::consts::FRAC_1_SQRT_2;
const CLASS: f64 = 0.5;
const OWN: f64 = 0.5;

/// Standard normal draws of one name.
pub type Normal = Arc<[f64]>;

/// Standard normal draws by name: the same name gives the same draws, in whatever order they are drawn.
#[derive(Clone, Debug)]
pub struct Draw {
    seed: u64,
    known: HashMap<String, Normal>,
}

/// A design that was judged, as far as it is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Judged<'a> {
    /// Its drive.
    pub drive: &'a Drive,
    /// What it costs, and how long it lasts.
    pub costing: &'a Costing,
    /// The chance that it loses data.
    pub loss: Span,
    /// That the limits on latency hold at the measured peak; none where the intervals lie within them.
    pub latency_chance: Option<f64>,
}

impl Draw {
    /// Those of the run with this seed.
    #[must_use]
    pub fn new(seed: u64) -> Draw {
        Draw { seed, known: HashMap::new() }
    }

    /// Those of a name.
    pub fn normal(&mut self, name: &str) -> Normal {
        if let Some(known) = self.known.get(name) {
            return Arc::clone(known);
        }
        let drawn = normal(self.seed, name);
        self.known.insert(name.to_owned(), Arc::clone(&drawn));
        drawn
    }

    /// What a design costs over the years, in dollars.
    pub fn costs(&mut self, judged: &Judged) -> Vec<f64> {
        self.moved(judged.costing.cost.total_usd(), &judged.costing.moves, judged.drive)
    }

    /// What a rented design costs over the years, in dollars.
    pub fn rents(&mut self, provider: &str, cost_usd: Span) -> Vec<f64> {
        let drawn = self.normal(&format!("rent {provider}"));
        drawn.iter().map(|normal| cost_usd.value + cost_usd.off(*normal)).collect()
    }

    /// In which draws a design meets the limits on latency and life.
    pub fn holds(&mut self, judged: &Judged, endures_years: f64) -> Vec<bool> {
        let mut holds = vec![true; DRAWS];
        if let Some(chance) = judged.latency_chance {
            let drawn = self.normal(&format!("latency {}", judged.drive.name));
            let most = quantile(drawn.to_vec(), chance);
            holds.iter_mut().zip(drawn.iter()).for_each(|(holds, drawn)| *holds &= *drawn <= most);
        }
        if let Some(life) = judged.costing.life_years().filter(|life| life.value.is_finite()) {
            let years = self.moved(life.value, &judged.costing.life_moves, judged.drive);
            holds.iter_mut().zip(years).for_each(|(holds, years)| *holds &= years >= endures_years);
        }
        holds
    }

    /// The chance that a design loses data.
    pub fn losses(&mut self, judged: &Judged) -> Vec<f64> {
        let span = judged.loss;
        if span.value <= 0.0 {
            return vec![0.0; DRAWS];
        }
        let (value, high) = (ln(span.value), ln(span.high));
        let low = if span.low > 0.0 { ln(span.low) } else { value - (high - value) };
        let drawn = self.normal("data loss");
        drawn.iter().map(|normal| exp(value + Span::new(low, value, high).off(*normal))).collect()
    }

    /// A figure moved by all its inputs.
    fn moved(&mut self, value: f64, moves: &[Move<Name>], drive: &Drive) -> Vec<f64> {
        let mut found = vec![value; DRAWS];
        for each in moves.iter().filter(|each| each.low.is_finite() && each.high.is_finite()) {
            let span = Span::new(each.low, value, each.high);
            let drawn = self.input(each.name, drive);
            found.iter_mut().zip(drawn.iter()).for_each(|(found, normal)| *found += span.off(*normal));
        }
        found
    }

    /// The draws of an input of a design.
    fn input(&mut self, name: Name, drive: &Drive) -> Normal {
        if name != Name::DrivePrice {
            let own = if name.is_common() { String::new() } else { format!(" {}", drive.name) };
            return self.normal(&format!("{}{own}", name.text()));
        }
        let key = format!("drive price {}", drive.name);
        if let Some(known) = self.known.get(&key) {
            return Arc::clone(known);
        }
        let (market, class) = (self.normal("market"), self.normal(&format!("class {}", drive.class)));
        let own = self.normal(&format!("price {}", drive.name));
        let drawn: Normal =
            (0..DRAWS).map(|at| MARKET * market[at] + CLASS * class[at] + OWN * own[at]).collect();
        self.known.insert(key, Arc::clone(&drawn));
        drawn
    }
}

/// Pairs by Box and Muller (1958): a logarithm and a turn that are the same on every machine.
fn normal(seed: u64, name: &str) -> Normal {
    let mut random = stream(seed, &format!("rank {name}"));
    let mut drawn = Vec::with_capacity(DRAWS);
    while drawn.len() < DRAWS {
        let (above_zero, turn) = (1.0 - uniform(&mut random), TAU * uniform(&mut random));
        let radius = (-2.0 * ln(above_zero)).sqrt();
        drawn.extend([radius * cos(turn), radius * sin(turn)]);
    }
    drawn.into()
}

/// In [0, 1), of 53 bits.
fn uniform(random: &mut impl Rng) -> f64 {
    (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_standard_normal_and_their_names_apart() {
        let mut draw = Draw::new(1);
        let (a, b) = (draw.normal("a"), draw.normal("b"));
        let mean = |drawn: &[f64]| drawn.iter().sum::<f64>() / DRAWS as f64;
        for drawn in [&a, &b] {
            let squares: Vec<f64> = drawn.iter().map(|each| each * each).collect();
            assert!(mean(drawn).abs() < 0.08 && (mean(&squares) - 1.0).abs() < 0.12);
        }
        let products: Vec<f64> = a.iter().zip(b.iter()).map(|(a, b)| a * b).collect();
        assert!(mean(&products).abs() < 0.08);
        assert_eq!(Draw::new(1).normal("b"), b);
        assert_ne!(Draw::new(2).normal("b"), b);
    }

    #[test]
    fn a_tenth_of_the_rents_lies_beyond_each_bound() {
        let rents = Draw::new(7).rents("aws", Span::new(90.0, 100.0, 140.0));
        let share =
            |is: &dyn Fn(f64) -> bool| rents.iter().filter(|rent| is(**rent)).count() as f64 / DRAWS as f64;
        assert!((share(&|rent| rent < 90.0) - 0.1).abs() < 0.03);
        assert!((share(&|rent| rent > 140.0) - 0.1).abs() < 0.03);
    }
}
