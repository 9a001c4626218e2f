//! Which requirements a design misses, by what is known of it without its latency.

use crate::costing::Costing;
use crate::requirement::Requirements;
use serde::Serialize;

/// A requirement that a design misses.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Miss {
    /// As documents name it.
    pub kind: &'static str,
    /// What the design has, in the unit of the kind; money in dollars.
    pub found: f64,
    /// What is required, in the same unit.
    pub limit: f64,
    /// Needed over found; none where more of it would not help.
    pub shortfall: Option<f64>,
}

impl Miss {
    const fn new(kind: &'static str, found: f64, limit: f64, shortfall: f64) -> Miss {
        Miss { kind, found, limit, shortfall: Some(shortfall) }
    }
}

/// Whether fewer drives may fail than is required.
#[must_use]
pub fn too_few_losses(tolerated: u32, needs: &Requirements) -> Option<Miss> {
    let (found, limit) = (f64::from(tolerated), f64::from(needs.drive_losses));
    (found < limit).then_some(Miss { kind: "failures-tolerated", found, limit, shortfall: None })
}

/// Whether data do not fit.
#[must_use]
pub fn too_small(usable_bytes: u64, needs: &Requirements) -> Option<Miss> {
    let (found, limit) = (usable_bytes as f64, needs.capacity_bytes as f64);
    (found < limit).then_some(Miss::new("capacity", found, limit, limit / found))
}

/// Whether the drives last shorter than the years, tolerated or not.
#[must_use]
pub fn worn_out(costing: &Costing, needs: &Requirements) -> Option<Miss> {
    let lasts = costing.life.as_ref()?;
    let years = lasts.life_years().value;
    let kind = if lasts.limit() == "warranty" { "rated-writes" } else { "flash-life" };
    (years < needs.years).then_some(Miss::new(kind, years, needs.years, needs.years / years))
}

/// Whether more money is spent over the years than is allowed.
#[must_use]
pub fn over_budget(total_usd: f64, needs: &Requirements) -> Option<Miss> {
    let limit = needs.budget_usd?;
    (total_usd > limit).then_some(Miss::new("budget", total_usd, limit, total_usd / limit))
}

/// Whether the design draws more power than is allowed.
#[must_use]
pub fn over_power(watts: f64, needs: &Requirements) -> Option<Miss> {
    let limit = needs.power_w_max?;
    (watts > limit).then_some(Miss::new("power", watts, limit, watts / limit))
}

/// Whether data are lost more often than is allowed.
#[must_use]
pub fn too_likely(chance: f64, needs: &Requirements) -> Option<Miss> {
    let limit = needs.data_loss;
    (chance > limit).then_some(Miss::new("data-loss", chance, limit, chance / limit))
}
