//! Life, loss of data, cost and rank. Facts cross as JSON, which many calls share; results as plain objects.

use crate::error::input;
use crate::object::Object;
use drivecast_assess::cost::{Purchase, Upkeep, WearOut, over_years};
use drivecast_assess::costing::{Case, Costing};
use drivecast_assess::draw::{self, Judged};
use drivecast_assess::endurance::{self, Course, Demand, Rating};
use drivecast_assess::latency::{self, DriveErrors};
use drivecast_assess::loss::{self, Array, Reliability};
use drivecast_assess::rank;
use drivecast_assess::redundancy::{Level, Redundancy};
use drivecast_assess::what_if::carried::CACHED;
use drivecast_assess::{Design, Drive, Load, Prices, Requirements, Seen, Span};
use pyo3::prelude::*;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::sync::Mutex;

type Bounds = (f64, f64, f64);

fn span((low, value, high): Bounds) -> Span {
    Span::new(low, value, high)
}

fn read<T: DeserializeOwned>(json: &str) -> PyResult<T> {
    serde_json::from_str(json).map_err(input)
}

/// The bytes written in `years`.
#[pyfunction]
pub(crate) fn bytes_within(years: f64, bytes_per_day: f64, growth_per_year: f64) -> f64 {
    endurance::bytes_within(years, bytes_per_day, growth_per_year)
}

/// The years until so many bytes are written.
#[pyfunction]
pub(crate) fn years_until(total_bytes: f64, bytes_per_day: f64, growth_per_year: f64) -> f64 {
    endurance::years_until(total_bytes, bytes_per_day, growth_per_year)
}

/// Cycles spent in `years`, of a course given by cycles a day, growth and relaxation.
#[pyfunction]
pub(crate) fn cycles_within(years: f64, course: Bounds) -> f64 {
    course_of(course).cycles(years)
}

/// Years until `cycles` are spent.
#[pyfunction]
pub(crate) fn years_of_cycles(cycles: f64, course: Bounds) -> f64 {
    course_of(course).years(cycles)
}

fn course_of((per_day, growth_per_year, relaxation_per_year): Bounds) -> Course {
    Course { per_day, growth_per_year, relaxation_per_year }
}

/// How often a drive that takes so many bytes of the host is replaced.
#[pyfunction]
pub(crate) fn replacements(budget_bytes: f64, years: f64, bytes_per_day: f64, growth_per_year: f64) -> f64 {
    endurance::replacements(budget_bytes, years, bytes_per_day, growth_per_year)
}

/// Life of one drive with its bounds.
#[pyfunction]
pub(crate) fn life(rating: &str, demand: &str, write_amplification: Bounds) -> PyResult<Object> {
    let (rating, demand): (Rating, Demand) = (read(rating)?, read(demand)?);
    Object::new(endurance::life(&rating, &demand, span(write_amplification)))
}

/// The groups of an array, the drives of each and how many of these may fail; none where they are not equal.
#[pyfunction]
pub(crate) fn redundancy(level: &str, drives: u32, groups: Option<u32>) -> PyResult<Option<(u32, u32, u32)>> {
    let level: Level = read(&format!("\"{level}\""))?;
    Ok(Redundancy::of(level, drives, groups).map(|found| (found.groups, found.drives, found.failures)))
}

/// The closed form of the chance of losing data, of groups as [`redundancy`] gives them.
#[pyfunction]
#[pyo3(signature = (groups, years, *, mtbf_h, rebuild_h, drive_bytes, uber, latent_errors))]
pub(crate) fn array_loss(
    groups: (u32, u32, u32),
    years: f64,
    mtbf_h: f64,
    rebuild_h: f64,
    drive_bytes: f64,
    uber: f64,
    latent_errors: f64,
) -> PyResult<Object> {
    let redundancy = Redundancy { groups: groups.0, drives: groups.1, failures: groups.2 };
    let array = Array { redundancy, mtbf_h, rebuild_h, drive_bytes, uber, latent_errors };
    Object::new(array.data_loss(years))
}

/// The same of a design of the plan, with its bounds.
#[pyfunction]
pub(crate) fn closed_loss(
    groups: (u32, u32, u32),
    drive_bytes: f64,
    spares: u32,
    of: &str,
    years: f64,
    scrub_days: f64,
) -> PyResult<Object> {
    let redundancy = Redundancy { groups: groups.0, drives: groups.1, failures: groups.2 };
    let of: Reliability = read(of)?;
    Object::new(loss::closed(redundancy, drive_bytes, spares, &of, years, scrub_days))
}

/// The chance that any of several loses data.
#[pyfunction]
pub(crate) fn loss_of_any(chances: Vec<f64>) -> f64 {
    loss::of_any(chances)
}

/// When drives are worn out: years, drives that each represents, and the share that is left at the end.
#[pyfunction]
pub(crate) fn wear_out(
    budget_bytes: f64,
    years: f64,
    bytes_per_day: f64,
    growth_per_year: f64,
) -> (Vec<f64>, f64, f64) {
    let found = WearOut::of(budget_bytes, years, bytes_per_day, growth_per_year);
    (found.years, found.each, found.unused)
}

/// What an array costs over its years.
#[pyfunction]
pub(crate) fn cost_over_years(purchase: &str, upkeep: &str) -> PyResult<Object> {
    let (purchase, upkeep): (Purchase, Upkeep) = (read(purchase)?, read(upkeep)?);
    Object::new(over_years(&purchase, &upkeep))
}

/// The 80 % interval of a predicted latency, by the errors of measured drives.
#[pyfunction]
pub(crate) fn latency_bounds(drives: Vec<(Vec<f64>, Vec<f64>)>, predicted_ns: f64) -> (f64, f64) {
    let found = latency::bounds(&errors(drives), predicted_ns);
    (found.low, found.high)
}

/// The chance that the true value is within a limit.
#[pyfunction]
pub(crate) fn latency_chance(drives: Vec<(Vec<f64>, Vec<f64>)>, predicted_ns: f64, limit_ns: f64) -> f64 {
    latency::chance(&errors(drives), predicted_ns, limit_ns)
}

fn errors(drives: Vec<(Vec<f64>, Vec<f64>)>) -> Vec<DriveErrors> {
    drives.into_iter().map(|(ratios, excess_us)| DriveErrors { ratios, excess_us }).collect()
}

/// The 80 % interval of the factor of one more device.
#[pyfunction]
pub(crate) fn one_more(logarithms: Vec<f64>, count: usize) -> (f64, f64) {
    latency::one_more(&logarithms, count)
}

/// The quantile of Student's distribution.
#[pyfunction]
pub(crate) fn student(degrees: u32, probability: f64) -> f64 {
    latency::student(degrees, probability)
}

/// What one design is judged by.
#[derive(Deserialize)]
struct Facts {
    design: Design,
    drive: Drive,
    seen: Seen,
    prices: Prices,
    load: Load,
    needs: Requirements,
}

impl Facts {
    fn costing(&self) -> Costing {
        let Facts { design, drive, seen, prices, load, needs } = self;
        Case { design, drive, seen, prices, load, needs }.costing()
    }
}

/// What a design costs and how long it lasts, and what moves both.
#[pyfunction]
pub(crate) fn costing(py: Python<'_>, facts: &str) -> PyResult<Object> {
    let facts: Facts = read(facts)?;
    Object::new(py.detach(|| facts.costing()))
}

/// A part of a design: the facts it was judged by, its chance of losing data, and that its limits on latency hold.
type Part = (String, Bounds, Option<f64>);

/// What was drawn of a design.
#[pyclass(frozen, module = "drivecast._core")]
pub(crate) struct Drawn(rank::Drawn);

#[pymethods]
impl Drawn {
    /// What it costs over the years, at the likely values.
    #[getter]
    fn total_usd(&self) -> f64 {
        self.0.total_usd
    }

    /// In each draw.
    #[getter]
    fn costs_usd(&self) -> Vec<f64> {
        self.0.costs_usd.clone()
    }

    /// In which draws it fits.
    #[getter]
    fn holds(&self) -> Vec<bool> {
        self.0.holds.clone()
    }
}

/// What is not known of designs, drawn for all of them at once.
#[pyclass(frozen, module = "drivecast._core")]
pub(crate) struct Draw(Mutex<draw::Draw>);

#[pymethods]
impl Draw {
    #[new]
    fn new(seed: u64) -> Draw {
        Draw(Mutex::new(draw::Draw::new(seed)))
    }

    /// What is drawn of a design that is bought, of parts that must hold all.
    fn bought(&self, py: Python<'_>, parts: Vec<Part>, data_loss: f64) -> PyResult<Drawn> {
        py.detach(|| {
            let facts: Vec<Facts> = parts.iter().map(|(facts, ..)| read(facts)).collect::<PyResult<_>>()?;
            let costings: Vec<Costing> = facts.iter().map(Facts::costing).collect();
            let of = facts.iter().zip(&costings).zip(&parts);
            let judged: Vec<(Judged<'_>, f64)> = of
                .map(|((facts, costing), (_, loss, latency_chance))| {
                    let (drive, loss, latency_chance) = (&facts.drive, span(*loss), *latency_chance);
                    (Judged { drive, costing, loss, latency_chance }, facts.needs.endures_years())
                })
                .collect();
            let mut draw = self.0.lock().map_err(|broken| input(broken.to_string()))?;
            Ok(Drawn(rank::Drawn::bought(&judged, data_loss, &mut draw)))
        })
    }

    /// What is drawn of a rented design; one without a price is never the cheapest.
    fn rented(&self, provider: &str, cost_usd: Option<Bounds>) -> PyResult<Drawn> {
        let mut draw = self.0.lock().map_err(|broken| input(broken.to_string()))?;
        Ok(Drawn(rank::Drawn::rented(provider, cost_usd.map(span), &mut draw)))
    }
}

/// A design that fits: its line, what was drawn of it, its drives, how complex it is, whether its drive was measured, its
/// chance of losing data, its headroom and its p99 in ns.
type Entry<'py> = (String, PyRef<'py, Drawn>, u32, u32, bool, f64, Option<f64>, f64, Option<f64>, bool);

/// How much there is to administrate of an array of this level; of a cache before it, without a level.
#[pyfunction]
#[pyo3(signature = (level=None))]
pub(crate) fn complexity(level: Option<&str>) -> PyResult<u32> {
    level.map_or(Ok(CACHED), |level| Ok(read::<Level>(&format!("\"{level}\""))?.complexity()))
}

/// Where each comes out, best first: its place among the entries, tier, and chance to be the cheapest.
#[pyfunction]
pub(crate) fn standings(entries: Vec<Entry<'_>>) -> Vec<(usize, u32, f64)> {
    let entries: Vec<rank::Entry<'_>> = entries
        .iter()
        .map(
            |(
                line,
                drawn,
                drives,
                complexity,
                measured,
                loss,
                headroom,
                p99_ns,
                degraded_p99_ns,
                misses_degraded,
            )| {
                rank::Entry {
                    line,
                    drawn: &drawn.0,
                    drives: *drives,
                    complexity: *complexity,
                    measured: *measured,
                    loss: *loss,
                    headroom: *headroom,
                    p99_ns: *p99_ns,
                    degraded_p99_ns: *degraded_p99_ns,
                    misses_degraded: *misses_degraded,
                }
            },
        )
        .collect();
    rank::standings(&entries).into_iter().map(|each| (each.at, each.tier, each.chance_cheapest)).collect()
}
