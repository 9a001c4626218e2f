//! Where a density changes: intervals with counts, in the few steps that are the most likely.
//!
//! Counts are taken as Poisson with one rate a step, so the likelihood of a step with N counts in an exposure E is
//! N ln(N / E) (Scargle 1998); an interval is the unit of exposure. Steps are halved where that gains most, until it gains too little.

use drivecast_block::math;

/// The likelihood must gain this much: a factor e⁸ is beyond chance among about a thousand places to cut at.
const GAIN_MIN: f64 = 8.0;

/// Steps as (first interval, counts in each interval).
pub(super) fn steps(counts: &[f64], most: usize) -> Vec<(usize, f64)> {
    let mut sum = 0.0;
    let sums = counts.iter().map(|count| {
        sum += count;
        sum
    });
    let counted: Vec<f64> = std::iter::once(0.0).chain(sums).collect();
    let density = |from: usize, to: usize| (counted[to] - counted[from]) / (to - from) as f64;
    let likelihood = |from: usize, to: usize| {
        let count = counted[to] - counted[from];
        if count > 0.0 { count * math::ln(density(from, to)) } else { 0.0 }
    };
    let best_cut = |from: usize, to: usize| {
        let gain = |cut: usize| likelihood(from, cut) + likelihood(cut, to) - likelihood(from, to);
        let cuts = (from + 1..to).map(|cut| (gain(cut), cut));
        cuts.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((0.0, from))
    };
    let mut parts = vec![(0, counts.len(), best_cut(0, counts.len()))];
    while parts.len() < most {
        let best = (0..parts.len()).max_by(|&a, &b| parts[a].2.0.total_cmp(&parts[b].2.0)).unwrap_or(0);
        let (from, to, (gain, cut)) = parts[best];
        if gain < GAIN_MIN {
            break;
        }
        parts[best] = (from, cut, best_cut(from, cut));
        parts.insert(best + 1, (cut, to, best_cut(cut, to)));
    }
    parts.into_iter().map(|(from, to, _)| (from, density(from, to))).collect()
}
