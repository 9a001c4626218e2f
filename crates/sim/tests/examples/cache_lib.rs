//! CacheLib: what goes to flash, when, and what a request for it takes.

use crate::cache_others::{BLOCK, Bench, FAST_US, SLOW_US, bench};
use drivecast_block::{Bytes, Nanos, Op};
use drivecast_sim::spec::{Admission, CacheLibSpec, CachePolicy};

/// Objects of 4 KiB in memory, of 1 MiB; and in a region, of the same, with header and key in nine sectors.
const IN_MEMORY: u64 = (1 << 20) / (4096 + 32);
const IN_REGION: u64 = (1 << 20) / (9 * 512);

fn large() -> CacheLibSpec {
    CacheLibSpec { ram: Bytes::mib(1), region: 1 << 20, ..CacheLibSpec::default() }
}

fn cachelib(spec: CacheLibSpec) -> Bench {
    bench(CachePolicy::CacheLib(spec))
}

fn read(bench: &mut Bench, objects: std::ops::Range<u64>) -> Vec<u64> {
    objects.map(|object| bench.alone(Op::Read, object, 1)).collect()
}

#[test]
fn what_leaves_memory_is_written_a_region_at_a_time_and_once() {
    let mut bench = cachelib(large());
    assert!(read(&mut bench, 0..IN_MEMORY).iter().all(|latency| *latency == SLOW_US));
    assert_eq!(bench.alone(Op::Read, IN_MEMORY - 1, 1), 0, "in memory");
    let full = IN_MEMORY + IN_REGION;
    read(&mut bench, IN_MEMORY..full - 1);
    assert_eq!(bench.alone(Op::Read, 0, 1), 0, "in the open region");
    read(&mut bench, full - 1..full);
    bench.pass(Nanos(bench.now.0 + 1_000_000));
    assert_eq!(bench.counted().ssd_written_bytes, 1 << 20);
    assert_eq!(bench.held(), IN_REGION + 1);
    assert_eq!(bench.alone(Op::Read, 5, 1), FAST_US);
    // It is in memory again, and leaves it a second time: flash still has it.
    let stored = bench.held();
    read(&mut bench, 2000..2000 + IN_MEMORY);
    assert_eq!(bench.held() - stored, IN_MEMORY - 2, "all that left, but for the two that flash has");
}

#[test]
fn writes_void_what_flash_has() {
    let mut bench = cachelib(large());
    read(&mut bench, 0..IN_MEMORY + IN_REGION);
    assert_eq!(bench.alone(Op::Write, 3, 1), SLOW_US);
    assert_eq!(bench.alone(Op::Read, 3, 1), 0, "what was written is in memory");
    read(&mut bench, 4000..4000 + IN_MEMORY);
    let counted = bench.counted();
    assert_eq!((counted.write_invalidates, counted.read_hits), (1, 0));
}

/// Hits of object 0, which is read between others that fill all regions again.
fn hits_of_one(lru: bool, reinsertion_hits: Option<u8>) -> u64 {
    let mut bench = cachelib(CacheLibSpec { lru, reinsertion_hits, ..large() });
    read(&mut bench, 0..IN_MEMORY + IN_REGION);
    let before = bench.counted().read_hits;
    for round in 0..12 {
        let first = 1000 + round * 2 * IN_MEMORY;
        read(&mut bench, first..first + 2 * IN_MEMORY);
        read(&mut bench, 0..1);
    }
    bench.counted().read_hits - before
}

#[test]
fn a_region_that_is_hit_stays_and_an_object_that_is_hit_may_be_written_again() {
    // Twelve regions, of which two or so are written a round.
    let fifo = hits_of_one(false, None);
    assert!(fifo < 11, "the oldest region goes: {fifo}");
    assert_eq!(hits_of_one(true, None), 12);
    assert_eq!(hits_of_one(false, Some(1)), 12);
}

#[test]
fn a_small_object_rewrites_its_bucket() {
    let spec =
        CacheLibSpec { ram: Bytes(1 << 20), object: 2048, small_item_max: 2048, ..CacheLibSpec::default() };
    let mut bench = cachelib(spec);
    // Two objects a request.
    let in_memory = (1 << 20) / (2048 + 32);
    read(&mut bench, 0..1000);
    bench.pass(Nanos(bench.now.0 + 1_000_000));
    let counted = bench.counted();
    let evicted = 2000 - in_memory;
    assert_eq!(counted.ssd_written_bytes, evicted * BLOCK, "twice what was evicted");
    assert_eq!(counted.ssd_reads, evicted, "each bucket is read before; none was read for a miss");
    // A bucket holds one such object, so some have left again.
    let latencies: Vec<u64> = read(&mut bench, 0..40);
    assert!(latencies.contains(&(2 * FAST_US)) && latencies.contains(&SLOW_US), "{latencies:?}");
    let before = bench.counted();
    (100..140).for_each(|block| _ = bench.alone(Op::Write, block, 1));
    let voided = bench.counted().write_invalidates - before.write_invalidates;
    assert!((40..80).contains(&voided), "{voided} of 80, less what left for others");
}

#[test]
fn admission_rejects() {
    let evicted = 4 * IN_REGION;
    let run = |admission| {
        let mut bench = cachelib(CacheLibSpec { admission, ..large() });
        (0..2).for_each(|_| _ = read(&mut bench, 0..IN_MEMORY + evicted));
        let counted = bench.counted();
        (bench.held(), counted.uncached_writes)
    };
    assert_eq!(run(Admission::Random(0.0)), (0, 2 * evicted + IN_MEMORY));
    let (held, rejected) = run(Admission::RejectFirst(10_000));
    assert_eq!(rejected, IN_MEMORY + evicted, "each the first time");
    assert_eq!(held, evicted, "those that left memory a second time");
    let (held, rejected) = run(Admission::Random(0.25));
    assert!(held > 0 && (f64::from(u32::try_from(rejected).unwrap()) / (2.0 * evicted as f64)) > 0.6);
}

#[test]
fn a_budget_holds_the_writes_of_a_day() {
    // 100 new objects a second are 40 GB a day; 10 GB are allowed.
    let budget = 10_000_000_000;
    let mut bench = cachelib(CacheLibSpec { admission: Admission::Budget(Bytes(budget)), ..large() });
    let mut written = Vec::new();
    for minute in 0..40 {
        for request in 0..6000 {
            bench.alone(Op::Read, (minute * 6000 + request) * 7919 % 16_000, 1);
            bench.pass(Nanos((minute * 6000 + request + 1) * 10_000_000));
        }
        written.push(bench.counted().ssd_written_bytes);
    }
    let a_day = (written[39] - written[19]) as f64 / 20.0 * 1440.0;
    assert!((a_day / budget as f64 - 1.0).abs() < 0.1, "{a_day}");
    let first = written[0] as f64 * 1440.0;
    assert!(first > 2.0 * budget as f64, "it begins without a limit: {first}");
}
