//! What durability costs: flushes and writes with forced unit access, on volatile and on protected buffers.

use crate::drives::{drain, latency, new_drive, request, small, write};
use drivecast_block::{Device, Nanos, Op, Request};
use drivecast_sim::spec::SsdSpec;
use drivecast_sim::ssd::Ssd;

/// A write of one page that has to be durable.
fn forced(page: u64) -> Request {
    Request { fua: true, ..write(page) }
}

fn built(buffer_volatile: bool) -> (SsdSpec, Ssd) {
    let spec = SsdSpec { buffer_volatile, ..small() };
    let ssd = new_drive(&spec);
    (spec, ssd)
}

fn time_ns(bytes: f64, bytes_per_s: f64) -> u64 {
    (bytes * 1e9 / bytes_per_s).round() as u64
}

/// Time from a page in the buffer until its row is in flash: the row crosses the channel and is programmed.
fn program_ns(spec: &SsdSpec) -> u64 {
    time_ns(16_384.0, spec.channel_bytes_per_s) + spec.program_ns
}

#[test]
fn a_forced_write_takes_a_program_where_the_buffer_is_volatile() {
    for volatile in [false, true] {
        let (spec, mut ssd) = built(volatile);
        let way_in = spec.write_command_ns + time_ns(4096.0, spec.link_bytes_per_s) + spec.write_overhead_ns;
        let expected = way_in + if volatile { program_ns(&spec) } else { 0 };
        // One after the other, so each finds its die idle and pads a row of its own.
        let mut now = Nanos(0);
        for page in 0..20 {
            let took = latency(&mut ssd, now, forced(page));
            assert_eq!(took, expected, "volatile: {volatile}, page {page}");
            now += Nanos(10 * expected);
        }
        let padded = if volatile { 20 * 3 } else { 0 };
        assert_eq!(ssd.counters().flash_copied_pages, padded, "a row holds four pages");
        ssd.ftl().audit().unwrap();
    }
}

#[test]
fn a_forced_write_waits_for_its_own_rows_and_a_flush_for_all() {
    // Four rows of other writes are at the one die when it comes.
    let one_die = SsdSpec { channels: 1, dies_per_channel: 1, buffer_volatile: true, ..small() };
    let (slow, fast) = (&one_die, &SsdSpec { channels: 4, ..one_die.clone() });
    let completed = |spec: &SsdSpec, last: Request| {
        let mut ssd = new_drive(spec);
        let mut done = Vec::new();
        for page in 0..16 {
            ssd.submit(Nanos(0), Request { id: page, ..write(page) });
        }
        while done.len() < 16 {
            let now = ssd.next().unwrap();
            ssd.advance(now, &mut done);
        }
        let start = done[15].at;
        ssd.submit(start, Request { id: 16, ..last });
        drain(&mut ssd, &mut done);
        done.iter().find(|completion| completion.id == 16).unwrap().at.since(start).0
    };
    let flush = request(16, Op::Flush, 0, 0);
    // On one die its row is programmed behind the four; on four dies beside them.
    assert!(completed(slow, forced(16)) > completed(slow, flush), "one row more than the flush waits for");
    assert!(completed(fast, forced(16)) < 2 * program_ns(fast), "beside the others");
    assert!(completed(slow, forced(16)) > 4 * slow.program_ns, "behind the others");
}

#[test]
fn a_large_forced_write_waits_for_its_last_row() {
    let (spec, mut ssd) = built(true);
    let large = Request { fua: true, ..request(0, Op::Write, 0, 10 * 4096) };
    let took = latency(&mut ssd, Nanos(0), large);
    assert!(took >= program_ns(&spec), "{took}");
    // All of it is in flash by then: nothing is left for a flush to wait for.
    let flush = latency(&mut ssd, Nanos(took), request(1, Op::Flush, 0, 0));
    assert_eq!(flush, spec.write_command_ns + spec.write_overhead_ns);
    assert_eq!(ssd.counters().flash_copied_pages, 2, "ten pages take three rows of four");
}
