//! Matching against a slow oracle: disjoint requests, completed in parts, in any order.

use crate::writer::{C, D, READ, event, little, read};
use drivecast_trace::Options;
use proptest::prelude::*;

/// Requests that share no sector, each with the delays after which its sectors complete.
fn requests() -> impl Strategy<Value = Vec<(u64, Vec<u64>)>> {
    let one = (0..50_u64, proptest::collection::vec(1..10_000_u64, 1..8));
    proptest::collection::vec(one, 1..60)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn the_last_sector_ends_a_request(list in requests(), lost in any::<prop::sample::Index>()) {
        let (mut time, mut sector) = (0, 0);
        let (mut events, mut expected) = (Vec::new(), Vec::new());
        let lost = lost.index(list.len());
        for (number, (step, delays)) in list.iter().enumerate() {
            time += step;
            events.push(event(time, READ | D, sector, delays.len() as u32 * 512));
            for (part, delay) in delays.iter().enumerate() {
                // One request loses the completion of its first sector.
                if number != lost || part > 0 {
                    events.push(event(time + delay, READ | C, sector + part as u64, 512));
                }
            }
            expected.push(if number == lost { None } else { delays.iter().copied().max() });
            sector += delays.len() as u64;
        }
        events.sort_by_key(|event| event.time);
        let (records, summary) = read(little(&events), &Options::default()).unwrap();
        let latencies: Vec<_> = records.iter().map(|record| record.latency.map(|latency| latency.0)).collect();
        prop_assert_eq!(latencies, expected);
        prop_assert_eq!(summary.rows - summary.rows_with_latency, 1);
    }
}
