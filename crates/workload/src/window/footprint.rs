//! The pages that a trace accesses, as runs.

use super::page::PAGE_BYTES;
use drivecast_block::Record;
use std::collections::BTreeMap;

/// Runs of pages in order, each with its first page and the page behind it; none accesses the next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Footprint(Vec<(u64, u64)>);

impl Footprint {
    /// The pages of these requests, in at most so many runs: the narrowest gaps between them count as accessed where there are
    /// more.
    #[must_use]
    pub fn of<'a>(records: impl Iterator<Item = &'a Record>, runs_max: usize) -> Footprint {
        let pages = |record: &Record| (record.offset / PAGE_BYTES, record.end().div_ceil(PAGE_BYTES));
        let mut runs: Vec<(u64, u64)> = records.filter(|record| record.has_data()).map(pages).collect();
        runs.sort_unstable();
        let joined = join(&runs, 0);
        if joined.len() <= runs_max {
            return Footprint(joined);
        }
        let mut gaps: Vec<u64> = joined.windows(2).map(|pair| pair[1].0 - pair[0].1).collect();
        let place = gaps.len() - runs_max.max(1);
        let (_, widest, _) = gaps.select_nth_unstable(place);
        Footprint(join(&joined, *widest))
    }

    /// Runs that someone wrote down, in any order.
    #[must_use]
    pub fn of_runs(mut runs: Vec<(u64, u64)>) -> Footprint {
        runs.retain(|(first, behind)| first < behind);
        runs.sort_unstable();
        Footprint(join(&runs, 0))
    }

    /// This page or one before it, from which so many pages are accessed, where its run is as long.
    pub(super) fn within(&self, page: u64, pages: u64) -> u64 {
        let at = self.0.partition_point(|(first, _)| *first <= page);
        match at.checked_sub(1).map(|at| self.0[at]) {
            Some((first, behind)) if page < behind => page.min(behind.saturating_sub(pages).max(first)),
            _ => page,
        }
    }

    /// The runs.
    #[must_use]
    pub fn runs(&self) -> &[(u64, u64)] {
        &self.0
    }
}

/// Joins sorted runs that are no farther apart than `gap`.
fn join(runs: &[(u64, u64)], gap: u64) -> Vec<(u64, u64)> {
    let mut found: Vec<(u64, u64)> = Vec::new();
    for &(first, behind) in runs {
        match found.last_mut() {
            Some(last) if first <= last.1 + gap => last.1 = last.1.max(behind),
            _ => found.push((first, behind)),
        }
    }
    found
}

/// Runs that are examined for one that is long enough.
const LOOKED_AT: usize = 64;

/// The pages of a footprint that were not accessed yet.
pub(super) struct Free {
    runs: BTreeMap<u64, u64>,
}

impl Free {
    pub(super) fn of(footprint: &Footprint) -> Free {
        Free { runs: footprint.0.iter().copied().collect() }
    }

    /// The first of so many free pages from this one on, or from the start: this one if it is free itself. Where no run is as
    /// long, the longest of those that are examined.
    pub(super) fn next(&self, page: u64, pages: u64) -> u64 {
        if self.runs.range(..=page).next_back().is_some_and(|(_, behind)| *behind > page) {
            return page;
        }
        let mut longest = (0, page);
        for (&first, &behind) in self.runs.range(page..).chain(self.runs.range(..page)).take(LOOKED_AT) {
            if behind - first >= pages {
                return first;
            }
            longest = longest.max((behind - first, first));
        }
        longest.1
    }

    /// Touches pages.
    pub(super) fn take(&mut self, first: u64, behind: u64) {
        while let Some((&from, &to)) = self.runs.range(..behind).next_back().filter(|(_, to)| **to > first) {
            self.runs.remove(&from);
            if from < first {
                self.runs.insert(from, first);
            }
            if to > behind {
                self.runs.insert(behind, to);
            }
        }
    }
}
