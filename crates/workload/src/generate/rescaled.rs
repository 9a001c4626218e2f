//! A recording recast for another place and pace, with its requests in their order.
//!
//! MODEL. [`packed`]: a trace accesses a small part of the addresses between its first and its last. Those of each accessed
//! region of `region_bytes` move to the region's rank among all accessed regions, in order of address:
//!
//! ```text
//! offset' = rank(offset / region) × region + offset mod region
//! ```
//!
//! Requests in one region, and runs through neighbouring ones, stay as near and as sequential as they were, alignment up to
//! the size of a region does not change, and no two addresses become one. Distances across untouched regions shrink.
//!
//! [`spread`]: a trace of a small part of what will be stored says nothing of the rest. The accessed regions, in order, are put
//! at even distances over `to_bytes`, as if the recorded part had been a sample of all regions:
//!
//! ```text
//! offset' = ⌊rank(offset / region) × to / (regions × 4 KiB)⌋ × 4 KiB + offset mod region
//! ```
//!
//! What lies within a region stays together; a run through neighbouring regions is cut where one ends. Nothing changes
//! where the accessed regions fill `to_bytes` already.
//!
//! [`hurried`]: where nothing is issued and nothing is outstanding for longer than `idle_most`, only so much of it remains.
//! Gaps during which a recorded request was still outstanding stay as they are, as does the time between a request and
//! those that waited for it. Traces of drives are played so where hours of idle time would add nothing.

use drivecast_block::{Nanos, Op, Record};

const BLOCK_BYTES: u64 = 4096;

/// The records with their addresses moved together. A flush has no address.
pub fn packed(records: &[Record], region_bytes: u64) -> Vec<Record> {
    let accessed = accessed(records, region_bytes);
    moved(records, |record| {
        rank(&accessed, record, region_bytes) * region_bytes + record.offset % region_bytes
    })
}

/// The records with their regions at even distances over `to_bytes`; none where these are filled already.
pub fn spread(records: &[Record], region_bytes: u64, to_bytes: u64) -> Option<Vec<Record>> {
    let accessed = accessed(records, region_bytes);
    let regions = accessed.len() as u64;
    if regions == 0 || regions.saturating_mul(region_bytes) >= to_bytes {
        return None;
    }
    let at = |rank: u64| {
        let exact = u128::from(rank) * u128::from(to_bytes) / u128::from(regions);
        exact as u64 / BLOCK_BYTES * BLOCK_BYTES
    };
    Some(moved(records, |record| {
        let offset = at(rank(&accessed, record, region_bytes)) + record.offset % region_bytes;
        offset.min(to_bytes.saturating_sub(u64::from(record.size)))
    }))
}

/// The regions that requests with an address touch, in order.
fn accessed(records: &[Record], region_bytes: u64) -> Vec<u64> {
    let regions = |record: &Record| {
        let first = record.offset / region_bytes;
        let last = record.end().saturating_sub(1).max(record.offset) / region_bytes;
        first..=last
    };
    let placed = |record: &&Record| record.op != Op::Flush;
    let mut accessed: Vec<u64> = records.iter().filter(placed).flat_map(regions).collect();
    accessed.sort_unstable();
    accessed.dedup();
    accessed
}

fn rank(accessed: &[u64], record: &Record, region_bytes: u64) -> u64 {
    accessed.partition_point(|region| *region < record.offset / region_bytes) as u64
}

fn moved(records: &[Record], place: impl Fn(&Record) -> u64) -> Vec<Record> {
    let moved = |record: &Record| match record.op {
        Op::Flush => *record,
        _ => Record { offset: place(record), ..*record },
    };
    records.iter().map(moved).collect()
}

/// The records with idle times cut to `idle_most`.
pub fn hurried(records: &[Record], idle_most: Nanos) -> Vec<Record> {
    let mut cut = Nanos::ZERO;
    // When the last of the requests so far was done.
    let mut busy_until = Nanos::ZERO;
    let mut hurried = Vec::with_capacity(records.len());
    for record in records {
        let idle = record.time.since(busy_until);
        if idle > idle_most {
            cut += idle - idle_most;
        }
        let done = record.time.0.saturating_add(record.latency.unwrap_or_default().0);
        busy_until = busy_until.max(Nanos(done));
        hurried.push(Record { time: record.time - cut, ..*record });
    }
    hurried
}
