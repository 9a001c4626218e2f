//! How long flash lasts under a workload, by its cycles and by its warranty: two dates.
//!
//! Model. A block endures N program/erase cycles; wear levelling spreads them evenly. A host that writes w bytes a day
//! spends c = WA × w / raw cycles of every block a day. Two kinds of programs come on top in the background:
//!
//! - reads disturb their neighbours, so a block is written elsewhere after L reads: q pages read a day over B blocks are
//!   at most d = q / (L B) cycles a day, and none where writes turn blocks over sooner than L reads;
//! - data that are not rewritten leak, so a powered drive writes them again before they are lost: k P cycles a year
//!   after P cycles.
//!
//! With demand that grows by a share g a year, r = ln(1 + g):
//!
//! ```text
//! dP/dt = 365 (c + d) e^(r t) + k P,    P(t) = 365 (c + d) (e^(r t) − e^(k t)) / (r − k)
//! ```
//!
//! and the media end where P = N. The warranty ends by writes where the host's bytes(t) = 365 w (e^(r t) − 1) / r reach
//! the rated TBW, and by time at its term, whichever comes first. Left out: wear that is not even, and spare blocks lost
//! early; a rated TBW already holds a write amplification of its maker's choosing (JESD219), so it is never multiplied by
//! one again.

use crate::span::Span;
use drivecast_block::math::{exp, exp_m1, ln_1p};
use serde::{Deserialize, Serialize};

/// Days that writes are counted over.
pub const DAYS_PER_YEAR: f64 = 365.0;
/// Growth beyond e to this is more than any drive endures, and more than a float holds.
const EXPONENT_MAX: f64 = 600.0;
/// Where a life is no longer searched for, in years.
const YEARS_MAX: f64 = 1000.0;
/// Rates of growth that differ by less are taken as equal, since their difference is divided by.
const EQUAL: f64 = 1e-12;

/// What a drive offers to be worn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// Capacity sold.
    pub user_bytes: u64,
    /// Flash built in.
    pub raw_bytes: u64,
    /// Program/erase cycles that a block endures.
    pub pe_cycles: Span,
    /// Host writes that the warranty covers; none where the maker rates none.
    #[serde(default)]
    pub tbw_bytes: Option<f64>,
    /// Its term.
    pub warranty_years: f64,
    /// Programs a year for each cycle spent, to keep data fresh (JESD218, the class of the flash).
    pub relaxation_per_year: Span,
    /// Bytes of an erase block.
    pub block_bytes: u64,
    /// Bytes of a page.
    pub page_bytes: u64,
    /// Reads of a block until it is written elsewhere; none: reads cost nothing.
    #[serde(default)]
    pub reads_per_block: Option<Span>,
}

impl Rating {
    /// Reads of a block a day.
    fn reads_of_a_block(&self, read_bytes_per_day: f64) -> f64 {
        read_bytes_per_day / self.page_bytes as f64 / (self.raw_bytes as f64 / self.block_bytes as f64)
    }

    /// Cycles a day that reads cost: at most one for each `reads_per_block`, at least what writes do not save.
    ///
    /// The low end spreads the reads evenly over blocks that writes turn over; value and high end are of reads that
    /// meet blocks which are not rewritten.
    fn disturbed_per_day(&self, read_bytes_per_day: f64, written_high: f64) -> Span {
        let Some(limit) = self.reads_per_block else { return Span::default() };
        let of_a_block = self.reads_of_a_block(read_bytes_per_day);
        let low = (of_a_block / limit.high - written_high).max(0.0);
        Span::new(low, of_a_block / limit.value, of_a_block / limit.low)
    }
}

/// What wears a drive: its share of the array's writes, parity included, and of its reads.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Demand {
    /// Of the host, in the first year.
    pub host_bytes_per_day: f64,
    /// In the first year.
    pub read_bytes_per_day: f64,
    /// Share by which both grow.
    pub growth_per_year: f64,
}

/// How the cycles of a drive add up.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Course {
    /// In the first year.
    pub per_day: f64,
    /// Share by which demand grows.
    pub growth_per_year: f64,
    /// Programs a year for each cycle spent, to keep data fresh.
    pub relaxation_per_year: f64,
}

impl Course {
    /// Cycles spent in `years`.
    #[must_use]
    pub fn cycles(&self, years: f64) -> f64 {
        let (rate, own) = (ln_1p(self.growth_per_year), self.relaxation_per_year);
        let gap = rate - own;
        if rate.max(own) * years > EXPONENT_MAX {
            return f64::INFINITY;
        }
        let shape = if gap.abs() < EQUAL { years } else { exp_m1(gap * years) / gap };
        self.per_day * DAYS_PER_YEAR * exp(own * years) * shape
    }

    /// Years until `cycles` are spent; infinite where that never happens within a thousand years.
    #[must_use]
    pub fn years(&self, cycles: f64) -> f64 {
        if self.relaxation_per_year == 0.0 {
            return years_until(cycles, self.per_day, self.growth_per_year);
        }
        let (mut low, mut high) = (0.0, YEARS_MAX);
        if self.cycles(high) < cycles {
            return f64::INFINITY;
        }
        loop {
            let middle = (low + high) / 2.0;
            if middle <= low || middle >= high {
                return high; // neighbours: halving again changes nothing
            }
            if self.cycles(middle) < cycles { low = middle } else { high = middle }
        }
    }
}

/// Life of one drive under its share of a workload; years are infinite where nothing is written.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Endurance {
    /// Until the flash is worn out.
    pub life_years_media: Span,
    /// Until the rated TBW is written; infinite where none is rated.
    pub life_years_rated_writes: f64,
    /// Until the warranty ends, by writes or by its term.
    pub warranty_end_years: f64,
    /// Of the host's writes, in the first year.
    pub pe_cycles_per_day: Span,
    /// Cycles a day that reads add, in the first year.
    pub disturbed_per_day: Span,
    /// The slowest wear, the likely, and the fastest.
    pub courses: [Course; 3],
    /// Drive writes a day, in the first year.
    pub dwpd_used: f64,
    /// As the warranty has them.
    pub dwpd_rated: Option<f64>,
}

impl Endurance {
    /// The shorter of media life and rated writes, bound by bound.
    #[must_use]
    pub fn life_years(&self) -> Span {
        self.life_years_media.rising(|years| years.min(self.life_years_rated_writes))
    }

    /// What ends the drive's rated life: the flash itself, the writes that its maker warrants, or nothing.
    #[must_use]
    pub fn limit(&self) -> &'static str {
        let (media, writes) = (self.life_years_media.value, self.life_years_rated_writes);
        match (media.is_infinite() && writes.is_infinite(), writes < media) {
            (true, _) => "none",
            (false, true) => "warranty",
            (false, false) => "media",
        }
    }
}

/// The likely life alone, where its bounds are not needed: a third of the work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Likely {
    /// The shorter of media life and rated writes.
    pub life_years: f64,
    /// Until the warranty ends, by writes or by its term.
    pub warranty_end_years: f64,
}

/// The likely life at these cycles and this write amplification.
#[must_use]
pub fn likely(rating: &Rating, demand: &Demand, write_amplification: f64, pe_cycles: f64) -> Likely {
    let written = write_amplification * demand.host_bytes_per_day / rating.raw_bytes as f64;
    let reads = rating.disturbed_per_day(demand.read_bytes_per_day, written).value;
    let course = Course {
        per_day: written + reads,
        growth_per_year: demand.growth_per_year,
        relaxation_per_year: rating.relaxation_per_year.value,
    };
    let by_writes = rated_writes(rating, demand);
    Likely {
        life_years: course.years(pe_cycles).min(by_writes),
        warranty_end_years: by_writes.min(rating.warranty_years),
    }
}

fn rated_writes(rating: &Rating, demand: &Demand) -> f64 {
    rating
        .tbw_bytes
        .map_or(f64::INFINITY, |rated| years_until(rated, demand.host_bytes_per_day, demand.growth_per_year))
}

/// Life with its bounds.
#[must_use]
pub fn life(rating: &Rating, demand: &Demand, write_amplification: Span) -> Endurance {
    let written =
        write_amplification.rising(|factor| factor * demand.host_bytes_per_day / rating.raw_bytes as f64);
    let disturbed = rating.disturbed_per_day(demand.read_bytes_per_day, written.high);
    let relaxation = rating.relaxation_per_year;
    let course = |writes: f64, reads: f64, relaxation_per_year: f64| Course {
        per_day: writes + reads,
        growth_per_year: demand.growth_per_year,
        relaxation_per_year,
    };
    let slowest = course(written.low, disturbed.low, relaxation.low);
    let likely = course(written.value, disturbed.value, relaxation.value);
    let fastest = course(written.high, disturbed.high, relaxation.high);
    let by_writes = rated_writes(rating, demand);
    let cycles = rating.pe_cycles;
    Endurance {
        life_years_media: Span::new(
            fastest.years(cycles.low),
            likely.years(cycles.value),
            slowest.years(cycles.high),
        ),
        life_years_rated_writes: by_writes,
        warranty_end_years: by_writes.min(rating.warranty_years),
        pe_cycles_per_day: written,
        disturbed_per_day: disturbed,
        courses: [slowest, likely, fastest],
        dwpd_used: demand.host_bytes_per_day / rating.user_bytes as f64,
        dwpd_rated: rating
            .tbw_bytes
            .map(|rated| rated / (rating.user_bytes as f64 * DAYS_PER_YEAR * rating.warranty_years)),
    }
}

/// The bytes written in `years`, when demand grows steadily by a share a year.
#[must_use]
pub fn bytes_within(years: f64, bytes_per_day: f64, growth_per_year: f64) -> f64 {
    let rate = ln_1p(growth_per_year);
    let shape = if rate.abs() < EQUAL { years } else { exp_m1(years * rate) / rate };
    bytes_per_day * DAYS_PER_YEAR * shape
}

/// The years until `total_bytes` are written; infinite where that never happens.
#[must_use]
pub fn years_until(total_bytes: f64, bytes_per_day: f64, growth_per_year: f64) -> f64 {
    if bytes_per_day == 0.0 {
        return f64::INFINITY;
    }
    let rate = ln_1p(growth_per_year);
    let flat = total_bytes / (bytes_per_day * DAYS_PER_YEAR);
    if rate.abs() < EQUAL {
        return flat;
    }
    let reach = rate * flat; // shrinking demand never writes more than its initial rate over the decay
    if reach > -1.0 { ln_1p(reach) / rate } else { f64::INFINITY }
}

/// How often a drive that takes `budget_bytes` of the host is worn out and replaced within `years`.
///
/// Counted from bytes and not from the life of the first drive, since with growth each drive lasts less than the one
/// before.
#[must_use]
pub fn replacements(budget_bytes: f64, years: f64, bytes_per_day: f64, growth_per_year: f64) -> f64 {
    let written = bytes_within(years, bytes_per_day, growth_per_year);
    ((written / budget_bytes * (1.0 - 1e-12)).ceil() - 1.0).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rating() -> Rating {
        Rating {
            user_bytes: 960_000_000_000,
            raw_bytes: 1 << 40,
            pe_cycles: Span::new(2500.0, 3000.0, 3500.0),
            tbw_bytes: None,
            warranty_years: 5.0,
            relaxation_per_year: Span::default(),
            block_bytes: 1 << 24,
            page_bytes: 1 << 14,
            reads_per_block: None,
        }
    }

    #[test]
    fn flat_demand_lasts_cycles_over_cycles_a_day() {
        let demand = Demand {
            host_bytes_per_day: (1_u64 << 40) as f64,
            read_bytes_per_day: 0.0,
            growth_per_year: 0.0,
        };
        let found = life(&rating(), &demand, Span::new(1.0, 2.0, 4.0)).life_years();
        assert!((found.value - 1500.0 / 365.0).abs() < 1e-9);
        assert!((found.low - 625.0 / 365.0).abs() < 1e-9);
        assert!((found.high - 3500.0 / 365.0).abs() < 1e-9);
    }

    proptest! {
        /// The cycles spent until the life is over are the cycles asked of it.
        #[test]
        fn years_are_the_inverse_of_cycles(
            per_day in 0.001_f64..20.0, growth in -0.2_f64..0.6, own in 0.0_f64..0.3, wanted in 1.0_f64..100_000.0,
        ) {
            let course = Course { per_day, growth_per_year: growth, relaxation_per_year: own };
            let years = course.years(wanted);
            if years.is_finite() {
                prop_assert!((course.cycles(years) / wanted - 1.0).abs() < 1e-9);
            }
        }

        /// The likely life is the value of the life with bounds.
        #[test]
        fn likely_is_the_middle(
            host in 0.0_f64..1e13, read in 0.0_f64..1e13, growth in 0.0_f64..0.5, factor in 1.0_f64..6.0,
            tbw in prop::option::of(1e14_f64..1e16), own in 0.0_f64..0.2,
        ) {
            let rating = Rating {
                tbw_bytes: tbw,
                relaxation_per_year: Span::new(own / 2.0, own, own * 2.0),
                reads_per_block: Some(Span::new(1e5, 1e6, 1e7)),
                ..rating()
            };
            let demand = Demand { host_bytes_per_day: host, read_bytes_per_day: read, growth_per_year: growth };
            let whole = life(&rating, &demand, Span::exactly(factor));
            let quick = likely(&rating, &demand, factor, rating.pe_cycles.value);
            prop_assert_eq!(whole.life_years().value, quick.life_years);
            prop_assert_eq!(whole.warranty_end_years, quick.warranty_end_years);
        }

        /// What is written until a date is written by then.
        #[test]
        fn bytes_and_years_agree(total in 1.0_f64..1e16, per_day in 1e3_f64..1e13, growth in 0.0_f64..1.0) {
            let years = years_until(total, per_day, growth);
            prop_assert!((bytes_within(years, per_day, growth) / total - 1.0).abs() < 1e-9);
        }
    }
}
