//! Any traffic on any volume completes, each request once, in order of time and submission; and volumes do not dawdle.

use crate::strict::Strict;
use crate::{plain, rate, volume};
use drivecast_block::{Bytes, Device, Nanos, Op, Request};
use drivecast_sim::spec::{VolumeCap, VolumeCaps, VolumeFront, VolumeOp, VolumeSpec, VolumeStalls};
use proptest::option::of;
use proptest::prelude::*;

fn op() -> impl Strategy<Value = VolumeOp> {
    let times = (0.0..1e6, 0.0..10.0, 0.0..1.0, 0.0..1e5);
    let tail = (0.0..=0.2, 0.0..1e7, 0.0..1.0);
    (times, tail, of(1_u32..20)).prop_map(|(times, tail, parallelism)| VolumeOp {
        service_ns: times.0,
        ns_per_byte: times.1,
        sigma: times.2,
        tail_probability: tail.0,
        tail_ns: tail.1,
        tail_sigma: tail.2,
        delay_ns: times.3,
        parallelism,
    })
}

fn cap(most: f64) -> impl Strategy<Value = VolumeCap> {
    (most / 1e3..most, 0.0..most, 0.0..=1.0, of(1.0..20.0)).prop_map(
        |(per_s, credits, credits_at_start, burst)| VolumeCap {
            per_s,
            credits,
            credits_at_start,
            burst_per_s: burst.map(|times: f64| per_s * times),
        },
    )
}

fn caps() -> impl Strategy<Value = VolumeCaps> {
    let counted = (of(cap(1e5)), of(cap(1e5)), of(cap(1e5)));
    let bytes = (of(cap(1e9)), of(cap(1e9)), of(cap(1e9)));
    (counted, bytes, prop_oneof![Just(0_u64), Just(16_384)], prop_oneof![Just(0_u64), Just(5_000_000)])
        .prop_map(|(counted, bytes, io_unit_bytes, period_ns)| VolumeCaps {
            iops: counted.0,
            read_iops: counted.1,
            write_iops: counted.2,
            bytes: bytes.0,
            read_bytes: bytes.1,
            write_bytes: bytes.2,
            io_unit_bytes,
            period_ns,
        })
}

fn front() -> impl Strategy<Value = VolumeFront> {
    (0.0..1e5, 1_u32..40, any::<bool>(), 0.0..1.0, 0.0..1e4, 0.0..1.0).prop_map(
        |(wake_ns, batch_max, gathers, sigma, command_ns, ns_per_byte)| VolumeFront {
            wake_ns,
            batch_max,
            gathers,
            sigma,
            read_command_ns: command_ns,
            read_ns_per_byte: ns_per_byte,
            write_command_ns: command_ns * 2.0,
            write_ns_per_byte: 0.0,
            read_tail_probability: sigma / 10.0,
            write_tail_probability: ns_per_byte,
            tail_ns: wake_ns,
            tail_sigma: sigma,
        },
    )
}

fn spec() -> impl Strategy<Value = VolumeSpec> {
    let stalls = (1e5..1e8, 0.0..1e6, 0.0..1.0).prop_map(|(every_ns, stall_ns, sigma)| VolumeStalls {
        every_ns,
        stall_ns,
        sigma,
    });
    (op(), op(), of(1_u32..20), of(front()), of(1e7..1e10), caps(), of(stalls)).prop_map(
        |(read, write, parallelism, front, link_bytes_per_s, caps, stalls)| VolumeSpec {
            read,
            write,
            flush_ns: 5000,
            parallelism,
            front,
            link_bytes_per_s,
            caps,
            stalls,
            ..plain(0.0)
        },
    )
}

fn traffic() -> impl Strategy<Value = Vec<(u64, u8, u32)>> {
    // Gap in microseconds, operation, KiB.
    proptest::collection::vec((0_u64..2000, 0_u8..8, 1_u32..600), 1..150)
}

/// Runs traffic through; when each was submitted and when it completed, in order of submission.
fn run(spec: &VolumeSpec, traffic: &[(u64, u8, u32)], seed: u64) -> Vec<(Nanos, Nanos)> {
    let mut device = Strict::new(volume(spec, seed));
    let (mut done, mut now, mut times) = (Vec::new(), Nanos::ZERO, Vec::new());
    for (id, (gap, op, kib)) in traffic.iter().enumerate() {
        now += Nanos::from_us(*gap);
        while let Some(at) = device.next().filter(|at| *at <= now) {
            device.advance(at, &mut done);
        }
        let op = [Op::Read, Op::Write, Op::Read, Op::Write, Op::Read, Op::Flush, Op::Discard, Op::Write]
            [*op as usize];
        let size = if op == Op::Flush { 0 } else { kib << 10 };
        device.submit(now, Request { id: id as u64, offset: Bytes(0), size, stream: 0, op, fua: false });
        times.push((now, Nanos::ZERO));
    }
    while let Some(at) = device.next() {
        device.advance(at, &mut done);
    }
    assert!(done.is_sorted_by_key(|completion| (completion.at, completion.id)), "completions out of order");
    assert_eq!(done.len(), traffic.len(), "requests lost");
    assert_eq!(device.counters().submitted, device.counters().completed);
    done.iter().for_each(|completion| times[completion.id as usize].1 = completion.at);
    times
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn every_request_completes_once(spec in spec(), traffic in traffic(), seed in 0_u64..100) {
        let times = run(&spec, &traffic, seed);
        prop_assert!(times.iter().all(|(submitted, completed)| completed >= submitted));
        prop_assert_eq!(times, run(&spec, &traffic, seed));
    }

    /// Never more tokens in any stretch than were kept, came meanwhile, and were lent to one request.
    #[test]
    fn no_stretch_gets_more_than_its_tokens(
        per_s in 10.0..5e3,
        credits in prop_oneof![Just(0.0), 0.0..20.0],
        traffic in traffic(),
        period_ns in prop_oneof![Just(0_u64), Just(20_000_000)],
    ) {
        let cap = VolumeCap { credits, ..rate(per_s) };
        let caps = VolumeCaps { iops: Some(cap), period_ns, ..VolumeCaps::default() };
        let times = run(&VolumeSpec { caps, ..plain(0.0) }, &traffic, 1);
        let counted = |op: u8| !matches!(op, 5 | 6);
        let mut left: Vec<Nanos> =
            times.iter().zip(&traffic).filter(|(_, one)| counted(one.1)).map(|(time, _)| time.1).collect();
        left.sort_unstable();
        let kept = credits.max(per_s * period_ns as f64 / 1e9);
        // Tokens by the period come at its end, all of them.
        let earned = |from: Nanos, to: Nanos| match to.0.checked_div(period_ns) {
            None => to.since(from).as_secs_f64() * per_s,
            Some(end) => ((end - from.0 / period_ns) * period_ns) as f64 / 1e9 * per_s,
        };
        for (first, from) in left.iter().enumerate() {
            for (last, to) in left.iter().enumerate().skip(first) {
                let (count, most) = ((last - first + 1) as f64, kept + earned(*from, *to) + 1.0);
                prop_assert!(count <= most + 1e-3, "{count} from {from} to {to}, at most {most}");
            }
        }
    }

    /// Work conserving: servers that are saturated are all busy, so the last one ends when the work divided by them says,
    /// give or take one request.
    #[test]
    fn servers_do_not_idle_while_requests_wait(servers in 1_u32..9, count in 20_usize..200, service in 1e3..1e6) {
        let spec = VolumeSpec { parallelism: Some(servers), ..plain(f64::round(service)) };
        let times = run(&spec, &vec![(0, 0, 4); count], 1);
        let last = times.iter().map(|(_, completed)| completed.0).max().unwrap_or_default() as f64;
        let rounds = (count as f64 / f64::from(servers)).ceil();
        prop_assert_eq!(last, rounds * f64::round(service));
    }

    /// A cap never makes a request complete earlier, where nothing varies.
    #[test]
    fn caps_only_delay(traffic in traffic(), per_s in 10.0..1e4) {
        let free = run(&plain(1e5), &traffic, 1);
        let caps = VolumeCaps { iops: Some(rate(per_s)), ..VolumeCaps::default() };
        let capped = run(&VolumeSpec { caps, ..plain(1e5) }, &traffic, 1);
        prop_assert!(free.iter().zip(&capped).all(|(free, capped)| free.1 <= capped.1));
    }
}
