//! Compact recordings: what is written reads back, and what is damaged is refused.

use crate::properties_trace::traces;
use crate::trials;
use drivecast_block::{Nanos, Op, Record};
use drivecast_workload::{compact, expand};
use proptest::prelude::*;

/// Requests anywhere in 64 bits.
fn anywhere() -> impl Strategy<Value = Vec<Record>> {
    let step = (any::<u32>(), any::<u64>(), any::<u32>(), 0..4usize, any::<u32>(), any::<bool>());
    prop::collection::vec(step, 0..50).prop_map(|steps| {
        let mut time = 0;
        let record = |(gap, offset, size, op, stream, fua): (u32, u64, u32, usize, u32, bool)| {
            time += u64::from(gap) << 16;
            let offset = offset.min(u64::MAX - u64::from(size));
            Record { time: Nanos(time), offset, size, stream, op: Op::ALL[op], fua, latency: None }
        };
        steps.into_iter().map(record).collect()
    })
}

fn without_latency(records: &[Record]) -> Vec<Record> {
    records.iter().map(|record| Record { latency: None, ..*record }).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn what_is_written_reads_back(records in prop_oneof![traces(), anywhere()]) {
        prop_assert_eq!(expand(&compact(&records)), Ok(without_latency(&records)));
    }

    #[test]
    fn a_part_is_refused(records in traces(), cut in any::<prop::sample::Index>()) {
        let bytes = compact(&records);
        let cut = cut.index(bytes.len());
        let refused = expand(&bytes[..cut]).expect_err("a part of it");
        prop_assert!(refused.at <= cut, "{refused}");
    }

    #[test]
    fn damage_is_refused_or_leaves_a_recording_in_order(
        records in traces(),
        at in any::<prop::sample::Index>(),
        bits in 1..=255u8,
    ) {
        let mut bytes = compact(&records);
        let at = at.index(bytes.len());
        bytes[at] ^= bits;
        match expand(&bytes) {
            Ok(found) => {
                trials::recording(&bytes);
                prop_assert_eq!(found.len(), records.len(), "the number of requests is checked against the columns");
            }
            Err(refused) => prop_assert!(refused.at <= bytes.len(), "{refused}"),
        }
    }

    #[test]
    fn any_bytes_are_read_without_harm(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        trials::recording(&bytes);
    }
}
