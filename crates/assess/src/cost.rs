//! What an array costs over its years.
//!
//! Model. total = purchase + energy + replacement + labor + loss + outage + expansion − residual. Purchase counts
//! drives, their bays and shelves, host adapters and the controller. Energy is metered at the site. A drive that is worn out after t years is
//! bought again at the price of that day, p (1 − δ)^t with a decline of prices δ a year; failed drives are bought again
//! at the annual failure rate after the warranty (before it ends they are replaced free of charge),
//!
//! ```text
//! n f p ∫ (1 − δ)^t dt from the end of the warranty to the last year.
//! ```
//!
//! Each drive that is replaced, under warranty or not, takes a visit. A loss of data takes a restore, and what cannot be
//! restored has a value: their sum times the chance of a loss is what it is expected to cost. Expected, too, are what
//! an outage costs while a drive is missing and the limits are missed, and what is bought where an array is
//! [outgrown](crate::expansion).
//!
//! What is left at the end is worth a share of the price of that day, times what the last drives have left to wear.
//! Money is not discounted: a reader who does so takes the parts by their years. Administration is not counted.

use crate::endurance::{bytes_within, replacements, years_until};
use drivecast_block::math::{exp, exp_m1, ln_1p};
use serde::{Deserialize, Serialize};

/// Wear-outs of a drive that are followed one by one; more are spread evenly over the bytes written.
const COUNTED_MAX: f64 = 1000.0;

/// What is bought at the start.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Purchase {
    /// With spares.
    pub drives: u32,
    /// Drives that wait, and do not wear.
    pub spares: u32,
    /// Of one drive.
    pub drive_usd: f64,
    /// Of one drive's share of backplane and cables.
    pub slot_usd: f64,
    /// Of all host adapters.
    #[serde(default)]
    pub adapter_usd: f64,
    /// Of the array's controller.
    pub controller_usd: f64,
    /// All shelves.
    pub enclosure_usd: f64,
}

impl Purchase {
    /// All of it.
    #[must_use]
    pub fn usd(&self) -> f64 {
        f64::from(self.drives) * self.drive_usd + self.hosting_usd()
    }

    /// Of it, what drives are put into and connected to.
    #[must_use]
    pub fn hosting_usd(&self) -> f64 {
        f64::from(self.drives) * self.slot_usd + self.adapter_usd + self.controller_usd + self.enclosure_usd
    }
}

/// When drives are worn out within the years, and how much the last ones have left.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WearOut {
    /// Since the start, of each drive of the array.
    pub years: Vec<f64>,
    /// Drives that each of these represents.
    pub each: f64,
    /// Share of what the last drives can take that is left at the end.
    pub unused: f64,
}

impl WearOut {
    /// Nothing is worn out, and so much is left.
    #[must_use]
    pub const fn none(unused: f64) -> WearOut {
        WearOut { years: Vec::new(), each: 1.0, unused }
    }

    /// When drives that each take `budget_bytes` of the host are worn out within `years`.
    #[must_use]
    pub fn of(budget_bytes: f64, years: f64, bytes_per_day: f64, growth_per_year: f64) -> WearOut {
        if !budget_bytes.is_finite() || bytes_per_day == 0.0 {
            return WearOut::none(1.0);
        }
        let count = replacements(budget_bytes, years, bytes_per_day, growth_per_year);
        let shown = count.min(COUNTED_MAX);
        let each = if shown > 0.0 { count / shown } else { 1.0 };
        // Where each represents several, its end is that of the middle one.
        let ahead = if each == 1.0 { 1.0 } else { 0.5 };
        let end = |place: u32| {
            years_until((f64::from(place) + ahead) * each * budget_bytes, bytes_per_day, growth_per_year)
        };
        let written = bytes_within(years, bytes_per_day, growth_per_year);
        let unused = (1.0 + count - written / budget_bytes).clamp(0.0, 1.0);
        WearOut { years: (0..shown as u32).map(end).collect(), each, unused }
    }
}

/// What the years ask for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Upkeep {
    /// Of service.
    pub years: f64,
    /// Of the whole array, mean.
    pub power_w: f64,
    /// Of a drive.
    pub annual_failure_rate: f64,
    /// While failed drives are replaced free of charge.
    pub warranty_years: f64,
    /// Of the drives.
    pub wear_out: WearOut,
    /// That the array is switched on.
    pub hours_per_year: f64,
    /// Of prices; negative where they rise.
    pub decline_per_year: f64,
    /// What an unworn drive brings at the end, as a share of its price then.
    pub residual_share: f64,
    /// Price of energy.
    pub usd_per_kwh: f64,
    /// Power usage effectiveness of the site (PUE): 1 or more.
    pub pue: f64,
    /// Of a technician who replaces a drive.
    #[serde(default)]
    pub visit_usd: f64,
    /// What losing the data costs, times the chance of it.
    #[serde(default)]
    pub loss_usd: f64,
    /// Of the hours in which limits are missed.
    #[serde(default)]
    pub outage_usd: f64,
    /// Of what is bought again because the array is outgrown.
    #[serde(default)]
    pub expansion_usd: f64,
}

/// The price of a drive after some years.
#[must_use]
pub fn later_usd(drive_usd: f64, decline_per_year: f64, years: f64) -> f64 {
    drive_usd * exp(ln_1p(-decline_per_year) * years)
}

/// Money over the years.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Cost {
    /// At the start.
    pub purchase_usd: f64,
    /// Of the purchase: bays, shelves, adapters and the controller.
    pub hosting_usd: f64,
    /// At the site's meter.
    pub energy_usd: f64,
    /// Of worn-out and failed drives.
    pub replacement_usd: f64,
    /// Of technicians who replace drives.
    pub labor_usd: f64,
    /// That losses of data are expected to cost.
    pub loss_usd: f64,
    /// That service beyond the limits is expected to cost, while drives are replaced.
    pub outage_usd: f64,
    /// That is expected to be bought because load or data grow faster than planned.
    pub expansion_usd: f64,
    /// What is got back at the end.
    pub residual_usd: f64,
}

impl Cost {
    /// All of it.
    #[must_use]
    pub fn total_usd(&self) -> f64 {
        self.planned_usd() + self.expansion_usd
    }

    /// All of it where load and data grow as planned.
    #[must_use]
    pub fn planned_usd(&self) -> f64 {
        let bought = self.purchase_usd + self.energy_usd + self.replacement_usd + self.labor_usd;
        bought + self.loss_usd + self.outage_usd - self.residual_usd
    }
}

/// Energy over some hours at the site's meter, in kWh.
#[must_use]
pub fn energy_kwh(power_w: f64, hours: f64, pue: f64) -> f64 {
    power_w * hours / 1000.0 * pue
}

/// Adds up an array's costs.
#[must_use]
pub fn over_years(purchase: &Purchase, upkeep: &Upkeep) -> Cost {
    let (years, fall) = (upkeep.years, ln_1p(-upkeep.decline_per_year));
    let price = |after: f64| later_usd(purchase.drive_usd, upkeep.decline_per_year, after);
    let span = (years - upkeep.warranty_years).max(0.0);
    let prices = price(upkeep.warranty_years) * if fall == 0.0 { span } else { exp_m1(fall * span) / fall };

    let worn = &upkeep.wear_out;
    let worn_usd = worn.each * worn.years.iter().map(|end| price(*end)).sum::<f64>();
    let failed_usd = upkeep.annual_failure_rate * prices;
    let (in_use, spares) = (f64::from(purchase.drives - purchase.spares), f64::from(purchase.spares));
    let unworn = in_use * worn.unused + spares;
    let replaced = f64::from(purchase.drives) * upkeep.annual_failure_rate * years
        + in_use * worn.each * worn.years.len() as f64;
    Cost {
        purchase_usd: purchase.usd(),
        hosting_usd: purchase.hosting_usd(),
        energy_usd: energy_kwh(upkeep.power_w, years * upkeep.hours_per_year, upkeep.pue)
            * upkeep.usd_per_kwh,
        replacement_usd: in_use * worn_usd + f64::from(purchase.drives) * failed_usd,
        labor_usd: replaced * upkeep.visit_usd,
        loss_usd: upkeep.loss_usd,
        outage_usd: upkeep.outage_usd,
        expansion_usd: upkeep.expansion_usd,
        residual_usd: unworn * price(years) * upkeep.residual_share,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn purchase() -> Purchase {
        Purchase {
            drives: 4,
            spares: 0,
            drive_usd: 100.0,
            slot_usd: 20.0,
            adapter_usd: 0.0,
            controller_usd: 50.0,
            enclosure_usd: 30.0,
        }
    }

    fn upkeep() -> Upkeep {
        Upkeep {
            years: 5.0,
            power_w: 20.0,
            annual_failure_rate: 0.0,
            warranty_years: 5.0,
            wear_out: WearOut::none(1.0),
            hours_per_year: 8766.0,
            decline_per_year: 0.0,
            residual_share: 0.0,
            usd_per_kwh: 0.2,
            pue: 1.5,
            visit_usd: 0.0,
            loss_usd: 0.0,
            outage_usd: 0.0,
            expansion_usd: 0.0,
        }
    }

    #[test]
    fn parts_add_up_by_hand() {
        let found = over_years(&purchase(), &upkeep());
        assert_eq!(found.purchase_usd, 560.0);
        assert!((found.energy_usd - 20.0 * 5.0 * 8766.0 / 1000.0 * 1.5 * 0.2).abs() < 1e-9);
        assert_eq!((found.replacement_usd, found.residual_usd), (0.0, 0.0));
    }

    #[test]
    fn a_drive_that_lasts_two_of_five_years_is_bought_twice_again() {
        let worn = WearOut::of(2.0 * 365.0, 5.0, 1.0, 0.0);
        assert_eq!(worn.years, [2.0, 4.0]);
        assert!((worn.unused - 0.5).abs() < 1e-12);
        let found = over_years(&purchase(), &Upkeep { wear_out: worn, residual_share: 0.1, ..upkeep() });
        assert!((found.replacement_usd - 800.0).abs() < 1e-9);
        assert!((found.residual_usd - 4.0 * 0.5 * 100.0 * 0.1).abs() < 1e-9);
    }

    #[test]
    fn many_wear_outs_are_counted_in_bundles() {
        let worn = WearOut::of(1.0, 10.0, 1.0, 0.0);
        assert_eq!(worn.years.len(), 1000);
        assert!((worn.each * 1000.0 - 3649.0).abs() < 1e-9);
    }

    #[test]
    fn failures_and_wear_outs_take_visits() {
        let worn = WearOut::of(2.0 * 365.0, 5.0, 1.0, 0.0);
        let found = over_years(
            &purchase(),
            &Upkeep {
                wear_out: worn,
                annual_failure_rate: 0.01,
                visit_usd: 100.0,
                loss_usd: 7.0,
                ..upkeep()
            },
        );
        assert!((found.labor_usd - 100.0 * 4.0 * (2.0 + 0.05)).abs() < 1e-9);
        assert_eq!((found.loss_usd, found.hosting_usd), (7.0, 160.0));
    }

    #[test]
    fn failed_drives_are_bought_again_after_the_warranty() {
        let found =
            over_years(&purchase(), &Upkeep { annual_failure_rate: 0.01, warranty_years: 3.0, ..upkeep() });
        assert!((found.replacement_usd - 4.0 * 0.01 * 2.0 * 100.0).abs() < 1e-9);
    }
}
