//! Where the requests of a stream go: runs, zones, distances, reuse.

use super::super::spec::{Law, Reuse, RunStart};
use super::super::{Address, ZoneOf};
use super::{steps, table};
use drivecast_block::Record;
use std::collections::{HashMap, VecDeque};

/// Runs that may go on: as many as a server has streams under way. Assumed.
const OPEN_RUNS: usize = 64;
/// Places are compared in pages of this size.
const PAGE_BYTES: u64 = 4096;
/// A run begins near the one before within this share of the span.
const NEAR_SHARE: u64 = 16;
/// Zones of different popularity.
const ZONES_MAX: usize = 6;
/// Parts of the span in which runs are counted before zones are looked for.
const PARTS: usize = 4096;
/// Smaller shares are left out.
const SHARE_MIN: f64 = 0.01;

/// A run of requests, each where the one before ended.
pub(super) struct Run {
    pub(super) start: u64,
    /// The end of the request issued before it.
    before: u64,
    pub(super) requests: u32,
    bytes: u64,
}

/// The runs of a stream.
pub(super) struct Runs {
    pub(super) runs: Vec<Run>,
    /// The run of each request.
    pub(super) of: Vec<u32>,
    /// For each request that goes on with a run: how many other runs went on since that run did, plus one.
    recency: Vec<Option<u32>>,
}

impl Runs {
    pub(super) fn find(requests: &[Record]) -> Runs {
        let mut found =
            Runs { runs: Vec::new(), of: Vec::with_capacity(requests.len()), recency: Vec::new() };
        // The runs that may go on, the latest last.
        let mut open: VecDeque<(u64, u32)> = VecDeque::with_capacity(OPEN_RUNS + 1);
        let mut before = 0;
        for record in requests {
            let at = open.iter().rposition(|(end, _)| *end == record.offset);
            let run = match at.and_then(|at| open.remove(at)) {
                Some((_, run)) => run,
                None => {
                    found.runs.push(Run { start: record.offset, before, requests: 0, bytes: 0 });
                    found.runs.len() as u32 - 1
                }
            };
            found.recency.push(at.map(|at| (open.len() - at + 1) as u32));
            let of = &mut found.runs[run as usize];
            of.requests += 1;
            of.bytes += u64::from(record.size);
            found.of.push(run);
            before = record.end();
            open.push_back((before, run));
            if open.len() > OPEN_RUNS {
                open.pop_front();
            }
        }
        found
    }

    /// Runs under way at once, and the share of the requests that go on with another than the one before. Where the other is
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

/// The pattern of a stream.
pub(super) fn fit(requests: &[Record], span: u64) -> Address {
    let runs = Runs::find(requests);
    let (mut ago, mut near, mut anew) = (Vec::new(), Vec::new(), Vec::new());
    let (mut forward, mut in_order, mut followers) = (0_usize, 0_usize, 0_usize);
    let (mut last, mut last_ago) = (HashMap::new(), None);
    for (index, run) in runs.runs.iter().enumerate() {
        let back = last.insert(run.start / PAGE_BYTES, index).map(|before| index - before);
        if let (Some(now), Some(then)) = (back, last_ago) {
            followers += 1;
            in_order += usize::from(now == then);
        }
        last_ago = back;
        let distance = run.start.abs_diff(run.before);
        match back {
            Some(back) => ago.push(back as f64),
            None if index > 0 && distance <= span / NEAR_SHARE => {
                forward += usize::from(run.start >= run.before);
                near.push(distance as f64);
            }
            None => anew.push(run.start),
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
        in_order,
    });
    let zones = zones(&anew, span);
    if requests.len() as f64 <= 1.05 * count {
        return Address::Random { zones, law: Law::Uniform, exponent: None, reuse, near };
    }
    let run_bytes = Some(table::quantiles(runs.runs.iter().map(|run| run.bytes as f64).collect::<Vec<_>>()));
    let (interleaved, switch) = runs.interleaved();
    Address::Sequential { zones, run_bytes, reuse, near, interleaved, switch }
}

/// Zones of different popularity.
fn zones(starts: &[u64], span: u64) -> Vec<ZoneOf> {
    let mut counts = vec![0.0; PARTS];
    starts.iter().for_each(|start| counts[((start / 512 * PARTS as u64) / (span / 512)) as usize] += 1.0);
    let steps = steps::steps(&counts, &vec![1.0; PARTS], ZONES_MAX);
    let ends = steps.iter().skip(1).map(|step| step.0).chain([PARTS]);
    let edge = |part: usize| table::digits(part as f64 / PARTS as f64, 6);
    let zone = |(&(from, density), to): (&(usize, f64), usize)| {
        let share = table::digits(density * (to - from) as f64 / starts.len().max(1) as f64, 3);
        ZoneOf { from: edge(from), to: edge(to), share }
    };
    let zones: Vec<ZoneOf> = steps.iter().zip(ends).map(zone).filter(|zone| zone.share > 0.0).collect();
    if zones.is_empty() { vec![ZoneOf::WHOLE] } else { zones }
}

/// The largest power of two, up to a page, that nearly all requests begin at a multiple of.
pub(super) fn align(requests: &[Record]) -> u32 {
    let fits = |align: u32| {
        let aligned = requests.iter().filter(|record| record.offset.is_multiple_of(u64::from(align))).count();
        aligned as f64 >= (1.0 - SHARE_MIN) * requests.len() as f64
    };
    [4096, 2048, 1024].into_iter().find(|&align| fits(align)).unwrap_or(512)
}
