//! How long a read waits for a die that programs or erases.

use crate::drives::{Uniform, drain, latency, request, small, write};
use drivecast_block::{Completion, Device, Nanos, Op};
use drivecast_sim::spec::SsdSpec;
use drivecast_sim::ssd::{Preload, Ssd, wear};

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

fn filled(spec: &SsdSpec) -> Ssd {
    let mut ssd = Ssd::new(spec, &Preload::whole(spec), 1).unwrap();
    wear::fill(&mut ssd, spec.logical_bytes);
    ssd
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
