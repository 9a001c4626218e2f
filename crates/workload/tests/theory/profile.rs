//! Measures of generated workloads against what is known of them.

use crate::properties_trace::profile;
use drivecast_block::{Bytes, Nanos, Op, Record};
use drivecast_workload::{Arrivals, Generator, WorkloadSpec};

const MINUTE: Nanos = Nanos(60_000_000_000);

/// A workload on a device, arriving at `rate_iops`, each request taking `latency`.
fn trace(line: &str, capacity: Bytes, rate_iops: f64, latency: Nanos, requests: usize) -> Vec<Record> {
    let spec = WorkloadSpec::parse(line).expect("the line is valid");
    let mut generator = Generator::new(&spec, capacity, 11).expect("the device is large enough");
    let record = |time| {
        let io = generator.next();
        Record {
            time,
            offset: io.offset,
            size: io.size,
            stream: 0,
            op: io.op,
            latency: Some(latency),
            fua: false,
        }
    };
    Arrivals::new(rate_iops, 11).take(requests).map(record).collect()
}

#[test]
fn poisson_arrivals_have_dispersion_one_at_every_scale() {
    let records = trace("random(4KiB)", Bytes::gib(1), 2000.0, Nanos(0), 400_000);
    let found = profile(&records, MINUTE).interarrival.expect("two requests and more");
    // The variance of a sample of n Poisson counts over its mean has standard deviation sqrt(2 / n): 200 s hold 199 bins.
    let bound = |bins: f64| 5.0 * (2.0 / bins).sqrt();
    assert!((found.cv.expect("gaps above zero") - 1.0).abs() < 0.01);
    assert!((found.index_of_dispersion_1s.expect("bins") - 1.0).abs() < bound(199.0));
    assert!((found.index_of_dispersion_100ms.expect("bins") - 1.0).abs() < bound(1990.0));
    assert!((found.index_of_dispersion_10ms.expect("bins") - 1.0).abs() < bound(19_900.0));
}

#[test]
fn queue_depth_obeys_little() {
    // N = X R: 2000 requests a second of 3 ms each are 6 outstanding.
    let records = trace("random(4KiB)", Bytes::gib(1), 2000.0, Nanos::from_ms(3), 400_000);
    let found = profile(&records, MINUTE);
    let depth = found.queue_depth_mean.expect("every request has a latency");
    let iops = found.iops_mean.expect("200 s");
    assert!((depth - iops * 0.003).abs() < 1e-3 * depth, "depth {depth}, iops {iops}");
    assert!((found.latency_ns_mean.expect("latencies") - 3e6).abs() < 1.0);
}

#[test]
fn uniform_writes_have_geometric_update_distances() {
    // Block writes until a given one of U blocks comes again: geometric, quantile q at ln(1 - q) / ln(1 - 1/U).
    const BLOCKS: f64 = 4096.0;
    let records = trace("random(4KiB, read=0)", Bytes::mib(16), 1e5, Nanos(0), 1_000_000);
    let found = profile(&records, MINUTE);
    let distance = found.update_distance_bytes.expect("every block is written about 244 times");
    for (q, found) in [(0.1, distance.q10), (0.5, distance.q50), (0.9, distance.q90)] {
        let expected = (1.0f64 - q).ln() / (1.0 - 1.0 / BLOCKS).ln() * 4096.0;
        assert!((found as f64 / expected - 1.0).abs() < 0.02, "q{q}: {found} for {expected}");
    }
    assert_eq!(found.working_set_write_bytes, Some(16 << 20));
    assert_eq!(found.overwrite_fraction, Some((1e6 - BLOCKS) / 1e6));
}

#[test]
fn the_working_set_of_uniform_requests_fills_as_coupons_do() {
    // After n uniform draws of U blocks, U (1 - (1 - 1/U)^n) are distinct, with a standard deviation below sqrt(U) / 2.
    let blocks = f64::from(1 << 20);
    let records = trace("random(4KiB, read=0.5)", Bytes::gib(4), 1e5, Nanos(0), 1_000_000);
    let found = profile(&records, MINUTE).working_set_bytes.expect("within 16 TiB") as f64 / 4096.0;
    let expected = blocks * (1.0 - (1.0 - 1.0 / blocks).powf(1e6));
    assert!((found - expected).abs() < 2.5 * blocks.sqrt(), "{found} for {expected}");
}

#[test]
fn sequential_and_random_workloads_differ() {
    let sequential = profile(&trace("sequential(64KiB)", Bytes::gib(1), 1e3, Nanos(0), 10_000), MINUTE);
    assert!((sequential.sequential_fraction.expect("requests") - 1.0).abs() < 1e-3);
    let random = profile(&trace("random(64KiB)", Bytes::gib(64), 1e3, Nanos(0), 10_000), MINUTE);
    assert!(random.sequential_fraction.expect("requests") < 1e-3);
}

#[test]
fn latency_quantiles_of_a_ramp() {
    let record = |k: u64| Record {
        time: Nanos(k * 1000),
        offset: 0,
        size: 4096,
        stream: 0,
        op: Op::Read,
        latency: Some(Nanos(k * 100)),
        fua: false,
    };
    let records: Vec<Record> = (1..=100_000).map(record).collect();
    let found = profile(&records, MINUTE).read_latency_ns.expect("latencies");
    let quantiles = [(0.5, found.q50), (0.9, found.q90), (0.99, found.q99), (0.9999, found.q9999)];
    for (q, found) in quantiles {
        let found = found.expect("known from a trace") as f64;
        assert!((found / (q * 1e7) - 1.0).abs() < 1.1e-3, "q{q}: {found}");
    }
    assert_eq!(found.max, Some(10_000_000));
}
