//! What can be rented of each kind of volume, and what it costs: the rules and the rent of `cloud.toml` and `prices.toml`.
//!
//! Model. A volume does so many IOPS and MiB/s: what is included, plus what each GiB brings, or what is chosen up to a limit, or
//! what the step of its size says. More of them never costs less, so the smallest of each that does enough is the cheapest. Rent
//! is due every month of the years, from the size of the last year on. The chance of losing data is that of the provider's
//! volumes, 1 − (1 − f)^years. Left out: instances, snapshots, traffic, taxes, and discounts by contract.

use drivecast_block::math::pow;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// IOPS are provisioned in hundreds, and MiB/s in fives: providers take any number, people write these.
const IOPS_UNIT: f64 = 100.0;
const MIBPS_UNIT: f64 = 5.0;
const MONTHS: f64 = 12.0;
const GIB: u64 = 1 << 30;

/// A number of a file; how it is known is for people, and no part of the arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Number {
    /// In the unit of its name.
    pub value: f64,
}

fn value(number: Option<Number>) -> f64 {
    number.map_or(0.0, |number| number.value)
}

/// How many IOPS, or MiB/s, a volume does.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Rule {
    included: Number,
    /// What each GiB brings.
    #[serde(default)]
    per_gib: Option<Number>,
    /// What each IOPS brings, of MiB/s.
    #[serde(default)]
    per_iops: Option<Number>,
    #[serde(default)]
    least: Option<Number>,
    most: Number,
    /// More than is included may be provisioned: so many for each GiB.
    #[serde(default)]
    chosen_per_gib: Option<Number>,
    /// The same, for each IOPS.
    #[serde(default)]
    chosen_per_iops: Option<Number>,
}

impl Rule {
    /// Whether more may be provisioned than comes with the size.
    #[must_use]
    pub const fn is_chosen(&self) -> bool {
        self.chosen_per_gib.is_some() || self.chosen_per_iops.is_some()
    }

    /// What comes with the size, and with the IOPS.
    fn comes(&self, gib: f64, iops: f64) -> f64 {
        let sum = self.included.value + value(self.per_gib) * gib + value(self.per_iops) * iops;
        self.most.value.min(value(self.least).max(sum))
    }

    /// The most that a volume of this size, and with these IOPS, may have.
    fn limit(&self, gib: f64, iops: f64) -> f64 {
        let comes = self.comes(gib, iops);
        if !self.is_chosen() {
            return comes;
        }
        let chosen = value(self.chosen_per_gib) * gib + value(self.chosen_per_iops) * iops;
        comes.max(self.most.value.min(chosen))
    }
}

/// A size of a kind that comes in steps.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub struct Step {
    /// What it holds.
    pub gib: u64,
    iops: f64,
    mib_per_s: f64,
}

/// What a volume does while it has credits: as many as are stated, or as last for so long.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub struct Burst {
    pub(crate) iops: Number,
    #[serde(default)]
    pub(crate) mib_per_s: Option<Number>,
    #[serde(default)]
    pub(crate) iops_credits: Option<Number>,
    #[serde(default)]
    pub(crate) seconds: Option<Number>,
    /// IOPS, and MiB/s, that each GiB brings to the burst, up to those above.
    #[serde(default)]
    pub(crate) per_gib: Option<Number>,
    /// Requests, and MiB, that each GiB saves.
    #[serde(default)]
    pub(crate) credits_per_gib: Option<Number>,
    /// Larger volumes do not burst.
    #[serde(default)]
    pub(crate) gib_max: Option<Number>,
}

/// What a kind costs a month.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Rent {
    usd_per_gib: Option<Number>,
    /// Of IOPS that are provisioned beyond those included.
    usd_per_iops: Option<Number>,
    /// The same, of those beyond so many.
    usd_per_iops_beyond: BTreeMap<String, Number>,
    usd_per_mib_per_s: Option<Number>,
    usd_per_step: BTreeMap<String, Number>,
}

impl Rent {
    /// The price of the IOPS from those included up to those chosen.
    fn iops_usd(&self, included: f64, chosen: f64) -> f64 {
        let Some(first) = self.usd_per_iops else { return 0.0 };
        let mut rates = vec![(0.0, first.value)];
        rates.extend(self.usd_per_iops_beyond.iter().filter_map(|(above, usd)| {
            let above: f64 = above.parse().ok()?;
            Some((above, usd.value))
        }));
        rates.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let ends = rates.iter().skip(1).map(|(above, _)| *above).chain([f64::INFINITY]);
        let parts = rates.iter().zip(ends);
        parts.map(|((above, usd), end)| usd * (chosen.min(end) - included.max(*above)).max(0.0)).sum()
    }
}

/// One kind of volume.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Kind {
    /// Who rents it.
    pub vendor: String,
    /// What it is called.
    pub model: String,
    pub(crate) gib_min: Number,
    pub(crate) gib_max: Number,
    #[serde(default)]
    iops: Option<Rule>,
    #[serde(default)]
    mib_per_s: Option<Rule>,
    #[serde(default)]
    steps: Option<BTreeMap<String, Step>>,
    #[serde(default)]
    pub(crate) burst: Option<Burst>,
    #[serde(default)]
    rent: Option<Rent>,
}

/// A volume as it is rented.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Setting {
    /// What it holds.
    pub gib: u64,
    /// That it does, chosen or not.
    pub iops: f64,
    /// The same of MiB/s.
    pub mibps: f64,
}

/// What is asked a month, in dollars.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Month {
    /// Of the size.
    pub capacity_usd: f64,
    /// Of what is provisioned.
    pub iops_usd: f64,
    /// The same.
    pub mib_per_s_usd: f64,
}

impl Month {
    /// All of it.
    #[must_use]
    pub fn usd(self) -> f64 {
        self.capacity_usd + self.iops_usd + self.mib_per_s_usd
    }

    /// Of so many, at a multiple of the price.
    #[must_use]
    pub fn times(self, factor: f64) -> Month {
        Month {
            capacity_usd: self.capacity_usd * factor,
            iops_usd: self.iops_usd * factor,
            mib_per_s_usd: self.mib_per_s_usd * factor,
        }
    }
}

/// What a volume of a size may be: what comes with it, and the most that is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Limits {
    /// With the size.
    pub iops_comes: f64,
    /// The most.
    pub iops_most: f64,
    /// With the size and the IOPS.
    pub mibps_comes: f64,
    /// The most.
    pub mibps_most: f64,
}

impl Kind {
    /// Whether the rates are provisioned, and not those of the size.
    #[must_use]
    pub fn is_chosen(&self) -> bool {
        self.iops.as_ref().is_some_and(Rule::is_chosen)
    }

    /// What a size allows, with these IOPS or those that come with it; none where sizes are steps.
    #[must_use]
    pub fn limits(&self, gib: f64, iops: Option<f64>) -> Option<Limits> {
        let (counts, sizes) = (self.iops.as_ref()?, self.mib_per_s.as_ref()?);
        let iops_comes = counts.comes(gib, 0.0);
        let iops = iops.unwrap_or(iops_comes);
        Some(Limits {
            iops_comes,
            iops_most: counts.limit(gib, 0.0),
            mibps_comes: sizes.comes(gib, iops),
            mibps_most: sizes.limit(gib, iops),
        })
    }

    /// The smallest setting that does as much; none where the kind does not reach it.
    #[must_use]
    pub fn smallest(&self, gib: u64, iops: f64, mibps: f64) -> Option<Setting> {
        if self.steps.is_some() {
            return self
                .stepped()
                .into_iter()
                .map(|(_, step)| Setting { gib: step.gib, iops: step.iops, mibps: step.mib_per_s })
                .find(|each| each.gib >= gib && each.iops >= iops && each.mibps >= mibps);
        }
        let (mut low, mut high) = (gib.max(self.gib_min.value as u64), self.gib_max.value as u64);
        let fits = |gib: u64| self.rates(gib, iops, mibps).is_some();
        if low > high || !fits(high) {
            return None;
        }
        while low < high {
            let middle = u64::midpoint(low, high);
            if fits(middle) { high = middle } else { low = middle + 1 }
        }
        let (iops, mibps) = self.rates(low, iops, mibps)?;
        Some(Setting { gib: low, iops, mibps })
    }

    /// The IOPS and MiB/s of a volume of this size that does as much; none where it cannot.
    fn rates(&self, gib: u64, iops: f64, mibps: f64) -> Option<(f64, f64)> {
        let (counts, sizes, gib) = (self.iops.as_ref()?, self.mib_per_s.as_ref()?, gib as f64);
        let whole = |wanted: f64, unit: f64| (wanted / unit).ceil() * unit;
        let limit = counts.limit(gib, 0.0);
        let mut rate = counts.comes(gib, 0.0);
        if counts.is_chosen() {
            rate = limit.min(rate.max(whole(iops, IOPS_UNIT)));
        }
        if let Some(per_iops) = sizes.per_iops.or(sizes.chosen_per_iops)
            && counts.is_chosen()
            && mibps > sizes.limit(gib, rate)
        {
            rate = limit.min(rate.max(whole(mibps / per_iops.value, IOPS_UNIT)));
        }
        let mut through = sizes.comes(gib, rate);
        if sizes.is_chosen() {
            through = sizes.limit(gib, rate).min(through.max(whole(mibps, MIBPS_UNIT)));
        }
        (rate >= iops && through >= mibps).then_some((rate, through))
    }

    /// The steps, smallest first.
    fn stepped(&self) -> Vec<(&str, Step)> {
        let mut found: Vec<(&str, Step)> =
            self.steps.iter().flatten().map(|(name, step)| (name.as_str(), *step)).collect();
        found.sort_unstable_by(|a, b| a.1.gib.cmp(&b.1.gib).then(a.0.cmp(b.0)));
        found
    }

    /// The step that a size is; none where sizes are none.
    #[must_use]
    pub fn step(&self, gib: u64) -> Option<&str> {
        self.stepped().into_iter().find(|(_, step)| step.gib == gib).map(|(name, _)| name)
    }

    /// What a setting costs; none where there is no price.
    #[must_use]
    pub fn month(&self, setting: &Setting) -> Option<Month> {
        let rent = self.rent.as_ref()?;
        if self.steps.is_some() {
            let capacity_usd = rent.usd_per_step.get(self.step(setting.gib)?)?.value;
            return Some(Month { capacity_usd, ..Month::default() });
        }
        let capacity_usd = value(rent.usd_per_gib) * setting.gib as f64;
        let (counts, sizes) = (self.iops.as_ref()?, self.mib_per_s.as_ref()?);
        if !self.is_chosen() {
            return Some(Month { capacity_usd, ..Month::default() });
        }
        let beyond = (setting.mibps - sizes.included.value).max(0.0);
        Some(Month {
            capacity_usd,
            iops_usd: rent.iops_usd(counts.included.value, setting.iops),
            mib_per_s_usd: value(rent.usd_per_mib_per_s) * beyond,
        })
    }

    /// What a setting is called in designs.
    #[must_use]
    pub fn name(&self, kind: &str, setting: &Setting) -> String {
        let Setting { gib, iops, mibps } = setting;
        match self.step(*gib) {
            Some(step) => format!("{kind}-{step}"),
            None if self.is_chosen() => format!("{kind}-{gib}gib-{iops:.0}iops-{mibps:.0}mib"),
            None => format!("{kind}-{gib}gib"),
        }
    }

    /// The sizes, where only some are rented.
    #[must_use]
    pub fn sizes(&self) -> Vec<u64> {
        self.stepped().into_iter().map(|(_, step)| step.gib).collect()
    }

    /// The least and the most IOPS and MiB/s of a setting; none of what comes with the size.
    #[must_use]
    pub fn ranges(&self, setting: &Setting) -> [Option<[f64; 2]>; 2] {
        let Some(of) = self.limits(setting.gib as f64, Some(setting.iops)) else { return [None; 2] };
        let chosen = |rule: &Option<Rule>| rule.as_ref().is_some_and(Rule::is_chosen);
        let range = |low: f64, high: f64| Some([low, high.floor().max(low)]);
        [
            range(of.iops_comes, of.iops_most).filter(|_| chosen(&self.iops)),
            range(of.mibps_comes, of.mibps_most).filter(|_| chosen(&self.mib_per_s)),
        ]
    }

    /// The setting as the kind allows it, as near to what is asked as can be.
    #[must_use]
    pub fn fitted(&self, asked: &Setting) -> Setting {
        let gib = asked.gib.clamp(self.gib_min.value as u64, self.gib_max.value as u64);
        let Some(limits) = self.limits(gib as f64, None) else {
            let steps = self.stepped();
            let step = steps.iter().find(|(_, step)| step.gib >= gib).or(steps.last()).map(|(_, step)| *step);
            return step.map_or(*asked, |step| Setting {
                gib: step.gib,
                iops: step.iops,
                mibps: step.mib_per_s,
            });
        };
        let within = |asked: f64, range: Option<[f64; 2]>, comes: f64| {
            range.map_or(comes, |[low, high]| asked.round().clamp(low, high))
        };
        let of_size = Setting { gib, iops: limits.iops_comes, mibps: 0.0 };
        let iops = within(asked.iops, self.ranges(&of_size)[0], limits.iops_comes);
        let comes = self.limits(gib as f64, Some(iops)).map_or(0.0, |limits| limits.mibps_comes);
        let mibps = within(asked.mibps, self.ranges(&Setting { iops, ..of_size })[1], comes);
        Setting { gib, iops, mibps }
    }
}

impl Setting {
    /// What it holds.
    #[must_use]
    pub const fn user_bytes(&self) -> u64 {
        self.gib * GIB
    }
}

/// The whole GiB that hold so many bytes.
#[must_use]
pub const fn gib_for(bytes: u64) -> u64 {
    bytes.div_ceil(GIB)
}

/// What a rent comes to over the years.
#[must_use]
pub fn over_years(month_usd: f64, years: f64) -> f64 {
    month_usd * MONTHS * years
}

/// The chance that one of so many volumes is lost within the years, each with this chance a year.
#[must_use]
pub fn lost(afr: f64, years: f64, volumes: u32) -> f64 {
    1.0 - pow(1.0 - afr, years * f64::from(volumes))
}
