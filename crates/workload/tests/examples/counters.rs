//! What a counter log tells, and what is assumed in its place.

use drivecast_block::{Bytes, Nanos, Sample};
use drivecast_workload::profile::Provenance;
use drivecast_workload::{CounterOptions, CounterProfiler, Profile};

fn sample(end_s: u64, interval_s: u64, reads: f64, writes: f64) -> Sample {
    Sample {
        time: Nanos(end_s * 1_000_000_000),
        interval: Nanos(interval_s * 1_000_000_000),
        disk: "sda".to_owned(),
        reads,
        writes,
        flushes: Some(1.0),
        read_bytes: reads * 16_384.0,
        written_bytes: writes * 4096.0,
        queue_depth: Some(0.5),
        read_latency: Some(Nanos::from_us(200)),
        write_latency: (writes > 0.0).then_some(Nanos::from_ms(1)),
        ..Sample::default()
    }
}

fn profile(samples: &[Sample], options: CounterOptions) -> Profile {
    let mut profiler = CounterProfiler::new(options);
    samples.iter().for_each(|sample| profiler.push(sample));
    profiler.finish()
}

#[test]
fn seconds_are_the_samples_of_a_log_by_the_second() {
    let samples = [sample(1, 1, 100.0, 20.0), sample(2, 1, 300.0, 0.0), sample(3, 1, 50.0, 70.0)];
    let found = profile(&samples, CounterOptions::default());
    let rows: Vec<(u64, u64)> = found.seconds.iter().map(|row| (row.reads, row.writes)).collect();
    assert_eq!(rows, [(100, 20), (300, 0), (50, 70)]);
    assert_eq!((found.iops_peak_1s, found.iops_peak_1s_at_s), (Some(300.0), Some(1)));
    assert_eq!((found.requests, found.flushes, found.duration_s), (540, Some(3), 3.0));
    assert_eq!(found.queue_depth_mean, Some(0.5));
    let mean_ns = (450.0 * 200_000.0 + 90.0 * 1_000_000.0) / 540.0;
    assert!((found.latency_ns_mean.expect("both means are logged") - mean_ns).abs() < 1e-6);
    assert_eq!(found.provenance.get("iops_peak_1s"), None, "measured");
}

#[test]
fn longer_intervals_are_spread_and_say_so() {
    let found = profile(&[sample(10, 10, 1000.0, 5.0)], CounterOptions::default());
    assert!(found.seconds.iter().all(|row| row.reads == 100));
    assert_eq!(found.seconds.iter().map(|row| row.writes).sum::<u64>(), 5);
    assert_eq!(found.provenance["iops_peak_1s"], Provenance::Derived);
}

#[test]
fn the_busiest_sample_is_one_of_the_log_and_a_depth_counts_where_it_is_known() {
    let unknown = Sample { queue_depth: None, ..sample(120, 60, 181.0, 630.0) };
    let found = profile(
        &[sample(60, 60, 61.0, 120.0), unknown, sample(180, 60, 61.0, 120.0)],
        CounterOptions::default(),
    );
    let rate = Some(811.0 / 60.0);
    assert_eq!((found.iops_peak_1s, found.iops_peak_1s_at_s), (rate, Some(60)));
    assert_eq!(found.peak_window.map(|window| window.iops_peak_1s), rate);
    assert_eq!(found.queue_depth_mean, Some(0.5));
}

#[test]
fn what_counters_do_not_tell_is_assumed_or_undefined() {
    let samples = [sample(1, 1, 100.0, 20.0)];
    let found = profile(&samples, CounterOptions::default());
    assert_eq!(found.sequential_fraction, Some(0.0));
    assert_eq!(found.working_set_write_bytes, Some(20 * 4096));
    assert_eq!(found.overwrite_fraction, Some(0.0));
    for key in ["sequential_fraction", "working_set_bytes", "overwrite_fraction"] {
        assert_eq!(found.provenance[key], Provenance::Assumed, "{key}");
        assert!(found.assumptions.iter().any(|assumption| assumption.key == key), "{key}");
    }
    assert_eq!(found.provenance["update_distance_bytes"], Provenance::Undefined);
}

#[test]
fn a_known_capacity_bounds_the_working_set() {
    let options = CounterOptions { capacity: Some(Bytes(40_960)), ..CounterOptions::default() };
    let found = profile(&[sample(1, 1, 100.0, 20.0)], options);
    assert_eq!(found.working_set_bytes, Some(40_960));
    assert_eq!(found.overwrite_fraction, Some(0.5));
}

#[test]
fn other_disks_and_repeated_samples_are_passed_over() {
    let other = Sample { disk: "sdb".to_owned(), ..sample(1, 1, 999.0, 0.0) };
    let samples = [sample(1, 1, 10.0, 0.0), other.clone(), sample(1, 1, 10.0, 0.0), sample(2, 1, 5.0, 0.0)];
    assert_eq!(profile(&samples, CounterOptions::default()).reads, 15);
    let options = CounterOptions { disk: Some("sdb".to_owned()), ..CounterOptions::default() };
    assert_eq!(profile(&samples, options).reads, 999);
}

#[test]
fn an_empty_log() {
    let found = profile(&[], CounterOptions::default());
    assert_eq!((found.requests, found.iops_mean), (0, None));
    assert_eq!(found.sequential_fraction, None);
}
