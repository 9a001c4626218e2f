//! The pSLC cache: how fast a burst is, how long it lasts, what comes after, and what it adds to write amplification.

use crate::drives::{Uniform, closed_loop, latency, new_drive, rate, request, small, write};
use drivecast_block::{Device, Nanos, Op};
use drivecast_sim::spec::SsdSpec;

/// Pages of 4 KiB in the cache.
const CACHE: u64 = 8_192;
const DIES: f64 = 8.0;
const ROW: f64 = 4.0;

/// A small drive with a cache of 32 MiB that is programmed four times as fast.
fn cached(fold_share: f64) -> SsdSpec {
    SsdSpec {
        slc_cache_bytes: CACHE * 4096,
        slc_program_ns: 100_000,
        slc_read_ns: 20_000,
        slc_fold_share: fold_share,
        buffer_bytes: 512 << 10,
        ..small()
    }
}

/// Die time of a row written to the cache, and of one folded: read, program, and an erase with every block of a third
/// of 256 pages.
fn row_ns(spec: &SsdSpec) -> (f64, f64) {
    let transfer = ROW * 4096.0 * 1e9 / spec.channel_bytes_per_s;
    let erase = spec.erase_ns as f64 * ROW / f64::from(256 / 3);
    let fold = spec.slc_read_ns as f64 + transfer + spec.program_ns as f64 + transfer + erase;
    (spec.slc_program_ns as f64 + transfer, fold)
}

#[test]
fn a_burst_lasts_until_the_cache_is_full() {
    for share in [0.0, 0.5] {
        let spec = cached(share);
        let (write_ns, fold_ns) = row_ns(&spec);
        let pages_per_s = |row_ns: f64| DIES * ROW * 1e9 / row_ns;
        let (fast, slow) = (pages_per_s(write_ns + share * fold_ns), pages_per_s(write_ns + fold_ns));
        // The cache fills at what comes in less what is folded.
        let length = CACHE as f64 / (1.0 - share);
        // Data written once: nothing is absorbed, nothing in the main flash is stale.
        let (done, _) = closed_loop(&mut new_drive(&spec), Nanos(0), 32, 40_000, write);
        let at = |share: f64| (length * share) as usize;
        let (burst, after) = (rate(&done[500..at(0.95)]), rate(&done[at(1.2)..]));
        println!(
            "fold {share}: {burst:.0}/s of {fast:.0}/s for {length:.0} writes, then {after:.0}/s of {slow:.0}/s"
        );
        assert!((burst / fast - 1.0).abs() < 0.03, "{burst} of {fast}");
        assert!((after / slow - 1.0).abs() < 0.03, "{after} of {slow}");
        // The length itself: where the rate falls halfway, from windows of 1,024 writes.
        let middle = f64::midpoint(fast, slow);
        let window =
            (500..done.len() - 1_024).step_by(64).find(|&from| rate(&done[from..from + 1_024]) < middle);
        let found = window.unwrap() as f64 + 512.0;
        assert!((found / length - 1.0).abs() < 0.04, "{found} writes of {length}");
    }
}

#[test]
fn what_is_overwritten_in_the_cache_is_absorbed() {
    // A page written is still current when it has come to the end of the cache with (1 − 1/n)^cache, uniform writes on n.
    for n in [CACHE / 4, CACHE, 4 * CACHE] {
        let (spec, mut random) = (cached(0.0), Uniform::new(n, "writes"));
        let mut ssd = new_drive(&spec);
        (0..3 * CACHE).for_each(|_| ssd.age(write(random.below(n))));
        ssd.reset_counters();
        let cleaned = ssd.ftl().stats().copied_pages;
        (0..40 * CACHE).for_each(|_| ssd.age(write(random.below(n))));
        let counters = ssd.counters();
        let cleaned = ssd.ftl().stats().copied_pages - cleaned;
        let folded = (counters.flash_copied_pages - cleaned) as f64 / counters.flash_host_pages as f64;
        let expected = (1.0 - 1.0 / n as f64).powf(CACHE as f64);
        println!("{n} pages: folded {folded:.4}, expected {expected:.4}");
        assert_eq!(counters.flash_host_pages, 40 * CACHE);
        assert!((folded - expected).abs() < 0.01, "{n}: {folded} of {expected}");
        assert_eq!(ssd.ftl().audit(), Ok(()));
    }
}

#[test]
fn the_same_is_folded_on_the_clock() {
    let (spec, mut random) = (cached(0.0), Uniform::new(5, "writes"));
    let mut ssd = new_drive(&spec);
    (0..3 * CACHE).for_each(|_| ssd.age(write(random.below(CACHE))));
    ssd.reset_counters();
    closed_loop(&mut ssd, Nanos(0), 32, 20 * CACHE as usize, |_| write(random.below(CACHE)));
    let counters = ssd.counters();
    let folded = counters.flash_copied_pages as f64 / counters.flash_host_pages as f64;
    assert!((folded - (-1.0f64).exp()).abs() < 0.01, "{folded}");
    assert_eq!(ssd.ftl().audit(), Ok(()));
}

#[test]
fn idle_time_empties_the_cache() {
    let spec = cached(0.0);
    let (write_ns, _) = row_ns(&spec);
    for on_the_clock in [false, true] {
        let mut ssd = new_drive(&spec);
        (0..3 * CACHE).for_each(|page| ssd.age(write(page)));
        assert_eq!(ssd.ftl().live_pages(), 2 * CACHE, "the rest is in the cache");
        let mut start = Nanos(0);
        if on_the_clock {
            latency(&mut ssd, start, request(0, Op::Read, 0, 4096));
            start = Nanos(5_000_000_000);
        } else {
            ssd.idle();
            assert_eq!(ssd.ftl().live_pages(), 3 * CACHE);
        }
        let make = |id| write(3 * CACHE + id);
        let (done, _) = closed_loop(&mut ssd, start, 32, CACHE as usize * 95 / 100, make);
        let (found, expected) = (rate(&done[500..]), DIES * ROW * 1e9 / write_ns);
        assert!((found / expected - 1.0).abs() < 0.03, "{found} of {expected}, on the clock {on_the_clock}");
    }
}

#[test]
fn the_unused_capacity_lends_a_cache() {
    // A third of what is not used: 256 MiB empty, 85 MiB; half full, half of that.
    let spec = SsdSpec { slc_cache_bytes: 0, slc_dynamic_share: 1.0 / 3.0, ..cached(0.0) };
    let pages = spec.logical_bytes / 4096;
    let mut ssd = new_drive(&spec);
    (0..pages / 2).for_each(|page| ssd.age(write(page)));
    let in_cache = pages / 2 - ssd.ftl().live_pages();
    let expected = pages as f64 / 6.0;
    assert!((in_cache as f64 / expected - 1.0).abs() < 0.01, "{in_cache} of {expected}");
    (pages / 2..pages).for_each(|page| ssd.age(write(page)));
    assert!(pages - ssd.ftl().live_pages() < 8, "a full drive has none left");
}

#[test]
fn a_cached_page_is_read_at_the_speed_of_the_cache() {
    let (spec, mut ssd) = (cached(0.0), new_drive(&cached(0.0)));
    (0..64).for_each(|page| ssd.age(write(page)));
    let read = latency(&mut ssd, Nanos(0), request(0, Op::Read, 0, 4096));
    let from_flash = latency(&mut new_drive(&spec), Nanos(0), request(0, Op::Read, 0, 4096));
    assert_eq!(from_flash - read, spec.read_ns - spec.slc_read_ns);
}
