//! Times of the drive against what its parameters say by arithmetic.

use crate::drives::{Uniform, closed_loop, filled, latency, new_drive, request, settled_rate, small, write};
use drivecast_block::{Completion, Device, Nanos, Op};
use drivecast_sim::spec::SsdSpec;
use drivecast_sim::ssd::Ssd;

#[test]
fn a_lone_read_takes_the_sum_of_its_parts() {
    let spec = small();
    let mut ssd = filled(&spec);
    let channel = (4096.0 * 1e9 / spec.channel_bytes_per_s).round() as u64;
    let link = (4096.0 * 1e9 / spec.link_bytes_per_s).round() as u64;
    let expected = spec.read_overhead_ns + spec.read_command_ns + spec.read_ns + channel + link;
    assert_eq!(latency(&mut ssd, Nanos(1_000), request(0, Op::Read, 8192, 4096)), expected);
    // Four pages of one row are one array read.
    let four = expected + 3 * (channel + link);
    assert_eq!(latency(&mut ssd, Nanos(1_000_000), request(0, Op::Read, 16_384, 16_384)), four);
    // A page that was never written takes as long.
    assert_eq!(latency(&mut new_drive(&spec), Nanos(1_000), request(0, Op::Read, 8192, 4096)), expected);
}

#[test]
fn a_lone_write_is_done_in_the_buffer() {
    let spec = small();
    let link = (4096.0 * 1e9 / spec.link_bytes_per_s).round() as u64;
    let expected = spec.write_overhead_ns + spec.write_command_ns + link;
    assert_eq!(latency(&mut filled(&spec), Nanos(1_000), write(77)), expected);
}

#[test]
fn a_read_waits_for_a_program_or_suspends_it() {
    let mut spec = small();
    // All dies program 4 pages each when the reads come.
    let worst = |spec: &SsdSpec| {
        let mut ssd = filled(spec);
        let mut done = Vec::new();
        for id in 0..32 {
            ssd.submit(Nanos(0), request(id, Op::Write, id * 4096, 4096));
        }
        // By then every die is in the middle of its program.
        while ssd.next().is_some_and(|next| next <= Nanos(200_000)) {
            let next = ssd.next().unwrap();
            ssd.advance(next, &mut done);
        }
        latency_of_last(&mut ssd, Nanos(200_000))
    };
    let undisturbed = latency(&mut filled(&spec), Nanos(0), request(0, Op::Read, 128 << 20, 4096));
    let waited = worst(&spec);
    assert!(waited > undisturbed + 150_000 && waited < undisturbed + spec.program_ns, "{waited}");
    spec.suspend_ns = Some(20_000);
    assert_eq!(worst(&spec), undisturbed + 20_000);
}

fn latency_of_last(ssd: &mut Ssd, now: Nanos) -> u64 {
    let mut done = Vec::new();
    ssd.submit(now, request(99, Op::Read, 128 << 20, 4096));
    while !done.iter().any(|completion: &Completion| completion.id == 99) {
        let next = ssd.next().unwrap();
        ssd.advance(next, &mut done);
    }
    done.iter().find(|completion| completion.id == 99).unwrap().at.since(now).0
}

#[test]
fn random_reads_keep_dies_as_busy_as_balls_in_bins_allow() {
    // k requests on n dies. Were service exponential, k/(k + n − 1) of the dies would be busy (the product
    // form of the closed network); fixed service times do better, but no better than k balls thrown anew into
    // n bins.
    let mut spec = small();
    spec.channel_bytes_per_s = 1e12;
    spec.link_bytes_per_s = 1e12;
    (spec.read_overhead_ns, spec.read_command_ns) = (0, 0);
    let pages = spec.logical_bytes / 4096;
    let n = 8.0;
    for depth in [1, 2, 4, 8, 16, 32, 64] {
        let mut random = Uniform::new(depth, "reads");
        let make = |_| request(0, Op::Read, random.below(pages) * 4096, 4096);
        let (completions, _) = closed_loop(&mut filled(&spec), Nanos(0), depth, 100_000, make);
        let busy = settled_rate(&completions) * spec.read_ns as f64 / 1e9 / n;
        let k = depth as f64;
        let (low, high) = (k / (k + n - 1.0), 1.0 - (1.0 - 1.0 / n).powf(k));
        println!("{depth} on 8 dies: {busy:.3} busy, from {low:.3} to {high:.3}");
        assert!(busy > 0.99 * low && busy < 1.01 * high.max(low), "{depth}: {busy} not in {low}..{high}");
    }
}

#[test]
fn sequential_writes_run_at_the_narrowest_limit() {
    let base = small();
    let row = 4.0 * 4096.0;
    let program = 8.0 * row / (base.program_ns as f64 * 1e-9 + row / base.channel_bytes_per_s);
    let mut by_link = base.clone();
    by_link.link_bytes_per_s = 150e6;
    let mut by_controller = base.clone();
    by_controller.write_bytes_per_s = Some(100e6);
    for (spec, expected) in [(base, program), (by_link, 150e6), (by_controller, 100e6)] {
        let make = |id: u64| request(0, Op::Write, id * 131_072 % spec.logical_bytes, 131_072);
        let (completions, _) = closed_loop(&mut new_drive(&spec), Nanos(0), 16, 1_500, make);
        let found = settled_rate(&completions) * 131_072.0;
        println!("sequential write {:.1} MB/s, expected {:.1}", found / 1e6, expected / 1e6);
        assert!((found / expected - 1.0).abs() < 0.02, "{found} against {expected}");
    }
}

#[test]
fn steady_random_writes_run_at_the_programs_that_amplification_leaves() {
    let mut spec = small();
    spec.buffer_bytes = 4 << 20;
    let pages = spec.logical_bytes / 4096;
    let mut ssd = filled(&spec);
    let mut random = Uniform::new(3, "writes");
    (0..5 * pages).for_each(|_| ssd.age(write(random.below(pages))));
    ssd.reset_counters();
    let (completions, _) = closed_loop(&mut ssd, Nanos(0), 64, 300_000, |_| write(random.below(pages)));
    let counters = ssd.counters();
    let host = counters.flash_host_pages as f64;
    let copied = counters.flash_copied_pages as f64;
    // What the dies do for one host page: its share of a program, the same for its copies, their reads, and
    // an erase.
    let transfer = 4096.0 * 1e9 / spec.channel_bytes_per_s;
    let program = spec.program_ns as f64 / 4.0 + transfer;
    let valid = copied / (copied + host);
    let reads_per_copy = (1.0 - (1.0 - valid).powi(4)) / (4.0 * valid);
    let copy = program + transfer + reads_per_copy * spec.read_ns as f64;
    let erase = spec.erase_ns as f64 * counters.flash_erases as f64 / host;
    let expected = 8.0 * 1e9 / (program + copied / host * copy + erase);
    let found = settled_rate(&completions);
    println!("steady random write {found:.0} IOPS, expected {expected:.0}, WA {:.3}", 1.0 + copied / host);
    assert!((found / expected - 1.0).abs() < 0.05, "{found} against {expected}");
}

#[test]
fn writes_vary_by_an_exponential_time() {
    // Writes to an empty buffer wait for nothing: what each takes beyond the fixed time is exponential, so that the share
    // beyond x is exp(-x / mean).
    let mean = 2_000.0;
    let spec = SsdSpec { write_jitter_ns: mean as u64, ..small() };
    let fixed = latency(&mut filled(&small()), Nanos(0), request(0, Op::Write, 0, 4096));
    let mut ssd = filled(&spec);
    let count = 4_000;
    let waits: Vec<f64> = (0..count)
        .map(|index| {
            let at = Nanos((index + 1) * 20_000_000);
            latency(&mut ssd, at, request(index, Op::Write, 0, 4096)) as f64 - fixed as f64
        })
        .collect();
    let average = waits.iter().sum::<f64>() / count as f64;
    println!("mean {average:.0} ns, {mean:.0} by the distribution");
    assert!((average / mean - 1.0).abs() < 0.05, "{average}"); // 3 standard errors of 4,000 are 4.7 %
    for multiple in [1.0, 2.0, 3.0] {
        let beyond = waits.iter().filter(|&&wait| wait > multiple * mean).count() as f64 / count as f64;
        assert!((beyond - f64::exp(-multiple)).abs() < 0.024, "{multiple}: {beyond}");
    }
}
