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
//! [`hurried`]: where nothing is issued and nothing is outstanding for longer than `idle_most`, only so much of it remains.
//! Gaps during which a recorded request was still outstanding stay as they are, as does the time between a request and
//! those that waited for it. Traces of drives are played so where hours of idle time would add nothing.

use drivecast_block::{Nanos, Op, Record};

/// The records with their addresses moved together. A flush has no address.
#[must_use]
pub fn packed(records: &[Record], region_bytes: u64) -> Vec<Record> {
    let regions = |record: &Record| {
        let first = record.offset / region_bytes;
        let last = record.end().saturating_sub(1).max(record.offset) / region_bytes;
        first..=last
    };
    let placed = |record: &&Record| record.op != Op::Flush;
    let mut accessed: Vec<u64> = records.iter().filter(placed).flat_map(regions).collect();
    accessed.sort_unstable();
    accessed.dedup();
    let place = |record: &Record| {
        let rank = accessed.partition_point(|region| *region < record.offset / region_bytes) as u64;
        rank * region_bytes + record.offset % region_bytes
    };
    let moved = |record: &Record| match record.op {
        Op::Flush => *record,
        _ => Record { offset: place(record), ..*record },
    };
    records.iter().map(moved).collect()
}

/// The records with idle times cut to `idle_most`.
#[must_use]
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
