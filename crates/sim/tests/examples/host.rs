//! Hosts by example: open and closed loops on a station of known behaviour.

use drivecast_block::{Bytes, Completion, Counters, Device, Nanos, Op, Record, Request};
use drivecast_sim::error::SimError;
use drivecast_sim::fixed_service::{FixedService, Service};
use drivecast_sim::host::Fault;
use drivecast_sim::outcome::Outcome;
use drivecast_sim::run::{Depth, Remap, RunOptions, Window, Workload, drive};

pub(crate) fn record(us: u64, op: Op, offset: u64, size: u32) -> Record {
    Record { time: Nanos::from_us(us), offset, size, stream: 0, op, latency: None, fua: false }
}

fn run(records: Vec<Record>, options: &RunOptions) -> Result<Outcome, SimError> {
    let mut device = FixedService::new(Bytes::mib(1), 1, Service::Constant(Nanos::from_us(100)), 1);
    drive(&mut device, "fixed", 1.0, &Workload::Records(records.into()), options)
}

/// Reads every 50 us, twice as fast as the station.
fn burst(count: u64) -> Vec<Record> {
    (0..count).map(|index| record(50 * index, Op::Read, 0, 4096)).collect()
}

#[test]
fn an_open_loop_does_not_wait() {
    let outcome = run(burst(10), &RunOptions::default()).unwrap();
    let latency = outcome.read.latency_ns.unwrap();
    // The nth waits 50 us more than the one before it.
    assert_eq!(latency.max, 100_000 + 9 * 50_000);
    assert_eq!(latency.mean, 100_000.0 + 4.5 * 50_000.0);
    assert_eq!((outcome.requests, outcome.duration_s), (10, 0.001));
    assert!(!outcome.saturated, "a burst of 10 drains soon");
}

#[test]
fn speedup_and_window() {
    let slow = RunOptions { speedup: 0.5, seed: 1, fill: 0.0, ..RunOptions::default() };
    assert_eq!(run(burst(10), &slow).unwrap().read.latency_ns.unwrap().max, 100_000, "no two meet");

    let window = Some(Window { start: Nanos::from_us(100), length: Nanos::from_us(200) });
    let outcome =
        run(burst(10), &RunOptions { window, seed: 1, fill: 0.0, ..RunOptions::default() }).unwrap();
    assert_eq!(outcome.requests, 4, "those at 100, 150, 200 and 250 us");
    assert_eq!(outcome.duration_s, 4e-4);

    let later = Some(Window { start: Nanos::from_ms(5), length: Nanos::from_ms(1) });
    let error = run(burst(10), &RunOptions { window: later, seed: 1, fill: 0.0, ..RunOptions::default() })
        .unwrap_err();
    assert_eq!(error.to_string(), "no requests in the window from 5.000 ms for 1.000 ms");
}

#[test]
fn as_fast_as_possible_at_a_depth() {
    let options = RunOptions { depth: Some(Depth::Of(4)), seed: 1, fill: 0.0, ..RunOptions::default() };
    let records: Vec<Record> = (0..100).map(|index| record(1_000_000 * index, Op::Write, 0, 512)).collect();
    let outcome = run(records, &options).unwrap();
    assert_eq!(outcome.duration_s, 0.01);
    assert_eq!(outcome.write.latency_ns.unwrap().max, 400_000);
    assert!((outcome.queue_depth_mean - 3.94).abs() < 1e-9, "4 but for the last three");
}

#[test]
fn as_fast_as_possible_at_the_depth_that_the_trace_had() {
    // Ten pairs, the second of each issued while the first is outstanding; a second between pairs.
    let pair = |index: u64| [1_000_000 * index, 1_000_000 * index + 10];
    let timed = |us| Record { latency: Some(Nanos::from_us(20)), ..record(us, Op::Read, 0, 4096) };
    let records: Vec<Record> = (0..10).flat_map(pair).map(timed).collect();
    let options = RunOptions { depth: Some(Depth::Recorded), seed: 1, fill: 0.0, ..RunOptions::default() };
    let outcome = run(records.clone(), &options).unwrap();
    // One station: a pair takes 200 us, and the next begins when both are done.
    assert_eq!((outcome.requests, outcome.duration_s), (20, 0.002));
    assert_eq!(outcome.read.latency_ns.unwrap().max, 200_000);

    let silent = records.iter().map(|record| Record { latency: None, ..*record }).collect();
    let error = run(silent, &options).unwrap_err().to_string();
    assert!(error.contains("the trace has no completions"), "{error}");
}

#[test]
fn warmup_is_not_measured() {
    let options = RunOptions { warmup: Nanos::from_us(450), seed: 1, fill: 0.0, ..RunOptions::default() };
    let outcome = run(burst(10), &options).unwrap();
    assert_eq!((outcome.generated, outcome.completed, outcome.in_flight), (6, 6, 0));
    assert_eq!(outcome.duration_s, 1e-3 - 450e-6);
}

#[test]
fn requests_without_data_are_left_out() {
    let records = vec![
        record(0, Op::Read, 0, 0),
        record(0, Op::Flush, 0, 0),
        record(5, Op::Discard, 4096, 4096),
        record(9, Op::Write, 0, 0),
    ];
    let outcome = run(records, &RunOptions::default()).unwrap();
    assert_eq!((outcome.requests, outcome.flush.requests, outcome.generated), (0, 1, 2));
    assert!(outcome.read.latency_ns.is_none());
}

#[test]
fn offsets_behind_the_end() {
    let records = vec![record(0, Op::Read, 0, 4096), record(1, Op::Read, 1 << 20, 4096)];
    let error = run(records.clone(), &RunOptions::default()).unwrap_err();
    assert!(
        matches!(error, SimError::Beyond { record: 1, end: 1_052_672, capacity: Bytes(1_048_576), .. }),
        "{error}"
    );
    let wrap = RunOptions { remap: Remap::Wrap, seed: 1, fill: 0.0, ..RunOptions::default() };
    assert_eq!(run(records, &wrap).unwrap().requests, 2);
    let huge = vec![record(0, Op::Read, 0, 2 << 20)];
    assert!(matches!(run(huge, &wrap).unwrap_err(), SimError::Beyond { .. }), "larger than the device");
}

#[test]
fn a_hopeless_backlog_stops_the_run() {
    let outcome = run(burst(200_000), &RunOptions::default()).unwrap();
    assert!(outcome.saturated);
    assert!(outcome.completed < 200_000 && outcome.in_flight > 65_000);
    assert_eq!(outcome.generated, outcome.completed + outcome.in_flight);
}

#[test]
fn seconds_add_up() {
    let records: Vec<Record> = (0..30).map(|index| record(100_000 * index, Op::Write, 0, 8192)).collect();
    let outcome = run(records, &RunOptions::default()).unwrap();
    assert_eq!(outcome.seconds.iter().map(|second| second.writes).collect::<Vec<_>>(), [10, 10, 10]);
    assert_eq!(outcome.seconds[1].written_bytes, 10 * 8192);
    assert!((outcome.seconds[1].queue_depth - 0.001).abs() < 1e-12, "ten times 100 us in one second");
    assert_eq!(outcome.seconds[2].write_latency_ns_max, 100_000);
}

/// A device with a fault.
struct Faulty {
    inner: FixedService,
    fault: &'static str,
}

impl Device for Faulty {
    fn capacity(&self) -> Bytes {
        self.inner.capacity()
    }
    fn submit(&mut self, now: Nanos, request: Request) {
        if !(self.fault == "loses" && request.id == 3) {
            self.inner.submit(now, request);
        }
    }
    fn next(&self) -> Option<Nanos> {
        self.inner.next().map(|next| if self.fault == "early" { Nanos(next.0 / 2) } else { next })
    }
    fn age(&mut self, _request: Request) {}
    fn advance(&mut self, now: Nanos, done: &mut Vec<Completion>) {
        self.inner.advance(now, done);
        if self.fault == "repeats"
            && let Some(last) = done.last().copied()
        {
            done.push(last);
        }
        if self.fault == "late" {
            done.iter_mut().for_each(|completion| completion.at = Nanos(completion.at.0 + 1));
        }
    }
    fn counters(&self) -> Counters {
        self.inner.counters()
    }
    fn reset_counters(&mut self) {}
}

#[test]
fn broken_devices_are_found_out() {
    let fault = |fault| {
        let inner = FixedService::new(Bytes::mib(1), 1, Service::Constant(Nanos::from_us(100)), 1);
        let result = drive(
            &mut Faulty { inner, fault },
            "faulty",
            1.0,
            &Workload::Records(burst(8).into()),
            &RunOptions::default(),
        );
        match result {
            Err(SimError::Broken { fault, .. }) => fault,
            other => panic!("{other:?}"),
        }
    };
    assert!(matches!(fault("loses"), Fault::Lost { in_flight: 1 }));
    assert!(matches!(fault("repeats"), Fault::Stray { .. }));
    assert!(matches!(fault("late"), Fault::Backwards { .. }));
    assert!(matches!(fault("early"), Fault::Standstill { .. }));

    let mut nothing = FixedService::new(Bytes::mib(1), 1, Service::Constant(Nanos::ZERO), 1);
    let options = RunOptions { requests: Some(1 << 30), seed: 1, fill: 0.0, ..RunOptions::default() };
    let spec = drivecast_workload::WorkloadSpec::parse("random(4KiB)").unwrap();
    let error = drive(&mut nothing, "null", 1.0, &Workload::Synthetic(spec), &options).unwrap_err();
    assert!(matches!(error, SimError::Broken { fault: Fault::Standstill { .. }, .. }));
}

#[test]
fn streams_held_apart_have_the_latencies_of_their_own_requests() {
    // A request of the second stream comes right behind one of the first, and waits for it.
    let of = |stream: u32, us: u64, op| Record { stream, ..record(us, op, 0, 4096) };
    let pair = |index: u64| [of(0, 1000 * index, Op::Read), of(1, 1000 * index + 10, Op::Write)];
    let records: Vec<Record> = (0..5).flat_map(pair).collect();
    let outcome = run(records.clone(), &RunOptions { streams: 2, ..RunOptions::default() }).unwrap();
    let [first, second] = &outcome.streams[..] else { panic!("two streams") };
    assert_eq!((first.stream, first.read.requests, first.write.requests), (0, 5, 0));
    assert_eq!((second.stream, second.read.requests, second.write.requests), (1, 0, 5));
    assert_eq!(first.read.latency_ns.as_ref().unwrap().max, 100_000);
    assert_eq!(second.write.latency_ns.as_ref().unwrap().max, 190_000);
    assert_eq!(first.read, outcome.read, "nothing else reads");
    assert!(first.write.latency_ns.is_none());

    let joined = run(records.clone(), &RunOptions::default()).unwrap();
    assert!(joined.streams.is_empty());
    assert_eq!(joined.read, outcome.read);
    let error = run(records, &RunOptions { streams: 257, ..RunOptions::default() }).unwrap_err().to_string();
    assert!(error.contains("at most 256"), "{error}");
}

#[test]
fn idle_years_are_no_rows() {
    let seconds = |us: u64| {
        let records = vec![record(0, Op::Read, 0, 4096), record(us, Op::Write, 0, 512)];
        let rows = run(records, &RunOptions::default()).unwrap().seconds;
        rows.iter().map(|row| (row.second, row.reads, row.writes)).collect::<Vec<_>>()
    };
    assert_eq!(seconds(2_500_000), [(0, 1, 0), (1, 0, 0), (2, 0, 1)], "of a short run idle seconds are rows");
    let later = 1_000_000_000_000_000;
    assert_eq!(seconds(later), [(0, 1, 0), (later / 1_000_000, 0, 1)], "of 31 years they are not");
}
