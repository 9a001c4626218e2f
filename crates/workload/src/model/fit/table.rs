//! Short tables of what was measured.

use super::super::{Quantiles, SizeOf};
use crate::spec::SECTOR_BYTES;
use drivecast_block::Record;
use drivecast_block::math;
use std::collections::BTreeMap;

/// Pairs of a table.
const PAIRS_MAX: usize = 10;
/// Even shares of the values, and of their sum in rising order, from which the pairs are chosen: what is rare but large is in
/// the latter.
const CANDIDATES: usize = 64;
/// Sizes that are written by themselves.
const SIZES: usize = 6;
/// Groups into which the others go.
const OTHERS: usize = 4;
/// Sizes that depend less on the one before are taken as independent.
const DEPENDENCE_MIN: f64 = 0.05;

/// A table of quantiles: of many pairs those that are missed most, in the mean of the values or of their logarithms.
pub(super) fn quantiles(values: impl Into<Vec<f64>>) -> Quantiles {
    let mut values: Vec<f64> = values.into();
    values.sort_by(f64::total_cmp);
    let (Some(&least), Some(&most)) = (values.first(), values.last()) else {
        return Quantiles::constant(0.0);
    };
    if least == most {
        return Quantiles::constant(digits(least, 3));
    }
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let mut pairs = candidates(&values);
    while pairs.len() > PAIRS_MAX {
        let loss = |at: usize| missed(&pairs[at - 1], &pairs[at], &pairs[at + 1], mean);
        let worst = (1..pairs.len() - 1).min_by(|&a, &b| loss(a).total_cmp(&loss(b))).unwrap_or(1);
        pairs.remove(worst);
    }
    let share = |share: f64| if share == 1.0 { 1.0 } else { (share * 1e5).round() / 1e5 };
    let mut rounded: Vec<(f64, f64)> = Vec::new();
    for (at, value) in pairs {
        let pair = (share(at), digits(value, 3));
        if rounded.last().is_none_or(|last| last.0 < pair.0) {
            rounded.push(pair);
        }
    }
    if rounded.last().is_some_and(|last| last.0 < 1.0) {
        rounded.push((1.0, digits(most, 3)));
    }
    Quantiles(rounded)
}

/// Pairs at even shares of the count and of the sum, both ends of each value that fills more than one.
fn candidates(values: &[f64]) -> Vec<(f64, f64)> {
    let count = values.len();
    let sum: f64 = values.iter().sum();
    let mut at: Vec<usize> = (1..CANDIDATES).map(|part| (part * count).div_ceil(CANDIDATES)).collect();
    let (mut below, mut part) = (0.0, 1);
    for (index, value) in values.iter().enumerate() {
        below += value;
        while part < CANDIDATES && below >= sum * part as f64 / CANDIDATES as f64 {
            at.push(index + 1);
            part += 1;
        }
    }
    at.push(count);
    let ends = |at: &usize| {
        let value = values[at - 1];
        let (first, last) =
            (values.partition_point(|v| *v < value) + 1, values.partition_point(|v| *v <= value));
        [first, last]
    };
    // The least value is one pair, which is an atom.
    let atom = values.partition_point(|value| *value <= values[0]);
    let mut at: Vec<usize> = at.iter().flat_map(ends).chain([atom]).filter(|&at| at >= atom).collect();
    at.sort_unstable();
    at.dedup();
    at.into_iter().map(|at| (at as f64 / count as f64, values[at - 1])).collect()
}

/// What leaving out the middle one of three pairs changes.
fn missed(a: &(f64, f64), b: &(f64, f64), c: &(f64, f64), mean: f64) -> f64 {
    let part = (b.0 - a.0) / (c.0 - a.0);
    let guess = if a.1 > 0.0 { a.1 * math::pow(c.1 / a.1, part) } else { a.1 + (c.1 - a.1) * part };
    let logs = math::ln(b.1.max(1e-9) / guess.max(1e-9)).abs();
    (c.0 - a.0) / 2.0 * ((b.1 - guess).abs() / mean + logs)
}

/// The most frequent sizes, and the others in groups of about equal shares, each with its mean; and what follows what, where
/// that is not by chance.
pub(super) fn sizes(requests: &[Record]) -> Vec<SizeOf> {
    let mut counts = BTreeMap::<u32, usize>::new();
    let data = || requests.iter().map(|record| record.size).filter(|&size| size > 0);
    data().for_each(|size| *counts.entry(size).or_default() += 1);
    let groups = groups(&counts);
    let mut group_of = BTreeMap::new();
    for (index, group) in groups.iter().enumerate() {
        group_of.extend(group.iter().map(|&(size, _)| (size, index)));
    }
    let total = counts.values().sum::<usize>() as f64;
    let count = |group: &[(u32, usize)]| group.iter().map(|(_, count)| count).sum::<usize>() as f64;
    let mean = |group: &[(u32, usize)]| {
        group.iter().map(|&(size, times)| f64::from(size) * times as f64).sum::<f64>() / count(group)
    };
    let mut followed = vec![vec![0.0; groups.len()]; groups.len()];
    let mut before: Option<usize> = None;
    for group in data().map(|size| group_of[&size]) {
        if let Some(before) = before.replace(group) {
            followed[before][group] += 1.0;
        }
    }
    let shares: Vec<f64> = groups.iter().map(|group| count(group) / total).collect();
    let by_chance = dependence(&shares, &followed) < DEPENDENCE_MIN;
    let sector = f64::from(SECTOR_BYTES);
    let next = |row: &[f64]| {
        let sum: f64 = row.iter().sum();
        if by_chance || sum == 0.0 {
            Vec::new()
        } else {
            row.iter().map(|count| digits(count / sum, 2)).collect()
        }
    };
    let of_group = |(index, group): (usize, &Vec<(u32, usize)>)| SizeOf {
        bytes: ((mean(group) / sector).round().max(1.0) * sector) as u32,
        share: digits(shares[index], 3),
        next: next(&followed[index]),
    };
    groups.iter().enumerate().map(of_group).collect()
}

/// Sizes with their counts: the frequent ones alone, the others together, in order of size.
fn groups(counts: &BTreeMap<u32, usize>) -> Vec<Vec<(u32, usize)>> {
    let mut by_count: Vec<(u32, usize)> = counts.iter().map(|(&size, &count)| (size, count)).collect();
    by_count.sort_by_key(|&(size, count)| (std::cmp::Reverse(count), size));
    let alone = if by_count.len() <= SIZES + OTHERS { by_count.len() } else { SIZES };
    let mut groups: Vec<Vec<(u32, usize)>> = by_count[..alone].iter().map(|&entry| vec![entry]).collect();
    let mut rest = by_count[alone..].to_vec();
    rest.sort_unstable();
    let each = rest.iter().map(|(_, count)| count).sum::<usize>() / OTHERS + 1;
    let (mut group, mut count) = (Vec::new(), 0);
    for (size, requests) in rest {
        count += requests;
        group.push((size, requests));
        if count >= each {
            groups.push(std::mem::take(&mut group));
            count = 0;
        }
    }
    groups.extend((!group.is_empty()).then_some(group));
    groups.sort_by_key(|group| group[0].0);
    groups
}

/// How far what follows a size is from what follows any: total variation, weighted by the sizes' shares.
fn dependence(shares: &[f64], followed: &[Vec<f64>]) -> f64 {
    let apart = |row: &Vec<f64>| {
        let sum = row.iter().sum::<f64>().max(1.0);
        row.iter().zip(shares).map(|(count, share)| (count / sum - share).abs()).sum::<f64>() / 2.0
    };
    followed.iter().zip(shares).map(|(row, share)| share * apart(row)).sum()
}

/// A number in so many digits.
pub(super) fn digits(value: f64, digits: i32) -> f64 {
    format!("{value:.*e}", (digits - 1) as usize).parse().unwrap_or(value)
}
