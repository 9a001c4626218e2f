//! The report that is no interval: the average since boot, which iostat, dstat and zpool print first.
//!
//! MODEL. It is the first of a run. Three things show it. A table with both bytes and their rate has the length of its interval. Requests come in whole numbers: of a rate a second with two places, times an
//! interval of up to 16 s, one can see that; where it has whole counts it is an interval, where only the others have them it
//! is none. Otherwise it is judged by its distance: where at least half of its
//! figures lie beyond all those of five other reports, by half as much again, it is the average.

use super::disk_report::DiskReport;
use super::reports::{Reports, Row};
use super::sequence::Intervals;
use crate::options::Options;
use crate::summary::Merged;

/// Rates are printed with two places.
const ROUNDED: f64 = 0.006;
/// Beyond, rounding hides whether a count is whole.
const LENGTH_S_MAX: f64 = 16.0;
/// Whole counts that are chance: at most this likely.
const CHANCE: f64 = 0.02;
/// Of a hundred counts of the other reports so many are whole where that can be judged.
const WHOLE_PERCENT: usize = 95;
/// A first report of more than so many intervals is none.
const STATED_MAX: f64 = 3.0;
const OTHERS_MIN: usize = 5;
const BEYOND: f64 = 1.5;

/// What a log of iostat may leave open.
const SINCE_BOOT: &str = "the log cannot tell whether its first report is the average since boot (`iostat` without `-y`); it was taken as an interval (`--skip-first` leaves it out)";

/// What a report turned out to be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Interval,
    SinceBoot(&'static str),
    Unknown,
}

/// Whether a rate is a whole count over so many seconds.
fn is_whole(rate: f64, length_s: f64) -> bool {
    let count = rate * length_s;
    (count - count.round()).abs() <= ROUNDED * length_s
}

/// What is counted in whole numbers: reads and writes, or both together where the log has them so.
fn counts(amounts: &DiskReport, merged: bool) -> impl Iterator<Item = f64> + use<> {
    let writes = amounts.writes + amounts.flushes.unwrap_or(0.0);
    let counts = if merged { [amounts.reads + writes, 0.0] } else { [amounts.reads, writes] };
    counts.into_iter().filter(|rate| *rate > 0.0)
}

fn amounts_of(row: &Row) -> &DiskReport {
    &row.amounts
}

fn figures(amounts: &DiskReport) -> [f64; 4] {
    [amounts.reads, amounts.writes, amounts.read_bytes, amounts.written_bytes]
}

impl Reports {
    /// Leaves out the first report of each run where it is the average since boot, or the caller says so.
    pub(super) fn leave_out_first(&mut self, intervals: &Intervals, options: &Options) {
        let mut unknown = false;
        let mut left_out = Vec::new();
        for report in 0..self.reports.len() {
            let first = self.reports[report].opens || report == 0;
            let is_alone = self.reports.len() == 1; // it is refused, unless the caller says how long it is
            if !first || !(options.skip_first || self.since_boot && !is_alone) {
                continue;
            }
            match self.judge_first(report, intervals) {
                _ if options.skip_first => left_out.push((report, None)),
                Kind::SinceBoot(why) => left_out.push((report, Some(why))),
                Kind::Unknown => unknown = true,
                Kind::Interval => {}
            }
        }
        for (report, why) in left_out {
            self.reports[report].left_out = true;
            self.rows.retain(|row| row.report as usize != report);
            let line = self.reports[report].line.map(|line| format!(" (line {line})")).unwrap_or_default();
            self.notes.extend(why.map(|why| {
                format!("the first report{line} is the average since boot and was left out: {why} (`iostat -y` has none)")
            }));
        }
        if unknown {
            self.notes.push(SINCE_BOOT.to_owned());
        }
    }

    /// What the first report of a run is.
    fn judge_first(&self, report: usize, intervals: &Intervals) -> Kind {
        let rows = |of: usize| self.rows.iter().filter(move |row| row.report as usize == of);
        let others: Vec<&Row> =
            self.rows.iter().filter(|row| !self.reports[row.report as usize].opens).collect();
        let length_s = |report: u32| intervals.length_ns[report as usize] as f64 / 1e9;
        let own = length_s(report as u32);
        if let Some([sum, rate]) = self.reports[report].moved.filter(|[_, rate]| *rate > 0.0) {
            return match sum / rate > STATED_MAX * own {
                true => Kind::SinceBoot("its bytes and their rate are those of a longer time"),
                false => Kind::Interval,
            };
        }
        let merged = self.merged.contains(&Merged::Requests);
        let rates = |row| counts(amounts_of(row), merged);
        let judged =
            others.iter().copied().flat_map(|row| rates(row).map(|rate| (rate, length_s(row.report))));
        let (whole, all) = judged.fold((0, 0), |(whole, all), (rate, length_s)| {
            (whole + usize::from(is_whole(rate, length_s)), all + 1)
        });
        if own <= LENGTH_S_MAX {
            let found: Vec<bool> = rows(report).flat_map(rates).map(|rate| is_whole(rate, own)).collect();
            let broken = found.iter().filter(|whole| !**whole).count();
            let others_are_whole = all >= OTHERS_MIN && whole * 100 >= all * WHOLE_PERCENT;
            if others_are_whole && broken > 0 && (whole == all || broken * 2 >= found.len()) {
                return Kind::SinceBoot("its counts are no whole numbers, those of the others are");
            }
            let is_chance = (2.0 * ROUNDED * own).powi(found.len() as i32) > CHANCE;
            let is_timed = self.reports[report].stamp.is_some() || others_are_whole;
            if is_timed && broken == 0 && !is_chance {
                return Kind::Interval;
            }
        }
        let (mut beyond, mut figured) = (0, 0);
        for row in rows(report) {
            let of_disk: Vec<[f64; 4]> = others
                .iter()
                .filter(|other| other.disk == row.disk)
                .map(|other| figures(&other.amounts))
                .collect();
            if of_disk.iter().filter(|figures| figures.iter().any(|figure| *figure > 0.0)).count()
                < OTHERS_MIN
            {
                continue;
            }
            for (at, value) in figures(&row.amounts).into_iter().enumerate() {
                let least = of_disk.iter().map(|figures| figures[at]).fold(f64::INFINITY, f64::min);
                let most = of_disk.iter().map(|figures| figures[at]).fold(0.0, f64::max);
                figured += usize::from(value > 0.0 || most > 0.0);
                beyond += usize::from(value > most * BEYOND || value > 0.0 && value * BEYOND < least);
            }
        }
        match figured > 0 && beyond * 2 >= figured {
            true => Kind::SinceBoot("its figures are far from those of all others"),
            false => Kind::Unknown,
        }
    }
}
