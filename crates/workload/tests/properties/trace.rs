//! Random traces, and the profile of a trace.

use drivecast_block::{Nanos, Op, Record};
use drivecast_workload::{Profile, ProfileOptions, Profiler};
use proptest::prelude::*;

/// A trace of up to 200 requests over up to a minute: few addresses, so that they meet again, and a few far away.
pub(crate) fn traces() -> impl Strategy<Value = Vec<Record>> {
    let offset =
        prop_oneof![8 => 0..4096u64, 2 => 0..1u64 << 24, 1 => 0..1u64 << 36].prop_map(|sector| sector * 512);
    let size = prop_oneof![4 => 1..64u32, 1 => 1..40_000u32].prop_map(|sectors| sectors * 512);
    let op =
        prop_oneof![5 => Just(Op::Read), 5 => Just(Op::Write), 1 => Just(Op::Flush), 1 => Just(Op::Discard)];
    // Whole milliseconds let requests end exactly as others begin.
    let whole = |most_ms: u64| (0..most_ms).prop_map(|ms| ms * 1_000_000);
    let gap = prop_oneof![3 => 0..2_000_000u64, 3 => whole(4), 1 => 0..600_000_000u64];
    let latency = prop_oneof![0..3_000_000u64, whole(8), 0..3_000_000_000u64];
    let latency = prop::option::weighted(0.8, latency);
    let step = (gap, offset, size, op, 0..3u32, latency, prop::bool::weighted(0.3));
    prop::collection::vec(step, 0..200).prop_map(|steps| {
        let (mut time, mut end) = (0, 0);
        let record = |(gap, offset, size, op, stream, latency, follows): (
            u64,
            u64,
            u32,
            Op,
            u32,
            Option<u64>,
            bool,
        )| {
            time += gap;
            let offset = if follows { end } else { offset };
            let size = if op == Op::Flush { 0 } else { size };
            end = offset + u64::from(size);
            Record { time: Nanos(time), offset, size, stream, op, latency: latency.map(Nanos), fua: false }
        };
        steps.into_iter().map(record).collect()
    })
}

/// The profile of a trace.
pub(crate) fn profile(records: &[Record], peak_window: Nanos) -> Profile {
    let mut profiler = Profiler::new(ProfileOptions { peak_window });
    records.iter().for_each(|record| profiler.push(record));
    profiler.finish()
}
