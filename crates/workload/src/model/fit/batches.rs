//! Requests that come together, and batches that do.

use drivecast_block::Record;
use drivecast_block::math;

/// Classes of the logarithm of a gap, from 1 µs up to 10⁵ s.
const CLASSES: usize = 220;
const CLASSES_PER_DECADE: f64 = 20.0;

/// Things that follow each other: the first of them, how many there are, and their time.
#[derive(Clone, Copy)]
pub(super) struct Group {
    pub(super) first: usize,
    pub(super) count: usize,
    pub(super) from_s: f64,
    pub(super) to_s: f64,
}

/// Groups in order of time.
#[derive(Default)]
pub(super) struct Groups {
    pub(super) groups: Vec<Group>,
    /// Gaps inside groups.
    pub(super) spacings_s: Vec<f64>,
}

impl Groups {
    /// Requests in batches.
    pub(super) fn batches(requests: &[Record]) -> Groups {
        let at = |record: &Record| record.time.as_secs_f64();
        Groups::find(&requests.iter().map(|record| (at(record), at(record))).collect::<Vec<_>>())
    }

    /// These groups in groups: batches in bursts.
    pub(super) fn grouped(&self) -> Groups {
        Groups::find(&self.groups.iter().map(|group| (group.from_s, group.to_s)).collect::<Vec<_>>())
    }

    fn find(times_s: &[(f64, f64)]) -> Groups {
        let gap_s = |pair: &[(f64, f64)]| pair[1].0 - pair[0].1;
        let border_s = border_s(times_s.windows(2).map(gap_s));
        let mut found = Groups::default();
        let Some(&(from_s, to_s)) = times_s.first() else { return found };
        let mut group = Group { first: 0, count: 1, from_s, to_s };
        for (index, pair) in times_s.windows(2).enumerate() {
            let (gap, (from_s, to_s)) = (gap_s(pair), pair[1]);
            if gap <= border_s {
                group.count += 1;
                group.to_s = to_s;
                found.spacings_s.push(gap);
            } else {
                let next = Group { first: index + 1, count: 1, from_s, to_s };
                found.groups.push(std::mem::replace(&mut group, next));
            }
        }
        found.groups.push(group);
        found
    }

    /// How many there are in groups of these groups.
    pub(super) fn summed(&self, grouped: &Groups) -> Vec<f64> {
        let sum = |group: &Group| {
            self.groups[group.first..group.first + group.count].iter().map(|of| of.count).sum::<usize>()
        };
        grouped.groups.iter().map(|group| sum(group) as f64).collect()
    }

    pub(super) fn counts(&self) -> Vec<f64> {
        self.groups.iter().map(|group| group.count as f64).collect()
    }
}

/// The gap between near and far: the border that leaves the least variance of the logarithms on its two sides (Otsu 1979).
fn border_s(gaps_s: impl Iterator<Item = f64>) -> f64 {
    let class = |gap_s: f64| ((math::log10(gap_s.max(1e-6)) + 6.0) * CLASSES_PER_DECADE) as usize;
    let mut counts = [0.0; CLASSES];
    gaps_s.for_each(|gap_s| counts[class(gap_s).min(CLASSES - 1)] += 1.0);
    let total: f64 = counts.iter().sum();
    let sum: f64 = counts.iter().enumerate().map(|(index, count)| index as f64 * count).sum();
    let (mut below, mut sum_below, mut best, mut border) = (0.0, 0.0, 0.0, 0);
    for (index, count) in counts.iter().enumerate() {
        below += count;
        sum_below += index as f64 * count;
        if below == 0.0 || below == total {
            continue;
        }
        let apart = sum_below / below - (sum - sum_below) / (total - below);
        let between = below * (total - below) * apart * apart;
        if between > best {
            (best, border) = (between, index + 1);
        }
    }
    math::pow(10.0, border as f64 / CLASSES_PER_DECADE - 6.0)
}
