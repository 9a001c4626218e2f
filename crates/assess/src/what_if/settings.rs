//! What is asked: requirements and prices, with what follows from others where it is not said.

use super::carried::Carried;
use crate::facts::{Drive, Figure, Prices};
use crate::requirement::{Requirements, capacity_bytes, grown};
use crate::span::Span;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Requirements and prices. Capacity and headroom follow from growth and years where they are none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Of service.
    pub years: f64,
    /// Of data and load, as a share.
    pub growth_per_year: f64,
    /// That the array must hold.
    #[serde(default)]
    pub capacity_bytes: Option<u64>,
    /// Whether it does; known once the settings are completed.
    #[serde(skip)]
    pub capacity_grows: bool,
    /// Of reads.
    #[serde(default)]
    pub p99_read_ns: Option<u64>,
    /// Of writes.
    #[serde(default)]
    pub p99_write_ns: Option<u64>,
    /// A multiple of the measured peak, with its margin.
    #[serde(default)]
    pub headroom: Option<f64>,
    /// The margin of one that follows; known once the settings are completed.
    #[serde(skip)]
    pub headroom_margin: Option<f64>,
    /// Over the years, in dollars.
    #[serde(default)]
    pub budget_usd: Option<f64>,
    /// Of the array.
    #[serde(default)]
    pub power_w_max: Option<f64>,
    /// Drives that may fail without loss of data.
    pub drive_losses: u32,
    /// The chance of losing data over the years, at most.
    pub data_loss: f64,
    /// Hours of a day that look like the log.
    pub hours_per_day: f64,
    /// Share of the years by which a life may fall short.
    pub endurance_tolerance: f64,
    /// A scrub reads all of every drive once in this time.
    pub scrub_days: f64,
    /// Of drives and energy.
    #[serde(default)]
    pub prices: Asked,
    /// What the measured peak is multiplied by.
    #[serde(default = "once")]
    pub peak_times: f64,
}

const fn once() -> f64 {
    1.0
}

/// Prices other than those of the plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Asked {
    /// What prices of flash drives are multiplied by.
    pub flash_times: f64,
    /// What prices of disks are multiplied by.
    pub disk_times: f64,
    /// A kilowatt-hour.
    pub usd_per_kwh: Option<f64>,
    /// Of one drive, by name.
    pub drives: BTreeMap<String, f64>,
    /// What rents are multiplied by.
    pub rent_times: f64,
}

impl Default for Asked {
    fn default() -> Asked {
        Asked {
            flash_times: 1.0,
            disk_times: 1.0,
            usd_per_kwh: None,
            drives: BTreeMap::new(),
            rent_times: 1.0,
        }
    }
}

/// The bounds of each number that can be asked, as the options of the command line have them.
const BOUNDS: [(&str, f64, f64); 9] = [
    ("years", 0.1, 30.0),
    ("growth_per_year", 0.0, 10.0),
    ("headroom", 0.01, 10_000.0),
    ("data_loss", 1e-12, 1.0),
    ("hours_per_day", 0.01, 24.0),
    ("endurance_tolerance", 0.0, 0.5),
    ("scrub_days", 0.1, 3650.0),
    ("peak_times", 0.01, 1000.0),
    ("price", 0.0, 1e12),
];

impl Settings {
    /// Those of a plan.
    #[must_use]
    pub fn of(needs: &Requirements) -> Settings {
        Settings {
            years: needs.years,
            growth_per_year: needs.growth_per_year,
            capacity_bytes: Some(needs.capacity_bytes),
            capacity_grows: needs.capacity_grows,
            p99_read_ns: needs.p99_read_ns,
            p99_write_ns: needs.p99_write_ns,
            headroom: Some(needs.headroom),
            headroom_margin: needs.headroom_margin,
            budget_usd: needs.budget_usd,
            power_w_max: needs.power_w_max,
            drive_losses: needs.drive_losses,
            data_loss: needs.data_loss,
            hours_per_day: needs.hours_per_day,
            endurance_tolerance: needs.endurance_tolerance,
            scrub_days: needs.scrub_days,
            prices: Asked::default(),
            peak_times: 1.0,
        }
    }

    /// The same with what follows from growth and years filled in.
    ///
    /// # Errors
    /// A number is out of its bounds.
    pub fn completed(mut self, carried: &Carried) -> Result<Settings, String> {
        let growth = grown(self.growth_per_year, self.years);
        self.headroom_margin = self.headroom.is_none().then_some(carried.headroom_margin);
        self.headroom.get_or_insert(growth * carried.headroom_margin);
        let extent = carried.load.extent_bytes;
        if self.capacity_bytes.is_none() && extent == 0 {
            return Err("the log does not say how much data there is: set the capacity".into());
        }
        self.capacity_grows = self.capacity_bytes.is_none();
        self.capacity_bytes.get_or_insert_with(|| capacity_bytes(extent, growth));
        let asked = [
            self.years,
            self.growth_per_year,
            self.headroom.unwrap_or(1.0),
            self.data_loss,
            self.hours_per_day,
            self.endurance_tolerance,
            self.scrub_days,
            self.peak_times,
        ];
        let prices = &self.prices;
        let money =
            [prices.flash_times, prices.disk_times, prices.rent_times].into_iter().chain(prices.usd_per_kwh);
        let money = money.chain(prices.drives.values().copied());
        let all = BOUNDS.iter().zip(asked).chain(money.map(|price| (&BOUNDS[8], price)));
        for ((name, low, high), value) in all {
            if !(*low..=*high).contains(&value) {
                return Err(format!("{name}: expected {low} to {high}, found {value}"));
            }
        }
        Ok(self)
    }

    /// As the arithmetic takes them. What the user set is exact; what the plan assumed, and is as it was, has its bounds.
    #[must_use]
    pub fn requirements(&self, then: &Requirements) -> Requirements {
        let is_old = |mine: f64, old: f64| mine == old;
        let growth = self.growth_per_year;
        let growth_bounds =
            if is_old(growth, then.growth_per_year) { then.growth_bounds } else { [growth, growth] };
        let hours = self.hours_per_day;
        Requirements {
            capacity_bytes: self.capacity_bytes.unwrap_or(then.capacity_bytes),
            capacity_grows: self.capacity_grows,
            p99_read_ns: self.p99_read_ns,
            p99_write_ns: self.p99_write_ns,
            years: self.years,
            growth_per_year: growth,
            drive_losses: self.drive_losses,
            headroom: self.headroom.unwrap_or(then.headroom),
            headroom_margin: self.headroom_margin,
            endurance_tolerance: self.endurance_tolerance,
            hours_per_day: hours,
            budget_usd: self.budget_usd,
            power_w_max: self.power_w_max,
            data_loss: self.data_loss,
            scrub_days: self.scrub_days,
            growth_bounds,
            hours_low: if is_old(hours, then.hours_per_day) { then.hours_low } else { hours },
        }
    }

    /// A drive at the price asked.
    #[must_use]
    pub fn drive(&self, drive: &Drive) -> Drive {
        let asked = &self.prices;
        let times = if drive.is_flash { asked.flash_times } else { asked.disk_times };
        let price = match asked.drives.get(&drive.name) {
            Some(usd) => given(*usd, &drive.price),
            None if times == 1.0 => drive.price.clone(),
            None => Figure {
                span: drive.price.span.rising(|usd| usd * times),
                provenance: "given".into(),
                source: format!("yours, × {times} of {}", said(&drive.price)),
            },
        };
        Drive { price, ..drive.clone() }
    }

    /// The other prices.
    #[must_use]
    pub fn other_prices(&self, prices: &Prices) -> Prices {
        let usd_per_kwh = match self.prices.usd_per_kwh {
            Some(usd) if usd != prices.usd_per_kwh.span.value => given(usd, &prices.usd_per_kwh),
            _ => prices.usd_per_kwh.clone(),
        };
        Prices { usd_per_kwh, ..prices.clone() }
    }
}

/// What somebody said is exact.
fn given(value: f64, before: &Figure) -> Figure {
    let source = format!("yours, in place of {}", said(before));
    Figure { span: Span::exactly(value), provenance: "given".into(), source }
}

/// A price of the plan, with how it is known: what somebody made of it is not known so.
fn said(price: &Figure) -> String {
    let Figure { span, provenance, source } = price;
    let usd = span.value;
    let usd = if usd < 10.0 { format!("${usd:.2}") } else { format!("${usd:.0}") };
    let by = match (provenance.as_str(), source.is_empty()) {
        (_, true) => String::new(),
        ("published", false) => format!(" by {source}"),
        (_, false) => format!(", {source}"),
    };
    format!("{usd} {provenance}{by}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn published() -> Figure {
        let span = Span { low: 600.0, value: 640.0, high: 700.0 };
        Figure { span, provenance: "published".into(), source: "a shop".into() }
    }

    #[test]
    fn a_price_that_was_set_does_not_keep_its_origin() {
        let found = given(500.0, &published());
        assert_eq!((found.provenance.as_str(), found.span.low), ("given", 500.0));
        assert_eq!(found.source, "yours, in place of $640 published by a shop");
    }
}
