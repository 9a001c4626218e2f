//! Devices that run on alone do what they do when each event is called for: `Device::run` is a shorter way, no other.

use crate::traffic::{block_layer, controller, level, submit, traffic};
use drivecast_block::{Bytes, Completion, Counters, Device, Nanos, Request};
use drivecast_sim::block_layer::BlockLayer;
use drivecast_sim::controller::Controller;
use drivecast_sim::design::{Contents, Design, Unit};
use drivecast_sim::raid::{Array, Layout};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Drives whose idle work, caches and cleaning give them events of their own.
const DRIVES: [&str; 5] = [
    "hdd(capacity=300GB, rpm=15000, seek_mean=3.5ms, cache=16MiB)",
    "hdd(capacity=300GB, rpm=15000, seek_mean=3.5ms, cache=16MiB, write_cache=off)",
    "ssd(logical=64MiB, spare_factor=0.2, pages_per_block=64)",
    "ssd(logical=64MiB, spare_factor=0.2, pages_per_block=64, background_gc=0.5, background_delay=1ms)",
    "volume(capacity=1GiB, iops=3000, throughput=125MB/s, delay=500us)",
];

/// How many times as far apart requests are as elsewhere: disks read ahead between them.
const SPREAD: u32 = 90;

/// A device that processes the events of one time only, however long it might run on alone.
struct EventByEvent<D>(D);

impl<D: Device> Device for EventByEvent<D> {
    fn capacity(&self) -> Bytes {
        self.0.capacity()
    }
    fn submit(&mut self, now: Nanos, request: Request) {
        self.0.submit(now, request);
    }
    fn next(&self) -> Option<Nanos> {
        self.0.next()
    }
    fn age(&mut self, request: Request) {
        self.0.age(request);
    }
    fn advance(&mut self, now: Nanos, done: &mut Vec<Completion>) {
        self.0.advance(now, done);
    }
    fn run(&mut self, until: Nanos, done: &mut Vec<Completion>) -> Nanos {
        let at = self.next().expect("something to do");
        assert!(at <= until, "nothing is due before {at}, and it may run to {until}");
        self.advance(at, done);
        at
    }
    fn counters(&self) -> Counters {
        self.0.counters()
    }
    fn reset_counters(&mut self) {
        self.0.reset_counters();
    }
}

fn drive(line: &str) -> Unit {
    let resolved = Design::parse(line).unwrap().resolve(&BTreeMap::new()).unwrap();
    resolved.build(&Contents::Span { span: 1.0, fill: 1.0, write_bytes: 4096 }, 7).unwrap()
}

/// The completions of traffic, in their order.
fn played(mut device: impl Device, traffic: &[(u64, u8, u32, u32)]) -> Vec<Completion> {
    let (mut done, mut now) = (Vec::new(), Nanos::ZERO);
    for (id, (gap, op, place, kib)) in traffic.iter().enumerate() {
        // In groups, with time for idle work in between.
        now += Nanos::from_us(if *gap < 200 { *gap } else { *gap * 100 });
        while device.next().is_some_and(|at| at <= now) {
            let before = done.len();
            let last = device.run(now, &mut done);
            assert!(last <= now, "ran beyond {now}, to {last}");
            assert!(done[before..].iter().all(|completion| completion.at == last), "ran beyond a completion");
        }
        submit(&mut device, now, id, *op, *place * SPREAD, *kib);
    }
    while device.next().is_some() {
        device.run(Nanos(u64::MAX / 2), &mut done);
    }
    done
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn members_that_run_on_alone_complete_the_same(
        traffic in traffic(),
        level in level(),
        line in proptest::sample::select(DRIVES.to_vec()),
        spec in proptest::option::of(controller()),
        queue in proptest::option::of(block_layer()),
    ) {
        let layout = Layout::new(level, 8, Bytes::kib(16), Bytes::mib(64));
        let member = || -> Box<dyn Device> {
            match &queue {
                Some(queue) => Box::new(BlockLayer::new(queue, 1, drive(line))),
                None => Box::new(drive(line)),
            }
        };
        let alone: Vec<Box<dyn Device>> = (0..8).map(|_| member()).collect();
        let called: Vec<Box<dyn Device>> =
            (0..8).map(|_| Box::new(EventByEvent(member())) as Box<dyn Device>).collect();
        let overhead = Nanos::from_us(3);
        let (alone, called) = (Array::new(layout, overhead, alone), Array::new(layout, overhead, called));
        let (mine, its) = match &spec {
            Some(spec) => (
                played(Controller::new(spec, alone), &traffic),
                played(EventByEvent(Controller::new(spec, called)), &traffic),
            ),
            None => (played(alone, &traffic), played(EventByEvent(called), &traffic)),
        };
        prop_assert_eq!(mine, its);
    }
}
