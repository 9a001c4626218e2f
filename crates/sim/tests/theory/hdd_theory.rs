//! The disk against closed forms: what positioning, rotation and zones must come to.

use crate::*;

/// E[seek^power] over pairs of uniform cylinders, from the disk's own curve.
fn seek_moment(hdd: &Hdd, power: i32) -> f64 {
    let n = f64::from(hdd.cylinders());
    let weighted = |d: u32| (hdd.seek_time(d).0 as f64).powi(power) * 2.0 * (n - f64::from(d)) / (n * n);
    (1..hdd.cylinders()).map(weighted).sum()
}

pub(crate) fn mean_seek_ns(hdd: &Hdd) -> f64 {
    seek_moment(hdd, 1)
}

#[test]
fn seek_curve_returns_the_sheet() {
    for (track_ns, mean_ns, full_ns) in [
        (200_000, 3_500_000, 7_400_000),
        (800_000, 8_500_000, 18_000_000),
        (1_000_000, 8_900_000, 21_000_000),
        (300_000, 4_000_000, 7_000_000),
        (600_000, 5_000_000, 13_500_000),
        (400_000, 7_400_000, 10_000_000),
    ] {
        let hdd = disk(&HddSpec { seek: Seek::Sheet { track_ns, mean_ns, full_ns }, ..fast_disk() });
        let full = hdd.seek_time(hdd.cylinders() - 1).0;
        assert!(hdd.seek_time(1).0.abs_diff(track_ns) <= 2, "track {} for {track_ns}", hdd.seek_time(1));
        assert!(full.abs_diff(full_ns) <= 2, "full {full} for {full_ns}");
        let mean = mean_seek_ns(&hdd);
        assert!((mean / mean_ns as f64 - 1.0).abs() < 1e-3, "mean {mean} for {mean_ns}");
        let times: Vec<_> = (0..hdd.cylinders()).map(|d| hdd.seek_time(d)).collect();
        assert!(times.is_sorted(), "longer seeks take longer");
    }
}

#[test]
fn random_reads_one_at_a_time() {
    let single_zone = |spec: HddSpec| HddSpec { inner_bytes_per_s: spec.outer_bytes_per_s, zones: 1, ..spec };
    for spec in [fast_disk(), HddSpec { rpm: 7_200.0, cache_bytes: 0, ..fast_disk() }].map(single_zone) {
        let mut hdd = disk(&spec);
        let requests = uniform(&hdd, 1, Op::Read, 4096);
        let measured = iops(&closed_loop(&mut hdd, 1, 40_000, requests));
        let transfer = 4096e9 / spec.outer_bytes_per_s + 512e9 / spec.link_bytes_per_s;
        let service = spec.overhead_ns as f64 + mean_seek_ns(&hdd) + 30e9 / spec.rpm + transfer;
        let expected = 1e9 / service;
        println!("QD1 {} rpm: {measured:.2} IOPS, law {expected:.2}", spec.rpm);
        assert!((measured / expected - 1.0).abs() < 0.02, "{measured} IOPS, by the law {expected}");
    }
}

#[test]
fn sequential_transfers_lose_only_the_switches() {
    let spec = fast_disk();
    let sectors = |rate: f64| (rate / 250.0 / 512.0).round();
    let share = |rate: f64| {
        let per_track = sectors(rate);
        let skew = |ns: f64| (ns / 4e6 * per_track).ceil();
        let arm = spec.head_switch_ns.max(200_000) + spec.write_settle_ns;
        let lost = 7.0 * skew(spec.head_switch_ns as f64) + skew(arm as f64);
        8.0 * per_track / (8.0 * per_track + lost)
    };
    let outer = spec.outer_bytes_per_s / 1e6 * share(spec.outer_bytes_per_s);
    let inner = spec.inner_bytes_per_s / 1e6 * share(spec.inner_bytes_per_s);
    let size = 256 << 10;
    for (op, depth) in [(Op::Read, 1), (Op::Read, 8), (Op::Write, 8)] {
        let mut hdd = disk(&spec);
        let rate = megabytes_per_s(&closed_loop(&mut hdd, depth, 4_000, |id| {
            request(id, op, id * size, size as u32)
        }));
        println!("outer {op:?} depth {depth}: {rate:.2} MB/s, expected {outer:.2}");
        assert!((rate / outer - 1.0).abs() < 0.01, "{op:?} at depth {depth}: outer {rate} MB/s for {outer}");
        let mut hdd = disk(&spec);
        let base = (hdd.capacity().0 / size - 5_000) * size;
        let rate = megabytes_per_s(&closed_loop(&mut hdd, depth, 4_000, |id| {
            request(id, op, base + id * size, size as u32)
        }));
        println!("inner {op:?} depth {depth}: {rate:.2} MB/s, expected {inner:.2}");
        assert!((rate / inner - 1.0).abs() < 0.01, "{op:?} at depth {depth}: inner {rate} MB/s for {inner}");
    }
}

/// Pollaczek and Khinchine: W = E[s] + λ E[s²] / (2 (1 − ρ)), with s the sum of constants, a seek and a uniform wait.
#[test]
fn low_load_is_an_m_g_1_queue() {
    let spec = fast_disk();
    let spec = HddSpec {
        inner_bytes_per_s: spec.outer_bytes_per_s,
        zones: 1,
        cache_bytes: 0,
        scheduler: Scheduler::Fifo,
        ..spec
    };
    for load in [0.1, 0.3, 0.5] {
        let mut hdd = disk(&spec);
        let period = 60e9 / spec.rpm;
        let transfer = 4_096e9 / spec.outer_bytes_per_s;
        let mean = spec.overhead_ns as f64 + mean_seek_ns(&hdd) + period / 2.0 + transfer;
        let variance = seek_moment(&hdd, 2) - mean_seek_ns(&hdd).powi(2) + period * period / 12.0;
        let rate = load / mean;
        let tail = 512e9 / spec.link_bytes_per_s;
        let expected = mean + rate * (mean * mean + variance) / (2.0 * (1.0 - load)) + tail;
        let mut next = uniform(&hdd, 11, Op::Read, 4_096);
        let mut gaps = random::stream(11, "gaps");
        let mut at = 0.0;
        let requests: Vec<_> = (0..60_000)
            .map(|id| {
                at -= (1.0 - gaps.random::<f64>()).ln() / rate;
                (Nanos(at as u64), next(id))
            })
            .collect();
        let served = open_loop(&mut hdd, &requests);
        let measured = served.iter().map(Served::latency_ms).sum::<f64>() / served.len() as f64;
        println!("load {load}: {measured:.3} ms, law {:.3} ms", expected / 1e6);
        assert!(
            (measured * 1e6 / expected - 1.0).abs() < 0.03,
            "load {load}: {measured} ms for {expected} ns"
        );
        let share = hdd.counters().busy_ns as f64 / at;
        let busy = load * (1.0 - spec.overhead_ns as f64 / mean);
        assert!((share - busy).abs() < 0.01, "busy {share}, by the law {busy} without the controller's part");
    }
}
