//! Hosts on stations whose answers are known (theory.md 2.3): M/M/1, M/D/1, M/M/∞ and Little's law.

use drivecast_block::{Bytes, Nanos};
use drivecast_sim::fixed_service::{FixedService, Service};
use drivecast_sim::outcome::Outcome;
use drivecast_sim::run::{RunOptions, Workload, drive};
use drivecast_workload::WorkloadSpec;

const SERVICE: Nanos = Nanos::from_us(100);

/// Poisson reads at load `rho` of one server.
fn open(servers: usize, service: Service, rho: f64, seed: u64) -> Outcome {
    let mut device = FixedService::new(Bytes::gib(1), servers, service, seed);
    let line = format!("random(4KiB, read=1, rate={}iops)", rho / SERVICE.as_secs_f64());
    let workload = Workload::Synthetic(WorkloadSpec::parse(&line).unwrap());
    let options = RunOptions {
        seed,
        requests: Some(400_000),
        warmup: Nanos::from_ms(500),
        fill: 0.0,
        ..RunOptions::default()
    };
    drive(&mut device, "fixed", 1.0, &workload, &options).unwrap()
}

/// Mean response in units of the service time over eight independent runs, with the half-width of its 95 % interval.
fn response(service: Service, rho: f64) -> (f64, f64) {
    const STUDENT_T_7: f64 = 2.365;
    let mean = |seed| open(1, service, rho, seed).read.latency_ns.unwrap().mean / SERVICE.0 as f64;
    let runs: Vec<f64> = (1..=8).map(mean).collect();
    let mean = runs.iter().sum::<f64>() / 8.0;
    let variance = runs.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 7.0;
    (mean, STUDENT_T_7 * (variance / 8.0).sqrt())
}

#[test]
fn one_server_with_poisson_arrivals() {
    for rho in [0.3, 0.5, 0.8, 0.9] {
        let mm1 = 1.0 / (1.0 - rho);
        let md1 = 1.0 + rho / (2.0 * (1.0 - rho));
        for (name, service, theory) in
            [("M/M/1", Service::Exponential(SERVICE), mm1), ("M/D/1", Service::Constant(SERVICE), md1)]
        {
            let (mean, half_width) = response(service, rho);
            // Twice the interval: eight comparisons at 95 % would fail by chance in one of three seeds otherwise.
            assert!(
                (mean - theory).abs() < 2.0 * half_width,
                "{name} at {rho}: {mean} ± {half_width}, theory {theory}"
            );
            assert!(half_width < 0.05 * theory, "{name} at {rho}: the interval ± {half_width} says nothing");
        }
    }
}

#[test]
fn quantiles_and_utilization_of_mm1() {
    let outcome = open(1, Service::Exponential(SERVICE), 0.5, 3);
    let latency = outcome.read.latency_ns.unwrap();
    // The response of M/M/1 is exponential with mean s / (1 - rho).
    let theory = |q: f64| -(1.0 - q).ln() * SERVICE.0 as f64 / 0.5;
    for (found, q) in [(latency.q0_5, 0.5), (latency.q0_9, 0.9), (latency.q0_99, 0.99)] {
        assert!((found as f64 / theory(q) - 1.0).abs() < 0.03, "q{q}: {found}, theory {}", theory(q));
    }
    assert!((outcome.utilization - 0.5).abs() < 0.01, "{}", outcome.utilization);
    assert!((outcome.queue_depth_mean - 1.0).abs() < 0.03, "rho / (1 - rho), {}", outcome.queue_depth_mean);
}

#[test]
fn without_a_queue_nobody_waits() {
    let outcome = open(usize::MAX, Service::Constant(SERVICE), 5.0, 1);
    let latency = outcome.read.latency_ns.unwrap();
    assert_eq!((latency.mean, latency.max), (SERVICE.0 as f64, SERVICE.0));
    assert!((outcome.queue_depth_mean - 5.0).abs() < 0.05);
    assert!(outcome.littles_law_error < 1e-3);
    assert!(!outcome.saturated);
}

#[test]
fn closed_loops_obey_littles_law() {
    for (iodepth, servers) in [(1, 1), (16, 4), (3, 8)] {
        let mut device = FixedService::new(Bytes::gib(1), servers, Service::Constant(SERVICE), 1);
        let line = format!("random(4KiB, read=0.5, iodepth={iodepth})");
        let workload = Workload::Synthetic(WorkloadSpec::parse(&line).unwrap());
        let options = RunOptions { requests: Some(50_000), seed: 1, fill: 0.0, ..RunOptions::default() };
        let outcome = drive(&mut device, "fixed", 1.0, &workload, &options).unwrap();
        let theory = f64::from(iodepth).min(servers as f64) / SERVICE.as_secs_f64();
        assert!((outcome.iops / theory - 1.0).abs() < 1e-3, "{} IOPS, theory {theory}", outcome.iops);
        assert!((outcome.queue_depth_mean - f64::from(iodepth)).abs() < 1e-9);
        assert!(outcome.littles_law_error < 1e-3);
    }
}

#[test]
fn overload_is_called_saturated() {
    assert!(open(1, Service::Constant(SERVICE), 1.5, 1).saturated);
    assert!(!open(1, Service::Constant(SERVICE), 0.95, 1).saturated);
    for (rho, is_saturated) in [(1.12, true), (0.9, false)] {
        // A second of it: what is left over takes a tenth of one.
        let second = RunOptions { duration: Some(Nanos::from_ms(1000)), ..RunOptions::default() };
        assert_eq!(held_back(rho, "", 1, second).saturated, is_saturated, "{rho}");
    }
}

/// Poisson reads at load `rho` of some servers, of which the host holds some back.
fn held_back(rho: f64, bound: &str, servers: usize, options: RunOptions) -> Outcome {
    let mut device = FixedService::new(Bytes::gib(1), servers, Service::Constant(SERVICE), 1);
    let rate = rho * servers as f64 / SERVICE.as_secs_f64();
    let line = format!("random(4KiB, read=1, rate={rate}iops{bound})");
    let workload = Workload::Synthetic(WorkloadSpec::parse(&line).unwrap());
    drive(&mut device, "fixed", 1.0, &workload, &RunOptions { fill: 0.0, ..options }).unwrap()
}

#[test]
fn a_rate_with_a_bound_waits_in_the_host_and_is_served_as_far_as_the_bound_lets_it() {
    let requests = RunOptions { requests: Some(50_000), ..RunOptions::default() };
    for (iodepth, servers) in [(1, 1), (4, 8), (16, 4)] {
        let bound = format!(", iodepth={iodepth}");
        // What the bound, or the servers, carry of the rate: below that all is served, above it no more than that.
        let most = f64::from(iodepth).min(servers as f64) / servers as f64;
        for rho in [0.9 * most, 2.0 * most, 20.0 * most] {
            let outcome = held_back(rho, &bound, servers, requests.clone());
            let rate = rho.min(most) * servers as f64 / SERVICE.as_secs_f64();
            assert!((outcome.iops / rate - 1.0).abs() < 0.02, "{iodepth} at {rho}: {}, {rate}", outcome.iops);
            assert_eq!(outcome.saturated, rho > most, "{iodepth} at {rho}");
            assert!(outcome.queue_depth_mean <= f64::from(iodepth), "{}", outcome.queue_depth_mean);
            let (asked, served) = (50_000.0, outcome.read.requests as f64);
            assert!((served / asked - 1.0).abs() < 0.02, "all are issued, however late: {served}");
        }
    }
}

#[test]
fn a_time_ends_with_requests_held_back() {
    let second = RunOptions { duration: Some(Nanos::from_ms(1000)), ..RunOptions::default() };
    let outcome = held_back(20.0, ", iodepth=2", 1, second);
    assert!(outcome.saturated && (outcome.duration_s - 1.0).abs() < 0.01, "{}", outcome.duration_s);
}
