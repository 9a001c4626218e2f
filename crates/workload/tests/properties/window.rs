//! A pass of all windows of a trace is the trace; footprints hold every page.

use crate::properties_trace::traces;
use drivecast_block::{Nanos, Op, Record};
use drivecast_workload::window::{Footprint, Kept, PAGE_BYTES, extents, pass};
use proptest::prelude::*;
use std::ops::Range;

/// Windows of equal length that hold all of the records.
fn windows(records: &[Record], count: u64) -> Vec<Range<Nanos>> {
    let last = records.last().map_or(0, |record| record.time.0);
    let length = last / count + 1;
    (0..count).map(|number| Nanos(number * length)..Nanos((number + 1) * length)).collect()
}

fn whole_pass(records: &[Record], count: u64) -> Vec<Record> {
    let windows = windows(records, count);
    let found = extents(records, &windows);
    let part = |at: Nanos| records.partition_point(|record| record.time < at);
    let kept: Vec<Kept> = (0..)
        .zip(&windows)
        .map(|(number, window)| {
            let before = found.partition_point(|extent| extent.window < number);
            let behind = found.partition_point(|extent| extent.window <= number);
            let records = &records[part(window.start)..part(window.end)];
            Kept { start: window.start, records, extents: &found[before..behind] }
        })
        .collect();
    let span = records.iter().map(Record::end).max().unwrap_or(0).next_multiple_of(PAGE_BYTES);
    let writes = records.iter().filter(|record| record.op == Op::Write);
    let footprints = [Footprint::of(writes, 1 << 16), Footprint::of(records.iter(), 1 << 16)];
    let order: Vec<u32> = (0..count as u32).collect();
    let length = windows[0].end;
    pass(&kept, &order, length, span, [&footprints[0], &footprints[1]])
}

proptest! {
    #[test]
    fn a_pass_of_all_windows_is_the_trace(records in traces(), count in 1..12u64) {
        prop_assert_eq!(whole_pass(&records, count), records);
    }

    #[test]
    fn footprints_hold_every_page_in_as_many_runs_as_may_be(records in traces(), runs_max in 1..40usize) {
        let footprint = Footprint::of(records.iter(), runs_max);
        prop_assert!(footprint.runs().len() <= runs_max);
        prop_assert!(footprint.runs().windows(2).all(|pair| pair[0].1 < pair[1].0));
        for record in records.iter().filter(|record| record.has_data()) {
            let (first, behind) = (record.offset / PAGE_BYTES, record.end().div_ceil(PAGE_BYTES));
            let holds = |run: &&(u64, u64)| run.0 <= first && behind <= run.1;
            prop_assert_eq!(footprint.runs().iter().filter(holds).count(), 1);
        }
        prop_assert_eq!(Footprint::of_runs(footprint.runs().to_vec()), footprint);
    }
}
