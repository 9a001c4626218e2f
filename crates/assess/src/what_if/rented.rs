//! Rented designs: what a plan carries of volumes and of drives inside of instances, and what becomes of them under other
//! requirements and prices.
//!
//! Model. A volume is a size and rates within the rules of its kind ([`rental`](crate::rental)); it costs its rent from the size of
//! the last year on, wears nothing out, draws no power of its own, and loses data as its provider says. Its runs decide loads as
//! those of other designs do, as long as the log leaves the credits that it left then: other hours of a day leave others. Left
//! out, as in the plan: limits over all of the log.

use super::run::Limits;
use crate::bucket::{Cap, Instance, caps};
use crate::facts::Design;
use crate::redundancy::Level;
use crate::rental::{Kind, Month, Number, Setting, gib_for, lost};
use crate::requirement::Requirements;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What rates are raised by, where the least do not hold.
pub const STEP: f64 = 1.15;

/// What is rented.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rented {
    /// Of the volumes of a plan, or the drives of an instance.
    pub kind: String,
    /// Of each volume; none where it is none of a kind.
    #[serde(default)]
    pub gib: Option<u64>,
    /// The same.
    #[serde(default)]
    pub iops: Option<f64>,
    /// MiB/s.
    #[serde(default)]
    pub mibps: Option<f64>,
    /// The one of the catalog that it is, with limits and times of its own; none of what the rules of its kind make.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volume: Option<String>,
    /// Whose limits it is behind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instance: Option<String>,
    /// Whether playing it is to look for the smallest of its kind that holds.
    #[serde(default)]
    pub search: bool,
    /// Hours of a day that looked like the log in its runs, where credits make them matter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hours_per_day: Option<f64>,
    /// What it was looked for under, as the smallest of its kind that holds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub searched: Vec<Searched>,
}

/// What the smallest volume of a kind was looked for under.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Searched {
    /// That it holds at least.
    pub gib: u64,
    /// A multiple of the measured peak.
    pub load: f64,
    /// Of a day that look like the log.
    pub hours_per_day: f64,
    /// On latency.
    pub limits: Limits,
}

impl Searched {
    /// What is asked now.
    #[must_use]
    pub fn under(needs: &Requirements, peak_times: f64) -> Searched {
        Searched {
            gib: gib_for(needs.capacity_bytes),
            load: peak_times * needs.headroom,
            hours_per_day: needs.hours_per_day,
            limits: Limits::of(needs),
        }
    }
}

/// A volume of the catalog, or a drive inside of an instance.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Volume {
    /// Who rents it, and what it is called.
    pub title: String,
    /// The first of these alone.
    pub vendor: String,
    /// That it holds.
    pub user_bytes: u64,
    /// Chance a year that it is lost; none where that is not known.
    #[serde(default)]
    pub afr: Option<f64>,
    /// Whether it has credits that a log can use up.
    pub bursts: bool,
    /// Of a drive inside of an instance: how many there are, and what all of them cost a month.
    #[serde(default)]
    pub inside: Option<Inside>,
}

/// The drives of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub struct Inside {
    /// How many.
    pub drives: u32,
    /// All of them, a month.
    pub usd: Number,
}

/// A kind as a plan carries it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Known {
    /// Its rules and prices.
    pub rules: Kind,
    /// The volume whose times it has.
    pub like: String,
    /// The least IOPS and MiB/s of the measured peak, in closed form.
    pub least: [f64; 2],
}

/// What a plan carries of what is rented.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Rental {
    /// By name.
    pub kinds: BTreeMap<String, Known>,
    /// By name: those that kinds are like, those that were named, and drives inside of instances.
    pub volumes: BTreeMap<String, Volume>,
    /// That limit volumes, by name.
    pub instances: BTreeMap<String, Instance>,
    /// The one that all volumes are behind.
    pub instance: Option<String>,
    /// Bounds of rents, as multiples.
    pub bounds: [f64; 2],
    /// How long limits may be idle and be made up for.
    pub saved_s: f64,
    /// Whether of each kind the smallest that holds was looked for.
    pub is_searched: bool,
    /// Whether somebody gave the limit on data loss: the default is for what is bought.
    pub loss_is_given: bool,
}

impl Rented {
    /// Its size and rates; none where it is none of a kind.
    #[must_use]
    pub fn setting(&self) -> Option<Setting> {
        Some(Setting { gib: self.gib?, iops: self.iops?, mibps: self.mibps? })
    }

    /// A volume that the rules of its kind make.
    #[must_use]
    pub fn of(kind: &str, setting: &Setting, instance: Option<&String>) -> Rented {
        Rented {
            kind: kind.to_owned(),
            gib: Some(setting.gib),
            iops: Some(setting.iops),
            mibps: Some(setting.mibps),
            volume: None,
            instance: instance.cloned(),
            search: false,
            hours_per_day: None,
            searched: Vec::new(),
        }
    }
}

/// What may be rented of a kind with a size and rates, and what it costs.
#[derive(Clone, Debug, Serialize)]
pub struct Offered {
    /// As near to what was asked as the kind allows.
    rented: Rented,
    /// The least and the most.
    gib: [f64; 2],
    /// Sizes, where there are no others.
    steps: Vec<u64>,
    /// The least and the most at this size; none where they come with it.
    iops: Option<[f64; 2]>,
    /// The same of MiB/s, at these IOPS.
    mibps: Option<[f64; 2]>,
    /// Of so many; none where there is no price.
    month: Option<Month>,
}

impl Rental {
    /// What may be rented of a kind, next to what is asked of it.
    ///
    /// # Errors
    /// The plan does not know the kind.
    pub fn offered(&self, mut rented: Rented, volumes: u32) -> Result<Offered, String> {
        self.name(&rented)?;
        self.fit(&mut rented);
        let month = self.month(&rented, volumes);
        let (mut gib, mut steps, mut ranges) = ([0.0; 2], Vec::new(), [None; 2]);
        if let (Some(known), Some(setting)) = (self.kinds.get(&rented.kind), rented.setting()) {
            (gib, steps) = ([known.rules.gib_min.value, known.rules.gib_max.value], known.rules.sizes());
            ranges = known.rules.ranges(&setting);
        }
        let [iops, mibps] = ranges;
        Ok(Offered { rented, gib, steps, iops, mibps, month })
    }

    /// Sets size and rates to what the kind allows; a volume of the catalog stays as it is.
    pub(super) fn fit(&self, rented: &mut Rented) {
        if let (None, Some(known), Some(asked)) =
            (&rented.volume, self.kinds.get(&rented.kind), rented.setting())
        {
            let fitted = known.rules.fitted(&asked);
            rented.gib = Some(fitted.gib);
            (rented.iops, rented.mibps) = (Some(fitted.iops), Some(fitted.mibps));
        }
    }

    /// What a volume is called in designs.
    ///
    /// # Errors
    /// The plan does not know it, or its kind.
    pub fn name(&self, rented: &Rented) -> Result<String, String> {
        if let Some(name) = &rented.volume {
            return if self.volumes.contains_key(name) { Ok(name.clone()) } else { Err(unknown(name)) };
        }
        let known = self.kinds.get(&rented.kind).ok_or_else(|| unknown(&rented.kind))?;
        let setting = rented.setting().ok_or("a volume has a size, IOPS and MiB/s")?;
        let behind = rented.instance.as_ref().map_or_else(String::new, |name| format!("-on-{name}"));
        Ok(known.rules.name(&rented.kind, &setting) + &behind)
    }

    fn volume(&self, rented: &Rented) -> Option<&Volume> {
        let like = || self.kinds.get(&rented.kind).map(|known| &known.like);
        self.volumes.get(rented.volume.as_ref().or_else(like)?)
    }

    /// Who rents it.
    #[must_use]
    pub fn vendor(&self, rented: &Rented) -> &str {
        self.volume(rented).map_or("", |volume| volume.vendor.as_str())
    }

    /// Whether it is inside of an instance, and lost with it.
    #[must_use]
    pub fn is_inside(&self, rented: &Rented) -> bool {
        self.inside(rented).is_some()
    }

    fn inside(&self, rented: &Rented) -> Option<Inside> {
        self.volumes.get(rented.volume.as_ref()?)?.inside
    }

    /// Capacity that holds data.
    #[must_use]
    pub fn usable_bytes(&self, rented: &Rented, design: &Design) -> u64 {
        let own = rented.volume.as_ref().and_then(|name| self.volumes.get(name));
        let each = match (own, rented.setting()) {
            (Some(volume), _) => volume.user_bytes,
            (None, setting) => setting.map_or(0, |setting| setting.user_bytes()),
        };
        design.redundancy().map_or(0, |group| u64::from(group.data_drives()) * each)
    }

    /// What it costs a month; none where there is no price.
    #[must_use]
    pub fn month(&self, rented: &Rented, volumes: u32) -> Option<Month> {
        if let Some(inside) = self.inside(rented) {
            return Some(Month { capacity_usd: inside.usd.value, ..Month::default() });
        }
        let month = self.kinds.get(&rented.kind)?.rules.month(&rented.setting()?)?;
        Some(month.times(f64::from(volumes)))
    }

    /// The chance that it loses data; none where that is not known.
    #[must_use]
    pub fn lost(&self, rented: &Rented, design: &Design, years: f64) -> Option<f64> {
        let is_alone = matches!(design.level, Level::Single | Level::Raid0);
        let afr = self.volume(rented).filter(|volume| volume.inside.is_none() && is_alone)?.afr?;
        Some(lost(afr, years, design.count))
    }

    /// Whether it has credits that a log can use up.
    #[must_use]
    pub fn bursts(&self, rented: &Rented) -> bool {
        match rented.volume.as_ref().and_then(|name| self.volumes.get(name)) {
            Some(volume) => volume.bursts,
            None => self.caps(rented).is_some_and(|caps| caps.iter().any(|cap| cap.burst_per_s.is_some())),
        }
    }

    /// Its token buckets, of requests and of bytes, as the rules of its kind make them.
    #[must_use]
    pub fn caps(&self, rented: &Rented) -> Option<[Cap; 2]> {
        let instance = rented.instance.as_ref().and_then(|name| self.instances.get(name));
        Some(caps(&self.kinds.get(&rented.kind)?.rules, &rented.setting()?, instance, self.saved_s))
    }

    /// The setting that does as much, or as much of it as the kind does.
    #[must_use]
    pub fn reach(&self, kind: &str, gib: u64, [iops, mibps]: [f64; 2]) -> Option<Setting> {
        let rules = &self.kinds.get(kind)?.rules;
        let (mut iops, mut mibps) = (iops, mibps);
        if gib as f64 > rules.gib_max.value {
            return None;
        }
        loop {
            if let Some(found) = rules.smallest(gib, iops, mibps) {
                return Some(found);
            }
            (iops, mibps) = (iops / STEP, mibps / STEP);
        }
    }

    /// The least rates of a kind at a multiple of the measured peak, and those that its search begins with.
    #[must_use]
    pub fn rates(&self, kind: &str, load: f64) -> Option<([f64; 2], [f64; 2])> {
        let known = self.kinds.get(kind)?;
        let least = known.least.map(|rate| rate * load);
        Some((least, if known.rules.burst.is_some() { [0.0; 2] } else { least }))
    }

    pub(super) fn title(&self, rented: &Rented, design: &Design) -> String {
        let many = if design.count > 1 { format!("{} × ", design.count) } else { String::new() };
        let array = match design.level {
            Level::Single => String::new(),
            level => format!(", RAID {}", level.name().trim_start_matches("raid")),
        };
        let volume = rented.volume.as_ref().and_then(|name| self.volumes.get(name));
        let title = match (volume, self.kinds.get(&rented.kind)) {
            (Some(volume), _) => volume.title.clone(),
            (None, Some(known)) => format!("{} {}", known.rules.vendor, known.rules.model),
            (None, None) => rented.kind.clone(),
        };
        let rates = rented.setting().map_or_else(String::new, |of| {
            let rate = |value: f64| grouped(value.round_ties_even() as u64);
            format!(": {} GiB, {} IOPS, {} MiB/s", grouped(of.gib), rate(of.iops), rate(of.mibps))
        });
        let behind = rented.instance.as_ref().map_or_else(String::new, |name| format!(" on {name}"));
        let lost = if self.is_inside(rented) { ", lost with the instance" } else { "" };
        format!("{many}{title}{array}{rates}{behind}{lost}")
    }
}

/// One volume.
#[must_use]
pub const fn one() -> Design {
    Design {
        line: String::new(),
        level: Level::Single,
        count: 1,
        spares: 0,
        groups: None,
        partition: 1.0,
        chunk_kib: None,
    }
}

fn unknown(name: &str) -> String {
    format!("no volume `{name}` in this report")
}

/// A whole number, its thousands apart.
fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_apart() {
        let texts = [0, 999, 1000, 80_000, 1_234_567].map(grouped);
        assert_eq!(texts, ["0", "999", "1,000", "80,000", "1,234,567"]);
    }
}
