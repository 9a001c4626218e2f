//! Every eviction policy against the same policy written plainly, and the laws that hold between them.

#[path = "../plain/eviction.rs"]
mod plain;

use drivecast_block::{Nanos, Op, Record};
use drivecast_workload::eviction::{
    Accesses, By, Collector, Counts, EverySize, Eviction, Limits, PARTS, behind, play,
};
use plain::Request;
use proptest::prelude::*;
use std::collections::BTreeSet;

const BLOCK: u64 = 4096;

fn collected(requests: &[Request], by: By, limits: Limits) -> Accesses {
    let mut collector = Collector::new(by, limits);
    for request in requests {
        let (offset, size) = match by {
            By::Block => (request.key * BLOCK, BLOCK),
            By::Object => (request.key, request.size),
        };
        let op = if request.writes { Op::Write } else { Op::Read };
        let record =
            Record { time: Nanos(0), offset, size: size as u32, stream: 0, op, fua: false, latency: None };
        collector.push(&record);
    }
    collector.finish()
}

fn requests(keys: impl Strategy<Value = u64>, length: usize) -> impl Strategy<Value = Vec<Request>> {
    // Many are small, so that a hundredth of a cache holds several and their order counts.
    let sizes = prop_oneof![2 => Just(1u64), 1 => 1..40u64];
    let request = (keys, sizes, prop::bool::weighted(0.4));
    let request = request.prop_map(|(key, size, writes)| Request { key, size, writes });
    prop::collection::vec(request, 0..length)
}

/// Some keys are asked for again and again, some seldom, and now and then there is a scan.
fn mixed() -> impl Strategy<Value = Vec<Request>> {
    let phases = prop_oneof![
        requests(0..12u64, 60),
        requests(0..60u64, 60),
        (0..1000u64, 1..50u64).prop_map(|(from, length)| {
            (from..from + length)
                .map(|key| Request { key, size: 1 + key % 30, writes: key % 3 == 0 })
                .collect()
        }),
    ];
    prop::collection::vec(phases, 0..12).prop_map(|phases| phases.concat())
}

fn policies() -> impl Strategy<Value = Eviction> {
    prop::sample::select(Eviction::ALL.to_vec())
}

fn misses(counts: Counts) -> f64 {
    counts.read_misses + counts.write_misses
}

fn distinct(requests: &[Request]) -> usize {
    requests.iter().map(|request| request.key).collect::<BTreeSet<u64>>().len()
}

proptest! {
    #[test]
    fn blocks_are_evicted_as_plainly(requests in mixed(), capacity in 1..40u64) {
        let accesses = collected(&requests, By::Block, Limits::default());
        let requests: Vec<Request> = requests.iter().map(|request| Request { size: 1, ..*request }).collect();
        let in_bytes = |units: u64| (units * BLOCK) as f64;
        for eviction in Eviction::ALL {
            let Some(expected) = plain::play(&requests, eviction, capacity) else { continue };
            let found = play(&accesses, eviction, capacity * BLOCK, 3);
            prop_assert_eq!(misses(found), expected.misses as f64, "{}", eviction.name());
            prop_assert_eq!(found.write_back_bytes, in_bytes(expected.write_back), "{}", eviction.name());
            prop_assert_eq!(found.dirty_bytes, in_bytes(expected.dirty), "{}", eviction.name());
        }
    }

    #[test]
    fn objects_are_evicted_as_plainly(requests in mixed(), capacity in 1..600u64) {
        let accesses = collected(&requests, By::Object, Limits::default());
        for eviction in Eviction::ALL {
            let Some(expected) = plain::play(&requests, eviction, capacity) else { continue };
            let found = play(&accesses, eviction, capacity, 3);
            prop_assert_eq!(misses(found), expected.misses as f64, "{}", eviction.name());
            prop_assert_eq!(found.write_back_bytes, expected.write_back as f64, "{}", eviction.name());
            prop_assert_eq!(found.dirty_bytes, expected.dirty as f64, "{}", eviction.name());
        }
    }

    #[test]
    fn what_is_there_at_first_misses_and_what_fits_stays(requests in mixed(), eviction in policies(), capacity in 1..200u64) {
        let accesses = collected(&requests, By::Block, Limits::default());
        let found = play(&accesses, eviction, capacity * BLOCK, 0);
        let distinct = distinct(&requests);
        prop_assert!(misses(found) >= distinct as f64);
        if capacity >= distinct as u64 {
            prop_assert_eq!(misses(found), distinct as f64);
            prop_assert_eq!(found.write_back_bytes, 0.0);
        }
        prop_assert_eq!(found.reads + found.writes, requests.len() as f64);
        prop_assert!(found.dirty_bytes <= (capacity * BLOCK) as f64);
        // Every dirty block was written, and every write makes no more than one.
        prop_assert!(found.write_back_bytes + found.dirty_bytes <= found.write_bytes);
        prop_assert_eq!(found.fill_bytes, found.read_misses * BLOCK as f64);
    }

    #[test]
    fn the_optimum_misses_least(requests in mixed(), eviction in policies(), capacity in 1..100u64) {
        let accesses = collected(&requests, By::Block, Limits::default());
        let of = |eviction| misses(play(&accesses, eviction, capacity * BLOCK, 0));
        prop_assert!(of(Eviction::Belady) <= of(eviction));
    }

    #[test]
    fn larger_caches_without_anomaly_miss_less(requests in mixed(), capacity in 1..100u64) {
        let accesses = collected(&requests, By::Block, Limits::default());
        for eviction in [Eviction::Lru, Eviction::Belady] {
            let of = |capacity| misses(play(&accesses, eviction, capacity * BLOCK, 0));
            prop_assert!(of(capacity + 1) <= of(capacity));
        }
    }

    #[test]
    fn one_pass_counts_as_a_cache_of_each_size(requests in mixed()) {
        let accesses = collected(&requests, By::Block, Limits::default());
        let every = EverySize::of(&accesses);
        for capacity in [1, 2, 3, 5, 8, 20, 50, 200] {
            prop_assert_eq!(every.at(capacity * BLOCK), play(&accesses, Eviction::Lru, capacity * BLOCK, 0));
        }
        for (size, misses_there) in every.misses() {
            prop_assert_eq!(misses_there, misses(every.at(size)));
            prop_assert!(misses(every.at(size - BLOCK)) > misses_there);
        }
    }

    #[test]
    fn a_sample_thinned_on_the_way_is_one_chosen_from_the_start(requests in mixed(), kept in 1..40usize) {
        for by in [By::Block, By::Object] {
            let thinned = collected(&requests, by, Limits { objects_max: kept, ..Limits::default() });
            prop_assert!(thinned.objects() * thinned.rate <= kept as f64);
            prop_assert_eq!(thinned.requests(), requests.len() as f64);
            // Of what is there at another rate, all the references of each object are kept.
            let all = collected(&requests, by, Limits::default());
            let every = play(&thinned, Eviction::Fifo, u64::MAX / 4, 0);
            prop_assert!(misses(every) <= requests.len() as f64);
            prop_assert!(thinned.rate < 1.0 || thinned.objects() == all.objects());
        }
    }

    #[test]
    fn parts_make_up_the_sample(requests in mixed()) {
        let all = collected(&requests, By::Object, Limits::default());
        let parts: Vec<Accesses> = (0..PARTS).map(|part| all.part(part)).collect();
        let sum = |of: fn(&Accesses) -> f64| parts.iter().map(of).sum::<f64>() / f64::from(PARTS);
        prop_assert_eq!(sum(Accesses::objects), all.objects());
        prop_assert_eq!(sum(Accesses::footprint_bytes), all.footprint_bytes());
    }

    #[test]
    fn memory_before_a_cache_takes_reads_away(requests in mixed(), ram in 1..30u64, capacity in 1..30u64) {
        let accesses = collected(&requests, By::Block, Limits::default());
        let memory = play(&accesses, Eviction::Lru, ram * BLOCK, 0);
        let past = behind(&accesses, ram * BLOCK);
        prop_assert_eq!((past.reads, past.writes), (memory.read_misses, memory.writes));
        let found = play(&past, Eviction::Lru, capacity * BLOCK, 0);
        prop_assert_eq!((found.reads, found.writes), (past.reads, past.writes));
        // All that is cached behind the memory was there before, too.
        if capacity <= ram {
            let without = play(&accesses, Eviction::Lru, capacity * BLOCK, 0);
            prop_assert!(found.read_misses <= without.read_misses + memory.read_misses);
        }
    }
}
