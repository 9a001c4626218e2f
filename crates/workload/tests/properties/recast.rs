//! What recasting leaves as it was, whatever the recording.

use crate::properties_trace::traces;
use drivecast_block::{Nanos, Op, Record};
use drivecast_workload::{hurried, packed};
use proptest::prelude::*;

const REGION: u64 = 1 << 20;

fn meet(a: &Record, b: &Record) -> bool {
    a.offset < b.end() && b.offset < a.end()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn packing_keeps_order_neighbours_and_what_meets(records in traces()) {
        let moved = packed(&records, REGION);
        let placed = |record: &&Record| record.op != Op::Flush;
        let pairs: Vec<(&Record, &Record)> =
            records.iter().filter(placed).zip(moved.iter().filter(placed)).collect();
        let span = moved.iter().map(Record::end).max().unwrap_or(0);
        prop_assert!(span <= records.iter().map(Record::end).max().unwrap_or(0));
        for (before, after) in &pairs {
            prop_assert_eq!(before.offset % REGION, after.offset % REGION);
            prop_assert_eq!(Record { offset: after.offset, ..**before }, **after);
            for (other, moved) in &pairs {
                prop_assert_eq!(before.offset.cmp(&other.offset), after.offset.cmp(&moved.offset));
                prop_assert_eq!(before.end() == other.offset, after.end() == moved.offset, "a run");
                prop_assert_eq!(meet(before, other), meet(after, moved));
            }
        }
    }

    #[test]
    fn hurrying_cuts_gaps_and_only_those(records in traces(), most_ms in 0..50u64) {
        let most = Nanos(most_ms * 1_000_000);
        let faster = hurried(&records, most);
        let mut busy_until = Nanos::ZERO;
        for (pair, quick) in records.windows(2).zip(faster.windows(2)) {
            let (gap, cut) = (pair[1].time - pair[0].time, quick[1].time - quick[0].time);
            prop_assert!(cut <= gap);
            busy_until = busy_until.max(pair[0].time + pair[0].latency.unwrap_or_default());
            let idle = pair[1].time.since(busy_until);
            prop_assert_eq!(gap - cut, idle.since(most), "only idle time beyond the most is cut");
        }
        prop_assert_eq!(hurried(&records, Nanos(u64::MAX)), records);
    }
}
