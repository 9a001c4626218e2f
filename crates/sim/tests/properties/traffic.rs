//! Any traffic on any array completes, each request once, in order of time, under the contract of `Device`.

use crate::station::{MEMBER, Strict, array};
use drivecast_block::{Bytes, Device, Nanos, Op, Request};
use drivecast_sim::fixed::{Fixed, Service};
use drivecast_sim::raid::{Array, Layout, Level};
use proptest::prelude::*;

fn traffic() -> impl Strategy<Value = Vec<(u64, u8, u32, u32)>> {
    // Gap in microseconds, operation, place in 1/2^20, size in KiB: a narrow range, so that writes meet.
    proptest::collection::vec((0_u64..300, 0_u8..8, 0_u32..64, 1_u32..400), 1..120)
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
        let op = [Op::Read, Op::Write, Op::Write, Op::Write, Op::Read, Op::Flush, Op::Discard, Op::Write]
            [*op as usize];
        let size = if op == Op::Flush { 0 } else { kib << 10 };
        let offset = Bytes(u64::from(*place) * 7 * 1024);
        device.submit(now, Request { id: id as u64, offset, size, stream: 0, op });
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_request_completes_once(traffic in traffic(), level in 0_usize..5, constant in any::<bool>()) {
        let time = Nanos::from_us(100);
        let service = if constant { Service::Constant(time) } else { Service::Exponential(time) };
        let (_, level) = Level::NAMES[level];
        run(array(level, 6, Bytes::kib(16), service), &traffic);
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
        let member = |seed| Box::new(Fixed::new(MEMBER, 1, Service::Exponential(Nanos(70_000)), seed));
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
        let member = || Box::new(Fixed::new(MEMBER, usize::MAX, Service::Constant(Nanos::from_us(100)), 1));
        let layout = Layout::new(Level::Raid5, 6, Bytes::kib(64), MEMBER);
        let members = (0..6).map(|_| member() as Box<dyn Device>).collect();
        let mut device = Array::new(layout, Nanos::ZERO, members);
        for (id, offset) in [(0, 0), (1, second)] {
            device.submit(
                Nanos::ZERO,
                Request { id, offset: Bytes(offset), size: 4096, stream: 0, op: Op::Write },
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
