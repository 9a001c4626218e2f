//! How fast requests are made: one core, the requests folded into a checksum so that none is left out.

use drivecast_block::Bytes;
use drivecast_workload::{Arrivals, Generator, WorkloadSpec};
use std::hint::black_box;
use std::time::Instant;

const REQUESTS: u32 = 50_000_000;

fn main() {
    let lines = [
        ("generate_random", "random(4KiB, read=0)"),
        ("generate_random_mixed", "random(4KiB, read=0.7)"),
        ("generate_hotcold", "hotcold(4KiB, hot=0.2, share=0.8, read=0)"),
        ("generate_sequential", "sequential(128KiB, read=0)"),
        ("generate_jesd219", "jesd219"),
    ];
    for (name, line) in lines {
        let spec = WorkloadSpec::parse(line).expect("the line is valid");
        let mut generator = Generator::new(&spec, Bytes::gib(64), 1).expect("64 GiB hold every request");
        let seconds = best_of_three(|| {
            let sum = |sum: u64, _| {
                let io = generator.next();
                sum.wrapping_add(io.offset ^ u64::from(io.size) ^ io.op as u64)
            };
            black_box((0..REQUESTS).fold(0, sum));
        });
        report(name, seconds, &format!("`{line}` on 64 GiB"));
    }
    let mut arrivals = Arrivals::new(1e6, 1);
    let seconds = best_of_three(|| {
        black_box(arrivals.by_ref().take(REQUESTS as usize).last());
    });
    report("generate_arrivals", seconds, "Poisson, 1e6 iops");
}

fn best_of_three(mut work: impl FnMut()) -> f64 {
    let times = (0..3).map(|_| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64()
    });
    times.fold(f64::INFINITY, f64::min)
}

fn report(name: &str, seconds: f64, method: &str) {
    let rate = f64::from(REQUESTS) / seconds / 1e6;
    println!("{name}: {rate:.1} M requests/s ({method}, {REQUESTS} requests, best of 3, 1 core)");
}
