//! Models under damage, and what holds for any recording that one is fitted to.

use crate::trials;
use drivecast_block::{Bytes, Nanos, Op, Record};
use drivecast_workload::Model;
use drivecast_workload::model::Mixture;
use proptest::prelude::*;

const TEXT: &str = include_str!("../../../../python/drivecast/stage/named/spc1-like.toml");

fn recording() -> impl Strategy<Value = Vec<Record>> {
    let one = (0u64..5_000_000, 0u64..4096, 1u32..64, any::<bool>());
    prop::collection::vec(one, 2..200).prop_map(|rows| {
        let mut time = 0;
        let record = |(gap, page, sectors, reads)| {
            time += gap;
            let op = if reads { Op::Read } else { Op::Write };
            Record {
                time: Nanos(time),
                offset: page * 4096,
                size: sectors * 512,
                stream: 0,
                op,
                latency: None,
                fua: false,
            }
        };
        rows.into_iter().map(record).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn damaged_text_is_refused_or_read_but_never_a_panic(at in 0..TEXT.len(), byte in any::<u8>(), cut in any::<bool>()) {
        let mut bytes = TEXT.as_bytes().to_vec();
        if cut { bytes.truncate(at) } else { bytes[at] = byte }
        trials::model(String::from_utf8_lossy(&bytes).as_bytes());
    }

    #[test]
    fn what_is_fitted_reads_back_and_stays_within_the_span(records in recording()) {
        prop_assume!(records.last().unwrap().time > Nanos::ZERO);
        let model = Model::fit(&records, "m").unwrap();
        prop_assert_eq!(&Model::read(&model.to_toml(), "m.toml").unwrap(), &model);
        let length = Nanos::from_secs_f64(model.duration_s.unwrap());
        let played = Mixture::new(&model, Bytes(model.span_bytes), 1).unwrap().records(length).take(10_000);
        let mut before = Nanos::ZERO;
        for record in played {
            prop_assert!(record.end() <= model.span_bytes && record.time >= before);
            before = record.time;
        }
    }
}
