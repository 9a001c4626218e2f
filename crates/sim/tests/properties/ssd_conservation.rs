//! Whatever is asked, in whatever drive: every request completes once, in order of time, and the books agree.

use crate::drives::{Uniform, drain, new_drive, request, small};
use drivecast_block::{Device, Nanos, Op, Request};
use drivecast_sim::spec::{BackgroundGc, SsdSpec};
use proptest::prelude::*;

/// What decides the tails of latency.
fn tails() -> impl Strategy<Value = SsdSpec> {
    let reads = (1u32..4, 0.0f64..0.5, 0.0f64..0.5, 1u32..4, 0u64..200_000);
    let full = (any::<bool>(), any::<bool>(), 0u64..400_000, (0u64..3_000_000, 0u64..100_000));
    (reads, full, proptest::option::of(0u64..50_000)).prop_map(|(reads, full, flush_ns)| SsdSpec {
        read_types: reads.0,
        read_type_spread: reads.1,
        read_retry_rate: reads.2,
        worn_retry_rate: reads.1,
        wear: 2.0 * reads.2,
        data_age: 2.0 * reads.1,
        pages_per_program: reads.3,
        suspend_wait_ns: reads.4,
        full_holds_reads: full.0,
        full_queues_reads: full.1,
        gc_batch_bytes: full.2,
        gc_batch_ns: full.3.0,
        gc_batch_slack_bytes: full.3.1,
        flush_ns,
        ..small()
    })
}

fn specs() -> impl Strategy<Value = SsdSpec> {
    let shape = (1u32..4, 1u32..4, 1u32..3, 8u32..40, prop_oneof![Just(512u32), Just(4096), Just(16_384)]);
    let times =
        (1u64..100_000, 1u64..1_000_000, 1u64..5_000_000, proptest::option::of(0u64..50_000), 0u64..2_000);
    let host = (1u32..40, 1u64..20, any::<bool>(), proptest::option::of(20e6f64..1e9));
    let turns = (
        proptest::option::of(0u64..500_000),
        proptest::option::of(0u32..3),
        0u64..3_000,
        any::<bool>(),
        0u64..40,
    );
    let idle = proptest::option::of((0u64..3_000_000, 0.0f64..0.9));
    let cache = prop_oneof![Just((0, 0.0, 0.0)), (0u64..64, 0.0f64..0.4, 0.0f64..1.0)];
    (shape, times, host, turns, idle, cache, tails()).prop_map(
        |(shape, times, host, turns, idle, cache, tails)| {
            let (channels, dies_per_channel, planes, pages_per_block, mapping_bytes) = shape;
            let pages_per_block = pages_per_block * tails.pages_per_program;
            let block = u64::from(planes * pages_per_block) * 16_384;
            let dies = u64::from(channels * dies_per_channel);
            SsdSpec {
                logical_bytes: dies * block * 5,
                physical_bytes: dies * block * 7,
                mapping_bytes,
                channels,
                dies_per_channel,
                planes,
                pages_per_block,
                read_ns: times.0,
                program_ns: times.1,
                erase_ns: times.2,
                suspend_ns: times.3,
                erase_suspend_ns: turns.0,
                suspensions_max: turns.1,
                link_command_ns: turns.2,
                link_half_duplex: turns.3,
                read_ahead_bytes: turns.4.saturating_sub(20) * 8_192,
                slc_cache_bytes: if cache == (0, 0.0, 0.0) {
                    0
                } else {
                    (2 * dies + cache.0) * u64::from(planes * tails.pages_per_program) * 16_384
                },
                slc_dynamic_share: cache.1,
                slc_program_ns: 1 + times.1 / 4,
                slc_read_ns: 1 + times.0 / 2,
                slc_fold_share: cache.2,
                background_gc: idle.map(|(delay_ns, reserve)| BackgroundGc { delay_ns, reserve }),
                read_command_ns: times.4,
                queue_depth: host.0,
                buffer_bytes: host.1 * u64::from(planes * tails.pages_per_program) * 16_384,
                buffer_volatile: host.2,
                write_bytes_per_s: host.3,
                copy_cost: 1.5,
                ..tails
            }
        },
    )
}

/// Gap before the request, operation, place and size in sectors.
type Ask = (u64, u8, u64, u32);

fn asks() -> impl Strategy<Value = Vec<Ask>> {
    let gap = prop_oneof![Just(0u64), 0u64..20_000, 0u64..2_000_000];
    let size = prop_oneof![Just(8u32), 1u32..64, 0u32..600];
    proptest::collection::vec((gap, 0u8..20, any::<u64>(), size), 1..400)
}

/// A request; some reads begin at sector `after`.
fn asked(id: u64, ask: &Ask, capacity: u64, after: u64) -> Request {
    let size = u64::from(ask.3).min(capacity / 512);
    let last = capacity / 512 - size;
    let offset = if matches!(ask.1, 5..=9) && after <= last { after } else { ask.2 % (last + 1) };
    let op = match ask.1 {
        0 => Op::Flush,
        1 => Op::Discard,
        2..=9 => Op::Read,
        _ => Op::Write,
    };
    let size = if op == Op::Flush { 0 } else { size as u32 * 512 };
    request(id, op, offset * 512, size)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(96) })]

    #[test]
    fn every_request_completes_once(spec in specs(), asks in asks(), aged in 0u64..6) {
        let mut ssd = new_drive(&spec);
        let capacity = ssd.capacity().0;
        let data = capacity / u64::from(spec.mapping_bytes);
        let mut random = Uniform::new(data, "age");
        (0..aged * data / 2).for_each(|_| {
            let offset = random.below(data) * u64::from(spec.mapping_bytes);
            ssd.age(request(0, Op::Write, offset, spec.mapping_bytes));
        });
        ssd.reset_counters();
        let mut done = Vec::new();
        let mut submitted = Vec::new();
        let mut now = Nanos(0);
        let (mut pages, mut after) = (0, 0);
        for (id, ask) in asks.iter().enumerate() {
            now += Nanos(ask.0);
            while let Some(next) = ssd.next().filter(|next| *next <= now) {
                ssd.advance(next, &mut done);
            }
            let request = asked(id as u64, ask, capacity, after);
            if request.op == Op::Read {
                after = request.end() / 512;
            }
            let unit = u64::from(spec.mapping_bytes);
            if request.op == Op::Write && request.size > 0 {
                pages += request.end().div_ceil(unit) - request.offset.0 / unit;
            }
            ssd.submit(now, request);
            submitted.push(now);
        }
        drain(&mut ssd, &mut done);
        prop_assert_eq!(done.len(), asks.len());
        let mut seen = vec![false; asks.len()];
        for pair in done.windows(2) {
            let tied = pair[0].at == pair[1].at;
            prop_assert!(pair[0].at < pair[1].at || tied && pair[0].id < pair[1].id, "{:?}", pair);
        }
        for completion in &done {
            prop_assert!(completion.at >= submitted[completion.id as usize]);
            prop_assert!(!std::mem::replace(&mut seen[completion.id as usize], true), "twice: {:?}", completion);
        }
        let counters = ssd.counters();
        prop_assert_eq!(counters.completed, counters.submitted);
        prop_assert_eq!(counters.flash_host_pages, pages);
        prop_assert!(counters.busy_ns <= done.last().map_or(0, |last| last.at.0));
        prop_assert_eq!(ssd.ftl().audit(), Ok(()));
    }
}
