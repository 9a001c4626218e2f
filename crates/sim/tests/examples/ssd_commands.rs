//! Flush, discard, queue depth, partial pages, and a drive with no page to spare.

use crate::drives::{Uniform, closed_loop, drain, filled, latency, new_drive, request, small, write};
use drivecast_block::{Device, Nanos, Op};
use drivecast_sim::spec::SsdSpec;
use drivecast_sim::ssd::{Preload, Ssd, wear};

#[test]
fn without_its_cache_a_write_waits_for_flash() {
    let spec = small();
    let transfer = (16_384.0 * 1e9 / spec.channel_bytes_per_s).round() as u64;
    let lone = |write_through| {
        let spec = SsdSpec { write_through, ..small() };
        let mut ssd = new_drive(&spec);
        let found = latency(&mut ssd, Nanos(0), write(5));
        (found, ssd.counters().flash_copied_pages)
    };
    let (cached, _) = lone(false);
    let (through, padding) = lone(true);
    // The row has one page; it is padded and programmed.
    assert_eq!((through, padding), (cached + transfer + spec.program_ns, 3));
}

#[test]
fn a_flush_waits_for_a_volatile_buffer_only() {
    for volatile in [false, true] {
        let mut spec = small();
        spec.buffer_volatile = volatile;
        let mut ssd = new_drive(&spec);
        let mut done = Vec::new();
        ssd.submit(Nanos(0), write(5));
        drain(&mut ssd, &mut done);
        let flush = latency(&mut ssd, Nanos(100_000), request(1, Op::Flush, 0, 0));
        let at_once = spec.write_command_ns + spec.write_overhead_ns;
        if volatile {
            // The row has one page; it is padded and programmed now.
            let transfer = (16_384.0 * 1e9 / spec.channel_bytes_per_s).round() as u64;
            assert_eq!(flush, at_once + transfer + spec.program_ns);
            assert_eq!(ssd.counters().flash_copied_pages, 3, "padding");
        } else {
            assert_eq!(flush, at_once);
        }
        // With nothing left to write, it never waits.
        assert_eq!(latency(&mut ssd, Nanos(10_000_000), request(2, Op::Flush, 0, 0)), at_once);
        ssd.ftl().audit().unwrap();
    }
}

#[test]
fn a_buffered_page_is_read_without_flash() {
    let spec = small();
    let mut ssd = new_drive(&spec);
    latency(&mut ssd, Nanos(0), write(5));
    let link = (4096.0 * 1e9 / spec.link_bytes_per_s).round() as u64;
    let read = latency(&mut ssd, Nanos(100_000), request(1, Op::Read, 5 * 4096, 4096));
    assert_eq!(read, spec.read_command_ns + link + spec.read_overhead_ns);
}

#[test]
fn a_partial_write_reads_the_old_page_before_it_leaves_the_buffer() {
    let spec = small();
    let mut ssd = filled(&spec);
    // The host does not wait for it: the die does.
    let mut done = Vec::new();
    ssd.submit(Nanos(0), request(0, Op::Write, 512, 1024));
    let mut last = Nanos(0);
    while let Some(now) = ssd.next() {
        last = now;
        ssd.advance(now, &mut done);
    }
    assert!(done[0].at < Nanos(spec.read_ns), "{:?}", done[0]);
    assert!(last > Nanos(spec.read_ns), "{last}");
    assert_eq!(ssd.counters().written_bytes, 1024);
}

#[test]
fn a_discard_unmaps_whole_pages() {
    let spec = small();
    let mut ssd = new_drive(&spec);
    wear::fill(&mut ssd, 1 << 20);
    latency(&mut ssd, Nanos(0), request(0, Op::Discard, 4096 + 512, 5 * 4096));
    assert_eq!(ssd.ftl().live_pages(), 256 - 4);
    ssd.ftl().audit().unwrap();
}

#[test]
fn commands_beyond_the_queue_depth_wait_in_order() {
    let mut spec = small();
    spec.queue_depth = 1;
    let mut ssd = new_drive(&spec);
    let alone = latency(&mut ssd, Nanos(0), request(0, Op::Read, 0, 4096));
    let start = Nanos(1_000_000);
    let mut done = Vec::new();
    (0..5).for_each(|id| ssd.submit(start, request(id, Op::Read, id << 20, 4096)));
    drain(&mut ssd, &mut done);
    for (i, completion) in done.iter().enumerate() {
        assert_eq!(completion.id, i as u64);
        assert_eq!(completion.at.since(start).0, (i as u64 + 1) * alone);
    }
}

#[test]
fn a_full_drive_with_almost_no_spare_loses_nothing() {
    // Not a page more than cleaning needs: one block and one row a die.
    let mut spec = small();
    spec.physical_bytes = 80 << 20;
    spec.logical_bytes = (72 << 20) - 8 * 16_384;
    let pages = spec.logical_bytes / 4096;
    let mut ssd = filled(&spec);
    let mut random = Uniform::new(9, "writes");
    let (mut completions, submitted) =
        closed_loop(&mut ssd, Nanos(0), 32, 3_000, |_| write(random.below(pages)));
    drain(&mut ssd, &mut completions);
    assert_eq!(completions.len(), submitted.len());
    assert_eq!(ssd.ftl().live_pages(), pages);
    ssd.ftl().audit().unwrap();
    assert!(ssd.counters().flash_copied_pages > 20 * ssd.counters().flash_host_pages);
}

#[test]
fn writing_more_than_announced_brings_its_own_flash() {
    let spec = small();
    let pages = spec.logical_bytes / 4096;
    let quarter = Preload { written_pages: pages / 4, data_pages: pages };
    let [found, expected] = [quarter, Preload::whole(&spec)].map(|preload| {
        let mut ssd = Ssd::new(&spec, &preload, 1).unwrap();
        let mut random = Uniform::new(9, "writes");
        (0..8 * pages).for_each(|_| ssd.age(write(random.below(pages))));
        let before = ssd.ftl().stats();
        (0..8 * pages).for_each(|_| ssd.age(write(random.below(pages))));
        ssd.ftl().audit().unwrap();
        ssd.ftl().stats().since(&before).write_amplification()
    });
    assert!((found / expected - 1.0).abs() < 0.03, "{found} against {expected}");
}
