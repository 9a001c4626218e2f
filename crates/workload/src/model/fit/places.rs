//! Where the requests of a stream go: runs, zones, distances, reuse.

use super::super::spec::{Law, Reuse, RunStart};
use super::super::{Address, ZoneOf};
use super::{steps, table};
use drivecast_block::math;
use drivecast_block::{Nanos, Record};
use std::collections::{HashMap, VecDeque};

/// Runs that may continue: as many as a server has streams under way. Assumed.
const OPEN_RUNS: usize = 64;
/// Places are compared in pages of this size.
const PAGE_BYTES: u64 = 4096;
/// A run begins near the one before within this share of the span.
const NEAR_SHARE: u64 = 16;
/// So close, a run is taken as near the one before even where an earlier one began: a disk feels the distance.
const CLOSE_BYTES: u64 = 1 << 20;
/// Zones of different popularity.
const ZONES_MAX: usize = 16;
/// Least and largest extents. Assumed: those of file systems.
const EXTENT_MIN: u64 = 1 << 16;
const EXTENT_MAX: u64 = 1 << 26;

/// Parts of the span in which runs are counted before zones are looked for.
const PARTS: usize = 4096;
/// Requests that may begin elsewhere than at a multiple of the alignment.
const ASTRAY_MAX: f64 = 0.05;
/// Smaller shares are left out.
const SHARE_MIN: f64 = 0.01;

/// A run of requests, each where the one before ended.
pub(super) struct Run {
    at: Nanos,
    pub(super) start: u64,
    /// The end of the request before it.
    before: u64,
    pub(super) requests: u32,
    bytes: u64,
}

/// The runs of a stream.
pub(super) struct Runs {
    pub(super) runs: Vec<Run>,
    /// The run of each request.
    pub(super) of: Vec<u32>,
    /// For each request that continues a run: how many other runs continued since that run did, plus one.
    recency: Vec<Option<u32>>,
}

impl Runs {
    /// The runs of requests; `before`: where the request before each ended, if not that of the one before it here.
    pub(super) fn find(requests: &[Record], before: Option<&[u64]>) -> Runs {
        let mut found =
            Runs { runs: Vec::new(), of: Vec::with_capacity(requests.len()), recency: Vec::new() };
        // The runs that may continue, the latest last.
        let mut open: VecDeque<(u64, u32)> = VecDeque::with_capacity(OPEN_RUNS + 1);
        let mut last = 0;
        for (index, record) in requests.iter().enumerate() {
            let before = before.map_or(last, |before| before[index]);
            let at = open.iter().rposition(|(end, _)| *end == record.offset);
            let run = match at.and_then(|at| open.remove(at)) {
                Some((_, run)) => run,
                None => {
                    found.runs.push(Run {
                        at: record.time,
                        start: record.offset,
                        before,
                        requests: 0,
                        bytes: 0,
                    });
                    found.runs.len() as u32 - 1
                }
            };
            found.recency.push(at.map(|at| (open.len() - at + 1) as u32));
            let of = &mut found.runs[run as usize];
            of.requests += 1;
            of.bytes += u64::from(record.size);
            found.of.push(run);
            last = record.end();
            open.push_back((last, run));
            if open.len() > OPEN_RUNS {
                open.pop_front();
            }
        }
        found
    }

    /// Runs under way at once, and the share of the requests that continue another than the one before. Where the other is
    /// any of k, it is k / 2 back in the median.
    fn interleaved(&self) -> (u32, f64) {
        let mut others: Vec<u32> = self.recency.iter().flatten().copied().collect();
        let going_on = others.len() as f64;
        others.retain(|&back| back > 1);
        others.sort_unstable();
        let switch = table::digits(others.len() as f64 / going_on.max(1.0), 3);
        match others.get(others.len() / 2) {
            Some(median) if switch > SHARE_MIN => (2 * (median - 1).max(1), switch),
            _ => (1, 1.0),
        }
    }
}

/// For each run of each stream, how many runs ago, of all streams, one began in the same page.
pub(super) fn returns(streams: &[Runs]) -> Vec<Vec<Option<usize>>> {
    let mut found: Vec<Vec<Option<usize>>> =
        streams.iter().map(|stream| Vec::with_capacity(stream.runs.len())).collect();
    let of_stream = |(which, stream): (usize, &Runs)| {
        stream.runs.iter().map(|run| (run.at, which, run.start / PAGE_BYTES)).collect::<Vec<_>>()
    };
    let mut order: Vec<(Nanos, usize, u64)> = streams.iter().enumerate().flat_map(of_stream).collect();
    order.sort_by_key(|&(at, which, _)| (at, which));
    let mut last = HashMap::new();
    for (index, (_, which, page)) in order.into_iter().enumerate() {
        found[which].push(last.insert(page, index).map(|before: usize| index - before));
    }
    found
}

/// The pattern of a stream with these runs, each of which began so many runs of the streams `among` ago.
pub(super) fn fit(
    requests: &[Record],
    runs: &Runs,
    returns: &[Option<usize>],
    (territory, span): (&Territory, u64),
    among: Option<&str>,
) -> Address {
    let (mut ago, mut near, mut anew) = (Vec::new(), Vec::new(), Vec::new());
    let (mut forward, mut in_order, mut followers) = (0_usize, 0_usize, 0_usize);
    let mut last_ago = None;
    for (index, (run, &back)) in runs.runs.iter().zip(returns).enumerate() {
        if let (Some(now), Some(then)) = (back, last_ago) {
            followers += 1;
            in_order += usize::from(now == then);
        }
        last_ago = back;
        let distance = run.start.abs_diff(run.before);
        match back {
            Some(back) if distance > CLOSE_BYTES => ago.push(back as f64),
            _ if index > 0 && distance <= span / NEAR_SHARE => {
                forward += usize::from(run.start >= run.before);
                near.push(distance as f64);
            }
            _ => anew.push(run.start),
        }
    }
    let count = runs.runs.len() as f64;
    let share = |part: usize, whole: f64| table::digits(part as f64 / whole.max(1.0), 3);
    let first_time = (near.len() + anew.len()) as f64;
    let (forward, back) = (share(forward, first_time), share(near.len() - forward, first_time));
    let near =
        (forward + back > SHARE_MIN).then(|| RunStart { forward, back, bytes: table::quantiles(near) });
    let reuse_share = share(ago.len(), count);
    let in_order = share(in_order, followers as f64);
    let reuse = (reuse_share > SHARE_MIN).then(|| Reuse {
        share: reuse_share,
        runs_ago: table::quantiles(ago),
        among: among.map(str::to_owned),
        in_order,
    });
    let zones = territory.zones(&anew, span);
    if requests.len() as f64 <= 1.05 * count {
        return Address::Random { zones, law: Law::Uniform, exponent: None, reuse, near };
    }
    let requests = runs.runs.iter().map(|run| f64::from(run.requests)).collect::<Vec<_>>();
    let run_requests = Some(table::quantiles(requests));
    let (interleaved, switch) = runs.interleaved();
    Address::Sequential { zones, run_bytes: None, run_requests, reuse, near, interleaved, switch }
}

/// Where the requests of one operation go: edges of zones of different popularity, as parts, each with the share in use.
pub(super) struct Territory(Vec<(usize, usize, f64)>);

impl Territory {
    pub(super) fn find(requests: &[Record], span: u64) -> Territory {
        let mut counts = vec![0.0; PARTS];
        requests.iter().for_each(|record| counts[part(record.offset, span)] += 1.0);
        let steps = steps::steps(&counts, ZONES_MAX);
        let ends = steps.iter().skip(1).map(|step| step.0).chain([PARTS]);
        let accessed = accessed(requests);
        let at = |part: usize| (u128::from(span) * part as u128 / PARTS as u128) as u64;
        let zone = |(&(from, _), to): (&(usize, f64), usize)| {
            let (low, high) = (at(from), at(to));
            let used: u64 =
                accessed.iter().map(|&(start, end)| end.min(high).saturating_sub(start.max(low))).sum();
            (from, to, used as f64 / (high - low).max(1) as f64)
        };
        Territory(steps.iter().zip(ends).map(zone).collect())
    }

    /// The zones, each with the share of these starts in it.
    fn zones(&self, starts: &[u64], span: u64) -> Vec<ZoneOf> {
        let mut counts = vec![0.0; self.0.len()];
        for &start in starts {
            let at = part(start, span);
            counts[self.0.partition_point(|zone| zone.1 <= at)] += 1.0;
        }
        let edge = |part: usize| table::digits(part as f64 / PARTS as f64, 6);
        let zone = |(&(from, to, used), count): (&(usize, usize, f64), &f64)| ZoneOf {
            from: edge(from),
            to: edge(to),
            share: table::digits(count / starts.len().max(1) as f64, 3),
            used: table::digits(used, 3).clamp(1e-9, 1.0),
        };
        let zones: Vec<ZoneOf> =
            self.0.iter().zip(&counts).filter(|(_, count)| **count > 0.0).map(zone).collect();
        if zones.is_empty() { vec![ZoneOf::WHOLE] } else { zones }
    }
}

fn part(offset: u64, span: u64) -> usize {
    ((u128::from(offset) * PARTS as u128) / u128::from(span)) as usize
}

/// The addresses of requests, each once: beginnings and ends in order.
fn accessed(requests: &[Record]) -> Vec<(u64, u64)> {
    let mut extents: Vec<(u64, u64)> = requests.iter().map(|record| (record.offset, record.end())).collect();
    extents.sort_unstable();
    let mut merged: Vec<(u64, u64)> = Vec::new();
    for (start, end) in extents {
        match merged.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ => merged.push((start, end)),
        }
    }
    merged
}

/// The size of the extents in which what is used lies: the run in which the mean byte lies.
pub(super) fn extent_bytes(runs: &Runs) -> u64 {
    let sum = |power: u32| runs.runs.iter().map(|run| math::powi(run.bytes as f64, power)).sum::<f64>();
    let mean = (sum(2) / sum(1)).clamp(EXTENT_MIN as f64, EXTENT_MAX as f64);
    (mean as u64).next_power_of_two()
}

/// The largest power of two, up to a MiB, that nearly all requests begin at a multiple of: the page of a database, mostly.
pub(super) fn align(requests: &[Record]) -> u32 {
    let fits = |align: u32| {
        let aligned = requests.iter().filter(|record| record.offset.is_multiple_of(u64::from(align))).count();
        aligned as f64 >= (1.0 - ASTRAY_MAX) * requests.len() as f64
    };
    (10..=20).rev().map(|bits| 1 << bits).find(|&align| fits(align)).unwrap_or(512)
}
