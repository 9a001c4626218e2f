//! Any traffic on any array completes, each request once, in order of time, under the contract of `Device`.

use crate::station::{MEMBER, Strict, array};
use drivecast_block::{Bytes, Device, Nanos, Op, Request};
use drivecast_sim::block_layer::BlockLayer;
use drivecast_sim::controller::Controller;
use drivecast_sim::fixed_service::{FixedService, Service};
use drivecast_sim::raid::health::survives;
use drivecast_sim::raid::{Array, Layout, Level, Log, Pace};
use drivecast_sim::spec::{BlockLayerSpec, BlockScheduler, CacheSpec, ControllerSpec};
use proptest::prelude::*;

pub(crate) fn traffic() -> impl Strategy<Value = Vec<(u64, u8, u32, u32)>> {
    // Gap in microseconds, operation, place in 1/2^20, size in KiB: a narrow range, so that writes meet.
    proptest::collection::vec((0_u64..300, 0_u8..8, 0_u32..64, 1_u32..400), 1..120)
}

pub(crate) fn level() -> impl Strategy<Value = Level> {
    proptest::sample::select(Level::NAMES.map(|(_, level)| level).to_vec())
}

fn service() -> impl Strategy<Value = Service> {
    let time = Nanos::from_us(100);
    proptest::sample::select(vec![Service::Constant(time), Service::Exponential(time)])
}

fn pace() -> impl Strategy<Value = Option<Pace>> {
    proptest::option::of(prop_oneof![(1e8..1e10).prop_map(Pace::Rate), (0.1..=1.0).prop_map(Pace::Share)])
}

/// Eight strict members in chunks of 16 KiB, of which `capacity` is used.
fn of_capacity(level: Level, capacity: Bytes, service: Service) -> Array {
    let layout = Layout::new(level, 8, Bytes::kib(16), capacity);
    let member = |seed| Box::new(Strict::new(FixedService::new(MEMBER, 1, service, seed))) as Box<dyn Device>;
    Array::new(layout, Nanos::ZERO, (0..8).map(member).collect())
}

/// Controllers with any of their stations narrow, and with any cache.
pub(crate) fn controller() -> impl Strategy<Value = ControllerSpec> {
    let cache = (1_u64..2_000_000, any::<bool>(), 0.0..=1.0, 1_u32..20, 1_u32..4);
    let cache = cache.prop_map(|(bytes, battery, destage_above, destage_stripes, destage_depth)| CacheSpec {
        bytes,
        battery,
        destage_above,
        destage_stripes,
        destage_depth,
    });
    let times = (1_u32..4, 0_u64..20_000, 0_u64..20_000, 0_u64..20_000);
    let stripes = (
        proptest::option::of(4096_u64..65_536),
        proptest::option::of(512_u64..65_536),
        proptest::option::of(1_u32..3),
        any::<bool>(),
    );
    let rates = proptest::collection::vec(proptest::option::of(1e8..1e10), 2);
    let queues = (1_u32..40, 1_u32..8, proptest::option::of(cache));
    (times, stripes, rates, queues).prop_map(
        |(times, stripes, rates, (queue_depth, member_queue_depth, cache))| {
            let (cores, host_command_ns, member_command_ns, stripe_ns) = times;
            let (stripe_bytes, stripe_cache_bytes, stripe_threads, parity_on_cores) = stripes;
            ControllerSpec {
                cores,
                host_command_ns,
                member_command_ns,
                stripe_ns,
                stripe_bytes,
                stripe_cache_bytes,
                stripe_threads,
                xor_bytes_per_s: 1e9,
                q_bytes_per_s: 5e8,
                parity_on_cores,
                host_bytes_per_s: rates[0],
                memory_bytes_per_s: rates[1],
                port_bytes_per_s: None,
                port_read_ns: 0,
                port_write_ns: 0,
                coalesce_ns: 30_000,
                coalesce_from: queue_depth / 2,
                queue_depth,
                member_queue_depth,
                cache,
                block_layer: None,
            }
        },
    )
}

/// Submits a request of the traffic.
pub(crate) fn submit(device: &mut impl Device, now: Nanos, id: usize, op: u8, place: u32, kib: u32) {
    let op =
        [Op::Read, Op::Write, Op::Write, Op::Write, Op::Read, Op::Flush, Op::Discard, Op::Write][op as usize];
    let size = if op == Op::Flush { 0 } else { kib << 10 };
    let offset = Bytes(u64::from(place) * 7 * 1024);
    device.submit(now, Request { id: id as u64, offset, size, stream: place % 5, op, fua: false });
}

/// Runs traffic through; the latencies by id.
fn run(device: impl Device, traffic: &[(u64, u8, u32, u32)]) -> Vec<u64> {
    let mut device = Strict::new(device);
    let mut done = Vec::new();
    let mut now = Nanos::ZERO;
    let mut issued = Vec::new();
    for (id, (gap, op, place, kib)) in traffic.iter().enumerate() {
        now += Nanos::from_us(*gap);
        while let Some(at) = device.next().filter(|at| *at <= now) {
            device.advance(at, &mut done);
        }
        submit(&mut device, now, id, *op, *place, *kib);
        issued.push(now);
    }
    while let Some(at) = device.next() {
        device.advance(at, &mut done);
    }
    assert!(done.is_sorted_by_key(|completion| completion.at), "completions out of order");
    assert_eq!(done.len(), traffic.len());
    let mut latencies = vec![0; traffic.len()];
    for completion in done {
        latencies[completion.id as usize] = completion.at.since(issued[completion.id as usize]).0;
    }
    latencies
}

/// Any scheduler, with few places.
pub(crate) fn block_layer() -> impl Strategy<Value = BlockLayerSpec> {
    let schedulers = vec![BlockScheduler::Fifo, BlockScheduler::Deadline, BlockScheduler::Cfq];
    let depth = proptest::option::of(1_u32..12);
    (proptest::sample::select(schedulers), 1_u32..12, depth)
        .prop_map(|(scheduler, requests, device_depth)| BlockLayerSpec { scheduler, requests, device_depth })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_block_layer_loses_nothing(traffic in traffic(), service in service(), spec in block_layer()) {
        run(BlockLayer::new(&spec, 8, array(Level::Raid0, 8, Bytes::kib(16), service)), &traffic);
    }

    #[test]
    fn every_request_completes_once(traffic in traffic(), level in level(), service in service()) {
        run(array(level, 8, Bytes::kib(16), service), &traffic);
    }

    #[test]
    fn controllers_lose_nothing(
        traffic in traffic(), level in level(), service in service(), spec in controller(),
    ) {
        spec.check().unwrap();
        run(Controller::new(&spec, array(level, 8, Bytes::kib(16), service)), &traffic);
    }

    #[test]
    fn missing_members_lose_nothing(
        traffic in traffic(),
        level in level(),
        service in service(),
        spec in proptest::option::of(controller()),
        failed in proptest::collection::btree_set(0_usize..8, 1..4),
        pace in pace(),
        logged in any::<bool>(),
    ) {
        let failed: Vec<usize> = failed.into_iter().collect();
        let groups = if level.is_grouped() { 2 } else { 1 };
        prop_assume!(survives(level, 8, groups, &failed));
        let log = (logged && level.parities() > 0).then(|| Log::new(8, MEMBER.0));
        let capacity = if log.is_some() { MEMBER.0 - Log::area(MEMBER.0) } else { MEMBER.0 };
        let mut array = of_capacity(level, Bytes(capacity), service).degraded(&failed);
        if let Some(log) = log {
            array = array.logged(log);
        }
        if let Some(pace) = pace {
            array = array.rebuilding(&failed, pace);
        }
        match spec {
            Some(spec) => run(Controller::new(&spec, array), &traffic),
            None => run(array, &traffic),
        };
    }

    #[test]
    fn arrays_of_arrays_too(traffic in traffic()) {
        let service = Service::Exponential(Nanos::from_us(50));
        let member = || Box::new(Strict::new(array(Level::Raid5, 3, Bytes::kib(16), service))) as Box<dyn Device>;
        let layout = Layout::new(Level::Raid0, 2, Bytes::kib(64), Bytes(MEMBER.0 * 2));
        run(Array::new(layout, Nanos::from_us(3), vec![member(), member()]), &traffic);
    }

    #[test]
    fn overhead_shifts_every_latency(traffic in traffic()) {
        let member = |seed| Box::new(FixedService::new(MEMBER, 1, Service::Exponential(Nanos(70_000)), seed));
        let build = |overhead| {
            let layout = Layout::new(Level::Raid6, 4, Bytes::kib(16), MEMBER);
            Array::new(layout, overhead, (0..4).map(|seed| member(seed) as Box<dyn Device>).collect())
        };
        let plain = run(build(Nanos::ZERO), &traffic);
        let late = run(build(Nanos(5000)), &traffic);
        prop_assert!(plain.iter().zip(&late).all(|(plain, late)| plain + 5000 == *late));
    }
}

#[test]
fn writes_that_meet_in_a_stripe_wait_for_each_other() {
    let time = |second: u64| {
        let member =
            || Box::new(FixedService::new(MEMBER, usize::MAX, Service::Constant(Nanos::from_us(100)), 1));
        let layout = Layout::new(Level::Raid5, 6, Bytes::kib(64), MEMBER);
        let members = (0..6).map(|_| member() as Box<dyn Device>).collect();
        let mut device = Array::new(layout, Nanos::ZERO, members);
        for (id, offset) in [(0, 0), (1, second)] {
            device.submit(
                Nanos::ZERO,
                Request { id, offset: Bytes(offset), size: 4096, stream: 0, op: Op::Write, fua: false },
            );
        }
        let mut done = Vec::new();
        while let Some(at) = device.next() {
            device.advance(at, &mut done);
        }
        done.last().unwrap().at
    };
    // Read and write, 100 us each, one write after the other: on the same bytes, and on the same place in the
    // neighbouring chunk, which shares the parity.
    assert_eq!(time(0), Nanos::from_us(400));
    assert_eq!(time(64 << 10), Nanos::from_us(400));
    // Elsewhere in the chunk, and in another row, the parity is another.
    assert_eq!(time(4096), Nanos::from_us(200));
    assert_eq!(time(5 * (64 << 10)), Nanos::from_us(200));
}
