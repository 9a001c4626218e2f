//! What a design costs and how long it lasts, and on which inputs both hang.
//!
//! Model. One law gives cost and life from all inputs at once: prices, their decline, energy, failures, and what wears
//! the drives. It is worked out at the likely values, and again with each input at either end of its own interval
//! ([`sensitivity`](crate::sensitivity)); the interval of the cost is those moves, taken as independent. Drives idle in
//! the hours that do not look like the log, and are busier as the load grows: utilization is its mean over the years.
//! The interval of power reaches from a design that idles to one that always has its peak.
//!
//! What is given is exact. What is assumed is moved: growth from none to twice as much, hours a day that look like the
//! log from eight (an office day) to all.

use crate::cost::{Cost, Purchase, Upkeep, WearOut, energy_kwh, later_usd, over_years};
use crate::endurance::{self, DAYS_PER_YEAR, Demand, Endurance, Likely, bytes_within};
use crate::expansion::{Enough, Expansions, Future};
use crate::facts::{Design, Drive, Load, Prices, Seen};
use crate::loss::{self, HOURS_PER_YEAR};
use crate::requirement::{Requirements, grown};
use crate::sensitivity::{Move, combined};
use crate::span::Span;
use serde::Serialize;

const DAY_S: f64 = 86_400.0;
const TB: f64 = 1e12;

/// Everything that cost and life are worked out from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Name {
    /// Of one drive, in dollars.
    #[serde(rename = "drive price")]
    DrivePrice,
    /// Of drives of that kind, a year.
    #[serde(rename = "decline of prices")]
    Decline,
    /// A kilowatt-hour.
    #[serde(rename = "electricity")]
    Electricity,
    /// Power usage effectiveness.
    #[serde(rename = "PUE")]
    Pue,
    /// Of a drive at the end.
    #[serde(rename = "residual value")]
    Residual,
    /// A drive's share of backplane and cables.
    #[serde(rename = "slot")]
    Slot,
    /// For drives beyond the ports of the board.
    #[serde(rename = "adapter")]
    Adapter,
    /// A shelf.
    #[serde(rename = "enclosure")]
    Enclosure,
    /// Of an array.
    #[serde(rename = "controller")]
    Controller,
    /// Of a technician, for a drive.
    #[serde(rename = "visit")]
    Visit,
    /// An hour without the data.
    #[serde(rename = "outage")]
    Outage,
    /// What a restore does not bring back.
    #[serde(rename = "value of data")]
    DataValue,
    /// Of a drive, a year.
    #[serde(rename = "failure rate")]
    FailureRate,
    /// That look like the log.
    #[serde(rename = "hours a day")]
    Hours,
    /// Of data and load.
    #[serde(rename = "growth")]
    Growth,
    /// Of the array.
    #[serde(rename = "power")]
    Power,
    /// Of the flash.
    #[serde(rename = "write amplification")]
    Amplification,
    /// That a block endures.
    #[serde(rename = "P/E cycles")]
    Cycles,
}

impl Name {
    /// All, in the order of [`Values`].
    pub const ALL: [Name; 18] = [
        Name::DrivePrice,
        Name::Decline,
        Name::Electricity,
        Name::Pue,
        Name::Residual,
        Name::Slot,
        Name::Adapter,
        Name::Enclosure,
        Name::Controller,
        Name::Visit,
        Name::Outage,
        Name::DataValue,
        Name::FailureRate,
        Name::Hours,
        Name::Growth,
        Name::Power,
        Name::Amplification,
        Name::Cycles,
    ];

    /// As documents have it.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Name::DrivePrice => "drive price",
            Name::Decline => "decline of prices",
            Name::Electricity => "electricity",
            Name::Pue => "PUE",
            Name::Residual => "residual value",
            Name::Slot => "slot",
            Name::Adapter => "adapter",
            Name::Enclosure => "enclosure",
            Name::Controller => "controller",
            Name::Visit => "visit",
            Name::Outage => "outage",
            Name::DataValue => "value of data",
            Name::FailureRate => "failure rate",
            Name::Hours => "hours a day",
            Name::Growth => "growth",
            Name::Power => "power",
            Name::Amplification => "write amplification",
            Name::Cycles => "P/E cycles",
        }
    }

    /// Of its bounds.
    #[must_use]
    pub const fn unit(self) -> &'static str {
        match self {
            Name::DrivePrice
            | Name::Slot
            | Name::Adapter
            | Name::Enclosure
            | Name::Controller
            | Name::Visit
            | Name::DataValue => "USD",
            Name::Outage => "USD/h",
            Name::Decline | Name::FailureRate | Name::Growth => "1/y",
            Name::Electricity => "USD/kWh",
            Name::Pue => "",
            Name::Residual => "of the price",
            Name::Hours => "h",
            Name::Power => "W",
            Name::Amplification => "×",
            Name::Cycles => "cycles",
        }
    }

    /// Whether it is of the load, the place or the host, and moves all drives of a design at once.
    #[must_use]
    pub const fn is_of_load(self) -> bool {
        self.is_common() && !matches!(self, Name::Decline)
    }

    /// Whether all designs share it; the others are the drive's own.
    #[must_use]
    pub const fn is_common(self) -> bool {
        !matches!(
            self,
            Name::DrivePrice | Name::FailureRate | Name::Power | Name::Amplification | Name::Cycles
        )
    }
}

/// One value of each input, by the order of [`Name::ALL`].
pub type Values = [f64; Name::ALL.len()];

/// What a design costs, with its interval and what moves it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Costing {
    /// In parts.
    pub cost: Cost,
    /// In all.
    pub total_usd: Span,
    /// Of the array.
    pub power_w: Span,
    /// Over the years, at the site's meter.
    pub energy_kwh: f64,
    /// Of each drive; none where writing wears nothing out.
    pub life: Option<Endurance>,
    /// Of the total, what matters most first.
    pub moves: Vec<Move<Name>>,
    /// Of the years of life.
    pub life_moves: Vec<Move<Name>>,
    /// The bounds of every input, by the order of [`Name::ALL`].
    pub inputs: [Span; Name::ALL.len()],
    /// Host writes over the years.
    pub written_tb: f64,
    /// Whether the life falls short of the years within the tolerance: then nothing worn out is bought again.
    pub is_tolerated: bool,
}

impl Costing {
    /// The years of life, where writing wears the drives.
    #[must_use]
    pub fn life_years(&self) -> Option<Span> {
        self.life.as_ref().map(Endurance::life_years)
    }
}

/// A design that was tried, and what it is judged by.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    /// The design.
    pub design: &'a Design,
    /// Its drive.
    pub drive: &'a Drive,
    /// What was seen of it.
    pub seen: &'a Seen,
    /// Of all but drives.
    pub prices: &'a Prices,
    /// The workload.
    pub load: &'a Load,
    /// What is required.
    pub needs: &'a Requirements,
}

impl Case<'_> {
    /// Works all of it out.
    #[must_use]
    pub fn costing(&self) -> Costing {
        let inputs = self.inputs();
        let middle = inputs.map(|span| span.value);
        // Only growth changes how many are expected: of all other moves it is the same.
        let expansions = self.expansions(middle[Name::Growth as usize]);
        let (cost, likely) = self.law(&middle, expansions.as_ref());
        let total = cost.total_usd();
        let wears = likely.is_some();
        let mut moves = Vec::with_capacity(inputs.len());
        let mut life_moves = Vec::with_capacity(inputs.len());
        for (at, name) in Name::ALL.into_iter().enumerate() {
            if inputs[at].low >= inputs[at].high {
                continue;
            }
            let end = |value: f64| {
                let mut values = middle;
                values[at] = value;
                let moved = (name == Name::Growth).then(|| self.expansions(value));
                let (cost, life) = self.law(&values, moved.as_ref().unwrap_or(&expansions).as_ref());
                (cost.total_usd(), life.map_or(f64::INFINITY, |life| life.life_years))
            };
            let (low, high) = (end(inputs[at].low), end(inputs[at].high));
            moves.push(Move { name, low: low.0, high: high.0 });
            if wears {
                life_moves.push(Move { name, low: low.1, high: high.1 });
            }
        }
        moves.sort_by(by_swing);
        life_moves.sort_by(by_swing);
        life_moves.retain(|each| each.swing() > 0.0);
        let power_w = inputs[Name::Power as usize];
        Costing {
            total_usd: combined(total, &moves),
            cost,
            power_w,
            energy_kwh: energy_kwh(
                power_w.value,
                self.needs.years * HOURS_PER_YEAR,
                self.prices.pue.span.value,
            ),
            life: self.life(&inputs),
            moves,
            life_moves,
            inputs,
            written_tb: bytes_within(
                self.needs.years,
                self.needs.write_bytes_per_day(self.load),
                self.needs.growth_per_year,
            ) / TB,
            is_tolerated: likely.is_some_and(|life| self.needs.tolerates(life.life_years)),
        }
    }

    fn inputs(&self) -> [Span; Name::ALL.len()] {
        let (prices, needs) = (self.prices, self.needs);
        let unknown = Span::default();
        let wear = self.seen.wear.as_ref().map_or(unknown, |wear| wear.amplification);
        let cycles = self.drive.rating.as_ref().map_or(unknown, |rating| rating.pe_cycles);
        let (wear, cycles) = if self.wears() { (wear, cycles) } else { (unknown, unknown) };
        let [least, most] = needs.growth_bounds;
        [
            self.drive.price.span,
            prices.decline(self.drive).span,
            prices.usd_per_kwh.span,
            prices.pue.span,
            prices.residual.span,
            prices.slot(self.drive).span,
            prices.adapter.span,
            prices.enclosure.span,
            prices.controller.span,
            prices.visit.span,
            prices.outage.span,
            prices.data_value.span,
            self.drive.reliability.failure_rate,
            Span::new(needs.hours_low.min(needs.hours_per_day), needs.hours_per_day, needs.hours_per_day),
            Span::new(least, needs.growth_per_year, most),
            self.power_w(),
            wear,
            cycles,
        ]
    }

    fn wears(&self) -> bool {
        self.drive.rating.is_some() && self.seen.wear.is_some()
    }

    /// Of the array: idle, at the mean utilization of the years, always at the peak.
    fn power_w(&self) -> Span {
        let (design, drive, needs) = (self.design, self.drive, self.needs);
        let worked = &self.seen.worked;
        let moved = worked.device_read_bytes + worked.device_written_bytes;
        let write_share = if moved > 0.0 { worked.device_written_bytes / moved } else { 0.0 };
        let busy_w = drive.read_w + (drive.write_w - drive.read_w) * write_share;
        let grown = bytes_within(needs.years, 1.0, needs.growth_per_year);
        let peak = self.load.peak_iops_mean;
        let share = if peak > 0.0 { self.load.iops_mean / peak } else { 0.0 };
        let mean =
            worked.utilization * share * needs.hours_per_day / 24.0 * grown / (DAYS_PER_YEAR * needs.years);
        let most = worked.utilization.min(1.0).max(mean.min(1.0));

        let host = self.prices;
        let bays = f64::from(design.count);
        let shared_w = f64::from(self.enclosures()) * host.enclosure_w
            + if design.count > 1 { host.controller_w } else { 0.0 };
        let array = |utilization: f64| {
            let drive_w = drive.idle_w + (busy_w - drive.idle_w) * utilization;
            f64::from(design.in_use()) * drive_w
                + f64::from(design.spares) * drive.idle_w
                + bays * host.slot_w
                + shared_w
        };
        let mut ends = [array(0.0), array(mean.min(1.0)), array(most)];
        ends.sort_by(f64::total_cmp);
        Span::new(ends[0], ends[1], ends[2])
    }

    /// Shelves that the drives fill.
    fn enclosures(&self) -> u32 {
        self.design.count.div_ceil(self.prices.enclosure_slots.max(1))
    }

    /// Cost and life at these inputs, with what is expected to be bought again at their growth.
    fn law(&self, values: &Values, expansions: Option<&Expansions>) -> (Cost, Option<Likely>) {
        let (design, needs) = (self.design, self.needs);
        let of = |name: Name| values[name as usize];
        let life = self.drive.rating.as_ref().zip(self.seen.wear.as_ref()).map(|(rating, _)| {
            let demand = self.demand(of(Name::Hours), of(Name::Growth));
            endurance::likely(rating, &demand, of(Name::Amplification), of(Name::Cycles))
        });
        let wear_out = life.map_or(WearOut::none(1.0), |life| {
            if needs.tolerates(life.life_years) {
                return WearOut::none(0.0);
            }
            let (daily, growth) = (self.written(of(Name::Hours)), of(Name::Growth));
            WearOut::of(bytes_within(life.life_years, daily, growth), needs.years, daily, growth)
        });
        let purchase = Purchase {
            drives: design.count,
            spares: design.spares,
            drive_usd: of(Name::DrivePrice),
            slot_usd: of(Name::Slot),
            adapter_usd: of(Name::Adapter) * f64::from(self.prices.adapters(self.drive, design.count)),
            controller_usd: if design.count > 1 { of(Name::Controller) } else { 0.0 },
            enclosure_usd: of(Name::Enclosure) * f64::from(self.enclosures()),
        };
        let upkeep = Upkeep {
            years: needs.years,
            power_w: of(Name::Power),
            annual_failure_rate: of(Name::FailureRate),
            warranty_years: life.map_or(self.drive.warranty_years, |life| life.warranty_end_years),
            wear_out,
            hours_per_year: HOURS_PER_YEAR,
            decline_per_year: of(Name::Decline),
            residual_share: of(Name::Residual),
            usd_per_kwh: of(Name::Electricity),
            pue: of(Name::Pue),
            visit_usd: of(Name::Visit),
            loss_usd: self.losses(of(Name::FailureRate))
                * (self.restore_h() * of(Name::Outage) + of(Name::DataValue)),
            outage_usd: f64::from(design.in_use())
                * of(Name::FailureRate)
                * needs.years
                * self.seen.missed_h
                * of(Name::Outage),
            expansion_usd: expansions
                .map_or(0.0, |found| found.cost_usd(|after| again_usd(&purchase, values, after))),
        };
        (over_years(&purchase, &upkeep), life)
    }

    /// How often as much again is expected to be bought; none where it is not known what the design is enough for.
    fn expansions(&self, growth_per_year: f64) -> Option<Expansions> {
        let future = Future {
            years: self.needs.years,
            growth: self.growth(growth_per_year),
            peak_spread: self.prices.peak_spread,
        };
        Some(future.expansions(self.enough()?))
    }

    /// What it is enough for; none where that is not known. A capacity that was given is taken for what is needed after
    /// all years.
    fn enough(&self) -> Option<Enough> {
        let needs = self.needs;
        let usable = self.design.usable_bytes(self.drive) as f64;
        let planned = grown(needs.growth_per_year, needs.years);
        let data = usable / needs.capacity_bytes.max(1) as f64 * planned;
        let data = if needs.capacity_grows { data } else { f64::INFINITY };
        self.seen.held.map(|load| Enough { load, data })
    }

    /// Growth as a distribution where it is the likely one, and as it is where it was moved.
    fn growth(&self, per_year: f64) -> Span {
        let [least, most] = self.needs.growth_bounds;
        if per_year == self.needs.growth_per_year {
            Span::new(least, per_year, most)
        } else {
            Span::exactly(per_year)
        }
    }

    /// How often data are expected to be lost, at this failure rate of a drive.
    fn losses(&self, rate: f64) -> f64 {
        let (design, drive, needs) = (self.design, self.drive, self.needs);
        design.redundancy().map_or(0.0, |group| {
            let bytes = drive.user_bytes as f64 * design.partition;
            loss::expected(
                group,
                bytes,
                design.spares,
                &drive.reliability,
                rate,
                needs.years,
                needs.scrub_days,
            )
        })
    }

    /// Until lost data are back: another drive comes, and is written from the backup.
    fn restore_h(&self) -> f64 {
        let copied_s = self.needs.capacity_bytes as f64 / self.prices.restore_bytes_per_s;
        self.drive.reliability.operator_h + copied_s / 3600.0
    }

    /// Life of each drive with its bounds; none where writing wears nothing out.
    fn life(&self, inputs: &[Span; Name::ALL.len()]) -> Option<Endurance> {
        let (rating, _) = self.drive.rating.as_ref().zip(self.seen.wear.as_ref())?;
        let middle = |name: Name| inputs[name as usize].value;
        let demand = self.demand(middle(Name::Hours), middle(Name::Growth));
        Some(endurance::life(rating, &demand, inputs[Name::Amplification as usize]))
    }

    fn demand(&self, hours_per_day: f64, growth_per_year: f64) -> Demand {
        let (share, members) =
            self.seen.wear.as_ref().map_or((0.0, 1), |wear| (wear.member_writes, wear.members));
        Demand {
            host_bytes_per_day: self.written(hours_per_day) * share / f64::from(members),
            read_bytes_per_day: self.read(hours_per_day),
            growth_per_year,
        }
    }

    fn written(&self, hours_per_day: f64) -> f64 {
        self.load.write_bytes_per_day * hours_per_day / 24.0
    }

    /// Bytes that a drive reads a day: the host's over the log, times what the array read for them at the peak.
    fn read(&self, hours_per_day: f64) -> f64 {
        let (worked, seconds) = (&self.seen.worked, self.load.duration_s);
        if seconds == 0.0 || worked.host_read_bytes == 0.0 {
            return 0.0;
        }
        let host = self.load.bytes_read / seconds * DAY_S * hours_per_day / 24.0;
        host * worked.device_read_bytes / worked.host_read_bytes / f64::from(self.design.in_use())
    }
}

/// What it costs after some years to buy as much again, with its bays and a visit.
fn again_usd(purchase: &Purchase, values: &Values, after: f64) -> f64 {
    let drive_usd = later_usd(purchase.drive_usd, values[Name::Decline as usize], after);
    f64::from(purchase.drives) * drive_usd + purchase.hosting_usd() + values[Name::Visit as usize]
}

fn by_swing(a: &Move<Name>, b: &Move<Name>) -> std::cmp::Ordering {
    b.swing().total_cmp(&a.swing()).then_with(|| a.name.text().cmp(b.name.text()))
}
