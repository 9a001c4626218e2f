//! The requests of one operation, by how many of them come together and, where they are many, whether along long runs.

use super::batches::Groups;
use super::places::Runs;
use super::steps::steps;
use drivecast_block::Record;

/// Requests from which on a burst is a bulk of them. Assumed: as many as the queue of a SATA drive takes.
const BULK: usize = 32;
/// The largest bulks are floods, listed one by one: those of which there are more of one size are not.
const FLOODS_MAX: usize = 256;
/// A flood is listed in at most so many pieces, where its rate changes.
const PIECES_MAX: usize = 3;
/// Intervals in which the requests of a flood are counted before pieces are looked for.
const INTERVALS: usize = 64;
/// A kind with a smaller share of the requests joins the largest.
const SHARE_MIN: f64 = 0.05;

/// Requests from which on a run is a long one. Assumed.
const LONG: u32 = 16;

const NAMES: [&str; 5] = ["few", "bulk-scattered", "bulk-runs", "flood-scattered", "flood-runs"];
const FLOOD: usize = 3;

/// The requests of one kind.
pub(super) struct Kind {
    pub(super) name: &'static str,
    pub(super) requests: Vec<Record>,
    /// Where the request before each ended, of whatever kind.
    pub(super) before: Vec<u64>,
    /// Of floods, when each piece begins, how many requests it has, and how long it takes.
    pub(super) listed: Option<Vec<(f64, f64, f64)>>,
}

/// The requests by kind, kinds without any left out.
pub(super) fn split(requests: &[Record]) -> Vec<Kind> {
    let batches = Groups::batches(requests);
    let bursts = batches.grouped();
    let flood = flood(&batches.summed(&bursts));
    let runs = Runs::find(requests, None);
    let is_long = |&run: &u32| runs.runs[run as usize].requests >= LONG;
    let mut kinds: [Vec<usize>; 5] = Default::default();
    let mut listed: [Vec<(f64, f64, f64)>; 5] = Default::default();
    for burst in bursts.groups {
        let (first, last) = (&batches.groups[burst.first], &batches.groups[burst.first + burst.count - 1]);
        let range = first.first..last.first + last.count;
        let along = runs.of[range.clone()].iter().filter(|run| is_long(run)).count();
        let kind = match range.len() {
            0..BULK => 0,
            many => 1 + 2 * usize::from(many >= flood) + usize::from(2 * along > many),
        };
        if kind >= FLOOD {
            pieces(&requests[range.clone()], &mut listed[kind]);
        }
        kinds[kind].extend(range);
    }
    let most = (0..FLOOD).max_by_key(|&kind| kinds[kind].len()).unwrap_or(0);
    for kind in (0..FLOOD).filter(|&kind| kind != most) {
        if (kinds[kind].len() as f64) < SHARE_MIN * requests.len() as f64 {
            let few = std::mem::take(&mut kinds[kind]);
            kinds[most].extend(few);
        }
    }
    kinds[most].sort_unstable();
    let kind = |((name, of), listed): ((_, Vec<usize>), Vec<_>)| {
        let before = |&index: &usize| index.checked_sub(1).map_or(0, |before| requests[before].end());
        (!of.is_empty()).then(|| Kind {
            name,
            before: of.iter().map(before).collect(),
            requests: of.into_iter().map(|index| requests[index]).collect(),
            listed: (!listed.is_empty()).then_some(listed),
        })
    };
    NAMES.into_iter().zip(kinds).zip(listed).filter_map(kind).collect()
}

/// The requests from which on a burst is a flood.
fn flood(counts: &[f64]) -> usize {
    let mut bulks: Vec<usize> =
        counts.iter().map(|&count| count as usize).filter(|&count| count >= BULK).collect();
    bulks.sort_unstable_by(|a, b| b.cmp(a));
    bulks.get(FLOODS_MAX).map_or(BULK, |&next| next + 1)
}

/// Cuts a flood where its rate changes.
fn pieces(flood: &[Record], into: &mut Vec<(f64, f64, f64)>) {
    let at = |index: usize| flood[index].time.as_secs_f64();
    let (from_s, length_s) = (at(0), at(flood.len() - 1) - at(0));
    if length_s == 0.0 {
        into.push((from_s, flood.len() as f64, 0.0));
        return;
    }
    let interval = |at_s: f64| (((at_s - from_s) / length_s * INTERVALS as f64) as usize).min(INTERVALS - 1);
    let mut counts = vec![0.0; INTERVALS];
    (0..flood.len()).for_each(|index| counts[interval(at(index))] += 1.0);
    let width_s = length_s / INTERVALS as f64;
    let cuts = steps(&counts, PIECES_MAX);
    let ends = cuts.iter().skip(1).map(|cut| cut.0).chain([INTERVALS]);
    for (&(from, _), to) in cuts.iter().zip(ends) {
        let requests: f64 = counts[from..to].iter().sum();
        if requests > 0.0 {
            into.push((from_s + from as f64 * width_s, requests, (to - from) as f64 * width_s));
        }
    }
}
