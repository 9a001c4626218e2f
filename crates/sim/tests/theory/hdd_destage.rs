//! Cached writes against the mechanism that has to carry them out, and against writes without a cache.

use crate::theory::mean_seek_ns;
use crate::*;

const SIZE: u32 = 4_096;
/// Entries of the write cache.
const ENTRIES: f64 = 256.0;

/// A disk of one zone: addresses are uniform over its cylinders.
fn single_zone(rpm: f64, write_cache: bool) -> HddSpec {
    HddSpec { rpm, inner_bytes_per_s: 125e6, zones: 1, write_cache, ..fast_disk() }
}

/// Half a revolution and the transfer, in ns: what each write takes on its track.
fn on_track_ns(spec: &HddSpec) -> f64 {
    30e9 / spec.rpm + f64::from(SIZE) * 1e9 / spec.outer_bytes_per_s
}

/// Mean time of a write that an elevator takes from a full cache, in ns.
///
/// Let a sweep over the N cylinders serve S writes. Each write served lets one in, so what waits at cylinder x when the arm
/// comes by has come since it last passed: on the way from the rim 2·S·x/N writes over N cylinders, a density of
/// 2·S·x/N². In the mean over both directions a write waits for 2/3 of a sweep, so S = 1.5·E (Little). Writes served at
/// x are to the next one exponentially far, with that density.
fn elevator_ns(hdd: &Hdd, spec: &HddSpec) -> f64 {
    const PLACES: u32 = 200;
    let cylinders = f64::from(hdd.cylinders());
    let switched = 1.0 - 1.0 / f64::from(spec.surfaces);
    let switch = spec.head_switch_ns as f64;
    let moved = |distance: u32| {
        let seek = hdd.seek_time(distance).0 as f64;
        let settle = if distance == 0 { 0.0 } else { spec.write_settle_ns as f64 };
        switched * seek.max(switch) + (1.0 - switched) * seek + settle
    };
    let places = (0..PLACES).map(|place| {
        let share = (f64::from(place) + 0.5) / f64::from(PLACES);
        let density = 2.0 * 1.5 * ENTRIES * share / cylinders;
        let at = |distance: u32| {
            (-density * f64::from(distance)).exp() - (-density * f64::from(distance + 1)).exp()
        };
        let mean: f64 = (0..hdd.cylinders()).map(|distance| at(distance) * moved(distance)).sum();
        (share, mean)
    });
    let (weight, sum) =
        places.fold((0.0, 0.0), |(weight, sum), (share, mean)| (weight + share, sum + share * mean));
    sum / weight + on_track_ns(spec)
}

#[test]
fn a_full_cache_takes_writes_at_the_pace_of_its_elevator() {
    for (rpm, scheduler) in [(15_000.0, Scheduler::Sptf), (7_200.0, Scheduler::Fifo)] {
        let spec = HddSpec { scheduler, ..single_zone(rpm, true) };
        let mut hdd = disk(&spec);
        let requests = uniform(&hdd, 1, Op::Write, SIZE);
        let served = closed_loop(&mut hdd, 1, 20_000, requests);
        let late = &served[4_000..];
        let span = late[late.len() - 1].completed.since(late[0].completed).as_secs_f64();
        let rate = (late.len() - 1) as f64 / span;
        let expected = 1e9 / elevator_ns(&hdd, &spec);
        println!("cached random writes, {rpm} rpm: {rate:.1} IOPS, law {expected:.1}");
        assert!((rate / expected - 1.0).abs() < 0.02, "{rate} IOPS, by the law {expected}");
    }
}

#[test]
fn without_the_cache_each_write_takes_a_seek_and_half_a_revolution() {
    for rpm in [15_000.0, 7_200.0] {
        let spec = single_zone(rpm, false);
        let mut hdd = disk(&spec);
        let requests = uniform(&hdd, 1, Op::Write, SIZE);
        let measured = iops(&closed_loop(&mut hdd, 1, 20_000, requests));
        let link_ns = f64::from(SIZE) * 1e9 / spec.link_bytes_per_s;
        let arm_ns = (spec.overhead_ns + spec.write_settle_ns) as f64 + mean_seek_ns(&hdd);
        let expected = 1e9 / (link_ns + arm_ns + on_track_ns(&spec));
        println!("random writes, {rpm} rpm: {measured:.1} IOPS, law {expected:.1}");
        assert!((measured / expected - 1.0).abs() < 0.02, "{measured} IOPS, by the law {expected}");
    }
}

#[test]
fn what_the_cache_takes_the_medium_gets() {
    let spec = single_zone(15_000.0, true);
    let mut hdd = disk(&spec);
    let mut next = uniform(&hdd, 1, Op::Write, SIZE);
    let mut load: Vec<_> = (0..8_000).map(|id| (Nanos::ZERO, next(id))).collect();
    load.push((Nanos::ZERO, request(8_000, Op::Flush, 0, 0)));
    let served = open_loop(&mut hdd, &load);
    let flush = served.last().expect("all are served");
    assert_eq!(flush.request.op, Op::Flush, "the flush is the last to complete");
    // All of the writes have been carried out by then, at the elevator's pace: none is lost, none done twice.
    let whole = 8_000.0 * elevator_ns(&hdd, &spec);
    let took = flush.completed.0 as f64;
    assert!((took / whole - 1.0).abs() < 0.02, "{took} ns for 8,000 writes of {whole} in all");
}
