//! How fast records are profiled: one core, a generated trace of 4 M requests with completions. The time is the
//! processor time of the thread where the system tells it (Linux), else the time that passed.

mod clock;

use clock::{Clock, peak_mb};
use drivecast_block::{Bytes, Nanos, Record};
use drivecast_workload::{Arrivals, Generator, ProfileOptions, Profiler, WorkloadSpec};
use std::hint::black_box;

const REQUESTS: usize = 4_000_000;

fn main() {
    for (name, line) in [
        ("profile_hotcold", "hotcold(4KiB, hot=0.2, share=0.8, read=0.7)"),
        ("profile_sequential", "sequential(64KiB, read=0.5)"),
        ("profile_jesd219", "jesd219"),
    ] {
        let records = trace(line);
        let mut best = f64::INFINITY;
        for _ in 0..3 {
            let start = Clock::now();
            let mut profiler = Profiler::new(ProfileOptions::default());
            records.iter().for_each(|record| profiler.push(record));
            black_box(profiler.finish());
            best = best.min(start.elapsed_s());
        }
        let rate = REQUESTS as f64 / best / 1e6;
        println!(
            "{name}: {rate:.1} M records/s (`{line}` on 64 GiB at 20,000 iops, 16 streams, latency 0.1 to 1.7 ms, \
             {REQUESTS} records, best of 3, processor time of 1 core)"
        );
    }
    println!("profile_memory: {:.0} MB (peak resident, 160 MB of it a trace)", peak_mb());
}

/// Requests of a workload with arrival times, latencies and streams.
fn trace(line: &str) -> Vec<Record> {
    let spec = WorkloadSpec::parse(line).expect("the line is valid");
    let mut generator = Generator::new(&spec, Bytes::gib(64), 1).expect("64 GiB hold every request");
    let record = |(k, time): (usize, Nanos)| {
        let io = generator.next();
        // A multiplicative hash of the position scatters latencies and streams without a further generator.
        let scatter = (k as u32).wrapping_mul(2_654_435_761) >> 16;
        let latency = Some(Nanos(100_000 + u64::from(scatter) * 25));
        Record {
            time,
            offset: io.offset,
            size: io.size,
            stream: scatter % 16,
            op: io.op,
            latency,
            fua: false,
        }
    };
    Arrivals::new(20_000.0, 1).take(REQUESTS).enumerate().map(record).collect()
}
