//! What recasting leaves as it was, whatever the recording.

use crate::properties_trace::traces;
use drivecast_block::{Nanos, Op, Record};
use drivecast_workload::{hurried, packed, spread};
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
    fn spreading_keeps_order_and_what_lies_in_one_region(records in traces(), to_mib in 1..1_000_000u64) {
        let to = to_mib * REGION;
        let Some(moved) = spread(&records, REGION, to) else { return Ok(()) };
        let placed = |record: &&Record| record.op != Op::Flush;
        let pairs: Vec<(&Record, &Record)> =
            records.iter().filter(placed).zip(moved.iter().filter(placed)).collect();
        for (before, after) in &pairs {
            prop_assert!(after.end() <= to);
            prop_assert_eq!(Record { offset: after.offset, ..**before }, **after);
            prop_assert_eq!(before.offset % 4096, after.offset % 4096);
            for (other, moved) in &pairs {
                if before.offset < other.offset {
                    prop_assert!(after.offset <= moved.offset);
                }
                if before.offset / REGION == other.offset / REGION && before.offset <= other.offset
                    && moved.end() < to {
                    prop_assert_eq!(other.offset - before.offset, moved.offset - after.offset);
                }
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
