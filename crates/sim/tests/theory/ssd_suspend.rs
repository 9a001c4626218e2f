//! How long a read waits for a die that programs or erases.

use crate::drives::{Uniform, closed_loop, drain, filled, latency, new_drive, request, small, write};
use drivecast_block::{Completion, Device, Nanos, Op};
use drivecast_sim::spec::SsdSpec;
use drivecast_sim::ssd::Ssd;

/// One die, so that every read meets the work.
fn lone_die() -> SsdSpec {
    SsdSpec {
        channels: 1,
        dies_per_channel: 1,
        logical_bytes: 32 << 20,
        physical_bytes: 40 << 20,
        suspend_ns: Some(20_000),
        ..small()
    }
}

/// Latencies of reads that come one at a time, a random while after each other, to a drive that writes without end.
fn reads_among_writes(spec: &SsdSpec) -> Vec<u64> {
    let mut ssd = filled(spec);
    let pages = spec.logical_bytes / 4096;
    let mut random = Uniform::new(5, "reads among writes");
    (0..3 * pages).for_each(|_| ssd.age(write(random.below(pages))));
    let (mut latencies, mut done, mut now) = (Vec::new(), Vec::<Completion>::new(), Nanos(0));
    (0..300).for_each(|_| ssd.submit(now, write(random.below(pages))));
    let (mut asked, mut due) = (None, Nanos(1_000_000));
    while latencies.len() < 2_000 {
        match ssd.next().filter(|next| asked.is_some() || *next <= due) {
            Some(next) => {
                now = next;
                ssd.advance(now, &mut done);
            }
            None => {
                now = due;
                asked = Some(now);
                ssd.submit(now, request(u64::MAX, Op::Read, random.below(pages / 2) * 4096, 4096));
            }
        }
        for completion in done.drain(..) {
            if completion.id == u64::MAX {
                latencies.push(now.since(asked.take().unwrap()).0);
                due = now + Nanos(200_000 + random.below(5_000_000));
            } else {
                // Written to the upper half, so that no read finds its page in the buffer.
                ssd.submit(now, write(pages / 2 + random.below(pages / 2)));
            }
        }
    }
    latencies
}

#[test]
fn a_read_waits_no_longer_than_a_suspension() {
    let spec = SsdSpec { erase_suspend_ns: Some(300_000), queue_depth: 1_000, ..lone_die() };
    let undisturbed = latency(&mut filled(&spec), Nanos(0), request(0, Op::Read, 0, 4096));
    let latencies = reads_among_writes(&spec);
    let most = *latencies.iter().max().unwrap();
    // Besides a suspension a read may meet the array read of a copy and a row on the channel, and on the link what is
    // being sent; each of these is shorter than the suspension of an erase.
    let bound = undisturbed + 300_000;
    println!("the slowest of {} reads took {most} ns, bound {bound} ns", latencies.len());
    assert!(most <= bound, "{most} > {bound}");
    assert!(most + 20_000 > bound, "no read met an erase: {most}, bound {bound}");
    // Without suspension a read waits for the erase itself.
    let wait = SsdSpec { suspend_ns: None, erase_suspend_ns: None, ..spec };
    let most = *reads_among_writes(&wait).iter().max().unwrap();
    assert!(most > undisturbed + 2_000_000, "{most}");
}

#[test]
fn an_operation_is_suspended_so_often_and_no_more() {
    let unlimited = lone_die();
    let reads = [Nanos(150_000), Nanos(300_000)];
    let run = |spec: &SsdSpec, reads: &[Nanos]| {
        let mut ssd = filled(spec);
        let mut done = Vec::new();
        (0..4).for_each(|page| ssd.submit(Nanos(0), request(page, Op::Write, page * 4096, 4096)));
        for (id, &at) in (100..).zip(reads) {
            while let Some(next) = ssd.next().filter(|next| *next <= at) {
                ssd.advance(next, &mut done);
            }
            ssd.submit(at, request(id, Op::Read, 16 << 20, 4096));
        }
        let mut last = Nanos(0);
        while let Some(next) = ssd.next() {
            last = next;
            ssd.advance(next, &mut done);
        }
        drain(&mut ssd, &mut done);
        let read = |id| done.iter().find(|completion| completion.id == id).map(|completion| completion.at);
        (last, read(100), read(101))
    };
    let undisturbed = latency(&mut filled(&unlimited), Nanos(0), request(0, Op::Read, 16 << 20, 4096));
    let suspended = Some(reads[0] + Nanos(undisturbed + 20_000));
    assert_eq!(run(&unlimited, &reads).1, suspended);
    assert_eq!(run(&unlimited, &reads).2, Some(reads[1] + Nanos(undisturbed + 20_000)));

    let once = SsdSpec { suspensions_max: Some(1), ..unlimited.clone() };
    let (end, ..) = run(&once, &[]);
    // The first read puts the end of the program off; the second waits for it.
    let transfer = (4096.0 * 1e9 / once.channel_bytes_per_s).round() as u64;
    let end = end + Nanos(20_000 + once.read_ns + transfer);
    assert_eq!(run(&once, &reads).1, suspended);
    assert_eq!(run(&once, &reads).2, Some(end + Nanos(undisturbed - once.read_command_ns)));

    let never = SsdSpec { suspensions_max: Some(0), ..unlimited.clone() };
    assert_eq!(run(&never, &reads), run(&SsdSpec { suspend_ns: None, ..unlimited }, &reads));
}

#[test]
fn a_read_waits_for_the_next_point_of_suspension() {
    // A die that programs all the time, programs much longer than the wait: the wait is exponential, so its mean is that of
    // the distribution, and P(wait > x) = exp(-x / mean).
    let mean = 60_000.0;
    let spec = SsdSpec {
        suspend_ns: Some(0),
        suspend_wait_ns: mean as u64,
        program_ns: 40_000_000,
        erase_ns: 40_000_000,
        read_ns: 1_000,
        channel_bytes_per_s: 1e12,
        queue_depth: 1_000,
        ..lone_die()
    };
    let undisturbed = latency(&mut filled(&spec), Nanos(0), request(0, Op::Read, 0, 4096));
    let waits: Vec<f64> =
        reads_among_writes(&spec).iter().map(|&ns| ns as f64 - undisturbed as f64).collect();
    let average = waits.iter().sum::<f64>() / waits.len() as f64;
    println!("mean wait {average:.0} ns, {mean:.0} by the distribution");
    assert!((average / mean - 1.0).abs() < 0.06, "{average}"); // 3 standard errors of 2,000 reads are 6.7 %
    for multiple in [1.0, 2.0, 3.0] {
        let beyond = waits.iter().filter(|&&wait| wait > multiple * mean).count() as f64 / waits.len() as f64;
        let expected = f64::exp(-multiple);
        assert!((beyond - expected).abs() < 0.03, "{multiple}: {beyond} {expected}");
    }
}

#[test]
fn pages_of_a_word_line_take_turns_and_failed_reads_are_repeated() {
    let spec = SsdSpec { read_types: 3, read_type_spread: 0.4, ..lone_die() };
    let mut ssd = filled(&spec);
    let read = |ssd: &mut Ssd, at: u64, page: u64| {
        latency(ssd, Nanos(at * 10_000_000), request(at, Op::Read, page * 4096, 4096))
    };
    let row = u64::from(ssd.layout().read_pages);
    let times: Vec<u64> = (0..6).map(|at| read(&mut ssd, at, at * row)).collect();
    assert_eq!(times[1] - times[0], 20_000);
    assert_eq!(times[2] - times[1], 20_000);
    assert_eq!(times[3..], times[..3]);
    // Each repetition costs a read; so many are needed that the mean is 1 / (1 - rate) reads.
    let spec = SsdSpec { read_retry_rate: 0.25, ..lone_die() };
    let mut ssd = filled(&spec);
    let total: u64 = (0..4_000).map(|at| read(&mut ssd, at, at % 1_000)).sum();
    let lone = latency(&mut filled(&lone_die()), Nanos(0), request(0, Op::Read, 0, 4096));
    let reads = (total as f64 / 4_000.0 - lone as f64) / 50_000.0 + 1.0;
    assert!((reads / (4.0 / 3.0) - 1.0).abs() < 0.03, "{reads}");
}

#[test]
fn reads_are_repeated_more_with_wear_and_with_the_age_of_the_data() {
    // A third of a new drive's reads repeated once is half a repetition; worn out, with the oldest data, two more.
    let spec = SsdSpec { read_retry_rate: 1.0 / 3.0, worn_retry_rate: 2.0 / 3.0, ..lone_die() };
    let lone = latency(&mut filled(&lone_die()), Nanos(0), request(0, Op::Read, 0, 4096));
    for (wear, data_age, expected) in [(0.0, 1.0, 1.5), (0.5, 1.0, 2.5), (1.0, 0.25, 2.0), (1.0, 1.0, 3.5)] {
        let mut ssd = filled(&SsdSpec { wear, data_age, ..spec.clone() });
        let total: u64 = (0..8_000)
            .map(|at| {
                latency(&mut ssd, Nanos(at * 10_000_000), request(at, Op::Read, at % 1_000 * 4096, 4096))
            })
            .sum();
        let reads = (total as f64 / 8_000.0 - lone as f64) / 50_000.0 + 1.0;
        assert!((reads / expected - 1.0).abs() < 0.04, "{wear} {data_age}: {reads} of {expected}");
    }
}

#[test]
fn batches_of_cleaning_hold_up_the_writes_that_arithmetic_says() {
    let (every, length, slack, gap) = (2_000u64, 5_000_000u64, 100u64, 20_000u64);
    let spec = SsdSpec {
        gc_batch_bytes: every * 4096,
        gc_batch_ns: length,
        gc_batch_slack_bytes: slack * 4096,
        buffer_bytes: 64 << 20,
        logical_bytes: 256 << 20,
        physical_bytes: 2 << 30,
        queue_depth: 4_000,
        ..small()
    };
    let mut ssd = new_drive(&spec);
    let (mut issued, mut waits, mut done) = (vec![0u64; 0], Vec::new(), Vec::<Completion>::new());
    for at in 0..60_000u64 {
        let now = Nanos(at * gap);
        ssd.advance(now, &mut done);
        issued.push(now.0);
        let op = if at % 500 == 0 { Op::Read } else { Op::Write };
        ssd.submit(now, request(at, op, (at % 60_000) * 4096, 4096));
        for completion in done.drain(..) {
            waits.push(completion.at.0 - issued[completion.id as usize]);
        }
    }
    for x in [500_000u64, 1_000_000, 2_000_000] {
        let beyond = waits.iter().filter(|&&wait| wait > x).count() as f64 / waits.len() as f64;
        let expected = ((length - x) as f64 / gap as f64 - slack as f64) / every as f64;
        println!("waits beyond {x} ns: {beyond:.4}, {expected:.4} by arithmetic");
        assert!((beyond - expected).abs() < 0.05 * expected + 0.001, "{x}: {beyond} {expected}");
    }
}

#[test]
fn batches_that_follow_each_other_set_the_rate_of_writes() {
    // 64 pages in each 8 ms, however many are outstanding: one begins the batch, 63 are its slack.
    let (pages, length) = (64u64, 8_000_000u64);
    let spec = SsdSpec {
        gc_batch_always: true,
        gc_batch_bytes: 4096,
        gc_batch_ns: length,
        gc_batch_slack_bytes: (pages - 1) * 4096,
        buffer_bytes: 64 << 20,
        ..small()
    };
    for depth in [1, 64] {
        let mut ssd = new_drive(&spec);
        let (completions, _) = closed_loop(&mut ssd, Nanos(0), depth, 10_000, |at| write(at % 1_000));
        let end = completions.last().unwrap().at.as_secs_f64();
        let (found, expected) = (completions.len() as f64 / end, pages as f64 * 1e9 / length as f64);
        assert!((found / expected - 1.0).abs() < 0.02, "{depth}: {found} {expected}");
    }
}

#[test]
fn a_batch_takes_as_long_as_what_is_valid_takes_to_copy() {
    // A full drive, written at random: with twice the valid share that a batch is stated for, it takes twice as long.
    let (every, length) = (2_000u64, 4_000_000u64);
    let longest = |valid: f64, logical_bytes: u64| {
        let spec = SsdSpec {
            gc_batch_always: true,
            gc_batch_bytes: every * 4096,
            gc_batch_ns: length,
            gc_batch_valid: valid,
            buffer_bytes: 64 << 20,
            logical_bytes,
            physical_bytes: logical_bytes * 5 / 4,
            queue_depth: 4_000,
            ..small()
        };
        let mut ssd = filled(&spec);
        let pages = logical_bytes / 4096;
        let (mut issued, mut wait, mut done) = (Vec::new(), 0, Vec::<Completion>::new());
        for at in 0..120_000u64 {
            let now = Nanos(at * 400_000);
            ssd.advance(now, &mut done);
            issued.push(now.0);
            let page = at.wrapping_mul(0x9e37_79b9_7f4a_7c15) % pages;
            ssd.submit(now, request(at, Op::Write, page * 4096, 4096));
            for completion in done.drain(..) {
                wait = wait.max(completion.at.0 - issued[completion.id as usize]);
            }
        }
        wait as f64
    };
    let (usual, half) = (longest(0.5, 256 << 20), longest(0.25, 256 << 20));
    assert!((half / usual - 2.0).abs() < 0.1, "{half} {usual}");
}
