//! The sequential share of a load of which only counters are known, from the sizes of its requests and from merges.
//!
//! MODEL. A program works through runs of addresses, and its requests are of one size, the *issued* one. After each comes
//! the one behind it with the probability p, so that the lengths of runs are geometric. The block layer joins what is
//! adjacent up to a largest request of n issued ones, and the disk is sent
//!
//! ```text
//! mean size / issued size = (1 − pⁿ) / (1 − p)        share that begins where the one before ended = pⁿ
//! ```
//!
//! since all that a run adds to a request that is full begins another. A merge is adjacent to another request by
//! definition: with m merges in r requests the issued size is bytes / (r + m), which gives p; merges may also be missed, and
//! then requests were issued as small as a sector. What is not known is the largest request, and whether a program issued
//! what the disk is sent. So the share is said with an interval:
//!
//! - **low**: only merges show runs, and the largest request is [`LARGEST_BYTES`]; without a merge, none;
//! - **high**: all of the size comes from runs, and the largest request is [`SMALLEST_BYTES`]; at least [`AT_MOST_ONE_BY_ONE`], for
//!   a program that waits for each request leaves nothing to be joined;
//! - **value**: between the low one and that of runs alone up to the largest request that is usual, which is
//!   [`READ_AHEAD_BYTES`] of reads and [`WRITE_BYTES`] of writes; half way, or nearer to runs by the share m / (r + m) of what
//!   was issued that merges show to be in order, or as the mean size nears [`STREAM_BYTES`]. At most [`LONGEST`]: runs end,
//!   and several take turns. Whole percents.
//!
//! Left out: sizes that differ within a direction (large requests in order among small random ones show a mean that is
//! neither), strides, and how several runs interleave.
//!
//! Sources: Linux reads 128 KiB ahead (`VM_READAHEAD_PAGES`), and joined up to 512 KiB for long (`BLK_DEF_MAX_SECTORS`, 1,024
//! sectors), 1,280 KiB since. Eight public recordings with addresses (arc, cloudphysics, hadoop, mariadb-oltp, MQSim's two,
//! msps, opencas), reads and writes apart where there are a thousand: those of a mean up to 38 KiB have 0 to 53 % in order;
//! of 53 to 56 KiB, which their hosts split at 64 KiB, 18 to 22 %, and 65 to 89 % where runs that take turns are followed
//! each; of 127 and 290 KiB 98 and 41 %, and 100 and 89 %. What a size counts without merges is assumed.

use drivecast_block::math;
use serde::Serialize;

const KIB: f64 = 1024.0;
const SECTOR_BYTES: f64 = 512.0;
/// The smallest of the largest requests in use: of the hosts in the recordings of msps and cloudphysics.
const SMALLEST_BYTES: f64 = 64.0 * KIB;
/// What Linux reads ahead at once.
const READ_AHEAD_BYTES: f64 = 128.0 * KIB;
/// What Linux joined for long, and many disks take at most.
const WRITE_BYTES: f64 = 512.0 * KIB;
/// What it joins today.
const LARGEST_BYTES: f64 = 1280.0 * KIB;
/// The share of small requests without a merge that may be in order all the same.
const AT_MOST_ONE_BY_ONE: f64 = 0.5;
/// The most that are in order: of the recording whose requests are as large as its host reads ahead.
const LONGEST: f64 = 0.98;
/// From this mean size on, requests are those of streams, which move so much at a time to seek less. Assumed.
const STREAM_BYTES: f64 = 1024.0 * KIB;
/// What a size alone, without merges, counts for runs at least. Assumed.
const SIZE_ALONE: f64 = 0.5;

/// What counters have of one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Directed {
    /// Requests that the disk was sent.
    pub requests: f64,
    /// Requests that were joined to them.
    pub merged: f64,
    /// Their bytes.
    pub bytes: f64,
}

/// A share that is inferred, with the interval it lies in.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ShareInterval {
    /// What is played.
    pub value: f64,
    /// The least.
    pub low: f64,
    /// The most.
    pub high: f64,
}

/// The shares of requests that begin where the one before of their direction ended.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SequentialShare {
    /// Of all requests.
    pub all: ShareInterval,
    /// Of reads, if there are any.
    pub read: Option<ShareInterval>,
    /// Of writes, if there are any.
    pub write: Option<ShareInterval>,
}

impl SequentialShare {
    /// The shares of reads and writes; none without requests.
    pub fn of(reads: Directed, writes: Directed) -> Option<SequentialShare> {
        let read = share(reads, READ_AHEAD_BYTES);
        let write = share(writes, WRITE_BYTES);
        let parts = [(read, reads.requests), (write, writes.requests)];
        let known = parts.into_iter().filter_map(|(share, requests)| Some((share?, requests)));
        let (all, count) = known.fold(([0.0; 3], 0.0), |([value, low, high], count), (share, requests)| {
            let all =
                [value + share.value * requests, low + share.low * requests, high + share.high * requests];
            (all, count + requests)
        });
        let [value, low, high] = all.map(|sum| sum / count);
        (count > 0.0).then_some(SequentialShare { all: ShareInterval { value, low, high }, read, write })
    }
}

/// The share of one direction, whose requests are as large as `usual_bytes` where they are in order.
fn share(of: Directed, usual_bytes: f64) -> Option<ShareInterval> {
    if of.requests <= 0.0 || of.bytes <= 0.0 {
        return None;
    }
    let issued = of.requests + of.merged;
    let (mean_bytes, issued_bytes, merged) = (of.bytes / of.requests, of.bytes / issued, of.merged / issued);
    let percents = |share: f64| (100.0 * share).round() / 100.0;
    let low = in_order(mean_bytes, issued_bytes, LARGEST_BYTES).min(LONGEST);
    let high = in_order(mean_bytes, SECTOR_BYTES, SMALLEST_BYTES).max(AT_MOST_ONE_BY_ONE);
    let runs = in_order(mean_bytes, SECTOR_BYTES, usual_bytes).min(LONGEST);
    let counted = merged.max((mean_bytes / STREAM_BYTES).clamp(SIZE_ALONE, 1.0));
    let value = low + counted * (runs - low).max(0.0);
    Some(ShareInterval { value: percents(value), low: percents(low), high: percents(high) })
}

/// The share of requests that begin where the one before ended, where runs of requests of the size issued make those of
/// the mean size.
fn in_order(mean_bytes: f64, issued_bytes: f64, largest_bytes: f64) -> f64 {
    if issued_bytes >= mean_bytes {
        return 0.0;
    }
    if mean_bytes >= largest_bytes {
        return 1.0;
    }
    let most = largest_bytes / issued_bytes;
    let joined = |p: f64| (1.0 - math::pow(p, most)) / (1.0 - p);
    let (mut low, mut high) = (0.0, 1.0);
    while high - low > 1e-12 {
        let middle = (low + high) / 2.0;
        let is_short = joined(middle) < mean_bytes / issued_bytes;
        if is_short { low = middle } else { high = middle }
    }
    math::pow(low, most)
}
