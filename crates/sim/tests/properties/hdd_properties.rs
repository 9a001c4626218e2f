//! What holds for every disk and every load.

use crate::*;
use proptest::prelude::*;

const SPAN: u64 = 4_000_000_000;

/// Requests with think times, over a span that makes sequential runs, overlaps and rereads likely.
fn load() -> impl Strategy<Value = Vec<(Nanos, Request)>> {
    let offset = prop_oneof![0..SPAN / 512, (0..64_u64).prop_map(|block| block * 8), Just(SPAN / 512 - 1)];
    let size = prop_oneof![Just(0_u32), Just(512), Just(4_096), Just(65_536), 1..300_000_u32];
    let op =
        prop_oneof![4 => Just(Op::Read), 4 => Just(Op::Write), 1 => Just(Op::Flush), 1 => Just(Op::Discard)];
    let gap = prop_oneof![3 => Just(0), 2 => 0..3_000_000_u64, 1 => 0..60_000_000_u64];
    prop::collection::vec((gap, op, offset, size), 1..120).prop_map(|rows| {
        let mut at = 0;
        let mut id = 0;
        let row = |(gap, op, block, size): (u64, Op, u64, u32)| {
            at += gap;
            id += 1;
            let size = if op == Op::Flush { 0 } else { size };
            let offset = (block * 512).min(SPAN - u64::from(size));
            (Nanos(at), request(id - 1, op, offset, size))
        };
        rows.into_iter().map(row).collect()
    })
}

fn any_disk() -> impl Strategy<Value = HddSpec> {
    let depth = prop_oneof![Just(1_u32), Just(2), Just(32)];
    let cache = prop_oneof![Just(0_u64), Just(64 << 10), Just(16 << 20)];
    let scheduler = prop_oneof![Just(Scheduler::Sptf), Just(Scheduler::Fifo)];
    let overhead = prop_oneof![Just(0_u64), Just(200_000)];
    (depth, cache, scheduler, overhead, any::<bool>(), 5_400.0..15_000.0).prop_map(
        |(queue_depth, cache_bytes, scheduler, overhead_ns, write_cache, rpm)| HddSpec {
            capacity_bytes: SPAN,
            surfaces: 2,
            queue_depth,
            cache_bytes,
            scheduler,
            overhead_ns,
            rpm,
            write_cache: write_cache && cache_bytes > 0,
            ..fast_disk()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_request_completes_once_in_order_and_never_too_early(spec in any_disk(), load in load()) {
        let mut hdd = disk(&spec);
        let served = open_loop(&mut hdd, &load);
        let mut ids: Vec<u64> = served.iter().map(|served| served.request.id).collect();
        prop_assert!(served.is_sorted_by_key(|served| served.completed));
        ids.sort_unstable();
        prop_assert!(ids.into_iter().eq(0..load.len() as u64), "each once");
        for served in &served {
            let link = f64::from(served.request.size) / spec.link_bytes_per_s * 1e9;
            let data = if matches!(served.request.op, Op::Read | Op::Write) { link } else { 0.0 };
            // A read that joins what is being read ahead has its overhead behind it when the data come.
            let least = if served.request.op == Op::Read { data } else { spec.overhead_ns as f64 + data };
            let took = served.completed.since(served.submitted).0 as f64;
            prop_assert!(took >= least - 1.0, "{served:?} took {took} ns, at least {least}");
        }
        let counters = hdd.counters();
        prop_assert_eq!(counters.submitted, counters.completed);
        prop_assert_eq!(hdd.next(), None, "nothing is left to do");
    }

    #[test]
    fn the_same_seed_gives_the_same_run(spec in any_disk(), load in load()) {
        let run = || open_loop(&mut disk(&spec), &load).iter().map(|s| (s.request.id, s.completed)).collect::<Vec<_>>();
        prop_assert_eq!(run(), run());
    }

    #[test]
    fn a_flush_waits_for_what_was_written_before(load in load()) {
        let spec = HddSpec { capacity_bytes: SPAN, surfaces: 2, write_cache: true, ..fast_disk() };
        let mut hdd = disk(&spec);
        let mut load: Vec<_> = load.into_iter().filter(|(_, request)| request.op == Op::Write && request.size > 0).collect();
        prop_assume!(!load.is_empty());
        for (id, (at, request)) in load.iter_mut().enumerate() {
            // All of them together have room in the cache: none waits, and the flush comes after all.
            (*at, request.id, request.size) = (Nanos::ZERO, id as u64, request.size.min(16_384));
        }
        let late = Nanos::from_ms(60_000);
        let flush = load.len() as u64;
        load.push((Nanos::ZERO, request(flush, Op::Flush, 0, 0)));
        load.push((late, request(flush + 1, Op::Flush, 0, 0)));
        let served = open_loop(&mut hdd, &load);
        let done = |id: u64| served.iter().find(|served| served.request.id == id).expect("it completes").completed;
        let medium = done(flush);
        prop_assert!((0..flush).all(|id| done(id) < medium), "the flush waits for the writes");
        // A lone sector may come under the head at once: at least the largest write passes under it, at the outermost rate.
        let largest = load.iter().map(|(_, request)| f64::from(request.size)).fold(0.0, f64::max);
        let least = spec.overhead_ns as f64 + largest / spec.outer_bytes_per_s * 1e9;
        prop_assert!(medium.0 as f64 >= least - 1.0, "and for the medium: {medium}, at least {least}");
        prop_assert_eq!(done(flush + 1), late + Nanos(spec.overhead_ns), "an idle disk has written all by then");
    }

    #[test]
    fn sptf_is_no_slower_than_fifo(seed in 0_u64..1_000, count in 2_usize..32) {
        let mean = |scheduler| {
            let spec = HddSpec { scheduler, ..fast_disk() };
            let mut hdd = disk(&spec);
            let mut next = uniform(&hdd, seed, Op::Read, 4_096);
            let batch: Vec<_> = (0..count as u64).map(|id| (Nanos::ZERO, next(id))).collect();
            let served = open_loop(&mut hdd, &batch);
            served.iter().map(Served::latency_ms).sum::<f64>() / count as f64
        };
        let (sptf, fifo) = (mean(Scheduler::Sptf), mean(Scheduler::Fifo));
        // Choosing the nearest first is greedy: on a small batch it may lose a revolution to the best order.
        prop_assert!(sptf <= fifo + 4.0, "SPTF {sptf} ms, FIFO {fifo} ms");
    }

    #[test]
    fn specifications_never_panic(
        capacity_bytes in any::<u64>(), partition in any::<f64>(), rpm in any::<f64>(), surfaces in any::<u32>(),
        outer in any::<f64>(), inner in any::<f64>(), zones in 0_u32..2_000, track_ns in any::<u64>(),
        mean_ns in any::<u64>(), full_ns in any::<u64>(), switch in any::<u64>(), depth in any::<u32>(),
        cache_bytes in any::<u64>(), valid in any::<[bool; 10]>(),
    ) {
        // Each field is either as given or valid, so that late checks are reached too.
        let good = fast_disk();
        let spec = HddSpec {
            capacity_bytes: if valid[0] { good.capacity_bytes } else { capacity_bytes },
            partition: if valid[1] { 1.0 } else { partition },
            rpm: if valid[2] { good.rpm } else { rpm },
            surfaces: if valid[3] { good.surfaces } else { surfaces },
            outer_bytes_per_s: if valid[4] { good.outer_bytes_per_s } else { outer },
            inner_bytes_per_s: if valid[5] { good.inner_bytes_per_s } else { inner },
            zones: if valid[6] { good.zones } else { zones },
            seek: if valid[7] { good.seek.clone() } else { Seek::Sheet { track_ns, mean_ns, full_ns } },
            head_switch_ns: if valid[8] { good.head_switch_ns } else { switch },
            queue_depth: if valid[9] { good.queue_depth } else { depth },
            cache_bytes,
            ..good
        };
        if let Err(error) = Hdd::new(&spec, 0) {
            prop_assert!(error.to_string().starts_with('`'), "{error}");
        }
    }
}
