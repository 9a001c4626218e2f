//! The requests of one operation, by what their bursts do.

use super::batches::Groups;
use super::places::Runs;
use drivecast_block::Record;

/// Requests from which on a burst is a bulk of them. Assumed: as many as the queue of a SATA drive takes.
const BULK: usize = 32;
/// Requests from which on a bulk is a flood. Assumed: as many as the queues of a server's block layer take.
const FLOOD: usize = 256;
/// Requests from which on a run is a long one. Assumed.
const LONG: u32 = 16;
/// A kind with a smaller share of the requests joins the one with most.
const SHARE_MIN: f64 = 0.05;

const NAMES: [&str; 6] =
    ["scattered", "runs", "bulk-scattered", "bulk-runs", "flood-scattered", "flood-runs"];

/// The requests by kind, kinds without any left out.
pub(super) fn split(requests: &[Record]) -> Vec<(&'static str, Vec<Record>)> {
    let runs = Runs::find(requests);
    let batches = Groups::batches(requests);
    let mut kinds: [Vec<Record>; 6] = Default::default();
    for burst in batches.grouped().groups {
        let (first, last) = (&batches.groups[burst.first], &batches.groups[burst.first + burst.count - 1]);
        let range = first.first..last.first + last.count;
        let count = range.len();
        let along =
            runs.of[range.clone()].iter().filter(|&&run| runs.runs[run as usize].requests >= LONG).count();
        let bulk = usize::from(count >= BULK) + usize::from(count >= FLOOD);
        kinds[2 * bulk + usize::from(2 * along > count)].extend_from_slice(&requests[range]);
    }
    let most = (0..kinds.len()).max_by_key(|&kind| kinds[kind].len()).unwrap_or(0);
    for kind in 0..kinds.len() {
        if kind != most && (kinds[kind].len() as f64) < SHARE_MIN * requests.len() as f64 {
            let few = std::mem::take(&mut kinds[kind]);
            kinds[most].extend(few);
        }
    }
    kinds[most].sort_by_key(|record| record.time);
    NAMES.into_iter().zip(kinds).filter(|(_, requests)| !requests.is_empty()).collect()
}
