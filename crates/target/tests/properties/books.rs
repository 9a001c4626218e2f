//! Any mix of requests on a real file keeps its books.

use crate::examples::file::{SIZE, file, folder, play, target};
use drivecast_block::{Nanos, Op, Record};
use drivecast_sim::run::{Depth, Remap, RunOptions};
use drivecast_target::Access;
use proptest::prelude::*;

/// Up to 60 requests of any kind, alignment and place within 30 ms; some lie behind the end of the file.
fn traces() -> impl Strategy<Value = Vec<Record>> {
    let op =
        prop_oneof![4 => Just(Op::Read), 4 => Just(Op::Write), 1 => Just(Op::Flush), 1 => Just(Op::Discard)];
    let step = (0..500_000_u64, 0..2 * SIZE, 0..100_000_u32, op, prop::option::of(0..2_000_000_u64));
    prop::collection::vec(step, 1..60).prop_map(|steps| {
        let mut time = 0;
        let record = |(gap, offset, size, op, latency): (u64, u64, u32, Op, Option<u64>)| {
            time += gap;
            let size = if op == Op::Flush { 0 } else { size };
            Record { time: Nanos(time), offset, size, stream: 0, op, latency: latency.map(Nanos), fua: false }
        };
        steps.into_iter().map(record).collect()
    })
}

fn depths() -> impl Strategy<Value = Option<Depth>> {
    prop_oneof![Just(None), (1..20_u32).prop_map(|depth| Some(Depth::Of(depth))), Just(Some(Depth::Recorded))]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn what_was_asked_is_done_once(records in traces(), depth in depths()) {
        let dir = folder();
        let path = file(dir.path());
        let mut target = target(&path, Access::Write);
        let asked = |op: Op| records.iter().filter(|r| r.op == op && (r.size > 0 || op == Op::Flush)).count() as u64;
        let all: u64 = Op::ALL.iter().map(|op| asked(*op)).sum();
        prop_assume!(all > 0);
        prop_assume!(depth != Some(Depth::Recorded) || records.iter().any(|record| record.latency.is_some()));
        let bytes = |op: Op| records.iter().filter(|r| r.op == op).map(|r| u64::from(r.size)).sum::<u64>();
        let options = RunOptions { depth, remap: Remap::Wrap, ..RunOptions::default() };
        let outcome = play(&mut target, records.clone(), &options);
        prop_assert_eq!(outcome.partial, None);
        prop_assert_eq!((outcome.generated, outcome.completed, outcome.in_flight), (all, all, 0));
        prop_assert_eq!(
            [outcome.read.requests, outcome.write.requests, outcome.flush.requests],
            [asked(Op::Read), asked(Op::Write), asked(Op::Flush)]
        );
        prop_assert_eq!((outcome.host_read_bytes, outcome.host_written_bytes), (bytes(Op::Read), bytes(Op::Write)));
        prop_assert_eq!(target.lag().discards, asked(Op::Discard));
        prop_assert_eq!(target.lag().histogram.len(), all - asked(Op::Discard));
        prop_assert!(outcome.utilization <= 1.0);
        prop_assert_eq!(std::fs::metadata(&path).expect("the file").len(), SIZE, "no write beyond the end");
    }
}
